"""What a deployment keeps on this machine, and where: each pack's folder, the jobs and the audit record."""

import logging
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from packhorse.settings import AUDIT_FILE, JOBS_FOLDER, MOUNTS_FOLDER, Settings
from packhorse.store import permissions

STORE_FILE = "store.sqlite3"
"""A pack's own database, in the pack's own folder."""

_MAGIC = b"SQLite format 3\x00"
"""What a database begins with (SQLite's documentation, "Database File Format", section 1.3)."""

REPLACED = "replaced-"
"""How the folders begin into which a restore moves what was there."""

logger = logging.getLogger("packhorse.data")


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data of one deployment. ``path`` need not be there yet."""

    path: Path
    record: Path
    """The audit record, which may be elsewhere."""
    anchor: Path
    """The file of its newest hash."""
    packs: frozenset[str] = frozenset()
    """The packs that are known to keep their data here."""

    @classmethod
    def of(cls, settings: Settings, packs: Iterable[str]) -> "DataFolder":
        """That of these settings; ``packs`` by their names."""
        from packhorse.audit.log import anchor_of

        record = settings.audit_path
        return cls(settings.data_dir, record, settings.audit.anchor or anchor_of(record), frozenset(packs))

    def folders(self) -> list[Path]:
        """The folders of the packs, of those too that were uninstalled, and that of the jobs, by name."""
        ours = (path for path in self._entries() if path.is_dir() and self._is_ours(path))
        return [path for path in ours if not path.name.startswith(REPLACED)]

    def databases(self) -> list[Path]:
        """The SQLite databases of packs and jobs, by path, those that are damaged too."""
        files = (path for folder in self.folders() for path in sorted(folder.rglob("*")))
        return [path for path in files if path.is_file() and not path.is_symlink() and is_database(path)]

    def is_ours_alone(self) -> bool:
        return all(self._is_ours(path) for path in self._entries())

    def tighten(self) -> None:
        """Keep other accounts of this machine out. What cannot be changed is in the log, and in `exposed`.

        A folder in which others than packhorse keep something stays as it is
        itself; the packs' folders in it are closed.
        """
        for path in self._private():
            permissions.tighten(path)
        left = self.exposed()
        if left:
            logger.warning(
                "other accounts of this machine may read or change %s%s, because packhorse could not change the file's"
                " mode; see 'packhorse check'",
                left[0],
                f" and {len(left) - 1} more" if len(left) > 1 else "",
            )

    def exposed(self) -> list[Path]:
        """What other accounts of this machine may read or change, and should not."""
        found = [path for top in self._private() for path in permissions.exposed(top)]
        if self.path.is_dir() and self.path not in found and _others_may_change(self.path):
            found.append(self.path)
        return found

    def _private(self) -> Iterator[Path]:
        """What is closed to others: trees and files."""
        if self.path.is_dir() and self.is_ours_alone():
            yield self.path
        else:
            yield from (path for path in self._entries() if self._is_ours(path))
        if self.record.parent != self.path:
            for suffix in ("", "-wal", "-shm"):
                path = self.record.with_name(self.record.name + suffix)
                if path.exists():
                    yield path

    def _entries(self) -> list[Path]:
        return sorted(self.path.iterdir()) if self.path.is_dir() else []

    def _is_ours(self, path: Path) -> bool:
        if path.is_dir():
            return (
                path.name in self.packs
                or path.name in (JOBS_FOLDER, MOUNTS_FOLDER)
                or path.name.startswith(REPLACED)
                or (path / STORE_FILE).exists()
            )
        return path.name.startswith((AUDIT_FILE, self.record.name, self.anchor.name))


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database, or is called one: its first bytes may be what is damaged."""
    if path.suffix in (".sqlite3", ".sqlite", ".db"):
        return path.stat().st_size > 0
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _others_may_change(folder: Path) -> bool:
    """Whether others could put a folder of theirs in the place of one of ours; not where the sticky bit forbids it."""
    mode = folder.stat().st_mode
    return bool(mode & (stat.S_IWGRP | stat.S_IWOTH)) and not mode & stat.S_ISVTX
