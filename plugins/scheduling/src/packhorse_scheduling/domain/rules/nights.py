"""An overnight service is one piece of work: the evening and the next morning, by one person."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import Arrays, Grid
from packhorse_scheduling.domain.rules.board import Board, Changes
from packhorse_scheduling.domain.rules.posting import Posting
from packhorse_scheduling.domain.rules.violation import Violation


@frozen(eq=False)
class WholeNights:
    """The evening of an overnight service is followed by its morning, and the other way round.

    The first day's morning and the last day's evening may stand alone: their
    other half lies outside the known days.
    """

    kernel: "Arrays"
    codes: tuple[str, ...] = ("WHOLE_NIGHT_RULE",)

    def check(self, grid: "Grid") -> list[Violation]:
        evening, morning = grid[:, :-1, 1], grid[:, 1:, 0]
        night = self.kernel.overnight
        torn = (evening != morning) & (night[evening] | night[morning])
        return [self._violation(p, d, grid) for p, d in np.argwhere(torn).tolist() if not self._known(p, d)]

    def _known(self, p: int, d: int) -> bool:
        """Whether a half of the night is on record as it was worked: somebody may have gone home."""
        actual = self.kernel.actual
        return bool(actual) and ((p, d, 1) in actual or (p, d + 1, 0) in actual)

    def _violation(self, p: int, d: int, grid: "Grid") -> Violation:
        evening, morning = int(grid[p, d, 1]), int(grid[p, d + 1, 0])
        service = evening if self.kernel.overnight[evening] else morning
        return Violation("WHOLE_NIGHT_RULE", "ERROR", "institution", d, d + 1, 1, 2, "halves", p, service)

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        found = []
        night = self.kernel.overnight
        for p, days in changes.by_person.items():
            for d in sorted({evening for day in days for evening in (day - 1, day)}):
                if not 0 <= d < self.kernel.D - 1:
                    continue
                evening, morning = changes.cell(board, p, d)[1], changes.cell(board, p, d + 1)[0]
                if evening != morning and (night[evening] or night[morning]):
                    was = board.day(p, d)[1], board.day(p, d + 1)[0]
                    if was[0] != was[1] and (night[was[0]] or night[was[1]]):
                        continue
                    service = evening if night[evening] else morning
                    found.append(
                        Violation("WHOLE_NIGHT_RULE", "ERROR", "institution", d, d + 1, 1, 2, "halves", p, service)
                    )
        return found

    def post(self, model: "Posting") -> None:
        for p in model.persons:
            for s in np.flatnonzero(self.kernel.overnight[:-1]).tolist():
                for d in range(max(model.first_known, model.first - 1), min(model.last + 1, model.last_known)):
                    model.same((p, d, 1, s), (p, d + 1, 0, s), self.codes[0])
