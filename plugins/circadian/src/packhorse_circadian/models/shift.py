"""The quick question: how far, how hard, how long."""

from typing import Annotated, Literal

from pydantic import Field

from packhorse_circadian.models.words import CITIES, DAYS, Day, Exact, Way, Zone


class PhaseShiftQuestion(Exact):
    """Two places and, best, a date."""

    origin_timezone: Zone = Field(
        description="IANA name.",
        examples=CITIES,
    )
    destination_timezone: Zone = Field(examples=CITIES[::-1])
    travel_date: Day | None = Field(
        default=None,
        description="Clock changes matter; today when left out.",
        examples=DAYS,
    )


class EstimatedDays(Exact):
    """Days until the body has adapted."""

    with_interventions: int = Field(ge=0, le=9, description="With well-timed light and sleep: 1.5 hours a day.")
    without_interventions: int = Field(ge=0, le=13, description="Without: 1 hour a day.")


class PopulationDays(Exact):
    """Days over a population of bodies, straight to local hours with no plan."""

    half: float = Field(description="For half of people.")
    low: float = Field(description="From here to high are four bodies of five.")
    high: float = Field(description="See low; 0 to the 80 % quantile where a tenth take no day.")


class PhaseShift(Exact):
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
    population_days: PopulationDays = Field(description="By simulation; estimated_days is a rule of thumb.")
