"""The entries that a client's list has: which start packhorse, which a person means, and what an update keeps."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

RELOAD = "--reload"


@dataclass(frozen=True, slots=True)
class Entry:
    """One server for the client to start. ``env`` is added to what the entry in the file has.

    With ``keeps_reload`` an entry of the same packs goes on starting again when their files change.
    """

    name: str
    command: str
    args: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    keeps_reload: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"command": self.command, "args": list(self.args)} | ({"env": dict(self.env)} if self.env else {})

    def after(self, old: Mapping[str, Any]) -> "Entry":
        """This entry in the place of another."""
        packs = serves(self.as_json())
        if not self.keeps_reload or RELOAD in self.args or RELOAD not in (old.get("args") or ()):
            return self
        if serves(old) != packs:
            return self
        end = self.args.index("serve") + 1 + len(packs)
        return replace(self, args=(*self.args[:end], RELOAD, *self.args[end:]))


@dataclass(frozen=True, slots=True)
class Remote:
    """A server that runs already; the client finds the token in ``token_variable`` of its environment."""

    name: str
    url: str
    token_variable: str | None = None


AnyEntry = Entry | Remote


def url_of(entry: AnyEntry) -> str | None:
    """The address of a server that runs already."""
    return entry.url if isinstance(entry, Remote) else None


def same_kind(server: Mapping[str, Any], entry: AnyEntry) -> bool:
    """Whether an entry of a file is a program, or an address, as the new one is."""
    return ("command" in server) is isinstance(entry, Entry)


def is_ours(server: object, url: str | None = None) -> bool:
    """Whether an entry is of the server at ``url``; without it, whether it starts packhorse by module or command."""
    if not isinstance(server, dict):
        return False
    if url is not None:
        return url in (server.get("url"), server.get("httpUrl"))
    args = server.get("args")
    pairs = pairwise(args) if isinstance(args, list) else ()
    program = re.split(r"[\\/]", str(server.get("command")))[-1].lower()
    return ("-m", "packhorse") in pairs or program in ("packhorse", "packhorse.exe")


def serves(server: Mapping[str, Any]) -> list[str]:
    """What an entry that starts packhorse names: packs, mounts and files; nothing where it serves all."""
    args = [str(one) for one in server.get("args") or ()]
    after = args[args.index("serve") + 1 :] if "serve" in args else []
    return list(takewhile(lambda one: not one.startswith("-"), after))


def meant(servers: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """The entries that a person means, who names them, or as for an installation what they serve.

    What nothing here has stays in the list as it was named.
    """
    if not names:
        return []
    packs = {name: str(Path(name).expanduser().absolute()) if name.endswith(".py") else name for name in names}
    whole = [entry for entry in _serving(servers, set(packs.values())) if not servers.keys() & packs.keys()]
    if whole:
        return whole
    return [
        entry
        for name, pack in packs.items()
        for entry in ([name] if name in servers else list(_serving(servers, {pack})) or [name])
    ]


def _serving(servers: Mapping[str, Any], packs: set[str]) -> Iterator[str]:
    """The entries that serve exactly these."""
    return (name for name, server in servers.items() if is_ours(server) and set(serves(server)) == packs)


def elsewhere(servers: Mapping[str, Any], absent: Sequence[str]) -> list[str]:
    """Of each name that no entry has: the entries that serve it among others."""
    said: list[str] = []
    for name in absent:
        having = [entry for entry, server in servers.items() if is_ours(server) and name in serves(server)]
        said += [f"{name} is served by the entry {entry}, with others: name {entry} to remove it" for entry in having]
    return said


def replaced(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What an updated entry started before, where it starts something else now."""
    was, now = ([one.get("command"), *(one.get("args") or ())] for one in (old, new))
    return [f"{name} started this before: {shlex.join(map(str, was))}"] if was != now and was[0] else []
