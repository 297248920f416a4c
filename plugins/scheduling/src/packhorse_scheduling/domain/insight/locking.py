"""Locks that contradict a rule, leave or each other: found on an otherwise empty roster, told by a smallest set."""

from collections.abc import Collection, Sequence

from attrs import evolve

from packhorse_scheduling.domain.insight.explain import Explanation
from packhorse_scheduling.domain.insight.wording import gathered_words, violation_words
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Lock
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.violation import Violation
from packhorse_scheduling.domain.solve.guards import Requirement

FIRST_ROW = 2
"""Of a table, as a spreadsheet counts it: the first row holds the names of columns."""
_COMPLETED = ("MINIMUM_STAFFING", "SUPERVISION_RATIO", "LOCK_RULE")
"""Rules that further people or half-days can still satisfy."""
_EVE = 2
"""Days before a fault in which the duty that led to it may have begun."""


def lock_faults(programme: Programme, known: Collection[Lock] = ()) -> list[str]:
    """What is wrong with the locks alone, a paragraph each, with their rows in the table of locks.

    The programme must be free of other faults; see `Programme.faults`. Leave was put over ``known`` locks later: it
    goes before them.
    """
    if not programme.locks:
        return []
    kernel = Kernel(evolve(programme, actual_hours=()))
    return [fault_words(kernel, first, found) for first, found in lock_conflicts(kernel, known)]


def lock_conflicts(kernel: Kernel, known: Collection[Lock] = ()) -> "list[tuple[Violation, Explanation]]":
    """Locks that no roster can keep, whatever else is in it.

    One for each person whose own locks clash, and for each half-day that holds
    too many; the violation is the first that the locks make on an otherwise
    empty roster.
    """
    grid = kernel.empty()
    over = {(kernel.person_of[one.person], kernel.day_of(one.day), SESSIONS.index(one.session)) for one in known}
    for at, s in kernel.lock_at.items():
        grid[at] = FREE if at in over and kernel.away[at[:2]] else s
    groups: dict[tuple[object, ...], list[Violation]] = {}
    for rule in kernel.rules:
        for one in rule.check(grid):
            if one.blocks and one.rule not in _COMPLETED and _is_closed(kernel, one):
                place = (one.person,) if one.person is not None else (one.service, one.first)
                groups.setdefault((one.person is not None, *place), []).append(one)
    explained = ((sorted(group, key=_reach)[0], _explained(kernel, group)) for group in groups.values())
    return [(first, found) for first, found in explained if found is not None]


def _is_closed(kernel: Kernel, one: "Violation") -> bool:
    """Whether no further half-day mends it: half a night is mended by its other half, where that is not locked."""
    if one.rule != "WHOLE_NIGHT_RULE" or one.person is None or one.session is None:
        return True
    d, h = one.first, one.session
    return (one.person, d - 1 + 2 * h, 1 - h) in kernel.lock_at


def _reach(one: "Violation") -> tuple[int, int]:
    return one.last - one.first, one.first


def _explained(kernel: Kernel, group: "Sequence[Violation]") -> "Explanation | None":
    """The first clash of a group, on as few days as hold one, and what ends every clash of the group."""
    from packhorse_scheduling.domain.insight.explain import Explanation, conflict_in, ways_out

    first = sorted(group, key=_reach)[0]
    eve = max(0, first.first - _EVE)
    after = min(kernel.D - 1, first.last + 1)
    for low, high in ((first.first, first.last), (eve, after)):
        core = conflict_in(kernel, low, high, first.person, _of_locks)
        if core is not None:
            # A violation is the worst of the windows it stands for: what ends them all is sought around every lock.
            days = [d for p, d, _ in kernel.lock_at if p == first.person]
            start = max(0, min([one.first for one in group] + days) - _EVE)
            end = min(kernel.D - 1, max([one.last for one in group] + days) + 1)
            persons = None if first.person is None else [first.person]
            return Explanation(low, high, core, ways_out(kernel, start, end, persons, _of_locks))
    return None


def _of_locks(one: "Requirement") -> bool:
    """Whether no further half-day can satisfy it where locks alone do not."""
    return one.code not in ("MINIMUM_STAFFING", "SUPERVISION_RATIO")


def fault_words(kernel: Kernel, first: "Violation", found: "Explanation") -> str:
    """What the locks break, the smallest set of them that clashes with what, and the cheapest ways out."""
    rows = sorted(one.number + FIRST_ROW for one in found.conflict if one.code == "LOCKED_ASSIGNMENT")
    words = f"locks, {_rows(rows)}: {violation_words(kernel, first)} ({first.rule})"
    words += f" These cannot all hold: {'; '.join(gathered_words(kernel, found.conflict))}."
    return words + ways_words(kernel, found.ways)


def ways_words(kernel: Kernel, ways: "Sequence[Sequence[Requirement]]") -> str:
    """The ways out as sentences, the cheapest first; nothing where there is none."""
    told = ["; ".join(gathered_words(kernel, way)) for way in ways if way]
    if not told:
        return ""
    also = f" Or: {' Or: '.join(f'{words}.' for words in told[1:])}" if told[1:] else ""
    return f" The cheapest way out is to give up: {told[0]}.{also}"


def _rows(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    together = numbers == list(range(numbers[0], numbers[-1] + 1))
    return f"rows {numbers[0]} to {numbers[-1]}" if together else f"rows {', '.join(map(str, numbers))}"
