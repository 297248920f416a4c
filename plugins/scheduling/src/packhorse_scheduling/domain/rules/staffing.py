"""How many of each role a service has in a half-day, against the demand."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import Arrays, Grid, counts
from packhorse_scheduling.domain.rules.board import Board, Changes
from packhorse_scheduling.domain.rules.posting import Posting
from packhorse_scheduling.domain.rules.violation import Violation


@frozen(eq=False)
class Staffing:
    """At least the minimum and at most the maximum of each demand; no service where nobody asked for it."""

    kernel: "Arrays"
    codes: tuple[str, ...] = ("MINIMUM_STAFFING", "MAXIMUM_STAFFING")

    def check(self, grid: "Grid") -> list[Violation]:
        kernel = self.kernel
        there = counts(kernel, grid)
        found = []
        for code, wrong, limit in (
            (self.codes[0], there < kernel.least, kernel.least),
            (self.codes[1], there > kernel.most, kernel.most),
        ):
            wrong[:, :, : kernel.tail] = False
            if wrong.any():
                for g, s, d, h in np.argwhere(wrong).tolist():
                    found.append(self._violation(code, g, s, d, h, int(there[g, s, d, h]), int(limit[g, s, d, h])))
        return found

    def _violation(self, code: str, g: int, s: int, d: int, h: int, value: int, limit: int) -> Violation:
        return Violation(code, "ERROR", "institution", d, d, value, limit, "people", None, s, h, g)

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        found = []
        for (g, s, d, h), step in changes.moves(board).items():
            there = board.count[g][s][d][h]
            least, most = self.kernel.least[g, s, d, h], self.kernel.most[g, s, d, h]
            if step < 0 and there + step < least:
                found.append(self._violation(self.codes[0], g, s, d, h, there + step, int(least)))
            elif step > 0 and there + step > most:
                found.append(self._violation(self.codes[1], g, s, d, h, there + step, int(most)))
        return found

    def post(self, model: "Posting") -> None:
        """Minimum and maximum per role, service and half-day; where the model allows it, a shortfall costs."""
        kernel = self.kernel
        for g in model.groups:
            for s in range(kernel.S):
                for d in range(max(model.first, kernel.tail), model.last + 1):
                    for h in (0, 1):
                        least, most = int(kernel.least[g, s, d, h]), int(kernel.most[g, s, d, h])
                        literals, constant = model.present(g, s, d, h)
                        if least > constant:
                            model.staffed(literals, least - constant, g, s, d, h)
                        if literals and most < constant + len(literals):
                            model.at_most([(v, 1) for v in literals], most - constant, self.codes[1], s, d)
