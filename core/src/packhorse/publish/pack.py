"""Publishing, as a pack: entries for Claude Desktop, bundles, the registry, and new packs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.packs import Pack

if TYPE_CHECKING:
    import click

pack = Pack(title="Publishing packs")


@hookimpl
def register_commands() -> "Sequence[click.Command]":
    """What a person does with packs beside serving them."""
    from packhorse.publish import commands
    from packhorse.publish.install_commands import desktop, install, uninstall

    return [install, uninstall, desktop, commands.bundle, commands.registry, commands.new]
