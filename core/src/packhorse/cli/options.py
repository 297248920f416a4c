"""A deployment as commands look at it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from packhorse.terminal import apart, options

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment

TOKEN_VARIABLE = "PACKHORSE_TOKEN"  # noqa: S105 - the variable's name


def _to_a_server(context: click.Context, _: click.Parameter, login: bool) -> bool:
    if login and context.params.get("url") is None:
        raise click.UsageError("--login signs in to a server: give its address with --url.")
    return login


url_options = options(
    click.option("--url", is_eager=True, help="Ask the server at this URL, such as http://127.0.0.1:8000/mcp."),
    click.option(
        "--token", envvar=TOKEN_VARIABLE, show_envvar=True, help="The token that the server at --url accepts."
    ),
    click.option(
        "--login",
        is_flag=True,
        callback=_to_a_server,
        help="Sign in to the server at --url in the browser, or use the saved sign-in."
        " 'packhorse sign-out' deletes it.",
    ),
)
"""The options of a command that can ask another server instead of the packs that are here."""


def split_file(words: Sequence[str], url: str | None) -> tuple[Sequence[str], Sequence[str]]:
    """The file of a pack that leads the words of a command, if one does, and the words after it."""
    from packhorse.compose.file_packs import NOT_PYTHON, is_file, is_path

    if not words or not is_file(words[0]):
        if words and is_path(words[0]):
            raise click.UsageError(f"{NOT_PYTHON.format(words[0])}.")
        return (), words
    if url is not None:
        raise click.UsageError("Give a file or --url, not both: the server at the URL has packs of its own.")
    return words[:1], words[1:]


def deployed(config: Path | None, names: Sequence[str] = (), *, faults: bool = True, **server: Any) -> "Deployment":
    """A deployment as this configuration and these choices make it, without the names that two packs offer."""
    from packhorse.compose.deployment import compose
    from packhorse.compose.packs import configured, serving

    settings, found = configured(config)
    clashes: list[str] = []
    with apart():
        deployment = compose(
            serving(settings, found, names, **server), found, clashes=clashes, part=bool(names), faults=faults
        )
    note(clashes)
    return deployment


def note(clashes: Iterable[str]) -> None:
    """Say which names a command has left out, because two packs offer them."""
    for clash in clashes:
        click.echo(f"Left out of the list: {clash}", err=True)
