"""``packhorse scheduling swap``: from "could they?" to taking it back."""

from datetime import datetime
from typing import TYPE_CHECKING

import click

from packhorse_scheduling.commands.asking import refusing
from packhorse_scheduling.domain.calendar import block_id
from packhorse_scheduling.domain.exchange import Swap
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.calendar import Session
    from packhorse_scheduling.domain.opened import Opened

_DAY = click.DateTime(["%Y-%m-%d"])
_SESSION = click.Choice(["AM", "PM"])


def swap_command(desk: RosterDesk) -> click.Group:
    """The group."""
    changes = ChangeDesk(desk)

    @click.group("swap")
    def swap() -> None:
        """Ask, answer, carry out and take back swaps of half-days. People are named by their keys."""

    @swap.command("candidates")
    @click.argument("requester")
    @click.argument("day", type=_DAY)
    @click.argument("session", type=_SESSION)
    def candidates_command(requester: str, day: datetime, session: "Session") -> None:
        """List who could take a half-day over or exchange it, the best first; every rule is checked."""
        opened = refusing(desk.current)
        slots = [_slot(opened, day, session)]
        found = refusing(changes.candidates, opened, _person(opened, requester), slots, field="day")
        for one in found:
            person = opened.programme.people[one.person]
            click.echo(f"{person.key}  {person.name}  {one.swap}  {one.score:.2f}")
        if not found:
            click.echo("Nobody could without breaking a rule.")

    @swap.command("request")
    @click.argument("requester")
    @click.argument("target")
    @click.argument("day", type=_DAY)
    @click.argument("session", type=_SESSION)
    @click.option("--absorb", is_flag=True, help="The target takes it over; otherwise both change places.")
    def request_command(requester: str, target: str, day: datetime, session: "Session", absorb: bool) -> None:
        """Keep a wanted swap that breaks no rule; both must still accept."""
        opened = refusing(desk.current)
        slots = [_slot(opened, day, session)]
        made = refusing(
            changes.request,
            "ABSORB" if absorb else "ONE_TO_ONE",
            _person(opened, requester),
            _person(opened, target),
            [block_id(day.date(), session)],
            slots,
            accepted=False,
            by=None,
        )
        _tell(made)

    @swap.command("answer")
    @click.argument("swap_id")
    @click.argument("person")
    @click.option("--accept/--decline", default=None, required=True)
    def answer_command(swap_id: str, person: str, accept: bool) -> None:
        """Record what one of the two has said."""
        found = refusing(changes.swap, swap_id)
        if person not in found.parties:
            raise click.ClickException(f"{person[:40]} is no party of this swap: {', '.join(found.parties)}.")
        _tell(refusing(changes.respond, found, person, accept=accept, by=None))

    @swap.command("execute")
    @click.argument("swap_id")
    def execute_command(swap_id: str) -> None:
        """Carry out a swap that both have accepted: a new published version."""
        from packhorse_scheduling import convert

        found = refusing(changes.swap, swap_id)
        after, made, _ = refusing(
            changes.execute, found, lambda opened: convert.slots_from(opened.kernel, found.blocks), None
        )
        _tell(after)
        click.echo(f"Version {made.schedule.version} is published.")

    @swap.command("rollback")
    @click.argument("swap_id")
    def rollback_command(swap_id: str) -> None:
        """Take an executed swap back within its 24 hours."""
        after, made = refusing(changes.roll_back, refusing(changes.swap, swap_id), None)
        _tell(after)
        click.echo(f"Version {made.schedule.version} is published.")

    return swap


def _slot(opened: "Opened", day: datetime, session: "Session") -> tuple[int, int]:
    year = opened.programme.year
    if day.date() not in year:
        raise click.ClickException(
            f"{day.date()} is outside the published roster, which runs from {year.start} to {year.end}."
        )
    return opened.kernel.day_of(day.date()), int(session == "PM")


def _person(opened: "Opened", key: str) -> int:
    found = opened.kernel.person_of.get(key)
    if found is None:
        raise click.ClickException(f"There is no person {key[:40]} in the published roster.")
    return found


def _tell(swap: Swap) -> None:
    waiting = f", waiting for {' and '.join(swap.missing)}" if swap.status == "requested" else ""
    click.echo(f"Swap {swap.id} is {swap.status}{waiting}.")
