"""The circadian pack: what it offers to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from packhorse import Example, Host, Pack, Scene, Tool, hookimpl
from packhorse_circadian.service import JetLagDesk
from packhorse_circadian.tools import CircadianTools

_LA_TO_TOKYO = {"origin_timezone": "America/Los_Angeles", "destination_timezone": "Asia/Tokyo"}
_FLIGHT_TO_TOKYO = {
    **_LA_TO_TOKYO,
    "departure_datetime": "2026-02-15T11:30",
    "arrival_datetime": "2026-02-16T15:45",
}

_PLACES = {"origin_timezone": "INVALID_TIMEZONE", "destination_timezone": "INVALID_TIMEZONE"}


def _tell(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    shift, plan = answers
    days = shift["estimated_days"]
    summary = plan["summary"]
    night = next(item for day in plan["days"] for item in day["items"] if item["type"] == "sleep")
    hours = f"{shift['raw_shift_hours']} hours by the map, {shift['optimal_shift_hours']} for the body"
    return [
        f"Los Angeles to Tokyo in February: {hours} ({shift['optimal_direction']}), {shift['difficulty']}.",
        f"About {days['with_interventions']} days with a plan, {days['without_interventions']} without.",
        f"The plan: {summary['total_days']} days. {summary['key_advice']}",
        f"First night: to bed at {night['time']} on {night['date']}, up at {night['until']['time']}.",
    ]


pack = Pack(
    title="Circadian",
    # The specification: 100 requests an hour from one address.
    limit_by_address="100/hour",
    demo=Scene(
        title="Will Tokyo hurt?",
        calls=(
            ("calculate_phase_shift", {**_LA_TO_TOKYO, "travel_date": "2026-02-15"}),
            ("get_adaptation_plan", _FLIGHT_TO_TOKYO),
        ),
        tell=_tell,
    ),
)


@hookimpl
def register_tools(host: Host) -> list[Tool]:
    """The quick estimate and the full plan."""
    tools = CircadianTools(JetLagDesk(host.clock))
    return [
        Tool(
            fn=tools.calculate_phase_shift,
            title="How hard is the time shift?",
            public=True,
            read_only=True,
            idempotent=True,
            refusals={**_PLACES, "travel_date": "INVALID_DATE"},
            examples=(
                Example(
                    {**_LA_TO_TOKYO, "travel_date": "2026-02-15"},
                    gives={
                        "raw_shift_hours": 17,
                        "raw_direction": "advance",
                        "optimal_shift_hours": 7,
                        "optimal_direction": "delay",
                        "difficulty": "hard",
                        "estimated_days": {"with_interventions": 5, "without_interventions": 8},
                    },
                ),
                Example(
                    {
                        "origin_timezone": "America/New_York",
                        "destination_timezone": "Asia/Kolkata",
                        "travel_date": "2026-07-20",
                    },
                    gives={"raw_shift_hours": 9.5, "optimal_shift_hours": 9.5, "optimal_direction": "advance"},
                ),
                Example(
                    {
                        "origin_timezone": "Pacific/Honolulu",
                        "destination_timezone": "Pacific/Kiritimati",
                        "travel_date": "2026-05-05",
                    },
                    gives={
                        "raw_shift_hours": 24,
                        "raw_direction": "advance",
                        "optimal_shift_hours": 0,
                        "optimal_direction": "none",
                        "difficulty": "easy",
                        "estimated_days": {"with_interventions": 0, "without_interventions": 0},
                    },
                ),
                Example(
                    {"origin_timezone": "Mars/Olympus", "destination_timezone": "Asia/Tokyo"},
                    refused="INVALID_TIMEZONE",
                ),
                Example(
                    {
                        "origin_timezone": "Asia/Tokyo",
                        "destination_timezone": "Europe/Paris",
                        "travel_date": "2026-02-30",
                    },
                    refused="INVALID_DATE",
                ),
            ),
        ),
        Tool(
            fn=tools.get_adaptation_plan,
            title="Jet-lag plan, day by day",
            public=True,
            read_only=True,
            idempotent=True,
            refusals={
                **_PLACES,
                "departure_datetime": "INVALID_DATETIME",
                "arrival_datetime": "INVALID_DATETIME",
                "prep_days": "INVALID_PREP_DAYS",
                "usual_wake_time": "INVALID_TIME",
                "usual_sleep_time": "INVALID_TIME",
                "interventions": "INVALID_INTERVENTIONS",
            },
            examples=(
                Example(
                    {
                        **_FLIGHT_TO_TOKYO,
                        "prep_days": 3,
                        "usual_wake_time": "07:00",
                        "usual_sleep_time": "23:00",
                        "interventions": {"melatonin": True, "caffeine": True},
                    },
                    gives={
                        "summary": {
                            "total_days": 8,
                            "prep_days": 3,
                            "post_arrival_days": 5,
                            "shift_direction": "delay",
                            "shift_hours": 7,
                            "key_advice": (
                                "Go to bed and get up 1 hour later each day from Feb 12 until you have moved 3 hours, "
                                "with bright light in the evening and none before 10:00, later each day; after "
                                "landing follow each day's light times, which move with your body clock."
                            ),
                        }
                    },
                ),
                Example(
                    {
                        "origin_timezone": "Europe/Paris",
                        "destination_timezone": "Europe/Berlin",
                        "departure_datetime": "2026-05-05T10:00",
                        "arrival_datetime": "2026-05-05T11:45",
                        "prep_days": 1,
                    },
                    gives={
                        "summary": {
                            "total_days": 2,
                            "prep_days": 1,
                            "post_arrival_days": 1,
                            "shift_direction": "none",
                            "shift_hours": 0,
                            "key_advice": (
                                "No body-clock shift to make: keep sleeping from 23:00 to 07:00 local time."
                            ),
                        }
                    },
                ),
                Example(
                    {
                        "origin_timezone": "Europe/London",
                        "destination_timezone": "America/New_York",
                        "departure_datetime": "2026-07-20T18:00",
                        "arrival_datetime": "2026-07-20T10:00",
                    },
                    refused="INVALID_FLIGHT",
                ),
                Example(
                    {
                        "origin_timezone": "America/New_York",
                        "destination_timezone": "Europe/London",
                        "departure_datetime": "2026-03-08T02:30",
                        "arrival_datetime": "2026-03-08T16:00",
                    },
                    refused="INVALID_DATETIME",
                ),
                Example({**_FLIGHT_TO_TOKYO, "usual_sleep_time": "07:00"}, refused="INVALID_SLEEP"),
            ),
        ),
    ]
