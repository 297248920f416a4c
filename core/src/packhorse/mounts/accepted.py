"""What was accepted of a server, in one file a mount: how to reach it, what it offers as it was read, who may use it.

A server is served from this file alone: nothing of it starts with the host, and its words change for no model until a
person has accepted them.
"""

import difflib
import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from packhorse.door.limits import Limit
from packhorse.errors import PackError
from packhorse.errors.nearest import did_you_mean
from packhorse.schema.strict_json import digest
from packhorse.settings import mounted_in
from packhorse.store.permissions import private_file, private_folder

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
PREFIX = re.compile(r"[A-Za-z0-9_.-]{0,32}")

Kind = Literal["tool", "resource", "template", "prompt"]
KINDS: tuple[Kind, ...] = ("tool", "resource", "template", "prompt")
KEYS: Mapping[Kind, str] = {"tool": "name", "resource": "uri", "template": "uriTemplate", "prompt": "name"}
"""By what an offer of each kind is known."""
PINNED: Mapping[Kind, tuple[str, ...]] = {
    "tool": ("name", "title", "description", "inputSchema", "outputSchema", "annotations"),
    "resource": ("uri", "name", "title", "description", "mimeType"),
    "template": ("uriTemplate", "name", "title", "description", "mimeType"),
    "prompt": ("name", "title", "description", "arguments"),
}
"""Of each kind: what a model reads, and what decides how it is called."""

CREDENTIAL = "{credential}"
"""Stands in a value of ``env`` or ``headers`` for each caller's own secret."""

Pinned = Mapping[str, Any]
Offers = Mapping[Kind, Sequence[Pinned]]


def asks_during_calls(protocol: str) -> bool:
    """Whether a server of this revision asks its questions during a call, without naming the call."""
    return protocol < "2026"


class Mount(BaseModel):
    """One mounted server.

    Values of ``env`` and ``headers`` may hold variables of the environment (``$NAME``) and `CREDENTIAL`. With
    ``questions`` the server may ask its caller's person. ``connections`` is how many there may be at a time, where
    callers cannot share one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    command: tuple[str, ...] = ()
    env: Mapping[str, str] = Field(default_factory=dict)
    url: str | None = None
    headers: Mapping[str, str] = Field(default_factory=dict)
    prefix: str = Field(pattern=rf"^{PREFIX.pattern}$")
    only: tuple[str, ...] = ()
    read_only: tuple[str, ...] = ()
    public: bool = False
    roles: tuple[str, ...] = ()
    questions: bool = False
    limit: str | None = None
    timeout_seconds: float = Field(30, gt=0)
    connect_seconds: float = Field(20, gt=0)
    recheck_seconds: float = Field(300, gt=0)
    question_seconds: float = Field(600, gt=0)
    connections: int = Field(32, ge=1)
    message_bytes: int = Field(8_388_608, ge=1024)
    server: str = ""
    protocol: str = ""
    instructions: str | None = None
    completes: bool = False
    tools: tuple[Pinned, ...] = ()
    resources: tuple[Pinned, ...] = ()
    templates: tuple[Pinned, ...] = ()
    prompts: tuple[Pinned, ...] = ()

    @field_validator("limit")
    @classmethod
    def _is_a_limit(cls, limit: str | None) -> str | None:
        try:
            if limit is not None:
                Limit.parse(limit)
        except PackError as exc:
            raise ValueError(str(exc)) from exc
        return limit

    @property
    def offers(self) -> Offers:
        return {"tool": self.tools, "resource": self.resources, "template": self.templates, "prompt": self.prompts}

    def offering(self, offers: Offers) -> "Mount":
        return self.model_copy(update={f"{kind}s": tuple(offers.get(kind, ())) for kind in KINDS})

    @property
    def reached_by(self) -> str:
        return self.url or " ".join(self.command)

    @property
    def digest(self) -> str:
        """Of what the server says: a person who looked at it accepts that and nothing newer."""
        return digest(
            {"server": self.server, "protocol": self.protocol, "instructions": self.instructions, "offers": self.offers}
        )

    @property
    def asks_during_calls(self) -> bool:
        """As the function of this name, of the accepted revision."""
        return asks_during_calls(self.protocol)

    @property
    def per_caller(self) -> bool:
        return any(CREDENTIAL in value for value in (*self.env.values(), *self.headers.values()))

    def filled(self, values: Mapping[str, str], credential: str | None) -> dict[str, str]:
        """The values with the host's variables and a caller's credential in them.

        Raises:
            PackError: a variable is not set.
        """
        made = {name: os.path.expandvars(value) for name, value in values.items()}
        for name, value in made.items():
            if left := re.search(r"\$\{?(\w+)", value):
                raise PackError(f"the mount needs the environment variable {left[1]} for {name}, and it is not set")
        return {name: value.replace(CREDENTIAL, credential or "") for name, value in made.items()}

    def reads(self, tool: str) -> bool:
        """Whether the operator says that a tool changes nothing."""
        return any(fnmatchcase(tool, pattern) for pattern in self.read_only)

    def wants(self, name: str) -> bool:
        return not self.only or any(fnmatchcase(name, pattern) for pattern in self.only)

    def served(self, name: str) -> str:
        """A tool's or prompt's name here: with the prefix, and in the letters that names may have."""
        return self.prefix + re.sub(r"[^A-Za-z0-9_.-]", "_", name)

    def served_as(self, kind: Kind, item: Pinned) -> str:
        """By what an offer is known here: a tool or prompt by its name, else a URI."""
        key: str = item[KEYS[kind]]
        return self.served(key) if kind in ("tool", "prompt") else key


def load(folder: Path, name: str) -> Mount:
    """One mount.

    Raises:
        PackError: there is none of this name, or its file is not as it was written.
    """
    file = folder / f"{name}.json"
    try:
        return Mount.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        known = mounted_in(folder)
        raise PackError(
            f"there is no mount {name!r}.{did_you_mean(name, known)} Mounts: {', '.join(known) or 'none'}."
        ) from None
    except OSError as exc:
        raise PackError(f"{file} cannot be read: {exc.strerror}") from exc
    except ValidationError as exc:
        fault = exc.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise PackError(
            f"{file} cannot be read: {where}{': ' if where else ''}{fault['msg'].removeprefix('Value error, ')}"
        ) from None


def load_all(folder: Path, wanted: Collection[str] | None = None) -> tuple[dict[str, Mount], dict[str, str]]:
    """Every mount by name, or each that is ``wanted``, and why another cannot be read.

    Raises:
        PackError: there is none of a name that is wanted.
    """
    mounts: dict[str, Mount] = {}
    broken: dict[str, str] = {}
    known = mounted_in(folder)
    for name in wanted or ():
        if name not in known:
            raise PackError(
                f"the setting `mounts` under [server] lists {name!r}, but no server of this name is mounted."
                f"{did_you_mean(name, known)} Mounts: {', '.join(known) or 'none'}."
            )
    for name in known if wanted is None else dict.fromkeys(wanted):
        try:
            mounts[name] = load(folder, name)
        except PackError as exc:
            broken[name] = str(exc)
    return mounts, broken


CURE = "Restore the file from a backup, or remove the mount with 'packhorse mount remove {name}' and add it again."
"""Of a mount whose file cannot be read."""


def save(folder: Path, name: str, mount: Mount) -> None:
    """Write a mount."""
    write(folder / f"{name}.json", mount.model_dump_json(indent=1))


def write(file: Path, text: str) -> None:
    """Write a file of the mounts' folder in one step, for its owner alone: it may hold secrets."""
    private_folder(file.parent.parent)
    private_folder(file.parent)
    written = file.with_name(f"{file.name}.new")
    private_file(written).write_text(text, "utf-8")
    written.replace(file)


@dataclass(frozen=True, slots=True)
class Drift:
    """An offer that differs: as it was accepted and as the server describes it now; None where there is none."""

    kind: Kind
    name: str
    accepted: Pinned | None
    now: Pinned | None

    @property
    def change(self) -> Literal["new", "gone", "changed"]:
        return "new" if self.accepted is None else "gone" if self.now is None else "changed"


def drift(accepted: Offers, now: Offers) -> list[Drift]:
    """Every offer that differs."""
    found: list[Drift] = []
    for kind in KINDS:
        before, after = ({item[KEYS[kind]]: item for item in offers.get(kind, ())} for offers in (accepted, now))
        found += [
            Drift(kind, name, before.get(name), after.get(name))
            for name in [*before, *(name for name in after if name not in before)]
            if name not in before or name not in after or digest(before[name]) != digest(after[name])
        ]
    return found


def differences(before: Mount, now: Mount) -> list[str]:
    """Lines of what differs, item by item."""
    lines: list[str] = []
    for title, was, here in (
        ("server", before.server, now.server),
        ("protocol", before.protocol, now.protocol),
        ("instructions", before.instructions, now.instructions),
    ):
        if was != here:
            lines.append(ascii(f"{title}: {was or 'none'} before, {here or 'none'} now")[1:-1])
    for one in drift(before.offers, now.offers):
        lines += _compared(f"{one.kind} {one.name} is {one.change}", one.accepted, one.now)
    return lines


def _compared(title: str, before: Any, now: Any) -> Sequence[str]:
    """What differs between two JSON objects, in ASCII: a letter that is not seen must be seen here.

    One that is new or gone is shown whole, a line for each key.
    """
    if before is None or now is None:
        whole, sign = (now, "+") if before is None else (before, "-")
        return [ascii(title)[1:-1], *(f"  {sign}{key}: {json.dumps(value)}" for key, value in whole.items())]
    was, here = (json.dumps(one, indent=1, sort_keys=True).splitlines() for one in (before, now))
    found = difflib.unified_diff(was, here, lineterm="", n=0)
    return [ascii(title)[1:-1], *(f"  {line}" for line in found if not line.startswith(("---", "+++", "@@")))]


def taken(before: Mount, now: Mount, chosen: Collection[str]) -> Mount:
    """The mount with what its server offers now: what is ``chosen`` by URI, its own name or ours, or all.

    Raises:
        PackError: nothing of a chosen name differs.
    """
    if not chosen:
        return now
    differs = drift(before.offers, now.offers)
    own = {before.served(one.name): one.name for one in differs} | {one.name: one.name for one in differs}
    for name in chosen:
        if name not in own:
            offered = [item[KEYS[kind]] for kind in KINDS for item in now.offers[kind]]
            if name in offered or name in map(before.served, offered):
                raise PackError(f"{name!r} has not changed since it was accepted")
            near = did_you_mean(name, offered)
            raise PackError(f"{now.server} offers nothing called {name!r}.{near} It offers: {', '.join(offered)}")
    wanted = {own[name] for name in chosen}
    offers: dict[Kind, Sequence[Pinned]] = {}
    for kind in KINDS:
        kept = {item[KEYS[kind]]: item for item in before.offers[kind]}
        for one in differs:
            if one.kind == kind and one.name in wanted:
                kept.pop(one.name, None)
                kept |= {one.name: one.now} if one.now is not None else {}
        offers[kind] = list(kept.values())
    return before.offering(offers)
