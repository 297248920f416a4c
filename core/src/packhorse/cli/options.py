"""Options that several commands share, and what they stand for."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment
    from packhorse.door.catalogue import Found
    from packhorse.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

json_option: Callable[[F], F] = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
config_option: Callable[[F], F] = click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The packhorse.toml to use, instead of $PACKHORSE_CONFIG or the one in your configuration folder.",
)


def configured(config: Path | None) -> "tuple[Settings, list[Found]]":
    """The settings, and the packs that are installed."""
    from packhorse import settings
    from packhorse.compose import packs

    found = packs.find()
    return settings.load(config, installed=[pack.name for pack in found]), found


@contextmanager
def apart() -> Iterator[None]:
    """What packs print meanwhile goes to standard error: standard output holds the command's own answer alone."""
    with redirect_stdout(sys.stderr):
        yield


def deployed(config: Path | None, names: Sequence[str] = (), **server: Any) -> "Deployment":
    """A deployment as this configuration and these choices make it, without the names that two packs offer."""
    from packhorse.compose.deployment import compose

    settings, found = configured(config)
    clashes: list[str] = []
    with apart():
        deployment = compose(settings.serving(packs=tuple(names) or None, **server), found, clashes=clashes)
    note(clashes)
    return deployment


def note(clashes: Iterable[str]) -> None:
    """Say which names a command has left out, because two packs offer them."""
    for clash in clashes:
        click.echo(f"Left out: {clash}", err=True)


def show(value: Any) -> None:
    """Print one JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def painted(text: str, colour: str) -> str:
    """``text`` in a colour, for `click.echo`: which takes it away where no terminal is, and we where nobody wants it.

    ``NO_COLOR``, with anything in it, is how a person says so (no-color.org).
    """
    return text if os.environ.get("NO_COLOR") else click.style(text, fg=colour)


def progress(items: Sequence[T], label: str) -> "AbstractContextManager[Iterable[T]]":
    """``items`` with a bar on standard error that says how many are done; nothing where that is no terminal."""
    shown = sys.stderr.isatty()
    bar: Any = click.progressbar(items, label=label, file=sys.stderr, hidden=not shown, show_pos=True)
    return cast("AbstractContextManager[Iterable[T]]", bar)


@contextmanager
def counting(label: str) -> "Iterator[Callable[[int, int], None]]":
    """A bar as `progress` shows it, for work that says itself how many of how many are done."""
    with click.progressbar(
        length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True
    ) as bar:

        def told(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield told
