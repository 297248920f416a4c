"""Who is the attending of which inpatient service: whole weeks, and weekends, settled before any half-day.

A part is Monday to Friday, or Saturday and Sunday, of one week. One faculty
member has a part of a service, morning and afternoon, wherever somebody is
there for all of it; else the days of that part are given one by one.
"""

from datetime import date

import numpy as np
from attrs import define, field, frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid, Ints
from packhorse_scheduling.domain.roster.plan import Plan, Stay
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.supervision import FACULTY
from packhorse_scheduling.domain.solve.search import Effort, run

UNEVEN = 20
"""Per week, and per weekend, that whoever has most has above whoever has fewest."""
RUNNING = 6
"""Per weekend right after another."""
STAYS = 5
"""What it is worth that the week's attending has its weekend too, where seven days in a row are allowed."""
BY_DAY = 50
"""Per day that nobody can have with the rest of its part."""
NOBODY = 1000
"""Per day without an attending: the half-days then decide."""
CHANGED = 30
"""Per part that is another's in the plan in force."""
WEEK = 7
UNITS = 3.0
"""The solver's deterministic units for the whole year."""


@frozen
class Part:
    """Days of one week that one attending should have; ``days`` are kernel numbers."""

    service: int
    week: date
    weekend: bool
    days: tuple[int, ...]


@frozen
class Attending:
    """One person on one service on these days."""

    person: int
    part: Part


@define(slots=False, eq=False)
class Attendings:
    """The answer; ``hold`` writes it into a roster."""

    kernel: Kernel
    given: tuple[Attending, ...]

    def hold(self, grid: "Grid", held: "Bools") -> None:
        """Set and hold the half-days of every attending, wherever the service's demand asks for one."""
        least = self.kernel.least[FACULTY]
        for one in self.given:
            for d in one.part.days:
                for h in (0, 1):
                    if least[one.part.service, d, h] and not held[one.person, d, h]:
                        grid[one.person, d, h] = one.part.service
                        held[one.person, d, h] = True

    def plan(self) -> Plan:
        """The weeks as stays; what runs on is one."""
        kernel = self.kernel
        on = np.full((kernel.P, kernel.D), FREE, np.int8)
        for one in self.given:
            on[one.person, list(one.part.days)] = one.part.service
        return stays_on(kernel, on)


def stays_on(kernel: Kernel, on: "Grid | Ints") -> Plan:
    """The stays of services by day (``[P, D]``, -1 for none), a person's in order."""
    found = []
    for p, s in sorted({(int(p), int(on[p, d])) for p, d in np.argwhere(on != FREE)}):
        days = np.flatnonzero(on[p] == s)
        for stay in np.split(days, np.flatnonzero(np.diff(days) > 1) + 1):
            first, last = kernel.date_of(int(stay[0])), kernel.date_of(int(stay[-1]))
            found.append(Stay(kernel.programme.people[p].key, first, last, kernel.programme.services[s].code))
    return tuple(sorted(found, key=lambda stay: (stay.person, stay.first)))


def attended(kernel: Kernel, grid: "Grid", first: int, last: int) -> Plan:
    """The attendings of these days as a roster has them: who is there alone for all that a ward asks of faculty."""
    on = np.full((kernel.P, kernel.D), FREE, np.int8)
    faculty = np.flatnonzero(kernel.group == FACULTY)
    for s, service in enumerate(kernel.programme.services):
        if service.kind == "inpatient" and not service.overnight:
            for d in range(first, last + 1):
                asked = kernel.least[FACULTY, s, d] > 0
                there = faculty[(grid[faculty, d] == s).any(axis=1)]
                if asked.any() and len(there) == 1 and (grid[there[0], d, asked] == s).all():
                    on[there[0], d] = s
    return stays_on(kernel, on)


def attend(kernel: Kernel, base: "Grid", fixed: "Bools", first: int, last: int, effort: Effort) -> Attendings:
    """The attendings of these days; of a programme without inpatient services that need faculty, none.

    What is fixed in ``base`` counts as given. Where neither a grid nor a proof
    comes in time, nobody is held, and the half-days decide.
    """
    model = _Model(kernel, base, fixed, first, last)
    if not model.x:
        return Attendings(kernel, ())
    model.post()
    ran = run(model.cp, effort, UNITS)
    given = [Attending(*at) for at, v in model.x.items() if ran.solver.boolean_value(v)] if ran.solved else ()
    return Attendings(kernel, tuple(given))


@define(slots=False, eq=False)
class _Model:
    kernel: Kernel
    base: "Grid"
    fixed: "Bools"
    first: int
    last: int
    cp: cp_model.CpModel = field(factory=cp_model.CpModel, init=False)

    def __attrs_post_init__(self) -> None:
        kernel = self.kernel
        self.people: list[int] = np.flatnonzero(kernel.group == FACULTY).tolist()
        self.costs: list[tuple[cp_model.IntVar, int]] = []
        self.x: dict[tuple[int, Part], cp_model.IntVar] = {}
        self.rows: list[tuple[Part, list[cp_model.IntVar]]] = []
        self.now = self._now()
        for part in self._parts():
            self._offer(part)
        self.on: dict[tuple[int, int], list[cp_model.IntVar]] = {}
        for (p, part), v in self.x.items():
            for d in part.days:
                self.on.setdefault((p, d), []).append(v)

    def _now(self) -> "dict[tuple[int, int, int], bool]":
        """Person, service and day of the attendings in the plan in force."""
        kernel = self.kernel
        found = {}
        for stay in kernel.plan:
            s = kernel.service_of.get(stay.rotation)
            p = kernel.person_of.get(stay.person)
            if s is not None and p is not None and kernel.group[p] == FACULTY:
                for d in range(kernel.day_of(stay.first), kernel.day_of(stay.last) + 1):
                    found[p, s, d] = True
        return found

    def _parts(self) -> list[Part]:
        kernel = self.kernel
        teachers = np.array(self.people, int)
        least = kernel.least[FACULTY]
        there: Bools = self.fixed & (self.base >= 0)
        found = []
        for s, service in enumerate(kernel.programme.services):
            if service.kind != "inpatient" or service.overnight:
                continue
            parts: dict[tuple[date, bool], list[int]] = {}
            for d in range(self.first, self.last + 1):
                given = (there[teachers, d] & (self.base[teachers, d] == s)).any(axis=0)
                if (least[s, d] > 0).all() and not given.any():
                    day = kernel.date_of(d)
                    monday = kernel.date_of(d - day.weekday())
                    parts.setdefault((monday, day.weekday() >= 5), []).append(d)
            found += [Part(s, week, weekend, tuple(days)) for (week, weekend), days in sorted(parts.items())]
        return found

    def _offer(self, part: Part) -> None:
        """Literals for whoever can have all of a part; where nobody can, for its days one by one."""
        whole = [p for p in self.people if self._can(p, part)]
        for piece in [part] if whole else [Part(part.service, part.week, part.weekend, (d,)) for d in part.days]:
            row = []
            for p in whole or self.people:
                if self._can(p, piece):
                    v = self.x[p, piece] = self.cp.new_bool_var("")
                    row.append(v)
                    if not whole:
                        self.costs.append((v, BY_DAY))
                    if self.now and not any((p, part.service, d) in self.now for d in piece.days):
                        self.costs.append((v, CHANGED))
            if row:
                self.rows.append((piece, row))

    def _can(self, p: int, part: Part) -> bool:
        return all(
            self.kernel.wanted[p, part.service, d, h] and not self.fixed[p, d, h] for d in part.days for h in (0, 1)
        )

    def post(self) -> None:
        """One attending each; one thing a day; days in a row; enough left for the other services; then evenness."""
        for part, row in self.rows:
            nobody = self.cp.new_bool_var("")
            self.cp.add(cp_model.LinearExpr.sum(row) + nobody == 1)
            self.costs.append((nobody, NOBODY * len(part.days)))
        for literals in self.on.values():
            if len(literals) > 1:
                self.cp.add_at_most_one(literals)
        self._runs()
        self._others()
        for weekend in (False, True):
            self._even(weekend)
        self._weekends()
        self.cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in self.costs], [w for _, w in self.costs]))

    def _runs(self) -> None:
        most = self.kernel.programme.rules.day_run.value
        filled: Bools = self.fixed & (self.base >= 0)
        worked = filled[:, :, 0] | filled[:, :, 1]
        for p in self.people:
            if not self.kernel.runs[p]:
                continue
            for start in range(max(0, self.first - most), self.last - most + 1):
                days = range(start, start + most + 1)
                terms = [v for d in days for v in self.on.get((p, d), ())]
                there = int(worked[p, start : start + most + 1].sum())
                if terms and len(terms) + there > most:
                    self.cp.add(cp_model.LinearExpr.sum(terms) <= max(0, most - there))

    def _others(self) -> None:
        """Of those who can do another service that day, as many stay free of a ward as it needs."""
        kernel = self.kernel
        wards = {part.service for part, _ in self.rows}
        seen = set()
        for d in range(self.first, self.last + 1):
            for h in (0, 1):
                need = {s: n for s in range(kernel.S) if (n := int(kernel.least[FACULTY, s, d, h])) and s not in wards}
                groups = [(s,) for s in need] + ([tuple(need)] if len(need) > 1 else [])
                for group in groups:
                    able = [p for p in self.people if kernel.wanted[p, list(group), d, h].any()]
                    terms = [v for p in able for v in self.on.get((p, d), ())]
                    room = len(able) - sum(need[s] for s in group)
                    key = (room, frozenset(v.index for v in terms))
                    if terms and room >= 0 and key not in seen:
                        seen.add(key)
                        self.cp.add(cp_model.LinearExpr.sum(terms) <= room)

    def _even(self, weekend: bool) -> None:
        mine = {
            p: [v for (q, part), v in self.x.items() if q == p and part.weekend == weekend and len(part.days) > 1]
            for p in self.people
        }
        mine = {p: literals for p, literals in mine.items() if literals}
        if len(mine) < 2:
            return
        most, least = (self.cp.new_int_var(0, len(self.rows), "") for _ in range(2))
        for literals in mine.values():
            self.cp.add(cp_model.LinearExpr.sum(literals) <= most)
            self.cp.add(cp_model.LinearExpr.sum(literals) >= least)
        self.costs += [(most, UNEVEN), (least, -UNEVEN)]

    def _weekends(self) -> None:
        """Weekends right after one another; the week's attending in its weekend, where that many days may be worked."""
        weekends: dict[tuple[int, date], list[cp_model.IntVar]] = {}
        weeks: dict[tuple[int, int, date], cp_model.IntVar] = {}
        for (p, part), v in self.x.items():
            if part.weekend:
                weekends.setdefault((p, part.week), []).append(v)
            elif len(part.days) > 1:
                weeks[p, part.service, part.week] = v
        for (p, week), literals in weekends.items():
            later = weekends.get((p, date.fromordinal(week.toordinal() + WEEK)))
            if later:
                both = self.cp.new_bool_var("")
                self.cp.add(cp_model.LinearExpr.sum([*literals, *later]) <= 1 + both)
                self.costs.append((both, RUNNING))
        for (p, part), v in self.x.items():
            own = weeks.get((p, part.service, part.week))
            long = not self.kernel.runs[p] or self.kernel.programme.rules.day_run.value >= WEEK
            if part.weekend and own is not None and long:
                same = self.cp.new_bool_var("")
                self.cp.add_implication(same, v)
                self.cp.add_implication(same, own)
                self.costs.append((same, -STAYS))
