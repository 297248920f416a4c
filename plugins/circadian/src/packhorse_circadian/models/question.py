"""What a plan is asked with."""

from typing import Literal

from pydantic import Field

from packhorse_circadian.models.words import CITIES, ONWARD, RARE, ClockTime, Detail, Exact, Minute, Zone


class Interventions(Exact):
    """Also exercise, melatonin_dose "3 mg", caffeine_mg, caffeine_half_life_hours."""

    melatonin: bool = True
    caffeine: bool = True
    melatonin_dose: Literal["0.5 mg", "3 mg"] = Field(default="0.5 mg", json_schema_extra=RARE)
    caffeine_mg: int | None = Field(default=None, ge=20, le=400, description="In a usual cup.", json_schema_extra=RARE)
    caffeine_half_life_hours: float = Field(default=5, ge=2, le=16, json_schema_extra=RARE)
    naps: bool = True
    exercise: bool = Field(default=False, json_schema_extra=RARE)


class StopOver(Exact):
    """A stop on the way."""

    timezone: Zone
    arrival_datetime: Minute
    departure_datetime: Minute


class WorkHours(Exact):
    """Weekdays there; light not chosen."""

    start: ClockTime
    end: ClockTime


class ReturnFlight(Exact):
    """The way back."""

    departure_datetime: Minute
    arrival_datetime: Minute


class PlanQuestion(Exact):
    """One flight, its traveller's habits and what to plan with."""

    origin_timezone: Zone = Field(description="IANA name.", examples=CITIES)
    destination_timezone: Zone = Field(examples=ONWARD)
    departure_datetime: Minute = Field(
        description="Local there, YYYY-MM-DDTHH:MM, as every time here.",
        examples=["2027-09-14T08:00", "2027-09-14T08:30", "2027-09-14T09:15", "2027-09-14T10:00", "2027-09-14T11:30"],
    )
    arrival_datetime: Minute = Field(
        examples=["2027-09-14T22:30", "2027-09-14T23:00", "2027-09-14T23:45", "2027-09-15T00:15", "2027-09-15T01:00"],
    )
    prep_days: int = Field(default=3, ge=0, le=7, examples=[3, 0, 1, 5, 7])
    usual_wake_time: ClockTime = Field(
        default="07:00", description="At home.", examples=["07:00", "06:00", "06:30", "08:00", "08:45"]
    )
    usual_sleep_time: ClockTime = Field(default="23:00", examples=["23:00", "22:00", "22:30", "23:30", "00:15"])
    destination_wake_time: ClockTime | None = Field(default=None, examples=[None], json_schema_extra=RARE)
    destination_sleep_time: ClockTime | None = Field(default=None, examples=[None], json_schema_extra=RARE)
    interventions: Interventions = Field(default_factory=Interventions)
    layovers: list[StopOver] = Field(default=[], max_length=3, examples=[[]])
    return_flight: ReturnFlight | None = Field(default=None, examples=[None])
    short_stay: Literal["home", "half", "local"] | None = Field(
        default=None, description="Hours kept on a stay of a few nights.", examples=[None], json_schema_extra=RARE
    )
    bright_light_lux: int | None = Field(
        default=None, ge=200, le=10_000, examples=[10_000, 1000], json_schema_extra=RARE
    )
    chronotype: Literal["lark", "neither", "owl"] = "neither"
    age: int | None = Field(default=None, ge=1, le=110, examples=[None])
    work_hours: WorkHours | None = Field(default=None, examples=[None])
    detail: Detail = "brief"
