"""The audit record, as a pack."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.packs import Pack

if TYPE_CHECKING:
    import click

    from packhorse.audit.observer import Audit

pack = Pack(title="The audit record")


@hookimpl
def register_observers(host: Host) -> "Sequence[Audit]":
    """The record, unless [audit] switches it off."""
    if not host.settings.audit.enabled:
        return []
    from packhorse.audit.observer import Audit

    return [Audit(host.settings, host.clock)]


@hookimpl
def register_commands() -> "Sequence[click.Command]":
    """Check, read, export and prune the record."""
    from packhorse.audit.commands import audit

    return [audit]
