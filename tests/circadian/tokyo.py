"""The page docs/circadian-tokyo.md, as a client of the pack tells it: `python tests/circadian/tokyo.py` writes it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import icalendar

import packhorse_circadian.pack
from packhorse.testing import client_for, fixed_clock

PAGE = Path(__file__).resolve().parents[2] / "docs" / "circadian-tokyo.md"

FLIGHTS = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "Asia/Tokyo",
    "departure_datetime": "2027-10-05T09:00",
    "arrival_datetime": "2027-10-06T17:00",
    "layovers": [
        {
            "timezone": "Pacific/Honolulu",
            "arrival_datetime": "2027-10-05T11:30",
            "departure_datetime": "2027-10-05T13:45",
        }
    ],
}
VIA_HONOLULU = (
    "America/Los_Angeles 2027-10-05T09:00 > Pacific/Honolulu 2027-10-05T11:30/2027-10-05T13:45 > "
    "Asia/Tokyo 2027-10-06T17:00"
)
DIRECT = "America/Los_Angeles 2027-10-05T12:50 > Asia/Tokyo 2027-10-06T15:55"
MISSED = {
    "now_datetime": "2027-10-08T07:00",
    "followed_until_datetime": "2027-10-06T17:00",
    "slept": [
        "2027-10-06T18:30/2027-10-07T01:00",
        "2027-10-07T14:00/2027-10-07T17:30",
        "2027-10-08T00:30/2027-10-08T06:30",
    ],
    "bright_light": ["2027-10-07T06:00/2027-10-07T08:00"],
}
INTRO = """# San Francisco to Tokyo by way of Honolulu, and a day that was missed

A trip with the [circadian pack](../plugins/circadian/README.md), as an assistant calls it for a traveller who sleeps
from 23:00 to 07:00. What was called is in brackets, what the traveller said is quoted; the rest are the pack's own
words and figures. The tests play it again and compare every line.
"""


async def told() -> str:
    """The whole page."""
    async with client_for(circadian=packhorse_circadian.pack, clock=fixed_clock("2027-09-20T12:00:00Z")) as client:

        async def call(tool: str, arguments: Mapping[str, Any]) -> Any:
            reply = await client.call_tool(tool, dict(arguments))
            assert not reply.is_error, reply.content
            return reply.structured_content

        shift = await call(
            "calculate_phase_shift",
            {name: FLIGHTS[name] for name in ("origin_timezone", "destination_timezone")}
            | {"travel_date": "2027-10-05"},
        )
        compared = await call(
            "compare_itineraries", {"itineraries": [f"via Honolulu: {VIA_HONOLULU}", f"direct: {DIRECT}"]}
        )
        plan = await call("get_adaptation_plan", {**FLIGHTS, "prep_days": 3, "detail": "full"})
        calendar = (await client.read_resource(plan["files"]["calendar"])).contents[0].text
        landed = await call("what_now", {"trip": plan["trip"], "now_datetime": "2027-10-06T17:45"})
        again = await call("replan", {"trip": plan["trip"], **MISSED, "detail": "full"})
        renewed = (await client.read_resource(again["plan"]["files"]["calendar"])).contents[0].text
    parts = [
        INTRO,
        "## How bad will it be?",
        "> I fly from San Francisco to Tokyo on October 5th.",
        f"[calculate_phase_shift] {shift['explanation']}",
        "## Which flight?",
        "> There is one by way of Honolulu, and a direct one at 12:50.",
        f"[compare_itineraries] {compared['explanation']}",
        _ways(compared),
        "## The plan",
        "> I have a ticket by way of Honolulu now. I can prepare for three days.",
        f"[get_adaptation_plan] {plan['summary']['key_advice']}",
        _days(plan["model_days"]),
        *_table(plan["days"]),
        *(f"- {note}" for note in plan["notes"]),
        f"*{plan['caution']}*",
        f"[read {_ending(plan['files']['calendar'])}] {_calendar(calendar)}",
        "## Just landed",
        "> I am off the plane. What now?",
        f"[what_now] {landed['advice']} By the model {landed['hours_left']:g} hours are left.",
        "## The day after next",
        (
            "> I did none of it. I fell asleep at half past six and was up at one, stood in bright sun from six to "
            "eight, slept from two to half past five, and then from half past midnight to half past six."
        ),
        f"[replan] {again['explanation']}",
        _days(again["plan"]["model_days"]),
        *_table(again["plan"]["days"]),
        f"[read {_ending(again['plan']['files']['calendar'])}] {_calendar(renewed)}",
    ]
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    text = ""
    for part in parts:
        # Lines of one list or table stand together.
        near = text.endswith(("|\n", "\n")) and part[:2] in {"| ", "- "} and text.splitlines()[-1][:2] == part[:2]
        text += f"{'' if near or not text else chr(10)}{part.rstrip()}\n"
    return text


def _ways(compared: Mapping[str, Any]) -> str:
    rows = ["| rank | way | days to adapt | hours | sleep on the way | first night |", "|---|---|---|---|---|---|"]
    for way in compared["itineraries"]:
        days = way["model_days"]
        rows.append(
            f"| {way['rank']} | {way['label']} | {days['low']} to {days['high']} | {way['journey_hours']:.3g} | "
            f"{way['sleep_aboard_hours']:.3g} h | {way['first_night_hours']:.3g} h |"
        )
    return "\n".join(rows)


def _days(days: Mapping[str, Any]) -> str:
    return (
        f"With the plan about {days['plan']} days ({days['low']} to {days['high']}), without it {days['no_plan']} "
        f"({days['no_plan_low']} to {days['no_plan_high']})."
    )


def _table(days: list[Mapping[str, Any]]) -> list[str]:
    rows = ["| date, by the clock in | left | what to do |", "|---|---|---|"]
    for day in days:
        items = [_item(item) for item in day["items"] if item["type"] != "wake"]
        rows.append(f"| {day['date']} {day['timezone']} | {day['hours_left']:g} h | {'; '.join(items) or 'nothing'} |")
    return ["\n".join(rows)]


def _item(item: Mapping[str, Any]) -> str:
    until = f"-{item['until']['time']}" if item["until"] else ""
    return f"{item['time']}{until} {item['title'][0].lower()}{item['title'][1:]}"


def _ending(address: str) -> str:
    return address.rpartition("/")[2]


def _calendar(text: str) -> str:
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    first, last = (events[n].start for n in (0, -1))
    return f"A calendar of {len(events)} events, from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC."


if __name__ == "__main__":
    PAGE.write_text(anyio.run(told), encoding="utf-8")
