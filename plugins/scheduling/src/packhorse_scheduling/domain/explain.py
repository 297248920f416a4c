"""Why there is no roster: a smallest set of requirements that clash, and the cheapest way out.

Every conflict given has been solved for: the set together is infeasible
(confirmed by one worker, as are all here), and without any one member it is
not. The relaxation given has been solved for as well.
"""

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.solve.guards import GuardedModel, Requirement, guarded
from packhorse_scheduling.domain.solve.search import Effort, solver_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from packhorse_scheduling.domain.kernel import Kernel

_EFFORT = Effort(seconds=10, workers=1, gap=0)


@frozen
class Explanation:
    """``conflict`` clashes on the days from ``first`` to ``last``; giving up ``relaxation`` makes all days solvable.

    ``relaxation`` is None when none was found in the time allowed, which is
    not a proof of there being none.
    """

    first: int
    last: int
    conflict: tuple[Requirement, ...]
    relaxation: tuple[Requirement, ...] | None


def explain(kernel: "Kernel", first: int, last: int) -> Explanation | None:
    """The explanation for these days, or None when they turn out to have a roster."""
    crowded = crowded_days(kernel, first, last)
    scopes: list[tuple[int, int, int | None]] = [
        *((d, d, None) for d in crowded[:1]),
        *locked_faults(kernel, first, last)[:1],
        (first, last, None),
    ]
    for low, high, person in scopes:
        core = conflict_in(kernel, low, high, person)
        if core is not None:
            return Explanation(low, high, core, relaxation_for(kernel, first, last))
    return None


def conflict_in(kernel: "Kernel", first: int, last: int, person: int | None = None) -> tuple[Requirement, ...] | None:
    """A minimal set of requirements that cannot hold together on these days; None when all can.

    With ``person``, only among the requirements that are that person's own.
    """
    everything = guarded(kernel, first, last, persons=None if person is None else [person])
    core = _core(everything, None if person is None else [mine for mine in everything.guards if mine.person >= 0])
    if core is None:
        return None
    # The solver's core need not be minimal; the model of the core alone is small, and often shrinks it at once.
    smaller = _core(guarded(kernel, first, last, only=frozenset(core)))
    members = sorted(smaller if smaller is not None else core)
    model = guarded(kernel, first, last, only=frozenset(members))
    n = 0
    while n < len(members):
        rest = members[:n] + members[n + 1 :]
        found = _core(model, rest)
        if found is None:
            n += 1
        else:
            members = [member for member in rest if member in found or member in members[:n]]
    return tuple(members)


def is_possible(kernel: "Kernel", first: int, last: int, without: "Iterable[Requirement]" = ()) -> bool:
    """Whether the days have a roster once these requirements are given up."""
    model = guarded(kernel, first, last)
    gone = frozenset(without)
    return _core(model, [requirement for requirement in model.guards if requirement not in gone]) is None


def relaxation_for(kernel: "Kernel", first: int, last: int) -> tuple[Requirement, ...] | None:
    """The cheapest requirements to give up, never one of the CPR; empty when none is needed."""
    model = guarded(kernel, first, last)
    priced = []
    for requirement, guard in model.guards.items():
        if requirement.weight is None:
            model.cp.add(guard == 1)
        else:
            priced.append((requirement, guard, requirement.weight))
    model.cp.maximize(
        cp_model.LinearExpr.weighted_sum([guard for _, guard, _ in priced], [weight for *_, weight in priced])
    )
    solver = solver_for(Effort(seconds=10, gap=0))
    if solver.solve(model.cp) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return tuple(sorted(requirement for requirement, guard, _ in priced if not solver.boolean_value(guard)))


def crowded_days(kernel: "Kernel", first: int, last: int) -> list[int]:
    """Days on which minimum demand cannot be met by the people who may work, whatever else holds.

    A quick look before any solver: for each half-day, people are matched to the
    places to fill.
    """
    days = range(max(first, kernel.tail), last + 1)
    return [d for d in days if fewest_missing(kernel, d, 0) or fewest_missing(kernel, d, 1)]


def locked_faults(kernel: "Kernel", first: int, last: int) -> list[tuple[int, int, int]]:
    """Spans of days, and the person for whom the locks alone break a rule on them; the shortest first."""
    grid = kernel.empty()
    for lock in kernel.programme.locks:
        if lock.service is not None:
            at = kernel.person_of[lock.person], kernel.day_of(lock.day), int(lock.session == "PM")
            grid[at] = kernel.service_of[lock.service]
    found = {
        (max(first, violation.first - _EVE), min(last, violation.last + 1), violation.person)
        for rule in kernel.rules
        for violation in rule.check(grid)
        if violation.blocks and violation.person is not None and first <= violation.first and violation.last <= last
    }
    return sorted(found, key=lambda span: (span[1] - span[0], span))


_EVE = 2
"""Days before a fault in which the duty that led to it may have begun."""


def fewest_missing(kernel: "Kernel", d: int, h: int) -> int:
    """How many places of that half-day's minimum demand nobody can fill, whatever else holds.

    Places less a maximum matching of people to them, by augmenting paths
    (Kuhn's algorithm): a lower bound on the demand unmet in any roster.
    """
    places = [
        (int(g), int(s))
        for g, s in np.argwhere(kernel.least[:, :, d, h] > 0)
        for _ in range(int(kernel.least[g, s, d, h]))
    ]
    who = [np.flatnonzero(kernel.may[:, s, d, h] & (kernel.group == g)).tolist() for g, s in places]
    holder: dict[int, int] = {}

    def fill(place: int, tried: set[int]) -> bool:
        for p in who[place]:
            if p not in tried:
                tried.add(p)
                if p not in holder or fill(holder[p], tried):
                    holder[p] = place
                    return True
        return False

    return sum(not fill(place, set()) for place in range(len(places)))


def _core(model: GuardedModel, among: "Iterable[Requirement] | None" = None) -> set[Requirement] | None:
    """Requirements that clash, of all or of those given (others are switched off); None when they do not."""
    wanted = set(model.guards if among is None else among)
    model.cp.clear_assumptions()
    model.cp.add_assumptions(
        [guard if requirement in wanted else guard.Not() for requirement, guard in model.guards.items()]
    )
    solver = solver_for(_EFFORT)
    status = solver.solve(model.cp)
    if status != cp_model.INFEASIBLE:
        return None
    by_index = {guard.index: requirement for requirement, guard in model.guards.items()}
    core = {by_index[i] for i in solver.sufficient_assumptions_for_infeasibility() if i in by_index}
    return core & wanted
