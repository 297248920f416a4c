"""Spreading each service more evenly: single half-days pass from who has most of it to who has fewest.

The imbalance of a role is the sum, over its services, of the squared
differences between each person's half-days and the mean of those who may do
the service; people are counted for the share of days on which they are not on
leave. A move is made only if it lowers that sum, breaks no rule, and takes
nobody off their rotation.
"""

import numpy as np
import numpy.typing as npt
from attrs import frozen

from packhorse_scheduling.domain.change import swaps
from packhorse_scheduling.domain.roster.arrays import FREE, Grid
from packhorse_scheduling.domain.rules.board import Board
from packhorse_scheduling.domain.rules.kernel import Kernel

MOST_TRIED = 4_000
"""Moves that are judged in one run: about a second."""


@frozen
class Move:
    """Half-days that changed hands: from whom, to whom, the day and session, and which service."""

    giver: int
    taker: int
    day: int
    session: int
    service: int
    exchanged: bool


@frozen(eq=False)
class Balanced:
    """The new grid, the moves in order, and the imbalance before and after."""

    grid: "Grid"
    moves: tuple[Move, ...]
    before: float
    after: float
    tried: int


def imbalance(kernel: "Kernel", grid: "Grid", group: int, first: int, last: int) -> float:
    """Of one role on these days; 0 is perfectly even."""
    return float(sum((offs**2).sum() for offs in _offs(kernel, grid, group, first, last).values()))


def balance(
    kernel: "Kernel", grid: "Grid", board: "Board", group: int, first: int, last: int, *, today: int, most: int
) -> Balanced:
    """Make at most ``most`` moves on days from ``today`` on; the board follows them."""
    grid = grid.copy()
    before = imbalance(kernel, grid, group, first, last)
    start = max(first, today)
    moves: list[Move] = []
    tried = 0
    while len(moves) < most and tried < MOST_TRIED:
        offs = _offs(kernel, grid, group, first, last)
        now = sum((values**2).sum() for values in offs.values())
        found = None
        ranked = sorted(
            ((values[p] - values[q], s, p, q) for s, values in offs.items() for p, q in _ends(values)), reverse=True
        )
        for gap, s, p, q in ranked:
            if gap < 1.5 or tried >= MOST_TRIED:
                break
            for d, h in np.argwhere(grid[p, start : last + 1] == s).tolist():
                slot = (d + start, h)
                if tried >= MOST_TRIED:
                    break
                exchanged = bool(grid[q, slot[0], h] != FREE)
                cells = (swaps.exchange if exchanged else swaps.absorb)(board, p, q, [slot])
                if swaps.obstacle(board, cells, start) is not None:
                    continue
                after = grid.copy()
                for person, day, half, service in cells:
                    after[person, day, half] = service
                lowered = imbalance(kernel, after, group, first, last) < now - 1e-9
                if not lowered:
                    continue
                tried += 1
                verdict = swaps.judge(board, cells, first=True)
                if not (verdict.feasible and verdict.on_rotation):
                    continue
                found = Move(p, q, slot[0], h, s, exchanged)
                board.apply(cells)
                grid = after
                break
            if found is not None:
                break
        if found is None:
            break
        moves.append(found)
    return Balanced(grid, tuple(moves), before, imbalance(kernel, grid, group, first, last), tried)


def _offs(kernel: "Kernel", grid: "Grid", group: int, first: int, last: int) -> "dict[int, npt.NDArray[np.float64]]":
    """By service: how far each person is above the mean of those of the role who may do it; 0 for the others."""
    members = kernel.group == group
    days = slice(first, last + 1)
    share = (~kernel.away[:, days]).mean(axis=1)
    found = {}
    for s in range(kernel.S):
        able = members & kernel.eligible[:, s] & (share > 0)
        done = np.asarray((grid[:, days] == s).sum(axis=(1, 2)), float)
        if not able.any() or not done[able].any():
            continue
        expected = done[able].sum() * share / share[able].sum()
        found[s] = np.where(able, done - expected, 0.0)
    return found


def _ends(values: "npt.NDArray[np.float64]") -> "list[tuple[int, int]]":
    """Pairs of who is well above and who is well below, the farthest first; few, since each is tried on many days."""
    order = np.argsort(-values, kind="stable").tolist()
    return [(p, q) for p in order[:3] for q in reversed(order[-3:]) if values[p] > 0 > values[q]]
