"""A programme's arrays with its rules."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import define

from packhorse_scheduling.domain.roster.arrays import Arrays, Grid
from packhorse_scheduling.domain.rules.board import Board, Rule
from packhorse_scheduling.domain.rules.nights import WholeNights
from packhorse_scheduling.domain.rules.periods import DutyPeriods
from packhorse_scheduling.domain.rules.places import Credentials, Locks, Presence
from packhorse_scheduling.domain.rules.rotations import Curriculum, OnRotation
from packhorse_scheduling.domain.rules.staffing import Staffing
from packhorse_scheduling.domain.rules.supervision import Supervision
from packhorse_scheduling.domain.rules.violation import Violation
from packhorse_scheduling.domain.rules.windows import Window, windows_of


@define(slots=False, eq=False, repr=False)
class Kernel(Arrays):
    """One programme, ready to count and to judge."""

    @cached_property
    def rules(self) -> Sequence[Rule]:
        """Every rule of the programme, in the order in which they are reported."""
        return rules_of(self)

    @cached_property
    def windows(self) -> Sequence[Window]:
        """The rules over rolling windows."""
        return [rule for rule in self.rules if isinstance(rule, Window)]

    def board(self, grid: Grid) -> Board:
        """A board of its own to try changes of a roster on; what went by stands on it as it was worked."""
        return Board(self, self.rules, self.worked(grid))

    def violations(self, grid: Grid, codes: Sequence[str] | None = None) -> Iterator[Violation]:
        """Every breach of these rules (None: of all), days gone by as they were worked."""
        worked = self.worked(grid)
        for rule in self.rules:
            if codes is None:
                yield from rule.check(worked)
            elif any(code in codes for code in rule.codes):
                yield from (one for one in rule.check(worked) if one.rule in codes)


def rules_of(kernel: Arrays) -> tuple[Rule, ...]:
    """Every rule, in the order of the list of violations."""
    return (
        *windows_of(kernel),
        DutyPeriods(kernel),
        WholeNights(kernel),
        Supervision(kernel),
        Staffing(kernel),
        Credentials(kernel),
        Presence(kernel),
        Locks(kernel),
        OnRotation(kernel),
        Curriculum(kernel),
    )
