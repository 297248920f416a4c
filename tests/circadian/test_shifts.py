"""Plans for shifts: where sleeps lie, where the clock goes, and what is refused."""

import json
import sys
from datetime import UTC, date, datetime, time, timedelta
from importlib.util import find_spec
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse.testing import client_for, fixed_clock
from packhorse_circadian import pack
from packhorse_circadian.domain.rota import Rota, grid
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import SLOT

NEW_YEAR = fixed_clock("2027-01-01T00:00:00Z")
LONDON = ZoneInfo("Europe/London")
HOURS = {"D": (7, 8), "E": (15, 8), "N": (23, 8), "d": (7, 12), "n": (19, 12)}
AWAKE = ["2027-02-15T07:00/2027-02-16T06:00", "2027-02-16T08:00/2027-02-17T07:00"]
NIGHTS = [f"2027-02-{day}T23:00/2027-02-{day + 1}T07:00" for day in (15, 16, 17, 18)]

searching = pytest.mark.skipif(find_spec("numpy") is None, reason="plans for shifts are searched for with numpy")


def rota(pattern: str, start: date = date(2027, 5, 3)) -> Rota:
    """One letter a day: early, late and night shifts of 8 h, day and night of 12 h, and points for days off."""
    shifts = []
    for k, letter in enumerate(pattern):
        if letter in HOURS:
            hour, length = HOURS[letter]
            begins = datetime.combine(start + timedelta(days=k), time(hour), LONDON).astimezone(UTC)
            shifts.append(Span(begins, begins + timedelta(hours=length)))
    return Rota(LONDON, tuple(shifts))


def lows_of_nights(pattern: str) -> list[list[float]]:
    """Of each block of nights at work, the hour of the low of half the bodies at each day sleep."""
    from packhorse_circadian.search.shifts import searched

    course = searched(rota(pattern))
    blocks: list[list[float]] = [[]]
    for night in course.planned:
        if night.bed.by_day:
            low = course.ground.local(night.half * 2)
            blocks[-1].append(low.hour + low.minute / 60)
        elif blocks[-1]:
            blocks.append([])
    return [block for block in blocks if block]


@searching
@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    ["NNNNN..NNNNN", "NNNN", "NNN..NNNN", "nnnn....nnnn", "DDDDD..EEEEE..NNNNN"],
    ids=["permanent nights", "four nights", "three and four nights", "four on, four off", "three-shift weeks forward"],
)
def test_late_in_a_block_of_nights_the_low_is_between_nine_and_eleven(pattern: str) -> None:
    late = [block[-1] for block in lows_of_nights(pattern)]

    assert late
    assert all(9 <= low <= 11 for low in late), late


@searching
@pytest.mark.slow
def test_twos_and_threes_of_nights_are_one_block_once_the_third_night_is_worked() -> None:
    first, *later = lows_of_nights("nn..nnn..nn")

    assert all(low < 9 for low in first), first
    assert all(9 <= block[-1] <= 11 for block in later), later


@searching
@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["NN", "ddnn....ddnn"], ids=["two nights", "12-hour days and nights"])
def test_two_nights_are_no_reason_to_move_the_clock_far(pattern: str) -> None:
    assert all(low < 8.5 for block in lows_of_nights(pattern) for low in block)


@searching
@pytest.mark.slow
def test_the_way_back_from_weeks_of_nights_is_the_way_it_came_and_not_round_the_clock() -> None:
    from packhorse_circadian.search.shifts import searched

    course = searched(rota("NNNNN..NNNNN..NNNNN"))
    last = max(k for k, night in enumerate(course.planned) if night.bed.by_day)
    lows = [night.half for night in course.planned[last:]]

    assert all(20 <= after - before <= 24 for before, after in pairwise(lows)), lows


@settings(max_examples=60, deadline=None)
@given(st.text("DENdn.", min_size=1, max_size=14).filter(lambda text: any(letter != "." for letter in text)))
def test_sleeps_keep_clear_of_shifts_and_of_the_way(pattern: str) -> None:
    made = rota(pattern)
    shifts = [
        shift
        for shift, after in zip(made.shifts, (*made.shifts[1:], None), strict=True)
        if not after or shift.end <= after.start
    ]
    found = grid(Rota(LONDON, tuple(shifts)))

    beds = [Span(found.at(bed.start), found.at(bed.end)) for bed in found.beds]
    assert all(one.end <= other.start for one, other in pairwise(beds))
    assert not any(bed.meets(way) for bed in beds for way in found.rota.with_ways())
    assert all(bed.length >= 3 * 2 * SLOT for bed in beds)


def arguments(**changed: Any) -> dict[str, Any]:
    return {"shifts": NIGHTS, "timezone": "Europe/London", **changed}


@searching
@pytest.mark.anyio
async def test_a_plan_has_day_sleep_and_a_way_home_that_is_not_dark_and_says_how_far_the_search_is() -> None:
    heard: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        heard.append(done)

    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool("plan_for_shifts", arguments(shifts=NIGHTS[:2]), progress_callback=progress)
        calendar = (await client.read_resource(reply.structured_content["calendar"])).contents[0].text

    answer = reply.structured_content
    lines = {day["date"]: day["items"] for day in answer["days"]}
    assert "08:30-15:30 sleep" in lines["2027-02-16"]
    assert heard
    assert "drive when sleepy" in answer["caution"]
    assert answer["summary"] in reply.content[0].text
    assert len(reply.content[0].text) / 3.3 <= 1700
    assert len(json.dumps(answer)) / 3.3 <= 1700
    assert "SUMMARY:Sleep" in calendar


@searching
@pytest.mark.anyio
async def test_nobody_under_eighteen_is_told_about_cups_of_coffee_and_nobody_gets_melatonin() -> None:
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool("plan_for_shifts", arguments(shifts=NIGHTS[:1], age=17, detail="full"))

    items = [item for day in reply.structured_content["days"] for item in day["items"]]
    assert not any("caffeine" in item["type"] or "elatonin" in item["title"] for item in items)
    assert "never take it before a drive or work" in reply.structured_content["caution"]
    glasses = [item for item in items if "unglasses" in item["title"]]
    assert all("wide awake" in item["why"] for item in glasses)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changed", "code", "said"),
    [
        ({"timezone": "Mars/Olympus"}, "INVALID_TIMEZONE", "timezone"),
        ({"shifts": [NIGHTS[0], "2027-02-16T06:00/2027-02-16T12:00"]}, "INVALID_SHIFTS", "overlap"),
        ({"shifts": ["2027-02-15T07:00/2027-02-16T08:00"]}, "INVALID_SHIFTS", "24 hours"),
        ({"shifts": ["2027-02-15T07:00/2027-02-14T08:00"]}, "INVALID_SHIFTS", "ends before it begins"),
        ({"shifts": [NIGHTS[0], "2027-03-20T23:00/2027-03-21T07:00"]}, "INVALID_SHIFTS", "limit is 28"),
        ({"shifts": ["2027-03-28T01:30/2027-03-28T09:00"]}, "INVALID_DATETIME", "clocks skip it"),
        ({"shifts": ["on Monday"]}, "INVALID_ARGUMENTS", "shifts"),
        ({"shifts": []}, "INVALID_SHIFTS", "shifts"),
        ({"usual_sleep_time": "07:00"}, "INVALID_SLEEP", "4 to 12 hours"),
        ({"shifts": AWAKE}, "INVALID_SHIFTS", "no 3 hours for sleep"),
    ],
)  # fmt: skip
async def test_what_is_no_rota_is_refused_with_its_limit(changed: dict[str, Any], code: str, said: str) -> None:
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool("plan_for_shifts", arguments(**changed))

    assert reply.is_error
    assert (reply.meta or {})["packhorse/error"]["code"] == code
    assert said in reply.content[0].text


@pytest.mark.anyio
async def test_without_numpy_the_refusal_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("packhorse_circadian.search.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool("plan_for_shifts", arguments())

    assert reply.is_error
    assert "Install packhorse-circadian[shifts]" in reply.content[0].text


def test_halves_of_a_day_that_follow_each_other_are_one_shift() -> None:
    from packhorse_circadian import convert
    from packhorse_circadian.models import ShiftsQuestion

    halves = ["2027-02-15T07:00/2027-02-15T12:00", "2027-02-15T12:00/2027-02-15T17:00"]
    made = convert.rota_from(ShiftsQuestion(shifts=halves, timezone="Europe/London"))

    assert [shift.length for shift in made.shifts] == [timedelta(hours=10)]
