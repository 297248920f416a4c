"""What a deployer has looked at: a file of digests, against which a later start is held.

A pack that is updated may describe a tool in other words, and a model obeys
descriptions. With a lock, whatever differs from what was looked at stops the
start, by name.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from packhorse.catalogue import Catalogue, Entry, ResourceEntry, ToolEntry
from packhorse.errors import PackError

VERSION = 1


def digest_of(entry: Entry) -> str:
    """SHA-256, in hex, of all that clients are told of an offer."""
    told: dict[str, Any] = {"pack": entry.pack, "name": entry.name, "title": entry.offer.title}
    told["description"] = entry.description
    if isinstance(entry, ToolEntry):
        offer = entry.offer
        told["schemas"] = [entry.arguments.schema, entry.answers.schema]
        told["marks"] = [offer.read_only, offer.destructive, offer.idempotent, offer.open_world]
    elif isinstance(entry, ResourceEntry):
        told["uri"] = entry.offer.uri
    else:
        told["arguments"] = [[name, one.required] for name, one in entry.parameters.plain.items()]
        told["about"] = dict(entry.offer.arguments)
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()


def lock_of(catalogue: Catalogue) -> dict[str, Any]:
    """The digests of everything that is served."""
    return {
        "version": VERSION,
        "tools": {name: digest_of(entry) for name, entry in sorted(catalogue.tools.items())},
        "resources": {uri: digest_of(entry) for uri, entry in sorted(catalogue.resources.items())},
        "prompts": {name: digest_of(entry) for name, entry in sorted(catalogue.prompts.items())},
    }


def check_lock(catalogue: Catalogue, path: Path) -> None:
    """Hold what is served against a lock. What is locked and not served is no fault.

    Raises:
        PackError: the lock cannot be read; or an offer that is not in it, or is not as it was.
    """
    locked = _read(path)
    for kind, served in lock_of(catalogue).items():
        if not isinstance(served, Mapping):
            continue
        for name, digest in served.items():
            known = locked.get(kind, {}).get(name)
            if known == digest:
                continue
            what = (
                "is new" if known is None else "is not as it was when it was locked: its words, schema or marks differ"
            )
            raise PackError(
                f"the {kind[:-1]} {name!r} {what}. Look at it with 'packhorse tools --json', and accept it with"
                f" 'packhorse lock', which writes {path}"
            )


def _read(path: Path) -> dict[str, Any]:
    try:
        locked = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as exc:
        raise PackError(f"{path}: there is no such lock; 'packhorse lock' writes it") from exc
    except (OSError, ValueError) as exc:
        raise PackError(f"{path}: the lock cannot be read ({type(exc).__name__})") from exc
    if not isinstance(locked, dict) or locked.get("version") != VERSION:
        raise PackError(f"{path}: this is no lock of this version of packhorse; 'packhorse lock' writes one")
    return locked
