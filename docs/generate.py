"""Writes the pages under docs/reference, and the parts of other pages that repeat a file or a list of the code.

Run ``python docs/generate.py`` after a change of the code, with every pack of
the house installed. ``--check`` writes nothing and ends with status 1 where a
page is not what it would write.

In a page written by hand two comments mark what is written here: before a
fenced block, ``<!-- include: PATH -->`` with a path from the root of the
checkout; around anything, ``<!-- generated: NAME -->`` and ``<!-- end -->``.
"""

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from generator import commands, keys, names, packs, rooms

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

_INCLUDED = re.compile(r"<!-- include: (?P<path>\S+) -->\n```(?P<label>\w+)\n.*?^```$", re.DOTALL | re.MULTILINE)
_GENERATED = re.compile(r"<!-- generated: (?P<name>\S+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE)
_LABELS = {".py": "python", ".toml": "toml"}

REFERENCE: Mapping[str, Callable[[], str]] = {
    "hooks": names.hooks_page,
    "offers": names.offers_page,
    "settings": keys.settings_page,
    "commands": commands.commands_page,
    "packs": packs.packs_page,
}
PARTS: Mapping[str, Callable[[], str]] = {
    "configuration": keys.configuration,
    "host-rooms": rooms.host_picture,
    "pack-rooms": rooms.pack_picture,
}


def wanted(folder: Path = HERE) -> dict[Path, str]:
    """What every page of ``folder`` that has anything generated should hold."""
    pages = {folder / "reference" / f"{name}.md": page() for name, page in REFERENCE.items()}
    for path in sorted(folder.glob("*.md")):
        text = path.read_text("utf-8")
        filled = filled_in(text)
        if filled != text or _INCLUDED.search(text) or _GENERATED.search(text):
            pages[path] = filled
    return pages


def filled_in(text: str) -> str:
    """A page with its included files and generated parts as they should be."""

    def included(match: re.Match[str]) -> str:
        source = ROOT / match["path"]
        label = _LABELS[source.suffix]
        body = source.read_text("utf-8").rstrip("\n")
        return f"<!-- include: {match['path']} -->\n```{label}\n{body}\n```"

    def generated(match: re.Match[str]) -> str:
        return f"<!-- generated: {match['name']} -->\n{PARTS[match['name']]().rstrip()}\n<!-- end -->"

    return _GENERATED.sub(generated, _INCLUDED.sub(included, text))


def stale(folder: Path = HERE) -> dict[Path, str]:
    """The pages that are not as they should be, with what they should hold."""
    return {path: text for path, text in wanted(folder).items() if not path.exists() or path.read_text("utf-8") != text}


def main(arguments: list[str], folder: Path = HERE) -> int:
    """Write the pages, or say which are stale."""
    parser = argparse.ArgumentParser(description="Write the generated pages of the documentation.")
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where a page is stale")
    checking = parser.parse_args(arguments).check
    found = stale(folder)
    for path, text in found.items():
        if checking:
            there = path.read_text("utf-8").splitlines() if path.exists() else []
            difference = difflib.unified_diff(there, text.splitlines(), "written", "wanted", n=1, lineterm="")
            sys.stdout.write("\n".join([f"{path.name} is stale:", *difference, "Run: python docs/generate.py", ""]))
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
            sys.stdout.write(f"wrote {path.name}\n")
    return 1 if checking and found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
