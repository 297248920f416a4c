"""``packhorse audit``: check, read, export and prune the record of what was done."""

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any

import click

from packhorse.errors import PackError
from packhorse.terminal import config_option, counting, json_option, options, show

_PATH = click.Path(dir_okay=False, path_type=Path)


@dataclass(frozen=True, slots=True)
class Located:
    """A record's file, its anchor (None: beside it) and its key."""

    path: Path
    anchor: Path | None
    key: bytes | None


def located(config: Path | None) -> Located:
    """The deployment's record: from ``[audit]``, else the defaults."""
    from packhorse import settings

    chosen = settings.load(config)
    return Located(chosen.audit_path, chosen.audit.anchor, chosen.audit.secret)


def _of_a_record(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command its ``record``: what the options name, and the rest from the configuration.

    That is not read at all when a file is named.
    """

    @wraps(command)
    def with_record(
        *args: Any, file: Path | None, anchor: Path | None, key_file: Path | None, config: Path | None, **more: Any
    ) -> Any:
        usual = Located(file, None, None) if file else located(config)
        key = _key_in(key_file) if key_file else usual.key
        return command(*args, record=Located(usual.path, anchor or usual.anchor, key), **more)

    return options(
        click.option(
            "--file", type=_PATH, help="The file of the audit record. Without this option: `path` under [audit]."
        ),
        click.option(
            "--anchor",
            type=_PATH,
            help="The anchor file, which has the hash of the record's last row."
            " Without this option: `anchor` under [audit].",
        ),
        click.option(
            "--key-file",
            type=_PATH,
            help="The file with the record's key. Without this option, the key is the value of `key` under [audit].",
        ),
        config_option,
    )(with_record)


def _key_in(file: Path) -> bytes:
    try:
        return file.read_bytes().strip()
    except OSError as exc:
        raise PackError(f"{file}: the key cannot be read ({exc.strerror})") from exc


@click.group()
def audit() -> None:
    """Check, read, export and shorten the audit record.

    The section [audit] of packhorse.toml has the record's path and key, and the path of its anchor file, which
    holds the hash of the last row. In each command --file, --anchor and --key-file choose other files.
    """


@audit.command()
@json_option
@_of_a_record
def verify(as_json: bool, record: Located) -> None:
    """Check that no row of the record was changed, removed or moved, and that no row is missing at the end.

    The exit status is 1 if the check fails.
    """
    from packhorse.audit.report import verify as verified

    with counting("Checking rows") as watch:
        report = verified(record.path, record.anchor, record.key, watch=watch)
    if as_json:
        show(asdict(report))
    else:
        if report.rows:
            click.echo(
                f"Rows {report.first} to {report.head}, {report.since} to {report.until}: all {report.rows} unchanged."
            )
        if report.pruned:
            click.echo(f"{report.pruned} older rows were removed by pruning.")
        if report.ok:
            click.echo("Nothing is wrong.")
        else:
            where = f" (row {report.first_bad})" if report.first_bad else ""
            click.echo(f"WRONG{where}: {report.problem}.")
        if not report.keyed:
            click.echo(
                "This record has no key: anyone who can write the record and its anchor could have replaced both."
            )
    if not report.ok:
        raise click.exceptions.Exit(1)


@audit.command()
@click.option(
    "-n", "--count", type=click.IntRange(1, 10_000), default=20, show_default=True, help="The number of rows."
)
@json_option
@_of_a_record
def tail(count: int, as_json: bool, record: Located) -> None:
    """Show the last rows."""
    from packhorse.audit.extract import tail as last

    found = last(record.path, count)
    if as_json:
        show(found)
        return
    for row in found:
        click.echo(_told(row))
    if not found:
        click.echo("The record has no rows yet.")


@audit.command()
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@click.option("--output", type=_PATH, help="The file to write. Without this option: standard output.")
@click.option("--json", "as_json", is_flag=True, help="Print a summary as JSON; needs --output.")
@_of_a_record
def export(form: str, output: Path | None, as_json: bool, record: Located) -> None:
    """Write the whole record as JSON lines or CSV.

    Each JSON line has the row's number, its hash, the previous row's hash and
    the row's body, so that others can check that no row was changed.
    """
    from packhorse.audit.extract import export as exported

    if as_json and output is None:
        raise click.UsageError("--json prints only a summary: also give --output FILE, to which the record is written.")
    kind: Any = form
    if output is None:
        exported(record.path, kind, sys.stdout)
        return
    try:
        with output.open("x", encoding="utf-8", newline="") as out:
            count = exported(record.path, kind, out)
    except FileExistsError as exc:
        raise PackError(f"{output} exists; name a new file") from exc
    except OSError as exc:
        raise PackError(f"{output} cannot be written ({exc.strerror})") from exc
    if as_json:
        show({"file": str(output), "format": form, "rows": count})
    else:
        click.echo(f"{count} rows written to {output}.")


@audit.command()
@click.option(
    "--before",
    metavar="DATE",
    help="Remove rows older than DATE, such as 2026-01-31 (midnight UTC) or 2026-01-31T12:00Z.",
)
@click.option("--keep-days", type=click.IntRange(1, 36_500), help="Remove rows older than this number of days.")
@json_option
@_of_a_record
def prune(before: str | None, keep_days: int | None, as_json: bool, record: Located) -> None:
    """Remove the oldest rows. The rest still passes 'audit verify'.

    If the record does not pass 'audit verify', nothing is removed: somebody may have changed it, and it is
    evidence.
    """
    from packhorse.audit.retention import prune as pruned
    from packhorse.contract.clock import system_clock

    if (before is None) == (keep_days is None):
        raise click.UsageError("Give --before or --keep-days, and not both.")
    limit = system_clock() - timedelta(days=keep_days) if keep_days else _instant(before or "")
    if not record.path.is_file():
        raise PackError(f"there is no audit record {record.path}")
    gone = pruned(record.path, limit, anchor=record.anchor, key=record.key, clock=system_clock)
    if as_json:
        show(asdict(gone))
    elif gone.rows:
        click.echo(f"{gone.rows} rows removed, {gone.oldest} to {gone.newest}.")
    else:
        click.echo("No row is that old; nothing was removed.")


def _instant(text: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as exc:
        raise click.BadParameter(
            "write a date such as 2026-01-31, or an instant such as 2026-01-31T00:00:00Z", param_hint="--before"
        ) from exc
    if instant.tzinfo is None:
        if "T" in text or ":" in text:
            raise click.BadParameter("add the time zone, such as Z for UTC", param_hint="--before")
        instant = instant.replace(tzinfo=UTC)
    return instant


def _told(row: dict[str, Any]) -> str:
    """One row on one line, with nothing in it that a terminal would obey."""
    body = row["body"] if isinstance(row["body"], dict) else {}
    call, outcome = body.get("call") or {}, body.get("outcome") or {}
    who = call.get("principal") or {}
    parts = [
        str(row["seq"]),
        body.get("time"),
        body.get("type"),
        call.get("name"),
        "/".join(str(part) for part in (who.get("kind"), who.get("subject")) if part),
        " for ".join(f"{agent}" for agent in who.get("chain") or ()),
        outcome.get("status"),
        outcome.get("code"),
        *(f"{name} {said}" for name, said in (call.get("arguments") or {}).items() if call.get("kind") == "decision"),
        f"{call['count']} times" if "count" in call else None,
        f"of {body['begin']}" if "begin" in body else None,
        f"{outcome['ms']} ms" if "ms" in outcome else None,
        f"{body['lost']} rows could not be written" if "lost" in body else None,
        f"{body['rows']} rows removed" if body.get("type") == "prune" else None,
    ]
    line = "  ".join(str(part) for part in parts if part)
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line)
