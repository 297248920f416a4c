"""The metrics as an observer of calls: counts them where a server over HTTP can show the figures."""

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from packhorse.compose.deployment import Deployment
from packhorse.contract.observers import UNKNOWN, ObservedCall, Observer, Outcome
from packhorse.errors import PackError
from packhorse.errors.extras import install
from packhorse.metrics.metrics import Kind, Metrics
from packhorse.metrics.worker_metrics import WorkerMetrics


class Counting(Observer):
    """Counts calls and jobs once `begin` has said for whom."""

    groups_refusals = False  # a rate would show those of a minute at once, at its end

    def __init__(self) -> None:
        self.metrics: Metrics | None = None

    def begin(self, deployment: Deployment, wanted: bool | None, folder: Path | None = None) -> Metrics | None:
        """Count from here on, and give what shows the figures; ``wanted`` None: where prometheus-client is installed.

        Raises:
            PackError: they are wanted, and it is not.
        """
        installed = find_spec("prometheus_client") is not None
        if wanted and not installed:
            raise PackError(f"metrics need prometheus-client, which is not installed: {install('metrics')}")
        if not installed or wanted is False:
            return None
        catalogue, dispatcher = deployment.catalogue, deployment.dispatcher
        names: dict[Kind, list[str]] = {
            "tool": list(catalogue.tools),
            "resource": [entry.name for entry in catalogue.resources.values()],
            "prompt": list(catalogue.prompts),
            "route": list(catalogue.routes),
            "completion": [entry.name for entry in catalogue.entries if getattr(entry.offer, "complete", None)],
        }
        by_address = frozenset[str]().union(*(tools for _, tools in deployment.limits.values()))
        limited = [name for name, entry in catalogue.tools.items() if entry.limit or name in by_address]
        starting = [name for name, entry in catalogue.tools.items() if entry.offer.job]
        make = partial(WorkerMetrics, folder=folder) if folder else Metrics
        self.metrics = made = make(names, limited, starting)
        made.in_flight(lambda: dispatcher.calls.used)
        if deployment.jobs is not None:
            made.waiting(deployment.jobs.waiting)
        for pack in catalogue.packs:
            made.overdue(pack.found.name, partial(dispatcher.overdue.of, pack.found.name))
            if pack.pack.measures is not None:
                made.pack(pack.found.name, partial(pack.pack.measures, deployment.hosts[pack.found.name]))
        return made

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

    def job_ended(self, call: ObservedCall, outcome: Outcome) -> None:
        if self.metrics is not None:
            self.metrics.job(call.name, outcome.word)
