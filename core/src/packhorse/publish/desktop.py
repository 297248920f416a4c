"""Where Claude Desktop keeps its list of servers, ``claude_desktop_config.json``, which it reads when it starts."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal, TypeVar

Installation = Literal["macos", "windows", "windows-msix", "linux", "chosen"]
AnyPath = TypeVar("AnyPath", bound=PurePath)

FILE_NAME = "claude_desktop_config.json"


@dataclass(frozen=True, slots=True)
class Location:
    """A configuration file that an installation of Claude Desktop reads."""

    installation: Installation
    path: PurePath


def locations(
    platform: str,
    env: Mapping[str, str],
    home: AnyPath,
    names_in: Callable[[AnyPath], Collection[str] | None],
) -> tuple[Location, ...]:
    """Every file that an installed Claude Desktop reads; where it would be, when none is installed.

    ``platform`` is spelt as `sys.platform`; ``names_in`` gives the names in a
    folder, or None when there is no such folder.

    Sources: macOS and classic Windows from the protocol's guide for users
    ("Connect to local MCP servers"); the MSIX package, which reads a redirected
    copy of the roaming folder and silently ignores the classic one, from
    anthropics/claude-code issue 26073; ``XDG_CONFIG_HOME`` from the XDG Base
    Directory Specification 0.8, which voids relative paths.
    """

    def folder(variable: str, *default: str) -> AnyPath:
        given = type(home)(env.get(variable, ""))
        return given if given.is_absolute() else home.joinpath(*default)

    if platform == "darwin":
        return (Location("macos", home / "Library" / "Application Support" / "Claude" / FILE_NAME),)
    if platform != "win32":
        return (Location("linux", folder("XDG_CONFIG_HOME", ".config") / "Claude" / FILE_NAME),)
    classic = folder("APPDATA", "AppData", "Roaming") / "Claude"
    packages = folder("LOCALAPPDATA", "AppData", "Local") / "Packages"
    found = [
        Location("windows-msix", packages / name / "LocalCache" / "Roaming" / "Claude" / FILE_NAME)
        for name in sorted(names_in(packages) or ())
        if name.lower().startswith("claude_")
    ]
    if not found or names_in(classic) is not None:
        found.append(Location("windows", classic / FILE_NAME))
    return tuple(found)


def names_in(folder: Path) -> Collection[str] | None:
    """The names in a folder of this machine, or None when there is no such folder (or no right to look)."""
    try:
        return [child.name for child in folder.iterdir()]
    except OSError:
        return None
