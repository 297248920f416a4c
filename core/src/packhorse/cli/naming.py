"""The argument that names one installed pack."""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def _installed(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """What a shell offers for the argument: reading the names costs no import of a pack."""
    return sorted({found.name for found in entry_points(group="packhorse") if found.name.startswith(incomplete)})


pack_argument: Callable[[F], F] = click.argument("pack", metavar="PACK", shell_complete=_installed)
