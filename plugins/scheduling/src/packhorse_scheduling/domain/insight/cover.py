"""How demand is met, service by service; who could be called in; and what a scenario would leave unmet."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.change.swaps import week_minutes
from packhorse_scheduling.domain.roster.arrays import FREE, Grid, counts
from packhorse_scheduling.domain.rules.board import Board
from packhorse_scheduling.domain.rules.kernel import Kernel


@frozen
class Line:
    """One service and role in a span of days, in half-day places: asked for, filled of those, over the most, there."""

    service: int
    role: int
    asked: int
    filled: int
    there: int
    short_half_days: int
    over_half_days: int

    @property
    def rate(self) -> float:
        """Filled over asked; 1 where nothing is asked."""
        return self.filled / self.asked if self.asked else 1.0


@frozen
class Gap:
    """One half-day below its minimum."""

    service: int
    role: int
    day: int
    session: int
    there: int
    least: int


@frozen
class Reserve:
    """Somebody free in a half-day, and the services that they could take over then without breaking a rule."""

    person: int
    services: tuple[int, ...]
    week_hours: float


def lines(kernel: "Kernel", grid: "Grid", first: int, last: int) -> list[Line]:
    """Every service and role that is asked for, or used, on these days."""
    days = slice(first, last + 1)
    there, least = counts(kernel, grid)[:, :, days], kernel.least[:, :, days]
    most = kernel.most[:, :, days]
    found = []
    for g, s in np.argwhere((least.sum(axis=(2, 3)) > 0) | (there.sum(axis=(2, 3)) > 0)).tolist():
        have, need = there[g, s].astype(int), least[g, s].astype(int)
        found.append(
            Line(
                s,
                g,
                int(need.sum()),
                int(np.minimum(have, need).sum()),
                int(have.sum()),
                int((have < need).sum()),
                int((have > most[g, s]).sum()),
            )
        )
    return sorted(found, key=lambda line: (line.rate, line.service, line.role))


def gaps(kernel: "Kernel", grid: "Grid", first: int, last: int) -> list[Gap]:
    """Every half-day below minimum demand, by day."""
    days = slice(first, last + 1)
    there, least = counts(kernel, grid)[:, :, days], kernel.least[:, :, days]
    return sorted(
        (
            Gap(s, g, d + first, h, int(there[g, s, d, h]), int(least[g, s, d, h]))
            for g, s, d, h in np.argwhere(there < least).tolist()
        ),
        key=lambda gap: (gap.day, gap.session, gap.service, gap.role),
    )


def reserves(board: "Board", day: int, session: int, services: Sequence[int]) -> list[Reserve]:
    """Who is free then and could come in for one of the services, whom the week has used least first."""
    kernel = board.kernel
    found = []
    for p in range(kernel.P):
        if kernel.away[p, day] or board.day(p, day)[session] != FREE:
            continue
        able = [s for s in services if kernel.may[p, s, day, session] and _could_join(board, p, s, day, session)]
        if able:
            found.append(Reserve(p, tuple(able), week_minutes(board, p, day) / 60))
    return sorted(found, key=lambda one: (one.week_hours, one.person))


def _could_join(board: "Board", p: int, s: int, day: int, session: int) -> bool:
    """Whether coming in breaks no rule; that there is one too many then is not asked: somebody is missing."""
    cells = [(p, day, session, s)]
    if board.kernel.overnight[s]:
        other = (day + 1, 0) if session else (day - 1, 1)
        if not board.kernel.tail <= other[0] < board.kernel.D or board.day(p, other[0])[other[1]] != FREE:
            return False
        cells.append((p, *other, s))
    return not any(one.blocks and one.rule != "MAXIMUM_STAFFING" for one in board.breaks(cells))
