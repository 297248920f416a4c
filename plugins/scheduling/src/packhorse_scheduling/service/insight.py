"""Looking further: trying things on a copy of what is published."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from packhorse_scheduling.domain.kernel import Kernel
from packhorse_scheduling.domain.opened import Opened
from packhorse_scheduling.domain.requests import Demand, Leave
from packhorse_scheduling.domain.resolution import ConflictType, Suggestion, resolve
from packhorse_scheduling.errors import invalid

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Grid
    from packhorse_scheduling.domain.repair import Repaired
    from packhorse_scheduling.domain.rules.rule import Violation

SECONDS_TO_MEND = 3.0
"""For one stretch of days of a scenario."""

KIND_OF: dict[str, ConflictType] = {
    "MINIMUM_STAFFING": "UNDERSTAFFED",
    "SUPERVISION_RATIO": "COVERAGE_GAP",
    "WHOLE_NIGHT_RULE": "COVERAGE_GAP",
    "MAXIMUM_STAFFING": "OVERSTAFFED",
    "CREDENTIAL_REQUIREMENTS": "CREDENTIAL_MISMATCH",
}
"""Which kind of conflict a rule's breach is; every other is a COMPLIANCE_VIOLATION."""
MOST_SLOTS = 14
"""Half-days of one violation that ways out are looked for in: a week's."""


@frozen
class Mended:
    """One conflict and the way out that was taken; None where none was found."""

    violation: "Violation"
    kind: ConflictType
    suggestion: Suggestion | None


def mend(opened: Opened, first: int, last: int, most: int) -> tuple[Opened, list[Mended]]:
    """Take the best way out of each conflict of these days in turn; each is tried against every rule."""
    done: list[Mended] = []
    given_up: set[Any] = set()
    changed = 0
    while changed < most:
        left = [
            one
            for one in opened.violations()
            if one.blocks and first <= one.first <= last and _name(one) not in given_up
        ]
        if not left:
            break
        worst = left[0]
        kind = KIND_OF.get(worst.rule, "COMPLIANCE_VIOLATION")
        slots = [
            (d, h)
            for d in range(worst.first, worst.last + 1)
            for h in ((0, 1) if worst.session is None else (worst.session,))
        ]
        found = resolve(opened, kind, slots[-MOST_SLOTS:], [worst], most=1)
        if not found:
            given_up.add(_name(worst))
            done.append(Mended(worst, kind, None))
            continue
        grid = opened.grid.copy()
        for p, d, h, s in found[0].cells:
            grid[p, d, h] = s
        opened = Opened(opened.schedule, opened.kernel, grid)
        done.append(Mended(worst, kind, found[0]))
        changed += 1
    return opened, done


def _name(one: "Violation") -> tuple[Any, ...]:
    return one.rule, one.person, one.service, one.role, one.first, one.last, one.session


def supposing(
    opened: Opened,
    absences: Sequence[tuple[int, date, date]],
    demands: Sequence[Demand],
) -> Opened:
    """The published roster as it would stand with these absences and demands; nothing is kept.

    Raises:
        UserError: together they contradict the programme.
    """
    programme = opened.programme
    leaves = list(programme.leaves)
    for p, start, end in absences:
        key = programme.people[p].key
        met = [one for one in leaves if one.person == key and one.binds and one.start <= end and start <= one.end]
        first, last = min([start, *(one.start for one in met)]), max([end, *(one.end for one in met)])
        leaves = [one for one in leaves if one not in met] + [Leave(key, first, last, "emergency_leave")]
    made = evolve(programme, leaves=tuple(leaves), demands=(*programme.demands, *demands))
    faults = made.faults()
    if faults:
        raise invalid("absences", " ".join(faults[:3]))
    return Opened(opened.schedule, Kernel(made, opened.schedule.plan), opened.grid)


def mended_around(supposed: Opened, absences: Sequence[tuple[int, date, date]], today: int) -> "Repaired | None":
    """The roster with the fewest changes around these absences together; None where none was found in time."""
    from packhorse_scheduling.domain.repair import repair
    from packhorse_scheduling.domain.solve.search import Effort

    kernel = supposed.kernel
    return repair(
        kernel,
        supposed.grid,
        [(p, kernel.day_of(start), kernel.day_of(end)) for p, start, end in absences],
        today=today,
        effort=Effort(seconds=SECONDS_TO_MEND, gap=0),
    )


def freed(supposed: Opened, absences: Sequence[tuple[int, date, date]]) -> "Grid":
    """The roster with the half-days of who is away left empty."""
    from packhorse_scheduling.domain.kernel import FREE

    kernel, grid = supposed.kernel, supposed.grid.copy()
    for p, start, end in absences:
        grid[p, max(kernel.tail, kernel.day_of(start)) : min(kernel.D, kernel.day_of(end) + 1)] = FREE
    return grid
