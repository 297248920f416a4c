"""A log of days, and where the body clock stands."""

from typing import Annotated

from pydantic import Field

from packhorse_circadian.models.words import ClockTime, Exact, Minute, Zone

_MINUTE = r"\d{4}-\d\d-\d\dT\d\d:\d\d"
_ENTRY = rf"^{_MINUTE}/{_MINUTE}( (sleep|dark|dim|indoors|bright|outdoors|\d{{1,6}} steps))?$"
_WEEK = [f"2027-02-{day:02}T23:00/2027-02-{day + 1:02}T07:00 sleep" for day in range(8, 15)]


class ClockQuestion(Exact):
    """Five days of a log or more."""

    log: list[Annotated[str, Field(max_length=50, pattern=_ENTRY)]] = Field(
        min_length=1,
        max_length=700,
        description=(
            "A week, local: 2027-02-08T23:00/2027-02-09T07:00 sleep, dark, dim, indoors, bright, outdoors, 900 steps."
        ),
        examples=[_WEEK[:1], _WEEK, _WEEK[1:]],
    )
    timezone: Zone = Field(examples=["Europe/London", "America/New_York"])
    felt_worst: list[Minute] = Field(default=[], max_length=10, description="As YYYY-MM-DDTHH:MM.", examples=[[]])
    usual_sleep_time: ClockTime = Field(default="23:00", description="HH:MM.", examples=["23:00", "22:30"])
    usual_wake_time: ClockTime = Field(default="07:00", examples=["07:00", "06:30"])


class ClockStanding(Exact):
    """Where the body clock stands at the end of the log."""

    summary: str
    low: Minute = Field(description="The low of body temperature nearest to the log's end, local.")
    clock_low: str = Field(description="Its 90 % band as FROM/TO, for replan.")
    melatonin_onset: Minute
    hours_later_than_usual: float = Field(ge=-12, le=12)
    band_hours: float = Field(ge=0, le=24)
    caution: str
