"""Solving a public instance at a terminal: one shift-scheduling file, or a folder of nurse-rostering weeks."""

import json
from pathlib import Path
from typing import Any

import click

from packhorse_scheduling.commands.asking import refusing


def roster_command() -> click.Command:
    """The command ``roster``."""

    @click.command("roster")
    @click.argument("instance", type=click.Path(exists=True, path_type=Path))
    @click.option("--cpu-seconds", type=click.FloatRange(1, 3600), default=60, show_default=True)
    @click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True)
    @click.option("--history", type=click.IntRange(0), help="INRC-II: number of the H0 file; 0 by default.")
    @click.option("--weeks", help="INRC-II: numbers of the WD files in order, such as 1,2,3,4.")
    @click.option("--json", "as_json", is_flag=True, help="Print the whole answer.")
    def command(
        instance: Path, cpu_seconds: float, seed: int, history: int | None, weeks: str | None, as_json: bool
    ) -> None:
        """Make the best roster of INSTANCE, a Curtois file or an INRC-II folder, in the processor time given."""
        from packhorse_scheduling.convert.shifts.answers import table_from

        if instance.is_dir():
            body = _folder(instance, history or 0, _numbers(weeks), cpu_seconds, seed)
        else:
            if history is not None or weeks is not None:
                raise click.UsageError(
                    "--history and --weeks can be used only when INSTANCE is an INRC-II folder; it is a file."
                )
            body = _file(instance, cpu_seconds, seed)
        click.echo(json.dumps(body) if as_json else table_from(body))

    return command


def _file(path: Path, cpu_seconds: float, seed: int) -> dict[str, Any]:
    from packhorse_scheduling.convert.shifts.answers import outcome_from
    from packhorse_scheduling.convert.shifts.curtois import problem_from
    from packhorse_scheduling.service.shifts import solved

    problem = refusing(problem_from, _text(path), path.name)
    return outcome_from(problem, refusing(solved, problem, cpu_seconds, seed=seed))


def _folder(path: Path, history: int, weeks: list[int], cpu_seconds: float, seed: int) -> dict[str, Any]:
    from packhorse_scheduling.convert.shifts.answers import weeks_from
    from packhorse_scheduling.convert.shifts.inrc2 import folder_from
    from packhorse_scheduling.service.shifts import solved_weeks

    try:
        read = refusing(folder_from, path, history, weeks)
    except (OSError, UnicodeDecodeError) as exc:
        raise click.ClickException(f"{path} cannot be read as text: {exc}.") from exc
    found = refusing(
        solved_weeks, read.scenario, dict(read.past), read.weeks, cpu_seconds, before=read.before, seed=seed
    )
    return weeks_from(found)


def _numbers(weeks: str | None) -> list[int]:
    if weeks is None:
        raise click.UsageError("--weeks is needed for an INRC-II folder: numbers of WD files, such as 1,2,3,4.")
    try:
        return [int(part) for part in weeks.split(",")]
    except ValueError as exc:
        raise click.UsageError(f"--weeks takes whole numbers between commas, such as 1,2,3,4, not {weeks}.") from exc


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise click.ClickException(f"{path} cannot be read as text: {exc}.") from exc
