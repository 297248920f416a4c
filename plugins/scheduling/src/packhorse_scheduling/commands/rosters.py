"""Making, publishing and judging rosters."""

import json
import time
from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

import click

from packhorse_scheduling.commands.asking import refusing
from packhorse_scheduling.service import RosterDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.solve.year import Mode


def roster_commands(desk: RosterDesk) -> Sequence[click.Command]:
    """generate, publish, validate."""

    @click.command("generate")
    @click.option("--start", type=click.DateTime(["%Y-%m-%d"]), help="First day; the programme's by default.")
    @click.option("--end", type=click.DateTime(["%Y-%m-%d"]), help="Last day; the programme's by default.")
    @click.option("--mode", type=click.Choice(["FULL", "PARTIAL", "OPTIMIZATION"]), default="FULL", show_default=True)
    @click.option(
        "--enforce/--no-enforce", default=True, show_default=True, help="Without: demand may stay short, by the least."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print the whole answer.")
    def generate_command(
        start: datetime | None, end: datetime | None, mode: "Mode", enforce: bool, as_json: bool
    ) -> None:
        """Make a draft from the programme imported last."""
        from packhorse_scheduling import convert
        from packhorse_scheduling.domain.solve.wishes import Aims

        _, programme = refusing(desk.programme)
        began = time.monotonic()
        generated = refusing(
            desk.generate,
            start=_day(start, programme.year.start),
            end=_day(end, programme.year.end),
            mode=mode,
            aims=Aims(),
            enforce=enforce,
            locked=(),
            by=None,
            progress=lambda done, total, words: click.echo(f"{done}/{total} {words}", err=True),
        )
        body = convert.generation_from(generated, at=desk.now(), seconds=time.monotonic() - began)
        click.echo(json.dumps(body, indent=1) if as_json else f"Draft {body['schedule_id']} is stored.")

    @click.command("publish")
    @click.argument("schedule_id")
    def publish_command(schedule_id: str) -> None:
        """Make a draft what everybody works by."""
        opened = refusing(desk.publish, schedule_id, None)
        click.echo(f"Version {opened.schedule.version} is published.")

    @click.command("validate")
    @click.argument("schedule_id", required=False)
    @click.option("--strict", is_flag=True, help="Warnings, too, make it not valid.")
    @click.option("--json", "as_json", is_flag=True, help="Print the whole answer.")
    def validate_command(schedule_id: str | None, strict: bool, as_json: bool) -> None:
        """Check a schedule against every rule; exit status 1 when it is not valid."""
        from packhorse_scheduling import convert

        opened = refusing(desk.opened, schedule_id)
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
