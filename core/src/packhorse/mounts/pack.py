"""Mounted servers, as a pack; it offers nothing where none is mounted."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.offers import Pack

if TYPE_CHECKING:
    import click

    from packhorse.contract.offers import Tool


async def _close(host: Host) -> None:
    if host.settings.mounts_path.is_dir():
        from packhorse.mounts.served import close

        await close(host)


pack = Pack(title="Mounted servers", close=_close)


@hookimpl
def register_tools(host: Host) -> "Iterable[Tool]":
    """The accepted tools of each mounted server."""
    if not host.settings.mounts_path.is_dir():
        return []
    from packhorse.mounts.offers import tools
    from packhorse.mounts.served import mounts_of

    return tools(mounts_of(host))


@hookimpl
def register_commands() -> "Iterable[click.Command]":
    """Mount a server, look at what changed, accept it."""
    from packhorse.mounts.commands import mount

    return [mount]
