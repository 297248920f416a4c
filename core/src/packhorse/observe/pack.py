"""The log line of each call, as a pack."""

from collections.abc import Sequence

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.offers import Pack
from packhorse.observe.call_lines import CallLines

pack = Pack(title="A line of the log for each call")


@hookimpl
def register_observers(host: Host) -> Sequence[CallLines]:
    """What logs calls."""
    return [CallLines(host.pseudonym)]
