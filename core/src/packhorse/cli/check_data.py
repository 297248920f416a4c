"""What ``packhorse check`` finds out about the data on this machine: who may read it, and whether it is whole."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from packhorse.cli.check_around import Finding
from packhorse.compose.data_folder import STORE_FILE, DataFolder

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment
    from packhorse.settings import Settings


def data(settings: "Settings", packs: Sequence[str]) -> Iterator[Finding]:
    """The data folder: whether it can be written, and whether it is its owner's alone."""
    from packhorse.store import permissions

    folder = settings.data_dir
    existing = folder
    while not existing.exists():
        existing = existing.parent
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        yield Finding("data", f"{folder} cannot be written", "Make it writable, or set data_dir under [server].")
        return
    if existing != folder:
        yield Finding("data", str(folder))
        return
    if not permissions.keeps_modes(folder):
        yield Finding(
            "data",
            f"the file system of {folder} keeps no modes of files, so that other accounts may read the data",
            "Write another data_dir under [server], on a disk that keeps them.",
        )
        return
    kept = DataFolder.of(settings, packs)
    exposed = kept.exposed()
    theirs = [path for path in exposed if not permissions.may_tighten(path)]
    if theirs:
        yield Finding(
            "data",
            f"other accounts may read or change {_some(theirs)}, which belong to another account than this one",
            f"chown -R the folder to the account that serves, then: chmod -R go= {folder}",
        )
    elif folder in exposed and not kept.is_ours_alone():
        yield Finding(
            "data",
            f"other accounts may change {folder}, in which others than packhorse keep something",
            f"chmod go-w {folder}, or write a data_dir of its own under [server]",
        )
    elif exposed:
        yield Finding("data", f"{folder}: the next start closes {_some(exposed)} to other accounts")
    else:
        yield Finding("data", str(folder))


def _some(paths: Sequence[Path]) -> str:
    return str(paths[0]) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")


def stores(deployment: "Deployment") -> Iterator[Finding]:
    """Databases of packs and jobs that are damaged, or that a newer version has written."""
    settings = deployment.settings
    if settings.server.database is not None:
        return
    known = {settings.jobs_dir / "jobs.sqlite3": ("packhorse", "packhorse", _ledger_migrations)}
    for pack in deployment.catalogue.packs:
        if pack.pack.migrations:
            path = settings.data_dir / pack.found.name / STORE_FILE
            known[path] = (pack.found.distribution, pack.found.version, partial(len, pack.pack.migrations))
    for path in DataFolder.of(settings, deployment.hosts).databases():
        where = path.parent.relative_to(settings.data_dir).parts[0]
        subject = "jobs" if path.parent == settings.jobs_dir else f"store of {where}"
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                (damage,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as exc:
            version, damage = 0, str(exc)
        if damage != "ok":
            cure = "Put a copy that is whole in its place ('packhorse store restore'), or move it away."
            yield Finding(subject, f"{path} is damaged: {damage}", cure)
        elif path in known:
            distribution, installed, knows = known[path]
            if version > knows():
                yield Finding(
                    subject,
                    f"{path} was written by a newer version ({version} migrations; {installed} knows {knows()})",
                    f"Install the newer {distribution} again, or name another data_dir under [server].",
                )


def _ledger_migrations() -> int:
    from packhorse.jobs.ledger import MIGRATIONS

    return len(MIGRATIONS)
