"""The adaptation plan, shown to a traveller."""

import re
from datetime import date, timedelta

import anyio
import pytest

import packhorse_circadian.pack as circadian
from packhorse.testing import client_for, fixed_clock
from served import served

TRIP = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "Asia/Tokyo",
    "departure_datetime": "2026-02-15T11:30",
    "arrival_datetime": "2026-02-16T15:45",
    "prep_days": 2,
    "interventions": {"exercise": True},
    "return_flight": {"departure_datetime": "2026-03-01T17:00", "arrival_datetime": "2026-03-01T10:00"},
}


@pytest.fixture(scope="module")
def plan():
    async def ask():
        async with client_for(circadian=circadian, clock=fixed_clock("2026-02-01T12:00:00Z")) as client:
            return await served(client, "get_adaptation_plan", TRIP)

    return anyio.run(ask)


@pytest.fixture
def shown(client, plan):
    def made(**options):
        view = client(plan.html, **options)
        view.answer(plan.arguments, plan.result)
        return view

    return made


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 900])
def test_it_can_be_read_in_both_schemes_and_on_a_narrow_screen(shown, theme, width):
    measured = shown(theme=theme, width=width).measured()
    assert measured["faint"] == []
    assert measured["small"] == []
    assert measured["wide"] == 0
    assert measured["texts"] > 50


def test_every_day_is_a_row_and_the_first_is_told(shown, plan):
    view, days = shown(), plan.result["structuredContent"]["days"]
    lists = view.inside("[...document.querySelectorAll('[role=tablist]')].map((one) => one.children.length)")
    assert lists == [sum(len(_each(day)) for day in days)]
    for line in days[0]["items"]:
        assert line.partition(" ")[2] in view.text


def test_the_caution_and_the_range_of_days_are_always_in_sight(shown, plan):
    answer, text = plan.result["structuredContent"], shown().text
    assert answer["caution"] in text
    low, high = (int(answer["model_days"][end] + 0.5) for end in ("low", "high"))
    assert f"{low} to {high} days" in text


def test_the_days_are_one_stop_of_the_tab_key_and_the_arrows_go_through_them(shown):
    view = shown()
    view.page.press("Tab")
    assert view.focus().startswith("Fri, Feb 13")
    view.page.press("ArrowDown")
    assert view.focus().startswith("Sat, Feb 14")
    assert "Saturday, February 14" in view.text
    assert "Friday, February 13" not in view.text
    view.page.press("End")
    view.page.press("ArrowDown")
    last = view.focus()
    view.page.press("Home")
    assert view.focus().startswith("Fri, Feb 13")
    assert last != view.focus()
    view.page.press("Tab")
    assert view.inside("document.activeElement.getAttribute('role')") == "tabpanel"


def test_a_bar_stands_at_its_hours_and_a_night_goes_on_in_the_next_row(shown, plan):
    days = [one for day in plan.result["structuredContent"]["days"] for one in _each(day)]
    lines = [(n, line) for n, one in enumerate(days) for line in one["items"] if line[11:17] == " sleep"]
    day, night = next((n, line) for n, line in lines if line[6:11] < line[:5] and "board" not in line)
    view = shown()
    bars = view.inside(
        "[...document.querySelectorAll('.timeline')[0].querySelectorAll('.day')].map((row) =>"
        " [...row.querySelectorAll('.lane.sleep')].map((bar) =>"
        " ['--from', '--to'].map((one) => Math.round(bar.style.getPropertyValue(one) * 1440))))"
    )
    assert [_minutes(night[:5]), 1440] in bars[day]
    assert [0, _minutes(night[6:11])] in bars[day + 1]


@pytest.mark.parametrize("now", ["2026-02-18T09:00", "2026-03-30T09:00"])
def test_what_is_left_of_a_plan_is_shown_the_same_way(client, now):
    trip = {"trip": "America/Los_Angeles 2026-02-15T11:30 > Asia/Tokyo 2026-02-16T15:45; prep 2; exercise"}

    async def ask():
        async with client_for(circadian=circadian, clock=fixed_clock("2026-02-01T12:00:00Z")) as connected:
            return await served(connected, "replan", {**trip, "now_datetime": now})

    answer = anyio.run(ask)
    replanned = answer.result["structuredContent"]
    view = client(answer.html)
    view.answer(answer.arguments, answer.result)
    assert "Your plan from now on" in view.text
    assert replanned["explanation"] in view.text
    assert replanned["plan"]["caution"] in view.text
    assert view.inside("document.querySelectorAll('.day').length") == len(replanned["plan"]["days"])


def test_every_bar_has_a_length_within_its_day(shown):
    bars = shown().inside(
        "[...document.querySelectorAll('.lane')].map((bar) =>"
        " ['--from', '--to'].map((one) => Number(bar.style.getPropertyValue(one))))"
    )
    assert len(bars) > 40
    assert [bar for bar in bars if not 0 <= bar[0] < bar[1] <= 1] == []


def _each(day):
    """A day for each date of a run."""
    first, last = (date.fromisoformat(day[name] or day["date"]) for name in ("date", "until"))
    return [{**day, "date": str(first + timedelta(days=n))} for n in range((last - first).days + 1)]


def test_each_night_is_drawn_on_the_dates_that_it_takes_though_its_line_stands_on_the_evening(shown, plan):
    days = [one for day in plan.result["structuredContent"]["days"] for one in _each(day)]
    expected = {day["date"]: [] for day in days}
    lines = [(day, line) for day in days for line in day["items"]]
    for day, line in lines:
        night = re.fullmatch(r"(\d\d:\d\d)-(\d\d:\d\d) sleep(?: \((.*)\))?", line)
        if night is None:
            continue
        next_day = (date.fromisoformat(day["date"]) + timedelta(days=1)).isoformat()
        start, end = _minutes(night[1]), _minutes(night[2])
        if "after midnight" in (night[3] or ""):
            expected.get(next_day, []).append([start, end])
        elif end > start:
            expected[day["date"]].append([start, end])
        else:
            expected[day["date"]].append([start, 1440])
            expected.get(next_day, []).append([0, end])
    drawn = shown().inside(
        "[...document.querySelectorAll('.timeline')[0].querySelectorAll('.day')].map((day) =>"
        " [...day.querySelectorAll('.lane.sleep')].map((bar) => ['--from', '--to'].map((one) =>"
        " Math.round(bar.style.getPropertyValue(one) * 1440))))"
    )
    still = [day["phase"] in {"preparation", "adaptation"} and " fly" not in str(day["items"]) for day in days]
    whole = [n for n in range(1, len(days)) if still[n] and still[n - 1]]
    assert len(whole) > 5
    assert any("after midnight" in line for _, line in lines)
    assert [sorted(drawn[n]) for n in whole] == [sorted(expected[days[n]["date"]]) for n in whole]


def test_the_way_is_drawn_from_take_off_to_landing_by_the_clock_of_each_day(shown):
    ways = shown().inside(
        "[...document.querySelectorAll('.timeline')[0].querySelectorAll('.lane.flight')].map((bar) =>"
        " ['--from', '--to'].map((one) => Math.round(bar.style.getPropertyValue(one) * 1440)))"
    )
    # 11 h 15 min in the air: 11:30 to 22:45 in Los Angeles, 04:30 to 15:45 in Tokyo; back from 17:00 to the next day in
    # Tokyo, midnight to 10:00 in Los Angeles.
    assert ways == [[690, 1365], [270, 945], [1020, 1440], [0, 600]]


def test_printed_it_shows_every_day_on_white(shown, plan):
    view = shown(theme="dark")
    view.page.media("dark", "print")
    assert view.inside("[...document.querySelectorAll('[role=tabpanel]')].every((one) => one.checkVisibility())")
    measured = view.measured()
    assert measured["paper"] == "rgb(255, 255, 255)"
    assert measured["faint"] == []


def _minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)
