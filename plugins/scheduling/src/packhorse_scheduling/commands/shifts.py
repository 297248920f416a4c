"""Rosters of any ward at a terminal: a workbook or a folder of CSV is solved, checked, repaired and continued."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from packhorse_scheduling.commands.asking import DAY, give, refusing, write_whole

if TYPE_CHECKING:
    from packhorse_scheduling.convert.wards.tables import Tables
    from packhorse_scheduling.domain.wards.question import Ward
    from packhorse_scheduling.domain.wards.repair import Absence, Change
    from packhorse_scheduling.domain.wards.roster import Count, Roster

_FILE = click.Path(path_type=Path)
_THERE = click.Path(exists=True, path_type=Path)


def _new_file(_: click.Context, __: click.Parameter, out: Path | None) -> Path | None:
    """A workbook or a folder that is not there yet, as its name says: refused before minutes of solving."""
    if out is not None and out.exists():
        raise click.ClickException(f"{out} already exists. Name a new file.")
    if out is not None and out.suffix.lower() not in ("", ".xlsx"):
        raise click.ClickException(f"{out.name} must be a .xlsx file, or a folder for CSV.")
    return out


_OUT = click.option(
    "--out", type=_FILE, callback=_new_file, help="The file to write: a new .xlsx, or a new folder for CSV."
)


def roster_command() -> click.Group:
    """The group ``roster``."""

    @click.group("roster")
    def group() -> None:
        """Make, check and repair rosters of any ward, from a workbook, a folder of CSV or a JSON document."""

    for command in (_new(), _schema(), _solve(), _check(), _repair(), _continue()):
        group.add_command(command)
    return group


def _new() -> click.Command:
    @click.command("new")
    @click.argument("ward", type=_FILE, callback=_new_file)
    @click.option("--start", type=DAY, help="First day. Without this option: Monday after next.")
    def command(ward: Path, start: datetime | None) -> None:
        """Write an example ward to WARD, a .xlsx file or a folder for CSV: replace its rows with your own."""
        from packhorse_scheduling.convert.wards.months import example
        from packhorse_scheduling.convert.wards.question import ward_of
        from packhorse_scheduling.convert.wards.tables import rows_of

        today = datetime.now(UTC).date()
        first = today + timedelta(days=14 - today.weekday()) if start is None else start.date()
        document = example(first)
        _write(rows_of(document), ward, ward_of(document))

    return command


def _schema() -> click.Command:
    @click.command("schema")
    @click.option("--out", type=_FILE, help="The file to write.")
    def command(out: Path | None) -> None:
        """Print the JSON Schema that a ward's JSON file must match."""
        from packhorse_scheduling.models.wards import ward_schema

        give(json.dumps(ward_schema(), indent=1), out)

    return command


def _solve() -> click.Command:
    @click.command("solve")
    @click.argument("ward", type=_THERE)
    @click.option("--cpu-seconds", type=click.FloatRange(1, 3600), default=60, show_default=True)
    @click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=1, show_default=True)
    @_OUT
    @click.option("--calendars", type=_FILE, help="A folder for everybody's calendar.")
    @click.option("--picture", type=_FILE, help="The .svg file of the roster's picture.")
    @click.option("--history", type=click.IntRange(0), help="INRC-II: number of the H0 file; 0 by default.")
    @click.option("--weeks", help="INRC-II: numbers of the WD files in order, such as 1,2,3,4.")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def command(
        ward: Path,
        cpu_seconds: float,
        seed: int,
        out: Path | None,
        calendars: Path | None,
        picture: Path | None,
        history: int | None,
        weeks: str | None,
        as_json: bool,
    ) -> None:
        """Make the best roster of WARD in the processor time given; exit status 1 when it breaks a hard rule.

        WARD is a workbook, a folder of CSV or a JSON document. Three formats of public benchmarks are read too: Curtois
        (.txt), a folder of INRC-II, and MiniZinc Challenge data (.dzn).
        """
        from packhorse_scheduling.convert.wards.answers import outcome_from, table_from
        from packhorse_scheduling.service.shifts import solved

        tables, question = _read(ward, history, weeks)
        if tables is not None and tables.roster:
            click.echo("The table roster is replaced. Only what the table fixed holds is kept.", err=True)
        if out is not None and tables is None:
            raise click.UsageError("--out can be used only with a workbook, a folder of CSV or a JSON document.")
        outcome = refusing(solved, question, cpu_seconds, seed=seed)
        body = outcome_from(question, outcome)
        if out is not None and tables is not None:
            _write_answer(tables.document, question, outcome.roster, outcome.count, out)
        _write_views(question, outcome.roster, calendars, picture)
        click.echo(json.dumps(body) if as_json else table_from(body, question))
        _end(outcome.count)

    return command


def _check() -> click.Command:
    @click.command("check")
    @click.argument("ward", type=_THERE)
    @_OUT
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def command(ward: Path, out: Path | None, as_json: bool) -> None:
        """Check the roster in the file WARD against the ward's demands and rules.

        The exit status is 1 when a hard rule is broken or a place is empty.
        """
        from packhorse_scheduling.convert.wards.answers import check_words, checked_from
        from packhorse_scheduling.domain.wards.roster import count

        tables, question, roster = _with_roster(ward)
        found = count(question, roster)
        body = checked_from(question, roster, found)
        if out is not None:
            _write_answer(tables.document, question, roster, found, out)
        click.echo(json.dumps(body) if as_json else check_words(body))
        _end(found)

    return command


def _repair() -> click.Command:
    @click.command("repair")
    @click.argument("ward", type=_THERE)
    @click.option(
        "--away", "given", multiple=True, required=True,
        help="Who is away and when: PERSON:2027-01-04 or PERSON:2027-01-04:2027-01-06 (repeatable).",
    )  # fmt: skip
    @click.option(
        "--from",
        "first",
        type=DAY,
        help="Days before this one stay as they are. Without this option: the first day away.",
    )
    @_OUT
    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    def command(ward: Path, given: Sequence[str], first: datetime | None, out: Path | None, as_json: bool) -> None:
        """Repair the roster in WARD when people are away, with as few changes as possible.

        The exit status is 1 when the repaired roster breaks a hard rule.
        """
        from packhorse_scheduling.convert.wards.answers import repair_from, repair_words
        from packhorse_scheduling.convert.wards.months import after_repair
        from packhorse_scheduling.domain.wards.repair import repaired

        tables, question, roster = _with_roster(ward)
        absences = [_absence(question, each) for each in given]
        start = min(one.first for one in absences) if first is None else (first.date() - question.start).days
        after, repair = repaired(question, roster, absences, max(0, start))
        body = repair_from(after, repair)
        if out is not None:
            document = after_repair(tables.document, after)
            _write_answer(document, after, repair.roster, repair.count, out, repair.changes)
        click.echo(json.dumps(body) if as_json else repair_words(body))
        _end(repair.count)

    return command


def _continue() -> click.Command:
    @click.command("continue")
    @click.argument("ward", type=_THERE)
    @click.argument("out", type=_FILE, callback=_new_file)
    @click.option(
        "--days",
        type=click.IntRange(1, 366),
        help="Days of the new period. Without this option: the next month, if the period of WARD is a month, else the"
        " same number of days.",
    )
    def command(ward: Path, out: Path, days: int | None) -> None:
        """Write a new ward file OUT for the period after that of WARD.

        The last days of the roster, each person's totals (for a fair share) and the requests for later days are copied
        from WARD to OUT.
        """
        from packhorse_scheduling.convert.wards.months import continued
        from packhorse_scheduling.convert.wards.question import ward_of
        from packhorse_scheduling.convert.wards.tables import rows_of

        tables, question, roster = _with_roster(ward)
        document = continued(tables.document, question, roster, days)
        _write(rows_of(document), out, refusing(ward_of, document))

    return command


def _end(count: "Count") -> None:
    """End with status 1 if the roster is not lawful, so that a script publishes no such roster."""
    if count.hard or count.short:
        raise SystemExit(1)


def _read(path: Path, history: int | None = None, weeks: str | None = None) -> "tuple[Tables | None, Ward]":
    from packhorse_scheduling.convert.shifts.challenge import ward_from as ward_of_challenge
    from packhorse_scheduling.convert.shifts.curtois import ward_from
    from packhorse_scheduling.convert.shifts.inrc2 import ward_from as ward_of_folder
    from packhorse_scheduling.convert.wards.books import read_ward

    try:
        if path.is_dir() and (weeks is not None or any(path.glob("Sc-*.txt")) or not any(path.glob("*.csv"))):
            return None, refusing(ward_of_folder, path, history or 0, _numbers(weeks))
        if history is not None or weeks is not None:
            raise click.UsageError("--history and --weeks can be used only when WARD is an INRC-II folder.")
        if path.suffix.lower() == ".txt":
            return None, refusing(ward_from, path.read_text("utf-8"), path.name)
        if path.suffix.lower() == ".dzn":
            return None, refusing(ward_of_challenge, path.read_text("utf-8"), path.name)
        tables, ward = refusing(read_ward, path)
    except (OSError, UnicodeDecodeError) as exc:
        raise click.ClickException(f"{path} cannot be read: {exc}.") from exc
    for note in tables.notes:
        click.echo(f"{note[:1].upper()}{note[1:]}", err=True)
    return tables, ward


def _with_roster(path: Path) -> "tuple[Tables, Ward, Roster]":
    from packhorse_scheduling.convert.wards.books import roster_of

    if path.is_dir() and not any(path.glob("*.csv")):
        raise click.UsageError(f"{path.name} has no CSV files. Name a workbook or a folder of CSV with a roster.")
    tables, question = _read(path)
    if tables is None:
        raise click.UsageError(f"{path.name} is an instance, which has no roster. Name a workbook or a folder of CSV.")
    return tables, question, refusing(roster_of, tables, question)


def _numbers(weeks: str | None) -> list[int]:
    if weeks is None:
        raise click.UsageError(
            "An INRC-II folder needs --weeks with the numbers of its week files (WD), such as 1,2,3,4."
        )
    try:
        return [int(part) for part in weeks.split(",")]
    except ValueError as exc:
        raise click.UsageError(f"--weeks must be whole numbers with commas, such as 1,2,3,4, not {weeks!r}.") from exc


def _absence(ward: "Ward", given: str) -> "Absence":
    from packhorse_scheduling.convert.wards.cells import Known, as_date
    from packhorse_scheduling.domain.wards.repair import Absence

    known = Known((), [{"key": person.key, "name": person.name} for person in ward.people])
    cut = re.fullmatch(r"(.+?):([^:]+)(?::([^:]+))?", given)
    person, first, last = cut.groups() if cut else (given, "", None)
    if known.person(person) not in ward.person_of:
        raise click.ClickException(
            f"There is no person {person[:40]!r}. People: {', '.join(list(ward.person_of)[:8])}."
        )
    try:
        spans = [(date.fromisoformat(as_date(day)) - ward.start).days for day in (first, last or first)]
    except ValueError as exc:
        raise click.UsageError(
            f"--away must be PERSON:2027-01-04 or PERSON:2027-01-04:2027-01-06, not {given!r}."
        ) from exc
    if not 0 <= spans[0] <= spans[1] < ward.days:
        raise click.ClickException(
            f"--away {given!r} must have its days in order, from {ward.start} to {ward.date(ward.days - 1)}."
        )
    return Absence(known.person(person), *spans)


def _write_answer(
    document: Any, ward: "Ward", roster: "Roster", count: "Count", out: Path, changes: "Sequence[Change]" = ()
) -> None:
    from packhorse_scheduling.convert.wards.books import answer_tables

    _write(answer_tables(document, ward, roster, count), out, ward, count, changes)


def _write(
    tables: Any, out: Path, ward: "Ward", count: "Count | None" = None, changes: "Sequence[Change]" = ()
) -> None:
    from packhorse_scheduling.convert.wards.books import csv_files, write_book

    if out.suffix:
        write_whole(out, lambda path: refusing(write_book, tables, path, ward, count, changes))
    else:
        _folder(out, csv_files(tables))
    click.echo(f"Wrote {out}.", err=True)


def _folder(folder: Path, files: dict[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise click.ClickException(f"{folder} cannot be created: {exc.strerror or exc}.") from exc
    for name, text in files.items():
        write_whole(folder / name, partial(_fill, text.encode()))


def _fill(body: bytes, path: Path) -> None:
    path.write_bytes(body)


def _write_views(ward: "Ward", roster: "Roster", calendars: Path | None, picture: Path | None) -> None:
    from packhorse_scheduling.convert.wards import pictures

    if picture is not None:
        give(pictures.picture(ward, roster), picture)
    if calendars is not None:
        now = datetime.now(UTC)
        names = pictures.file_names([person.key for person in ward.people])
        _folder(
            calendars,
            {f"{name}.ics": refusing(pictures.calendar_of, ward, roster, e, now) for e, name in enumerate(names)},
        )
