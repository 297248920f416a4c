"""Replacing a file that belongs to somebody else: a backup, then all of it or nothing.

A reader sees the old file or the new one, never half of either. Mode and
owner are kept. A symbolic link stays one, and the file it leads to changes:
people keep such files under version control elsewhere.
"""

import os
import stat
import tempfile
from contextlib import ExitStack, suppress
from datetime import datetime
from glob import escape
from pathlib import Path

from packhorse.errors import UserError
from packhorse.store.permissions import sync_folder


def read(path: Path) -> bytes | None:
    """The file's bytes, or None when there is no file.

    Raises:
        UserError: it is there and cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise _no_access(path, "read", exc) from exc


def replace(path: Path, old: bytes | None, new: bytes | None, now: datetime, *, copied: bool = True) -> Path | None:
    """Put ``new`` where `read` found ``old``, and give the backup, or None when there is none; no ``new``, no file.

    The backup lies beside the file and has the instant ``now`` in its name (aware, UTC). One that is
    there already with the same content does, and where the file need not be ``copied`` none is made.
    New files are for their owner's eyes only (mode 0600): they may hold secrets.

    Raises:
        UserError: the file cannot be written, or no longer holds ``old``. It is as it was, and no backup is left.
    """
    target = Path(os.path.realpath(path))
    with ExitStack() as failed:  # clears away what is there until then
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.exists() and not os.access(target, os.W_OK):
                raise PermissionError  # a rename would get around a file's own write protection
            backup = None if old is None or not copied else _backup(target, old, now, failed)
            written = None
            if new is not None:
                handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
                written = Path(name)
                failed.callback(written.unlink, missing_ok=True)
                _fill(handle, new, like=target)
            if read(path) != old:
                raise UserError(
                    f"{path} was changed by another program just now, so nothing was written to it. Quit the programs"
                    " that use it and run this again.",
                    code="FILE_CHANGED",
                )
            if written is None:
                target.unlink()
            else:
                written.replace(target)
        except OSError as exc:
            raise _no_access(path, "written", exc) from exc
        failed.pop_all()
    sync_folder(target.parent)
    return backup


def _backup(target: Path, old: bytes, now: datetime, failed: ExitStack) -> Path:
    """A copy beside the file, with its rights; never over an earlier one, which does where it is the same."""
    for earlier in target.parent.glob(f"{escape(target.name)}.*Z*.bak"):
        if earlier.read_bytes() == old:
            return earlier
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    number = 0
    while True:
        backup = target.with_name(f"{target.name}.{stamp}{f'-{number}' if number else ''}.bak")
        try:
            handle = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError:
            number += 1
            continue
        failed.callback(backup.unlink, missing_ok=True)
        _fill(handle, old, like=target)
        return backup


def _fill(handle: int, content: bytes, *, like: Path) -> None:
    """Write and sync a new file, then give it the owner and mode of ``like``, if that is there."""
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        if hasattr(os, "fchown") and like.exists():
            was = like.stat()
            with suppress(PermissionError):  # then it belongs to the user who runs this
                os.fchown(file.fileno(), was.st_uid, was.st_gid)
            os.fchmod(file.fileno(), stat.S_IMODE(was.st_mode))
        os.fsync(file.fileno())


def _no_access(path: Path, done: str, exc: OSError) -> UserError:
    match exc:
        case PermissionError():
            why = (
                "permission is denied, or another program has it open. Check its permissions, quit the programs"
                " that use it"
            )
        case IsADirectoryError():
            why = "it is a folder. Name the file itself"
        case NotADirectoryError() | FileExistsError():
            why = "a part of its path is a file, not a folder. Move that away"
        case _:
            why = f"the system says: {os.strerror(exc.errno or 0).lower()}. Correct that"
    return UserError(f"{path} could not be {done}: {why} and run this again.", code="FILE_ACCESS")
