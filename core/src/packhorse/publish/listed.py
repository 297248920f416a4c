"""The entries that a client's list has: which are ours, what they serve, and which a person means."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from packhorse.errors import UserError

_PLAIN = {"type", "command", "args", "url", "httpUrl"}
"""The keys of an entry that holds nothing which a person would have to find again."""


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


def is_ours_alone(whole: Mapping[str, Any], servers: str, url: str | None = None) -> bool:
    """Whether a file holds nothing but our entries as we write them, without variables: they can be installed again."""
    listed = whole.get(servers) or {}
    if not isinstance(listed, dict) or not whole.keys() <= {servers}:
        return False
    ours = [one for one in listed.values() if is_ours(one) or (url is not None and is_ours(one, url))]
    return len(ours) == len(listed) and all(one.keys() <= _PLAIN for one in ours)


def check_ours(path: Path, name: str, server: object, url: str | None = None) -> None:
    """Refuse an entry that neither starts packhorse nor is of the server at ``url``."""
    if not is_ours(server) and not (url is not None and is_ours(server, url)):
        kind = (
            "is of another server" if isinstance(server, dict) and "command" not in server else "runs another program"
        )
        raise UserError(
            f"{path} has an entry {json.dumps(name, ensure_ascii=False)} that {kind}, not"
            " packhorse. Nothing was changed. Give the new entry another name with --one-entry NAME, or remove that"
            " entry first: by its --url where it has one, else by hand.",
            code="DESKTOP_NAME_TAKEN",
        )
