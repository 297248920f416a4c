"""Cards and governance files from folders: ours, and a deployer's over them."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from packhorse_pai.domain.cards import MOST_BYTES, Reading, parse
from packhorse_pai.domain.matrix import from_mapping
from packhorse_pai.domain.names import is_agent
from packhorse_pai.domain.sources import Source, from_markdown
from packhorse_pai.errors import GovernanceError

ENDING = ".identity.md"
MOST_FILE_BYTES = 1024 * 1024
"""The longest governance file that is read."""

MOST_HEAD = 200
"""Letters of a file that are looked at for the heading of a card."""
_MARK = b"pai matrix"
_AGENTS = re.compile(r"^\|\s*agents?\s*\|", re.IGNORECASE | re.MULTILINE)
"""The head of a table whose first column is agents."""
_TEXTS = (".md", ".txt", ".markdown", "")
_FOLDER = "packhorse_pai"


def shipped_cards() -> dict[str, Reading]:
    """The pack's own cards."""
    return dict(_cards(files(_FOLDER) / "data" / "cards"))


def shipped_matrix() -> Source:
    """The pack's own matrix: the specification's two tables."""
    (source,) = from_mapping("matrix.toml (shipped)", tomllib.loads(_matrix().read_text("utf-8")))
    return source


def cards_in(folder: Path) -> dict[str, Reading]:
    """The cards of a folder, by the name their file promises; other files are left alone.

    Raises:
        GovernanceError: there is no such folder, or no card in it.
    """
    if not folder.is_dir():
        raise GovernanceError(f"there is no folder {folder}")
    found = dict(_cards(folder))
    if not found:
        raise GovernanceError(f"the folder {folder} has no file that ends in {ENDING}")
    return found


def not_read(folder: Path) -> list[str]:
    """Files of a folder of cards that look like cards or tasks, and are read as neither."""
    said = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")):
        name, stem = str(path.relative_to(folder)), path.name.split(".", 1)[0]
        if "identity" not in path.name.lower().split(".")[1:] and path.suffix.lower() != ".toml":
            if path.suffix.lower() in _TEXTS and b"Identity Card" in _first_line(path):
                said.append(f"{name}: a card's file ends in {ENDING}")
            elif re.search(rb"^playbook\s*=", path.read_bytes()[:MOST_BYTES], re.MULTILINE):
                said.append(f"{name}: a task's file ends in .toml")
        elif path.parent != folder:
            said.append(f"{name}: folders inside this one are not read")
        elif path.suffix != ".toml" and not path.name.endswith(ENDING):
            said.append(f"{name}: a card's file ends in {ENDING}, a task's in .toml")
        elif path.suffix != ".toml" and not is_agent(stem):
            said.append(f"{name}: a card's file has its agent's name: capitals, digits and '_'")
    return said


def _first_line(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline(MOST_HEAD)


def sources_in(folder: Path) -> list[Source]:
    """What a governance folder says: Markdown, TOML, YAML and JSON files, by name.

    Raises:
        GovernanceError: no such folder, or a file that cannot be read.
    """
    if not folder.is_dir():
        raise GovernanceError(f"there is no governance folder {folder}")
    found: list[Source] = []
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in _READERS and path.is_file() and _MARK in _first_line(path):
            found.append(
                Source(path.name, remarks=(f"its name ends in none of {', '.join(_READERS)}, so it is not read",))
            )
        if path.suffix.lower() in _READERS and path.is_file():
            if path.stat().st_size > MOST_FILE_BYTES:
                raise GovernanceError(f"{path.name} is longer than {MOST_FILE_BYTES} bytes")
            try:
                found += _sources_of(path)
            except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as exc:
                raise GovernanceError(f"{path.name}: {str(exc).removeprefix(f'{path.name}: ')}") from exc
    return found


def _sources_of(path: Path) -> list[Source]:
    """What one file says.

    Raises:
        ValueError: it is not of the format that its name ends in, or has what that format does not have.
    """
    text, ending = path.read_text("utf-8"), path.suffix.lower()
    if (parse_text := _READERS[ending]) is None:
        found = from_markdown(path.name, text)  # a page of words may stand there
        if _AGENTS.search(text) and not any(one.uses or one.spawns or one.needs for one in found):
            remark = "its table of agents has no column MCP Needed or Can Spawn, so nothing of it is read"
            return [Source(path.name, remarks=(remark,))]
        return found
    try:
        data = parse_text(text)
    except (ValueError, RecursionError) as exc:
        raise ValueError(f"this is no {ending[1:].upper()}: {exc}") from exc
    return from_mapping(path.name, data) or [Source(path.name, remarks=("nothing of it is read",))]


def _cards(folder: Traversable) -> Iterator[tuple[str, Reading]]:
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        stem = path.name.removesuffix(ENDING)
        # The template stands among the known cards and is no agent's.
        if path.name.endswith(ENDING) and is_agent(stem) and stem != "TEMPLATE" and path.is_file():
            with path.open("rb") as file:
                yield stem, parse(file.read(MOST_BYTES + 1), stem=stem)


def _matrix() -> Traversable:
    return files(_FOLDER) / "data" / "matrix.toml"


def _yaml(text: str) -> Any:
    import yaml  # type: ignore[import-untyped]  # some 20 ms to import, and most deployments have no YAML

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as exc:
        raise ValueError(str(exc).splitlines()[0]) from exc


_READERS: Mapping[str, Any] = {
    ".md": None,
    ".toml": tomllib.loads,
    ".json": json.loads,
    ".yaml": _yaml,
    ".yml": _yaml,
}
"""By a file name's ending what parses its text; None where it is read as it is."""
