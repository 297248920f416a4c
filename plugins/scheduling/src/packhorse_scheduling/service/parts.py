"""What a search has so far, kept as a draft: whatever ends it leaves the roster up to the last block."""

from datetime import date
from typing import TYPE_CHECKING

from attrs import define, evolve

if TYPE_CHECKING:
    from packhorse_scheduling.domain.roster.arrays import Grid
    from packhorse_scheduling.domain.roster.plan import Plan
    from packhorse_scheduling.domain.roster.roster import Schedule
    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.service import RosterDesk
    from packhorse_scheduling.store import Rosters


@define
class Part:
    """The draft of one generation, from its first block on; ``schedule`` says whose it is, and has no cells yet.

    While ``until`` stands in a version, its search has not ended by itself: its
    compliance is unknown, and a second run under its id begins again.
    """

    desk: "RosterDesk"
    kernel: "Kernel"
    schedule: "Schedule"
    stored: bool = False

    def keep(self, grid: "Grid", plan: "Plan", last: int) -> None:
        """Store the roster up to a day, in place of what was stored before."""
        until = self.kernel.date_of(last)
        cells = tuple(self.kernel.cells_of(grid))
        with self.desk.rosters() as rosters, rosters.store.tx():
            self.save(rosters, evolve(self.schedule, cells=cells, plan=plan, until=until))

    def save(self, rosters: "Rosters", schedule: "Schedule") -> "Schedule":
        """The version as it is stored, under the number that it had or the next."""
        before = rosters.version_of(schedule.id)
        schedule = evolve(schedule, version=rosters.next_version() if before is None else before)
        (rosters.save_schedule if before is None else rosters.renew_draft)(schedule)
        self.schedule, self.stored = schedule, True
        return schedule

    def drop(self) -> None:
        """Forget it: no roster begins so."""
        if self.stored:
            with self.desk.rosters() as rosters, rosters.store.tx():
                rosters.drop_draft(self.schedule.id)
            self.stored = False

    def words(self) -> str:
        """What is left of a search that was ended."""
        return kept_words(self.schedule.id, self.schedule.until) if self.stored else "Nothing was stored."


def kept_words(schedule_id: str, until: date | None) -> str:
    """Of a version that its search left unfinished."""
    return (
        f"The roster until {until} is kept as draft {schedule_id}. The draft was not checked as a whole, and its later"
        " days are empty. Generate again to make all days."
    )
