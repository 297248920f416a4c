"""Routings compared, the present moment, plans made again, layovers, short stays and the way back."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.circadian.conftest import on_its_way

from packhorse import UserError
from packhorse_circadian.models import (
    AdaptationPlan,
    CompareQuestion,
    PlanQuestion,
    Replanned,
    ReplanQuestion,
    WhatNow,
    WhatNowQuestion,
)
from packhorse_circadian.service import JetLagDesk
from packhorse_circadian.tools import CircadianTools

TOOLS = CircadianTools(JetLagDesk(lambda: datetime(2026, 2, 16, 9, tzinfo=UTC)))
Flight = Callable[..., dict[str, Any]]
HONOLULU = {
    "timezone": "Pacific/Honolulu",
    "arrival_datetime": "2026-02-15T15:30",
    "departure_datetime": "2026-02-15T17:30",
}

pytestmark = pytest.mark.anyio


def asked(kind: Any, arguments: dict[str, Any]) -> Any:
    return kind.model_validate_json(json.dumps(arguments), strict=True)


async def now(flight: Flight, **changed: Any) -> WhatNow:
    return await TOOLS.what_now(asked(WhatNowQuestion, on_its_way(flight(**changed))))


async def plan(flight: Flight, **changed: Any) -> AdaptationPlan:
    return (await TOOLS.get_adaptation_plan(asked(PlanQuestion, {"detail": "full", **flight(**changed)}))).structured


def again(flight: Flight, **changed: Any) -> Replanned:
    return TOOLS.replan(asked(ReplanQuestion, on_its_way({"detail": "full", **flight(**changed)}))).structured


async def test_the_routing_that_keeps_a_night_whole_is_easier(flight: Flight) -> None:
    """Finding C11 i."""

    found = TOOLS.compare_itineraries(
        asked(
            CompareQuestion,
            {
                "itineraries": [
                    f"lands at night: {on_its_way(flight(arrival_datetime='2026-02-17T03:45'))['trip']}",
                    f"lands by day: {on_its_way(flight())['trip']}",
                ]
            },
        )
    )

    assert found.easiest == "lands by day"
    assert [way.rank for way in found.itineraries] == [1, 2]
    assert found.itineraries[0].journey_hours == 11.25
    assert "lands by day is the easiest" in found.explanation


async def test_itineraries_need_names_that_differ(flight: Flight) -> None:
    with pytest.raises(UserError) as refused:
        TOOLS.compare_itineraries(asked(CompareQuestion, {"itineraries": [f"A: {on_its_way(flight())['trip']}"] * 2}))

    assert refused.value.code == "INVALID_LABEL"


@pytest.mark.parametrize(
    ("moment", "zone", "place"),
    [
        pytest.param("2026-02-14T12:00", "America/Los_Angeles", "origin", id="at home"),
        pytest.param("2026-02-15T15:00", "America/Los_Angeles", "flight", id="on board"),
        pytest.param("2026-02-16T20:00", "Asia/Tokyo", "destination", id="landed"),
    ],
)
async def test_the_next_hours_are_told_by_the_clock_where_the_traveller_is(
    flight: Flight, moment: str, zone: str, place: str
) -> None:
    found = await now(flight, now_datetime=moment, now_timezone=zone, hours=24)

    assert (found.place, found.date, found.time) == (place, *moment.split("T"))
    assert found.timezone == ("Asia/Tokyo" if place == "destination" else "America/Los_Angeles")
    assert found.next
    assert all(item.utc > found.utc for item in found.next)
    assert all(item.utc <= found.utc < item.until.utc for item in found.doing if item.until)


async def test_without_a_moment_it_is_the_present_one(flight: Flight) -> None:
    assert (await now(flight)).utc == "2026-02-16T09:00:00Z"


async def test_after_the_plan_there_is_nothing_to_do(flight: Flight) -> None:
    found = await now(flight, now_datetime="2026-04-01T12:00")

    assert not found.doing
    assert not found.next
    assert "nothing" in found.advice


async def test_after_a_missed_day_the_plan_goes_on_from_where_the_body_clock_is(flight: Flight) -> None:
    found = again(
        flight,
        now_datetime="2026-02-18T09:00",
        followed_until_datetime="2026-02-16T16:00",
        slept=[
            {"start": "2026-02-16T20:00", "end": "2026-02-17T02:00"},
            {"start": "2026-02-17T23:00", "end": "2026-02-18T06:00"},
        ],
    )
    moments = [(item.until or item).utc for day in found.plan.days for item in day.items]

    assert found.hours_left > 1
    assert min(moments) > "2026-02-18T00:00:00Z"
    assert any(item.type == "bright_light" for day in found.plan.days for item in day.items)


async def test_a_plan_that_was_followed_is_kept(flight: Flight) -> None:
    found = again(flight, now_datetime="2026-02-17T09:00", followed_until_datetime="2026-02-17T09:00")

    assert found.kept_old_plan


async def test_a_plan_followed_until_this_moment_of_the_night_is_kept(flight: Flight) -> None:
    found = again(flight, now_datetime="2026-02-18T01:00", followed_until_datetime="2026-02-18T01:00")

    assert found.kept_old_plan


async def test_after_a_stay_on_home_hours_nothing_is_shifted_back(flight: Flight) -> None:
    back = {"departure_datetime": "2026-02-17T17:00", "arrival_datetime": "2026-02-17T09:30"}
    found = await plan(flight, return_flight=back)
    kinds = {item.type for day in found.days if day.phase == "return" for item in day.items}

    assert found.return_days is not None
    assert found.return_days.plan < 1
    assert not kinds & {"bright_light", "melatonin", "nap"}


async def test_at_a_stop_of_a_night_there_is_sleep_in_a_bed(flight: Flight) -> None:
    stop = {**HONOLULU, "departure_datetime": "2026-02-16T12:30"}
    found = await plan(flight, arrival_datetime="2026-02-17T16:45", layovers=[stop])
    slept = [item for day in found.days for item in day.items if item.title == "Sleep at the stop"]

    assert [item.type for item in slept] == ["in_flight_sleep"]
    assert slept[0].duration_minutes is not None
    assert slept[0].duration_minutes >= 420
    assert "by the clock there, Pacific/Honolulu" in slept[0].why


async def test_nights_that_move_leave_an_hour_before_work(flight: Flight) -> None:
    found = await plan(flight, work_hours={"start": "08:30", "end": "18:00"}, prep_days=0)
    days = [day for day in found.days if day.place == "destination"]
    ups = {item.time for day in days for item in day.items if item.type == "wake"}

    assert ups
    assert max(item.time for day in days for item in day.items if item.type == "wake") <= "07:30"


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        pytest.param("2026-01-05T16:00", "The plan begins on Feb 12, 07:00.", id="weeks before"),
        pytest.param("2026-08-10T16:00", "The plan ended on ", id="months after"),
        pytest.param("2026-02-15T22:30", "Asia/Tokyo time: ", id="on board, of what comes after landing"),
    ],
)
async def test_before_and_after_the_plan_and_on_board_it_says_when_and_by_which_clock(
    flight: Flight, moment: str, said: str
) -> None:
    found = await now(flight, now_timezone="America/Los_Angeles", now_datetime=moment)

    assert said in found.advice


async def test_a_flight_back_does_not_make_the_plan_slower_than_none(flight: Flight) -> None:
    stay = await plan(
        flight,
        origin_timezone="Australia/Sydney",
        destination_timezone="Asia/Kolkata",
        departure_datetime="2027-01-27T12:28",
        arrival_datetime="2027-01-29T01:59",
        layovers=[
            {
                "timezone": "Australia/Sydney",
                "arrival_datetime": "2027-01-28T01:09",
                "departure_datetime": "2027-01-28T07:29",
            }
        ],
        return_flight={"departure_datetime": "2027-02-03T01:58", "arrival_datetime": "2027-02-03T07:43"},
        bright_light_lux=2975,
        chronotype="owl",
    )

    assert stay.model_days.plan <= 4
    assert stay.model_days.plan < stay.model_days.no_plan


def test_while_the_clock_turns_over_no_melatonin_is_planned(flight: Flight) -> None:
    found = again(
        flight,
        origin_timezone="Atlantic/South_Georgia",
        destination_timezone="Pacific/Nauru",
        departure_datetime="1978-05-22T06:33",
        arrival_datetime="1978-05-23T00:28",
        usual_wake_time="05:30",
        usual_sleep_time="21:30",
        prep_days=1,
        interventions={"melatonin": True, "melatonin_dose": "3 mg", "naps": True, "exercise": True},
        bright_light_lux=10000,
        chronotype="owl",
        now_timezone="Etc/UTC",
        now_datetime="1978-05-20T19:09",
        followed_until_datetime="1978-05-20T19:09",
        slept=[
            {"start": "1978-05-19T23:09", "end": "1978-05-20T05:09"},
            {"start": "1978-05-20T12:09", "end": "1978-05-20T18:09"},
        ],
        bright_light=[{"start": "1978-05-20T06:09", "end": "1978-05-20T08:09"}],
    )
    days = found.plan.days
    lows = [datetime.fromisoformat(day.body_clock_low.utc) for day in days]
    jumps = [n for n in range(1, len(lows)) if abs(lows[n] - lows[n - 1] - timedelta(days=1)) > timedelta(hours=4)]
    assert any(days[n].phase == "adaptation" for n in jumps)
    for n in jumps:
        taken = [datetime.fromisoformat(item.utc) for item in days[n - 1].items if item.type == "melatonin"]
        assert not [at for at in taken if at > lows[n - 1]]


async def test_a_stay_too_short_to_adapt_moves_the_clock_as_far_as_it_can(flight: Flight) -> None:
    trip = {
        "origin_timezone": "America/New_York",
        "destination_timezone": "Asia/Singapore",
        "departure_datetime": "2026-12-05T10:30",
        "arrival_datetime": "2026-12-06T17:00",
        "prep_days": 0,
        "usual_wake_time": "07:00",
        "usual_sleep_time": "23:00",
        "return_flight": {"departure_datetime": "2026-12-12T10:00", "arrival_datetime": "2026-12-12T16:00"},
    }
    found = await plan(flight, **trip)

    # Eleven hours, and six days for them: by local hours and usual light alone five and a half are left.
    there = [day for day in found.days if day.place == "destination" and day.phase == "adaptation"]
    assert there[-1].hours_left <= 3.5
    assert found.model_days.plan <= 10


async def test_the_night_before_an_early_flight_back_begins_after_work(flight: Flight) -> None:
    found = await plan(
        flight,
        origin_timezone="Europe/London",
        destination_timezone="Europe/Paris",
        departure_datetime="2026-03-02T08:00",
        arrival_datetime="2026-03-02T12:00",
        return_flight={"departure_datetime": "2026-03-03T07:00", "arrival_datetime": "2026-03-03T07:15"},
        work_hours={"start": "20:00", "end": "22:30"},
        prep_days=0,
    )
    there = [item for day in found.days for item in day.items if item.type == "sleep" and item.date == "2026-03-02"]

    assert [(item.time, item.until and item.until.time) for item in there] == [("23:00", "04:00")]


async def test_work_in_the_usual_night_is_told(flight: Flight) -> None:
    found = await plan(flight, work_hours={"start": "22:00", "end": "06:00"})

    assert any("work fall into the nights" in note for note in found.notes)


async def test_light_ends_when_work_begins_to_the_minute(flight: Flight) -> None:
    found = await plan(flight, work_hours={"start": "08:58", "end": "17:40"}, prep_days=0)
    weekdays = [day for day in found.days if datetime.fromisoformat(day.date).weekday() < 5 and day.day > 1]
    lights = [item for day in weekdays for item in day.items if item.type in {"bright_light", "dim_light"}]

    assert not [item for item in lights if item.until and item.time < "17:40" and item.until.time > "08:58"]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"now_datetime": "2025-06-01T12:00"}, id="long before"),
        pytest.param({"now_datetime": "2026-06-01T12:00"}, id="long after"),
        pytest.param(
            {"destination_timezone": "America/Los_Angeles", "arrival_datetime": "2026-02-15T15:45"}, id="no shift"
        ),
    ],
)
async def test_where_there_is_nothing_to_plan_again_the_plan_is_kept(flight: Flight, changed: dict[str, str]) -> None:
    assert again(flight, **changed).kept_old_plan


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        pytest.param(
            {"followed_until_datetime": "2026-02-19T09:00"}, "must not be in the future", id="followed in the future"
        ),
        pytest.param(
            {"slept": [{"start": "2026-02-18T08:00", "end": "2026-02-18T12:00"}]},
            "not in the future",
            id="sleep to come",
        ),
        pytest.param(
            {"bright_light": [{"start": "2026-02-17T12:00", "end": "2026-02-17T09:00"}]},
            "hours after it starts",
            id="reversed",
        ),
    ],
)
async def test_what_was_done_lies_in_the_past(flight: Flight, changed: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        again(flight, now_datetime="2026-02-18T09:00", **changed)


async def test_a_layover_is_part_of_one_journey(flight: Flight) -> None:
    found = await plan(flight, arrival_datetime="2026-02-16T21:45", layovers=[HONOLULU])
    board = [item for day in found.days if day.place != "destination" for item in day.items]

    assert found.summary.shift_hours == 7
    assert all((item.until or item).utc <= "2026-02-15T16:30:00Z" or "flight" in item.type for item in board)


@pytest.mark.parametrize(
    ("stop", "says"),
    [
        pytest.param({"departure_datetime": "2026-02-15T15:40"}, "Layover 1 takes 10 minutes", id="too short"),
        pytest.param({"departure_datetime": "2026-02-17T15:40"}, "Layover 1 takes 48", id="too long"),
        pytest.param(
            {"arrival_datetime": "2026-02-15T05:30"}, "Flight 1 ends 4 hours before it begins", id="ends first"
        ),
    ],
)
async def test_a_journey_that_cannot_be_flown_is_refused(flight: Flight, stop: dict[str, str], says: str) -> None:
    with pytest.raises(UserError, match=says):
        await plan(flight, arrival_datetime="2026-02-16T21:45", layovers=[{**HONOLULU, **stop}])


async def test_a_way_back_of_a_day_and_more_with_stops_is_planned(flight: Flight) -> None:
    there = {"origin_timezone": "Europe/Berlin", "destination_timezone": "Pacific/Auckland"}
    out = {"departure_datetime": "2027-03-01T12:00", "arrival_datetime": "2027-03-02T23:30"}
    back = {"departure_datetime": "2027-03-15T10:00", "arrival_datetime": "2027-03-16T08:00"}
    found = await plan(flight, **there, **out, return_flight=back)
    aboard = [item for day in found.days for item in day.items if day.phase == "return" and "flight_sleep" in item.type]

    assert found.return_days is not None
    assert len(aboard) == 2


async def test_a_stay_of_two_nights_keeps_home_hours_and_says_what_the_others_cost(flight: Flight) -> None:
    """Finding C11 g."""

    back = {"departure_datetime": "2026-02-18T17:00", "arrival_datetime": "2026-02-18T09:30"}
    found = await plan(flight, return_flight=back)
    nights = [item for day in found.days if day.place == "destination" for item in day.items if item.type == "sleep"]

    assert found.summary.key_advice.startswith("Sleep by home hours, about 16:00 to 00:00 there (recommended")
    # 23:00 in Los Angeles is 16:00 in Tokyo.
    assert {night.time for night in nights} <= {"16:00", "17:15"}
    assert nights[-1].until
    assert nights[-1].until.time == "00:00"
    assert found.notes[0].startswith(
        "Recommended here: home hours. By simulation your body clock is an hour or more off your sleep on 1 morning"
    )
    assert "on 4 mornings with hours half way and on 8 mornings with local hours" in found.notes[0]


async def test_a_stay_of_ten_nights_is_slept_by_local_hours(flight: Flight) -> None:
    back = {"departure_datetime": "2026-02-26T17:00", "arrival_datetime": "2026-02-26T09:30"}
    found = await plan(flight, return_flight=back)
    nights = [
        item.time for day in found.days if day.place == "destination" for item in day.items if item.type == "sleep"
    ]

    # 23:00, and on the last days of the adaptation at most two hours from it.
    assert all(night >= "21:00" or night <= "01:00" for night in nights[-3:])


async def test_the_way_back_is_on_the_pages_of_the_same_plan(flight: Flight) -> None:
    """Finding C6: two plans for one morning, and no file of the second."""

    back = {"departure_datetime": "2026-02-26T17:00", "arrival_datetime": "2026-02-26T09:30"}
    found = await plan(flight, return_flight=back)
    home = [day for day in found.days if day.phase == "return"]

    assert home[0].date == "2026-02-26"
    assert home[-1].timezone == "America/Los_Angeles"
    assert {item.type for day in home for item in day.items} >= {"flight", "sleep", "bright_light"}
    assert found.return_days is not None
    assert (await plan(flight)).return_days is None


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        pytest.param(
            {"return_flight": {"departure_datetime": "2026-02-16T17:00", "arrival_datetime": "2026-02-16T12:00"}},
            "INVALID_FLIGHT",
            id="back before an hour is over",
        ),
        pytest.param({"work_hours": {"start": "09:00", "end": "09:00"}}, "INVALID_WORK_HOURS", id="no work"),
    ],
)
async def test_what_cannot_be_is_refused(flight: Flight, changed: dict[str, Any], code: str) -> None:
    with pytest.raises(UserError) as refused:
        await plan(flight, **changed)

    assert refused.value.code == code


async def test_at_work_no_light_is_asked_for(flight: Flight) -> None:
    found = await plan(flight, work_hours={"start": "08:00", "end": "18:00"}, prep_days=0)

    for day in found.days:
        for item in day.items:
            if item.type.endswith("light") and day.place == "destination" and item.until:
                at_work = datetime.fromisoformat(item.date).weekday() < 5
                assert not at_work or item.until.time <= "08:00" or item.time >= "18:00" or item.until.date > item.date


async def test_a_shift_that_outlasts_the_plan_is_planned_for(planned: Callable[..., AdaptationPlan]) -> None:
    found = planned(
        destination_timezone="Europe/London",
        departure_datetime="2027-09-14T08:00",
        arrival_datetime="2027-09-14T22:30",
        prep_days=0,
        usual_wake_time="07:00",
        usual_sleep_time="20:00",
        work_hours={"start": "20:00", "end": "00:00"},
        now=datetime(2027, 9, 1, tzinfo=UTC),
    )

    assert found.days


async def test_no_melatonin_is_planned_for_a_child(flight: Flight) -> None:
    types = {item.type for day in (await plan(flight, age=12)).days for item in day.items}

    assert "melatonin" not in types


async def test_exercise_is_planned_where_asked_in_bright_light(flight: Flight) -> None:
    items = [
        item
        for day in (await plan(flight, interventions={"exercise": True})).days
        for item in day.items
        if item.type in {"exercise", "bright_light"}
    ]
    bright = [item for item in items if item.type == "bright_light"]

    assert any(item.type == "exercise" for item in items)
    for item in items:
        assert any(block.utc <= item.utc for block in bright)


def test_of_a_short_flight_without_a_shift_one_day_may_be_left() -> None:
    there = {"origin_timezone": "Europe/Paris", "destination_timezone": "Europe/Paris", "prep_days": 0}
    times = {"departure_datetime": "2027-09-14T08:30", "arrival_datetime": "2027-09-14T20:00"}
    landed = {"now_datetime": "2027-09-14T21:00"}
    left = TOOLS.replan(asked(ReplanQuestion, on_its_way({**there, **times, **landed}))).structured

    assert len(left.plan.days) == 1
    assert left.hours_left == 0


def test_of_a_plan_that_is_over_no_day_is_handed_out_again(flight: Flight) -> None:
    over = TOOLS.replan(asked(ReplanQuestion, on_its_way(flight(now_datetime="2026-06-01T09:00")))).structured

    assert over.plan.days == []
    assert "All days of this plan are over" in over.explanation


async def test_an_early_flight_back_cuts_the_last_night_and_does_not_take_it(flight: Flight) -> None:
    back = {"departure_datetime": "2026-02-20T07:30", "arrival_datetime": "2026-02-20T00:15"}
    found = await plan(flight, return_flight=back)
    nights = [
        item for day in found.days for item in day.items if item.type == "sleep" and item.timezone == "Asia/Tokyo"
    ]

    assert nights[-1].until
    assert nights[-1].until.utc <= "2026-02-19T19:30:00Z"
    assert nights[-1].duration_minutes is not None
    assert nights[-1].duration_minutes >= 360


async def test_who_felt_worst_early_or_late_is_planned_for_as_such_a_clock(flight: Flight) -> None:
    lived = {"now_datetime": "2026-02-19T09:00", "followed_until_datetime": "2026-02-19T09:00"}
    early, late = (again(flight, **lived, felt_worst=f"2026-02-19T{at}").plan for at in ("01:00", "08:00"))

    assert early.days[0].body_clock_low.time <= "04:27" <= late.days[0].body_clock_low.time
    assert early.days[0].body_clock_low.time < late.days[0].body_clock_low.time
    assert early.model_days != late.model_days


async def test_on_a_day_s_trip_nobody_gets_up_again_after_landing(flight: Flight) -> None:
    found = await plan(
        flight,
        origin_timezone="Europe/London",
        destination_timezone="Europe/Paris",
        departure_datetime="2026-05-10T10:30",
        arrival_datetime="2026-05-10T12:45",
        prep_days=0,
        return_flight={"departure_datetime": "2026-05-10T20:00", "arrival_datetime": "2026-05-10T20:20"},
    )
    items = [item for day in found.days for item in day.items]

    assert [item.time for item in items if item.type == "wake"] == ["07:00"]
    assert all(item.time >= "12:45" for day in found.days if day.place == "destination" for item in day.items)


async def test_what_is_left_of_the_night_after_a_late_landing_is_slept_before_the_flight_back(flight: Flight) -> None:
    found = await plan(
        flight,
        origin_timezone="America/New_York",
        destination_timezone="Europe/London",
        departure_datetime="2026-05-10T12:30",
        arrival_datetime="2026-05-11T00:45",
        prep_days=0,
        return_flight={"departure_datetime": "2026-05-11T13:00", "arrival_datetime": "2026-05-11T16:20"},
    )
    there = [item for day in found.days if day.place == "destination" for item in day.items]

    assert [item.type for item in there[:2]] == ["sleep", "wake"]
    assert there[0].time == "02:15"
    assert there[0].until
    assert there[0].until.time == there[1].time
    assert [item.type for item in there].count("wake") == 1


async def test_a_night_worker_who_wants_nights_there_is_moved_to_them(flight: Flight) -> None:
    """Finding C8."""

    night_worker = {
        "origin_timezone": "America/New_York",
        "destination_timezone": "Europe/London",
        "departure_datetime": "2026-05-10T18:00",
        "arrival_datetime": "2026-05-11T06:00",
        "usual_sleep_time": "09:00",
        "usual_wake_time": "17:00",
    }
    wants = await plan(flight, **night_worker, destination_sleep_time="23:00", destination_wake_time="07:00")
    keeps = await plan(flight, **night_worker, destination_sleep_time="09:00", destination_wake_time="17:00")

    assert (wants.summary.shift_direction, wants.summary.shift_hours) == ("delay", 9)
    assert (keeps.summary.shift_direction, keeps.summary.shift_hours) == ("advance", 5)
    last = [item.time for day in wants.days for item in day.items if item.type == "sleep"][-1]
    assert last >= "21:00" or last <= "01:00"
