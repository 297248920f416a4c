"""A running pursuit under a newer version of its schema.

Patch and minor versions only add: what is established stays, and new fields
are open. A major version carries ``migrations``, each ``{"from": "1",
"rename": {"/old": "/new"}, "drop": ["/gone"]}`` for one major version before
it; without a way to it, the pursuit stays with the document it began with.
"""

from collections.abc import Mapping
from typing import Any

from packhorse_discovery.domain.interview.structure import Patch, Structure
from packhorse_discovery.domain.schema.eads import Eads, path_from


def migrated(structure: Structure, old: Eads, new: Eads) -> Structure | None:
    """What is established, as ``new`` has it; None where ``new`` is not newer, or has no way from ``old``."""
    before, after = _parts(old.version), _parts(new.version)
    if after <= before:
        return None
    for major in range(before[0], after[0]):
        step = next((one for one in new.migrations if str(one.get("from")) == str(major)), None)
        if step is None:
            return None
        structure = _stepped(structure, step)
    known = all(new.field_at(path_from(path)) is not None for path in structure.marks)
    return structure if known else None


def _stepped(structure: Structure, step: Mapping[str, Any]) -> Structure:
    for path in step.get("drop", ()):
        structure = structure.apply(Patch(str(path), "remove"))
    for old, new in step.get("rename", {}).items():
        for path in [one for one in structure.marks if one == old or one.startswith(f"{old}/")]:
            moved = Patch(new + path.removeprefix(old), "set", structure.get(path), structure.marks[path])
            structure = structure.apply(Patch(path, "remove")).apply(moved)
    return structure


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))
