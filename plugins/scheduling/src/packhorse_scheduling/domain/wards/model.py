"""A ward, or some cells of its roster, as a CP-SAT model: the board that makes constraints of rules."""

import threading
from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.wards.question import REST, TOTALS, Rule, Span, Ward
from packhorse_scheduling.domain.wards.roster import Roster, cycle, empty, past_cells
from packhorse_scheduling.domain.wards.rules import Lit, Terms, post, post_cover

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.wards.roster import Grid

LEAST_SHORT = 1000
POLL = 0.02
"""Seconds between two looks at the clock while the solver runs."""


def short_price(ward: Ward) -> int:
    """The price of one below the least that is needed: above what keeping it could cost in a few soft rules."""
    weights = [0, *(weight for contract in ward.contracts for weight in contract.weights.values())]
    weights += [request.weight or 0 for request in ward.requests]
    weights += [sequence.weight or 0 for sequence in ward.sequences]
    weights += [max(demand.under, demand.over) for demand in ward.demands]
    weights += [fair.weight for fair in ward.fair] + [used.weight for used in ward.used]
    return max(LEAST_SHORT, 10 * max(weights))


HARD_TO_SHORT = 10
"""The price of one unit of a hard rule broken, in people missing."""


@frozen(eq=False)
class Solved:
    """What the solver gave: a roster or None, a bound of the model's objective, and what is proven."""

    roster: Roster | None
    bound: float
    optimal: bool
    infeasible: bool


class Model:
    """The model with ``free`` cells [people, days] open and the others as in ``base``; all are open by default.

    ``elastic`` are hard rules that may be broken at a high price ("all": every one but skills); the least that is
    needed may always be missed at `short_price`, unless ``strict``. ``soft`` False leaves out what soft rules cost,
    ``skip`` these rules. ``roles`` opens the skills of cells that are not free. ``pace``: the days are so many of the
    days that are left of a horizon, and totals of people get that share of what is left of them.
    """

    def __init__(
        self,
        ward: Ward,
        base: Roster | None = None,
        free: "Any | None" = None,
        *,
        elastic: Collection[str] = (),
        strict: bool = False,
        soft: bool = True,
        roles: bool = False,
        skip: Collection[str] = (),
        pace: tuple[int, int] | None = None,
    ) -> None:
        self.ward, self.base = ward, base or empty(ward)
        shape = (len(ward.people), ward.days)
        self.free = np.ones(shape, dtype=bool) if free is None else free
        self.elastic, self.strict, self.soft = frozenset(elastic), strict, soft
        self.free_roles, self.skip, self.pace = roles, frozenset(skip), pace
        self.short = short_price(ward)
        self.hard = HARD_TO_SHORT * self.short
        self.model = cp_model.CpModel()
        self.costs: list[tuple[Any, int]] = []
        self.constant = 0
        self._ands: dict[tuple[int, ...], Lit] = {}
        self.x: dict[tuple[int, int, int], cp_model.IntVar] = {}
        self.r: dict[tuple[int, int, int, int], Lit] = {}
        self._cells()
        self.people = np.flatnonzero(self.free.any(axis=1)).tolist()
        if ward.cyclic:  # a person's days are also the past of others
            self.people = list(range(shape[0]))
        post(ward, self, self.people)
        post_cover(ward, self)

    def _cells(self) -> None:
        ward, duty = self.ward, self.base.duty.tolist()
        shifts, size = range(len(ward.shifts)), len(ward.people)
        asked: dict[tuple[int, int], list[int]] = {}
        skill_of = {skill: s for s, skill in enumerate(ward.skills)}
        for demand in ward.demands:
            if demand.skill is not None:
                for key in demand.shifts:
                    skills = asked.setdefault((demand.day, ward.shift_of[key]), [])
                    if skill_of[demand.skill] not in skills:
                        skills.append(skill_of[demand.skill])
        able = [{skill_of[skill] for skill in person.skills if skill in skill_of} for person in ward.people]
        self.cell: list[list[list[Lit]]] = []
        self.work: list[list[Lit]] = []
        for e in range(size):
            self.cell.append([])
            self.work.append([])
            for d in range(ward.days):
                if self.free[e, d]:
                    there: list[Lit] = [self._bool() for _ in shifts]
                    for k in shifts:
                        self.x[e, d, k] = there[k]
                    works = there[0] if len(there) == 1 else self._bool()
                    if len(there) > 1:
                        self.model.add_exactly_one([*there, works.negated()])
                else:
                    there = [int(duty[e][d] == k) for k in shifts]
                    works = int(duty[e][d] != REST)
                self.cell[e].append(there)
                self.work[e].append(works)
                for k in shifts:
                    self._roles(e, d, k, there[k], [s for s in asked.get((d, k), ()) if s in able[e]])
        if ward.cyclic:
            self.before = [[self.cell[o][d] for o in cycle(ward, e) for d in range(ward.days)] for e in range(size)]
            self.before_work = [
                [self.work[o][d] for o in cycle(ward, e) for d in range(ward.days)] for e in range(size)
            ]
        else:
            past = [past_cells(ward, e) for e in range(size)]
            self.before = [[[int(k == j) for j in shifts] for k in row] for row in past]
            self.before_work = [[int(k != REST) for k in row] for row in past]

    def _roles(self, e: int, d: int, k: int, on: Lit, skills: Sequence[int]) -> None:
        """Who works a shift counts there for one of the skills that are asked for."""
        if len(skills) == 1:
            self.r[e, d, k, skills[0]] = on
        elif skills and isinstance(on, int) and not (on and self.free_roles):
            self.r |= {(e, d, k, s): int(on and self.base.role[e, d] == s) for s in skills}
        elif skills:
            those = [self._bool() for _ in skills]
            self.model.add_exactly_one(those if isinstance(on, int) else [*those, on.negated()])
            self.r |= {(e, d, k, s): lit for s, lit in zip(skills, those, strict=True)}

    def _bool(self) -> cp_model.IntVar:
        return self.model.new_bool_var("")

    def first(self, e: int) -> int:
        return -len(self.before[e])

    def on(self, e: int, d: int, k: int) -> Lit:
        return self.cell[e][d][k] if d >= 0 else self.before[e][d][k]

    def works(self, e: int, d: int) -> Lit:
        return self.work[e][d] if d >= 0 else self.before_work[e][d]

    def role(self, e: int, d: int, k: int, s: int) -> Lit:
        return self.r.get((e, d, k, s), 0)

    def no(self, lit: Lit) -> Lit:
        return 1 - lit if isinstance(lit, int) else lit.negated()

    def all_of(self, lits: Sequence[Lit]) -> Lit:
        if any(isinstance(lit, int) and not lit for lit in lits):
            return 0
        open_ = [lit for lit in lits if not isinstance(lit, int)]
        if len(open_) <= 1:
            return open_[0] if open_ else 1
        key = tuple(lit.index for lit in open_)
        if key not in self._ands:
            both = self._ands[key] = self._bool()
            self.model.add_bool_or([both, *(lit.negated() for lit in open_)])
            for lit in open_:
                self.model.add_implication(both, lit)
        return self._ands[key]

    def _price(self, rule: Rule, weight: int | None) -> int | None:
        """What a unit costs here; None is a constraint."""
        if rule in self.skip:
            return 0
        if weight is not None:
            return weight if self.soft else 0
        if rule == "least":
            return None if self.strict else self.short
        if rule != "skill" and (rule in self.elastic or "all" in self.elastic):
            return self.hard
        return None

    def charge(self, lit: Lit, cost: int) -> None:
        """What holds when this literal does."""
        if isinstance(lit, int):
            self.constant += lit * cost
        else:
            self.costs.append((lit, cost))

    def forbid(
        self, rule: Rule, e: int, d: int, lits: Sequence[Lit], weight: int | None, amount: int = 1, what: str = ""
    ) -> None:
        price = self._price(rule, weight)
        if price == 0 or any(isinstance(lit, int) and not lit for lit in lits):
            return
        open_ = [lit for lit in lits if not isinstance(lit, int)]
        if price is None:
            self.model.add_bool_or([lit.negated() for lit in open_])
        elif len(open_) <= 1:
            self.charge(open_[0] if open_ else 1, price * amount)
        else:
            charged = self._bool()
            self.model.add_bool_or([*(lit.negated() for lit in open_), charged])
            self.costs.append((charged, price * amount))

    def clash(
        self, rule: Rule, e: int, d: int, one: Lit, others: Sequence[Lit], weight: int | None, after: str = ""
    ) -> None:
        there = [lit for lit in others if not isinstance(lit, int) or lit]
        if self._price(rule, weight) is None and not any(isinstance(lit, int) for lit in (one, *there)):
            if there:
                self.model.add_at_most_one([one, *there])
            return
        for lit in there:
            self.forbid(rule, e, d, [one, lit], weight)

    def bound(
        self, rule: Rule, e: int | None, d: int, terms: Terms, span: Span, weight: int | None, unit: int = 1,
        what: str = "",
    ) -> None:  # fmt: skip
        price = self._price(rule, weight)
        if price == 0:
            return
        total, low, high = self._sum(terms)
        least, most = span
        if self.pace is not None and e is not None and rule in TOTALS:
            here, left = self.pace
            used = sum(n for lit, n in terms if isinstance(lit, int) and lit)
            least = None if least is None else used + max(0, (least - used) * here // left)
            most = None if most is None else used + max(0, -((used - most) * here // left))
        if least is not None and low < least:
            self._limit(-1 * total, -least, least - low, price, unit)
        if most is not None and high > most:
            self._limit(total, most, high - most, price, unit)

    def _limit(self, total: Any, most: int, worst: int, price: int | None, unit: int) -> None:
        """The total is at most ``most``, or each started unit beyond costs the price."""
        if price is None:
            self.model.add(total <= most) if not isinstance(total, int) else self.model.add_bool_or([])
            return
        beyond = self.model.new_int_var(0, -(-worst // unit), "")
        self.model.add(total - unit * beyond <= most)
        self.costs.append((beyond, price))

    def _sum(self, terms: Terms) -> tuple[Any, int, int]:
        """A sum with its least and its largest value."""
        constant = sum(lit * n for lit, n in terms if isinstance(lit, int))
        open_ = [(lit, n) for lit, n in terms if not isinstance(lit, int)]
        low = constant + sum(min(0, n) for _, n in open_)
        high = constant + sum(max(0, n) for _, n in open_)
        if not open_:
            return constant, constant, constant
        total = cp_model.LinearExpr.weighted_sum([lit for lit, _ in open_], [n for _, n in open_]) + constant
        return total, low, high

    def spread(self, sums: Sequence[tuple[Terms, int, int]], weight: int, what: str) -> None:
        if not self.soft:
            return
        values = [
            ((total + carried), low + carried, high + carried, share)
            for (total, low, high), carried, share in (
                (self._sum(terms), carried, share) for terms, carried, share in sums
            )
        ]
        shares = {share for *_, share in values}
        worst = max(abs(low) + abs(high) for _, low, high, _ in values) * max(shares)
        differ = self.model.new_int_var(0, worst // 50 + 1, "")
        self.costs.append((differ, weight))
        if len(shares) == 1:
            share = shares.pop()
            least, most = min(low for _, low, _, _ in values), max(high for _, _, high, _ in values)
            lowest, highest = (self.model.new_int_var(least, most, "") for _ in range(2))
            for total, *_ in values:
                self.model.add(lowest <= total)
                self.model.add(highest >= total)
            self.model.add(100 * differ >= share * (highest - lowest))
            return
        for (one, _, _, share), (other, _, _, their) in combinations(values, 2):
            if not (isinstance(one, int) and isinstance(other, int)):
                self.model.add(100 * differ >= share * other - their * one)
                self.model.add(100 * differ >= their * one - share * other)

    def change_from(self, roster: Roster, cost: int) -> None:
        """Each cell that differs from this roster costs so much."""
        for (e, d, k), lit in self.x.items():
            if roster.duty[e, d] == k:
                self.costs.append((lit.negated(), cost))
        for e, d in np.argwhere(self.free & (roster.duty == REST)).tolist():
            self.charge(self.work[e][d], cost)

    def hint(self, roster: Roster) -> None:
        """Start from this roster."""
        for (e, d, k), lit in self.x.items():
            self.model.add_hint(lit, bool(roster.duty[e, d] == k))
        for (e, d, k, s), lit in self.r.items():
            if not isinstance(lit, int) and lit is not self.cell[e][d][k]:
                self.model.add_hint(lit, bool(roster.duty[e, d] == k and roster.role[e, d] == s))

    def solve(
        self,
        budget: "Budget",
        *,
        seed: int = 1,
        workers: int = 1,
        relaxation: int = 2,
        found: Callable[[Roster, float], None] = lambda roster, bound: None,
    ) -> Solved:
        """Search until the budget ends; ``relaxation`` is how much of the model goes into the linear one (0 to 2)."""
        self.model.minimize(
            cp_model.LinearExpr.weighted_sum([lit for lit, _ in self.costs], [w for _, w in self.costs])
            if self.costs
            else 0
        )
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = workers
        parameters.random_seed = seed
        if workers == 1:
            parameters.linearization_level = relaxation
        over = threading.Event()

        def watch() -> None:
            while not over.wait(POLL):
                if budget.left <= 0:  # again and again: a stop before the search has begun is lost
                    solver.stop_search()

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            status = solver.solve(self.model, _Watch(self, found))
        finally:
            over.set()
            watching.join()
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            roster = self.filled(lambda lit: bool(solver.boolean_value(lit)))
            return Solved(
                roster, solver.best_objective_bound + self.constant, status == cp_model.OPTIMAL, infeasible=False
            )
        known = status == cp_model.UNKNOWN and self.costs
        bound = solver.best_objective_bound + self.constant if known else -np.inf
        return Solved(None, bound, optimal=False, infeasible=status == cp_model.INFEASIBLE)

    def filled(self, value: Callable[[cp_model.IntVar], bool]) -> Roster:
        """The roster with the open cells as the solver has them."""
        duty: Grid = np.where(self.free, REST, self.base.duty).astype(np.int16)
        role: Grid = np.full_like(duty, REST)
        for (e, d, k), lit in self.x.items():
            if value(lit):
                duty[e, d] = k
        for (e, d, _, s), lit in self.r.items():
            if lit if isinstance(lit, int) else value(lit):
                role[e, d] = s
        return Roster(duty, role)


class _Watch(cp_model.CpSolverSolutionCallback):
    """Reports rosters as they are found."""

    def __init__(self, model: Model, found: Callable[[Roster, float], None]) -> None:
        super().__init__()
        self._model, self._found = model, found

    def on_solution_callback(self) -> None:
        roster = self._model.filled(lambda lit: bool(self.boolean_value(lit)))
        self._found(roster, self.best_objective_bound + self._model.constant)
