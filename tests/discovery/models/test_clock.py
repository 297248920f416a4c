"""The tick: the longest readable one that fits every duration."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packhorse_discovery.domain.models.clock import MOST_TICKS, Clock, grain


@pytest.mark.parametrize(
    ("seconds", "name"),
    [
        pytest.param([60, 120], "minute", id="minutes"),
        pytest.param([1800, 5400], "half an hour", id="half hours"),
        pytest.param([86400, 172800], "day", id="days"),
        pytest.param([7], "second", id="nothing longer fits"),
        pytest.param([2700, 1200], "5 minutes", id="the longest readable divisor"),
        pytest.param([], "minute", id="nothing to go by"),
    ],
)
def test_a_tick_divides_every_duration(seconds, name):
    found = grain([Fraction(each) for each in seconds])

    assert (found.name, found.fits) == (name, True)


def test_instants_fall_on_a_tick_too():
    assert grain([Fraction(3600)], [Fraction(8 * 3600 + 900)]).name == "15 minutes"


def test_too_many_ticks_are_made_coarser_and_the_error_is_told():
    year, second = Fraction(365 * 86400), Fraction(1)

    found = grain([year, second])

    assert not found.fits
    assert (year + second) / found.seconds <= MOST_TICKS
    assert found.clock([year, second]).error_seconds == found.seconds - 1


@given(st.lists(st.fractions(min_value=0, max_value=10**7), min_size=1, max_size=6))
def test_rounding_is_off_by_half_a_tick_at_most_and_never_to_nothing(durations):
    found = grain(durations)

    for each in durations:
        assert (found.ticks(each) == 0) == (each == 0)
        assert found.error_seconds(each) <= max(Fraction(found.seconds, 2), found.seconds - each)


@pytest.mark.parametrize(
    ("clock", "ticks", "lasting", "at"),
    [
        pytest.param(Clock(60), 90, "1 h 30 min", "1 h 30 min after the start", id="minutes"),
        pytest.param(Clock(60), 0, "no time", "the start", id="nothing"),
        pytest.param(Clock(3600, "hour", origin="2026-03-02 06:00"), 30, "1 d 6 h", "2026-03-03 12:00", id="dates"),
        pytest.param(Clock(600, "10 minutes", week=True), 201, "1 d 9 h 30 min", "Tuesday 09:30", id="weekdays"),
        pytest.param(Clock(86400, "day", week=True), 8, "8 d", "Tuesday 00:00 of week 2", id="the second week"),
        pytest.param(Clock(60, "time unit"), 1, "1 time unit", "1 time unit after the start", id="no real time"),
    ],
)
def test_ticks_are_told_in_words(clock, ticks, lasting, at):
    assert (clock.lasting(ticks), clock.at(ticks)) == (lasting, at)
