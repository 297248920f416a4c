"""Asking the desk from a terminal: refusals become the command's own, and files are written whole or not at all."""

import os
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from packhorse import UserError

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.calendar import Session
    from packhorse_scheduling.domain.rules.opened import Opened

P = ParamSpec("P")
R = TypeVar("R")


class _Day(click.DateTime):
    """A date, as people write its form."""

    name = "date"

    # None stands for the argument's own name in click's base class; its DateTime narrows that.
    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:  # type: ignore[override]
        """The argument's own name, or the form of an option's value."""
        return None if isinstance(param, click.Argument) else "YYYY-MM-DD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The day, at midnight."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is not a date: write YYYY-MM-DD.", param, ctx)


DAY = _Day(["%Y-%m-%d"])
SESSION = click.Choice(["AM", "PM"])

COMMANDS = {
    "generate_schedule": "generate",
    "publish_schedule": "publish",
    "validate_schedule": "validate",
    "repair_schedule": "repair",
    "record_leave": "leave",
    "explain_assignment": "explain",
    "analyze_contingency": "contingency",
    "analyze_swap_candidates": "swap candidates",
    "request_swap": "swap request",
    "respond_swap": "swap answer",
    "execute_swap": "swap execute",
    "list_requests": "inbox list",
    "answer_request": "inbox answer",
    "withdraw_request": "inbox withdraw",
    "change_assignment": "assign",
    "rank_wishes": "wishes",
}
"""What a terminal has for a tool that words name."""
_OPTIONS = {
    "enforce_acgme_compliance false": "--no-enforce",
    "enforce_acgme_compliance true": "--enforce",
    "`start_date`": "the start",
    "`end_date`": "the end",
    "enforce_acgme_compliance": "--enforce",
    " with schedule_id ": " ",
    " with generation_mode PARTIAL, start_date ": " --mode PARTIAL --start ",
    ", end_date ": " --end ",
}
_WORDS = re.compile("|".join(map(re.escape, (*_OPTIONS, *COMMANDS))))


def for_terminal(words: str) -> str:
    """The same words, with the commands and options of a terminal in place of tools and their arguments."""

    def said(found: re.Match[str]) -> str:
        if found[0] in _OPTIONS:
            return _OPTIONS[found[0]]
        command = f"packhorse scheduling {COMMANDS[found[0]]}"
        has_options = words[found.end() :].startswith(tuple(_OPTIONS))
        return command if has_options else f"'{command}'"

    return _WORDS.sub(said, words)


def refusing(ask: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What ``ask`` gives; its refusal ends the command with status 1 and the refusal's own words."""
    try:
        return ask(*args, **kwargs)
    except UserError as exc:
        raise click.ClickException(for_terminal(exc.message)) from exc


def person_of(opened: "Opened", given: str) -> int:
    """The number of the person with this key or id; nobody of it ends the command."""
    kernel = opened.kernel
    found = kernel.person_of.get(given, kernel.person_by_id.get(given))
    if found is None:
        raise click.ClickException(
            f"There is no person {given[:40]!r} in this roster. Give the person's key, such as R01."
        )
    return found


def slot_of(opened: "Opened", day: datetime, session: "Session") -> tuple[int, int]:
    """The day's number and the half of it; a day outside the roster ends the command."""
    year = opened.programme.year
    if day.date() not in year:
        raise click.ClickException(
            f"{day.date()} is outside the published roster, which runs from {year.start} to {year.end}."
        )
    return opened.kernel.day_of(day.date()), int(session == "PM")


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file beside ``path``, and put it in its place: who looks sees the old or the new one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(beside)
        beside.replace(path)
    except OSError as exc:
        raise click.ClickException(f"{path} cannot be written ({exc.strerror or exc}).") from exc
    finally:
        beside.unlink(missing_ok=True)


def give(text: str, out: Path | None) -> None:
    """Write a text to a file, or to standard output."""
    if out is None:
        click.echo(text)
        return
    write_whole(out, lambda path: path.write_text(text if text.endswith("\n") else text + "\n", "utf-8", newline=""))
    click.echo(f"Wrote {out}.")
