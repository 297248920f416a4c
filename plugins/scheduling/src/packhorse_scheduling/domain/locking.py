"""Locks that contradict a rule or leave, alone or together: found on an otherwise empty roster, without a solver."""

from packhorse_scheduling.domain.calendar import SESSIONS
from packhorse_scheduling.domain.kernel import FREE, Kernel
from packhorse_scheduling.domain.programme import Programme
from packhorse_scheduling.domain.wording import violation_words

FIRST_ROW = 2
"""Of a table, as a spreadsheet counts it: the first row holds the names of columns."""
_COMPLETED = ("MINIMUM_STAFFING", "SUPERVISION_RATIO", "WHOLE_NIGHT_RULE", "LOCK_RULE")
"""Rules that further people or half-days can still satisfy."""


def lock_faults(programme: Programme) -> list[str]:
    """What is wrong with the locks alone, a sentence each, with their rows in the table of locks.

    The programme must be free of other faults; see `Programme.faults`.
    """
    if not programme.locks:
        return []
    kernel = Kernel(programme)
    rows: dict[tuple[int, int, int], int] = {}
    grid = kernel.empty()
    found = []
    for number, lock in enumerate(programme.locks, start=FIRST_ROW):
        at = kernel.person_of[lock.person], kernel.day_of(lock.day), SESSIONS.index(lock.session)
        service = FREE if lock.service is None else kernel.service_of[lock.service]
        rows[at], grid[at] = number, service
    for rule in kernel.rules:
        for one in rule.check(grid):
            if not one.blocks or one.rule in _COMPLETED:
                continue
            met = sorted(
                number
                for (p, d, h), number in rows.items()
                if grid[p, d, h] != FREE
                and one.first <= d <= one.last
                and one.session in (None, h)
                and (one.person == p if one.person is not None else grid[p, d, h] == one.service)
            )
            if met:
                found.append(
                    f"locks, {_rows(met)}: {violation_words(kernel, one)} ({one.rule}) Change or remove one of them."
                )
    return found


def _rows(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    together = numbers == list(range(numbers[0], numbers[-1] + 1))
    return f"rows {numbers[0]} to {numbers[-1]}" if together else f"rows {', '.join(map(str, numbers))}"
