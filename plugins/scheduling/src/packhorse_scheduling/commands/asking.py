"""Asking the desk from a terminal: refusals become the command's own, and files are written whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from packhorse import UserError

P = ParamSpec("P")
R = TypeVar("R")


def refusing(ask: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What ``ask`` gives; its refusal ends the command with status 1 and the refusal's own words."""
    try:
        return ask(*args, **kwargs)
    except UserError as exc:
        raise click.ClickException(exc.message) from exc


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file beside ``path``, and put it in its place: who looks sees the old or the new one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(beside)
        beside.replace(path)
    except OSError as exc:
        raise click.ClickException(f"{path} cannot be written: {exc.strerror or exc}.") from exc
    finally:
        beside.unlink(missing_ok=True)


def give(text: str, out: Path | None) -> None:
    """Write a text to a file, or to standard output."""
    if out is None:
        click.echo(text)
        return
    write_whole(out, lambda path: path.write_text(text if text.endswith("\n") else text + "\n", "utf-8", newline=""))
    click.echo(f"Wrote {out}.")
