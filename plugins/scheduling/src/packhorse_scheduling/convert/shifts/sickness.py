"""roster-sickness (2022) of the MiniZinc Challenge as a ward: who takes the shifts that sick people leave.

All that is held stays. A window is the hours of any shift: who holds a shift that overlaps it takes nothing in it, and
everybody else at most one shift. A day of the ward is a set of shifts of which nobody takes two. A shift that nobody
takes costs more than all else; each unit of time by which somebody's sum differs from their contract costs 1. The
model's objective is the price of one shift times the number of all shifts, less that cost.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from packhorse_scheduling.convert.shifts.curtois import A_MONDAY
from packhorse_scheduling.convert.shifts.dzn import Data
from packhorse_scheduling.domain.wards.question import (
    EITHER,
    HOUR,
    OFF,
    Contract,
    Demand,
    Fixed,
    Past,
    Person,
    Request,
    Sequence,
    Shift,
    Ward,
)
from packhorse_scheduling.errors import invalid

MOST_PEOPLE, MOST_SHIFTS, LATEST = 300, 5000, 1_000_000


class _Hours(NamedTuple):
    start: int
    stop: int

    def overlaps(self, other: "_Hours") -> bool:
        return self.start < other.stop and other.start < self.stop


class _Kind(NamedTuple):
    hours: _Hours
    expertise: int

    @property
    def key(self) -> str:
        return f"{self.hours.start}-{self.hours.stop}e{self.expertise}"


def sickness_from(data: Data) -> Ward:
    """The ward of a data file of roster-sickness: people e1, e2, ..., shifts START-STOPeEXPERTISE in units of time."""
    return _Sickness(data).ward()


class _Sickness:
    def __init__(self, data: Data) -> None:
        self.data = data
        people, shifts = data.whole("n_employees", 1, MOST_PEOPLE), data.whole("n_shifts", 1, MOST_SHIFTS)
        self.contracts: list[int] = data.array("contract", people)
        self.skills: list[frozenset[int]] = data.array("employee_expertises", people, frozenset)
        times = (data.array(name, shifts) for name in ("start_time", "stop_time"))
        self.hours = [_Hours(*pair) for pair in zip(*times, strict=True)]
        per_hour = data.whole("time_units_per_hour", 1, HOUR)
        if HOUR % per_hour or any(not 0 <= one.start < one.stop <= LATEST for one in self.hours):
            words = "a shift begins at 0 or later and before it stops, and a unit of time is whole seconds"
            raise invalid(data.source, f"{data.source}: {words}.")
        if any(not 0 <= contract <= LATEST for contract in self.contracts):
            raise invalid(data.source, f"{data.source}: contract is from 0 to {LATEST:,} for each person.")
        self.unit = HOUR // per_hour
        held = data.array("is_assigned", people * shifts, bool)
        self.held = [[s for s in range(shifts) if held[e * shifts + s]] for e in range(people)]
        taken = {s for those in self.held for s in those}
        needed = data.array("req_expertise", shifts)
        self.open = Counter(_Kind(self.hours[s], needed[s]) for s in range(shifts) if s not in taken)
        self.windows = sorted(set(self.hours))
        self.days = list(self._days())

    def _one_of(self, a: _Kind, b: _Kind) -> bool:
        """Whether nobody takes both."""
        return any(window.overlaps(a.hours) and window.overlaps(b.hours) for window in self.windows)

    def _days(self) -> Iterator[list[_Kind]]:
        left = sorted(self.open)
        while left:
            day: list[_Kind] = []
            for kind in left:
                if all(self._one_of(kind, other) for other in day):
                    day.append(kind)
            yield day
            left = [kind for kind in left if kind not in day]

    def ward(self) -> Ward:
        if not self.days:
            raise invalid(self.data.source, f"{self.data.source}: no shift is open.")
        keys = [f"e{e + 1}" for e in range(len(self.contracts))]
        kinds = [kind for day in self.days for kind in day]
        longest = max(one.stop - one.start for one in self.hours)
        price = 1 + max(*self.contracts, longest)
        return Ward(
            start=A_MONDAY,
            days=len(self.days),
            shifts=tuple(self._shift(kind) for kind in kinds),
            contracts=tuple(
                Contract(key, hours=(self.unit * units, self.unit * units), weights={"hours": 1})
                for key, units in zip(keys, self.contracts, strict=True)
            ),
            people=tuple(
                Person(key, key, skills=tuple(map(str, sorted(skills))))
                for key, skills in zip(keys, self.skills, strict=True)
            ),
            demands=tuple(
                Demand(d, (kind.key,), wished=self.open[kind], most=self.open[kind], under=price)
                if kind in day
                else Demand(d, (kind.key,), most=0)
                for d, day in enumerate(self.days)
                for kind in kinds
            ),
            requests=tuple(request for e, key in enumerate(keys) for request in self._barred(e, key)),
            fixed=tuple(fixed for e, key in enumerate(keys) for fixed in self._away(e, key)),
            sequences=tuple(self._sequences()),
            past=tuple(
                Past(key, used={"hours": self.unit * sum(self.hours[s].stop - self.hours[s].start for s in those)})
                for key, those in zip(keys, self.held, strict=True)
            ),
            hours_step=self.unit,
            name=self.data.source,
        )

    def _shift(self, kind: _Kind) -> Shift:
        start, stop = (self.unit * time for time in kind.hours)
        return Shift(kind.key, stop - start, start // 60, stop // 60, needs=str(kind.expertise))

    def _may_take(self, e: int) -> set[_Kind]:
        held = {self.hours[s] for s in self.held[e]}
        closed = [window for window in self.windows if any(window.overlaps(one) for one in held)]
        return {kind for kind in self.open if not any(window.overlaps(kind.hours) for window in closed)}

    def _away(self, e: int, key: str) -> Iterator[Fixed]:
        may = self._may_take(e)
        return (Fixed(key, d, OFF) for d, day in enumerate(self.days) if not may & set(day))

    def _barred(self, e: int, key: str) -> Iterator[Request]:
        may = self._may_take(e)
        for d, day in enumerate(self.days):
            if may & set(day):
                yield from (Request(key, d, d, kind.key, wanted=False) for kind in day if kind not in may)

    def _sequences(self) -> Iterator[Sequence]:
        day_of = {kind: d for d, day in enumerate(self.days) for kind in day}
        pairs = ((a, b) for a, b in combinations(day_of, 2) if day_of[a] != day_of[b] and self._one_of(a, b))
        for a, b in pairs:
            between = (EITHER,) * (day_of[b] - day_of[a] - 1)
            yield Sequence((a.key, *between, b.key), days=frozenset({day_of[a]}))
