"""Which routing, what to do now, and what after a day gone wrong."""

from typing import Annotated, Literal

from pydantic import Field

from packhorse_circadian.models.plan import AdaptationPlan, BriefDay, Item, ModelDays, Moment, PlanDay
from packhorse_circadian.models.words import ClockTime, Detail, Exact, Instant, Minute, Way, Zone

TRIP = "PLACE TIME > PLACE TIME, as get_adaptation_plan gives it."
_TO_TOKYO = "America/Los_Angeles 2026-02-15T11:30 > Asia/Tokyo 2026-02-16T15:45"
Trip = Annotated[str, Field(min_length=20, max_length=1000, description=TRIP, examples=[_TO_TOKYO])]
_WAYS = [f"direct: {_TO_TOKYO}", "late: America/Los_Angeles 2026-02-15T11:30 > Asia/Tokyo 2026-02-16T21:45"]
_MINUTE = r"\d{4}-\d\d-\d\dT\d\d:\d\d"
Stretch = Annotated[str, Field(max_length=40, pattern=f"^{_MINUTE}/{_MINUTE}$")]


class CompareQuestion(Exact):
    """Two to four ways to travel."""

    itineraries: list[Annotated[str, Field(min_length=20, max_length=1100)]] = Field(
        min_length=2, max_length=4, description="Each LABEL: TRIP, a trip line.", examples=[_WAYS]
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


class _Now(Exact):
    trip: Trip
    now_datetime: Minute | None = Field(
        default=None, description="Local, YYYY-MM-DDTHH:MM; else the present.", examples=[None]
    )
    now_timezone: Zone | None = Field(default=None, description="Else the destination's.", examples=[None])


class WhatNowQuestion(_Now):
    """The trip, and the moment."""

    hours: int = Field(default=12, ge=1, le=48, description="Ahead.")


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

    followed_until_datetime: Minute | None = Field(default=None, description="Not at all when absent.", examples=[None])
    slept: list[Stretch] | None = Field(
        default=None,
        max_length=20,
        description="Since then, each as 2027-02-16T23:00/2027-02-17T06:30; else usual hours.",
        examples=[None],
    )
    bright_light: list[Stretch] = Field(default=[], max_length=20, description="As slept.", examples=[[]])
    felt_worst: Minute | None = Field(default=None, description="When, on the third day.", examples=[None])
    clock_low: Stretch | None = Field(default=None, description="From where_is_my_clock.", examples=[None])
    detail: Detail = "brief"


class RemainingPlan(AdaptationPlan):
    """What is left of a plan."""

    days: list[PlanDay | BriefDay] = Field(description="From now on; empty where nothing of the plan is left.")


class Replanned(Exact):
    """The plan from now on."""

    plan: RemainingPlan
    kept_old_plan: bool = Field(description="True where going on with the old plan is as good.")
    hours_left: Annotated[int | float, Field(ge=0, le=12)] = Field(
        description="How far the body clock still has to go."
    )
    explanation: str
