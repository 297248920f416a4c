"""Whose turn it is: every night, weekend and holiday of the year, settled before any half-day.

A fairness that is summed block by block cannot mend an uneven frame. Here the
year's nights, and the residents who work an inpatient service on a weekend or
a holiday, are one model under all rules; half-days then fill what is left. A
weekend is one turn: who has its Saturday has its Sunday.
"""

from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from attrs import define, evolve, field, frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.roster.duties import LONG_ABSENCE, duties, week_of
from packhorse_scheduling.domain.rules.supervision import FACULTY
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.search import Effort, Watch, lone_solver, run
from packhorse_scheduling.domain.solve.wishes import Aims, preferences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from packhorse_scheduling.domain.roster.arrays import Bools, Grid, Ints
    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.domain.rules.posting import Var

NIGHT, WEEKEND, HOLIDAY = 20, 8, 12
"""Per night, weekend or holiday that the person with most has above the one with fewest, within a year of training."""
OVERALL = 6
"""The same among all of a role: evenness within the years alone lets one year take all the nights."""
RUNNING = 6
"""Per weekend right after another."""
CLOSE, NEAR = 15, 4
"""Cost of a second call within so many nights."""
CHANGED = 12
"""Per night, and per weekend or holiday, that is another's in the roster in force."""
SPARED, FILLED = 0.65, 0.75
"""Target shares of half-days: up to the first nobody works a weekend beyond the minimum, from the second on as many do
as there is demand for. Monday to Friday alone is .69 of a year. Our choice."""
SLACKS: tuple[tuple[int, int, int] | None, ...] = ((0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 2, 1), None)
"""By how many nights, weekends and holidays a person may differ from an equal share; None: at a cost."""
SPAN = 56
"""Days whose turns are settled at once where people do not rotate, behind the counts of all before: with everything
open to everybody, a year at once stays far from its best turns."""
FIRST, BETTER, YEAR = 0.5, 2.0, 4000
"""The solver's deterministic units for any turns and for the cheapest, of a year of sixteen residents, which has so
many choices. Where people rotate, the worker on the relaxation proves those in one; eight workers together stayed at
twice the cost after four seconds. Where they do not, it stands still, and the worker on clauses proves a span in .1."""
_RESIDENT = ROLES.index("RESIDENT")


@frozen(eq=False)
class Turns:
    """``decided[role, service, day]``: these evenings and days are settled; ``grid`` has who works them."""

    kernel: "Kernel"
    decided: "Bools"
    grid: "Grid"
    gap: float = 0
    cost: float = 0
    """Of this stage; it is the least there is where the gap is 0."""

    def hold(self, grid: "Grid", held: "Bools") -> None:
        """Write every turn into a roster, and hold it."""
        mine = (self.grid >= 0) & ~held
        grid[mine] = self.grid[mine]
        held |= mine

    def narrow(self, allowed: "Bools") -> "Bools":
        """What is left of ``bool[P, S, D]``: a settled service is nobody else's. A night belongs to its evening."""
        kernel = self.kernel
        mine = np.zeros_like(allowed)
        person, day, half = np.nonzero(self.grid >= 0)
        service = self.grid[person, day, half]
        evening = ~kernel.overnight[service] | (half == 1)
        mine[person[evening], service[evening], day[evening]] = True
        found: Bools = allowed & (mine | ~self.decided[kernel.group])
        return found

    def without(self, first: int, last: int) -> "Turns":
        """All but those that begin on these days."""
        decided, grid = self.decided.copy(), self.grid.copy()
        decided[:, :, first : last + 1] = False
        overnight = self.kernel.overnight
        mornings = overnight[grid[:, first, 0]]
        ends = overnight[grid[:, last, 1]]
        keep = np.where(mornings, grid[:, first, 0], FREE)
        grid[:, first : last + 1] = FREE
        grid[:, first, 0] = keep
        if last + 1 < self.kernel.D:
            grid[ends, last + 1, 0] = FREE
        return Turns(self.kernel, decided, grid, self.gap)


def nobody(kernel: "Kernel") -> Turns:
    """No turns: the half-days decide."""
    return Turns(
        kernel, np.zeros((len(ROLES), kernel.S, kernel.D), bool), np.full((kernel.P, kernel.D, 2), FREE, np.int8)
    )


def settle(
    kernel: "Kernel",
    base: "Grid",
    fixed: "Bools",
    allowed: "Bools",
    days: tuple[int, int],
    effort: Effort,
    aims: Aims,
    cancelled: "Callable[[], bool]",
) -> Turns:
    """The turns of these days (kernel numbers, both included), around what is fixed in ``base``.

    Where neither a roster nor a proof comes in time, nobody is held, and the half-days decide.
    """
    found, grid, fixed = nobody(kernel), base.copy(), fixed.copy()
    for first, last in _spans(kernel, *days):
        part = _settled(kernel, grid, fixed, allowed, (first, last), effort, aims, cancelled)
        if last < days[1]:  # what follows sees these turns, and the night that ends in it
            night = kernel.overnight[part.grid[:, last, 1]]
            part.grid[night, last + 1, 0] = part.grid[night, last, 1]
        part.hold(grid, fixed)
        whole = np.where(part.grid >= 0, part.grid, found.grid).astype(np.int8)
        found = Turns(kernel, found.decided | part.decided, whole, max(found.gap, part.gap), found.cost + part.cost)
    return found


def _spans(kernel: "Kernel", first: int, last: int) -> list[tuple[int, int]]:
    """All days at once where people rotate; else some weeks at a time, each from a Monday on."""
    if kernel.programme.rotations:
        return [(first, last)]
    monday = first - kernel.date_of(first).weekday()
    starts = [first, *range(monday + SPAN, last + 1, SPAN)]
    return list(zip(starts, [*(day - 1 for day in starts[1:]), last], strict=True))


def _settled(
    kernel: "Kernel",
    base: "Grid",
    fixed: "Bools",
    allowed: "Bools",
    days: tuple[int, int],
    effort: Effort,
    aims: Aims,
    cancelled: "Callable[[], bool]",
) -> Turns:
    """The turns of one span."""
    asked, nothing = _asked(kernel, *days), np.zeros(base.shape, bool)
    if not asked.any():
        return nobody(kernel)
    tries: list[tuple[tuple[int, int, int] | None, Bools]] = [(slack, nothing) for slack in SLACKS]
    if aims.was is not None:
        tries = [(None, _standing(kernel, aims.was, fixed, allowed, asked)), (None, nothing)]
    for slack, kept in tries:
        ground = base if aims.was is None else np.where(kept, aims.was, base).astype(np.int8)
        if cancelled():
            break
        model = _TurnModel.of(kernel, ground, fixed | kept, allowed, days, asked)
        model.settle(aims, ground, slack)
        solver = _solved(model, aims, effort, cancelled)
        if solver is not None:
            found = model.turns(solver)
            return evolve(found, grid=np.where(kept, ground, found.grid).astype(np.int8))
    return nobody(kernel)


def _standing(kernel: "Kernel", was: "Grid", fixed: "Bools", allowed: "Bools", asked: "Bools") -> "Bools":
    """The half-days of turns in the roster in force that their person can still have: they stand, if that goes."""
    kept = np.zeros(was.shape, bool)
    for p in range(kernel.P):
        for d in range(kernel.tail, kernel.D):
            s = int(was[p, d, 1])
            if s < 0 or not asked[kernel.group[p], s, d] or not allowed[p, s, d]:
                continue
            halves = [(d, 1), (d + 1, 0)] if kernel.overnight[s] else [(d, 0), (d, 1)]
            halves = [(day, h) for day, h in halves if day < kernel.D]
            if all(was[p, day, h] == s and kernel.wanted[p, s, day, h] and not fixed[p, day, h] for day, h in halves):
                for day, h in halves:
                    kept[p, day, h] = True
    return kept


def _solved(
    model: "_TurnModel", aims: Aims, effort: Effort, cancelled: "Callable[[], bool]"
) -> cp_model.CpSolver | None:
    """First any turns, without a cost; then from there the cheapest. With costs from the start the first takes long."""
    if aims.was is not None:
        model.hint(aims.was)
    relaxed, scale = bool(model.whole.programme.rotations), max(1.0, model.size / YEAR)
    ran = run(model.cp, effort, FIRST * scale, cancelled, ((relaxed, 1), (not relaxed, 4)))
    if not ran.solved:
        return None
    if not model.costs:
        return ran.solver
    model.cp.clear_hints()  # type: ignore[no-untyped-call]
    model.cp.proto.solution_hint.vars.extend(range(len(model.cp.proto.variables)))
    model.cp.proto.solution_hint.values.extend(ran.solver.response_proto.solution)
    model.cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in model.costs], [w for _, w in model.costs]))
    better = lone_solver(effort, BETTER * scale, relaxed=relaxed)
    better.parameters.optimize_with_core = not relaxed
    found = better.solve(model.cp, Watch(cancelled))
    return better if found in (cp_model.OPTIMAL, cp_model.FEASIBLE) else ran.solver


def _asked(kernel: "Kernel", first: int, last: int) -> "Bools":
    """``bool[role, service, day]``: evenings of nights; of residents also inpatient days of weekends and holidays."""
    overnight = kernel.overnight[:-1]
    asked: Bools = kernel.least[:, :, :, 1] > 0
    nights = asked & overnight[None, :, None]
    wards = np.array([service.kind == "inpatient" for service in kernel.programme.services]) & ~overnight
    special = (kernel.weekend | kernel.holiday)[None, None, :]
    ward_days = (kernel.least > 0).all(axis=3) & wards[None, :, None] & special
    ward_days[np.arange(len(ROLES)) != _RESIDENT] = False
    found: Bools = nights | ward_days
    found[:, :, : max(first, kernel.tail)] = found[:, :, last + 1 :] = False
    return found


def _spare(kernel: "Kernel", asked: "Bools") -> "Ints":
    """``int32[role, service, day]``: people beyond the minimum whom a weekend's inpatient service may have."""
    least, most = kernel.least.min(axis=3), kernel.most.min(axis=3)
    taken = asked & ~kernel.overnight[None, :-1, None] & kernel.weekend
    return np.where(taken, np.clip(most - least, 0, least), 0).astype(np.int32)


@define(slots=False, eq=False)
class _TurnModel(Model):
    """The programme with no demand but the turns', as a `Model`: every rule of the programme holds in it."""

    asked: "Bools" = field(kw_only=True)
    whole: "Kernel" = field(kw_only=True)
    wide: "Bools" = field(kw_only=True)
    """All demands, and all that everybody may do."""

    @classmethod
    def of(
        cls, kernel: "Kernel", base: "Grid", fixed: "Bools", allowed: "Bools", days: tuple[int, int], asked: "Bools"
    ) -> "_TurnModel":
        alone = copy(kernel)
        for name in ("rules", "windows", "wanted"):
            alone.__dict__.pop(name, None)
        night = kernel.overnight[:-1]
        mornings = np.zeros_like(asked)
        mornings[:, :, 1:] = asked[:, :, :-1]  # of the nights
        mine = np.stack([np.where(night[None, :, None], mornings, asked), asked], axis=3)
        teaching = np.zeros(kernel.S, bool)
        teaching[~night] = True
        mine[FACULTY, teaching] = True  # whom residents need beside them
        alone.least = np.where(mine, kernel.least, 0).astype(np.int16)
        alone.most = np.where(mine, kernel.most, 0).astype(np.int16)
        turns = allowed & asked[kernel.group]
        persons = np.flatnonzero((turns & alone.wanted.any(axis=3)).any(axis=(1, 2))).tolist()
        known = days[1] if (base[:, days[1] + 1 :, 1] < 0).all() else kernel.D - 1
        return cls(
            alone, base, persons, *days, known, allowed=turns, fixed=fixed, faculty_later=True,
            shortfalls=False, asked=asked, whole=kernel, wide=allowed,
        )  # fmt: skip

    def settle(self, aims: Aims, base: "Grid", slack: tuple[int, int, int] | None) -> None:
        """Every rule, every turn once, enough people left for everything else; then evenness."""
        for rule in self.kernel.rules:
            rule.post(self)
        self._exact()
        self._weekends()
        self._others()
        self._spacing()
        if aims.respect_preferences:
            preferences(self, self.kernel.programme)
        self._even(aims, base, slack)
        if aims.was is not None:
            self._kept(aims.was)

    def turns(self, solver: cp_model.CpSolver) -> Turns:
        """Those of a solution; what it leaves short is not settled."""
        decided = self.asked.copy()
        for var, g, s, d, h in self.short:
            if solver.value(var):
                decided[g, s, d - (h == 0 and self.kernel.overnight[s])] = False
        grid = np.full_like(self.grid, FREE)
        for p in self.persons:
            for d, h, s, v in self.choices(p):
                if solver.boolean_value(v):
                    grid[p, d, h] = s
        cost = solver.objective_value
        return Turns(self.whole, decided, grid, abs(cost - solver.best_objective_bound) / max(1.0, abs(cost)), cost)

    def _exact(self) -> None:
        """No more people than the minimum; on weekends of inpatient services as many again, where demand takes them."""
        spare = _spare(self.whole, self.asked)
        for g in self.groups:
            for s, d in np.argwhere(self.asked[g]).tolist():
                literals, there = self.present(g, s, d, 1)
                if literals:
                    most = int(self.kernel.least[g, s, d, 1]) + int(spare[g, s, d])
                    self.cp.add(cp_model.LinearExpr.sum(literals) <= max(0, most - there))

    def _weekends(self) -> None:
        """Who has one half-day of an inpatient service's weekend or holiday has all of it, where enough can."""
        kernel = self.kernel
        weeks = week_of(kernel)
        parts: dict[tuple[int, int, bool], list[int]] = {}
        for s, d in np.argwhere(self.asked[_RESIDENT]).tolist():
            if not kernel.overnight[s] and self.first <= d <= self.last:
                parts.setdefault((s, int(weeks[d]) if kernel.weekend[d] else -d, bool(kernel.weekend[d])), []).append(d)
        for (s, _, _), days in parts.items():
            cells = {p: [self.cell(p, d, h).get(s) for d in days for h in (0, 1)] for p in self.persons}
            able = [p for p, literals in cells.items() if all(v is not None for v in literals)]
            need = int(kernel.least[_RESIDENT, s, days].max())
            for p, literals in cells.items():
                there = [v for v in literals if v is not None]
                if len(able) > need:
                    for one in there[1:] if p in able else ():
                        self.cp.add(one == there[0])
                    for one in there if p not in able else ():
                        self.cp.add(one == 0)
                else:
                    for d in days:
                        halves = [v for h in (0, 1) if (v := self.cell(p, d, h).get(s)) is not None]
                        if len(halves) == 2:
                            self.cp.add(halves[0] == halves[1])

    def _others(self) -> None:
        """Of those who can do another service, as many stay free as it needs. A night takes the day after it."""
        kernel = self.whole
        seen: set[tuple[int, frozenset[int]]] = set()
        residents = np.flatnonzero(kernel.group == _RESIDENT)
        can = kernel.wanted[residents] & self.wide[residents, :, :, None]
        overnight = set(np.flatnonzero(kernel.overnight[:-1]).tolist())
        for d in range(max(self.first, kernel.tail), self.last + 1):
            for h in (0, 1):
                need = {
                    s: n
                    for s in range(kernel.S)
                    if s not in overnight
                    and (n := int(kernel.least[_RESIDENT, s, d, h]))
                    and not self.asked[_RESIDENT, s, d]
                }
                for group in [(s,) for s in need] + ([tuple(need)] if len(need) > 1 else []):
                    able = residents[can[:, list(group), d, h].any(axis=1)].tolist()
                    busy = self._busy(able, d, h, overnight)
                    room = len(able) - sum(need[s] for s in group)
                    key = room, frozenset(v.index for v in busy)
                    if busy and 0 <= room < len(busy) and key not in seen:
                        seen.add(key)
                        self.cp.add(cp_model.LinearExpr.sum(busy) <= room)

    def _busy(self, people: "Iterable[int]", d: int, h: int, overnight: set[int]) -> "list[Var]":
        found: list[Var] = []
        for p in people:
            found += self.cell(p, d, h).values()
            if h == 1 and d > self.first:
                found += [v for s, v in self.cell(p, d - 1, 1).items() if s in overnight]
        return found

    def _spacing(self) -> None:
        """Calls apart from one another."""
        calls = {s for s, one in enumerate(self.kernel.programme.services) if one.overnight and one.kind == "call"}
        for p in self.persons:
            nights = {d: v for d, h, s, v in self.choices(p) if h == 1 and s in calls}
            for d, v in nights.items():
                for n in range(1, NEAR):
                    other = nights.get(d + n)
                    if other is not None:
                        both = self.cp.new_bool_var("")
                        self.cp.add(v + other <= 1 + both)
                        self.costs.append((both, CLOSE))
                    elif d - n < self.first and int(self.known[p, d - n, 1]) in calls:
                        self.costs.append((v, CLOSE))

    def _even(self, aims: Aims, base: "Grid", slack: tuple[int, int, int] | None) -> None:
        """Nights, weekends and holidays, with what stands in the roster and what is carried from years before."""
        kernel = self.whole
        known = base if self.fixed is None else np.where(self.fixed, base, FREE).astype(np.int8)
        before = duties(kernel, base, self.first, self.last, outside=True)
        if aims.carried is not None:
            before = before + aims.carried
        so_far = before + duties(kernel, known, self.first, self.last)
        overnight = kernel.overnight
        nights = {p: [v for _, h, s, v in self.choices(p) if h == 1 and overnight[s]] for p in self.persons}
        weekends = {p: self._weekends_of(p) for p in self.persons}
        holidays = {
            p: [self._any(on) for d in self._days() if kernel.holiday[d] and (on := self._on(p, d))]
            for p in self.persons
        }
        places = np.where(self.asked, kernel.least[:, :, :, 1], 0)
        eve = kernel.weekend.copy()
        eve[:-1] |= kernel.weekend[1:]  # a night ends on the next day
        turns = places[:, ~overnight[:-1]][:, :, kernel.weekend].sum(axis=(1, 2)) // 2
        turns += places[:, overnight[:-1]][:, :, eve].sum(axis=(1, 2))
        wanted = min(1.0, max(0.0, (aims.target_utilization - SPARED) / (FILLED - SPARED)))
        turns += np.rint(wanted * _spare(kernel, self.asked).sum(axis=(1, 2)) / 2).astype(turns.dtype)
        kinds = (
            (nights, before.nights, so_far.nights, places[:, overnight[:-1]].sum(axis=(1, 2)), NIGHT),
            (weekends, before.weekends, so_far.weekends, turns, WEEKEND),
            (holidays, before.holidays, so_far.holidays, places[:, :, kernel.holiday].sum(axis=(1, 2)), HOLIDAY),
        )
        for n, (counts, old, now, total, price) in enumerate(kinds):
            for g in self.groups:
                members = [p for p in self.persons if kernel.group[p] == g and counts[p]]
                if len(members) < 2:
                    continue
                credit = self._credit(members, int(total[g]))
                start = {p: int(now[p]) + credit[p] for p in members}
                if slack is None:
                    self._spread({p: counts[p] for p in members}, start, price)
                else:
                    level = _level([int(old[p]) + credit[p] for p in members], int(total[g]))
                    for p in members:
                        every = cp_model.LinearExpr.sum(counts[p]) + start[p]
                        self.cp.add(every >= min(level - slack[n], start[p] + len(counts[p])))
                        self.cp.add(every <= max(level + 1 + slack[n], start[p]))
                    if price == WEEKEND:  # the others are as many as they must
                        self.cp.add(cp_model.LinearExpr.sum([v for p in members for v in counts[p]]) <= int(total[g]))

    def _days(self) -> range:
        return range(max(self.first, self.kernel.tail), self.last + 1)

    def _on(self, p: int, d: int) -> "list[Var]":
        return [v for h in (0, 1) for v in self.cell(p, d, h).values()]

    def _weekends_of(self, p: int) -> "list[Var]":
        """A literal for each weekend on which the person may have duty; one right after another costs."""
        weeks, by_week = week_of(self.kernel), dict[int, "list[Var]"]()
        for d in self._days():
            if self.kernel.weekend[d] and (on := self._on(p, d)):
                by_week.setdefault(int(weeks[d]), []).extend(on)
        found = {week: self._any(literals) for week, literals in by_week.items()}
        for week, v in found.items():
            if week + 1 in found:
                both = self.cp.new_bool_var("")
                self.cp.add(v + found[week + 1] <= 1 + both)
                self.costs.append((both, RUNNING))
        return list(found.values())

    def _any(self, literals: "list[Var]") -> "Var":
        distinct = list({v.index: v for v in literals}.values())
        if len(distinct) == 1:
            return distinct[0]
        found = self.cp.new_bool_var("")
        for v in distinct:
            self.cp.add_implication(v, found)
        self.cp.add(cp_model.LinearExpr.sum(distinct) >= found)
        return found

    def _spread(self, counts: "dict[int, list[Var]]", start: dict[int, int], price: int) -> None:
        """The most less the fewest at a cost, within each year of training and among all."""
        people = self.kernel.programme.people
        years: dict[int | None, list[int]] = {None: list(counts)}
        for p in counts:
            if people[p].pgy is not None:
                years.setdefault(people[p].pgy, []).append(p)
        for pgy, members in years.items():
            floor, top = min(start[p] for p in members), max(start[p] + len(counts[p]) for p in members)
            most, least = (self.cp.new_int_var(floor, top, "") for _ in range(2))
            for p in members:
                total = cp_model.LinearExpr.sum(counts[p]) + start[p]
                self.cp.add(total <= most)
                self.cp.add(total >= least)
            weight = OVERALL if pgy is None else price
            self.costs += [(most, weight), (least, -weight)]

    def _credit(self, members: "Sequence[int]", asked: int) -> dict[int, int]:
        """What people long away are taken to have had: their days away so far, at the rate of all who are there."""
        kernel, days = self.kernel, slice(max(self.first, self.kernel.tail), self.last + 1)
        present = int((~kernel.away[members, days]).sum())
        so_far = kernel.away[members, kernel.tail : self.last_known + 1].sum(axis=1)
        long = kernel.away[members, kernel.tail :].sum(axis=1) >= LONG_ABSENCE
        return dict(zip(members, np.rint(so_far * long * asked / max(1, present)).astype(int).tolist(), strict=True))

    def _kept(self, was: "Grid") -> None:
        """A turn that is another's in the roster in force."""
        night = self.kernel.overnight
        for p in self.persons:
            for d, h, s, v in self.choices(p):
                if (night[s] and h == 0) or (not night[s] and h == 1) or was[p, d, h] == s:
                    continue
                self.costs.append((v, CHANGED))


def _level(start: "Sequence[int]", total: int) -> int:
    """The count to which so many turns fill up what is there; some then have one more."""
    level = min(start)
    while sum(max(0, level + 1 - one) for one in start) <= total:
        level += 1
    return level
