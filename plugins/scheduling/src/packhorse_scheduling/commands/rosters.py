"""Making, publishing and judging rosters."""

import json
import time
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

import click

from packhorse_scheduling.commands.asking import DAY, for_terminal, refusing
from packhorse_scheduling.service import RosterDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.solve.year import Mode


def roster_commands(desk: RosterDesk) -> Sequence[click.Command]:
    """generate, publish, validate."""

    @click.command("generate")
    @click.option("--start", type=DAY, help="First day. Without this option: the programme's first day.")
    @click.option("--end", type=DAY, help="Last day. Without this option: the programme's last day.")
    @click.option(
        "--mode",
        type=click.Choice(["FULL", "PARTIAL", "OPTIMIZATION"]),
        default="FULL",
        show_default=True,
        help="FULL: make all days. PARTIAL: fill only what is empty. OPTIMIZATION: improve the published roster.",
    )
    @click.option(
        "--enforce/--no-enforce",
        default=True,
        show_default=True,
        help="With --no-enforce a draft is made even if no roster keeps every rule and demand. It cannot be published.",
    )
    @click.option(
        "--start-afresh",
        "afresh",
        is_flag=True,
        help="With --mode FULL: discard the existing assignments too. It asks first.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def generate_command(
        start: datetime | None, end: datetime | None, mode: "Mode", enforce: bool, afresh: bool, as_json: bool
    ) -> None:
        """Make a draft roster from the programme (people, services, demands) imported last."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.solve.wishes import Aims

        _, programme = refusing(desk.programme)
        first, last = _day(start, programme.year.start), _day(end, programme.year.end)
        if afresh:
            _confirm_afresh(desk, first, last, mode)
        began = time.monotonic()
        generated = refusing(
            desk.generate,
            start=first,
            end=last,
            mode=mode,
            aims=Aims(),
            enforce=enforce,
            locked=(),
            by=None,
            afresh=afresh,
            progress=lambda done, total, words: click.echo(f"{done}/{total} {words}", err=True),
        )
        body = convert.generation_from(generated, at=desk.now(), seconds=time.monotonic() - began)
        click.echo(json.dumps(body, indent=1) if as_json else f"Draft {body['schedule_id']} is stored.")

    @click.command("publish")
    @click.argument("schedule_id")
    def publish_command(schedule_id: str) -> None:
        """Publish a draft: it becomes the roster that is in force."""
        from packhorse_scheduling.convert.warnings import warnings_words

        opened = refusing(desk.publish, schedule_id, None)
        words = warnings_words(opened, desk.today())
        click.echo(for_terminal(f"Version {opened.schedule.version} is published.{words}"))

    @click.command("validate")
    @click.argument("schedule_id", required=False)
    @click.option("--strict", is_flag=True, help="Count warnings as violations, too.")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def validate_command(schedule_id: str | None, strict: bool, as_json: bool) -> None:
        """Check a schedule against every rule; exit status 1 when it is not valid."""
        from packhorse_scheduling import convert

        opened = desk.newest(refusing(desk.opened, schedule_id))
        body = convert.validation_from(opened, None, strict=strict, at=desk.now())
        if as_json:
            click.echo(json.dumps(body, ensure_ascii=False, indent=1))
        else:
            for row in [*body["violations"], *body["warnings"]]:
                click.echo(row["message"])
            click.echo(convert.verdict_words(body))
        if not body["is_valid"]:
            raise SystemExit(1)

    return [generate_command, publish_command, validate_command]


def _day(given: datetime | None, default: date) -> date:
    return default if given is None else given.date()


def _confirm_afresh(desk: RosterDesk, first: date, last: date, mode: "Mode") -> None:
    """Ask whether what stands may be given up, with how much that is.

    Raises:
        click.ClickException: another mode than FULL.
        click.Abort: the answer is no.
    """
    from packhorse_scheduling.domain.insight.wording import counted
    from packhorse_scheduling.service.generating import at_stake

    if mode != "FULL":
        raise click.UsageError(
            f"--start-afresh can be used only with mode FULL, because mode {mode} keeps existing assignments."
        )
    halves, people = at_stake(desk, first, last)
    if halves:
        click.confirm(
            f"This keeps no assignment of the roster in force: {counted(halves, 'half-day')} of "
            f"{counted(people, 'person', 'people')} on these days may change. Continue?",
            abort=True,
        )
