"""The same model with a switch on every requirement, so that a clash can be named and the cheapest way out found."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from attrs import define, frozen

from packhorse_scheduling.domain.programme.programme import days_of
from packhorse_scheduling.domain.programme.requests import Lock
from packhorse_scheduling.domain.roster.arrays import Bools
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.posting import Sum, Terms, Var
from packhorse_scheduling.domain.rules.windows import Window
from packhorse_scheduling.domain.solve.model import Model, _sum

_PERSONAL = frozenset(
    {
        "80_HOUR_RULE",
        "1_IN_7_RULE",
        "CALL_FREQUENCY_RULE",
        "NIGHT_FLOAT_RULE",
        "CONSECUTIVE_DAYS_RULE",
        "24_PLUS_4_RULE",
        "14_HOUR_REST_RULE",
    }
)
WEIGHTS = {
    "LEAVE_RULE": 10,
    "LOCKED_ASSIGNMENT": 10,
    "ROTATION_LOCK": 10,
    "ROTATION_BEGUN": 20,
    "ROTATION_PLAN": 20,
    "ROTATION_LEAST": 30,
    "ROTATION_MOST": 30,
    "CURRICULUM_LEAST": 40,
    "CURRICULUM_MOST": 40,
    "ROTATION_YEAR": 50,
    "MINIMUM_STAFFING": 30,
    "MAXIMUM_STAFFING": 30,
    "CREDENTIAL_REQUIREMENTS": 50,
    "SUPERVISION_RATIO": 100,
    "NIGHT_FLOAT_RULE": 100,
    "CONSECUTIVE_DAYS_RULE": 100,
}
"""The price of giving up a requirement: moving leave or a lock is cheapest, then demand, then the house's own rules.

Rules of the CPR have no price: they are never given up.
"""


@frozen(order=True)
class Requirement:
    """One thing that was asked: a rule for a person, a demand on a day, a leave, a lock, a credential, a rotation.

    ``number`` is the place in the programme of the leave, the lock or the
    rotation; ``day`` is a kernel number, of a rotation its unit's first.
    """

    code: str
    person: int = -1
    service: int = -1
    role: int = -1
    day: int = -1
    number: int = -1

    @property
    def weight(self) -> int | None:
        """Its price, or None when it is never given up."""
        return WEIGHTS.get(self.code)


@define(slots=False, eq=False)
class GuardedModel(Model):
    """A `Model` without objective. With ``only``, other requirements than these are left out."""

    only: frozenset[Requirement] | None = None
    prunes = False

    def __attrs_post_init__(self) -> None:
        self.guards: dict[Requirement, Var] = {}
        self._locks: dict[tuple[int, int, int], tuple[int, Lock]] = {}
        for number, lock in enumerate(self.kernel.programme.locks):
            at = self.kernel.person_of[lock.person], self.kernel.day_of(lock.day), int(lock.session == "PM")
            self._locks[at] = number, lock
        self.fixed = None
        super().__attrs_post_init__()

    def _make_cells(self) -> None:
        super()._make_cells()
        self._lock_cells()

    def windows(self, rule: Sum) -> int:
        return self.last_known - rule.days + 2

    def open_to(self, p: int) -> "Bools":
        kernel = self.kernel
        asked = kernel.most[kernel.group[p], :, self.first : self.last + 1] > 0
        mask: Bools = asked & kernel.eligible[p][:, None, None] & kernel.open[:, None, :]
        for (who, d, h), (_, lock) in self._locks.items():
            if who == p and self.first <= d <= self.last and lock.service is not None:
                mask[kernel.service_of[lock.service], d - self.first, h] = True
        return mask

    def _may_begin_night(self, p: int, d: int, s: int) -> bool:
        return True

    def _lock_cells(self) -> None:
        for (p, d, h), (number, lock) in self._locks.items():
            if p not in self.inside or not self.first <= d <= self.last:
                continue
            guard = self.guard(Requirement("LOCKED_ASSIGNMENT", person=p, day=d, number=number))
            if guard is None:
                continue
            options = self.cell(p, d, h)
            if lock.service is None:
                for v in options.values():
                    self.cp.add_implication(guard, v.Not())
            elif (locked := options.get(self.kernel.service_of[lock.service])) is not None:
                self.cp.add_implication(guard, locked)
            else:
                self.cp.add_bool_or([guard.Not()])

    def guard(self, requirement: Requirement) -> Var | None:
        """The switch of a requirement, or None where it is left out."""
        if self.only is not None and requirement not in self.only:
            return None
        if requirement not in self.guards:
            self.guards[requirement] = self.cp.new_bool_var(str(requirement))
        return self.guards[requirement]

    def at_most(self, terms: Terms, bound: int, code: str, subject: int, day: int) -> None:
        requirement = (
            Requirement(code, person=subject) if code in _PERSONAL else Requirement(code, service=subject, day=day)
        )
        guard = self.guard(requirement)
        if guard is None:
            return
        terms, bound = self._with_leave(terms, bound, code, subject, day)
        if terms:
            self.cp.add(_sum(terms) <= bound).only_enforce_if(guard)
        elif bound < 0:
            self.cp.add_bool_or([guard.Not()])

    def _with_leave(self, terms: Terms, bound: int, code: str, p: int, first: int) -> tuple[Terms, int]:
        """A window's row as it is with each leave, and without those that are given up: their days count again.

        What two leaves free together is taken as the sum of what each frees: a
        rounding less than it may be, and never more.
        """
        rule = self._averaged.get(code)
        leaves = self._leave_days.get(p, ()) if rule is not None else ()
        if rule is None or rule.room is None or not leaves:
            return terms, bound
        window = range(first, first + rule.days)
        present = np.asarray([rule.days - int(self.kernel.away[p, first : first + rule.days].sum())], np.int32)
        terms = list(terms)
        for number, days in leaves:
            inside = len(range(max(days.start, window.start), min(days.stop, window.stop)))
            gain = int(rule.room(present + inside)[0] - rule.room(present)[0])
            if gain <= 0:
                continue
            bound += gain
            given = self.guard(Requirement("LEAVE_RULE", person=p, number=number))
            if given is not None:
                terms.append((given, gain))
        return terms, bound

    @cached_property
    def _averaged(self) -> "dict[str, Window]":
        return {rule.code: rule for rule in self.kernel.windows if rule.room is not None}

    @cached_property
    def _leave_days(self) -> "dict[int, list[tuple[int, range]]]":
        """By person: each binding leave's number and the kernel days it covers."""
        kernel = self.kernel
        found: dict[int, list[tuple[int, range]]] = {}
        for number, leave in enumerate(kernel.programme.leaves):
            if leave.binds:
                days = days_of(leave, kernel.programme.year)
                shifted = range(days.start + kernel.tail, days.stop + kernel.tail)
                found.setdefault(kernel.person_of[leave.person], []).append((number, shifted))
        return found

    def staffed(self, literals: list[Var], least: int, g: int, s: int, d: int, h: int) -> None:
        guard = self.guard(Requirement("MINIMUM_STAFFING", service=s, role=g, day=d))
        if guard is None:
            return
        if len(literals) < least:
            self.cp.add_bool_or([guard.Not()])
        else:
            self.cp.add(_sum([(v, 1) for v in literals]) >= least).only_enforce_if(guard)

    def discourage(self, *_: object) -> None:
        """Costs play no part in what is possible."""

    def bar(self, mask: "Bools", code: str) -> None:
        if code == "LEAVE_RULE":
            for p in self.persons:
                for number, days in self._leave_days.get(p, ()):
                    inside = range(max(days.start, self.first), min(days.stop - 1, self.last) + 1)
                    self._bar_days(Requirement(code, person=p, number=number), p, inside)
            return
        for p in self.persons:
            chosen = {s for _, _, s, _ in self.choices(p)}
            for s in sorted(
                chosen.intersection(np.flatnonzero(mask[p, :, self.first : self.last + 1].any(axis=1)).tolist())
            ):
                barred = self.first + np.flatnonzero(mask[p, s, self.first : self.last + 1])
                self._bar_days(Requirement(code, person=p, service=s), p, barred.tolist(), s)

    def _bar_days(self, requirement: Requirement, p: int, days: Iterable[int], service: int | None = None) -> None:
        literals = [
            v for d in days for h in (0, 1) for s, v in self.cell(p, d, h).items() if service is None or s == service
        ]
        if literals and (guard := self.guard(requirement)) is not None:
            for v in literals:
                self.cp.add_implication(guard, v.Not())


def guarded(
    kernel: "Kernel",
    first: int,
    last: int,
    only: frozenset[Requirement] | None = None,
    persons: "Sequence[int] | None" = None,
) -> GuardedModel:
    """The model of these days, everything but the tail open, for all people or for ``persons`` alone.

    Where each requirement of ``only`` is one person's own, nobody else is
    needed: people meet in staffing and supervision alone.
    """
    if only is not None and persons is None and all(requirement.person >= 0 for requirement in only):
        persons = sorted({requirement.person for requirement in only})
    grid = kernel.empty()
    known = 0 if first <= kernel.tail else first
    everybody = range(kernel.P) if persons is None else persons
    model = GuardedModel(kernel, grid, everybody, first, last, last, only=only, first_known=known)
    model.post()
    return model
