"""Whether all goes one way, as people say it; where the words do not decide, nothing is concluded."""

import pytest

from packhorse_discovery.domain.routes import told


@pytest.mark.parametrize(
    "said",
    [
        "I've never done it in another order, not for any of them.",
        "Nothing skips a station, nothing turns back.",
        "The sequence never changes.",
        "Only the colour differs; the steps don't.",
        "What changes is the pattern, not the order of the work.",
        "Whatever comes in goes through the lot, one station after another.",
        "Uniform routing across the whole product range.",
    ],
)
def test_one_way_for_all_is_heard(said: str) -> None:
    assert told(said) == "same"


@pytest.mark.parametrize(
    "said",
    [
        "No two jobs follow the same route.",
        "Some start at the saw, others at the press.",
        "They hop about between the machines, no common order.",
        "It depends on the piece.",
    ],
)
def test_different_ways_are_heard(said: str) -> None:
    assert told(said) == "different"


@pytest.mark.parametrize(
    "said",
    ["We work hard.", "The frames take the same route. The doors take a different route."],
)
def test_what_does_not_decide_concludes_nothing(said: str) -> None:
    assert told(said) is None
