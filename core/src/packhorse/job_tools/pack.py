"""What every client can do about jobs, as a pack; without a tool that starts any it offers nothing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.packs import Pack

if TYPE_CHECKING:
    import click

    from packhorse.contract.offers import Resource, Tool

pack = Pack(title="Long-running jobs")


@hookimpl
def register_tools(host: Host) -> "Sequence[Tool]":
    """Status, result and cancelling."""
    if host.jobs is None:
        return []
    from packhorse.job_tools import offers

    return offers.tools(host.jobs)


@hookimpl
def register_resources(host: Host) -> "Sequence[Resource]":
    """The jobs, to be read."""
    if host.jobs is None:
        return []
    from packhorse.job_tools import offers

    return offers.resources(host.jobs)


@hookimpl
def register_commands() -> "Sequence[click.Command]":
    """List, show and cancel jobs."""
    from packhorse.job_tools.commands import jobs

    return [jobs]
