"""Enough faculty on the same service in the same half-day for the residents there."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.arrays import Arrays, Grid
from packhorse_scheduling.domain.rules.board import Board, Changes
from packhorse_scheduling.domain.rules.posting import Posting
from packhorse_scheduling.domain.rules.violation import Violation

FACULTY, RESIDENT = ROLES.index("FACULTY"), ROLES.index("RESIDENT")


@frozen(eq=False)
class Supervision:
    """Residents' units on a supervised service are at most the faculty there times ``faculty_units``."""

    kernel: "Arrays"
    codes: tuple[str, ...] = ("SUPERVISION_RATIO",)

    def check(self, grid: "Grid") -> list[Violation]:
        kernel = self.kernel
        limit = kernel.programme.rules.faculty_units
        service = np.flatnonzero(kernel.supervised)
        if not service.size:
            return []
        place = {int(s): n for n, s in enumerate(service)}
        there = np.zeros((2, len(service), kernel.D, 2), np.int32)
        for n, s in enumerate(service.tolist()):
            on = grid == s
            there[0, n] = on[kernel.teaches].sum(axis=0)
            there[1, n] = np.tensordot(kernel.units, on, axes=1)
        wrong = there[1] > there[0] * limit.value
        wrong[:, : kernel.tail] = False
        return [
            self._violation(s, d, h, int(there[1, n, d, h]), int(there[0, n, d, h]))
            for s, n in place.items()
            for d, h in np.argwhere(wrong[n]).tolist()
        ]

    def _violation(self, s: int, d: int, h: int, units: int, faculty: int) -> Violation:
        limit = self.kernel.programme.rules.faculty_units
        room = faculty * limit.value
        extra = {"faculty": faculty, "needed": self.needed(units)}
        return Violation(
            self.codes[0], "ERROR", limit.authority, d, d, units, room, "supervision units", None, s, h, FACULTY, extra
        )

    def needed(self, units: int) -> int:
        """Faculty for so many units."""
        return -(-units // self.kernel.programme.rules.faculty_units.value)

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        room = self.kernel.programme.rules.faculty_units.value
        found = []
        touched = {(s, d, h) for p, d, h, new in changes.cells for s in (new, board.day(p, d)[h]) if s >= 0}
        for s, d, h in sorted(touched):
            if not self.kernel.supervised[s]:
                continue
            units = board.units[s][d][h] + changes.units(board, s, d, h)
            faculty = board.count[FACULTY][s][d][h] + changes.moves(board).get((FACULTY, s, d, h), 0)
            short = units - faculty * room
            if short > 0 and short > board.units[s][d][h] - board.count[FACULTY][s][d][h] * room:
                found.append(self._violation(s, d, h, units, faculty))
        return found

    def post(self, model: "Posting") -> None:
        kernel = self.kernel
        for s in np.flatnonzero(kernel.supervised).tolist():
            for d in range(max(model.first, kernel.tail), model.last + 1):
                for h in (0, 1):
                    if kernel.open[s, h]:
                        model.supervise(s, d, h, self.codes[0])
