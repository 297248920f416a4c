"""``packhorse mount``: mount other people's servers, see what changed, accept it."""

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from packhorse.errors import PackError
from packhorse.mounts import accepted
from packhorse.mounts.accepted import CREDENTIAL, Mount
from packhorse.settings import Settings
from packhorse.settings import load as load_settings
from packhorse.terminal import config_option, json_option, show

if TYPE_CHECKING:
    from packhorse.mounts.credentials import Credentials

F = TypeVar("F", bound=Callable[..., Any])
_named: Callable[[F], F] = click.argument("name")

CREDENTIAL_VARIABLE = "PACKHORSE_MOUNT_CREDENTIAL"
"""Holds the credential where nobody is at the terminal to type it."""


def _whose(fn: F) -> F:
    """Whose credential a command is about."""
    fn = click.option("--issuer", default="", help="Who issued the caller's token, where there are several.")(fn)
    return click.option("--subject", help="The caller, as their token names them. Default: this machine's own.")(fn)


def _folder(config: Path | None) -> Path:
    return load_settings(config).mounts_path


@click.group()
def mount() -> None:
    """Serve what another MCP server offers as this deployment's own."""


@mount.command()
@_named
@click.argument("command", nargs=-1)
@click.option("--url", help="The server's address, where it is served over HTTP.")
@click.option(
    "--env", multiple=True, metavar="NAME=VALUE", help="For the command; VALUE may hold $VARIABLE. Repeatable."
)
@click.option("--header", multiple=True, metavar="NAME=VALUE", help="With --url; may hold $VARIABLE. Repeatable.")
@click.option("--prefix", help="Put before the name of each tool and prompt. Without this option: NAME_.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Serve these alone, such as 'read_*'. Repeatable.")
@click.option(
    "--read-only", multiple=True, metavar="PATTERN", help="Tools that you know to change nothing. Repeatable."
)
@click.option("--public", is_flag=True, help="Serve them to callers without a token too.")
@click.option("--role", multiple=True, help="Serve them to callers with this role. Repeatable.")
@click.option("--questions", is_flag=True, help="Let the server ask questions of its caller.")
@click.option("--limit", help="Calls of each tool that one caller may make, such as 30/hour.")
@click.option("--timeout", type=float, default=30, show_default=True, help="Seconds that a call may take.")
@click.option("--message-bytes", type=int, default=8_388_608, show_default=True, help="The largest answer.")
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
    """Mount a server under NAME: packhorse mount add NAME -- COMMAND..., or with --url.

    It is asked once for what it offers, and what it says is written down as accepted. A server shows callers the
    accepted words alone, and refuses calls of a tool that is described otherwise by then. Write {credential} in a
    value of --env or --header where each caller has a secret of their own.
    """
    folder = _folder(config)
    if not accepted.NAME.fullmatch(name):
        raise PackError(f"{name!r} cannot be a mount's name: use at most 32 small letters, digits and '-'")
    if name in accepted.names(folder):
        raise PackError(f"there is a mount {name!r} already: 'packhorse mount remove {name}' takes it away")
    if bool(command) == bool(url):
        raise PackError("give either a command after -- or --url")
    if public and role:
        raise PackError("give either --public or --role")
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
    accepted.save(folder, name, made)
    click.echo(f"Mounted {made.server}:")
    _show_offers(name, made)


@mount.command("list")
@json_option
@config_option
def list_(as_json: bool, config: Path | None) -> None:
    """List the mounts with what is served of each."""
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
    """Show how a server differs from what was accepted; exit status 1 where it does."""
    folder = _folder(config)
    before = accepted.load(folder, name)
    lines = accepted.differences(before, _asked(folder, name, before))
    for line in lines:
        click.echo(line)
    if not lines:
        click.echo(f"{name} is as it was accepted.")
    return bool(lines)


@mount.command()
@_named
@click.argument("names", nargs=-1)
@config_option
def accept(name: str, names: tuple[str, ...], config: Path | None) -> None:
    """Accept what a server says now, all of it, or only the tools, prompts and resources with these NAMES or URIs.

    A server of packhorse that is running serves it after its next start.
    """
    folder = _folder(config)
    before = accepted.load(folder, name)
    now = accepted.taken(before, _asked(folder, name, before), names)
    for line in accepted.differences(before, now):
        click.echo(line)
    accepted.save(folder, name, now)
    counted = ", ".join(f"{len(items)} {kind}s" for kind, items in now.offers.items() if items)
    click.echo(f"Accepted. Of {name} are known: {counted or 'nothing'}.")


@mount.command()
@_named
@config_option
def remove(name: str, config: Path | None) -> None:
    """Take a mount away, with what was accepted of it and its callers' credentials."""
    folder = _folder(config)
    if name not in accepted.names(folder):
        accepted.load(folder, name)  # says which there are
    for ending in ("json", "log", "credentials"):
        (folder / f"{name}.{ending}").unlink(missing_ok=True)
    click.echo(f"{name} is no longer mounted.")


@mount.command()
@_named
@_whose
@config_option
def connect(name: str, subject: str | None, issuer: str, config: Path | None) -> None:
    """Keep a caller's own credential for a mounted server, in the place of an earlier one.

    It is typed unseen, or read from PACKHORSE_MOUNT_CREDENTIAL, and kept sealed. Calls use it at once.
    """
    credentials, owner = _credentials(name, subject, issuer, config)
    credentials.keep(owner, _typed(name))
    click.echo(f"Connected. {subject or 'This machine'} uses {name} with this credential.")


@mount.command()
@_named
@_whose
@config_option
def disconnect(name: str, subject: str | None, issuer: str, config: Path | None) -> None:
    """Forget a caller's own credential for a mounted server."""
    credentials, owner = _credentials(name, subject, issuer, config)
    credentials.forget(owner)
    click.echo(f"{subject or 'This machine'} is no longer connected to {name}.")


def _credentials(name: str, subject: str | None, issuer: str, config: Path | None) -> "tuple[Credentials, str]":
    from packhorse.mounts.credentials import THIS_MACHINE, credentials_of, known_as

    settings: Settings = load_settings(config)
    if not accepted.load(settings.mounts_path, name).per_caller:
        raise PackError(
            f"the mount {name} has no credential of each caller's own: add it with {CREDENTIAL} in a value of --header"
            " or --env"
        )
    return credentials_of(settings, name), THIS_MACHINE if subject is None else known_as(subject, issuer)


def _typed(name: str) -> str:
    given = os.environ.get(CREDENTIAL_VARIABLE)
    if given is None:
        given = click.prompt(f"Credential for {name}", hide_input=True)
    if not given or not given.isprintable():
        raise PackError("a credential is one line of text without control characters")
    return str(given)


def _pairs(given: Sequence[str]) -> dict[str, str]:
    for one in given:
        if "=" not in one:
            raise PackError(f"{one!r} must be NAME=VALUE")
    return {one.partition("=")[0]: one.partition("=")[2] for one in given}


def _asked(folder: Path, name: str, made: Mount) -> Mount:
    from packhorse.mounts.listing import asked

    return asyncio.run(asked(folder, name, made, _typed(name) if made.per_caller else None))


def _show_offers(name: str, made: Mount) -> None:
    from packhorse.mounts.shown import offers_of

    for line in offers_of(name, made):
        click.echo(f"  {line}")
