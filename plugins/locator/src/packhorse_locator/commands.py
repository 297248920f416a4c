"""Commands for a person at a terminal: loading the registry, looking at it, and judging the name search."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from packhorse import UserError
from packhorse_locator.service.files import FORMATS, Format, TableFile

if TYPE_CHECKING:
    from packhorse_locator.search.benchmark import BenchReport, Figures
    from packhorse_locator.service.loading import Loaded, Loader
    from packhorse_locator.service.registry import Registry

Command = TypeVar("Command", bound=Callable[..., Any])

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def _file_options(command: Command) -> Command:
    """What both imports ask about a file."""
    options = (
        click.option(
            "--as-of",
            type=click.DateTime(["%Y-%m-%d"]),
            metavar="YYYY-MM-DD",
            help="The day of the file's data. Without this option: today.",
        ),
        click.option(
            "--format", "kind", type=click.Choice(FORMATS), help="The kind of file, if its name does not show it."
        ),
        click.option("--table", help="The table to read from a SQLite file."),
        click.option(
            "--map",
            "mapped",
            multiple=True,
            metavar="FIELD=COLUMN",
            help="FIELD=COLUMN for a column that has another name in the file; repeatable.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def commands_of(registry: Registry) -> list[click.Command]:
    """The commands of ``packhorse locator``."""
    return [_import_people(registry), _import_facilities(registry), _stats(registry), _index(registry), _bench()]


def _import_people(registry: Registry) -> click.Command:
    @click.command("import")
    @click.argument("file", type=click.Path(path_type=Path))
    @click.option(
        "--source",
        required=True,
        help="The name of the source; a later import under this name updates its records by record_id.",
    )
    @_file_options
    @click.option("--replace", is_flag=True, help="Remove this source's people who are not in the file.")
    @click.option("--strict", is_flag=True, help="Load nothing if any row cannot be used.")
    @_json
    def import_people(
        file: Path,
        source: str,
        as_of: datetime | None,
        kind: Format | None,
        table: str | None,
        mapped: tuple[str, ...],
        replace: bool,
        strict: bool,
        as_json: bool,
    ) -> None:
        """Load people from a CSV, JSON Lines or SQLite FILE.

        Required columns: record_id, first_name and last_name. Optional columns: middle_name, country_of_birth,
        birth_year (or date_of_birth, of which only the year is kept), alien_number, booking_date, status, facility_id,
        transfer_date and transfer_reason. All usable rows are loaded in one step. The other rows are listed with their
        line and the reason. People who may be under 18 are not stored. People without a year of birth are stored only
        if keep_without_birth_date is set.
        """
        _check_source(source)
        table_file = TableFile(file, _mapping(mapped), kind, table)
        with registry.host.store() as store:
            loader = _loader(registry, store)
            day = _day(registry, as_of)
            loaded = loader.people(table_file, source, day, replace=replace, strict=strict)
        stats = registry.catch_up()
        _show_loaded(loaded, as_json=as_json, more={"indexed": stats.records})

    return import_people


def _import_facilities(registry: Registry) -> click.Command:
    @click.command("import-facilities")
    @click.argument("file", type=click.Path(path_type=Path))
    @click.option("--source", default="facility list", show_default=True, help="The name of the source.")
    @_file_options
    @click.option("--strict", is_flag=True, help="Load nothing if any row cannot be used.")
    @_json
    def import_facilities(
        file: Path,
        source: str,
        as_of: datetime | None,
        kind: Format | None,
        table: str | None,
        mapped: tuple[str, ...],
        strict: bool,
        as_json: bool,
    ) -> None:
        """Load facilities from a CSV, JSON Lines or SQLite FILE.

        Required column: name. Optional columns: facility_id, aliases (divided by |), address, city, state, zip,
        operator, facility_kind, field_office, capacity_2017, adp_fy26 (the average daily population of fiscal year
        2026) with adp_as_of, phone and status. Empty cells mean unknown. The sample facilities of the pack are removed.
        """
        _check_source(source)
        with registry.host.store() as store:
            loader = _loader(registry, store)
            table_file = TableFile(file, _mapping(mapped), kind, table)
            loaded = loader.facilities(table_file, source, _day(registry, as_of), strict=strict)
        _show_loaded(loaded, as_json=as_json, more={})

    return import_facilities


def _stats(registry: Registry) -> click.Command:
    @click.command("stats")
    @_json
    def stats(as_json: bool) -> None:
        """Show how many people the registry has, how old each source is and how large the name index is."""
        from packhorse_locator.service.health import health_of

        found = health_of(registry)
        if as_json:
            _print(found)
            return
        people, index = found["people"], found["index"]
        click.echo(f"{people} people, {found['facilities']} facilities, change {found['data_version']}.")
        for one in found["sources"]:
            click.echo(
                f"  {one['kind']} from {one['name']}: data of {one['as_of']} ({one['age_days']} days old), "
                f"{one['accepted']} rows loaded, {one['rejected']} not"
            )
        click.echo(
            f"Name index: {index['records']} records, {index['vocabulary']} words,"
            f" {index['bytes_a_record']} bytes a record, {'current' if index['current'] else 'behind'}."
        )

    return stats


def _index(registry: Registry) -> click.Command:
    @click.command("index")
    @_json
    def index(as_json: bool) -> None:
        """Build the name index again. Meanwhile searches use the old one."""
        began = time.perf_counter()
        built = registry.reindex()
        seconds = round(time.perf_counter() - began, 2)
        if as_json:
            _print({"records": built.records, "vocabulary": built.vocabulary, "seconds": seconds})
            return
        click.echo(f"{built.records} records and {built.vocabulary} words indexed in {seconds} s.")

    return index


def _bench() -> click.Command:
    @click.command("bench")
    @click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
    @click.option(
        "--pairs",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="A CSV of name pairs to test instead, with the columns name1 and name2. Each name2 is added to the"
        " records of FOLDER (or of the sample), and the search looks for name1.",
    )
    @click.option("--records", type=click.IntRange(min=1), help="Stop after this number of records, for a quick look.")
    @_json
    def bench(folder: Path | None, pairs: Path | None, records: int | None, as_json: bool) -> None:
        """Measure the name search on queries with known answers.

        FOLDER contains records.csv and queries.csv. The command prints how often the right record comes first, how
        often it is among the first five, how often a name without a record gets a high confidence, and how well
        confidences are calibrated. A table shows these figures for each kind of misspelling.
        """
        import attrs

        from packhorse_locator.search import bench as run

        if pairs is not None:
            _show_pairs(pairs, folder, as_json=as_json)
            return
        if folder is None:
            raise UserError("Give the FOLDER of a bench, or --pairs FILE.", code="BAD_FILE")
        for name in ("records.csv", "queries.csv"):
            if not (folder / name).is_file():
                raise UserError(f"The folder {folder.name} has no file {name}.", code="BAD_FILE")
        report = run(folder, records=records)
        if as_json:
            _print(attrs.asdict(report))
            return
        for line in _bench_lines(report):
            click.echo(line)

    return bench


def _show_pairs(pairs: Path, folder: Path | None, *, as_json: bool) -> None:
    from importlib.resources import as_file, files

    import attrs

    from packhorse_locator.search.benchmark import people_from
    from packhorse_locator.search.pairs import scored

    with as_file(files("packhorse_locator") / "data" / "people.csv") as sample:
        try:
            found = scored(pairs, people_from(folder / "records.csv" if folder is not None else sample))
        except (ValueError, OSError) as exc:
            raise UserError(f"{pairs.name}: {exc}", code="BAD_FILE") from exc
    if as_json:
        _print([attrs.asdict(one) for one in found])
        return
    for one in found:
        click.echo(f"{one.confidence:.2f}  {one.name1} | {one.name2}  {'; '.join(one.reasons)}")


def _bench_lines(report: BenchReport) -> list[str]:
    header = f"{'':28}{'present':>8}{'R@1':>7}{'R@5':>7}{'>=.8':>7}{'absent':>8}{'>=.8':>7}{'cal.':>7}"

    def line(title: str, one: Figures) -> str:
        def share(value: float | None) -> str:
            return f"{value:7.3f}" if value is not None else "      -"

        return (
            f"{title:28}{one.present:8}{share(one.recall_1)}{share(one.recall_5)}{share(one.true_positive)}"
            f"{one.absent:8}{share(one.false_positive)}{share(one.calibration_error)}"
        )

    median, most, nearly_all = report.milliseconds
    return [
        f"{report.records} records, {report.queries} queries. Confidence: {report.model}.",
        header,
        line("as shipped", report.shipped),
        line("fitted without the culture", report.by_culture),
        line("fitted without the class", report.by_class),
        "By kind of error, fitted without it:",
        *(line(f"  {name}", one) for name, one in report.classes.items()),
        f"Milliseconds a search: {median:.1f} median, {most:.1f} p95, {nearly_all:.1f} p99.",
        f"Built in {report.build_seconds:.1f} s; {report.bytes_a_record:.0f} bytes a record.",
    ]


def _loader(registry: Registry, store: Any) -> Loader:
    from packhorse_locator.service.loading import Loader

    return Loader(store, registry.host.clock(), registry.suppression.listed(), registry.keeps_undated)


def _day(registry: Registry, given: datetime | None) -> date:
    return given.date() if given is not None else registry.today()


def _mapping(mapped: tuple[str, ...]) -> dict[str, str]:
    pairs = [text.partition("=") for text in mapped]
    if wrong := [
        text for text, (name, sign, column) in zip(mapped, pairs, strict=True) if not (name and sign and column)
    ]:
        raise UserError(f"--map {wrong[0]}: write FIELD=COLUMN, such as last_name=apellidos", code="BAD_MAPPING")
    return {name.strip(): column.strip() for name, _, column in pairs}


def _check_source(source: str) -> None:
    from packhorse_locator.domain.freshness import SAMPLE

    if source == SAMPLE or "/" in source or not 1 <= len(source) <= 60 or not source.isprintable():
        raise UserError(
            f"--source must be 1 to 60 printable characters without '/', and not {SAMPLE!r}", code="BAD_SOURCE"
        )


def _show_loaded(loaded: Loaded, *, as_json: bool, more: dict[str, int]) -> None:
    if as_json:
        _print(
            {
                "source": loaded.source,
                "kind": loaded.kind,
                "as_of": loaded.as_of.isoformat(),
                "accepted": loaded.accepted,
                "rejected": loaded.rejected,
                "removed": loaded.removed,
                "moved": loaded.moved,
                "reasons": [{"line": one.line, "reason": one.reason} for one in loaded.reasons],
                **more,
            }
        )
        return
    moved = f", {loaded.moved} of them moved to another facility" if loaded.moved else ""
    click.echo(f"{loaded.accepted} {loaded.kind} loaded from {loaded.source}, data of {loaded.as_of}{moved}.")
    if loaded.removed:
        click.echo(f"{loaded.removed} people who are not in the file were removed.")
    if loaded.rejected:
        from packhorse_locator.service.loading import SHOWN_REASONS

        click.echo(f"{loaded.rejected} rows were not loaded:")
        for one in loaded.reasons[:SHOWN_REASONS]:
            click.echo(f"  line {one.line}: {one.reason}")
        if loaded.rejected > SHOWN_REASONS:
            click.echo(f"  and {loaded.rejected - SHOWN_REASONS} more; --json lists them")


def _print(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))
