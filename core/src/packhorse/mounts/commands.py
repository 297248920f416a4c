"""``packhorse mount``: mount other people's servers, see what changed, accept it."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from packhorse.compose.packs import find
from packhorse.errors import PackError
from packhorse.mounts import accepted
from packhorse.mounts.accepted import CREDENTIAL, Mount
from packhorse.mounts.nested import check_serves_no_mount
from packhorse.mounts.options import check_matches, chosen, serving_options
from packhorse.settings import Settings, mounted_in
from packhorse.settings import load as load_settings
from packhorse.settings.security import is_server_url
from packhorse.terminal import config_option, json_option, options, show

if TYPE_CHECKING:
    from packhorse.mounts.credentials import Credentials

_named = options(click.argument("name"))

CREDENTIAL_VARIABLE = "PACKHORSE_MOUNT_CREDENTIAL"
"""Holds the credential if nobody is at the terminal to type it."""


_whose = options(
    click.option(
        "--subject",
        help="The caller: the value of `sub` in their token. Without this option, the key is for you, when a client on"
        " this machine starts packhorse (over stdio, without a token).",
    ),
    click.option(
        "--issuer", default="", help="The issuer of the caller's token, if more than one issuer is configured."
    ),
)
"""Whose credential a command is about."""


def _folder(config: Path | None) -> Path:
    return load_settings(config).mounts_path


@click.group()
def mount() -> None:
    """Serve the tools of another MCP server together with your own."""


class _BeforeACommand(click.Command):
    """Says where the options of the server's own command begin."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as exc:
            said = exc.format_message().rstrip(".")
            raise click.UsageError(
                f"{said}. If it belongs to the server's command, write -- before that command: packhorse mount add"
                " NAME -- COMMAND...",
                ctx,
            ) from exc


@mount.command(cls=_BeforeACommand)
@_named
@click.argument("command", nargs=-1)
@click.option("--url", help="The URL of the server, instead of a command that starts it.")
@click.option(
    "--env",
    multiple=True,
    metavar="NAME=VALUE",
    help="An environment variable for the command. packhorse replaces '$VARIABLE' in VALUE when it starts the command."
    " Repeatable.",
)
@click.option(
    "--header",
    multiple=True,
    metavar="NAME=VALUE",
    help="An HTTP header to send, only with --url. packhorse replaces '$VARIABLE' in VALUE. Repeatable.",
)
@click.option("--prefix", help="Text to put before the name of each tool and prompt. Without this option: NAME_.")
@click.option("--questions", is_flag=True, help="Let the server ask the caller questions during a call.")
@serving_options
@config_option
def add(
    name: str,
    command: tuple[str, ...],
    url: str | None,
    env: tuple[str, ...],
    header: tuple[str, ...],
    prefix: str | None,
    questions: bool,
    config: Path | None,
    **serving: Any,
) -> None:
    """Mount a server: packhorse mount add NAME -- COMMAND...

    Or give --url instead of COMMAND. packhorse asks the server once for its tools, resources and prompts, and saves
    their descriptions as accepted. It shows callers only the accepted descriptions, and refuses to call a tool whose
    description has changed since. If each caller has their own key, write {credential} in --header or --env where
    the key belongs, for example --header 'Authorization=Bearer {credential}'. Store a caller's key with 'packhorse
    mount connect'.
    """
    folder = _folder(config)
    if not accepted.NAME.fullmatch(name):
        raise PackError(f"{name!r} cannot be a mount's name: use at most 32 small letters, digits and '-'")
    if name in mounted_in(folder):
        raise PackError(f"there is already a mount {name!r}: 'packhorse mount remove {name}' removes it")
    if name in {pack.name for pack in find()}:
        raise PackError(f"there is already a pack {name!r}: choose another name")
    if bool(command) == bool(url):
        raise PackError("give either the server's command, after --, or its address, with --url")
    if header and not url:
        raise PackError("--header is for --url: for a command, use --env")
    if env and url:
        raise PackError("--env is for a command: for --url, use --header")
    if url and not is_server_url(url):
        raise PackError(f"{url!r} is not the URL of a server. Write it like https://example.org/mcp.")
    fields = chosen(**serving)
    if prefix is not None and not accepted.PREFIX.fullmatch(prefix):
        raise PackError(f"--prefix {prefix!r}: use at most 32 letters, digits, '_', '.' and '-'")
    made = Mount(
        command=command,
        url=url,
        env=_pairs(env),
        headers=_pairs(header),
        prefix=f"{name}_" if prefix is None else prefix,
        questions=questions,
        **fields,
    )
    made = _asked(folder, name, made)
    check_serves_no_mount(name, made, accepted.load_all(folder)[0])
    check_matches(made)
    accepted.save(folder, name, made)
    click.echo(f"Mounted {made.server}:")
    _show_offers(name, made)
    click.echo("Servers of packhorse serve this after their next start: restart your clients.")
    if any(not made.reads(tool["name"]) for tool in made.tools if made.wants(tool["name"])):
        click.echo(
            "A tool may change something unless you say that it only reads:"
            f" packhorse mount set {name} --read-only 'read_*'"
        )


@mount.command("set")
@_named
@serving_options
@config_option
def set_(name: str, config: Path | None, **serving: Any) -> None:
    """Change the settings of a mounted server.

    Options that you leave out keep their values. Then restart packhorse if it is running.
    """
    fields = chosen(**serving)
    if not fields:
        raise click.UsageError("Say what to change: see 'packhorse mount set --help'.")
    folder = _folder(config)
    made = accepted.load(folder, name).model_copy(update=fields)
    check_matches(made)
    accepted.save(folder, name, made)
    click.echo(f"{name}: {made.server}")
    _show_offers(name, made)


@mount.command("list")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
@config_option
def list_(names: tuple[str, ...], as_json: bool, config: Path | None) -> None:
    """List the mounted servers. With NAME: list the tools, prompts and resources of that server."""
    from packhorse.mounts.judged import counted, served_of

    folder = _folder(config)
    for name in names:
        accepted.load(folder, name)  # says which there are
    mounts, broken = accepted.load_all(folder, names or None)
    if as_json:
        whole = {name: {"server": made.server, "serves": served_of(name, made)} for name, made in mounts.items()}
        show({**whole, **{name: {"error": why} for name, why in broken.items()}})
        return
    for name, made in mounts.items():
        click.echo(f"{name}: {made.server}, {made.reached_by}{'' if names else f' ({counted(made)})'}")
        if names:
            _show_offers(name, made)
    for name, why in broken.items():
        click.echo(f"{name}: {why}. {accepted.CURE.format(name=name)}")
    if not mounts and not broken:
        click.echo("Nothing is mounted. 'packhorse mount add NAME -- COMMAND...' mounts a server.")
    elif not names:
        click.echo("'packhorse mount list NAME' lists what a server offers here.")


@mount.command()
@_named
@config_option
def diff(name: str, config: Path | None) -> int:
    """Show what a mounted server has changed since you accepted its descriptions.

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
@click.argument("items", nargs=-1, metavar="[ITEM]...")
@config_option
def accept(name: str, items: tuple[str, ...], config: Path | None) -> None:
    """Accept the descriptions that a mounted server's tools, prompts and resources have now.

    NAME is the mounted server. ITEM is the name of one of its tools or prompts, or the URI of a resource. Without
    ITEM, everything is accepted. Then restart packhorse if it is running.
    """
    from packhorse.mounts.judged import counted

    folder = _folder(config)
    before = accepted.load(folder, name)
    now = accepted.taken(before, _asked(folder, name, before), items)
    check_serves_no_mount(name, now, accepted.load_all(folder)[0])
    for line in accepted.differences(before, now):
        click.echo(line)
    accepted.save(folder, name, now)
    click.echo(f"Accepted. {name} now has {counted(now)}.")


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

    The command asks for the key and hides what you type, or takes the key from PACKHORSE_MOUNT_CREDENTIAL. The key
    replaces an earlier key. It is stored encrypted, and calls use it at once.
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


def _asked(folder: Path, name: str, made: Mount) -> Mount:
    from packhorse.mounts.listing import asked

    return asyncio.run(asked(folder, name, made, _typed(name) if made.per_caller else None))


def _show_offers(name: str, made: Mount) -> None:
    from packhorse.mounts.judged import described

    for line in described(name, made):
        click.echo(f"  {line}")
