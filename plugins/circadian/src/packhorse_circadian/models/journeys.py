"""Which routing, what to do now, and what after a day gone wrong."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from packhorse_circadian.models.plan import AdaptationPlan, Item, ModelDays, Moment, PlanDay
from packhorse_circadian.models.question import PlanQuestion
from packhorse_circadian.models.words import ClockTime, Exact, Instant, Minute, Way, Zone


class Itinerary(PlanQuestion):
    """One way to travel."""

    label: str = Field(min_length=1, max_length=60, description="A name to tell it by.", examples=["via Dubai"])


def _way(label: str, arrival: str, **more: str) -> dict[str, str]:
    return {
        "label": label,
        "origin_timezone": "America/Los_Angeles",
        "destination_timezone": "Asia/Tokyo",
        "departure_datetime": "2027-09-14T11:30",
        "arrival_datetime": arrival,
        **more,
    }


_WAYS = [
    [_way("by day", "2027-09-15T15:45"), _way("slow", "2027-09-15T21:45")],
    [_way("by day", "2027-09-15T15:45"), _way("by night", "2027-09-16T05:30", departure_datetime="2027-09-14T23:55")],
]


class CompareQuestion(Exact):
    """Two to four ways to travel."""

    itineraries: list[Itinerary] = Field(
        min_length=2, max_length=4, description="Each as for get_adaptation_plan.", examples=_WAYS
    )


class Compared(Exact):
    """How one of them treats the traveller."""

    label: str
    rank: int = Field(ge=1, le=4, description="1 is the easiest.")
    shift_hours: Annotated[int | float, Field(ge=0, le=12)]
    shift_direction: Way
    model_days: ModelDays
    journey_hours: Annotated[int | float, Field(ge=0)] = Field(description="From take-off to the last landing.")
    sleep_aboard_hours: Annotated[int | float, Field(ge=0)] = Field(description="On the way, long stops included.")
    first_night_hours: Annotated[int | float, Field(ge=0)] = Field(
        description="Sleep in the first night after landing."
    )
    nights_cut_short: int = Field(ge=0, description="Nights that the journey leaves with less than 6 hours, or takes.")


class Comparison(Exact):
    """The easiest first."""

    easiest: str = Field(description="Its label.")
    explanation: str
    itineraries: list[Compared] = Field(description="In order of rank.")
    caution: str = Field(description="Pass this on.")


class Stretch(Exact):
    """From when to when, by the clock in now_timezone."""

    start: Minute = Field(description="YYYY-MM-DDTHH:MM.")
    end: Minute = Field(description="YYYY-MM-DDTHH:MM.")


_TO_TOKYO: dict[str, JsonValue] = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "Asia/Tokyo",
    "departure_datetime": "2026-02-15T11:30",
    "arrival_datetime": "2026-02-16T15:45",
}


class _Now(PlanQuestion):
    model_config = ConfigDict(
        json_schema_extra={"examples": [_TO_TOKYO, {**_TO_TOKYO, "now_datetime": "2026-02-17T07:30"}]}
    )

    now_datetime: Minute | None = Field(
        default=None,
        description="Local wall time where the traveller is, YYYY-MM-DDTHH:MM; now when left out.",
        examples=[None],
    )
    now_timezone: Zone | None = Field(
        default=None,
        description="Zone of now_datetime and other times here, such as Asia/Tokyo; the destination's when left out.",
        examples=[None],
    )


class WhatNowQuestion(_Now):
    """The trip, and the moment."""

    hours: int = Field(default=12, ge=1, le=48, description="How far to look ahead.")


class WhatNow(Exact):
    """The next hours, by the clock where the traveller is."""

    date: str
    time: ClockTime
    timezone: str
    utc: Instant
    place: Literal["origin", "flight", "destination"]
    doing: list[Item] = Field(description="What the plan has for this moment.")
    next: list[Item] = Field(description="What comes within the hours asked for, in order.")
    body_clock_low: Moment = Field(description="The low of the body clock nearest to now.")
    hours_left: Annotated[int | float, Field(ge=0, le=12)]
    advice: str = Field(description="The next hours in a sentence or two.")
    caution: str = Field(description="Pass this on.")


class ReplanQuestion(_Now):
    """The trip, and what was done of its plan."""

    followed_until_datetime: Minute | None = Field(
        default=None,
        description="Until when the plan was followed, YYYY-MM-DDTHH:MM; not at all when left out.",
        examples=[None],
    )
    slept: list[Stretch] | None = Field(
        default=None,
        max_length=20,
        description="Sleeps since then, as they were; usual hours at each place are assumed when left out.",
        examples=[None],
    )
    bright_light: list[Stretch] = Field(
        default=[], max_length=20, description="Stretches in bright light since then.", examples=[[]]
    )


class RemainingPlan(AdaptationPlan):
    """What is left of a plan."""

    days: list[PlanDay] = Field(description="From now on; empty where nothing of the plan is left.")


class Replanned(Exact):
    """The plan from now on."""

    plan: RemainingPlan
    kept_old_plan: bool = Field(description="True where going on with the old plan is as good.")
    hours_left: Annotated[int | float, Field(ge=0, le=12)] = Field(
        description="How far the body clock still has to go."
    )
    explanation: str
