"""Ways out of a conflict in some half-days, each tried on the board before it is told."""

from collections.abc import Iterator, Sequence
from typing import Literal

from attrs import frozen

from packhorse_scheduling.domain.change import swaps
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.board import Board, Cells
from packhorse_scheduling.domain.rules.codes import CODES
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.supervision import FACULTY
from packhorse_scheduling.domain.rules.violation import Violation

ConflictType = Literal[
    "UNDERSTAFFED", "OVERSTAFFED", "COMPLIANCE_VIOLATION", "SWAP_NEEDED", "COVERAGE_GAP", "CREDENTIAL_MISMATCH"
]
Action = Literal["REASSIGN", "SWAP", "ADD_COVERAGE", "REMOVE_ASSIGNMENT"]

_SHORT = ("MINIMUM_STAFFING", "SUPERVISION_RATIO")
RULES_OF: dict[ConflictType, tuple[str, ...]] = {
    "UNDERSTAFFED": _SHORT,
    "COVERAGE_GAP": _SHORT,
    "OVERSTAFFED": ("MAXIMUM_STAFFING",),
    "CREDENTIAL_MISMATCH": ("CREDENTIAL_REQUIREMENTS",),
    "COMPLIANCE_VIOLATION": tuple(code for code in CODES if code not in (*_SHORT, "MAXIMUM_STAFFING")),
    "SWAP_NEEDED": (),
}
"""Whose violations a kind of conflict is."""
MOST_TRIED = 200
"""Changes tried at most: the question is answered while somebody waits."""


@frozen
class Suggestion:
    """Cells to set, what that is in words of the specification, and what it would newly break.

    ``persons`` are from whom (None: nobody) and to whom (None: nobody);
    ``solved`` is by how many the violations of the whole roster become fewer.
    """

    action: Action
    slot: tuple[int, int]
    persons: tuple[int | None, int | None]
    cells: "tuple[tuple[int, int, int, int], ...]"
    verdict: swaps.Verdict
    score: float
    solved: int


def conflicts(opened: "Opened", kind: ConflictType, slots: Sequence[tuple[int, int]]) -> list[Violation]:
    """The violations of this kind in these half-days."""
    codes = RULES_OF[kind]
    return [
        violation
        for violation in (opened.violations(codes) if codes else [])
        if any(violation.first <= d <= violation.last and violation.session in (None, h) for d, h in slots)
    ]


def resolve(
    opened: "Opened",
    kind: ConflictType,
    slots: Sequence[tuple[int, int]],
    found: Sequence[Violation],
    *,
    persons: Sequence[int] = (),
    among: Sequence[int] | None = None,
    lawful: bool = True,
    fewest: bool = True,
    most: int = 5,
) -> list[Suggestion]:
    """The best ways out, the best first; with ``lawful``, none that newly breaks a rule.

    For anything but a wanted swap a way out must leave fewer violations in the whole roster than there are.
    """
    board = opened.board()
    before = _broken(opened)
    told: list[Suggestion] = []
    for n, (action, slot, pair, cells, score) in enumerate(_ways(opened, board, kind, slots, found, persons, among)):
        if n == MOST_TRIED:
            break
        if swaps.obstacle(board, cells) is not None:
            continue
        verdict = swaps.judge(board, cells)
        if lawful and not verdict.feasible:
            continue
        solved = 0
        if kind != "SWAP_NEEDED":
            # What a change mends is seen only by a count of the whole; what it breaks, the board has said.
            solved = before - _broken(opened, cells)
            if solved <= 0:
                continue
        told.append(
            Suggestion(action, slot, pair, tuple(cells), verdict, score / (1 + len(verdict.violations)), solved)
        )
    told.sort(
        key=lambda one: (
            not one.verdict.on_rotation,
            len(one.cells) if fewest else 0,
            -one.score,
            one.slot,
            one.persons[1] or 0,
        )
    )
    return told[:most]


_Way = tuple[Action, tuple[int, int], tuple[int | None, int | None], "Cells", float]


def _ways(
    opened: "Opened",
    board: "Board",
    kind: ConflictType,
    slots: Sequence[tuple[int, int]],
    found: Sequence[Violation],
    persons: Sequence[int],
    among: Sequence[int] | None,
) -> Iterator[_Way]:
    if kind in ("UNDERSTAFFED", "COVERAGE_GAP"):
        for violation in found:
            yield from _filling(opened, board, violation, among)
        return
    if kind == "OVERSTAFFED":
        for violation in found:
            d, h = violation.first, violation.session or 0
            for p in range(opened.kernel.P):
                if board.day(p, d)[h] == violation.service and opened.kernel.group[p] == violation.role:
                    yield "REMOVE_ASSIGNMENT", (d, h), (p, None), _emptied(board, p, (d, h)), 0.5
        return
    whose = dict.fromkeys([*persons, *(violation.person for violation in found if violation.person is not None)])
    for p in whose:
        for d, h in slots:
            if board.day(p, d)[h] == FREE:
                continue
            if kind != "SWAP_NEEDED":
                yield "REMOVE_ASSIGNMENT", (d, h), (p, None), _emptied(board, p, (d, h)), 0.5
            for candidate in swaps.candidates(board, p, [(d, h)], among):
                action: Action = "REASSIGN" if candidate.swap == "ABSORB" else "SWAP"
                yield action, (d, h), (p, candidate.person), list(candidate.verdict.cells), candidate.score


def _filling(opened: "Opened", board: "Board", violation: Violation, among: Sequence[int] | None) -> Iterator[_Way]:
    kernel = opened.kernel
    d, h, s = violation.first, violation.session or 0, violation.service
    role = FACULTY if violation.role is None else violation.role
    if s is None:
        return
    load = {p: swaps.week_minutes(board, p, d) for p in range(kernel.P)}
    busiest = max(load.values()) or 1
    for p in range(kernel.P) if among is None else among:
        at = board.day(p, d)[h]
        if kernel.group[p] != role or not kernel.may[p, s, d, h] or not (at == FREE or kernel.fills[at]):
            continue
        cells = [(p, d, h, s)]
        if kernel.overnight[s]:
            day, half = (d + 1, 0) if h else (d - 1, 1)
            if not kernel.tail <= day < kernel.D:
                continue
            cells.append((p, day, half, s))
        score = 0.5 * (1.0 if at == FREE else 0.5) + 0.5 * (1 - load[p] / busiest)
        yield "ADD_COVERAGE" if at == FREE else "REASSIGN", (d, h), (None, p), cells, score


def _emptied(board: "Board", p: int, slot: tuple[int, int]) -> "Cells":
    return [(p, d, h, FREE) for d, h in swaps.whole_nights(board, p, [slot])]


def _broken(opened: "Opened", cells: "Cells | None" = None) -> int:
    grid = opened.grid
    if cells is not None:
        grid = grid.copy()
        for p, d, h, s in cells:
            grid[p, d, h] = s
    return sum(violation.blocks for violation in opened.kernel.violations(grid))
