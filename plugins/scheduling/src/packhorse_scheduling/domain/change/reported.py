"""What taking reports of hours really worked for true changes for the rules."""

from collections.abc import Sequence

from attrs import evolve, frozen

from packhorse_scheduling.domain.change.notices import breach_key
from packhorse_scheduling.domain.programme.actual import Actual
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation


@frozen
class Effect:
    """Each half-day as it stands so far and as reported, and the violations that come and that go.

    ``worsened`` stood before, and are further from their limit; ``warned`` are warnings that come.
    """

    rows: tuple[tuple[Actual, Actual], ...]
    added: "tuple[Violation, ...]"
    settled: "tuple[Violation, ...]"
    worsened: "tuple[Violation, ...]" = ()
    warned: "tuple[Violation, ...]" = ()

    @property
    def is_nothing(self) -> bool:
        """Whether all stands so already."""
        return all(was == row for was, row in self.rows)


def effect_of(opened: Opened, rows: Sequence[Actual]) -> tuple[Opened, Effect]:
    """The roster under a programme that has these rows, and what that changes."""
    places = {row.place for row in rows}
    kept = [row for row in opened.programme.actual_hours if row.place not in places]
    programme = evolve(opened.programme, actual_hours=(*kept, *rows))
    after = Opened(opened.schedule, Kernel(programme, opened.schedule.plan), opened.grid)
    was, now = ({breach_key(one.kernel, found): found for found in one.violations()} for one in (opened, after))
    came = [one for key, one in now.items() if key not in was]
    return after, Effect(
        rows=tuple((standing(opened, row), row) for row in rows),
        added=tuple(one for one in came if one.blocks),
        settled=tuple(one for key, one in was.items() if one.blocks and key not in now),
        worsened=tuple(one for key, one in now.items() if one.blocks and key in was and one.excess > was[key].excess),
        warned=tuple(one for one in came if not one.blocks),
    )


def standing(opened: Opened, row: Actual) -> Actual:
    """What stands in the place of a row: what is on record, or else the plan."""
    known = next((one for one in opened.programme.actual_hours if one.place == row.place), None)
    if known is not None:
        return known
    kernel = opened.kernel
    s = int(opened.grid[kernel.person_of[row.person], kernel.day_of(row.day), SESSIONS.index(row.session)])
    return evolve(row, service=None if s < 0 else opened.programme.services[s].code, hours=None)
