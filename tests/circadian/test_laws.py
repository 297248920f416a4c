"""Random journeys, of every kind that can be asked about, put to every law.

PACKHORSE_CIRCADIAN_TRIPS=10000 makes as many; without it they are few, and always the same.
"""

import json
import os
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import anyio
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from tests.circadian.conftest import on_its_way

from journey_laws import DAY, HOUR, check, check_now, check_rest, journey_of
from packhorse_circadian import convert
from packhorse_circadian.models import PlanQuestion, ReplanQuestion, WhatNowQuestion
from packhorse_circadian.service import JetLagDesk
from packhorse_circadian.tools import CircadianTools

# Both directions, half and quarter hours, both sides of the date line, clock
# changes of an hour and of half an hour, and zones that left out a date.
PLACES = [
    "America/Los_Angeles",
    "America/New_York",
    "America/St_Johns",
    "America/Sao_Paulo",
    "Atlantic/Azores",
    "Europe/London",
    "Europe/Berlin",
    "Africa/Casablanca",
    "Africa/Johannesburg",
    "Asia/Tehran",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Australia/Eucla",
    "Australia/Lord_Howe",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Pacific/Honolulu",
    "Pacific/Marquesas",
    "Etc/GMT+12",
]
EVERYWHERE = sorted(available_timezones() - {"localtime", "posixrules", "Factory"})
CHANGES = [  # nights around which clocks change somewhere
    date(2026, 3, 8),
    date(2026, 3, 29),
    date(2026, 4, 5),
    date(2026, 9, 27),
    date(2026, 10, 4),
    date(2026, 10, 25),
    date(2026, 11, 1),
]
ASKED = os.environ.get("PACKHORSE_CIRCADIAN_TRIPS")
TOOLS = CircadianTools(JetLagDesk(lambda: datetime(1970, 1, 1, tzinfo=UTC)))
Question = dict[str, Any]

near_changes = st.builds(lambda day, n: day + n * DAY, st.sampled_from(CHANGES), st.integers(-9, 9))
any_day = st.dates(date(1973, 1, 10), date(2037, 10, 15))
minutes_of_day = st.integers(0, 24 * 60 - 1)
flown = st.one_of(st.integers(4 * 60, 16 * 60), st.integers(15, 24 * 60), st.sampled_from([15, 16, 24 * 60]))
stops = st.one_of(st.integers(45, 6 * 60), st.integers(15, 24 * 60), st.sampled_from([15, 24 * 60]))
places = st.one_of(st.sampled_from(PLACES), st.sampled_from(PLACES), st.sampled_from(EVERYWHERE))


def wall(at: datetime, zone: str) -> str:
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M}"


def clock(minute: int) -> str:
    return f"{minute // 60 % 24:02}:{minute % 60:02}"


@st.composite
def interventions(draw: st.DrawFn) -> Question:
    return {
        "melatonin": draw(st.booleans()),
        "caffeine": draw(st.booleans()),
        "melatonin_dose": draw(st.sampled_from(["0.5 mg", "3 mg"])),
        "caffeine_mg": draw(st.one_of(st.none(), st.integers(20, 400))),
        "caffeine_half_life_hours": draw(st.one_of(st.just(5), st.integers(2, 16))),
        "naps": draw(st.booleans()),
        "exercise": draw(st.booleans()),
    }


@st.composite
def journeys(draw: st.DrawFn) -> Question:
    """A question that any client may ask."""
    origin, destination = draw(places), draw(places)
    day, minute = draw(st.one_of(near_changes, any_day)), draw(minutes_of_day)
    at = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=UTC)
    found: Question = {
        "origin_timezone": origin,
        "destination_timezone": destination,
        "departure_datetime": wall(at, origin),
    }
    layovers = []
    at += timedelta(minutes=draw(flown))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3]))):
        stop = draw(places)
        landed = wall(at, stop)
        at += timedelta(minutes=draw(stops))
        layovers.append({"timezone": stop, "arrival_datetime": landed, "departure_datetime": wall(at, stop)})
        at += timedelta(minutes=draw(flown))
    found["arrival_datetime"] = wall(at, destination)
    found["layovers"] = layovers
    if draw(st.sampled_from([False, False, True])):
        leaves = at + timedelta(minutes=draw(st.one_of(st.integers(6 * 60, 5 * 24 * 60), st.integers(360, 30_000))))
        lands = leaves + timedelta(minutes=draw(flown))
        found["return_flight"] = {
            "departure_datetime": wall(leaves, destination),
            "arrival_datetime": wall(lands, origin),
        }
    if draw(st.sampled_from([False, False, True])):
        start = draw(st.one_of(st.sampled_from([480, 540, 1200, 1320]), minutes_of_day))
        found["work_hours"] = {"start": clock(start), "end": clock(start + draw(st.integers(60, 16 * 60)))}
    wake = draw(st.one_of(st.sampled_from([330, 420, 555]), minutes_of_day))
    asleep = draw(st.one_of(st.just(480), st.integers(4 * 60, 12 * 60)))
    return {
        **found,
        "usual_wake_time": clock(wake),
        "usual_sleep_time": clock(wake - asleep + 24 * 60),
        "prep_days": draw(st.integers(0, 7)),
        "interventions": draw(interventions()),
        "bright_light_lux": draw(st.one_of(st.sampled_from([1000, 10_000]), st.integers(200, 10_000))),
        "chronotype": draw(st.sampled_from(["lark", "neither", "owl"])),
        "age": draw(st.one_of(st.none(), st.integers(1, 110))),
    }


def asked(kind: Any, question: Question) -> Any:
    return kind.model_validate_json(json.dumps(question), strict=True)


def answer(question: Question) -> dict[str, Any]:
    """The plan as a client gets it."""
    plan = TOOLS.desk.plan(convert.trip_from(asked(PlanQuestion, question)))
    reply = convert.adaptation_plan_from(plan, asked_prep_days=question["prep_days"])
    found: dict[str, Any] = json.loads(reply.model_dump_json())
    return found


# A plan is a search of a tenth of a second: a failing trip is shown as it was found, not made smaller.
several = settings(
    max_examples=int(ASKED or 30),
    derandomize=not os.environ.get("PACKHORSE_FUZZ_EXPLORE"),
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


# Found by a run of 10,000: each hour added for a lark who leaves in the night would have cost a morning.
AT_NIGHT: Question = {
    "origin_timezone": "Indian/Reunion",
    "destination_timezone": "Europe/London",
    "departure_datetime": "2026-03-24T03:59",
    "arrival_datetime": "2026-03-24T23:59",
    "layovers": [],
    "usual_wake_time": "07:40",
    "usual_sleep_time": "23:40",
    "prep_days": 1,
    "interventions": {"melatonin": True, "caffeine": True, "melatonin_dose": "3 mg", "caffeine_mg": 365,
                      "caffeine_half_life_hours": 11, "naps": True, "exercise": True},
    "bright_light_lux": 9123,
    "chronotype": "lark",
    "age": 15,
}  # fmt: skip

# A row whose search left a window worth less than a tenth of a day.
WORTH_LITTLE: Question = {
    "origin_timezone": "Australia/Lord_Howe",
    "destination_timezone": "Asia/Singapore",
    "departure_datetime": "2026-10-28T14:15",
    "arrival_datetime": "2026-10-29T11:32",
    "layovers": [
        {
            "timezone": "Africa/Johannesburg",
            "arrival_datetime": "2026-10-28T10:54",
            "departure_datetime": "2026-10-29T00:41",
        }
    ],
    "usual_wake_time": "09:11",
    "usual_sleep_time": "01:11",
    "prep_days": 6,
    "interventions": {"melatonin": True, "caffeine": False, "naps": True, "exercise": True},
    "bright_light_lux": 491,
}

# Four hours a night at home, and seven in the plan.
SHORT_NIGHTS: Question = {
    "origin_timezone": "Asia/Singapore",
    "destination_timezone": "Pacific/Honolulu",
    "departure_datetime": "2023-04-19T14:57",
    "arrival_datetime": "2023-04-19T20:57",
    "layovers": [],
    "usual_wake_time": "05:30",
    "usual_sleep_time": "01:30",
    "prep_days": 0,
    "interventions": {"melatonin": False, "caffeine": True, "naps": True, "exercise": True},
    "bright_light_lux": 10_000,
    "age": 82,
}

# There and back within one zone, and away for some hours of the day.
WITHIN_A_ZONE: Question = {
    "origin_timezone": "America/Mendoza",
    "destination_timezone": "America/Mendoza",
    "departure_datetime": "2026-10-04T16:45",
    "arrival_datetime": "2026-10-05T06:18",
    "layovers": [],
    "return_flight": {"departure_datetime": "2026-10-05T15:20", "arrival_datetime": "2026-10-06T05:46"},
    "usual_wake_time": "05:30",
    "usual_sleep_time": "00:58",
    "prep_days": 0,
    "interventions": {"melatonin": True, "caffeine": True, "naps": False, "exercise": False},
    "bright_light_lux": 1000,
}

# Two sleeps within a day: the evening's before a flight at night, and the one on board.
TWO_SLEEPS: Question = {
    "origin_timezone": "Asia/Kathmandu",
    "destination_timezone": "Pacific/Auckland",
    "departure_datetime": "2027-04-03T23:30",
    "arrival_datetime": "2027-04-04T20:10",
    "layovers": [],
    "usual_wake_time": "06:30",
    "usual_sleep_time": "22:30",
    "prep_days": 2,
    "interventions": {"melatonin": True, "caffeine": True, "naps": True, "exercise": True},
    "age": 70,
}


@several
@example(question=AT_NIGHT)
@example(question=TWO_SLEEPS)
@example(question=WORTH_LITTLE)
@example(question=SHORT_NIGHTS)
@example(question=WITHIN_A_ZONE)
@given(question=journeys())
def test_every_plan_keeps_every_law(question: Question) -> None:
    check(journey_of(question), answer(question))


@settings(several, max_examples=max(10, int(ASKED or 0) // 5))
@given(question=journeys(), data=st.data())
def test_what_is_left_of_a_plan_keeps_them_too(question: Question, data: st.DataObject) -> None:
    journey = journey_of(question)
    begin = journey.departure - (journey.prep_days + 1) * DAY
    moment = st.integers(0, int((journey.arrival + 12 * DAY - begin) / timedelta(minutes=1)))
    now, followed = (begin + timedelta(minutes=data.draw(moment)) for _ in range(2))
    told = {
        **question,
        "now_timezone": "Etc/UTC",
        "now_datetime": wall(now, "Etc/UTC"),
        "followed_until_datetime": wall(min(followed, now), "Etc/UTC"),
    }
    if data.draw(st.booleans()):
        told["slept"] = [
            {"start": wall(at, "Etc/UTC"), "end": wall(at + 6 * HOUR, "Etc/UTC")}
            for at in (now - 20 * HOUR, now - 7 * HOUR)
        ]
        told["bright_light"] = [{"start": wall(now - 13 * HOUR, "Etc/UTC"), "end": wall(now - 11 * HOUR, "Etc/UTC")}]

    reply = TOOLS.replan(asked(ReplanQuestion, on_its_way({**told, "detail": "full"}))).structured.model_dump(
        mode="json"
    )

    check_rest(journey, now, reply)


@settings(several, max_examples=3)
@given(question=journeys())
def test_the_next_hours_are_the_plan_s_own(question: Question) -> None:
    anyio.run(_next_hours, question)


async def _next_hours(question: Question) -> None:
    journey, plan = journey_of(question), answer(question)
    for now in (journey.departure - 20 * HOUR, journey.departure, journey.arrival, journey.arrival + 30 * HOUR):
        told = {**question, "now_timezone": "Etc/UTC", "now_datetime": wall(now, "Etc/UTC"), "hours": 12}
        reply = await TOOLS.what_now(asked(WhatNowQuestion, on_its_way(told)))
        check_now(journey, now, 12, reply.model_dump(mode="json"), plan)


@settings(several, max_examples=6)
@given(question=journeys())
def test_the_same_trip_gives_the_same_plan(question: Question) -> None:
    assert answer(question) == answer(question)


@pytest.mark.parametrize("place", ["Pacific/Apia", "Pacific/Fakaofo"])
def test_a_date_that_a_zone_left_out_has_a_page_and_no_orders(place: str) -> None:
    found = answer(
        {
            "origin_timezone": "Europe/London",
            "destination_timezone": place,
            "departure_datetime": "2011-12-28T20:00",
            "arrival_datetime": wall(datetime(2011, 12, 29, 16, tzinfo=UTC), place),
            "prep_days": 3,
        }
    )
    skipped = [day for day in found["days"] if day["date"] == "2011-12-30"]

    assert len(skipped) == 1
    assert not skipped[0]["items"]


def test_a_day_s_trip_has_both_flights() -> None:
    there = {"departure_datetime": "2027-05-23T08:00", "arrival_datetime": "2027-05-23T10:20"}
    back = {"departure_datetime": "2027-05-23T19:00", "arrival_datetime": "2027-05-23T19:20"}
    places = {"origin_timezone": "Europe/London", "destination_timezone": "Europe/Paris"}
    found = answer({**WITHIN_A_ZONE, **places, **there, "return_flight": back})
    flights = [
        (item["time"], day["place"]) for day in found["days"] for item in day["items"] if item["type"] == "flight"
    ]
    assert flights == [("08:00", "origin"), ("19:00", "destination")]
