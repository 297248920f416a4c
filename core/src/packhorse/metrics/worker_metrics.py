"""Metrics of several workers behind one address: each of them answers /metrics for all.

By the multiprocess mode of prometheus-client the workers count in files of one
folder, whose sums the worker that is asked serves. Figures that must be asked
for (calls that run, a pack's own) each worker writes every `PUBLISH_SECONDS`:
of the others they are as old as that.
"""

import os
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from packhorse.contract.measures import Measure
from packhorse.metrics.metrics import MOST_SERIES, Kind, Metrics, asked

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Gauge

PUBLISH_SECONDS = 5.0
"""A third of the 15 s between two looks of a Prometheus that is configured as in its manual."""

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where prometheus-client looks for the folder, and nowhere else."""


def forget(folder: str, process: int | None) -> None:
    """A worker has ended: what it counted stays, and its calls do not run any more."""
    try:
        from prometheus_client.multiprocess import mark_process_dead
    except ImportError:
        return  # then nobody counts
    mark_process_dead(process, folder)  # type: ignore[no-untyped-call]


class WorkerMetrics(Metrics):
    """One worker's `Metrics`. One to a process: the library keeps its files for the whole of it."""

    def __init__(
        self,
        names: Mapping[Kind, Collection[str]],
        pools: Collection[str] = (),
        jobs: Collection[str] = (),
        *,
        folder: Path,
    ) -> None:
        os.environ[VARIABLE] = str(folder)
        from prometheus_client import CollectorRegistry, values
        from prometheus_client.multiprocess import MultiProcessCollector

        values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
        super().__init__(names, pools, jobs)
        self._served = CollectorRegistry()
        MultiProcessCollector(self._served, str(folder))  # type: ignore[no-untyped-call]
        self._gauges: list[tuple[Gauge, Callable[[], float]]] = []
        self._packs: list[tuple[_Copied, Callable[[], Sequence[Measure]]]] = []
        self._publishing = threading.Lock()
        threading.Thread(target=self._publish_now_and_then, name="metrics", daemon=True).start()

    def pack(self, name: str, measures: Callable[[], Sequence[Measure]]) -> None:
        self._packs.append((_Copied(name, self._registry), measures))

    def _ask(self, gauge: "Gauge", value: Callable[[], float]) -> None:
        self._gauges.append((gauge, value))

    def render(self) -> tuple[bytes, str]:
        self.publish()
        return super().render()

    def publish(self) -> None:
        with self._publishing:
            for gauge, value in self._gauges:
                gauge.set(value())
            for copied, measures in self._packs:
                copied.take(asked(copied.pack, measures))

    def _publish_now_and_then(self) -> None:
        pause = threading.Event()
        while not pause.wait(PUBLISH_SECONDS):
            self.publish()


class _Copied:
    """A pack's own metrics, copied into ones that the workers share."""

    def __init__(self, pack: str, registry: "CollectorRegistry") -> None:
        self.pack = pack
        self._registry = registry
        self._counters: dict[str, Counter] = {}
        self._gauges: dict[str, Gauge] = {}
        self._before: dict[tuple[str, tuple[str, ...]], float] = {}

    def take(self, measures: Sequence[Measure]) -> None:
        for one in measures:
            for labels, value in list(one.values.items())[:MOST_SERIES]:
                if one.counter:
                    # Only what was added: a worker before this one may have counted here too.
                    before = self._before.get((one.name, labels), 0.0)
                    counter = self._counter(one)
                    (counter.labels(*labels) if labels else counter).inc(max(0.0, value - before))
                    self._before[one.name, labels] = value
                else:
                    gauge = self._gauge(one)
                    (gauge.labels(*labels) if labels else gauge).set(value)

    def _counter(self, one: Measure) -> "Counter":
        from prometheus_client import Counter

        if one.name not in self._counters:
            name = f"packhorse_{self.pack}_{one.name}"
            self._counters[one.name] = Counter(name, one.help, one.labels, registry=self._registry)
        return self._counters[one.name]

    def _gauge(self, one: Measure) -> "Gauge":
        from prometheus_client import Gauge

        if one.name not in self._gauges:
            self._gauges[one.name] = Gauge(
                f"packhorse_{self.pack}_{one.name}",
                one.help,
                one.labels,
                registry=self._registry,
                multiprocess_mode="livemostrecent" if one.common else "livesum",
            )
        return self._gauges[one.name]
