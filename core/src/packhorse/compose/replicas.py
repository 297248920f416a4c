"""What several processes that serve one deployment must share, and where none may keep its files."""

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from packhorse.door.catalogue import HOST, Catalogue
from packhorse.errors import PackError
from packhorse.errors.extras import install
from packhorse.settings import LOGIN_FOLDER, Settings

MAKE_KEY = "made with: openssl rand -hex 32"

MOUNTS = Path("/proc/self/mountinfo")

NETWORK = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "fuse.cephfs", "fuse.glusterfs", "fuse.moosefs", "fuse.rclone",
        "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs",
        "pvfs2", "smb3", "smbfs", "virtiofs",
    }
)  # fmt: skip
"""Kinds of file system, as Linux names them in ``mountinfo`` (proc(5)), that are on a network or shared by machines.

SQLite asks for locks that hold and for shared memory in WAL mode, which is of one machine ("Write-Ahead Logging",
section 1 of its documentation; "How To Corrupt An SQLite Database File", section 2.1).
"""

_ESCAPED = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"}


def network_file_system(path: Path, mounts: Path = MOUNTS) -> str | None:
    """The kind of the network file system that ``path`` is on, or will be; None on a disk of this machine.

    None too where that cannot be known: elsewhere than on Linux.
    """
    try:
        table = mounts.read_text("utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    target = os.path.realpath(path)
    best, kind = "", None
    for line in table:
        # "36 35 98:0 /root /mount/point options - type source options": see proc(5).
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = fields[4]
        for escaped, meant in _ESCAPED.items():
            point = point.replace(escaped, meant)
        inside = target == point or target.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):  # of two mounted on one point the later covers the earlier
            best, kind = point, after.split(" ")[0]
    return kind if kind in NETWORK else None


def check_processes(settings: Settings, catalogue: Catalogue, *, counts: bool) -> None:
    """Refuse several processes that would not act as one. ``counts``: any call is limited.

    Raises:
        PackError: what they would not share, and how they can.
    """
    server = settings.server
    if server.database is not None and any(find_spec(name) is None for name in ("psycopg", "psycopg_pool")):
        raise PackError(f"the setting `database` under [server] needs a driver for PostgreSQL: {install('postgres')}")
    if server.processes == 1:
        return
    named = f"{server.workers} workers" if server.workers > 1 else f"{server.replicas} replicas"
    if server.state_key is None:
        raise PackError(
            f"{named} need the same `state_key` under [server]: otherwise one cannot read what another has signed."
            f" Set one key for all, {MAKE_KEY}"
        )
    if counts and server.limits == "memory":
        raise PackError(
            f"with limits in memory, each of {server.processes} workers counts its own calls, so callers could make"
            f" {server.processes} times as many calls as the limit allows. Run one worker, or count in Redis: limits ="
            ' "redis://host:6379/0"'
        )
    if server.database is None and (kept := next(_kept(settings, catalogue), None)):
        raise PackError(
            f"{kept}, so {named} must share one PostgreSQL database: set `database` under [server]"
            " (PACKHORSE_SERVER_DATABASE), or run one process"
        )


def check_places(
    settings: Settings, catalogue: Catalogue, *, kind_of: Callable[[Path], str | None] = network_file_system
) -> None:
    """Refuse files on a network file system, where SQLite's locks do not hold; ``kind_of`` says which one, if any.

    Raises:
        PackError: which files, on what, and where else they can be.
    """
    for what, path, cure in _files(settings, catalogue):
        kind = kind_of(path)
        if kind is not None:
            raise PackError(
                f"{what} would be in {path}, which is on a network file system ({kind}). SQLite's locks do not"
                f" work there, so two processes could destroy the file. {cure}"
            )


def _kept(settings: Settings, catalogue: Catalogue) -> Iterator[str]:
    """What one process would have that the others have not, a sentence's beginning each."""
    for pack in catalogue.packs:
        if pack.pack.migrations:
            yield f"pack {pack.found.name!r} keeps data of its own in an SQLite file"
    if settings.auth.login is not None:
        yield "[auth.login] keeps who is signed in in an SQLite file"
    for tool in catalogue.tools.values():
        if tool.offer.job:
            yield f"{tool.name!r} of pack {tool.pack!r} starts jobs, which are kept in SQLite files"
    for resource in catalogue.resources.values():
        if resource.offer.subscribable and resource.pack != HOST:
            yield f"{resource.name!r} of pack {resource.pack!r} notifies its subscribers of changes made in any process"


def _files(settings: Settings, catalogue: Catalogue) -> Iterator[tuple[str, Path, str]]:
    if settings.audit.enabled and catalogue.entries:
        cure = "Set `path` under [audit], or `data_dir` under [server], to a folder on a disk of this machine."
        yield "The audit record", settings.audit_path, cure
    if settings.server.database is not None:
        return
    cure = "Set `data_dir` under [server] to a folder on a disk of this machine, or `database` to a PostgreSQL server."
    for pack in catalogue.packs:
        if pack.pack.migrations:
            yield f"The data of pack {pack.found.name!r}", settings.data_dir / pack.found.name, cure
    if settings.auth.login is not None:
        yield "The sign-ins", settings.data_dir / LOGIN_FOLDER, cure
    if any(tool.offer.job for tool in catalogue.tools.values()):
        yield "The jobs", settings.jobs_dir, cure
