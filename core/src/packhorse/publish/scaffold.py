"""A new pack's files: one tool that works, its manifest, and tests that pass."""

import re
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
            f"A pack's name must have 1 to {_LONGEST} lower-case letters, digits and single '_', and begin with a"
            " letter,"
            " such as tide_table.",
            code="PACK_NAME",
        )
    return key


def distribution_of(pack: str) -> str:
    """What pip calls a pack."""
    return f"packhorse-{pack.replace('_', '-')}"


def tool_of(pack: str) -> str:
    """A pack's first tool, named after it: two new packs do not clash."""
    return f"{pack}_greeting"


def write(pack: str, core_version: str, folder: Path) -> list[PurePosixPath]:
    """Write a pack for the host of ``core_version`` into a new or empty folder; the files' paths in it.

    Raises:
        UserError: there is something in the folder, or it cannot be written.
    """
    templates = files("packhorse") / "templates" / "pack"
    major, minor = core_version.split(".")[:2]
    words = {
        "pack": pack,
        "title": pack.replace("_", " ").capitalize(),
        "distribution": distribution_of(pack),
        "module": f"packhorse_{pack}",
        "tool": tool_of(pack),
        "core": f"packhorse>={major}.{minor},<{major}.{int(minor) + 1}",
    }
    written = []
    try:
        if folder.exists() and any(folder.iterdir()):
            raise UserError(
                f"{folder} is not empty, and nothing was written. Choose a new folder with --folder.",
                code="FOLDER_NOT_EMPTY",
            )
        for name, template in _FILES.items():
            path = PurePosixPath(Template(name).substitute(words))
            text = (templates / template).read_text("utf-8") if template else ""
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(Template(text).substitute(words), "utf-8", newline="\n")
            written.append(path)
    except OSError as exc:
        raise UserError(
            f"{folder} cannot be written ({exc.strerror}). Choose another with --folder.", code="FOLDER"
        ) from exc
    return written
