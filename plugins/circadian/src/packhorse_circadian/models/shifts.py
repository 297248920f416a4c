"""Shifts at work, and a plan for them."""

from typing import Annotated, Literal

from pydantic import Field

from packhorse_circadian.models.journeys import Stretch
from packhorse_circadian.models.plan import Moment
from packhorse_circadian.models.words import ClockTime, Detail, Exact, Zone

_BLOCK = [f"2027-02-{day:02}T23:00/2027-02-{day + 1:02}T07:00" for day in (15, 16, 17, 18)]


class ShiftsQuestion(Exact):
    """Up to four weeks of shifts, and how their worker sleeps on days off."""

    shifts: list[Stretch] = Field(
        min_length=1,
        max_length=60,
        description="Up to 4 weeks, local, each as 2027-02-15T23:00/2027-02-16T07:00.",
        examples=[_BLOCK[:1], _BLOCK[:2], _BLOCK],
    )
    timezone: Zone = Field(examples=["Europe/London", "America/New_York"])
    usual_sleep_time: ClockTime = Field(default="23:00", description="On days off, HH:MM.", examples=["23:00", "22:30"])
    usual_wake_time: ClockTime = Field(default="07:00", examples=["07:00", "06:30"])
    commute_minutes: int = Field(default=30, ge=0, le=120, examples=[30, 60])
    age: int | None = Field(default=None, ge=14, le=110, examples=[None])
    caffeine: bool = True
    detail: Detail = "brief"


class ShiftItem(Exact):
    """One thing to do."""

    type: Literal["shift", "sleep", "nap", "bright_light", "dim_light", "caffeine_cutoff"]
    title: str
    why: str
    start: Moment
    end: Moment


class ShiftDay(Exact):
    """One date, in lines or item by item."""

    date: str
    items: list[str | ShiftItem]


class ShiftLow(Exact):
    """The body's low that belongs to one main sleep, by the clock on the wall."""

    date: str = Field(description="On which the sleep ends.")
    low: ClockTime = Field(description="Of half the bodies.")
    low_10: ClockTime
    low_90: ClockTime
    no_plan: ClockTime


class ShiftPlan(Exact):
    """Sleep, light, naps and caffeine around the shifts."""

    summary: str
    timezone: str
    days: list[ShiftDay]
    lows: list[ShiftLow] = Field(default=[], description="With detail full.")
    notes: list[str]
    caution: str = Field(description="Pass this on.")
    calendar: Annotated[str, Field(description="iCalendar (.ics), a resource to read.")]
