"""How far, which way, how hard and how long."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_circadian.domain import advice
from packhorse_circadian.domain.shift import RATE_WITH, RATE_WITHOUT, Shift

HOUR = timedelta(hours=1)
any_shift = st.builds(lambda minutes: Shift(timedelta(minutes=minutes)), st.integers(-26 * 60, 26 * 60))


def shift(hours: float) -> Shift:
    return Shift(hours * HOUR)


@pytest.mark.parametrize(
    ("raw", "size", "direction"),
    [
        pytest.param(17, 7, "delay", id="over 12 the other way round is shorter"),
        pytest.param(-23, 1, "advance", id="across the date line"),
        pytest.param(-13, 11, "advance", id="a delay just over 12"),
        pytest.param(12, 12, "delay", id="12 east is a delay"),
        pytest.param(-12, 12, "delay", id="12 west is a delay"),
        pytest.param(11.75, 11.75, "advance", id="just under 12 stays"),
        pytest.param(24, 0, "none", id="a whole day is no shift"),
        pytest.param(26, 2, "advance", id="the widest on earth"),
        pytest.param(0, 0, "none", id="nothing"),
    ],
)
def test_the_body_takes_the_shorter_way(raw: float, size: float, direction: str) -> None:
    found = shift(raw)

    assert (found.size / HOUR, found.direction) == (size, direction)
    assert found.raw == raw * HOUR


@given(any_shift)
def test_no_way_is_longer_than_12_hours_and_it_ends_at_the_same_hour(found: Shift) -> None:
    assert found.size <= 12 * HOUR
    assert (found.signed - found.raw) % (24 * HOUR) == timedelta(0)


@pytest.mark.parametrize(
    ("raw", "difficulty"),
    [
        (0, "easy"),
        (2.5, "easy"),
        (2.75, "moderate"),
        (5.5, "moderate"),
        (5.75, "hard"),
        (-3.5, "easy"),
        (-3.75, "moderate"),
        (-6.5, "moderate"),
        (-6.75, "hard"),
    ],
)
def test_every_fraction_has_a_difficulty_and_delays_are_easier(raw: float, difficulty: str) -> None:
    assert shift(raw).difficulty == difficulty


@pytest.mark.parametrize(
    ("hours", "with_measures", "without"),
    [
        pytest.param(7, 5, 8, id="the specification's example"),
        pytest.param(9.5, 7, 10, id="9.5"),
        pytest.param(4.75, 4, 5, id="4.75"),
        pytest.param(1, 1, 2, id="1"),
        pytest.param(0, 0, 0, id="nothing takes no days"),
    ],
)
def test_days_are_the_whole_days_of_work_and_one(hours: float, with_measures: int, without: int) -> None:
    assert (shift(-hours).days(RATE_WITH), shift(-hours).days(RATE_WITHOUT)) == (with_measures, without)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        pytest.param(17, "A 17-hour advance equals a 7-hour delay", id="wrapped"),
        pytest.param(9.5, "needs a 9.5-hour advance", id="halves are printed"),
        pytest.param(-10.25, "needs a 10.25-hour delay", id="quarters are printed"),
        pytest.param(8, "needs an 8-hour advance", id="an eight"),
        pytest.param(1, "earlier, about 1 hour a day; by rule of thumb 1 day to adapt", id="singular"),
        pytest.param(-0.5, "later, about 0.5 hours a day", id="less than a day's move"),
        pytest.param(24, "A 24-hour advance is a change of date", id="a whole day"),
        pytest.param(0, "keep your usual bedtime", id="nothing"),
    ],
)
def test_the_explanation_says_what_to_move_and_prints_hours_exactly(raw: float, says: str) -> None:
    words = advice.explanation(shift(raw))

    assert says in words
    assert "not medical advice" in words


@given(any_shift)
def test_the_explanation_never_sends_the_sleeper_the_wrong_way(found: Shift) -> None:
    words = advice.explanation(found)

    assert ("waking later" in words) == (found.direction == "delay")
    assert ("waking earlier" in words) == (found.direction == "advance")
