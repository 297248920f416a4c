"""The metrics, as a pack: counted and shown where a server over HTTP may show them."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.offers import Pack, Route
from packhorse.errors import PackError
from packhorse.errors.extras import install

if TYPE_CHECKING:
    from packhorse.metrics.observer import Counting

pack = Pack(title="Metrics for Prometheus")

_COUNTING: "WeakKeyDictionary[Host, Counting]" = WeakKeyDictionary()


@hookimpl
def register_observers(host: Host) -> "Sequence[Counting]":
    """What counts calls."""
    if not _wanted(host) or find_spec("prometheus_client") is None:
        return []
    return [_counting(host)]


@hookimpl
def register_routes(host: Host) -> Sequence[Route]:
    """The figures, at /metrics."""
    if not _wanted(host):
        return []
    return [Route(path="/metrics", fn=_counting(host).figures, public=True, probe=True)]


def _counting(host: Host) -> "Counting":
    from packhorse.metrics.observer import Counting  # the commands of other built-in packs need nothing of it

    return _COUNTING.setdefault(host, Counting())


def _wanted(host: Host) -> bool:
    server = host.settings.server
    if server.transport == "stdio":
        return False
    if server.metrics and find_spec("prometheus_client") is None:
        raise PackError(f"metrics need prometheus-client, which is not installed: {install('metrics')}")
    return bool(server.reached_from_here if server.metrics is None else server.metrics)
