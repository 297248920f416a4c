"""The question of a ward as JSON: the document that a workbook's sheets and a folder of CSV hold as well."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

PersonKey = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\s:]([^:]*[^\s:])?$")]
Key = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[^\s;=,\[\]]([^;=,\[\]]*[^\s;=,\[\]])?$")]
ShiftKey = Annotated[str, Field(min_length=1, max_length=20, pattern=r"^[^\s;=,*?+.-][^\s;=,]*$")]
"""No blanks: patterns are written with blanks between shifts."""
Cell = Annotated[str, Field(max_length=20)]
Weight = Annotated[int, Field(ge=0, le=100_000)]
Times = Annotated[int, Field(ge=0, le=1000)]
Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


def _ordered(span: tuple[Any, Any]) -> tuple[Any, Any]:
    if None not in span and span[0] > span[1]:
        raise ValueError(f"the least, {span[0]}, is more than the most, {span[1]}")
    return span


def _pair(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


Span = Annotated[tuple[Times | None, Times | None], BeforeValidator(_pair), AfterValidator(_ordered)]
Hours = Annotated[float, Field(ge=0, le=10_000)]
HoursSpan = Annotated[tuple[Hours | None, Hours | None], BeforeValidator(_pair), AfterValidator(_ordered)]


def _several(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


Days = Annotated[str, Field(max_length=200)]
Soft = Literal[
    "hours", "shifts", "week_hours", "work_run", "off_run", "weekends", "weekend_run", "whole_weekends", "week_off",
    "shift_run", "shift_most", "rest_hours", "place_changes", "departments",
]  # fmt: skip


class Part(BaseModel):
    """A part of the question: unknown names are refused, and numbers are not read out of text."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class ShiftRow(Part):
    """A shift, or a station's shift: a key of its own for each."""

    key: ShiftKey
    start: Clock | None = None
    end: Clock | None = Field(default=None, description="Not after the start: on the next day.")
    hours: Annotated[float, Field(gt=0, le=48)] | None = Field(
        default=None, description="What it counts; from start to end by default."
    )
    not_next: list[ShiftKey] = Field(default=[], description="Shifts that must not be worked on the day after.")
    needs: Key | None = Field(default=None, description="The skill that everybody on it must have.")
    place: Key | None = Field(default=None, description="Where it is worked; without one, anywhere.")
    department: Key | None = None


class ContractRow(Part):
    """Limits, [least, most]: over the ward's days, or in runs of days. A rule is hard unless it has a weight."""

    key: Key
    hours: HoursSpan | None = None
    shifts: Span | None = None
    week_hours: Hours | None = Field(default=None, description="The most from Monday to Sunday.")
    work_run: Span | None = Field(default=None, description="Days of work on end.")
    off_run: Span | None = Field(default=None, description="Days off on end.")
    weekends: Times | None = Field(default=None, description="The most weekends with work.")
    weekend_run: Times | None = Field(default=None, description="The most weekends with work on end.")
    whole_weekends: bool = Field(default=False, description="Saturday and Sunday both worked or both off.")
    week_off: Annotated[int, Field(ge=1, le=7)] | None = Field(
        default=None, description="Days off on end that every week from Monday to Sunday has."
    )
    shift_run: dict[ShiftKey, Span] = Field(default={}, description="Days on end on one shift.")
    shift_most: dict[ShiftKey, Times] = Field(default={}, description="The most of a shift; 0 is never.")
    rest_hours: Hours | None = Field(default=None, description="Hours between two shifts.")
    place_changes: Times | None = Field(default=None, description="The most times that another place follows the last.")
    departments: Times | None = Field(default=None, description="The most departments, those of `before` included.")
    weights: dict[Soft, Weight] = Field(default={}, description="What one unit of a breach costs, by rule.")


class PersonRow(Part):
    """Somebody."""

    key: PersonKey
    name: Annotated[str, Field(max_length=100)] = ""
    contract: Key
    skills: list[Key] = []
    share: Annotated[int, Field(ge=1, le=100)] = Field(
        default=100, description="Per cent of full time: with 50, half as much as somebody with 100 is even."
    )


class DemandRow(Part):
    """How many are needed: of one skill, or of all on the shift. A person counts for one skill on a shift."""

    shift: Annotated[list[ShiftKey], BeforeValidator(_several), Field(min_length=1, max_length=20)] = Field(
        description="A shift, or shifts that together are enough."
    )
    skill: Key | None = None
    days: Days = Field(
        default="all",
        description="all, weekdays such as Mon-Fri or Sat,Sun, or dates; a row with dates replaces that by weekday.",
    )
    least: Times = Field(default=0, description="Hard: what is missing makes the roster short.")
    wished: Times | None = None
    most: Times | None = None
    under: Weight = Field(default=10, description="What each one below wished costs.")
    over: Weight = Field(default=0, description="What each one above wished costs.")


class SequenceRow(Part):
    """Days on end that must not look like this."""

    pattern: Annotated[list[Cell], Field(min_length=1, max_length=14)] = Field(
        description="Shifts, - for a day off, * for any shift, . for work or off."
    )
    contract: Key | None = None
    days: Days = Field(default="all", description="On which it may begin: weekdays or dates, as in demand.")
    weight: Weight | None = None


class FairRow(Part):
    """The difference between who has most and least costs so much a unit."""

    count: Annotated[list[str], Field(min_length=1, max_length=20)] = Field(description="Shifts, or weekends.")
    contract: Key | None = Field(default=None, description="Among the people of this contract; all by default.")
    weight: Annotated[int, Field(ge=1, le=100_000)] = 10


class UsedRow(Part):
    """What it costs to have a person on any of these shifts, however often: people from an agency, or a pool."""

    shifts: Annotated[list[ShiftKey], Field(max_length=60)] = Field(default=[], description="All shifts by default.")
    contract: Key | None = Field(default=None, description="For the people of this contract; all by default.")
    weight: Annotated[int, Field(ge=1, le=100_000)]


class RequestRow(Part):
    """A wish with a weight; without one it must be granted, as leave must."""

    person: PersonKey
    first: date | None = Field(default=None, alias="from", description="Without from and to: in every period.")
    last: date | None = Field(default=None, alias="to", description="By default the day of from.")
    days: Days = Field(default="all", description="Which days between: weekdays or dates, as in demand.")
    shift: Cell = Field(default="-", description="A shift, - for off, * for any shift.")
    wanted: bool = Field(default=True, description="false: not this.")
    weight: Weight | None = None
    hours: Annotated[float, Field(ge=0, le=24)] = Field(
        default=0, description="Hours that count as worked on each of the days, as in paid leave."
    )


class FixedRow(Part):
    """A cell that must stay."""

    person: PersonKey
    day: date
    shift: Cell = Field(description="A shift, or - for off.")


class BeforeRow(Part):
    """The days before the first, in order; the last is the day before it."""

    person: PersonKey
    days: Annotated[list[Cell], Field(max_length=62)] = Field(
        description="Shifts, - or empty for off, ? for a shift that no longer exists."
    )


class CarriedRow(Part):
    """What a person has of a fairness count from months before."""

    person: PersonKey
    count: Annotated[list[str], Field(min_length=1, max_length=20)]
    amount: Annotated[int, Field(ge=-10_000, le=10_000)]


class WardQuestion(Part):
    """A ward and some of its days: who works which shift on which day?"""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "Ward"
    start: date
    days: Annotated[int, Field(ge=1, le=366)]
    cyclic: bool = Field(default=False, description="Each person goes on with the days of the next one, and so round.")
    shifts: Annotated[list[ShiftRow], Field(min_length=1, max_length=60)]
    contracts: Annotated[list[ContractRow], Field(min_length=1, max_length=300)]
    people: Annotated[list[PersonRow], Field(min_length=1, max_length=300)]
    demand: Annotated[list[DemandRow], Field(max_length=20_000)] = []
    sequences: Annotated[list[SequenceRow], Field(max_length=200)] = []
    fair: Annotated[list[FairRow], Field(max_length=50)] = []
    used: Annotated[list[UsedRow], Field(max_length=300)] = []
    requests: Annotated[list[RequestRow], Field(max_length=20_000)] = []
    fixed: Annotated[list[FixedRow], Field(max_length=50_000)] = []
    before: Annotated[list[BeforeRow], Field(max_length=300)] = []
    carried: Annotated[list[CarriedRow], Field(max_length=3000)] = []


def ward_schema() -> dict[str, Any]:
    """The JSON Schema of the question."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:packhorse:scheduling:ward:1",
        **WardQuestion.model_json_schema(),
    }
