"""``packhorse mount``: mount other people's servers, see what changed, accept it."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from packhorse.errors import PackError
from packhorse.mounts import accepted
from packhorse.mounts.accepted import Mount
from packhorse.settings import load as load_settings
from packhorse.terminal import config_option, json_option, show

F = TypeVar("F", bound=Callable[..., Any])
_named: Callable[[F], F] = click.argument("name")


def _folder(config: Path | None) -> Path:
    return load_settings(config).mounts_path


@click.group()
def mount() -> None:
    """Serve the tools of another MCP server as this deployment's own."""


@mount.command()
@_named
@click.argument("command", nargs=-1)
@click.option("--url", help="The server's address, where it is served over HTTP.")
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="For the command; VALUE may be $VARIABLE. Repeatable.")
@click.option("--header", multiple=True, metavar="NAME=VALUE", help="With --url; VALUE may hold $VARIABLE. Repeatable.")
@click.option("--prefix", help="Put before each tool's name. Without this option: NAME_.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Serve these tools alone, such as 'read_*'. Repeatable.")
@click.option(
    "--read-only", multiple=True, metavar="PATTERN", help="Tools that you know to change nothing. Repeatable."
)
@click.option("--public", is_flag=True, help="Serve them to callers without a token too.")
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
    limit: str | None,
    timeout: float,
    message_bytes: int,
    config: Path | None,
) -> None:
    """Mount a server under NAME: packhorse mount add NAME -- COMMAND..., or with --url.

    It is asked once for its tools, and what it says is written down as accepted. A server shows callers the accepted
    words alone, and refuses calls of a tool that is described otherwise by then.
    """
    folder = _folder(config)
    if not accepted.NAME.fullmatch(name):
        raise PackError(f"{name!r} cannot be a mount's name: use at most 32 small letters, digits and '-'")
    if name in accepted.names(folder):
        raise PackError(f"there is a mount {name!r} already: 'packhorse mount remove {name}' takes it away")
    if bool(command) == bool(url):
        raise PackError("give either a command after -- or --url")
    made = Mount(
        command=command,
        url=url,
        env=_pairs(env),
        headers=_pairs(header),
        prefix=f"{name}_" if prefix is None else prefix,
        only=only,
        read_only=read_only,
        public=public,
        limit=limit,
        timeout_seconds=timeout,
        message_bytes=message_bytes,
    )
    made = _asked(folder, name, made)
    accepted.save(folder, name, made)
    click.echo(f"Mounted {made.server}:")
    _show_tools(made)


@mount.command("list")
@json_option
@config_option
def list_(as_json: bool, config: Path | None) -> None:
    """List the mounts with the tools that are served of each."""
    folder = _folder(config)
    mounts = {name: accepted.load(folder, name) for name in accepted.names(folder)}
    if as_json:
        show({name: {"server": made.server, "tools": _served(made)} for name, made in mounts.items()})
        return
    for name, made in mounts.items():
        click.echo(f"{name}: {made.server}, {made.url or ' '.join(made.command)}")
        _show_tools(made)
    if not mounts:
        click.echo("Nothing is mounted. 'packhorse mount add NAME -- COMMAND...' mounts a server.")


@mount.command()
@_named
@config_option
def diff(name: str, config: Path | None) -> int:
    """Show how a server differs from what was accepted; exit status 1 where it does."""
    folder = _folder(config)
    before = accepted.load(folder, name)
    now = _asked(folder, name, before)
    lines = list(accepted.differences(before, now))
    for line in lines:
        click.echo(line)
    if not lines:
        click.echo(f"{name} is as it was accepted.")
    return bool(lines)


@mount.command()
@_named
@click.argument("tools", nargs=-1)
@config_option
def accept(name: str, tools: tuple[str, ...], config: Path | None) -> None:
    """Accept what a server says now: of the named TOOLS, or all of it. Servers that run take it at their next start."""
    folder = _folder(config)
    before = accepted.load(folder, name)
    now = _asked(folder, name, before)
    if tools:
        known = accepted.changes(before.tools, now.tools)
        for tool in tools:
            if tool not in known:
                raise PackError(f"{tool!r} of the mount {name!r} is as it was accepted, or there is no such tool")
        kept = {tool["name"]: tool for tool in before.tools}
        fresh = {tool["name"]: tool for tool in now.tools}
        for tool in tools:
            kept.pop(tool, None)
            kept |= {tool: fresh[tool]} if tool in fresh else {}
        now = before.model_copy(update={"tools": tuple(kept.values())})
    for line in accepted.differences(before, now):
        click.echo(line)
    accepted.save(folder, name, now)
    click.echo(f"Accepted. {len(now.tools)} tools of {name} are known.")


@mount.command()
@_named
@config_option
def remove(name: str, config: Path | None) -> None:
    """Take a mount away, with what was accepted of it."""
    folder = _folder(config)
    accepted.load(folder, name)
    for ending in ("json", "log"):
        (folder / f"{name}.{ending}").unlink(missing_ok=True)
    click.echo(f"{name} is no longer mounted.")


def _pairs(given: Sequence[str]) -> dict[str, str]:
    for one in given:
        if "=" not in one:
            raise PackError(f"{one!r} must be NAME=VALUE")
    return {one.partition("=")[0]: one.partition("=")[2] for one in given}


def _asked(folder: Path, name: str, made: Mount) -> Mount:
    """The mount with what its server says now.

    Raises:
        PackError: it cannot be reached.
    """
    from packhorse.mounts.link import described, reason_of
    from packhorse.store.permissions import private_folder

    private_folder(folder.parent)
    private_folder(folder)
    try:
        return asyncio.run(described(made, folder / f"{name}.log"))
    except Exception as exc:
        # A stranger's server, and the libraries on the way to it, may fail in any way.
        said = folder / f"{name}.log"
        more = f" What it wrote to its error output is in {said}." if said.exists() and said.stat().st_size else ""
        raise PackError(f"the server {name} cannot be mounted: {reason_of(exc)}.{more}") from exc


def _served(made: Mount) -> list[str]:
    return [made.served(tool["name"]) for tool, fault in accepted.judged(made) if fault is None]


def _show_tools(made: Mount) -> None:
    for tool, fault in accepted.judged(made):
        if fault is not None:
            click.echo(f"  not served: {tool['name']!a}: {fault}")
            continue
        words = " ".join((tool.get("description") or "").split())
        kind = "reads" if made.reads(tool["name"]) else "may change something"
        click.echo(f"  {made.served(tool['name'])} ({kind}): {words[:90]}")
