"""A new pack's files: one tool that works, its manifest, and tests that pass."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from string import Template

from packhorse.errors import UserError

# 32 leaves room in a tool's name (128) and keeps environment variables readable.
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST = 32
_FILES = {
    "pyproject.toml": "pyproject.txt",
    "README.md": "readme.txt",
    "src/$module/__init__.py": "init.txt",
    "src/$module/pack.py": "pack.txt",
    "src/$module/py.typed": None,
    "tests/test_$pack.py": "test.txt",
}


def checked(name: str) -> str:
    """A pack's name as its entry point has it: ``packhorse-tide-table`` and ``tide-table`` are ``tide_table``.

    Raises:
        UserError: it would be no name of a pack, a module and a variable at once.
    """
    key = name.replace("-", "_").removeprefix("packhorse_")
    if not _NAME.fullmatch(key) or len(key) > _LONGEST:
        raise UserError(
            f"A pack's name is 1 to {_LONGEST} lower-case letters, digits and single '_', and begins with a letter,"
            " such as tide_table.",
            code="PACK_NAME",
        )
    return key


@dataclass(frozen=True, slots=True)
class Scaffold:
    """A pack to be written, against the host of ``core_version``."""

    pack: str
    core_version: str

    @property
    def distribution(self) -> str:
        """What pip calls it."""
        return f"packhorse-{self.pack.replace('_', '-')}"

    @property
    def module(self) -> str:
        """What Python calls it."""
        return f"packhorse_{self.pack}"

    @property
    def tool(self) -> str:
        """Its first tool, named after the pack: two new packs do not clash."""
        return f"{self.pack}_greeting"

    def contents(self) -> Iterator[tuple[PurePosixPath, str]]:
        """Each file and its text."""
        templates = files("packhorse") / "templates" / "pack"
        major, minor = self.core_version.split(".")[:2]
        words = {
            "pack": self.pack,
            "title": self.pack.replace("_", " ").capitalize(),
            "distribution": self.distribution,
            "module": self.module,
            "tool": self.tool,
            "core": f"packhorse>={major}.{minor},<{major}.{int(minor) + 1}",
        }
        for path, template in _FILES.items():
            text = (templates / template).read_text("utf-8") if template else ""
            yield PurePosixPath(Template(path).substitute(words)), Template(text).substitute(words)

    def write(self, folder: Path) -> list[PurePosixPath]:
        """Write the files into a new or empty folder; their paths in it.

        Raises:
            UserError: there is something in the folder, or it cannot be written.
        """
        written = []
        try:
            if folder.exists() and any(folder.iterdir()):
                raise UserError(
                    f"{folder} is not empty, and nothing was written. Choose a new folder with --folder.",
                    code="FOLDER_NOT_EMPTY",
                )
            for path, text in self.contents():
                file = folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, "utf-8", newline="\n")
                written.append(path)
        except OSError as exc:
            raise UserError(
                f"{folder} cannot be written ({exc.strerror}). Choose another with --folder.", code="FOLDER"
            ) from exc
        return written
