"""``packhorse mount``: mount other people's servers, see what changed, accept it."""

import asyncio
import fnmatch
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from packhorse.compose.packs import find
from packhorse.door.limits import Limit
from packhorse.errors import PackError
from packhorse.mounts import accepted
from packhorse.mounts.accepted import CREDENTIAL, KEYS, Mount
from packhorse.mounts.nested import check_serves_no_mount
from packhorse.settings import Settings, mounted_in
from packhorse.settings import load as load_settings
from packhorse.settings.security import is_server_url
from packhorse.terminal import config_option, json_option, show

if TYPE_CHECKING:
    from packhorse.mounts.credentials import Credentials

F = TypeVar("F", bound=Callable[..., Any])
_named: Callable[[F], F] = click.argument("name")

CREDENTIAL_VARIABLE = "PACKHORSE_MOUNT_CREDENTIAL"
"""Holds the credential if nobody is at the terminal to type it."""


def _whose(fn: F) -> F:
    """Whose credential a command is about."""
    fn = click.option(
        "--issuer", default="", help="The issuer of the caller's token, if more than one issuer is configured."
    )(fn)
    return click.option(
        "--subject", help="The caller's subject in their token. Default: this machine itself, over stdio."
    )(fn)


def _folder(config: Path | None) -> Path:
    return load_settings(config).mounts_path


@click.group()
def mount() -> None:
    """Serve the tools of another MCP server together with your own."""


@mount.command()
@_named
@click.argument("command", nargs=-1)
@click.option("--url", help="The URL of the server, instead of a command that starts it.")
@click.option(
    "--env",
    multiple=True,
    metavar="NAME=VALUE",
    help="An environment variable for the command; VALUE may contain $VARIABLE. Repeatable.",
)
@click.option(
    "--header",
    multiple=True,
    metavar="NAME=VALUE",
    help="An HTTP header to send, only with --url; VALUE may contain $VARIABLE. Repeatable.",
)
@click.option("--prefix", help="Put before the name of each tool and prompt. Without this option: NAME_.")
@click.option(
    "--only",
    multiple=True,
    metavar="PATTERN",
    help="Serve only what matches, such as 'read_*': the server's own name of a tool or prompt, or a URI. Repeatable.",
)
@click.option(
    "--read-only",
    multiple=True,
    metavar="PATTERN",
    help="Tools of which you know that they change nothing, by the server's own names. Repeatable.",
)
@click.option("--public", is_flag=True, help="Serve the tools also to callers without a token.")
@click.option("--role", multiple=True, help="Serve the tools to callers with this role. Repeatable.")
@click.option("--questions", is_flag=True, help="Let the server ask the caller questions during a call.")
@click.option("--limit", help="At most this many calls of each tool by each caller, such as 30/hour.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30,
    show_default=True,
    help="Seconds that a call may take.",
)
@click.option(
    "--message-bytes",
    type=click.IntRange(min=1024),
    default=8_388_608,
    show_default=True,
    help="The largest message that is accepted from the server, in bytes.",
)
@config_option
def add(
    name: str,
    command: tuple[str, ...],
    url: str | None,
    env: tuple[str, ...],
    header: tuple[str, ...],
    prefix: str | None,
    only: tuple[str, ...],
    read_only: tuple[str, ...],
    public: bool,
    role: tuple[str, ...],
    questions: bool,
    limit: str | None,
    timeout: float,
    message_bytes: int,
    config: Path | None,
) -> None:
    """Mount a server: packhorse mount add NAME -- COMMAND...

    Or give its --url. packhorse asks the server once for its tools, resources and prompts, and saves their
    descriptions as accepted. It shows callers only the accepted descriptions, and refuses to call a tool whose
    description has changed since. If each caller has a key of their own, write {credential} in a value of --env or
    --header; 'packhorse mount connect' stores a caller's key.
    """
    folder = _folder(config)
    if not accepted.NAME.fullmatch(name):
        raise PackError(f"{name!r} cannot be a mount's name: use at most 32 small letters, digits and '-'")
    if name in mounted_in(folder):
        raise PackError(f"there is a mount {name!r} already: 'packhorse mount remove {name}' removes it")
    if name in {pack.name for pack in find()}:
        raise PackError(f"there is a pack {name!r}, and 'packhorse serve {name}' serves that: choose another name")
    if bool(command) == bool(url):
        raise PackError("give either a command after -- or --url")
    if header and not url:
        raise PackError("--header is for --url: a command gets its values by --env")
    if env and url:
        raise PackError("--env is for a command: a server at --url gets its values by --header")
    if url and not is_server_url(url):
        raise PackError(f"{url!r} is not the URL of a server. Write it like https://example.org/mcp.")
    if public and role:
        raise PackError("give either --public or --role")
    if prefix is not None and not accepted.PREFIX.fullmatch(prefix):
        raise PackError(f"--prefix {prefix!r}: use at most 32 letters, digits, '_', '.' and '-'")
    if limit is not None:
        Limit.parse(limit)
    made = Mount(
        command=command,
        url=url,
        env=_pairs(env),
        headers=_pairs(header),
        prefix=f"{name}_" if prefix is None else prefix,
        only=only,
        read_only=read_only,
        public=public,
        roles=role,
        questions=questions,
        limit=limit,
        timeout_seconds=timeout,
        message_bytes=message_bytes,
    )
    made = _asked(folder, name, made)
    check_serves_no_mount(name, made, accepted.load_all(folder)[0])
    _check_matches("--only", only, [item[KEYS[kind]] for kind, items in made.offers.items() for item in items])
    _check_matches("--read-only", read_only, [tool["name"] for tool in made.tools])
    accepted.save(folder, name, made)
    click.echo(f"Mounted {made.server}:")
    _show_offers(name, made)


@mount.command("list")
@json_option
@config_option
def list_(as_json: bool, config: Path | None) -> None:
    """List the mounted servers and what each offers here."""
    from packhorse.mounts.shown import served_of

    folder = _folder(config)
    mounts, broken = accepted.load_all(folder)
    if as_json:
        whole = {name: {"server": made.server, "serves": served_of(name, made)} for name, made in mounts.items()}
        show({**whole, **{name: {"error": why} for name, why in broken.items()}})
        return
    for name, made in mounts.items():
        click.echo(f"{name}: {made.server}, {made.reached_by}")
        _show_offers(name, made)
    for name, why in broken.items():
        click.echo(f"{name}: {why}. {accepted.CURE.format(name=name)}")
    if not mounts and not broken:
        click.echo("Nothing is mounted. 'packhorse mount add NAME -- COMMAND...' mounts a server.")


@mount.command()
@_named
@config_option
def diff(name: str, config: Path | None) -> int:
    """Show what a server has changed since it was accepted.

    The exit status is 1 if anything has changed.
    """
    folder = _folder(config)
    before = accepted.load(folder, name)
    lines = accepted.differences(before, _asked(folder, name, before))
    for line in lines:
        click.echo(line)
    if not lines:
        click.echo(f"{name} has not changed since it was accepted.")
    return bool(lines)


@mount.command()
@_named
@click.argument("names", nargs=-1)
@config_option
def accept(name: str, names: tuple[str, ...], config: Path | None) -> None:
    """Accept a server's present descriptions.

    NAMES are tools, prompts and URIs of resources; without NAMES everything is accepted. Running servers of
    packhorse use it after their next start.
    """
    folder = _folder(config)
    before = accepted.load(folder, name)
    now = accepted.taken(before, _asked(folder, name, before), names)
    check_serves_no_mount(name, now, accepted.load_all(folder)[0])
    for line in accepted.differences(before, now):
        click.echo(line)
    accepted.save(folder, name, now)
    counted = ", ".join(f"{len(items)} {kind}s" for kind, items in now.offers.items() if items)
    click.echo(f"Accepted. {name} now has {counted or 'nothing'}.")


@mount.command()
@_named
@config_option
def remove(name: str, config: Path | None) -> None:
    """Remove a mount.

    This also deletes its accepted descriptions and its callers' credentials.
    """
    folder = _folder(config)
    if name not in mounted_in(folder):
        accepted.load(folder, name)  # says which there are
    for ending in ("json", "log", "credentials"):
        (folder / f"{name}.{ending}").unlink(missing_ok=True)
    click.echo(f"{name} is no longer mounted.")


@mount.command()
@_named
@_whose
@config_option
def connect(name: str, subject: str | None, issuer: str, config: Path | None) -> None:
    """Store a caller's own key for a mounted server.

    It replaces an earlier one. You type it without seeing it, or set PACKHORSE_MOUNT_CREDENTIAL. It is stored
    encrypted, and calls use it at once.
    """
    credentials, owner = _credentials(name, subject, issuer, config)
    credentials.keep(owner, _typed(name))
    click.echo(f"Connected. {subject or 'This machine'} uses {name} with this credential.")


@mount.command()
@_named
@_whose
@config_option
def disconnect(name: str, subject: str | None, issuer: str, config: Path | None) -> None:
    """Delete a caller's own key for a mounted server."""
    credentials, owner = _credentials(name, subject, issuer, config)
    credentials.forget(owner)
    click.echo(f"{subject or 'This machine'} is no longer connected to {name}.")


def _credentials(name: str, subject: str | None, issuer: str, config: Path | None) -> "tuple[Credentials, str]":
    from packhorse.mounts.credentials import THIS_MACHINE, credentials_of, known_as

    settings: Settings = load_settings(config)
    if not accepted.load(settings.mounts_path, name).per_caller:
        raise PackError(
            f"{name} was mounted without {CREDENTIAL}, so its callers have no keys of their own. To change that, remove"
            f" it, and mount it again with, for example, --header 'Authorization=Bearer {CREDENTIAL}'"
        )
    return credentials_of(settings, name), THIS_MACHINE if subject is None else known_as(subject, issuer)


def _typed(name: str) -> str:
    given = os.environ.get(CREDENTIAL_VARIABLE)
    if given is None:
        if not sys.stdin.isatty():
            raise PackError(f"there is no terminal to type the credential for {name}: set {CREDENTIAL_VARIABLE}")
        given = click.prompt(f"Credential for {name}", hide_input=True)
    if not given or not given.isprintable():
        raise PackError("a credential is one line of text without control characters")
    return str(given)


def _pairs(given: Sequence[str]) -> dict[str, str]:
    for one in given:
        if "=" not in one:
            raise PackError(f"{one!r} must be NAME=VALUE")
    return {one.partition("=")[0]: one.partition("=")[2] for one in given}


def _check_matches(option: str, patterns: Sequence[str], names: Sequence[str]) -> None:
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(name, pattern) for name in names):
            raise PackError(
                f"{option} {pattern!r} matches nothing that the server offers: {', '.join(names) or 'nothing'}"
            )


def _asked(folder: Path, name: str, made: Mount) -> Mount:
    from packhorse.mounts.listing import asked

    return asyncio.run(asked(folder, name, made, _typed(name) if made.per_caller else None))


def _show_offers(name: str, made: Mount) -> None:
    from packhorse.mounts.shown import offers_of

    for line in offers_of(name, made):
        click.echo(f"  {line}")
