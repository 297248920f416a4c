"""The circadian pack: what it offers to the host."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packhorse import Example, Host, Pack, Prompt, Resource, Scene, Tool, View, hookimpl
from packhorse_circadian import prompts
from packhorse_circadian.resources import PlanPages
from packhorse_circadian.service import JetLagDesk
from packhorse_circadian.tools import CircadianTools

if TYPE_CHECKING:
    import click

_LA_TO_TOKYO = {"origin_timezone": "America/Los_Angeles", "destination_timezone": "Asia/Tokyo"}
_FLIGHT_TO_TOKYO = {
    **_LA_TO_TOKYO,
    "departure_datetime": "2026-02-15T11:30",
    "arrival_datetime": "2026-02-16T15:45",
}

_PLACES = {"origin_timezone": "INVALID_TIMEZONE", "destination_timezone": "INVALID_TIMEZONE"}

_PLAN_VIEW = View(
    Path(__file__).with_name("views") / "plan.js",
    title="Your jet-lag plan",
    description="The adaptation plan as a timeline: sleep, light, naps and caffeine, day by day.",
    parts=("timeline", "chart"),
)

_PLAN_REFUSALS = {
    **_PLACES,
    "departure_datetime": "INVALID_DATETIME",
    "arrival_datetime": "INVALID_DATETIME",
    "prep_days": "INVALID_PREP_DAYS",
    "usual_wake_time": "INVALID_TIME",
    "usual_sleep_time": "INVALID_TIME",
    "interventions": "INVALID_INTERVENTIONS",
    "now_timezone": "INVALID_TIMEZONE",
    "now_datetime": "INVALID_DATETIME",
    "followed_until_datetime": "INVALID_DATETIME",
}


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
    instructions="Jet lag. A question without flight times: calculate_phase_shift. With them: get_adaptation_plan, then"
    " what_now and replan on the way. Always pass the caution on.",
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
    """The quick estimate, the full plan and what follows from it, and the laboratory."""
    tools = CircadianTools(JetLagDesk(host.clock))
    return [
        Tool(
            fn=tools.calculate_phase_shift,
            words=(
                "time difference, hours ahead, severity, fly, east, west, abroad, adjust, recover, clocks, "
                "quick, days, difference; how bad will my jet lag be, how long until I am used to Tokyo, will I "
                "be tired after the flight"
            ),
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
            words=(
                "beat jet lag, trip, travel, prepare, flying, when to sleep, sunlight, coffee, pills, before and "
                "after the flight, sleep, light, schedule, itinerary, arrive; I fly to London on Friday, when do "
                "I take melatonin, how do I avoid jet lag"
            ),
            title="Jet-lag plan, day by day",
            view=_PLAN_VIEW,
            public=True,
            read_only=True,
            idempotent=True,
            refusals=_PLAN_REFUSALS,
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
                                "landing seek bright light and avoid light when each day says: the right hours move "
                                "with your body clock."
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
        Tool(
            fn=tools.compare_itineraries,
            words=(
                "stopover, routes, connection, layover, direct, nonstop, options, better, tiring, airline, via, "
                "straight, which; should I fly via Dubai or direct, which flight is easier, choose between two "
                "flights"
            ),
            title="Which routing is easier?",
            public=True,
            read_only=True,
            idempotent=True,
            refusals={"itineraries": "INVALID_ITINERARIES"},
            examples=(
                Example(
                    {
                        "itineraries": [
                            {**_FLIGHT_TO_TOKYO, "label": "direct"},
                            {**_FLIGHT_TO_TOKYO, "arrival_datetime": "2026-02-16T21:45", "label": "late"},
                        ]
                    },
                ),
                Example(
                    {
                        "itineraries": [
                            {**_FLIGHT_TO_TOKYO, "label": "direct"},
                            {**_FLIGHT_TO_TOKYO, "label": "direct"},
                        ]
                    },
                    refused="INVALID_LABEL",
                ),
            ),
        ),
        Tool(
            fn=tools.what_now,
            words=(
                "arrived, landed, airport, hotel, awake, wide awake, tonight, sleepy, nap, just, plane, next "
                "hours, moment; should I sleep now, what should I do right now, I am here and cannot sleep"
            ),
            title="What now? The next hours of a plan",
            public=True,
            read_only=True,
            refusals=_PLAN_REFUSALS,
            examples=(
                Example(
                    {**_FLIGHT_TO_TOKYO, "now_datetime": "2026-02-17T07:30"},
                    gives={"place": "destination", "timezone": "Asia/Tokyo", "time": "07:30"},
                ),
                Example({**_FLIGHT_TO_TOKYO, "now_timezone": "Mars/Olympus"}, refused="INVALID_TIMEZONE"),
            ),
        ),
        Tool(
            fn=tools.replan,
            words=(
                "overslept, slept badly, delayed, skipped, missed, did not follow, changed, update, adjust, "
                "afternoon, new plan, wrong, again; I could not sleep on the plane, my flight was late, change "
                "my plan"
            ),
            title="Plan again after days gone otherwise",
            view=_PLAN_VIEW,
            public=True,
            read_only=True,
            refusals=_PLAN_REFUSALS,
            examples=(
                Example(
                    {
                        **_FLIGHT_TO_TOKYO,
                        "now_datetime": "2026-02-18T09:00",
                        "followed_until_datetime": "2026-02-16T16:00",
                        "slept": [{"start": "2026-02-16T20:00", "end": "2026-02-17T02:00"}],
                    },
                ),
                Example(
                    {
                        **_FLIGHT_TO_TOKYO,
                        "now_datetime": "2026-02-18T09:00",
                        "slept": [{"start": "2026-02-18T08:00", "end": "2026-02-18T12:00"}],
                    },
                    refused="INVALID_DATETIME",
                ),
            ),
        ),
        Tool(
            fn=tools.simulate_light_schedule,
            level="expert",  # asked for a few times a year, by people who study light itself
            words="night shift, shift work, lux, exposure, rhythm; what do ten nights of bright light do",
            title="The body clock under a schedule of light",
            public=True,
            read_only=True,
            idempotent=True,
            refusals={"segments": "INVALID_PROTOCOL", "initial_state": "INVALID_PROTOCOL"},
            examples=(
                Example(
                    {"id": "two weeks at home", "segments": [{"days": 14, "lux": 1000, "on": 7, "off": 23}]},
                    gives={"id": "two weeks at home", "cbtmin_clock": 4.376, "dlmo_clock": 21.376},
                ),
                Example(
                    {"segments": [{"days": 14, "lux": 200, "on": 7, "off": 23}], "total_days": 15},
                    refused="INVALID_PROTOCOL",
                ),
            ),
        ),
    ]


@hookimpl
def register_commands(host: Host) -> list["click.Command"]:
    """``packhorse circadian simulate FILE``."""
    from packhorse_circadian.commands import simulate_command  # serving needs no terminal

    return [simulate_command(JetLagDesk(host.clock))]


@hookimpl
def register_resources(host: Host) -> list[Resource]:
    """A plan as files, at the addresses that its answer gives."""
    pages = PlanPages(JetLagDesk(host.clock))
    return [
        Resource(
            uri=f"circadian://plans/{{plan}}/{name}",
            fn=fn,
            name=title,
            title=title,
            mime_type=kind,
            public=True,
            ttl=3600,
        )
        for name, fn, title, kind in (
            ("calendar.ics", pages.calendar, "Plan as a calendar", "text/calendar"),
            ("actogram-light.svg", pages.picture, "Plan as a picture", "image/svg+xml"),
            ("actogram-dark.svg", pages.picture_dark, "Plan as a picture on black", "image/svg+xml"),
            ("page.html", pages.page, "Plan as a page to print", "text/html"),
        )
    ]


@hookimpl
def register_prompts(host: Host) -> list[Prompt]:
    """Plan a trip, just landed, which flight."""
    places = {"origin": "Where you start, a city or airport.", "destination": "Where you are going."}
    return [
        Prompt(
            fn=prompts.plan_a_trip,
            title="Plan a trip",
            public=True,
            arguments={**places, "flights": "Flights with local times, if known."},
        ),
        Prompt(
            fn=prompts.i_just_landed,
            title="I just landed",
            public=True,
            arguments={"destination": "Where you landed.", "flight": "Where it left and when, if known."},
        ),
        Prompt(
            fn=prompts.which_flight,
            title="Which flight?",
            public=True,
            arguments={**places, "options": "The routings with their times, if known."},
        ),
    ]
