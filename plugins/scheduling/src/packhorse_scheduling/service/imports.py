"""Rosters that come from outside: kept as drafts, judged like any other."""

from collections.abc import Sequence

from attrs import evolve

from packhorse_scheduling.domain.kernel import FREE, Kernel
from packhorse_scheduling.domain.opened import Opened
from packhorse_scheduling.domain.roster import Cell, Schedule
from packhorse_scheduling.errors import invalid
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import compliance_of


def import_roster(desk: RosterDesk, cells: Sequence[Cell], by: str | None) -> Opened:
    """Keep these half-days as a draft of the programme imported last, marked by what the validator finds.

    Raises:
        UserError: a person, service or day is not the programme's, or nobody works at all; nothing is kept.
    """
    programme_id, programme = desk.programme()
    kernel = Kernel(programme)
    if not cells:
        raise invalid("file", "The roster has no filled half-day.")
    for person, day, half, service in cells:
        where = f"{day} {'PM' if half else 'AM'}"
        if person not in kernel.person_of:
            raise invalid("file", f"{where}: there is no person {person[:40]!r} in the programme {programme.name!r}.")
        if service not in kernel.service_of:
            raise invalid("file", f"{where}: there is no service {service[:40]!r} in the programme {programme.name!r}.")
        if day not in programme.year:
            raise invalid("file", f"{day} is outside the programme ({programme.year.start} to {programme.year.end}).")
        if programme.services[kernel.service_of[service]].span(half) is None:
            raise invalid("file", f"{where}: {service!r} has no clock times then.")
    grid = kernel.grid_of(cells)
    if (grid[:, kernel.tail :] == FREE).all():
        raise invalid("file", "The roster has no filled half-day.")
    with desk.rosters() as rosters, rosters.store.tx():
        schedule = Schedule(
            id=desk.host.new_id(),
            version=rosters.next_version(),
            programme=programme_id,
            status="draft",
            compliance="UNKNOWN",
            created_at=desk.now(),
            created_by=by,
            cells=tuple(kernel.cells_of(grid)),
        )
        schedule = evolve(schedule, compliance=compliance_of(Opened(schedule, kernel, grid)))
        rosters.save_schedule(schedule)
        rosters.note(desk.host.new_id(), desk.now(), by, "roster imported", schedule.id)
    return Opened(schedule, kernel, grid)
