"""Files in and out: a start, a sample, an import, an export."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from packhorse_scheduling.commands.asking import give, refusing, write_whole
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.service import RosterDesk

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.programme import Programme
    from packhorse_scheduling.domain.rules.opened import Opened

FORMATS = ("json", "csv", "xlsx")
_COUNTED = ("service", "rotation", "demand", "leave", "preference", "lock", "rotation_lock")
"""What is counted of a programme that is the first of its days; the tables are named by more than one."""
_FILE = click.Path(path_type=Path)


def filing_commands(desk: RosterDesk) -> Sequence[click.Command]:
    """init, sample, import, export."""
    return [_init(), _sample(), _import(desk), _export(desk)]


def _init() -> click.Command:
    @click.command("init")
    @click.option("--out", type=_FILE, help="A .json or .xlsx file, or a folder for CSV tables.")
    @click.option("--start-year", default=2026, show_default=True, help="The year in which it begins.")
    @click.option(
        "--schema", type=click.Choice(["programme", "roster"]), help="Print a document's JSON Schema instead."
    )
    def init_command(out: Path | None, start_year: int, schema: str | None) -> None:
        """Write a small programme to start from: replace its people, services and demands with your own."""
        from attrs import evolve

        from packhorse_scheduling.convert.files.schema import programme_schema, roster_schema
        from packhorse_scheduling.domain.programme.sample import Shape, sample

        if schema is not None:
            give(json.dumps(programme_schema() if schema == "programme" else roster_schema(), indent=1), out)
            return
        if out is None:
            raise click.UsageError(
                "Give the file to write: --out programme.xlsx, --out programme.json or --out FOLDER."
            )
        _check_absent(out)
        try:
            made = sample(Shape(residents=12, faculty=8, start_year=start_year, wishes=1))
        except ValueError as exc:
            raise click.ClickException(f"{exc}.") from exc
        write_programme(evolve(made, name="My residency"), out)

    return init_command


def _sample() -> click.Command:
    @click.command("sample")
    @click.option("--residents", default=12, show_default=True, help="Number of residents.")
    @click.option("--faculty", default=8, show_default=True, help="Number of faculty.")
    @click.option("--seed", default=1, show_default=True, help="Another seed gives other invented people and absences.")
    @click.option("--start-year", default=2026, show_default=True, help="The year in which it begins.")
    @click.option("--leave-weeks", default=3, show_default=True, help="Weeks of leave of each person.")
    @click.option("--wishes", default=6, show_default=True, help="Days that each person would rather be free.")
    @click.option(
        "--tightness", default=0.5, show_default=True, help="How hard the demands are to meet: 0 (easy) to 1 (hard)."
    )
    @click.option(
        "--out",
        type=_FILE,
        help="A .json or .xlsx file, or a folder for CSV. Without this option: JSON to standard output.",
    )
    def sample_command(out: Path | None, **knobs: Any) -> None:
        """Write an invented programme year. The same --seed gives the same year."""
        from packhorse_scheduling.domain.programme.sample import Shape, sample
        from packhorse_scheduling.store import document_of

        try:
            made = sample(Shape(**knobs))
        except ValueError as exc:
            raise click.ClickException(f"{exc}.") from exc
        if out is None:
            give(json.dumps(document_of(made), ensure_ascii=False, indent=1), None)
        else:
            write_programme(made, out)

    return sample_command


def _import(desk: RosterDesk) -> click.Command:
    @click.command("import")
    @click.argument("file", type=click.Path(exists=True, path_type=Path))
    @click.option("--dry-run", is_flag=True, help="Show what would change, and store nothing.")
    def import_command(file: Path, dry_run: bool) -> None:
        """Import a programme or a roster. Nothing is stored unless all of it is right.

        --dry-run makes the same checks, and shows what would change.

        FILE is JSON, a workbook (.xlsx), a roster's CSV, or a folder of a programme's CSV tables. A revised programme
        is merged: recorded absences are never dropped, and conflicts with them are listed.
        """
        from packhorse_scheduling.convert.files.documents import programme_from
        from packhorse_scheduling.service.imports import import_roster, roster_of

        document, cells, plan = refusing(_read, file)
        if document is not None:
            programme = refusing(programme_from, document)
            merged = _tell_revision(desk, programme)
            if cells is not None:
                made = refusing(roster_of, desk, merged, cells, plan)
            what = f"{programme.name}: {counted(len(programme.people), 'person', 'people')},"
            what += f" {counted(programme.year.days, 'day')}"
            if dry_run:
                click.echo(f"Would import {what}.")
            else:
                kept = refusing(desk.import_programme, programme)
                click.echo(f"Imported {what} ({kept}).")
        elif dry_run:
            made = refusing(roster_of, desk, refusing(desk.programme)[1], cells, plan)
        if cells is not None and dry_run:
            click.echo(f"Would keep a draft: {_filled(made)}.")
        elif cells is not None:
            made = refusing(import_roster, desk, cells, None, plan)
            click.echo(f"Draft {made.schedule.id} is stored: {_filled(made)}.")

    return import_command


def _filled(opened: "Opened") -> str:
    schedule = opened.schedule
    return f"{counted(len(schedule.cells), 'half-day')}, {schedule.compliance}"


def _tell_revision(desk: RosterDesk, programme: "Programme") -> "Programme":
    """What changes against the programme imported last of the same days, what is kept, and what is to be decided.

    The programme as it would be kept.
    """
    from packhorse_scheduling.domain.programme.revision import differences

    refusing(desk.check_programme, programme)
    with desk.rosters() as rosters:
        former = next(rosters.programmes_of(programme.year), None)
    merged = refusing(desk.revision, programme)
    if former is not None:
        for line in differences(former[1], merged.programme) or ["Nothing changes."]:
            click.echo(line)
    else:
        tables = ((name, getattr(programme, f"{name}s")) for name in _COUNTED)
        told = [counted(len(rows), name.replace("_", " ")) for name, rows in tables if rows]
        click.echo(f"The first programme of these days: {', '.join(told)}.")
    for line in merged.kept:
        click.echo(f"Kept, although the file does not contain it: {line}.")
    for line in merged.conflicts:
        click.echo(f"To be decided: {line}")
    return merged.programme


def _export(desk: RosterDesk) -> click.Command:
    @click.command("export")
    @click.argument("schedule_id", required=False)
    @click.option("--what", type=click.Choice(["roster", "programme"]), default="roster", show_default=True)
    @click.option(
        "--format",
        "kind",
        type=click.Choice([*FORMATS, "ics"]),
        help="The format. Without this option: the ending of --out, else json.",
    )
    @click.option("--person", help="Write only the calendar of the person with this key or id.")
    @click.option("--out", type=_FILE, help="The file or folder to write.")
    def export_command(
        schedule_id: str | None, what: str, kind: str | None, person: str | None, out: Path | None
    ) -> None:
        """Write the published roster, or another version, or the programme."""
        kind = _kind_of(kind, out)
        if person is not None and kind != "ics":
            raise click.UsageError("--person can be used only with --format ics.")
        if what == "programme":
            if kind == "ics":
                raise click.UsageError("Only a roster can be exported as a calendar, and this is a programme.")
            _, programme = refusing(desk.programme)
            if out is None and kind != "json":
                raise click.UsageError("Give the file to write with --out.")
            refusing(_export_programme, programme, kind, out)
            return
        opened = refusing(desk.opened, schedule_id)
        refusing(_export_roster, opened, kind, person, out, desk.zone)

    return export_command


def _kind_of(kind: str | None, out: Path | None) -> str:
    """The format that is asked for; one that the file's name contradicts ends the command."""
    ending = "" if out is None else out.suffix.lower().removeprefix(".")
    named = ending if ending in (*FORMATS, "ics") else None
    if kind and named and kind != named and out is not None:
        raise click.UsageError(f"--out {out.name} does not fit --format {kind}. Leave one of them out.")
    return kind or named or "json"


def _file_in(out: Path | None, name: str) -> Path | None:
    """Where one file goes: ``out``, or in it by this name where it is a folder or has no ending."""
    if out is None or not (out.is_dir() or not (out.suffix or out.exists())):
        return out
    _make_folder(out)
    return out / name


def _check_absent(out: Path) -> None:
    if out.exists():
        raise click.ClickException(f"{out} already exists. Name a new file.")


def write_programme(programme: "Programme", out: Path, *, overwrite: bool = True) -> None:
    """Write a programme as its file's name says; something that is there ends the command unless ``overwrite``."""
    if not overwrite:
        _check_absent(out)
    kind = {".json": "json", ".xlsx": "xlsx"}.get(out.suffix.lower(), "csv")
    if kind == "csv" and out.suffix:
        raise click.ClickException(f"{out.name} must be a .json or .xlsx file, or a folder for CSV tables.")
    refusing(_export_programme, programme, kind, out)


def _export_programme(programme: "Programme", kind: str, out: Path | None) -> None:
    from packhorse_scheduling.convert.files import csvs, workbooks
    from packhorse_scheduling.store import document_of

    if kind == "json" or out is None:
        give(json.dumps(document_of(programme), ensure_ascii=False, indent=1), _file_in(out, "programme.json"))
    elif kind == "xlsx":
        _write_book(out, "programme.xlsx", lambda path: workbooks.write_programme(programme, path))
    else:
        _write_folder(out, csvs.programme_csvs(programme))


def _export_roster(opened: "Opened", kind: str, person: str | None, out: Path | None, zone: str | None) -> None:
    from packhorse_scheduling.convert.files import csvs, workbooks
    from packhorse_scheduling.convert.files.calendars import calendar_of
    from packhorse_scheduling.convert.files.rows import roster_document

    if kind == "json":
        give(json.dumps(roster_document(opened), ensure_ascii=False, indent=1), _file_in(out, "roster.json"))
    elif kind == "csv":
        rows = csvs.roster_csv(opened)
        give(rows.removesuffix("\r\n") if out is None else rows, _file_in(out, "roster.csv"))
    elif kind == "xlsx":
        if out is None:
            raise click.UsageError("A workbook cannot be printed here. Give a file: --out roster.xlsx.")
        _write_book(out, "roster.xlsx", lambda path: workbooks.write_roster(opened, path))
    elif person is not None:
        people = opened.programme.people
        key = next((one.key for one in people if person in (one.key, one.id)), None)
        if key is None:
            raise click.ClickException(f"There is no person {person[:40]!r} in this programme.")
        give(calendar_of(opened, key, zone), _file_in(out, f"{key}.ics"))
    elif out is None:
        raise click.UsageError("Give a person with --person, or a folder for everybody's calendar with --out.")
    else:
        _write_folder(out, {f"{one.key}.ics": calendar_of(opened, one.key, zone) for one in opened.programme.people})


def _write_folder(folder: Path, files: dict[str, str]) -> None:
    wrong = [name for name in files if Path(name).name != name or name.startswith(".")]
    if wrong:
        raise click.ClickException(f"{wrong[0]!r} cannot be the name of a file.")
    _make_folder(folder)
    for name, text in files.items():
        write_whole(folder / name, partial(_fill, text.encode()))
    click.echo(f"Wrote {counted(len(files), 'file')} to {folder}.")


def _write_book(out: Path, name: str, write: Callable[[Path], object]) -> None:
    file = _file_in(out, name) or out
    write_whole(file, write)
    click.echo(f"Wrote {file}.")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise click.ClickException(f"{folder} cannot be created: {exc.strerror or exc}.") from exc


def _fill(body: bytes, path: Path) -> None:
    path.write_bytes(body)


def _read(file: Path) -> tuple[Any, Any, Any]:
    """A programme's document, a roster's half-days, and its plan; None (of the plan, nothing) for what is not there."""
    try:
        return _parsed(file)
    except OSError as exc:
        raise click.ClickException(f"{file} cannot be read: {exc.strerror or exc}.") from exc


def _parsed(file: Path) -> tuple[Any, Any, Any]:
    from packhorse_scheduling.convert.files import csvs, workbooks
    from packhorse_scheduling.convert.files.blocks import plan_from
    from packhorse_scheduling.convert.files.documents import unique_keys
    from packhorse_scheduling.convert.files.rows import cells_of_document

    if file.is_dir():
        return csvs.document_of_folder(file), None, ()
    if file.suffix.lower() == ".xlsx":
        return workbooks.read_workbook(file)
    if file.suffix.lower() == ".csv":
        return None, csvs.cells_of_csv(file), ()
    try:
        document = json.loads(file.read_text("utf-8-sig"), object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as exc:
        raise click.ClickException(f"{file.name} is not a JSON document of a programme or a roster.") from exc
    if not isinstance(document, dict):
        raise click.ClickException(f"{file.name} is not a document of a programme or a roster.")
    if "assignments" in document:
        return None, cells_of_document(document), plan_from(document.get("rotation_plan"))
    return document, None, ()
