"""A deployment as commands look at it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from packhorse.terminal import apart

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment


def deployed(config: Path | None, names: Sequence[str] = (), **server: Any) -> "Deployment":
    """A deployment as this configuration and these choices make it, without the names that two packs offer."""
    from packhorse.compose.deployment import compose
    from packhorse.compose.packs import configured

    settings, found = configured(config)
    clashes: list[str] = []
    with apart():
        deployment = compose(settings.serving(packs=tuple(names) or None, **server), found, clashes=clashes)
    note(clashes)
    return deployment


def note(clashes: Iterable[str]) -> None:
    """Say which names a command has left out, because two packs offer them."""
    for clash in clashes:
        click.echo(f"Left out of the list: {clash}", err=True)
