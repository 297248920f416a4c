"""``packhorse store``: copies of a deployment's data, and its move from SQLite to PostgreSQL."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

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
    """Back up, restore or copy the packs' data."""


@store.command("copy")
@click.option(
    "--to",
    "url",
    help="The URL of the empty PostgreSQL database to copy into, such as postgresql://me@host/name."
    " Without this option: `database` under [server], or $"
    f"{DATABASE_VARIABLE}.",
)
@json_option
@config_option
def copy_command(url: str | None, as_json: bool, config: Path | None) -> None:
    """Copy the packs' data, the jobs, the sign-ins and the console's sessions into PostgreSQL.

    Stop the server first. The data of each pack is copied completely or not at
    all, and the number of rows and the hashes of the copy are compared with the
    original. The original files are not changed: keep them until the server has
    run on PostgreSQL for a while.
    """
    deployment = deployed(config)
    target = url or deployment.settings.server.database_url
    if not target:
        raise PackError(f"give the target database with --to, or set `database` under [server] or ${DATABASE_VARIABLE}")
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

    The server may keep running. DIR must be new or empty. The copy
    includes every change made by calls that were answered before the backup began. It
    does not include data in PostgreSQL: copy that with pg_dump.
    """
    from packhorse.cli.backup import backup

    settings, data, key = _kept(config)
    made = backup(data, folder, key=key, clock=system_clock)
    if as_json:
        show(asdict(made))
    else:
        click.echo(f"Copied {len(made.files)} files, {made.bytes:,} bytes, into {folder}.")
        click.echo(
            "There is no audit record."
            if made.rows is None
            else f"Checked {made.rows} rows of the audit record: all unchanged."
        )
    if settings.server.database is not None:
        click.echo(
            "This copy does not include the packs' stores and the jobs, which are in PostgreSQL. Copy them"
            " with pg_dump.",
            err=True,
        )


@store.command("restore")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--overwrite",
    is_flag=True,
    help="Restore even if the data folder is not empty. The old data is kept under another name.",
)
@json_option
@config_option
def restore_command(folder: Path, overwrite: bool, as_json: bool, config: Path | None) -> None:
    """Restore the backup that is in DIR into the data folder.

    Stop the server first. Every file is checked against its hash before
    anything is changed. Jobs that were running when the backup was made start
    again.
    """
    from packhorse.cli.backup import restore

    _, data, key = _kept(config)
    made = restore(folder, data, key=key, clock=system_clock, overwrite=overwrite)
    if as_json:
        show(asdict(made))
    else:
        click.echo(f"Restored {len(made.files)} files from the backup of {made.taken_at} into {data.path}.")


def _kept(config: Path | None) -> "tuple[Settings, DataFolder, bytes | None]":
    """Where this deployment keeps its data, and the key of its record. No pack is imported: one may be broken."""
    from packhorse.compose.data_folder import DataFolder

    settings, found = configured(config)
    return settings, DataFolder.of(settings, [pack.name for pack in found]), settings.audit.secret


def stores_of(deployment: "Deployment") -> list[tuple[Path, str, tuple[str, ...]]]:
    """Each SQLite file that the deployment has, the schema that it goes to, and its migrations."""
    from packhorse.compose.data_folder import STORE_FILE
    from packhorse.console import site
    from packhorse.jobs import engine, ledger
    from packhorse.login import grants
    from packhorse.settings import LOGIN_FOLDER
    from packhorse.store.postgres import schema_of

    def in_folder(name: str, migrations: Sequence[str]) -> tuple[Path, str, tuple[str, ...]]:
        return deployment.settings.data_dir / name / STORE_FILE, schema_of(name), tuple(migrations)

    found = [in_folder(pack.found.name, pack.pack.migrations) for pack in deployment.catalogue.packs]
    found.append((deployment.settings.jobs_dir / engine.LEDGER_FILE, engine.SCHEMA, ledger.MIGRATIONS))
    found += [in_folder(LOGIN_FOLDER, grants.MIGRATIONS), in_folder(site.FOLDER, site.MIGRATIONS)]
    return [one for one in found if one[0].exists()]
