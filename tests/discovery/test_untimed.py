"""Steps whose time nobody knows."""

import pytest

from packhorse_discovery.domain import narration
from packhorse_discovery.domain.untimed import placed, untimed


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I have no idea how long the polishing takes.", ["polishing"]),
        ("Polishing takes I don't know how long.", ["Polishing"]),
        ("How long in the press? Couldn't tell you.", ["press"]),
        ("How long the customer leaves it in our yard I've no idea.", []),
        ("The polishing takes 20 minutes.", []),
        ("Annealing in the lehr, I honestly don't know how long that takes.", ["Annealing"]),
        ("And the engraving is done on the pantograph, but for how long, no one has ever timed it.", ["engraving"]),
        ("The electrical test? Duration unknown. Only Piotr knew it.", ["electrical test"]),
        ("Milling is 20 minutes, drying I couldn't tell you, packing is 5 minutes.", ["drying"]),
        ("Drying? Nobody's ever timed it.", ["Drying"]),
        ("Drying I'm not sure, maybe 20 minutes.", []),
        ("The ageing, well, who knows how long that takes.", ["ageing"]),
        ("Then we let it drain. I can't say how many hours.", []),
        ("How much time the oiling takes I wouldn't even want to guess.", ["oiling"]),
        ("I don't know how many ovens the neighbours have.", []),
    ],
)
def test_whose_time_nobody_knows_is_read(said: str, expected: list[str]) -> None:
    assert [one.name for one in untimed(said) if one.sure] == expected


def test_a_step_without_a_known_time_keeps_its_place() -> None:
    said = "Blowing is 20 minutes at the bench. Annealing in the lehr, I don't know how long. Cold work is 35 minutes."

    assert [one.name for one in placed(narration.steps(said), said)] == ["Blowing", "Annealing", "Cold work"]
