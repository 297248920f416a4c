"""A copy of all that a deployment keeps on this machine, taken while it serves, and put back.

Each database is copied by SQLite's own backup in one step: in WAL mode that is
one state of it, which holds every write committed before, and no writer waits
("SQLite Backup API"; "Write-Ahead Logging", section 2.2). The order makes the
copies fit one another: what is derived before what it is derived from, the
queue before the ledger of the jobs, the jobs before the packs' stores, and the
record after all of them. So a job that is finished in the copy has its result
there, an index is never ahead of its store, and every change has its row.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from packhorse.audit.report import verify
from packhorse.compose.data_folder import REPLACED, STORE_FILE, DataFolder, is_database
from packhorse.compose.packs import core_version
from packhorse.contract.clock import Clock, utc_text
from packhorse.errors import PackError
from packhorse.jobs.engine import LEDGER_FILE
from packhorse.settings import JOBS_FOLDER
from packhorse.store.permissions import private_file, private_folder, private_umask

MANIFEST = "backup.json"
VERSION = 1

RECORD = "record/audit.sqlite3"
ANCHOR = "record/audit.anchor"
"""The audit record and its anchor in a backup, wherever the deployment has them."""

_LAST = (LEDGER_FILE, STORE_FILE)
_BESIDE = ("-wal", "-shm", "-journal")
_TRIES = 3
"""A record may be pruned between the copy of its anchor and its own: then both are copied again."""


@dataclass(frozen=True, slots=True)
class Copied:
    """One file of a backup, by its path in it."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds. ``rows`` of the audit record hold in the copy; None where there is no record."""

    taken_at: str
    packhorse: str
    files: tuple[Copied, ...]
    rows: int | None

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)


def backup(data: DataFolder, target: Path, *, key: bytes | None, clock: Clock) -> Backup:
    """Copy everything into ``target``, which must be new or empty; it appears when it is whole.

    ``key`` is that of the audit record, which is checked in the copy.

    Raises:
        PackError: something cannot be read, copied or written, or the record does not hold; nothing is left behind.
    """
    target = target.absolute()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise PackError(f"{target} is not empty: name a new folder for the backup")
    if target == data.path.absolute() or data.path.absolute() in target.parents:
        raise PackError(f"{target} is inside the data folder: name a folder elsewhere, best on another disk")
    staged: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        staged = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        with private_umask():
            files = [_copy(path, staged, place) for path, place in _sources(data)]
            rows = _copy_record(data, staged, key)
        files += [_described(staged, place) for place in (RECORD, ANCHOR) if (staged / place).exists()]
        if not files:
            raise PackError(f"there is nothing to back up: {data.path} holds no data of packhorse yet")
        made = Backup(utc_text(clock(), "seconds"), core_version(), tuple(files), rows)
        private_file(staged / MANIFEST).write_text(json.dumps({"version": VERSION, **asdict(made)}, indent=1), "utf-8")
        _sync(staged / MANIFEST)
        if target.exists():
            target.rmdir()
        staged.rename(target)
    except (OSError, sqlite3.Error) as exc:
        raise PackError(f"the backup failed, and its files were removed: {_words(exc)}") from exc
    finally:
        if staged is not None and staged.exists():
            shutil.rmtree(staged, ignore_errors=True)
    return made


def restore(source: Path, data: DataFolder, *, key: bytes | None, clock: Clock, overwrite: bool = False) -> Backup:
    """Put a backup where the deployment keeps its data, once all of it is known to be whole.

    Data that is there already is moved aside when ``overwrite`` says so, into
    a folder ``replaced-...`` of the data folder.

    Raises:
        PackError: the backup is damaged, there is data already, a server uses it, or it cannot be written.
    """
    made = read(source)
    present = [*data.folders(), *(path for path in _record_files(data) if path.exists())]
    if present and not overwrite:
        raise PackError(
            f"{present[0]} exists already, so nothing was restored: stop the server, and give --overwrite to"
            " rename and keep the current data"
        )
    used = next((path for path in [data.record, *data.databases()] if path.exists() and _is_in_use(path)), None)
    if used is not None:
        raise PackError(f"{used} is in use: stop the server first")
    stamp = clock().strftime("%Y%m%dT%H%M%SZ")
    try:
        private_folder(data.path)
        staged = Path(tempfile.mkdtemp(prefix=f"{REPLACED}unfinished-", dir=data.path))
        try:
            with private_umask():
                for file in made.files:
                    _copy_file(source / file.path, staged / file.path)
            if present:
                aside = private_folder(data.path / f"{REPLACED}{stamp}")
                for path in present:
                    if path.exists():  # a log beside a database ends with the last who has it open
                        shutil.move(path, aside / path.name)
            for folder in sorted(path for path in staged.iterdir() if path.name != PurePosixPath(RECORD).parent.name):
                folder.rename(data.path / folder.name)
            for place, path in ((RECORD, data.record), (ANCHOR, data.anchor)):
                if (staged / place).exists():
                    private_folder(path.parent)
                    shutil.move(staged / place, path)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
    except OSError as exc:
        raise PackError(f"the restore failed: {_words(exc)}; your previous data is in {data.path}/{REPLACED}*") from exc
    _check_record(data.record, data.anchor, key)
    return made


def read(source: Path) -> Backup:
    """What a backup holds, once every file of it is found to be as it was written.

    Raises:
        PackError: it is no backup, one of a newer version, or a file of it is missing or was changed.
    """
    try:
        manifest = json.loads((source / MANIFEST).read_text("utf-8"))
        if manifest["version"] > VERSION:
            raise PackError(
                f"{source} was made by a newer version: install packhorse {manifest['packhorse']} to restore it"
            )
        files = tuple(Copied(**file) for file in manifest["files"])
        made = Backup(manifest["taken_at"], manifest["packhorse"], files, manifest["rows"])
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise PackError(f"{source} is not a complete backup: its {MANIFEST} cannot be read") from exc
    for file in files:
        path = PurePosixPath(file.path)
        if path.is_absolute() or ".." in path.parts:
            raise PackError(
                f"{source} is not a backup made by packhorse: it lists the file {file.path}, which"
                " packhorse does not write"
            )
        if not (source / path).is_file() or _described(source, file.path) != file:
            raise PackError(f"{source}: {file.path} is missing or was changed after the backup: use an older backup")
    return made


def _sources(data: DataFolder) -> Iterator[tuple[Path, str]]:
    """Each file and its place in the backup, in the order that makes the copies fit one another."""
    folders = sorted(data.folders(), key=lambda folder: (folder.name != JOBS_FOLDER, folder.name))
    for folder in folders:
        files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(_BESIDE))
        for path in sorted(files, key=lambda path: (path.name in _LAST, path)):
            yield path, path.relative_to(data.path).as_posix()


def _copy(path: Path, top: Path, place: str) -> Copied:
    (_copy_database if is_database(path) else _copy_file)(path, top / place)
    return _described(top, place)


def _copy_file(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)
    _sync(target)


def _copy_database(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, also where it is on read-only media
            (damage,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as exc:
        raise PackError(f"{path} cannot be copied ({exc}); see 'packhorse check'") from exc
    if damage != "ok":
        raise PackError(f"{path} is damaged ({damage}); see 'packhorse check'")
    _sync(target)


def _copy_record(data: DataFolder, staged: Path, key: bytes | None) -> int | None:
    """Copy the record and its anchor, so that they fit each other; how many rows hold."""
    if not data.record.exists():
        return None
    record, anchor = staged / RECORD, staged / ANCHOR
    for attempt in range(_TRIES):
        with suppress(FileNotFoundError):
            _copy_file(data.anchor, anchor)  # first: it may lag behind the record, and never lead
        record.unlink(missing_ok=True)
        _copy_database(data.record, record)
        try:
            return _check_record(record, anchor, key)
        except PackError:
            if attempt + 1 == _TRIES:
                raise
    return None


def _check_record(record: Path, anchor: Path, key: bytes | None) -> int | None:
    if not record.exists():
        return None
    report = verify(record, anchor, key)
    if not report.ok:
        raise PackError(f"the audit record failed its check: {report.problem}; see 'packhorse audit verify'")
    return report.rows


def _record_files(data: DataFolder) -> list[Path]:
    return [*(data.record.with_name(data.record.name + end) for end in ("", *_BESIDE)), data.anchor]


def _is_in_use(path: Path) -> bool:
    """Whether somebody has a database open: leaving the WAL mode needs it alone (SQLite, "PRAGMA journal_mode")."""
    try:
        with closing(sqlite3.connect(path, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.OperationalError as exc:
        return exc.sqlite_errorcode == sqlite3.SQLITE_BUSY
    except sqlite3.DatabaseError:
        return False  # damaged, which is why it is replaced
    return False


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _described(top: Path, place: str) -> Copied:
    with (top / place).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return Copied(place, (top / place).stat().st_size, digest.hexdigest())


def _words(exc: BaseException) -> str:
    return f"{exc.filename}: {exc.strerror}" if isinstance(exc, OSError) and exc.filename else str(exc)
