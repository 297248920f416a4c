"""``packhorse scheduling inbox``: what people have asked for."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from packhorse_scheduling.commands.asking import DAY, for_terminal, person_of, refusing
from packhorse_scheduling.domain.change.exchange import Swap
from packhorse_scheduling.domain.programme.records import LeaveRecord
from packhorse_scheduling.domain.programme.reports import ActualRecord
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.actual import ActualDesk
from packhorse_scheduling.service.inbox import InboxDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.opened import Opened
    from packhorse_scheduling.service.inbox import Request

_REASON = click.option("--reason", help="A reason, stored with the answer; no diagnosis.")


def inbox_command(desk: RosterDesk) -> click.Group:
    """The group."""
    box = InboxDesk(desk)

    @click.group("inbox")
    def inbox() -> None:
        """List, answer and take back requests for leave and swaps, and reports of hours worked."""

    @inbox.command("list")
    @click.option("--person", help="Show only the requests of the person with this key.")
    @click.option("--all", "every", is_flag=True, help="Show decided requests, too.")
    def list_command(person: str | None, every: bool) -> None:
        """List the requests, with their ids."""
        from packhorse_scheduling.convert.inbox import requests_from, requests_words

        opened = refusing(desk.current)
        key = None if person is None else opened.programme.people[person_of(opened, person)].key
        click.echo(requests_words(requests_from(opened, refusing(box.requests, key, every=every))))

    @inbox.command("answer")
    @click.argument("request_id")
    @click.option("--approve/--decline", default=None, required=True)
    @_REASON
    @click.option("--confirm", is_flag=True, help="Make the change. Without this option only its effect is shown.")
    def answer_command(request_id: str, approve: bool, reason: str | None, confirm: bool) -> None:
        """Approve or decline a request.

        Approved leave is in force at once, and an approved swap is carried out.
        """
        from packhorse_scheduling.convert.inbox import DECLINED, effect_words

        opened, request = refusing(desk.current), refusing(box.request, request_id)
        if approve:
            click.echo(for_terminal(effect_words(_effect(box, opened, request))))
        elif not confirm:
            click.echo(DECLINED)
        if not confirm:
            click.echo("Nothing is changed yet; run this again with --confirm to make the change.")
            return
        click.echo(f"The request is {_answered(box, request, approve, reason)}.")

    @inbox.command("withdraw")
    @click.argument("request_id")
    @click.option("--from", "first", type=DAY, help="Withdraw the leave only from this day on.")
    @_REASON
    def withdraw_command(request_id: str, first: datetime | None, reason: str | None) -> None:
        """Cancel a request, or end an absence that was granted; days that have passed are not changed."""
        from packhorse_scheduling.convert.inbox import given_back, given_back_words

        request = refusing(box.request, request_id)
        day = None if first is None else first.date()
        after, made = refusing(box.withdraw, request, own=False, from_day=day, by=None, why=reason)
        if isinstance(after, LeaveRecord) and after.is_live:
            click.echo(f"The leave now ends on {after.end}.")
        else:
            click.echo(f"The request is {_status(after)}.")
        if made is not None and isinstance(request, LeaveRecord) and isinstance(after, LeaveRecord):
            empty = given_back(made, request, after, desk.today())
            if empty is not None:
                name = made.programme.people[made.kernel.person_of[request.person]].name
                click.echo(for_terminal(given_back_words(name, empty).strip()))

    return inbox


def wishes_command(desk: RosterDesk) -> click.Command:
    """The command."""

    @click.command("wishes")
    @click.argument("person")
    @click.argument("wishes", nargs=-1)
    @click.option("--none", "nothing", is_flag=True, help="Remove all wishes.")
    def command(person: str, wishes: tuple[str, ...], nothing: bool) -> None:
        """Set the wishes of PERSON (a key such as R01), most important first.

        The wishes replace earlier wishes. Without WISHES: list the person's wishes. A wish is a day off (2026-12-25), a
        half-day off ("2026-12-24 PM") or a day of work ("work 2026-12-24").
        """
        from packhorse_scheduling.convert.references import one_person
        from packhorse_scheduling.convert.wishes import ranked_from, ranked_words, wishes_of
        from packhorse_scheduling.service.wishes import WishDesk

        if wishes and nothing:
            raise click.UsageError(
                "--none removes all wishes, so it cannot be used with WISHES. Leave out one of the two."
            )
        _, programme = refusing(desk.programme)
        who = programme.people[refusing(one_person, programme.people, person)]
        box = WishDesk(desk)
        if wishes or nothing:
            refusing(box.rank, who.key, refusing(wishes_of, programme, who.key, wishes, desk.today()), None)
        _, programme = refusing(desk.programme)
        click.echo(ranked_words(ranked_from(programme, who, box.in_force())))

    return command


def _effect(box: InboxDesk, opened: "Opened", request: "Request") -> dict[str, Any]:
    from packhorse_scheduling import convert
    from packhorse_scheduling.convert.inbox import actual_effect_from, leave_effect_from, swap_effect_from

    if isinstance(request, Swap):
        slots = refusing(convert.slots_from, opened.kernel, request.blocks)
        return swap_effect_from(opened, refusing(box.swaps.verdict, opened, request, slots).cells)
    if isinstance(request, ActualRecord):
        return actual_effect_from(*refusing(ActualDesk(box.desk).effect_of_report, opened, request))
    after, broken = refusing(box.effect, request)
    return leave_effect_from(after, request, broken)


def _answered(box: InboxDesk, request: "Request", approve: bool, reason: str | None) -> str:
    from packhorse_scheduling import convert

    if not isinstance(request, Swap):
        return refusing(box.answer_record, request, "approved" if approve else "declined", None, reason)[0].state
    if not approve:
        return _status(refusing(box.decline_swap, request, None, reason))
    after, *_ = refusing(
        box.swaps.execute, request, lambda opened: convert.slots_from(opened.kernel, request.blocks), None
    )
    return _status(after)


def _status(request: "Request") -> str:
    return request.status.replace("_", " ") if isinstance(request, Swap) else request.state
