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

from packhorse.door.catalogue import Catalogue, digest_of
from packhorse.errors import PackError

VERSION = 1
_WHAT = {"instructions": "the instruction text of the pack"}


def lock_of(catalogue: Catalogue) -> dict[str, Any]:
    """The digests of everything that is served."""
    return {
        "version": VERSION,
        "tools": {name: digest_of(entry) for name, entry in sorted(catalogue.tools.items())},
        "resources": {uri: digest_of(entry) for uri, entry in sorted(catalogue.resources.items())},
        "prompts": {name: digest_of(entry) for name, entry in sorted(catalogue.prompts.items())},
        "instructions": {
            pack.found.name: hashlib.sha256(pack.pack.instructions.encode()).hexdigest()
            for pack in sorted(catalogue.packs, key=lambda pack: pack.found.name)
            if pack.pack.instructions
        },
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
                "is new"
                if known is None
                else "has changed since 'packhorse lock': its description, words, schema or annotations differ"
            )
            subject = _WHAT.get(kind, f"the {kind[:-1]}")
            raise PackError(
                f"{subject} {name!r} {what}. Read it with 'packhorse tools --json'. If you approve of it,"
                f" run 'packhorse lock', which writes {path}"
            )


def _read(path: Path) -> dict[str, Any]:
    try:
        locked = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as exc:
        raise PackError(f"there is no lock file {path}: 'packhorse lock' writes it") from exc
    except (OSError, ValueError) as exc:
        raise PackError(f"the lock file {path} cannot be read ({type(exc).__name__})") from exc
    if not isinstance(locked, dict) or locked.get("version") != VERSION:
        raise PackError(
            f"{path} is not a lock file of this version of packhorse: write a new file with 'packhorse lock'"
        )
    return locked
