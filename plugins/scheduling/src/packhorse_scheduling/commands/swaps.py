"""``packhorse scheduling swap``: from "could they?" to taking it back."""

from datetime import datetime
from typing import TYPE_CHECKING

import click

from packhorse_scheduling.commands.asking import DAY, SESSION, person_of, refusing, slot_of
from packhorse_scheduling.domain.change.exchange import Swap
from packhorse_scheduling.domain.programme.calendar import block_id
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.swapping import SwapDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.calendar import Session


def swap_command(desk: RosterDesk) -> click.Group:
    """The group."""
    swaps = SwapDesk(desk)

    @click.group("swap")
    def swap() -> None:
        """Request, list, answer, carry out and undo swaps of half-days. Name people by their keys, such as R01."""

    @swap.command("list")
    @click.option("--all", "every", is_flag=True, help="Show decided swaps, too.")
    def list_command(every: bool) -> None:
        """List the requested swaps, and who must still answer each."""
        from packhorse_scheduling.convert.inbox import request_from, request_words
        from packhorse_scheduling.service.inbox import InboxDesk

        opened = refusing(desk.current)
        rows = [one for one in refusing(InboxDesk(desk).requests, None, every=every) if isinstance(one, Swap)]
        for one in rows:
            click.echo(request_words(request_from(opened, one)))
        if not rows:
            click.echo("No swap is open.")

    @swap.command("candidates")
    @click.argument("requester")
    @click.argument("day", type=DAY)
    @click.argument("session", type=SESSION)
    def candidates_command(requester: str, day: datetime, session: "Session") -> None:
        """List who could take a half-day over or exchange it, the best first; every rule is checked."""
        opened = refusing(desk.current)
        slots = [slot_of(opened, day, session)]
        found = refusing(swaps.candidates, opened, person_of(opened, requester), slots, field="day")
        for one in found:
            person = opened.programme.people[one.person]
            click.echo(f"{person.key}  {person.name}  {one.swap}  {one.score:.2f}")
        if not found:
            click.echo("Nobody could take this over without breaking a rule.")

    @swap.command("request")
    @click.argument("requester")
    @click.argument("target")
    @click.argument("day", type=DAY)
    @click.argument("session", type=SESSION)
    @click.option(
        "--absorb",
        is_flag=True,
        help="The other person takes the duty over. Without this option the two people exchange duties.",
    )
    def request_command(requester: str, target: str, day: datetime, session: "Session", absorb: bool) -> None:
        """Ask for a swap that breaks no rule; both people must still accept it."""
        opened = refusing(desk.current)
        if person_of(opened, requester) == person_of(opened, target):
            raise click.UsageError("REQUESTER and TARGET must be two different people.")
        slots = [slot_of(opened, day, session)]
        made = refusing(
            swaps.request,
            "ABSORB" if absorb else "ONE_TO_ONE",
            person_of(opened, requester),
            person_of(opened, target),
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
        """Record that one of the two people accepts or declines a swap."""
        found = refusing(swaps.swap, swap_id)
        if person not in found.parties:
            raise click.ClickException(f"{person[:40]!r} is not in this swap. Its people: {', '.join(found.parties)}.")
        _tell(refusing(swaps.respond, found, person, accept=accept, by=None))

    @swap.command("execute")
    @click.argument("swap_id")
    def execute_command(swap_id: str) -> None:
        """Carry out a swap that both have accepted: this publishes a new version."""
        from packhorse_scheduling import convert

        found = refusing(swaps.swap, swap_id)
        after, made, _ = refusing(
            swaps.execute, found, lambda opened: convert.slots_from(opened.kernel, found.blocks), None
        )
        _tell(after)
        click.echo(f"Version {made.schedule.version} is published.")

    @swap.command("rollback")
    @click.argument("swap_id")
    def rollback_command(swap_id: str) -> None:
        """Undo a swap, within 24 hours after it was carried out."""
        after, made = refusing(swaps.roll_back, refusing(swaps.swap, swap_id), None)
        _tell(after)
        click.echo(f"Version {made.schedule.version} is published.")

    return swap


def _tell(swap: Swap) -> None:
    waiting = f", waiting for {' and '.join(swap.missing)}" if swap.status == "requested" else ""
    click.echo(f"Swap {swap.id} is {swap.status}{waiting}.")
