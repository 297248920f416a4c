"""The ledger at its desk: entered when a roster takes another's place, read by its page, generation and answers."""

from datetime import datetime
from typing import TYPE_CHECKING

from packhorse_scheduling.domain.rules.opened import Opened

if TYPE_CHECKING:
    from packhorse_scheduling.domain.insight.ledger import Entry
    from packhorse_scheduling.domain.programme.programme import Programme
    from packhorse_scheduling.service import RosterDesk
    from packhorse_scheduling.store import Rosters


def enter(rosters: "Rosters", before: Opened | None, after: Opened, at: datetime) -> None:
    """What one roster in place of another means for the ledger: a year that is over, or sick calls."""
    from packhorse_scheduling.domain.insight.ledger import closed, sick_calls
    from packhorse_scheduling.store.ledger import Ledger

    if before is None:
        return
    old, new = before.programme, after.programme
    if old.year.start < new.year.start:
        Ledger(rosters.store).keep(closed(before.kernel, before.worked), at)
    elif _alike(before) == _alike(after):
        Ledger(rosters.store).keep(sick_calls(after.kernel, before.grid, after.grid, at.date()), at)


def _alike(opened: Opened) -> tuple[object, ...]:
    """What two rosters have in common where a half-day of one can be held against the other's."""
    programme = opened.programme
    return programme.year, [one.key for one in programme.people], programme.services, opened.kernel.tail


def enter_file(rosters: "Rosters", programme: "Programme", at: datetime) -> None:
    """The figures of a programme's file; what is on record and not in the file stays."""
    from packhorse_scheduling.domain.insight.ledger import Entry
    from packhorse_scheduling.store.ledger import Ledger

    rows = [Entry(one.person, one.kind, one.amount, one.until, "file", one.expected) for one in programme.ledger]
    Ledger(rosters.store).keep(rows, at)


def entries(desk: "RosterDesk") -> "list[Entry]":
    """Every entry, the oldest first."""
    from packhorse_scheduling.store.ledger import Ledger

    with desk.rosters() as rosters:
        return Ledger(rosters.store).all()
