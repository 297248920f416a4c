"""A plan, day by day."""

from typing import Annotated, Literal

from pydantic import Field

from packhorse_circadian.models.words import ClockTime, Exact, Instant, Way


class ModelDays(Exact):
    """Days after landing until the body clock is right to within an hour, over a population of bodies."""

    plan: float = Field(ge=0, le=20, description="With this plan, for half of people.")
    low: float = Field(ge=0, le=20, description="With it: from here to high are four bodies of five.")
    high: float = Field(ge=0, le=20, description="With it; 0 to the 80 % quantile where a tenth take no day.")
    no_plan: float = Field(ge=0, le=20, description="Straight to local hours with no plan, for half of people.")
    no_plan_low: float = Field(ge=0, le=20)
    no_plan_high: float = Field(ge=0, le=20)


class Summary(Exact):
    """The plan at a glance."""

    total_days: int = Field(
        ge=1, le=20, description="Preparation and adaptation; the travel days between them not counted."
    )
    prep_days: int = Field(ge=0, le=7, description="Dates before the departure date.")
    post_arrival_days: int = Field(ge=1, le=13, description="Dates at the destination, arrival date included.")
    shift_direction: Way
    shift_hours: Annotated[int | float, Field(ge=0, le=12)]
    key_advice: str = Field(description="The one line to lead with.")


class Moment(Exact):
    """A moment by the clock of the day's time zone, and the same in UTC."""

    date: str
    time: ClockTime
    utc: Instant


class Item(Exact):
    """One thing to do."""

    type: Literal[
        "sleep",
        "wake",
        "bright_light",
        "dim_light",
        "melatonin",
        "caffeine_ok",
        "caffeine_cutoff",
        "nap",
        "in_flight_sleep",
        "exercise",
        "flight",
        "arrival",
    ] = Field(
        description="in_flight_sleep is sleep on the way: on board, or in a bed at a long stop, as its title says."
    )
    title: str
    why: str
    date: str = Field(description="Local date, that of the day it stands in.")
    time: ClockTime = Field(description="Local time in timezone.")
    timezone: str
    utc: Instant = Field(description="The same moment in UTC.")
    until: Moment | None = Field(description="End, by the same clock; null for a single moment.")
    worth_days: float | None = Field(default=None, description="Days that leaving this light out costs, on average.")
    duration_minutes: int | None = Field(ge=1, description="Length in minutes; null for a single moment.")


class Alertness(Exact):
    """How alert the traveller should be at a time of the day."""

    time: ClockTime
    score: int = Field(ge=0, le=100, description="From sleep and body clock; about 60 on a usual morning at home.")


class PlanDay(Exact):
    """One date at one place."""

    day: int = Field(ge=-7, le=400, description="Negative before the flight, 0 on the way, 1 on the arrival date.")
    date: str
    timezone: str = Field(description="The clock of this day's items; on board still that of the origin.")
    place: Literal["origin", "flight", "destination"]
    phase: Literal["preparation", "travel", "adaptation", "return"]
    hours_left: Annotated[int | float, Field(ge=0, le=12)] = Field(
        description="How much of the shift is left for the body clock on this date."
    )
    body_clock_low: Moment = Field(
        description="Estimated low of body temperature: light before it makes the clock later, after it earlier."
    )
    items: list[Item] = Field(description="In order of time.")
    alertness: list[Alertness] = Field(default=[], description="Every 3 hours awake, by the two-process model.")


class BriefDay(Exact):
    """The same in lines; its phase says where."""

    date: str
    until: str | None = Field(default=None, description="The last of several dates that ask for the same.")
    timezone: str
    phase: Literal["preparation", "travel", "adaptation", "return"]
    items: list[str] = Field(description="From, until and what, in order of time.")


class PlanFiles(Exact):
    """Addresses of resources, made from the question: nothing is stored."""

    calendar: str = Field(description="iCalendar (.ics), for any calendar to import.")
    picture: str | None = Field(default=None, description="SVG: sleep, light, flight and body clock, day by day.")
    picture_dark: str | None = Field(default=None, description="The same on black.")
    page: str | None = Field(default=None, description="HTML to print, the picture in it.")


class AdaptationPlan(Exact):
    """The plan, day by day."""

    summary: Summary
    trip: str = Field(default="", description="The trip line, for what_now, replan and compare_itineraries.")
    first_hours: list[str] = Field(default=[], description="Landing, after it, first evening, first morning.")
    days: list[PlanDay | BriefDay] = Field(min_length=2, description="In lines, or item by item with detail full.")
    notes: list[str] = Field(description="What was assumed or cut, in sentences.")
    caution: str = Field(description="Pass this on with the plan.")
    model_days: ModelDays = Field(description="How long it takes: say the middle and the slow end, in whole days.")
    model_direction: Way = Field(
        description="Which way the plan moves the clock; near 12 hours not always shift_direction: see the notes."
    )
    files: PlanFiles | None = Field(default=None, description="The plan as files to read.")
    return_days: ModelDays | None = Field(default=None, description="After the way back, where one was given.")
