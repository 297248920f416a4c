"""``packhorse scheduling read``: a chief's own grid of blocks into a draft programme."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from packhorse_scheduling.commands.asking import refusing
from packhorse_scheduling.commands.filing import write_programme

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def read_command() -> click.Command:
    """The command."""

    @click.command("read")
    @click.argument("file", type=_FILE)
    @click.option("--answer", "given", multiple=True, metavar="ID=VALUE", help="Answer a question; may be repeated.")
    @click.option("--answers", "answers_file", type=_FILE, help="A JSON object of answers, by the ids of questions.")
    @click.option(
        "--out", type=click.Path(path_type=Path), help="The draft: a .json or .xlsx file, or a folder for CSV."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def read(file: Path, given: Sequence[str], answers_file: Path | None, out: Path | None, as_json: bool) -> None:
        """Read your own workbook (a row for each person, a column for each block) and list what was understood.

        Nothing is guessed in silence: what is not understood is listed with its cell and left out of the draft. The
        command also prints questions. Answer them with --answer, write the draft with --out, and import the draft with
        'packhorse scheduling import'.
        """
        from packhorse_scheduling.convert.grids.draft import draft_of
        from packhorse_scheduling.convert.grids.words import lines_of, report_of
        from packhorse_scheduling.convert.grids.workbook import is_for_import, sheets_of
        from packhorse_scheduling.domain.grids.asking import Asker
        from packhorse_scheduling.domain.grids.reading import understand, unused

        answers = {**({} if answers_file is None else _answers(answers_file)), **_pairs(given)}
        asker = Asker(answers)
        sheets = refusing(sheets_of, file)
        if is_for_import(sheets):
            raise click.ClickException(
                f"{file.name} already has this pack's own format, so there are no questions. Load it with:"
                f" packhorse scheduling import {file}"
            )
        try:
            found = understand(sheets, file.stem, asker)
        except ValueError as exc:
            raise click.ClickException(f"{str(exc)[:1].upper()}{str(exc)[1:]}.") from exc
        report = report_of(found, asker)
        click.echo(json.dumps(report, ensure_ascii=False, indent=1) if as_json else "\n".join(lines_of(report)))
        lost = unused(answers, asker)
        if lost:
            raise click.ClickException(f"No question has the id {lost[0][:40]!r}. Nothing was written.")
        if out is not None:
            programme = refusing(draft_of, found)
            write_programme(programme, out, overwrite=False)

    return read


def _pairs(given: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise click.UsageError(f"--answer {text[:40]!r} must have the form ID=VALUE.")
        found[key.strip()] = value.strip()
    return found


def _answers(file: Path) -> dict[str, str]:
    try:
        found = json.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as exc:
        raise click.ClickException(f"{file.name} is not a JSON object of answers.") from exc
    if not isinstance(found, dict):
        raise click.ClickException(f"{file.name} is not a JSON object of answers.")
    return {str(key): str(value) for key, value in found.items()}
