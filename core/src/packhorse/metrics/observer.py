"""The metrics as an observer of calls: counts them where a server over HTTP can show the figures."""

from functools import partial
from pathlib import Path
from typing import cast

from packhorse.compose.deployment import Deployment
from packhorse.contract.observers import ObservedCall, Observer, Outcome
from packhorse.metrics.metrics import UNKNOWN, Kind, Meter, NoMetrics, meter
from packhorse.metrics.worker_metrics import WorkerMetrics


class Counting(Observer):
    """Counts calls and jobs once `begin` has said for whom."""

    groups_refusals = False  # a rate would show those of a minute at once, at its end

    def __init__(self) -> None:
        self.meter: Meter = NoMetrics()

    def begin(self, deployment: Deployment, wanted: bool | None, folder: Path | None = None) -> Meter:
        """Count from here on, and give what shows the figures; ``wanted`` None: where prometheus-client is installed.

        Raises:
            PackError: they are wanted, and it is not.
        """
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
        make = partial(WorkerMetrics, folder=folder) if folder else None
        self.meter = made = meter(names, limited, starting, wanted=wanted, make=make)
        made.in_flight(lambda: dispatcher.calls.used)
        if deployment.jobs is not None:
            made.waiting(deployment.jobs.waiting)
        for pack in catalogue.packs:
            made.overdue(pack.found.name, partial(dispatcher.overdue.of, pack.found.name))
            if pack.pack.measures is not None:
                made.pack(pack.found.name, partial(pack.pack.measures, deployment.hosts[pack.found.name]))
        return made

    def ends(self, call: ObservedCall, outcome: Outcome) -> None:
        if self.meter.enabled:
            self.meter.call(cast("Kind", call.kind), call.name, outcome.word, outcome.seconds)
            if outcome.code is not None and outcome.word in ("refused", "denied", "limited"):
                self.meter.refusal(call.name, outcome.code)
            if outcome.word == "limited":
                self.meter.limited(call.name)

    def refused(self, call: ObservedCall, outcome: Outcome) -> None:
        if call.pack is not None:
            self.ends(call, outcome)
        elif outcome.code is not None:
            self.meter.refusal(UNKNOWN, outcome.code)

    def job_ended(self, call: ObservedCall, outcome: Outcome) -> None:
        self.meter.job(call.name, outcome.word)
