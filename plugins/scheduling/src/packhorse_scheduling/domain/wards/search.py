"""The search for a ward's best roster: a roster soon, a bound always, both better with time.

Where people have only hard limits, whole patterns are priced (`domain.shifts`). Else: the whole as one model, where it
is small or has rules over all days that no week shows; a bound; a first roster, week by week with the next in view;
and neighbourhoods until the time is over.
"""

import math
import time
from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.shifts.turns import Turns
from packhorse_scheduling.domain.wards.model import HARD_TO_SHORT, Model, Solved, short_price
from packhorse_scheduling.domain.wards.parts import part, weeks
from packhorse_scheduling.domain.wards.patterns import as_problem
from packhorse_scheduling.domain.wards.question import NO_LIMIT, TOTALS, Ward
from packhorse_scheduling.domain.wards.repair import with_roles
from packhorse_scheduling.domain.wards.roster import Breach, Count, Roster, count, count_cover, count_people, empty

Status = Literal["optimal", "feasible", "short", "broken"]
Told = Callable[[int | None, int], None]


@frozen(eq=False)
class Outcome:
    """A roster, what it breaks and costs, and what no lawful roster can cost less than.

    ``proven``: there is no better roster; of one that is short or breaks hard rules, none that is or does less.
    """

    roster: Roster
    count: Count
    bound: int
    proven: bool
    seconds: float
    cpu_seconds: float

    @property
    def objective(self) -> int:
        """What soft rules cost."""
        return self.count.cost

    @property
    def status(self) -> Status:
        """Breaks a hard rule, misses the least that is needed, is lawful, or is lawful and proven to be the best."""
        if self.count.hard:
            return "broken"
        if self.count.short:
            return "short"
        return "optimal" if self.proven or self.objective <= self.bound else "feasible"

    @property
    def gap(self) -> float:
        """(objective - bound) / objective."""
        return max(0, self.objective - self.bound) / max(1, self.objective)


def solve(
    ward: Ward,
    cpu_seconds: float,
    *,
    seed: int = 1,
    told: Told = lambda objective, bound: None,
    cancelled: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.process_time,
) -> Outcome:
    """The best roster found in so many processor seconds.

    Raises:
        NoPatternError: somebody's own limits cannot be met (where patterns are priced).
    """
    problem = as_problem(ward)
    began = time.monotonic()
    if problem is not None:
        from packhorse_scheduling.domain.shifts.engine import solve as priced

        outcome = priced(problem, cpu_seconds, seed=seed, told=told, cancelled=cancelled, clock=clock)
        roster = Roster(np.array(outcome.roster, dtype=np.int16), empty(ward).role)
        proven = outcome.status == "optimal"
        return Outcome(roster, count(ward, roster), outcome.bound, proven, outcome.seconds, outcome.cpu_seconds)
    search = Search(ward, Budget(cpu_seconds, clock, cancelled), seed, told)
    search.run()
    best = search.best
    bound = search.bound if best.hard or best.short else min(search.bound, best.cost)
    proven = search.none_is_lawful if best.hard or best.short else search.proven
    return Outcome(search.roster, best, bound, proven, time.monotonic() - began, search.budget.spent)


class Search:
    """What is done in which order, and for how long."""

    def __init__(self, ward: Ward, budget: Budget, seed: int, told: Told) -> None:
        self.ward, self.budget, self.told = ward, budget, told
        self.rng = np.random.default_rng(seed)
        self.short = short_price(ward)
        self.bound, self.settled, self.least_worth = 0, False, 0
        self.roster = empty(ward)
        self.of_people: list[list[Breach]] = []
        self.of_cover: list[Breach] = []
        self._take(self.roster, range(len(ward.people)))

    def run(self) -> None:
        """Until the time is over or the roster is proven."""
        cyclic = self.ward.cyclic
        if self._is_for_one_model():
            self._whole()
        if not self.is_over():
            self._bounds(self.budget.part(tuning.BOUNDS))
        if (self.best.hard or self.best.short) and not self.is_over():
            if self._has_hard_totals():
                self._lawful(self.budget.part(tuning.LAWFUL))
            elif not cyclic:
                self._rolling(tuning.ROLLED * self.budget.seconds)
        neighbourhoods = Neighbourhoods(self)
        while not self.is_over():
            neighbourhoods.next()
        if (self.best.hard or self.best.short) and not self.settled and not self.budget.cancelled():
            self._lawful(Budget(tuning.WHY, self.budget.clock, self.budget.cancelled))
        if self.of_cover and not self.proven and not self.budget.cancelled():
            # A neighbourhood leaves the skills that are worked with outside of it as they were.
            self.offer(with_roles(self.ward, self.roster.duty.tolist()))

    def _is_for_one_model(self) -> bool:
        """Whether the ward is small, or medium with rules over all its days that cost."""
        ward = self.ward
        over_all = ward.fair or ward.used or any(one.place_changes is not None for one in ward.contracts)
        return bool(ward.cyclic or ward.cells <= (tuning.WHOLE_OVER_ALL if over_all else tuning.WHOLE))

    def _has_hard_totals(self) -> bool:
        """Whether a total over the horizon is hard: weeks one after another could end outside it."""
        names = ("hours", "shifts", "weekends", "shift_most", "place_changes", "departments")
        return any(
            getattr(contract, name) not in (None, NO_LIMIT, {}) and name not in contract.weights
            for contract in self.ward.contracts
            for name in names
        )

    def _lawful(self, budget: Budget) -> None:
        """As few people short and hard rules broken as can be, whatever soft rules cost."""
        model = Model(self.ward, elastic=("all",), soft=False)
        model.hint(self.roster)
        solved = model.solve(budget, workers=tuning.WORKERS)
        if solved.roster is not None:
            if solved.optimal and solved.bound > 0:
                self.least_worth = round(solved.bound)
            self.offer(solved.roster)

    @property
    def best(self) -> Count:
        """The count of the roster."""
        return Count((*(breach for those in self.of_people for breach in those), *self.of_cover))

    @property
    def objective(self) -> int:
        """What the search goes by: the cost, and the prices of what is short or broken."""
        best = self.best
        broken = sum(breach.amount for breach in best.hard)
        return best.cost + self.short * (best.short + HARD_TO_SHORT * broken)

    @property
    def proven(self) -> bool:
        """Whether there is no better roster."""
        return self.settled or self.objective <= self.bound

    @property
    def none_is_lawful(self) -> bool:
        """Whether it is proven that every roster is as short, or breaks as much, as this one."""
        return self.settled or 0 < self.least_worth == self.objective - self.best.cost

    def is_over(self) -> bool:
        """Whether to stop."""
        return self.proven or self.budget.left <= 0

    def _take(self, roster: Roster, people: "range | list[int]") -> None:
        """Count what these people's new days break."""
        if len(people) == len(self.ward.people) or self.ward.cyclic:
            self.of_people = [[] for _ in self.ward.people]
            people = range(len(self.ward.people))
        for e in people:
            self.of_people[e] = []
        for breach in count_people(self.ward, roster, people):
            self.of_people[breach.person or 0].append(breach)
        self.of_cover = count_cover(self.ward, roster)
        self.roster = roster

    def offer(self, roster: Roster, people: "range | list[int] | None" = None) -> bool:
        """Take a roster that is not worse; whether it is better."""
        before, kept = self.objective, (self.roster, list(self.of_people), self.of_cover)
        self._take(roster, range(len(self.ward.people)) if people is None else people)
        if self.objective > before:
            self.roster, self.of_people, self.of_cover = kept
            return False
        if self.objective < before:
            self._tell()
        return self.objective < before

    def raise_bound(self, value: float) -> None:
        """A lower bound was found; costs are whole."""
        if np.isfinite(value) and math.ceil(value - 1e-4) > self.bound:
            self.bound = math.ceil(value - 1e-4)
            self._tell()

    def _tell(self) -> None:
        self.told(None if self.best.hard or self.best.short else self.best.cost, self.bound)

    def _bounds(self, budget: Budget) -> None:
        """By the linear relaxation of the whole, or else of the weeks each on its own: their sum is a bound."""
        solved = Model(self.ward, strict=True).solve(budget)
        self.raise_bound(solved.bound)
        if solved.roster is not None:
            self.offer(solved.roster)
            self.settled = solved.optimal
        if self.bound > 0 or self.settled or solved.infeasible or self.ward.cyclic:
            return
        until = self.budget.spent + budget.seconds
        parts, total = weeks(self.ward), 0.0
        for i, (first, end) in enumerate(parts):
            share = Budget(max(0.1, (until - self.budget.spent) / (len(parts) - i)), self.budget.clock)
            alone = part(self.ward, first, end, self.roster if first == 0 else None)
            solved = Model(alone, strict=True, skip=TOTALS).solve(share, seed=1)
            total += max(0.0, solved.bound)
        self.raise_bound(total)

    def _rolling(self, until: float) -> None:
        """Week after week, each with the next in view; totals keep an even pace."""
        ward, parts = self.ward, weeks(self.ward)
        duty, role = self.roster.duty.copy(), self.roster.role.copy()
        for i, (first, _) in enumerate(parts):
            seen = parts[min(i + 1, len(parts) - 1)][1]
            question = part(ward, first, seen, Roster(duty, role))
            share = (until - self.budget.spent) / (len(parts) - i)
            solved = self._first(question, (seen - first, ward.days - first), share)
            if solved.roster is None:
                break
            duty[:, first:seen], role[:, first:seen] = solved.roster.duty, solved.roster.role
        self.offer(Roster(duty, role))

    def _first(self, question: Ward, pace: tuple[int, int], seconds: float) -> Solved:
        """A roster of some days: all rules but totals kept, or else as few broken as can be."""
        workers = tuning.ROLLING_WORKERS
        model = Model(question, elastic=TOTALS, pace=pace)
        solved = model.solve(self._time(seconds), workers=workers)
        if solved.infeasible:
            model = Model(question, elastic=("all",), pace=pace)
            solved = model.solve(self._time(seconds), workers=workers)
        if solved.roster is None:
            return model.solve(self._time(min(tuning.PATIENCE, self.budget.left)), workers=workers)
        return solved

    def _time(self, seconds: float) -> Budget:
        return Budget(max(0.1, seconds), self.budget.clock, self.budget.cancelled)

    def _whole(self) -> None:
        """One model of everything, with several workers: a lawful roster, then the best; else the fewest breaches.

        What costs is left out until there is a roster: with it, one is found late or never.
        """
        budget = self.budget.part(tuning.WHOLE_SHARE)
        lawful = Model(self.ward, strict=True, soft=False)
        first = lawful.solve(budget.part(tuning.FIRST), workers=tuning.WORKERS)
        if first.roster is not None:
            self.offer(first.roster)
        model = Model(self.ward, strict=True) if not first.infeasible else Model(self.ward, elastic=("all",))
        model.hint(self.roster)
        solved = model.solve(budget, workers=tuning.WORKERS, found=self._while_whole)
        self.raise_bound(solved.bound)
        if solved.roster is not None:
            self.offer(solved.roster)
            self.settled = solved.optimal

    def _while_whole(self, roster: Roster, bound: float) -> None:
        self.raise_bound(bound)
        self.offer(roster)


class Neighbourhoods:
    """Large neighbourhood search: the solver decides some cells again, the others stay."""

    def __init__(self, search: Search) -> None:
        self.search, self.ward = search, search.ward
        size = len(self.ward.people)
        days = float(np.clip(tuning.DAY_CELLS / size, 3, 14))
        self.size = {"weeks": 6.0, "people": 3.0, "days": days, "trouble": max(4.0, 0.25 * size)}
        self.turns = Turns(tuple(self.size))

    def next(self) -> None:
        """One neighbourhood."""
        search = self.search
        kind = self.turns.next(search.rng)
        self.turns.take(kind, partial(self._neighbourhood, kind), search, search.budget)  # type: ignore[arg-type]

    def _neighbourhood(self, kind: str) -> None:
        search, ward = self.search, self.ward
        people, (first, end) = self._free(kind)
        free = np.zeros((len(ward.people), ward.days), dtype=bool)
        free[np.asarray(people, dtype=int), first:end] = True
        elastic = ("all",) if any(breach.rule not in TOTALS for breach in search.best.hard) else TOTALS
        model = Model(ward, search.roster, free, elastic=elastic)
        model.hint(search.roster)
        budget = Budget(min(tuning.NEIGHBOURHOOD, search.budget.left), search.budget.clock, search.budget.cancelled)
        solved = model.solve(budget, seed=int(search.rng.integers(1 << 30)))
        if solved.roster is not None:
            search.offer(solved.roster, people)
        if solved.optimal:
            self.size[kind] += 1 if budget.spent < tuning.NEIGHBOURHOOD / 2 else 0
            if free.all():
                search.settled = True
        else:
            self.size[kind] = max(2.0, self.size[kind] - 1)

    def _free(self, kind: str) -> tuple[list[int], tuple[int, int]]:
        """Whose cells, and of which days, are opened."""
        ward, rng = self.ward, self.search.rng
        everybody = len(ward.people)
        number = round(self.size[kind])
        if kind == "people":
            return self._costly_people(min(everybody, number)), (0, ward.days)
        if kind == "days":
            return list(range(everybody)), self._around(self._day(), number)
        if kind == "trouble":
            return self._costly_people(min(everybody, max(3, number))), self._around(self._day(), 10)
        some = rng.permutation(everybody)[: min(everybody, number)].tolist()
        return some, self._around(int(rng.integers(ward.days)), 14)

    def _around(self, day: int, length: int) -> tuple[int, int]:
        first = max(0, min(day - length // 2, self.ward.days - length))
        return first, min(self.ward.days, first + max(2, length))

    def _day(self) -> int:
        """A day, the likelier the more is broken there."""
        cost = np.full(self.ward.days, 1.0)
        for breach in self.search.best.breaches:
            if breach.day >= 0:
                cost[breach.day] += self._price(breach)
        return int(self.search.rng.choice(self.ward.days, p=cost / cost.sum()))

    def _costly_people(self, number: int) -> list[int]:
        """Some people, the likelier the more their rules cost."""
        cost = np.array([10.0 + sum(map(self._price, those)) for those in self.search.of_people])
        chosen: list[int] = self.search.rng.choice(
            len(cost), size=min(len(cost), number), replace=False, p=cost / cost.sum()
        ).tolist()
        return chosen

    def _price(self, breach: Breach) -> int:
        return breach.cost if breach.weight is not None else self.search.short * breach.amount
