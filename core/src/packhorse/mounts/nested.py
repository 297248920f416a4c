"""Refusals of a packhorse that is mounted by one with the same data folder: it would serve all mounts once more."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from packhorse.errors import PackError

if TYPE_CHECKING:
    from packhorse.mounts.accepted import Mount
    from packhorse.settings import Settings

VARIABLE = "PACKHORSE_MOUNTED_IN"
"""In the environment of a mounted server's process: the folder that it is mounted in, after those above it."""

_CURE = "Name the packs that it serves, as in 'packhorse serve PACK': then it serves no mounts."


def environment(folder: Path) -> dict[str, str]:
    """The variable by which a mounted server's process learns in which ``folder`` it is mounted."""
    above = os.environ.get(VARIABLE)
    return {VARIABLE: os.pathsep.join([*([above] if above else []), str(folder.resolve())])}


def check_not_nested(settings: "Settings") -> None:
    """Check that this process does not serve every mount of the folder that it is mounted in.

    Raises:
        PackError: it does.
    """
    above = os.environ.get(VARIABLE, "").split(os.pathsep)
    if settings.server.mounts is None and str(settings.mounts_path.resolve()) in above:
        raise PackError(
            f"this server is mounted by a server with the same data folder, {settings.data_dir}, so all mounts of that"
            f" folder would be served twice. {_CURE}"
        )


def check_serves_no_mount(name: str, now: "Mount", mounts: "dict[str, Mount]") -> None:
    """Check that a server does not itself serve what is mounted here already: over HTTP nothing tells it where it is.

    Raises:
        PackError: it does.
    """
    offered = {tool["name"]: tool.get("description") for tool in now.tools if now.wants(tool["name"])}
    again = [other for other, mount in mounts.items() if mount.prefix and any(_served_in(offered, mount))]
    if again:
        raise PackError(
            f"the server {name} also serves the tools of {', '.join(again)}, which are already mounted here. {_CURE} Or"
            " choose tools with --only"
        )


def _served_in(offered: "dict[str, str | None]", mount: "Mount") -> "Iterator[bool]":
    for tool in mount.tools:
        served = mount.served(tool["name"])
        yield served in offered and offered[served] == (tool.get("description") or tool.get("title") or tool["name"])
