"""Changing a roster from a terminal, and asking it why: leave, repair, one half-day by hand, reasons, losses."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from packhorse_scheduling.commands.asking import DAY, SESSION, for_terminal, person_of, refusing, slot_of
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.domain.programme.kinds import LEAVE_KINDS
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.absences import AbsenceDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.calendar import Session
    from packhorse_scheduling.domain.programme.kinds import LeaveKind

_SPAN = (str, DAY, DAY)


def change_commands(desk: RosterDesk) -> Sequence[click.Command]:
    """leave, repair, assign, explain, contingency."""
    return [_leave(desk), _repair(desk), _assign(desk), _explain(desk), _contingency(desk)]


def _leave(desk: RosterDesk) -> click.Command:
    @click.command("leave")
    @click.argument("person")
    @click.argument("start", type=DAY)
    @click.argument("end", type=DAY)
    @click.option(
        "--kind",
        type=click.Choice(LEAVE_KINDS),
        default="vacation",
        show_default=True,
        help="The kind of leave; tdy is temporary duty elsewhere.",
    )
    @click.option(
        "--request", "asked", is_flag=True, help="Record the leave as a request, to be answered in the inbox."
    )
    def leave_command(person: str, start: datetime, end: datetime, kind: "LeaveKind", asked: bool) -> None:
        """Record that PERSON (a key such as R01) is away from START to END, both included.

        'packhorse scheduling repair' then makes a draft without that person.
        """
        from packhorse_scheduling.convert.changes import collisions

        opened = refusing(desk.current)
        key = opened.programme.people[person_of(opened, person)].key
        record, after = refusing(
            AbsenceDesk(desk).record_leave, key, start.date(), end.date(), kind, approved=not asked, by=None
        )
        click.echo(
            f"Leave {record.id} is {record.state}; it collides with {counted(collisions(after, record), 'half-day')}"
            " of the roster."
        )

    return leave_command


def _repair(desk: RosterDesk) -> click.Command:
    @click.command("repair")
    @click.argument("schedule_id", required=False)
    @click.option(
        "--absent",
        type=_SPAN,
        multiple=True,
        metavar="PERSON START END",
        help="Repair the roster around these absences only.",
    )
    @click.option(
        "--kind",
        type=click.Choice(LEAVE_KINDS),
        default="sick",
        show_default=True,
        help="The kind of leave; tdy is temporary duty elsewhere.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def repair_command(
        schedule_id: str | None, absent: Sequence[tuple[str, datetime, datetime]], kind: "LeaveKind", as_json: bool
    ) -> None:
        """Repair the published roster, or the draft SCHEDULE_ID, with the fewest changes.

        The result is a new draft. Without --absent, every half-day from today on that lacks people or breaks a rule
        is repaired. New absences are recorded as leave.
        """
        from packhorse_scheduling.convert.repairs import repair_from, repair_words
        from packhorse_scheduling.domain.change.judging import judge_change

        opened = refusing(desk.opened, schedule_id)
        absences = [(person_of(opened, who), start.date(), end.date(), kind) for who, start, end in absent] or None
        base, draft, found = refusing(AbsenceDesk(desk).repair, absences, locked=(), by=None, schedule_id=schedule_id)
        today = base.kernel.day_of(desk.today())
        body = repair_from(base, draft, found, judge_change(draft, draft, desk.today()).standing, today)
        if as_json:
            click.echo(json.dumps(body, ensure_ascii=False, indent=1))
            return
        click.echo(for_terminal(repair_words(body, 0)))
        click.echo(f"Draft {draft.schedule.id} is stored, {draft.schedule.compliance}.")

    return repair_command


def _assign(desk: RosterDesk) -> click.Command:
    @click.command("assign")
    @click.argument("person")
    @click.argument("day", type=DAY)
    @click.argument("session", type=SESSION)
    @click.argument("service", required=False)
    @click.option("--reason", help="A reason, stored with the request. Write no diagnosis.")
    @click.option("--confirm", is_flag=True, help="Make the change. Without this option only its effect is shown.")
    def assign_command(
        person: str, day: datetime, session: "Session", service: str | None, reason: str | None, confirm: bool
    ) -> None:
        """Put PERSON on SERVICE (a code) in one half-day of the published roster; without SERVICE, free them."""
        from packhorse_scheduling.convert.inbox import effect_words, swap_effect_from
        from packhorse_scheduling.domain.insight.wording import violation_words
        from packhorse_scheduling.service.inbox import InboxDesk

        opened, inbox = refusing(desk.current), InboxDesk(desk)
        verdict = refusing(inbox.by_hand, opened, person_of(opened, person), slot_of(opened, day, session), service)
        click.echo(effect_words(swap_effect_from(opened, verdict.cells)))
        for one in verdict.violations:
            if one.blocks and not confirm:
                click.echo(f"It would break: {violation_words(opened.kernel, one)}")
        if confirm:
            made = refusing(inbox.assign, opened, verdict, None, reason)
            click.echo(f"Version {made.schedule.version} is published.")
        else:
            click.echo("Nothing is changed yet; run this again with --confirm to make the change.")

    return assign_command


def _explain(desk: RosterDesk) -> click.Command:
    @click.command("explain")
    @click.argument("person")
    @click.argument("day", type=DAY)
    @click.argument("session", type=SESSION)
    @click.option("--instead", metavar="PERSON", help="Show only whether this person could take over.")
    def explain_command(person: str, day: datetime, session: "Session", instead: str | None) -> None:
        """Say why PERSON works in a half-day of the published roster, and why not somebody else."""
        from packhorse_scheduling.convert.changes import explanation_from
        from packhorse_scheduling.domain.change.reasons import reason_for

        opened = refusing(desk.current)
        kernel, p, slot = opened.kernel, person_of(opened, person), slot_of(opened, day, session)
        other = None if instead is None else person_of(opened, instead)
        if other is not None and (other == p or kernel.group[other] != kernel.group[p]):
            raise click.ClickException("--instead must be another person of the same role.")
        reason = reason_for(opened, p, slot)
        if reason is None:
            name = opened.programme.people[p].name
            raise click.ClickException(f"{name} is free on {day.date()} {session}: there is nothing to explain.")
        body = explanation_from(opened, reason, slot, other)
        click.echo(f"{body['person_name']}, {body['service']}, {body['date']} {body['session']}:")
        for words in body["reasons"]:
            click.echo(f"- {words}")
        for row in body["others"]:
            verdict = "could" if row["could"] else f"cannot: {' '.join(row['because'])}"
            click.echo(f"{row['person_name']} ({row['doing']}) {verdict}")

    return explain_command


def _contingency(desk: RosterDesk) -> click.Command:
    @click.command("contingency")
    @click.option(
        "--losses",
        type=click.Choice(["N_MINUS_1", "N_MINUS_2", "BOTH"]),
        default="BOTH",
        show_default=True,
        help="N_MINUS_1: each person. N_MINUS_2: each pair.",
    )
    @click.option(
        "--away",
        type=_SPAN,
        multiple=True,
        metavar="PERSON START END",
        help="Assume that these people are absent.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def contingency_command(losses: str, away: Sequence[tuple[str, datetime, datetime]], as_json: bool) -> None:
        """Count the half-days that would have too few people if one person, or two people, were absent.

        The half-days are those of the published roster.
        """
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.insight.contingency import Contingency
        from packhorse_scheduling.domain.insight.outlook import with_losses
        from packhorse_scheduling.service.insight import without

        opened = refusing(desk.current)
        absences = [(person_of(opened, who), start.date(), end.date()) for who, start, end in away]
        kernel, grid = refusing(without, opened, absences, field="away")
        days = with_losses(kernel, kernel.day_of(desk.today()), [kernel.day_of(end) for *_, end in absences])
        analysis = Contingency(kernel, grid, *days)
        body = convert.contingency_from(opened, analysis, kind=losses, mitigate=True, at=desk.now())
        if as_json:
            click.echo(json.dumps(body, ensure_ascii=False, indent=1))
        else:
            click.echo(convert.contingency_words(body))

    return contingency_command
