"""Which work waits for which, as sentences say it."""

import pytest

from packhorse_discovery.domain.precedences import Precedence, circle, precedences, repeated
from packhorse_discovery.domain.sequences import actions


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Trimming can't begin before the book's been cased in.", [("cas", "trim")]),
        ("Casing-in has to wait until the stamping is finished.", [("stamp", "cas")]),
        ("I never drill a hull until its varnishing is over. Drilling is 2 hours.", [("varnish", "dril")]),
        ("Before painting, we always do the sanding.", [("sand", "paint")]),
        ("Once the gluing is done, the varnishing can start.", [("glu", "varnish")]),
        ("Washing has to be finished before ironing can begin.", [("wash", "iron")]),
        ("You must not forget that coating has to be finished before welding can begin.", [("coat", "weld")]),
        ("Rolling comes after soldering, soldering comes after marking.", [("solder", "rol"), ("mark", "solder")]),
        ("In theory you could paint a bracket before drilling it. Painting is quick.", []),
        ("It used to be painted before it was drilled.", []),
        ("It is first quenched and after that ground.", []),
    ],
)
def test_what_waits_for_what_is_read_from_a_sentence(said: str, expected: list[tuple[str, str]]) -> None:
    expected = [tuple(next(iter(actions(f"{one}ing")), one) for one in pair) for pair in expected]

    assert [(one.first, one.later) for one in precedences(said, actions(said) | {"dril"})] == expected


def test_it_is_what_the_sentence_before_was_about() -> None:
    said = "The bluing itself is half an hour. It is always done after the polishing."

    assert [(one.first, one.later) for one in precedences(said, actions(said))] == [("polish", "blu")]


def test_work_that_is_done_twice_by_other_names_is_repeated() -> None:
    texts = ["There's rough sanding before the priming.", "After the priming there's fine sanding."]

    assert "sand" in repeated(texts)
    assert "prim" not in repeated(texts)


def test_a_circle_is_found_through_what_was_said_last() -> None:
    told = [Precedence("a", "b", "b after a"), Precedence("b", "c", "c after b"), Precedence("x", "y", "y after x")]
    last = [Precedence("c", "a", "a after c")]

    assert circle(told, last) == [*last, *told[:2]]
    assert circle(told, [Precedence("c", "d", "d after c")]) == []
