"""May these two change places? Who could take this block? Every answer is checked on the board."""

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from packhorse_scheduling.domain.change.exchange import SwapType
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.board import Board, Cells
from packhorse_scheduling.domain.rules.codes import ROTATION
from packhorse_scheduling.domain.rules.places import Presence
from packhorse_scheduling.domain.rules.violation import Violation

Slot = tuple[int, int]
"""Day and session."""

Obstacle = Literal["past", "locked", "nothing"]
"""What stands against a swap before any rule is asked: a day gone by, a lock, or that it would change nothing."""

WEIGHTS = {"availability": 0.3, "workload": 0.3, "preference": 0.15, "warnings": 0.05, "rotation": 0.2}
"""Of the factors of a candidate's score, each from 0 to 1. Our own choice; they are shown with the score.

Whoever would work off their rotation ("rotation" 0) comes after all others, whatever the score; before them, whoever
would have any other warning.
"""


@frozen
class Verdict:
    """What a swap would do: the cells to set, what they would newly break, and whether an attending leaves a week."""

    cells: tuple[tuple[int, int, int, int], ...]
    violations: tuple[Violation, ...]
    leaves_week: bool = False

    @property
    def feasible(self) -> bool:
        """No new error; warnings may remain."""
        return not any(violation.blocks for violation in self.violations)

    @property
    def on_rotation(self) -> bool:
        """Whether nobody is newly put on a service that their rotation does not hold, or taken off their week."""
        return not self.leaves_week and not any(violation.rule == ROTATION for violation in self.violations)


@frozen
class Candidate:
    """Somebody who could: the score and the factors it is made of, each 0 to 1."""

    person: int
    swap: SwapType
    score: float
    factors: dict[str, float]
    verdict: Verdict


def whole_nights(board: "Board", p: int, slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The slots, with the other half of every night that they touch: a night is passed on whole."""
    night = board.kernel.overnight
    found = set(slots)
    for d, h in slots:
        if not night[board.day(p, d)[h]]:
            continue
        other = (d - 1, 1) if h == 0 else (d + 1, 0)
        if 0 <= other[0] < board.kernel.D and board.day(p, other[0])[other[1]] == board.day(p, d)[h]:
            found.add(other)
    return tuple(sorted(found))


def exchange(board: "Board", requester: int, target: int, slots: Sequence[Slot]) -> "Cells":
    """The cells after the two have changed places in these half-days."""
    slots = sorted({*whole_nights(board, requester, slots), *whole_nights(board, target, slots)})
    return [
        cell
        for d, h in slots
        for cell in ((requester, d, h, board.day(target, d)[h]), (target, d, h, board.day(requester, d)[h]))
    ]


def absorb(board: "Board", requester: int, target: int, slots: Sequence[Slot]) -> "Cells":
    """The cells after the target has taken over; the requester is free then."""
    return [
        cell
        for d, h in whole_nights(board, requester, slots)
        for cell in ((requester, d, h, FREE), (target, d, h, board.day(requester, d)[h]))
    ]


def obstacle(board: "Board", cells: "Cells", today: int = 0) -> tuple[Obstacle, tuple[int, int, int]] | None:
    """Why these cells cannot be set at all, and the first cell (person, day, session) of which it is true.

    A cell that would stay as it is hinders nothing, but at least one must change.
    """
    changed = [(p, d, h) for p, d, h, s in cells if board.day(p, d)[h] != s]
    if not changed:
        return "nothing", cells[0][:3]
    gone = max(today, board.kernel.tail)
    past = next((cell for cell in changed if cell[1] < gone), None)
    if past is not None:
        return "past", past
    held = next((cell for cell in changed if board.kernel.locked[cell]), None)
    return None if held is None else ("locked", held)


def judge(board: "Board", cells: "Cells", *, first: bool = False) -> Verdict:
    """What these cells would newly break; ``first`` stops at the first rule that is broken."""
    weeks = board.kernel.attending
    leaves = any(board.day(p, d)[h] == weeks[p, d] != s for p, d, h, s in cells if weeks[p, d] >= 0)
    found = board.breaks(cells, first=first)
    if not found:  # whoever is on leave is freed, and not put on another service
        away = Presence(board.kernel)
        moved = ((p, d, h, s) for p, d, h, s in cells if s not in (FREE, board.day(p, d)[h]))
        found = [away.violation(*cell) for cell in moved if board.kernel.away[cell[:2]]]
    return Verdict(tuple(cells), tuple(found), leaves)


def candidates(
    board: "Board", requester: int, slots: Sequence[Slot], among: Sequence[int] | None = None, *, today: int = 0
) -> list[Candidate]:
    """Everybody who could take these half-days over or exchange them from ``today`` on, verified, best first.

    Without a warning before with one, within the rotation plan before across it.
    """
    kernel = board.kernel
    found = []
    load = {p: _load(board, p, slots) for p in (range(kernel.P) if among is None else among)}
    busiest = max(load.values(), default=0) or 1
    wishes = {(kernel.person_of[row.person], kernel.day_of(row.day)): row.avoid for row in kernel.programme.preferences}
    for p, minutes in load.items():
        if p == requester or kernel.group[p] != kernel.group[requester]:
            continue
        free = all(board.day(p, d)[h] == FREE for d, h in slots)
        swap: SwapType = "ABSORB" if free else "ONE_TO_ONE"
        cells = (absorb if free else exchange)(board, requester, p, slots)
        if obstacle(board, cells, today) is not None:
            continue
        verdict = judge(board, cells, first=True)
        if not verdict.feasible:
            continue
        avoided = [wishes.get((p, d)) for d, _ in slots]
        factors = {
            "availability": 1.0 if free else 0.5,
            "workload": 1 - minutes / busiest if free else 1.0,
            "preference": sum(0.5 if wish is None else float(not wish) for wish in avoided) / len(avoided),
            "warnings": 1 / (1 + len(verdict.violations)),
            "rotation": float(verdict.on_rotation),
        }
        score = sum(WEIGHTS[name] * value for name, value in factors.items())
        found.append(Candidate(p, swap, round(score, 4), factors, verdict))
    return sorted(
        found, key=lambda one: (-one.factors["rotation"], bool(one.verdict.violations), -one.score, one.person)
    )


def week_minutes(board: "Board", p: int, day: int) -> int:
    """Duty minutes from Monday to Sunday of the week that holds the day."""
    kernel = board.kernel
    monday = day - kernel.date_of(day).weekday()
    minutes = kernel.minutes
    return sum(int(minutes[am, 0] + minutes[pm, 1]) for am, pm in board.rows[p][max(0, monday) : max(0, monday + 7)])


def _load(board: "Board", p: int, slots: Sequence[Slot]) -> int:
    return week_minutes(board, p, slots[0][0])
