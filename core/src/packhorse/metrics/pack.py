"""The metrics, as a pack: counted and shown where a server over HTTP may show them."""

import os
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from packhorse.contract.content import Page
from packhorse.contract.hookspecs import hookimpl
from packhorse.contract.host import Host
from packhorse.contract.observers import UNKNOWN, ObservedCall, Observer, Outcome
from packhorse.contract.offers import Route
from packhorse.contract.packs import Pack
from packhorse.errors import RESOURCE_NOT_FOUND, PackError, RequestError
from packhorse.errors.extras import install

if TYPE_CHECKING:
    from packhorse.compose.deployment import Deployment
    from packhorse.metrics.metrics import Kind, Metrics

pack = Pack(title="Metrics for Prometheus")


class Counting(Observer):
    """Counts calls and jobs once `open` has given the deployment."""

    groups_refusals = False  # a rate would show those of a minute at once, at its end

    def __init__(self) -> None:
        self.metrics: Metrics | None = None

    def open(self, deployment: "Deployment") -> None:
        from packhorse.metrics.metrics import Metrics
        from packhorse.metrics.worker_metrics import VARIABLE, WorkerMetrics

        catalogue, dispatcher = deployment.catalogue, deployment.dispatcher
        names: dict[Kind, list[str]] = {
            "tool": list(catalogue.tools),
            "resource": [entry.name for entry in catalogue.resources.values()],
            "prompt": list(catalogue.prompts),
            "route": [name for name, entry in catalogue.routes.items() if not entry.offer.probe],
            "completion": [entry.name for entry in catalogue.entries if getattr(entry.offer, "complete", None)],
        }
        by_address = frozenset[str]().union(*(tools for _, tools in deployment.limits.values()))
        limited = [name for name, entry in catalogue.tools.items() if entry.limit or name in by_address]
        starting = [name for name, entry in catalogue.tools.items() if entry.offer.job]
        folder = os.environ.get(VARIABLE) if deployment.settings.server.workers > 1 else None
        make = partial(WorkerMetrics, folder=Path(folder)) if folder else Metrics
        self.metrics = made = make(names, limited, starting)
        made.in_flight(lambda: dispatcher.calls.used)
        if deployment.jobs is not None:
            made.waiting(deployment.jobs.waiting)
        for loaded in catalogue.packs:
            made.overdue(loaded.found.name, partial(dispatcher.overdue.of, loaded.found.name))
        for loaded in (*catalogue.packs, *catalogue.builtin):
            if loaded.pack.measures is not None:
                host = deployment.hosts.get(loaded.found.name, deployment.host)
                made.pack(loaded.found.name, partial(loaded.pack.measures, host))

    def figures(self) -> Page:
        if self.metrics is None:
            cure = f"Install packhorse[metrics]: {install('metrics')}"
            raise RequestError(RESOURCE_NOT_FOUND, "metrics_off", f"Metrics are off. {cure}")
        return Page(*self.metrics.render())

    def ends(self, call: ObservedCall, outcome: Outcome) -> None:
        if self.metrics is not None:
            self.metrics.call(cast("Kind", call.kind), call.name, outcome.word, outcome.seconds)
            if outcome.code is not None and outcome.word in ("refused", "denied", "limited"):
                self.metrics.refusal(call.name, outcome.code)
            if outcome.word == "limited":
                self.metrics.limited(call.name)

    def refused(self, call: ObservedCall, outcome: Outcome) -> None:
        if call.pack is not None:
            self.ends(call, outcome)
        elif self.metrics is not None and outcome.code is not None:
            self.metrics.refusal(UNKNOWN, outcome.code)

    def noted(self, call: ObservedCall) -> None:
        """Not counted here: packs count their people's decisions themselves."""

    def job_ended(self, call: ObservedCall, outcome: Outcome) -> None:
        if self.metrics is not None:
            self.metrics.job(call.name, outcome.word)


_COUNTING: "WeakKeyDictionary[Host, Counting]" = WeakKeyDictionary()


@hookimpl
def register_observers(host: Host) -> Sequence[Counting]:
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


def _counting(host: Host) -> Counting:
    return _COUNTING.setdefault(host, Counting())


def _wanted(host: Host) -> bool:
    server = host.settings.server
    if server.transport == "stdio":
        return False
    if server.metrics and find_spec("prometheus_client") is None:
        raise PackError(f"metrics need prometheus-client, which is not installed: {install('metrics')}")
    return bool(server.reached_from_here if server.metrics is None else server.metrics)
