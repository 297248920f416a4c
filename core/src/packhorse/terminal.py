"""What commands have in common at a terminal: options, answers, progress."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, TypeVar, cast

import click

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

json_option: Callable[[F], F] = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
config_option: Callable[[F], F] = click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The packhorse.toml to use. Without this option: $PACKHORSE_CONFIG, else packhorse.toml in your"
    " configuration folder ('packhorse check' prints its path).",
)


def options(*each: Callable[[Any], Any]) -> Callable[[F], F]:
    """Several options, or arguments, of several commands, in their order."""

    def decorate(command: Any) -> Any:
        for option in reversed(each):
            command = option(command)
        return command

    return decorate


@contextmanager
def apart() -> Iterator[None]:
    """What packs print meanwhile goes to standard error: standard output holds the command's own answer alone."""
    with redirect_stdout(sys.stderr):
        yield


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

        def show(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield show
