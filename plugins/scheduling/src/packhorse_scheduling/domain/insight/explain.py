"""Why there is no roster: a smallest set of requirements that clash, and the cheapest ways out.

Every conflict given has been solved for: the set together is infeasible
(confirmed by one worker, as are all here), and without any one member it is
not. The ways out given have been solved for as well.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from attrs import frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.guards import GuardedModel, Requirement, guarded
from packhorse_scheduling.domain.solve.search import Effort, solver_for

_EFFORT, _UNITS = Effort(gap=0), 4.0
MOST_WAYS = 3
"""How many ways out of one conflict are given, the cheapest first."""

Counts = Callable[[Requirement], bool]
"""Which requirements are looked at; the others are switched off."""


@frozen
class Explanation:
    """``conflict`` clashes on the days from ``first`` to ``last``; giving up any of ``ways`` makes all days solvable.

    ``ways`` are the cheapest first, and none holds another; empty when none
    was found in the time allowed, which is not a proof of there being none.
    """

    first: int
    last: int
    conflict: tuple[Requirement, ...]
    ways: tuple[tuple[Requirement, ...], ...]


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
            return Explanation(low, high, core, ways_out(kernel, first, last))
    return None


def conflict_in(
    kernel: "Kernel", first: int, last: int, person: int | None = None, counts: Counts | None = None
) -> tuple[Requirement, ...] | None:
    """A minimal set of requirements that cannot hold together on these days; None when all can.

    With ``person``, only among the requirements that are that person's own;
    with ``counts``, only among those it lets pass.
    """
    everything = guarded(kernel, first, last, persons=None if person is None else [person])
    among = [
        one for one in everything.guards if (person is None or one.person >= 0) and (counts is None or counts(one))
    ]
    core = _core(everything, among)
    if core is None:
        return None
    # The solver's core need not be minimal; the model of the core alone is small, and often shrinks it at once.
    smaller = guarded(kernel, first, last, only=frozenset(core))
    again = _core(smaller, smaller.guards)
    members = sorted(core if again is None else again)
    model = guarded(kernel, first, last, only=frozenset(members))
    return shrunk(members, lambda rest: _core(model, rest))


def shrunk(
    members: "list[Requirement]", core_of: "Callable[[list[Requirement]], set[Requirement] | None]"
) -> tuple[Requirement, ...]:
    """The members that clash still when any one that is not needed is left out; ``core_of`` gives a clash or None."""
    n = 0
    while n < len(members):
        rest = members[:n] + members[n + 1 :]
        found = core_of(rest)
        if found is None:
            n += 1
        else:
            members = [member for member in rest if member in found or member in members[:n]]
    return tuple(members)


def is_possible(model: GuardedModel, without: "Iterable[Requirement]" = ()) -> bool:
    """Whether the model's days have a roster once these requirements are given up."""
    gone = frozenset(without)
    return _core(model, [requirement for requirement in model.guards if requirement not in gone]) is None


def ways_out(
    kernel: "Kernel",
    first: int,
    last: int,
    persons: "Sequence[int] | None" = None,
    counts: Counts | None = None,
    most: int = MOST_WAYS,
) -> tuple[tuple[Requirement, ...], ...]:
    """The cheapest sets of requirements to give up, never one of the CPR; one that is empty when none is needed."""
    model = guarded(kernel, first, last, persons=persons)
    priced = {}
    for one, guard in model.guards.items():
        if counts is not None and not counts(one):
            model.cp.add(guard == 0)
        elif one.weight is None:
            model.cp.add(guard == 1)
        else:
            priced[one] = guard
    return cheapest(model.cp, priced, most)


def cheapest(
    cp: cp_model.CpModel, guards: "dict[Requirement, cp_model.IntVar]", most: int
) -> tuple[tuple[Requirement, ...], ...]:
    """The cheapest sets of guards to switch off, each different by more than additions, the cheapest first."""
    weights = [one.weight or 0 for one in guards]
    cp.maximize(cp_model.LinearExpr.weighted_sum(list(guards.values()), weights))
    solver = solver_for(_EFFORT, _UNITS)
    found: list[tuple[Requirement, ...]] = []
    while len(found) < most and solver.solve(cp) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        way = tuple(sorted(one for one, guard in guards.items() if not solver.boolean_value(guard)))
        found.append(way)
        if not way:
            break
        cp.add_bool_or([guards[one] for one in way])
    return tuple(found)


def crowded_days(kernel: "Kernel", first: int, last: int) -> list[int]:
    """Days on which minimum demand cannot be met by the people who may work and are not locked, whatever else holds.

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
    held = kernel.lock_at
    who = [
        [
            p
            for p in np.flatnonzero(kernel.may[:, s, d, h] & (kernel.group == g)).tolist()
            if held.get((p, d, h), s) == s
        ]
        for g, s in places
    ]
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


def _core(model: GuardedModel, among: "Iterable[Requirement]") -> set[Requirement] | None:
    return core_of(model.cp, model.guards, among)


def core_of(
    cp: cp_model.CpModel, guards: "Mapping[Requirement, cp_model.IntVar]", among: "Iterable[Requirement]"
) -> set[Requirement] | None:
    """Requirements that clash, of those given (all others are switched off); None when they do not."""
    wanted = set(among)
    cp.clear_assumptions()
    cp.add_assumptions([guard if one in wanted else guard.Not() for one, guard in guards.items()])
    solver = solver_for(_EFFORT, _UNITS)
    if solver.solve(cp) != cp_model.INFEASIBLE:
        return None
    by_index = {guard.index: one for one, guard in guards.items()}
    core = {by_index[i] for i in solver.sufficient_assumptions_for_infeasibility() if i in by_index}
    return core & wanted
