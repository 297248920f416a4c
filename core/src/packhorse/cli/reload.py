"""``packhorse serve --reload``: what is looked at, and which server starts again when it changes."""

import importlib.util
import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from packhorse.compose import packs
from packhorse.compose.file_packs import with_files
from packhorse.errors import PackError
from packhorse.settings.security import is_loopback

if TYPE_CHECKING:
    from packhorse.door.catalogue import Found
    from packhorse.settings import Settings

logger = logging.getLogger("packhorse.reload")


def check(settings: "Settings") -> None:
    """Refuse to start again by itself what people rely on.

    Raises:
        PackError: the deployment is more than a person's own workshop.
    """
    server = settings.server
    beyond = server.transport != "stdio" and not is_loopback(server.host)
    for wrong, why in (
        (server.workers > 1, "several workers"),
        (server.transport == "sse", "the transport sse"),
        (server.lock is not None, "a lock of the descriptions"),
        (beyond, f"the address {server.host}, which others reach"),
    ):
        if wrong:
            raise PackError(f"--reload is for a server that you work on, and does not go with {why}")


class Watch:
    """The files of the packs that are served, and of the settings."""

    def __init__(self, settings: "Settings", found: "Sequence[Found]") -> None:
        made, wanted = with_files(found, settings.server.packs)
        self._chosen = packs.choose(made, wanted)
        self._source = settings.source
        self._seen = self._stamps()

    def changed(self) -> bool:
        """Whether anything changed since the last look, and all of it can be compiled; else the log says what not."""
        now = self._stamps()
        edited = [path for path, stamp in now.items() if self._seen.get(path) != stamp]
        gone = self._seen.keys() - now.keys()
        self._seen = now
        for path in edited:
            if path.suffix == ".py":
                try:
                    compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
                except (SyntaxError, ValueError, OSError) as exc:
                    line = f", line {exc.lineno}" if isinstance(exc, SyntaxError) else ""
                    words = exc.msg if isinstance(exc, SyntaxError) else str(exc)
                    logger.error("%s%s: %s. The server from before this edit goes on", path, line, words)  # noqa: TRY400
                    return False
        if edited or gone:
            logger.info("%s changed; the server starts again", next(iter([*edited, *gone])))
        return bool(edited or gone)

    def _stamps(self) -> Mapping[Path, tuple[int, int]]:
        stamps: dict[Path, tuple[int, int]] = {}
        for path in self._files():
            try:
                status = path.stat()
            except OSError:
                continue  # replaced by an editor just now
            stamps[path] = (status.st_mtime_ns, status.st_size)
        return stamps

    def _files(self) -> Iterator[Path]:
        if self._source is not None:
            yield self._source
        for pack in self._chosen:
            if pack.file is not None:
                # What lies beside it, and the packages there; not all that may be below somebody's home folder.
                yield from pack.file.parent.glob("*.py")
                for package in pack.file.parent.glob("*/__init__.py"):
                    yield from _below(package.parent)
                continue
            spec = importlib.util.find_spec(pack.module.split(".")[0])
            if spec is not None and spec.submodule_search_locations:
                for folder in spec.submodule_search_locations:
                    yield from _below(Path(folder))
            elif spec is not None and spec.origin:
                yield Path(spec.origin)


def _below(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def server_command() -> list[str]:
    """This very command without ``--reload``, for a process of its own."""
    own = [word for word in sys.argv[1:] if word != "--reload"]
    return [sys.executable, *(["-P"] if sys.flags.safe_path else []), "-m", "packhorse", *own]
