"""Data is its owner's alone: folders of mode 0700, files of mode 0600, whatever the umask says.

SQLite gives the files beside a database (``-wal``, ``-shm``, ``-journal``)
the mode of the database itself ("Temporary Files Used By SQLite" of its
documentation; ``findCreateFileMode`` of its source), so that a database which
is private from its first moment stays so. Windows has no such modes: there the
user's profile folder is what keeps others out, and nothing here does anything.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FOLDER = 0o700
FILE = 0o600
UMASK = 0o077
"""Whatever a pack writes by itself is private from the start."""

_HAS_MODES = os.name == "posix"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def private_folder(path: Path) -> Path:
    """The folder, created where it is missing and readable by its owner alone.

    One that is there keeps its mode: see `tighten`.

    Raises:
        OSError: it cannot be created.
    """
    try:
        path.mkdir(mode=FOLDER)
    except FileExistsError:
        if not path.is_dir():
            raise
        return path
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return private_folder(path)
    if _HAS_MODES:
        path.chmod(FOLDER)  # a umask may have taken the owner's own rights away
    return path


def private_file(path: Path) -> Path:
    """The file, created empty where it is missing and readable by its owner alone.

    One that is there is not opened: to close it again would drop the locks
    that another connection of this process holds on it (POSIX).

    Raises:
        OSError: it cannot be created.
    """
    if path.exists():
        return path
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE)
    except FileExistsError:
        return path  # another process was first
    os.close(descriptor)
    if _HAS_MODES:
        path.chmod(FILE)
    return path


def sync_folder(folder: Path) -> None:
    """Make a rename in a folder outlast a power cut, where folders can be opened (not on Windows)."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def private_umask() -> Iterator[None]:
    """What this process and those that it starts create meanwhile is private. The umask is of the whole process."""
    before = os.umask(UMASK)
    try:
        yield
    finally:
        os.umask(before)


def tighten(top: Path) -> None:
    """Take the rights of others away from a file, or from a folder and all that is in it.

    What belongs to another account stays as it is: `exposed` finds it.
    """
    for path, mode in _exposed(top):
        with suppress(OSError):
            path.chmod(mode & ~_OTHERS)


def exposed(top: Path) -> list[Path]:
    """What other accounts may read or change: ``top``, and everything in it where it is a folder."""
    return [path for path, _ in _exposed(top)]


def may_tighten(path: Path) -> bool:
    """Whether this account may change the mode of a path: its owner may, and root."""
    return not _HAS_MODES or os.geteuid() in (0, path.stat().st_uid)


def _exposed(top: Path) -> Iterator[tuple[Path, int]]:
    """Those paths and their modes. Symbolic links are passed over: what they lead to is elsewhere."""
    if not _HAS_MODES:
        return
    folders = [top]
    with suppress(OSError):
        mode = top.stat().st_mode
        if mode & _OTHERS:
            yield top, stat.S_IMODE(mode)
        if not stat.S_ISDIR(mode):
            return
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                with suppress(OSError):  # gone meanwhile, such as a journal
                    if entry.is_symlink():
                        continue
                    mode = entry.stat(follow_symlinks=False).st_mode
                    if mode & _OTHERS:
                        yield Path(entry.path), stat.S_IMODE(mode)
                    if stat.S_ISDIR(mode):
                        folders.append(Path(entry.path))


def keeps_modes(folder: Path) -> bool:
    """Whether the file system of a folder, which must be there and writable, keeps the modes of files."""
    if not _HAS_MODES:
        return True
    probe = private_file(folder / f".packhorse-{os.getpid()}")
    try:
        return not exposed(probe)
    finally:
        probe.unlink(missing_ok=True)
