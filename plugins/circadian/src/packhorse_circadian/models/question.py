"""What a plan is asked with."""

from typing import Literal

from pydantic import Field

from packhorse_circadian.models.words import CITIES, ONWARD, ClockTime, Exact, Minute, Zone


class Interventions(Exact):
    """What the traveller is ready to use besides sleep and light."""

    melatonin: bool = Field(default=True, description="Plan optional doses of 0.5 mg.")
    caffeine: bool = Field(default=True, description="Plan when caffeine is fine and when to stop.")
    melatonin_dose: Literal["0.5 mg", "3 mg"] = Field(
        default="0.5 mg", description="Each is timed by its own curve; the smaller moves the clock as much."
    )
    caffeine_mg: int | None = Field(
        default=None, ge=20, le=400, description="In a usual cup, for its cut-off; 9 hours before bed when left out."
    )
    caffeine_half_life_hours: float = Field(
        default=5, ge=2, le=16, description="How long the body takes to halve it; longer in pregnancy or on the pill."
    )
    naps: bool = Field(default=True, description="Plan short naps on the first days.")
    exercise: bool = Field(default=False, description="Plan exercise in the hours of bright light.")


class StopOver(Exact):
    """A stop between two flights of the journey."""

    timezone: Zone = Field(description="Where: an IANA time zone name.", examples=["Asia/Dubai", "Europe/London"])
    arrival_datetime: Minute = Field(description="Local wall time of landing there, YYYY-MM-DDTHH:MM.")
    departure_datetime: Minute = Field(
        description="Local wall time of leaving again, YYYY-MM-DDTHH:MM; 15 minutes to 24 hours later."
    )


class WorkHours(Exact):
    """Weekday hours at the destination in which light cannot be chosen."""

    start: ClockTime = Field(description="HH:MM.")
    end: ClockTime = Field(description="HH:MM.")


class ReturnFlight(Exact):
    """The way back, from the destination to the origin."""

    departure_datetime: Minute = Field(description="Local wall time at the destination, YYYY-MM-DDTHH:MM.")
    arrival_datetime: Minute = Field(description="Local wall time at the origin, YYYY-MM-DDTHH:MM.")


class PlanQuestion(Exact):
    """One flight, its traveller's habits and what to plan with."""

    origin_timezone: Zone = Field(
        description="Where the flight leaves: an IANA time zone name, not an abbreviation or an offset.",
        examples=CITIES,
    )
    destination_timezone: Zone = Field(
        description="Where it lands: an IANA time zone name, not an abbreviation or an offset.",
        examples=ONWARD,
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
    interventions: Interventions = Field(
        default=Interventions(), description="Melatonin, caffeine and naps are on when left out, exercise off."
    )
    layovers: list[StopOver] = Field(
        default=[], max_length=3, description="Stops on the way, in order; none for a direct flight.", examples=[[]]
    )
    return_flight: ReturnFlight | None = Field(
        default=None,
        description="The way back, where known: stays up to 3 days keep home time, and the return is planned too.",
        examples=[None],
    )
    bright_light_lux: int | None = Field(
        default=None,
        ge=200,
        le=10_000,
        description="Bright light to be had, where known: 1000 a bright window, 10,000 a light box or sunshine.",
        examples=[10_000, 1000],
    )
    chronotype: Literal["lark", "neither", "owl"] = Field(
        default="neither", description="An early or a late type, where known; habitual sleep says the rest."
    )
    age: int | None = Field(
        default=None, ge=1, le=110, description="In years: below 18 no melatonin is planned.", examples=[None]
    )
    work_hours: WorkHours | None = Field(
        default=None, description="Weekday hours at the destination in which light cannot be chosen.", examples=[None]
    )
