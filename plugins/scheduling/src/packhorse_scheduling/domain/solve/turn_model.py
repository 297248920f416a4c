"""The turns of some days as a model: every rule, each night, weekend and holiday once, in equal shares."""

from collections.abc import Iterable, Sequence
from copy import copy

import numpy as np
from attrs import define, field
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid, Ints
from packhorse_scheduling.domain.roster.duties import LONG_ABSENCE, duties, week_of
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.posting import Var
from packhorse_scheduling.domain.rules.supervision import FACULTY
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.wishes import Aims, preferences

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
_RESIDENT = ROLES.index("RESIDENT")


def _spare(kernel: "Kernel", asked: "Bools") -> "Ints":
    """``int32[role, service, day]``: people beyond the minimum whom a weekend's inpatient service may have."""
    least, most = kernel.least.min(axis=3), kernel.most.min(axis=3)
    taken = asked & ~kernel.overnight[None, :-1, None] & kernel.weekend
    return np.where(taken, np.clip(most - least, 0, least), 0).astype(np.int32)


@define(slots=False, eq=False)
class TurnModel(Model):
    """The programme with no demand but the turns', as a `Model`: every rule of the programme holds in it."""

    asked: "Bools" = field(kw_only=True)
    whole: "Kernel" = field(kw_only=True)
    wide: "Bools" = field(kw_only=True)
    """All demands, and all that everybody may do."""

    @classmethod
    def of(
        cls, kernel: "Kernel", base: "Grid", fixed: "Bools", allowed: "Bools", days: tuple[int, int], asked: "Bools"
    ) -> "TurnModel":
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

    def found(self, solver: cp_model.CpSolver) -> "tuple[Bools, Grid]":
        """What a solution settles, and who works it; what it leaves short is not settled."""
        decided = self.asked.copy()
        for var, g, s, d, h in self.short:
            if solver.value(var):
                decided[g, s, d - (h == 0 and self.kernel.overnight[s])] = False
        grid = np.full_like(self.grid, FREE)
        for p in self.persons:
            for d, h, s, v in self.choices(p):
                if solver.boolean_value(v):
                    grid[p, d, h] = s
        return decided, grid

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
