"""Where a clock stands by a log: what moves it, what is refused, and a plan from there."""

import sys
from pathlib import Path
from typing import Any

import pytest

from packhorse.testing import client_for, fixed_clock
from packhorse_circadian import pack

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

pytestmark = pytest.mark.anyio
NOW = fixed_clock("2027-03-01T00:00:00Z")
TRIP = "Europe/London 2027-02-10T10:00 > Asia/Tokyo 2027-02-11T08:00; prep 0"


def nights(bed: str, wake: str, first: int = 8, count: int = 7) -> list[str]:
    """Sleep from ``bed`` to ``wake`` each night, by the hours of the day; after midnight on the next date."""
    found = []
    for day in range(first, first + count):
        start = day if bed > "12:00" else day + 1
        found.append(f"2027-02-{start:02}T{bed}/2027-02-{day + 1:02}T{wake} sleep")
    return found


async def asked(**arguments: Any) -> Any:
    async with client_for(circadian=pack, clock=NOW) as client:
        return await client.call_tool("where_is_my_clock", {"timezone": "Europe/London", **arguments})


async def test_who_sleeps_as_usual_has_the_clock_where_it_usually_is() -> None:
    answer = (await asked(log=nights("23:00", "07:00"))).structured_content

    assert abs(answer["hours_later_than_usual"]) <= 0.5
    assert answer["low"][11:13] in {"03", "04", "05"}
    assert 2 <= answer["band_hours"] <= 5


async def test_a_week_of_late_nights_puts_the_clock_later() -> None:
    answer = (await asked(log=nights("02:00", "10:00"))).structured_content

    assert answer["hours_later_than_usual"] >= 1


async def test_reports_of_the_worst_hour_narrow_the_band() -> None:
    worked = nights("23:00", "07:00", count=4) + [
        f"2027-02-{day}T08:30/2027-02-{day}T15:30 sleep" for day in (13, 14, 15, 16)
    ]
    alone = (await asked(log=worked)).structured_content
    told = (await asked(log=worked, felt_worst=["2027-02-15T07:30", "2027-02-16T08:00"])).structured_content

    assert told["band_hours"] < alone["band_hours"]


async def test_steps_say_when_somebody_slept() -> None:
    still = [line.replace("sleep", "0 steps") for line in nights("02:00", "10:00")]

    assert (await asked(log=still)).structured_content == (await asked(log=nights("02:00", "10:00"))).structured_content


@pytest.mark.parametrize(
    ("changed", "code", "said"),
    [
        ({"log": nights("23:00", "07:00")[:2]}, "INVALID_LOG", "Give the last 5 to 28 days"),
        ({"log": [*nights("23:00", "07:00", 1, 3), *nights("23:00", "07:00", 8, 3)]}, "INVALID_LOG", "48 hours"),
        ({"log": [*nights("23:00", "07:00"), "2027-02-10T06:00/2027-02-10T09:00 sleep"]}, "INVALID_LOG", "overlap"),
        ({"log": ["2027-02-10T06:00/2027-02-10T05:00 sleep"]}, "INVALID_LOG", "hours after it starts"),
        ({"timezone": "Mars/Olympus"}, "INVALID_TIMEZONE", "timezone"),
        ({"felt_worst": ["2027-05-01T05:00"]}, "INVALID_LOG", "outside the days of the log"),
        ({"usual_sleep_time": "07:00"}, "INVALID_SLEEP", "4 to 12 hours"),
    ],
)
async def test_what_is_no_log_is_refused_with_its_limit(changed: dict[str, Any], code: str, said: str) -> None:
    reply = await asked(**{"log": nights("23:00", "07:00"), **changed})

    assert reply.is_error
    assert (reply.meta or {})["packhorse/error"]["code"] == code
    assert said in reply.content[0].text


async def test_a_trip_is_planned_again_from_where_the_log_finds_the_clock() -> None:
    async with client_for(circadian=pack, clock=NOW) as client:

        async def again(**changed: Any) -> Any:
            reply = await client.call_tool("replan", {"trip": TRIP, "now_datetime": "2027-02-13T08:00", **changed})
            assert not reply.is_error, reply.content
            return reply.structured_content

        there = await again(clock_low="2027-02-13T03:30/2027-02-13T05:30")
        behind = await again(clock_low="2027-02-13T10:00/2027-02-13T13:00")

    assert there["hours_left"] <= 1
    assert 5 <= behind["hours_left"] <= 9
    assert behind["plan"]["model_days"]["plan"] > there["plan"]["model_days"]["plan"]


async def test_a_low_far_from_now_is_refused() -> None:
    async with client_for(circadian=pack, clock=NOW) as client:
        reply = await client.call_tool(
            "replan",
            {"trip": TRIP, "now_datetime": "2027-02-13T08:00", "clock_low": "2027-02-03T03:30/2027-02-03T05:30"},
        )

    assert reply.is_error
    assert "clock_low" in reply.content[0].text


@pytest.mark.slow
def test_simulated_people_have_their_low_within_the_band() -> None:
    from circadian_clock import KINDS, judged, people

    found = [judged(log, truth) for kind in KINDS for log, _, truth in people(kind, 10)]

    assert sum(inside for inside, _, _ in found) / len(found) >= 0.85
    assert sum(error for _, error, _ in found) / len(found) <= 1.6


def test_the_band_is_on_the_circle() -> None:
    from packhorse_circadian.domain.clock_log import _on_the_circle

    low, first, last = _on_the_circle([(23.0 + k / 10, 1.0) for k in range(20)] + [(0.5, 1.0)] * 3, 24.0)

    assert first < low < last
    assert last - first < 3
    assert abs(low - 24) < 1
