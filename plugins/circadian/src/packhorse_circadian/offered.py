"""What the pack offers, as data: every tool with its examples, and the demo."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from packhorse import Example, Prompt, Resource, Scene, Tool, View
from packhorse_circadian import prompts
from packhorse_circadian.resources import PlanPages
from packhorse_circadian.service import JetLagDesk
from packhorse_circadian.tools import CircadianTools

_LA_TO_TOKYO = {"origin_timezone": "America/Los_Angeles", "destination_timezone": "Asia/Tokyo"}
_FLIGHT_TO_TOKYO = {
    **_LA_TO_TOKYO,
    "departure_datetime": "2026-02-15T11:30",
    "arrival_datetime": "2026-02-16T15:45",
}
_LINE = "America/Los_Angeles 2026-02-15T11:30 > Asia/Tokyo 2026-02-16T15:45"
_LATE = "America/Los_Angeles 2026-02-15T11:30 > Asia/Tokyo 2026-02-16T21:45"

_PLACES = {"origin_timezone": "INVALID_TIMEZONE", "destination_timezone": "INVALID_TIMEZONE"}
_PLAN_REFUSALS = {
    **_PLACES,
    "departure_datetime": "INVALID_DATETIME",
    "arrival_datetime": "INVALID_DATETIME",
    "prep_days": "INVALID_PREP_DAYS",
    "usual_wake_time": "INVALID_TIME",
    "usual_sleep_time": "INVALID_TIME",
    "interventions": "INVALID_INTERVENTIONS",
}
_NOW_REFUSALS = {
    "trip": "INVALID_TRIP",
    "now_timezone": "INVALID_TIMEZONE",
    "now_datetime": "INVALID_DATETIME",
    "followed_until_datetime": "INVALID_DATETIME",
}
_NIGHT = "2027-02-15T23:00/2027-02-16T07:00"
_WEEK = [f"2027-02-{day:02}T23:00/2027-02-{day + 1:02}T07:00 sleep" for day in range(8, 15)]
_SHIFT_REFUSALS = {
    "shifts": "INVALID_SHIFTS",
    "timezone": "INVALID_TIMEZONE",
    "usual_sleep_time": "INVALID_TIME",
    "usual_wake_time": "INVALID_TIME",
}
_PLAN_VIEW = View(
    Path(__file__).with_name("views") / "plan.js",
    title="Your jet-lag plan",
    description="The adaptation plan as a timeline: sleep, light, naps and caffeine, day by day.",
    parts=("timeline", "chart"),
)

WORDS: Mapping[str, str] = {
    "calculate_phase_shift": (
        "time difference hours ahead behind forward fly east west abroad adjust recover severity "
        "tired days; how bad will my jet lag be, how long until I am used to Tokyo, will it hit me "
        "hard, when am I normal again\n"
        "rough hard bad week first move school vacation abroad zone zones hour body exhausted forward "
        "wreck acclimatise time change"
    ),
    "get_adaptation_plan": (
        "beat avoid get over jet lag trip travel prepare flying flight booked sunlight coffee pills "
        "beforehand itinerary arrive before after; I fly to London on Friday, when should I sleep, "
        "when do I take melatonin, we leave at six and land at nine\n"
        "routine honeymoon congress conference business holiday feel awful fresh rested zone change "
        "day by day landing leave depart bedtime wake"
    ),
    "compare_itineraries": (
        "stopover routes ways connection layover direct nonstop options better gentlest tiring "
        "airline via straight; should I fly via Dubai or direct, which flight is easier, choose "
        "between two flights\n"
        "change planes stop without stop one stop gate ticket book cheaper pick choose gentler "
        "exhausting shorter longer"
    ),
    "what_now": (
        "arrived landed airport hotel awake tonight sleepy nap lie down bed plane moment; should I "
        "sleep now, what should I do right now, it is three in the morning and I cannot sleep\n"
        "gate coffee caffeine half asleep yawning walk sun outside shower evening morning noon "
        "currently today first day check in checked in touched down"
    ),
    "replan": (
        "overslept slept badly delayed late skipped missed ignored did not follow changed cancelled "
        "update old advice wrong start over; I could not sleep on the plane, my flight was late, "
        "change my plan, I did not keep to it\n"
        "rebooked rescheduled cancelled postponed slipped tomorrow different flight instead forgot "
        "fell asleep too early took nap drank stayed up adapt again revise"
    ),
    "where_is_my_clock": (
        "phase chronotype diary watch tracker wearable steps sleep log low melatonin onset rhythm off night "
        "owl; is my body clock still on night shift, what time does my body think it is\n"
        "internal time circadian tracker data fitness adapted yet delayed advanced"
    ),
    "simulate_light_schedule": (
        "lux lamps exposure rhythm melatonin circadian; what do ten nights of bright "
        "light do\n"
        "dawn lamp glasses experiment laboratory clock shift temperature"
    ),
    "plan_for_shifts": (
        "night shifts rota roster shift worker nurse rotating late early tired at work sleep by day after "
        "nights; how do I survive a week of nights, when do I sleep between night shifts, I work nights from "
        "Monday\n"
        "hospital ward factory police on call drive home day off back to days bright lamp"
    ),
}
_TITLES = {
    "calculate_phase_shift": "How hard is the time shift?",
    "get_adaptation_plan": "Jet-lag plan, day by day",
    "compare_itineraries": "Which routing is easier?",
    "what_now": "What now? The next hours of a plan",
    "replan": "Plan again after days gone otherwise",
    "plan_for_shifts": "Sleep and light around shifts",
    "where_is_my_clock": "Where is my clock?",
    "simulate_light_schedule": "The body clock under a schedule of light",
}
_MORE: Mapping[str, Mapping[str, Any]] = {
    "calculate_phase_shift": {"idempotent": True, "refusals": {**_PLACES, "travel_date": "INVALID_DATE"}},
    "get_adaptation_plan": {"idempotent": True, "view": _PLAN_VIEW, "refusals": _PLAN_REFUSALS},
    "compare_itineraries": {"idempotent": True, "refusals": {"itineraries": "INVALID_ITINERARIES"}},
    "what_now": {"refusals": _NOW_REFUSALS},
    "replan": {"view": _PLAN_VIEW, "refusals": _NOW_REFUSALS},
    "plan_for_shifts": {"idempotent": True, "refusals": _SHIFT_REFUSALS},
    "where_is_my_clock": {
        "idempotent": True,
        "refusals": {"log": "INVALID_LOG", "timezone": "INVALID_TIMEZONE", "felt_worst": "INVALID_DATETIME"},
    },
    "simulate_light_schedule": {
        "idempotent": True,
        "level": "expert",
        "refusals": {"segments": "INVALID_PROTOCOL", "initial_state": "INVALID_PROTOCOL"},
    },
}
_EXAMPLES: Mapping[str, Sequence[Example]] = {
    "calculate_phase_shift": (
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
    "get_adaptation_plan": (
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
                        "Go to bed and get up 1 hour later each day from Feb 12 (bed at 00:00 and 01:00; at 00:30 the "
                        "last night, for the flight), with bright light in the evening and dim light in the morning "
                        "when the day says so; at the destination (when the day says so) keep light dim in the "
                        "morning and seek bright light in the evening."
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
                    "key_advice": ("No body-clock shift to make: keep sleeping from 23:00 to 07:00 local time."),
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
    "compare_itineraries": (
        Example({"itineraries": [f"direct: {_LINE}", f"late: {_LATE}"]}),
        Example({"itineraries": [f"direct: {_LINE}", f"direct: {_LATE}"]}, refused="INVALID_LABEL"),
    ),
    "what_now": (
        Example(
            {"trip": _LINE, "now_datetime": "2026-02-17T07:30"},
            gives={"place": "destination", "timezone": "Asia/Tokyo", "time": "07:30"},
        ),
        Example({"trip": _LINE, "now_timezone": "Mars/Olympus"}, refused="INVALID_TIMEZONE"),
        Example({"trip": "from Los Angeles to Tokyo in May"}, refused="INVALID_TRIP"),
    ),
    "replan": (
        Example(
            {
                "trip": _LINE,
                "now_datetime": "2026-02-18T09:00",
                "followed_until_datetime": "2026-02-16T16:00",
                "slept": ["2026-02-16T20:00/2026-02-17T02:00"],
            }
        ),
        Example(
            {"trip": _LINE, "now_datetime": "2026-02-18T09:00", "slept": ["2026-02-18T08:00/2026-02-18T12:00"]},
            refused="INVALID_DATETIME",
        ),
    ),
    "plan_for_shifts": (
        Example({"shifts": [_NIGHT], "timezone": "Europe/London"}, gives={"timezone": "Europe/London"}),
        Example({"shifts": [_NIGHT, _NIGHT], "timezone": "Europe/London"}, refused="INVALID_SHIFTS"),
    ),
    "where_is_my_clock": (
        Example({"log": _WEEK, "timezone": "Europe/London"}, gives={"hours_later_than_usual": 0}),
        Example({"log": _WEEK[:2], "timezone": "Europe/London"}, refused="INVALID_LOG"),
    ),
    "simulate_light_schedule": (
        Example(
            {"id": "two weeks at home", "segments": [{"days": 14, "lux": 1000, "on": 7, "off": 23}]},
            gives={"id": "two weeks at home", "cbtmin_clock": 4.376, "dlmo_clock": 21.376},
        ),
        Example(
            {"segments": [{"days": 14, "lux": 200, "on": 7, "off": 23}], "total_days": 15},
            refused="INVALID_PROTOCOL",
        ),
    ),
}


def tools(desk: JetLagDesk) -> list[Tool]:
    """The quick estimate, the full plan and what follows from it, and the laboratory."""
    offered = CircadianTools(desk)
    return [
        Tool(
            fn=getattr(offered, name),
            title=title,
            words=WORDS[name],
            examples=_EXAMPLES[name],
            public=True,
            read_only=True,
            **_MORE[name],
        )
        for name, title in _TITLES.items()
    ]


def resources(desk: JetLagDesk) -> list[Resource]:
    """A plan as files, at the addresses that its answer gives."""
    pages = PlanPages(desk)
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
    ] + [
        Resource(
            uri="circadian://shifts/{plan}/calendar.ics",
            fn=pages.shifts,
            name="Plan for shifts as a calendar",
            title="Plan for shifts as a calendar",
            mime_type="text/calendar",
            public=True,
            ttl=3600,
        )
    ]


def prompt_list() -> list[Prompt]:
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


def tell(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    """The demo in a few lines."""
    shift, plan = answers
    days = shift["estimated_days"]
    summary = plan["summary"]
    day, night = next((day, item) for day in plan["days"] for item in day["items"] if " sleep" in item)
    hours = f"{shift['raw_shift_hours']} hours by the map, {shift['optimal_shift_hours']} for the body"
    return [
        f"Los Angeles to Tokyo in February: {hours} ({shift['optimal_direction']}), {shift['difficulty']}.",
        f"About {days['with_interventions']} days with a plan, {days['without_interventions']} without.",
        f"The plan: {summary['total_days']} days. {summary['key_advice']}",
        f"First night, of {day['date']}: {night}.",
    ]


scene = Scene(
    title="Will Tokyo hurt?",
    calls=(
        ("calculate_phase_shift", {**_LA_TO_TOKYO, "travel_date": "2026-02-15"}),
        ("get_adaptation_plan", _FLIGHT_TO_TOKYO),
    ),
    tell=tell,
)
