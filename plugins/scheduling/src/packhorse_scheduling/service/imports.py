"""Rosters that come from outside: kept as drafts, judged like any other."""

from collections.abc import Collection, Mapping

from attrs import evolve

from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.roster.plan import Plan, plan_faults, within
from packhorse_scheduling.domain.roster.roster import Cell, Schedule
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import compliance_of

MOST_FAULTS = 10
"""Of a rotation plan, told at once."""


def _check_cells(programme: Programme, cells: Collection[Cell]) -> None:
    """Let half-days pass that are all of this programme; a mapping gives each its place in a file.

    Raises:
        UserError: there is none, or a person, service or day is not the programme's.
    """
    people = {person.key for person in programme.people}
    services = {service.code: service for service in programme.services}
    if not cells:
        raise invalid("file", "The roster has no filled half-day. Fill it, or leave it out.")
    for cell in cells:
        person, day, half, code = cell
        where = f"{day} {SESSIONS[half]}"
        if isinstance(cells, Mapping):
            where = f"{cells[cell]}: {where}"
        if person not in people:
            raise invalid("file", f"{where}: there is no person {person[:40]!r} in the programme {programme.name!r}.")
        if code not in services:
            raise invalid("file", f"{where}: there is no service {code[:40]!r} in the programme {programme.name!r}.")
        if day not in programme.year:
            raise invalid(
                "file",
                f"{where} is outside the programme, which runs from {programme.year.start} to {programme.year.end}.",
            )
        if services[code].span(half) is None:
            raise invalid("file", f"{where}, {person[:40]!r}: {code!r} has no clock times at that time.")


def roster_of(
    desk: RosterDesk, programme: Programme, cells: Collection[Cell], plan: Plan = (), by: str | None = None
) -> Opened:
    """These half-days as a draft of a programme, marked by what the validator finds; nothing is kept.

    ``plan`` is the rotation plan that it stands on.

    Raises:
        UserError: a person, service or day is not the programme's, or nobody works at all.
    """
    _check_cells(programme, cells)
    plan = within(plan, programme.year.end)
    faults = plan_faults(programme, plan)
    if faults:
        raise invalid("file", " ".join(faults[:MOST_FAULTS]))
    kernel = Kernel(programme, plan)
    grid = kernel.grid_of(cells)
    schedule = Schedule(
        id=desk.host.new_id(),
        version=0,
        programme="",
        status="draft",
        compliance="UNKNOWN",
        created_at=desk.now(),
        created_by=by,
        cells=tuple(kernel.cells_of(grid)),
        plan=plan,
    )
    schedule = evolve(schedule, compliance=compliance_of(Opened(schedule, kernel, grid)))
    return Opened(schedule, kernel, grid)


def import_roster(desk: RosterDesk, cells: Collection[Cell], by: str | None, plan: Plan = ()) -> Opened:
    """Keep these half-days as a draft of the programme imported last.

    Raises:
        UserError: as `roster_of`; nothing is kept.
    """
    programme_id, programme = desk.programme()
    made = roster_of(desk, programme, cells, plan, by)
    with desk.rosters() as rosters, rosters.store.tx():
        schedule = evolve(made.schedule, version=rosters.next_version(), programme=programme_id)
        rosters.save_schedule(schedule)
        rosters.note(desk.host.new_id(), desk.now(), by, "roster imported", schedule.id)
    return evolve(made, schedule=schedule)
