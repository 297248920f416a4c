"""``packhorse store``: moving a deployment's data from SQLite to PostgreSQL."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from packhorse.cli.options import config_option, deployed, json_option, progress, show
from packhorse.errors import PackError

if TYPE_CHECKING:
    from packhorse.deployment import Deployment

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
        raise PackError(f"say where to with --to, or set `database` under [server] or ${DATABASE_VARIABLE}")
    try:
        from packhorse.stores.transfer import copy
    except ImportError as exc:
        raise PackError("PostgreSQL needs a driver: pip install 'packhorse[postgres]'") from exc

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


def stores_of(deployment: "Deployment") -> list[tuple[Path, str, tuple[str, ...]]]:
    """Each SQLite file that the deployment has, the schema that it goes to, and its migrations."""
    from packhorse.jobs import engine, ledger
    from packhorse.stores.postgres import schema_of

    data_dir = deployment.settings.data_dir
    found = [
        (data_dir / name / "store.sqlite3", schema_of(name), tuple(pack.pack.migrations))
        for pack in deployment.catalogue.packs
        for name in [pack.found.name]
    ]
    found.append((data_dir / engine.FOLDER / "jobs.sqlite3", engine.SCHEMA, ledger.MIGRATIONS))
    return [one for one in found if one[0].exists()]


def database_of(server: Any) -> str | None:
    """The PostgreSQL database of a configuration, which is a secret: its address has a password in it."""
    secret = getattr(server, "database", None)
    return secret.get_secret_value() if secret is not None else None
