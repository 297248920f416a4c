"""Mounted servers, as a pack; it offers nothing where none is mounted."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.packs import Fault, Pack
from packhorse.mounts.nested import check_not_nested

if TYPE_CHECKING:
    import click

    from packhorse.contract.measures import Measure
    from packhorse.contract.offers import Prompt, Resource, Tool
    from packhorse.mounts.accepted import Kind
    from packhorse.mounts.served import Mounts


def _mounts(host: Host) -> "Mounts | None":
    """None where nothing that is mounted is served: then nothing of it is imported either."""
    check_not_nested(host.settings)
    if not host.settings.has_mounts:
        return None
    from packhorse.mounts.served import mounts_of

    return mounts_of(host)


def _offers(host: Host, *kinds: "Kind") -> "Iterable[Any]":
    if (mounts := _mounts(host)) is None:
        return []
    from packhorse.mounts.offers import offers

    return offers(mounts, *kinds)


async def _close(host: Host) -> None:
    if (mounts := _mounts(host)) is not None:
        await mounts.close()


def _faults(host: Host) -> Sequence[Fault]:
    return () if (mounts := _mounts(host)) is None else mounts.faults()


def _measures(host: Host) -> "Sequence[Measure]":
    return () if (mounts := _mounts(host)) is None else mounts.measures()


pack = Pack(title="Mounted servers", close=_close, faults=_faults, measures=_measures)


@hookimpl
def register_tools(host: Host) -> "Iterable[Tool]":
    """The accepted tools of each mounted server."""
    return _offers(host, "tool")


@hookimpl
def register_resources(host: Host) -> "Iterable[Resource]":
    """The accepted resources and templates of each mounted server."""
    return _offers(host, "resource", "template")


@hookimpl
def register_prompts(host: Host) -> "Iterable[Prompt]":
    """The accepted prompts of each mounted server."""
    return _offers(host, "prompt")


@hookimpl
def register_commands() -> "Iterable[click.Command]":
    """Mount a server, look at what changed, accept it."""
    from packhorse.mounts.commands import mount

    return [mount]
