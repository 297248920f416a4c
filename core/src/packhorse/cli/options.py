"""Options that several commands share, and what they stand for."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from packhorse.deployment import Deployment
    from packhorse.packs import Found
    from packhorse.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

json_option: Callable[[F], F] = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
config_option: Callable[[F], F] = click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The packhorse.toml to use, instead of $PACKHORSE_CONFIG or the one in your configuration folder.",
)


def configured(config: Path | None) -> "tuple[Settings, list[Found]]":
    """The settings, and the packs that are installed."""
    from packhorse import packs, settings

    found = packs.find()
    return settings.load(config, installed=[pack.name for pack in found]), found


@contextmanager
def apart() -> Iterator[None]:
    """What packs print meanwhile goes to standard error: standard output holds the command's own answer alone."""
    with redirect_stdout(sys.stderr):
        yield


def deployed(config: Path | None, names: Sequence[str] = (), **server: Any) -> "Deployment":
    """A deployment as this configuration and these choices make it."""
    from packhorse.deployment import compose

    settings, found = configured(config)
    with apart():
        return compose(settings.serving(packs=tuple(names) or None, **server), found)


def show(value: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
