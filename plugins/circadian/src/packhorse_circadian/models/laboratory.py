"""A light schedule to simulate, and where the body clock goes under it."""

from typing import Literal

from pydantic import Field

from packhorse_circadian.models.words import RARE, Exact

ModelName = Literal["Forger99", "Jewett99", "Hannay19", "Hannay19TP"]


class LightSegment(Exact):
    """Days of the same lights."""

    days: int = Field(
        ge=1,
        le=100,
    )
    lux: float = Field(ge=0, le=100_000, description="While lit; else dark.")
    on: float = Field(ge=0, le=24, description="Clock hour.")
    off: float = Field(ge=0, le=24, description="Before on: past midnight.")
    shift: float = Field(
        default=0,
        ge=-24,
        le=24,
        description="Hours that the wall clock is ahead of the first; east is positive.",
        examples=[0, 9, -8],
    )


class LightProtocol(Exact):
    """Lights from hour 0, a midnight, on."""

    segments: list[LightSegment] = Field(
        min_length=1,
        max_length=12,
        description="One after another; 100 days in all.",
        examples=[
            [{"days": 14, "lux": 1000, "on": 7, "off": 23}],
            [{"days": 10, "lux": 200, "on": 7, "off": 23}, {"days": 10, "lux": 200, "on": 7, "off": 23, "shift": 6}],
        ],
    )
    id: str | None = Field(
        default=None, max_length=100, description="A name, given back.", examples=["slam_+6h"], json_schema_extra=RARE
    )
    total_days: int | None = Field(
        default=None,
        ge=1,
        le=100,
        description="The sum of the segments' days, checked where given.",
        examples=[None],
        json_schema_extra=RARE,
    )
    model: ModelName = Field(
        default="Forger99",
        description=("Kronauer's family, 1999; Hannay's of one and two populations, 2019."),
    )
    initial_state: list[float] | None = Field(
        default=None,
        min_length=3,
        max_length=5,
        description=(
            "The model's state at hour 0: x, xc, n; or R, P, n; or Rv, Rd, Pv, Pd, n. "
            "That of a long entrained sleeper when left out."
        ),
        examples=[None],
        json_schema_extra=RARE,
    )


class Sample(Exact):
    """The model at one hour."""

    hour: int = Field(ge=0, le=2400)
    lux: float = Field(ge=0)
    state: list[float]


class Phases(Exact):
    """Where the body clock went. Hours count from hour 0 of the protocol."""

    id: str | None
    model: ModelName
    cbtmin_hours: list[float] = Field(description="Each low of core body temperature; models differ by about an hour.")
    dlmo_hours: list[float] = Field(description="Melatonin's onset, 7 hours before each low.")
    cbtmin_clock: float | None = Field(
        ge=0, lt=24, description="The last low by the last segment's clock, in hours; null where there was none."
    )
    dlmo_clock: float | None = Field(ge=0, lt=24, description="The onset before it.")
    final_state: list[float]
    trajectory: list[Sample] = Field(description="Hour by hour.")
