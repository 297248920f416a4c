"""Working hours become closures."""

from datetime import datetime

import pytest
from eight_models import OPEN_EIGHT_TO_FOUR, WEEKDAYS, fact
from hypothesis import given
from hypothesis import strategies as st

from packhorse_discovery.domain.case.scr import Window
from packhorse_discovery.domain.models.hours import DAY, WEEK, Hours, longest_open
from packhorse_discovery.domain.models.span import UnclearError

MONDAY = datetime(2026, 3, 2)  # noqa: DTZ001  local time of a place that nobody named
HOUR = 3600


def closed(hours, resource="oven", until=2 * DAY):
    return [(each.start / HOUR, each.end / HOUR) for each in hours.closed(resource, until)]


def test_outside_weekly_hours_all_is_closed():
    assert closed(Hours((OPEN_EIGHT_TO_FOUR,), MONDAY)) == [(0, 8), (16, 32), (40, 48)]


def test_the_count_starts_in_the_middle_of_a_week_where_the_schedule_does():
    friday_noon = datetime(2026, 3, 6, 12)  # noqa: DTZ001

    assert closed(Hours((OPEN_EIGHT_TO_FOUR,), friday_noon), until=4 * DAY) == [(4, 68), (76, 92)]


def test_a_night_shift_goes_past_midnight():
    night = Window(fact("*"), fact("22:00"), fact("06:00"), WEEKDAYS)

    assert closed(Hours((night,), MONDAY)) == [(0, 22), (30, 46)]


def test_hours_of_a_machine_replace_those_of_all():
    own = Window(fact("oven"), fact("10:00"), fact("20:00"), WEEKDAYS)

    assert closed(Hours((OPEN_EIGHT_TO_FOUR, own), MONDAY), until=DAY) == [(0, 10), (20, 24)]
    assert closed(Hours((OPEN_EIGHT_TO_FOUR, own), MONDAY), "mixer", until=DAY) == [(0, 8), (16, 24)]


def test_a_closure_adds_to_the_hours_and_a_date_is_closed_to_its_end():
    service = Window(fact("oven"), fact("2026-03-02"), fact("2026-03-02"), working=False)
    pause = Window(fact("*"), fact("12:00"), fact("12:30"), WEEKDAYS, working=False)

    assert closed(Hours((service,), MONDAY)) == [(0, 24)]
    assert closed(Hours((OPEN_EIGHT_TO_FOUR, pause), MONDAY), until=DAY) == [(0, 8), (12, 12.5), (16, 24)]


@pytest.mark.parametrize(
    "window",
    [
        pytest.param(Window(fact("*"), fact("8ish"), fact("16:00"), WEEKDAYS), id="a time"),
        pytest.param(Window(fact("*"), fact("08:00"), fact("25:00"), WEEKDAYS), id="an hour too many"),
        pytest.param(Window(fact("*"), fact("08:00"), fact("16:00"), (fact("someday"),)), id="a weekday"),
        pytest.param(Window(fact("*"), fact("next week"), fact("2026-01-02")), id="a date"),
        pytest.param(Window(fact("*"), fact("2026-01-09"), fact("2026-01-02")), id="dates in reverse"),
    ],
)
def test_hours_that_cannot_be_read_are_refused(window):
    with pytest.raises(UnclearError):
        Hours((window,), MONDAY).closed("oven", WEEK)


def test_a_shift_is_as_long_as_the_hours_when_they_are_all_alike():
    short = Window(fact("*"), fact("08:00"), fact("12:00"), (fact("Saturday"),))

    assert Hours((OPEN_EIGHT_TO_FOUR,), MONDAY).day().seconds == 8 * HOUR
    assert Hours((OPEN_EIGHT_TO_FOUR, short), MONDAY).day() is None


def test_the_longest_opening_is_found():
    hours = Hours((OPEN_EIGHT_TO_FOUR,), MONDAY)

    assert longest_open(hours.closed("oven", WEEK), WEEK) == 8 * HOUR
    assert longest_open([], WEEK) == WEEK


@given(st.integers(0, 23), st.integers(1, 24), st.integers(0, 167))
def test_every_hour_is_open_or_closed_as_the_week_says(opens, lasts, hour):
    closes = (opens + lasts) % 24
    window = Window(fact("*"), fact(f"{opens:02}:00"), fact(f"{closes:02}:00"), WEEKDAYS)
    shut = Hours((window,), MONDAY).closed("oven", WEEK)

    is_open = any(0 <= hour - (day * 24 + opens) < lasts for day in range(5))

    assert is_open != any(each.start <= hour * HOUR < each.end for each in shut)


def test_weekly_hours_hold_from_and_until_their_dates():
    first = Window(fact("*"), fact("08:00"), fact("16:00"), WEEKDAYS, until=fact("2026-03-03"))
    then = Window(fact("*"), fact("22:00"), fact("06:00"), WEEKDAYS, since=fact("2026-03-04"))

    assert closed(Hours((first, then), MONDAY), until=4 * DAY) == [(0, 8), (16, 32), (40, 70), (78, 94)]
