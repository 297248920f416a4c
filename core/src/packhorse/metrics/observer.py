"""The metrics as an observer of calls: counts them, and gives the figures."""

import os
from functools import partial
from pathlib import Path
from typing import cast

from packhorse.compose.deployment import Deployment
from packhorse.contract.content import Page
from packhorse.contract.observers import UNKNOWN, ObservedCall, Observer, Outcome
from packhorse.errors import RESOURCE_NOT_FOUND, RequestError
from packhorse.errors.extras import install
from packhorse.metrics.metrics import Kind, Metrics
from packhorse.metrics.worker_metrics import VARIABLE, WorkerMetrics


class Counting(Observer):
    """Counts calls and jobs once `open` has given the deployment."""

    groups_refusals = False  # a rate would show those of a minute at once, at its end

    def __init__(self) -> None:
        self.metrics: Metrics | None = None

    def open(self, deployment: Deployment) -> None:
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
        for pack in catalogue.packs:
            made.overdue(pack.found.name, partial(dispatcher.overdue.of, pack.found.name))
        for pack in (*catalogue.packs, *catalogue.builtin):
            if pack.pack.measures is not None:
                host = deployment.hosts.get(pack.found.name, deployment.host)
                made.pack(pack.found.name, partial(pack.pack.measures, host))

    def figures(self) -> Page:
        """Everything that was counted, as Prometheus reads it."""
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
