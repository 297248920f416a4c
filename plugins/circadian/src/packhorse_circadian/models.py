"""What crosses the wire: the two questions and the two answers."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

# The years that 32 bits of seconds from 1970 can tell to their end (they run out
# in January 2038), to which zone files of the old format reach; then what could
# be a month, a day, an hour, a minute. Whether it exists is asked in `convert`.
_DATE = r"(19[7-9][0-9]|20[0-2][0-9]|203[0-7])-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_ZONE = r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}"

_CITIES = [
    "America/Los_Angeles",
    "America/New_York",
    "Europe/London",
    "Europe/Paris",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Tokyo",
]
# With the flight times in the examples, each is a flight from the city at the same place of the list above.
_ONWARD = [
    "Europe/London",
    "Europe/Paris",
    "America/New_York",
    "Asia/Dubai",
    "Asia/Tokyo",
    "Europe/London",
    "Asia/Dubai",
]
_DAYS = ["2026-02-15", "2026-06-20", "2026-10-25", "2027-01-10", "2027-03-14"]

Zone = Annotated[str, Field(max_length=64, pattern=f"^{_ZONE}$")]
Day = Annotated[str, Field(max_length=10, pattern=f"^{_DATE}$", examples=_DAYS)]
Minute = Annotated[str, Field(max_length=16, pattern=f"^{_DATE}T{_TIME}$")]
ClockTime = Annotated[str, Field(max_length=5, pattern=f"^{_TIME}$")]
Instant = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]

Way = Literal["advance", "delay", "none"]


class _Exact(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PhaseShiftQuestion(_Exact):
    """Two places and, best, a date."""

    origin_timezone: Zone = Field(
        description="Where the journey starts: an IANA time zone name, not an abbreviation or an offset.",
        examples=_CITIES,
    )
    destination_timezone: Zone = Field(
        description="Where it ends: an IANA time zone name, not an abbreviation or an offset.",
        examples=_CITIES[::-1],
    )
    travel_date: Day | None = Field(
        default=None,
        description=(
            "Date of travel, YYYY-MM-DD, 1970 to 2037. Recommended: clock changes matter. "
            "Today at the origin when left out."
        ),
        examples=_DAYS,
    )


class EstimatedDays(_Exact):
    """Days until the body has adapted."""

    with_interventions: int = Field(ge=0, le=9, description="With well-timed light and sleep: 1.5 hours a day.")
    without_interventions: int = Field(ge=0, le=13, description="Without: 1 hour a day.")


class PhaseShift(_Exact):
    """How far, which way, how hard and how long."""

    raw_shift_hours: Annotated[int | float, Field(ge=0, le=26)] = Field(
        description="Hours between the two clocks, as the map says it."
    )
    raw_direction: Way = Field(description="advance: the destination is ahead; delay: behind.")
    optimal_shift_hours: Annotated[int | float, Field(ge=0, le=12)] = Field(
        description="Hours that the body clock has to move, the shorter way round."
    )
    optimal_direction: Way = Field(
        description="Which way it moves; exactly 12 hours is a delay, no shift has direction none."
    )
    difficulty: Literal["easy", "moderate", "hard"]
    estimated_days: EstimatedDays
    explanation: str = Field(description="What it means for the traveller, in words.")


class Interventions(_Exact):
    """What the traveller is ready to use besides sleep and light."""

    melatonin: bool = Field(default=True, description="Plan optional doses of 0.5 mg.")
    caffeine: bool = Field(default=True, description="Plan when caffeine is fine and when to stop.")


class PlanQuestion(_Exact):
    """One flight, its traveller's habits and what to plan with."""

    origin_timezone: Zone = Field(
        description="Where the flight leaves: an IANA time zone name, not an abbreviation or an offset.",
        examples=_CITIES,
    )
    destination_timezone: Zone = Field(
        description="Where it lands: an IANA time zone name, not an abbreviation or an offset.",
        examples=_ONWARD,
    )
    departure_datetime: Minute = Field(
        description="Local wall time at the origin, YYYY-MM-DDTHH:MM, 1970 to 2037, without offset or seconds.",
        examples=["2027-09-14T08:00", "2027-09-14T08:30", "2027-09-14T09:15", "2027-09-14T10:00", "2027-09-14T11:30"],
    )
    arrival_datetime: Minute = Field(
        description="Local wall time at the destination, YYYY-MM-DDTHH:MM; 15 minutes to 24 hours after departure.",
        examples=["2027-09-14T22:30", "2027-09-14T23:00", "2027-09-14T23:45", "2027-09-15T00:15", "2027-09-15T01:00"],
    )
    prep_days: int = Field(
        default=3,
        ge=0,
        le=7,
        description="Days of preparation before the departure date; fewer are planned where fewer are left.",
        examples=[3, 0, 1, 5, 7],
    )
    usual_wake_time: ClockTime = Field(
        default="07:00",
        description="When the traveller usually wakes at home, HH:MM from 00:00 to 23:59. A habit, not a target.",
        examples=["07:00", "06:00", "06:30", "08:00", "08:45"],
    )
    usual_sleep_time: ClockTime = Field(
        default="23:00",
        description="When the traveller usually goes to sleep at home, HH:MM; 4 to 12 hours before waking.",
        examples=["23:00", "22:00", "22:30", "23:30", "00:15"],
    )
    interventions: Interventions = Field(default=Interventions(), description="Both are on when left out.")


class Summary(_Exact):
    """The plan at a glance."""

    total_days: int = Field(
        ge=1, le=20, description="Preparation and adaptation; the travel days between them not counted."
    )
    prep_days: int = Field(ge=0, le=7, description="Dates before the departure date.")
    post_arrival_days: int = Field(ge=1, le=13, description="Dates at the destination, arrival date included.")
    shift_direction: Way
    shift_hours: Annotated[int | float, Field(ge=0, le=12)]
    key_advice: str = Field(description="The one line to lead with.")


class Moment(_Exact):
    """A moment by the clock of the day's time zone, and the same in UTC."""

    date: str
    time: ClockTime
    utc: Instant


class Item(_Exact):
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
    ]
    title: str
    why: str
    date: str = Field(description="Local date, that of the day it stands in.")
    time: ClockTime = Field(description="Local time in timezone.")
    timezone: str
    utc: Instant = Field(description="The same moment in UTC.")
    until: Moment | None = Field(description="End, by the same clock; null for a single moment.")
    duration_minutes: int | None = Field(ge=1, description="Length in minutes; null for a single moment.")


class PlanDay(_Exact):
    """One date at one place."""

    day: int = Field(ge=-7, le=13, description="Negative before the flight, 0 on the way, 1 on the arrival date.")
    date: str
    timezone: str = Field(description="The clock of this day's items; on board still that of the origin.")
    place: Literal["origin", "flight", "destination"]
    phase: Literal["preparation", "travel", "adaptation"]
    hours_left: Annotated[int | float, Field(ge=0, le=12)] = Field(
        description="How much of the shift is left for the body clock on this date."
    )
    body_clock_low: Moment = Field(
        description="Estimated low of body temperature: light before it makes the clock later, after it earlier."
    )
    items: list[Item] = Field(description="In order of time.")


class AdaptationPlan(_Exact):
    """The plan, day by day."""

    summary: Summary
    days: list[PlanDay] = Field(min_length=2)
    notes: list[str] = Field(description="What was assumed or cut, in sentences.")
    caution: str = Field(description="Pass this on with the plan.")
