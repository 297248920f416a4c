"""A kept schedule beside its programme's kernel."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.domain.programme.programme import Programme

if TYPE_CHECKING:
    from packhorse_scheduling.domain.roster.arrays import Grid
    from packhorse_scheduling.domain.roster.roster import Schedule
    from packhorse_scheduling.domain.rules.board import Board
    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.domain.rules.violation import Violation


@frozen(eq=False)
class Opened:
    """A schedule with its programme, ready to count."""

    schedule: "Schedule"
    kernel: "Kernel"
    grid: "Grid"

    @cached_property
    def worked(self) -> "Grid":
        """The roster with half-days gone by as they were worked, where that is on record."""
        return self.kernel.worked(self.grid)

    @property
    def programme(self) -> Programme:
        """Whose schedule it is."""
        return self.kernel.programme

    def violations(self, codes: "Sequence[str] | None" = None) -> "list[Violation]":
        """Every breach of these rules (None: of all)."""
        return list(self.kernel.violations(self.grid, codes))

    def board(self) -> "Board":
        """A board of its own to try changes on."""
        return self.kernel.board(self.grid)
