"""Optional parts of the host: what installs one, in a command that works.

The name packhorse is on no package index yet, so the command names what the
extra brings, as our own metadata has it, and how a checkout installs it.
"""

from collections.abc import Iterable
from importlib import metadata


def install(extra: str) -> str:
    """How to install what an extra of the host brings: a command for any environment, and one for a checkout."""
    from packaging.requirements import Requirement

    brought = [
        f"'{requirement.name}{_extras(requirement.extras)}{requirement.specifier}'"
        for requirement in map(Requirement, metadata.requires("packhorse") or ())
        if requirement.marker is not None
        and not requirement.marker.evaluate({"extra": ""})
        and requirement.marker.evaluate({"extra": extra})
    ]
    return f"pip install {' '.join(brought)} (from a checkout: pip install './core[{extra}]')"


def _extras(names: Iterable[str]) -> str:
    listed = ",".join(sorted(names))
    return f"[{listed}]" if listed else ""
