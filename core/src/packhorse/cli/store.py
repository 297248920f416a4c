"""``packhorse store``: copies of a deployment's data, and its move from SQLite to PostgreSQL."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from packhorse.cli.options import deployed
from packhorse.compose.packs import configured
from packhorse.contract.clock import system_clock
from packhorse.errors import PackError
from packhorse.errors.extras import install
from packhorse.terminal import config_option, json_option, progress, show

if TYPE_CHECKING:
    from packhorse.compose.data_folder import DataFolder
    from packhorse.compose.deployment import Deployment
    from packhorse.settings import Settings

DATABASE_VARIABLE = "PACKHORSE_SERVER_DATABASE"


@click.group()
def store() -> None:
    """Look after where packs keep their data."""


@store.command("copy")
@click.option(
    "--to",
    "url",
    help=f"The PostgreSQL database, empty as yet; `database` of the configuration, or ${DATABASE_VARIABLE}, if absent.",
)
@json_option
@config_option
def copy_command(url: str | None, as_json: bool, config: Path | None) -> None:
    """Copy every pack's store, and the jobs, into PostgreSQL.

    Stop the server first. Each store is copied whole or not at all, and its
    counts and hashes are compared. The files stay as they are: keep them until
    the server has run on PostgreSQL for a while.
    """
    deployment = deployed(config)
    target = url or database_of(deployment.settings.server) or os.environ.get(DATABASE_VARIABLE)
    if not target:
        raise PackError(f"name the target with --to, or set `database` under [server] or ${DATABASE_VARIABLE}")
    try:
        from packhorse.store.transfer import copy
    except ImportError as exc:
        raise PackError(f"PostgreSQL needs a driver: {install('postgres')}") from exc

    copied = []
    with progress(stores_of(deployment), "Copying stores") as stores:
        for source, schema, migrations in stores:
            copied += copy(source, target, schema, migrations)
    if as_json:
        show({"copied": [asdict(one) for one in copied]})
        return
    for one in copied:
        click.echo(f"{one.store}.{one.table}  {one.rows} rows  sha256 {one.sha256[:16]}")
    click.echo(f"Copied {sum(one.rows for one in copied)} rows of {len(copied)} tables.")


@store.command("backup")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@json_option
@config_option
def backup_command(folder: Path, as_json: bool, config: Path | None) -> None:
    """Copy every pack's data, the jobs and the audit record into DIR.

    The server may go on serving. DIR must be new or empty, and appears when
    the copy is whole: every call that was answered before is in it. What is in
    PostgreSQL is not: pg_dump copies that.
    """
    from packhorse.compose.backup import backup

    settings, data, key = _kept(config)
    made = backup(data, folder, key=key, clock=system_clock)
    if as_json:
        show(asdict(made))
    else:
        click.echo(f"Copied {len(made.files)} files, {made.bytes:,} bytes, into {folder}.")
        click.echo("There is no audit record." if made.rows is None else f"{made.rows} rows of the audit record hold.")
    if settings.server.database is not None:
        click.echo("The packs' stores and the jobs are in PostgreSQL, and not in this copy: use pg_dump.", err=True)


@store.command("restore")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--overwrite", is_flag=True, help="Move the data that is there aside, and put the backup in its place.")
@json_option
@config_option
def restore_command(folder: Path, overwrite: bool, as_json: bool, config: Path | None) -> None:
    """Put the backup in DIR where this deployment keeps its data.

    Stop the server first. Every file is compared with its hash before anything
    is changed; jobs that ran at the moment of the backup run again.
    """
    from packhorse.compose.backup import restore

    _, data, key = _kept(config)
    made = restore(folder, data, key=key, clock=system_clock, overwrite=overwrite)
    if as_json:
        show(asdict(made))
    else:
        click.echo(f"Restored {len(made.files)} files of {made.taken_at} into {data.path}.")


def _kept(config: Path | None) -> "tuple[Settings, DataFolder, bytes | None]":
    """Where this deployment keeps its data, and the key of its record. No pack is imported: one may be broken."""
    from packhorse.compose.data_folder import DataFolder

    settings, found = configured(config)
    key = settings.audit.key
    data = DataFolder.of(settings, [pack.name for pack in found])
    return settings, data, key.get_secret_value().encode() if key else None


def stores_of(deployment: "Deployment") -> list[tuple[Path, str, tuple[str, ...]]]:
    """Each SQLite file that the deployment has, the schema that it goes to, and its migrations."""
    from packhorse.jobs import engine, ledger
    from packhorse.store.postgres import schema_of

    data_dir = deployment.settings.data_dir
    found = [
        (data_dir / name / "store.sqlite3", schema_of(name), tuple(pack.pack.migrations))
        for pack in deployment.catalogue.packs
        for name in [pack.found.name]
    ]
    found.append((deployment.settings.jobs_dir / engine.LEDGER_FILE, engine.SCHEMA, ledger.MIGRATIONS))
    return [one for one in found if one[0].exists()]


def database_of(server: Any) -> str | None:
    """The PostgreSQL database of a configuration, which is a secret: its address has a password in it."""
    secret = getattr(server, "database", None)
    return secret.get_secret_value() if secret is not None else None
