"""What was accepted of a server, in one file a mount: how to reach it, its tools as they were read, who may use them.

A server is served from this file alone: nothing of it starts with the host, and its words change for no model until a
person has accepted them.
"""

import difflib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from packhorse.contract.offers import Tool
from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean
from packhorse.schema.answers import Answers
from packhorse.schema.arguments import Arguments
from packhorse.schema.disguised import disguise_in
from packhorse.schema.parameters import parameters_of
from packhorse.store.permissions import private_file, private_folder

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
PINNED = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""Of a tool: what a model reads, and what decides how it is called."""

Pinned = Mapping[str, Any]


class Mount(BaseModel):
    """One mounted server. Values of ``env`` and ``headers`` may hold variables of the environment (``$NAME``)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    command: tuple[str, ...] = ()
    env: Mapping[str, str] = Field(default_factory=dict)
    url: str | None = None
    headers: Mapping[str, str] = Field(default_factory=dict)
    prefix: str = Field(pattern=r"^[A-Za-z0-9_.-]{0,32}$")
    only: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    public: bool = False
    limit: str | None = None
    timeout_seconds: float = Field(30, gt=0)
    connect_seconds: float = Field(20, gt=0)
    recheck_seconds: float = Field(300, gt=0)
    message_bytes: int = Field(8_388_608, ge=1024)
    server: str = ""
    instructions: str | None = None
    tools: tuple[Pinned, ...] = ()

    def filled(self, values: Mapping[str, str]) -> dict[str, str]:
        """The values with the host's variables in them.

        Raises:
            PackError: a variable is not set.
        """
        made = {name: os.path.expandvars(value) for name, value in values.items()}
        for name, value in made.items():
            if left := re.search(r"\$\{?(\w+)", value):
                raise PackError(f"the mount needs the environment variable {left[1]} for {name}, and it is not set")
        return made

    def reads(self, tool: str) -> bool:
        """Whether the operator says that a tool changes nothing."""
        return any(fnmatchcase(tool, pattern) for pattern in self.read_only)

    def wants(self, tool: str) -> bool:
        """Whether a tool is to be served."""
        return not self.only or any(fnmatchcase(tool, pattern) for pattern in self.only)

    def served(self, tool: str) -> str:
        """A tool's name here: with the prefix, and in the letters that names may have."""
        return self.prefix + re.sub(r"[^A-Za-z0-9_.-]", "_", tool)


def names(folder: Path) -> list[str]:
    """The mounts of a deployment."""
    return sorted(file.stem for file in folder.glob("*.json"))


def load(folder: Path, name: str) -> Mount:
    """One mount.

    Raises:
        PackError: there is none of this name, or its file is not as it was written.
    """
    try:
        return Mount.model_validate_json((folder / f"{name}.json").read_bytes())
    except FileNotFoundError:
        known = names(folder)
        raise PackError(
            f"there is no mount {name!r}.{did_you_mean(name, known)} Mounts: {', '.join(known) or 'none'}."
        ) from None
    except ValidationError as exc:
        raise PackError(f"the mount {name!r} cannot be read: {exc.errors()[0]['msg']}. Remove it and add it") from exc


def save(folder: Path, name: str, mount: Mount) -> None:
    """Write a mount in one step, for its owner alone: it may hold secrets."""
    private_folder(folder.parent)
    private_folder(folder)
    written = folder / f"{name}.json.new"
    private_file(written).write_text(mount.model_dump_json(indent=1), "utf-8")
    written.replace(folder / f"{name}.json")


def digest(tool: Pinned) -> str:
    """SHA-256 of a tool as canonical JSON."""
    return hashlib.sha256(json.dumps(tool, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def changes(accepted: Sequence[Pinned], now: Sequence[Pinned]) -> dict[str, str]:
    """What became of each tool that differs: ``new``, ``gone`` or ``changed``, by its name."""
    before, after = ({tool["name"]: digest(tool) for tool in tools} for tools in (accepted, now))
    return {
        name: "new" if name not in before else "gone" if name not in after else "changed"
        for name in [*before, *(name for name in after if name not in before)]
        if before.get(name) != after.get(name)
    }


def differences(before: Mount, now: Mount) -> Sequence[str]:
    """Lines of the differences, item by item."""
    said: list[str] = []
    if (before.server, before.instructions) != (now.server, now.instructions):
        said += _lines("server", [before.server, before.instructions], [now.server, now.instructions])
    old, new = ({tool["name"]: tool for tool in made.tools} for made in (before, now))
    for tool, what in changes(before.tools, now.tools).items():
        said += _lines(f"{tool} is {what}", old.get(tool), new.get(tool))
    return said


def _lines(title: str, before: Pinned | list[Any] | None, now: Pinned | list[Any] | None) -> list[str]:
    """What differs, in ASCII: a letter that is not seen must be seen here."""
    was, here = ([] if one is None else json.dumps(one, indent=1, sort_keys=True).splitlines() for one in (before, now))
    found = difflib.unified_diff(was, here, lineterm="", n=0)
    return [ascii(title)[1:-1], *(f"  {line}" for line in found if not line.startswith(("---", "+++", "@@")))]


async def _takes(arguments: dict[str, Any]) -> Any:
    """A tool of the least kind: whether a schema can be served is tried on it."""


def judged(mount: Mount) -> Iterator[tuple[Pinned, str | None]]:
    """Each accepted tool that is wanted, and why it cannot be served; None where it can."""
    seen: set[str] = set()
    for tool in mount.tools:
        if mount.wants(tool["name"]):
            reason = _fault_in(tool, mount.served(tool["name"]), seen)
            seen.add(mount.served(tool["name"]))
            yield tool, reason


def _fault_in(tool: Pinned, name: str, seen: set[str]) -> str | None:
    if name in seen:
        return "another tool has this name"
    if (
        disguise := disguise_in([tool["name"], tool.get("title"), tool.get("description"), tool["inputSchema"]])
    ) is not None:
        return f"it contains {disguise}"
    try:
        Tool(fn=_takes, name=name)
        parameters = parameters_of(_takes)
        Arguments(name, parameters, override=tool["inputSchema"])
        Answers(name, parameters.returns, tool.get("outputSchema"))
    except Exception as exc:
        # A stranger's schema may fail in any way of the checker's; the other tools are served.
        return " ".join(str(exc).split())[:200]
    return None
