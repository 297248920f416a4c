"""A kept schedule beside its programme's kernel, and what generation gave."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.domain.programme import Programme

if TYPE_CHECKING:
    from packhorse_scheduling.domain.board import Board
    from packhorse_scheduling.domain.kernel import Grid, Kernel
    from packhorse_scheduling.domain.roster import Schedule
    from packhorse_scheduling.domain.rules.rule import Violation
    from packhorse_scheduling.domain.solve.year import Draft


@frozen(eq=False)
class Opened:
    """A schedule with its programme, ready to count."""

    schedule: "Schedule"
    kernel: "Kernel"
    grid: "Grid"

    @property
    def programme(self) -> Programme:
        """Whose schedule it is."""
        return self.kernel.programme

    def violations(self, codes: "Sequence[str] | None" = None) -> "list[Violation]":
        """Every breach of these rules (None: of all)."""
        return [
            violation
            for rule in self.kernel.rules
            if codes is None or any(code in codes for code in rule.codes)
            for violation in rule.check(self.grid)
            if codes is None or violation.rule in codes
        ]

    def board(self) -> "Board":
        """A board of its own to try changes on."""
        from packhorse_scheduling.domain.board import Board

        return Board(self.kernel, self.grid)


@frozen
class Churn:
    """Half-days that differ from the version in force, of those filled in either, on the days made anew; and whose."""

    changed: int
    of: int
    people: int


def churn(before: "Grid", after: "Grid", first: int, last: int) -> Churn:
    """What changed from one roster to another on these days."""
    was, now = before[:, first : last + 1], after[:, first : last + 1]
    differs = was != now
    filled = (was >= 0) | (now >= 0)
    return Churn(int(differs.sum()), int(filled.sum()), int(differs.any(axis=(1, 2)).sum()))


@frozen(eq=False)
class Generated:
    """A new version, stored; ``draft`` is how it was made (None: long ago)."""

    opened: Opened
    draft: "Draft | None"
    violations: "tuple[Violation, ...]"
    churn: Churn | None = None
