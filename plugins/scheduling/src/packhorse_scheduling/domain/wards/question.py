"""The question of a ward: who may work which shift on which day, how many are needed, and what each rule weighs.

Days count from 0, the day ``start``; minutes from midnight. Hours that count as worked are in seconds, so that 7.05
hours are what they say. A weight is what one unit of a breach costs; a rule without a weight is hard. Units: of runs,
days; of hours, started hours (``hours_step`` of the ward); of everything else, times.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

from attrs import field, frozen

OFF, ANY, WORKED, EITHER = "-", "*", "?", "."
"""In patterns, requests and past days: no shift; a shift, whichever; a shift that no longer matters; work or not."""
REST = -1
"""The cell of a day without a shift."""
HOUR = 3600
"""Seconds."""

Span = tuple[int | None, int | None]
"""The least and the most; None is no limit."""
Rule = Literal[
    "hours", "shifts", "week_hours", "work_run", "off_run", "weekends", "weekend_run", "whole_weekends", "week_off",
    "shift_run", "shift_most", "rest", "not_next", "sequence", "least", "wished", "most", "request", "fixed", "skill",
    "fair", "place_changes", "departments", "used",
]  # fmt: skip
TOTALS: frozenset[str] = frozenset(
    {"hours", "shifts", "weekends", "shift_most", "most", "place_changes", "departments", "used"}
)
"""Rules over the whole horizon: a part of a roster can keep all others."""
NO_LIMIT: Span = (None, None)


@frozen
class Shift:
    """A kind of duty. ``seconds`` is what it counts; ``start`` and ``end`` are minutes after its day's midnight.

    A shift in ``not_next`` must not be worked on the day after; who works it must have the skill ``needs``. Shifts
    without a ``place`` are worked anywhere, and change no place.
    """

    key: str
    seconds: int
    start: int | None = None
    end: int | None = None
    not_next: frozenset[str] = frozenset()
    needs: str | None = None
    place: str | None = None
    department: str | None = None


@frozen
class Contract:
    """Limits of a person: ``hours`` (in seconds), ``shifts``, ``weekends`` and ``shift_most`` over the horizon.

    Runs are days on end; what began before the known past or has not ended is not too short. ``week_off``: in each
    week from Monday to Sunday so many days off on end. ``rest``: minutes between two shifts. ``place_changes``: times
    that another place follows the last one, however long ago; ``departments``: how many are worked in, the known past
    included. ``weights`` of soft rules.
    """

    key: str
    hours: Span = NO_LIMIT
    shifts: Span = NO_LIMIT
    week_hours: int | None = None
    work_run: Span = NO_LIMIT
    off_run: Span = NO_LIMIT
    weekends: int | None = None
    weekend_run: int | None = None
    whole_weekends: bool = False
    week_off: int | None = None
    shift_run: Mapping[str, Span] = field(factory=dict)
    shift_most: Mapping[str, int] = field(factory=dict)
    rest: int | None = None
    place_changes: int | None = None
    departments: int | None = None
    weights: Mapping[str, int] = field(factory=dict)

    def rests_less(self, shift: Shift, other: Shift, later: int) -> bool:
        """Whether between a shift and another so many days later there is less rest than ``rest``."""
        if self.rest is None or shift.end is None or other.start is None:
            return False
        return other.start + 1440 * later - shift.end < self.rest


@frozen
class Person:
    """Somebody with a contract and skills; ``share`` is their part of full time in per cent, for fairness."""

    key: str
    contract: str
    name: str = ""
    skills: tuple[str, ...] = ()
    share: int = 100


@frozen
class Demand:
    """How many are needed for shifts together on a day: of one skill, or of all where ``skill`` is None.

    ``least`` and ``most`` are hard; below ``wished`` each costs ``under``, above it ``over``.
    """

    day: int
    shifts: tuple[str, ...]
    skill: str | None = None
    least: int = 0
    wished: int | None = None
    most: int | None = None
    under: int = 0
    over: int = 0


@frozen
class Request:
    """To work a shift (or any, or none) on each of these days, or, not ``wanted``, not to.

    ``seconds`` of a day off that is granted count as work in the person's hours, as paid leave does.
    """

    person: str
    first: int
    last: int
    shift: str
    wanted: bool = True
    weight: int | None = None
    seconds: int = 0


@frozen
class Fixed:
    """A cell that must stay as it is."""

    person: str
    day: int
    shift: str


@frozen
class Sequence:
    """Days on end that must not look like ``pattern``; of one contract, or of all. ``days``: on which it may begin."""

    pattern: tuple[str, ...]
    contract: str | None = None
    weight: int | None = None
    days: frozenset[int] | None = None


@frozen
class Fair:
    """The difference between who has most and least of these shifts, or of "weekends", costs ``weight`` a unit.

    It is counted among a contract's people, or all, for equal shares: of i and j, share(i) * count(j) less
    share(j) * count(i), over 100, rounded up.
    """

    count: tuple[str, ...]
    weight: int
    contract: str | None = None

    @property
    def name(self) -> str:
        """By which its count is carried."""
        return " ".join(self.count)


@frozen
class Used:
    """What it costs to have a person of the contract, or anybody, on any of these shifts, however often."""

    shifts: tuple[str, ...]
    weight: int
    contract: str | None = None


@frozen
class Past:
    """What a person brings to the first day.

    The last days before it in order, what was used of the contract's totals (``hours`` in seconds, ``shifts``,
    ``weekends``), and what is carried into each count of fairness, by its name.
    """

    person: str
    days: tuple[str, ...] = ()
    used: Mapping[str, int] = field(factory=dict)
    carried: Mapping[str, int] = field(factory=dict)


@frozen
class Ward:
    """The whole question. ``cyclic``: each person's days follow those of the person before, the first after the last.

    A person counts for one skill on a shift; a demand without a skill counts everybody there. Each started
    ``hours_step`` (in seconds) of hours outside their limits costs their weight.
    """

    start: date
    days: int
    shifts: tuple[Shift, ...]
    contracts: tuple[Contract, ...]
    people: tuple[Person, ...]
    demands: tuple[Demand, ...] = ()
    requests: tuple[Request, ...] = ()
    fixed: tuple[Fixed, ...] = ()
    sequences: tuple[Sequence, ...] = ()
    fair: tuple[Fair, ...] = ()
    used: tuple[Used, ...] = ()
    past: tuple[Past, ...] = ()
    cyclic: bool = False
    hours_step: int = HOUR
    name: str = "Ward"

    @cached_property
    def shift_of(self) -> dict[str, int]:
        """Index of each shift."""
        return {shift.key: k for k, shift in enumerate(self.shifts)}

    @cached_property
    def person_of(self) -> dict[str, int]:
        """Index of each person."""
        return {person.key: e for e, person in enumerate(self.people)}

    @cached_property
    def contract_of(self) -> tuple[Contract, ...]:
        """The contract of each person."""
        found = {contract.key: contract for contract in self.contracts}
        return tuple(found[person.contract] for person in self.people)

    @cached_property
    def past_of(self) -> tuple[Past, ...]:
        """What each person brings."""
        found = {past.person: past for past in self.past}
        return tuple(found.get(person.key, Past(person.key)) for person in self.people)

    @cached_property
    def skills(self) -> tuple[str, ...]:
        """The skills that a demand asks for, in order."""
        return tuple(dict.fromkeys(demand.skill for demand in self.demands if demand.skill is not None))

    @cached_property
    def barred(self) -> "dict[str, dict[tuple[int, int], set[tuple[int, int]]]]":
        """By contract and (shift, days later): the shifts that must not follow, with whether it is rest (1) or not."""
        found: dict[str, dict[tuple[int, int], set[tuple[int, int]]]] = {}
        for contract in self.contracts:
            pairs = found[contract.key] = {}
            for k, shift in enumerate(self.shifts):
                for j, other in enumerate(self.shifts):
                    if other.key in shift.not_next:
                        pairs.setdefault((k, 1), set()).add((j, 0))
                        continue
                    for later in (1, 2, 3):
                        if contract.rests_less(shift, other, later):
                            pairs.setdefault((k, later), set()).add((j, 1))
        return found

    def weekday(self, day: int) -> int:
        """0 is Monday."""
        return (self.start.weekday() + day) % 7

    def date(self, day: int) -> date:
        """The date of a day."""
        return self.start + timedelta(days=day)

    def saturdays(self, first: int = 0) -> list[int]:
        """Days from ``first`` - 1 on that begin a weekend with a day in the horizon."""
        return [day for day in range(first - 1, self.days) if self.weekday(day) == 5]

    @property
    def cells(self) -> int:
        """People times days times shifts: how large it is."""
        return len(self.people) * self.days * len(self.shifts)

    def asked(self, request: Request) -> range:
        """The days of a request within the horizon."""
        return range(max(0, request.first), min(self.days, request.last + 1))
