"""The audit record, as a pack."""

from collections.abc import Sequence

from packhorse.audit.observer import Audit
from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.offers import Pack

pack = Pack(title="The audit record")


@hookimpl
def register_observers(host: Host) -> Sequence[Audit]:
    """The record, unless [audit] switches it off."""
    return [Audit(host.settings, host.clock)] if host.settings.audit.enabled else []
