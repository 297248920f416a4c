"""Who may be where: credentials, leave, and locks."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import Arrays, Grid
from packhorse_scheduling.domain.rules.board import Board, Changes
from packhorse_scheduling.domain.rules.posting import Posting
from packhorse_scheduling.domain.rules.violation import Violation


@frozen(eq=False)
class Credentials:
    """Role, year of training and every needed credential, good on the day."""

    kernel: "Arrays"
    codes: tuple[str, ...] = ("CREDENTIAL_REQUIREMENTS",)

    def check(self, grid: "Grid") -> list[Violation]:
        valid = self.kernel.valid
        padded = np.concatenate([valid, np.ones_like(valid[:, :1])], axis=1)  # the last row is FREE
        persons, days = np.ogrid[: grid.shape[0], : grid.shape[1]]
        wrong = np.stack([~padded[persons, grid[:, :, h], days] for h in (0, 1)], axis=2)
        wrong[:, : self.kernel.tail] = False
        return [self._violation(p, d, h, int(grid[p, d, h])) for p, d, h in np.argwhere(wrong).tolist()]

    def _violation(self, p: int, d: int, h: int, s: int) -> Violation:
        return Violation(self.codes[0], "ERROR", "institution", d, d, 0, 1, "credentials", p, s, h)

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        return [
            self._violation(p, d, h, s)
            for p, d, h, s in changes.cells
            if s >= 0 and not self.kernel.valid[p, s, d] and board.grid[p, d, h] != s
        ]

    def post(self, model: "Posting") -> None:
        """Nothing to add: a model has no literal where the person may not work; one to explain has, and guards it."""
        model.bar(~self.kernel.valid, self.codes[0])


@frozen(eq=False)
class Presence:
    """Nobody works on binding leave; a night is of its evening's day, and what is on record as worked is allowed."""

    kernel: "Arrays"
    codes: tuple[str, ...] = ("LEAVE_RULE",)

    def check(self, grid: "Grid") -> list[Violation]:
        wrong = self.kernel.collisions(grid)
        return [self.violation(p, d, h, int(grid[p, d, h])) for p, d, h in np.argwhere(wrong).tolist()]

    def violation(self, p: int, d: int, h: int, s: int) -> Violation:
        """Of somebody who works then, on leave."""
        return Violation(self.codes[0], "ERROR", "institution", d, d, 1, 0, "half-days on leave", p, s, h)

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        found = []
        for p, days in changes.by_person.items():
            for d, h in {(d, h) for d in days for h in (0, 1)} | {(d + 1, 0) for d in days if d + 1 < self.kernel.D}:
                now = changes.cell(board, p, d)[h]
                was = board.day(p, d)
                evenings = (changes.cell(board, p, d - 1)[1], board.day(p, d - 1)[1]) if d else (now, was[0])
                if self._collides(p, d, h, now, evenings[0]) and not self._collides(p, d, h, was[h], evenings[1]):
                    found.append(self.violation(p, d, h, now))
        return found

    def _collides(self, p: int, d: int, h: int, s: int, evening: int) -> bool:
        """Whether a half-day does, by the service in it and the one of the evening before."""
        kernel = self.kernel
        if s < 0 or not kernel.away[p, d] or (p, d, h) in kernel.actual:
            return False
        return not (h == 0 and kernel.overnight[s] and evening == s and not (d and kernel.away[p, d - 1]))

    def post(self, model: "Posting") -> None:
        """As for credentials: no night is planned into leave, though one that was is no collision."""
        model.bar(np.broadcast_to(self.kernel.away[:, None, :], self.kernel.valid.shape), self.codes[0])


@frozen(eq=False)
class Locks:
    """What the programme locks stands so, unless the person is on leave then, or it is known what they worked."""

    kernel: "Arrays"
    codes: tuple[str, ...] = ("LOCK_RULE",)

    def check(self, grid: "Grid") -> list[Violation]:
        return [
            self._violation(*at, s)
            for at, s in self.kernel.lock_at.items()
            if grid[at] != s and at not in self.kernel.actual and not (s >= 0 and self.kernel.away[at[0], at[1]])
        ]

    def _violation(self, p: int, d: int, h: int, s: int) -> Violation:
        service = s if s >= 0 else None
        return Violation(self.codes[0], "ERROR", "institution", d, d, 1, 0, "locks broken", p, service, h)

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        held = self.kernel.lock_at
        return [
            self._violation(p, d, h, held[p, d, h])
            for p, d, h, s in changes.cells
            if (p, d, h) in held and s != held[p, d, h] == board.grid[p, d, h]
        ]

    def post(self, model: "Posting") -> None:
        """Nothing to add: the cells of locks are constants of every model."""
