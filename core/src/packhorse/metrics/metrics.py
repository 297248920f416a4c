"""Prometheus metrics of one deployment, and nothing at all where they are not wanted.

Labels hold what the deployment registered, and words of the host's own;
anything else becomes ``unknown`` or ``other``. So nobody who calls can add a
time series, or be found in one.
"""

import logging
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from packhorse.contract.measures import Measure
from packhorse.contract.observers import OutcomeWord

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram
    from prometheus_client.core import Metric

Kind = Literal["tool", "resource", "prompt", "route", "completion"]

OUTCOMES: tuple[str, ...] = get_args(OutcomeWord)

JOB_OUTCOMES = ("ok", "refused", "timeout", "cancelled", "failed")
"""How a job ends, in the same words; ``failed`` is by a bug, or by its process or its memory."""

UNKNOWN = "unknown"
OTHER = "other"

BUCKETS_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
"""Upper bounds of the latency histogram.

A percentile is read with the error of its bucket, so they grow by 2 to 2.5
where most answers lie: from 1 ms, below which the host's own part of a call is
the larger one, to 10 s, beyond which a client shows that it waits. 60 s is the
host's time limit for a call, so that those given up stand apart, and 300 s the
longest that the packs' specifications allow (a scheduling run). Each bound is
a series for every name: hence no more than 16.
"""

MOST_CODES = 100
"""Different refusal codes that get series of their own; packs write codes, and a broken one might make them up."""

MOST_SERIES = 2000
"""Series of one metric of a pack: agents times outcomes fit in, and a label that callers fill does not fill a disk."""

logger = logging.getLogger("packhorse.metrics")

_CODE = re.compile(r"[A-Z][A-Z0-9_]{0,63}|[a-z][a-z_]{0,63}")


class Metrics:
    """Counts for Prometheus, in a registry of its own: deployments in one process do not meet.

    The series of every registered name are there from the start, because a
    rate does not see a series' first value.
    """

    def __init__(
        self, names: Mapping[Kind, Collection[str]], pools: Collection[str] = (), jobs: Collection[str] = ()
    ) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = self._served = registry = CollectorRegistry()
        calls = Counter(
            "packhorse_calls", "Calls that ended, by outcome.", ("kind", "name", "outcome"), registry=registry
        )
        took = Histogram(
            "packhorse_call_seconds",
            "How long calls took, from the door to the answer.",
            ("kind", "name"),
            buckets=BUCKETS_SECONDS,
            registry=registry,
        )
        self._refusals = Counter(
            "packhorse_refusals", "Refused calls, by the code of the refusal.", ("name", "code"), registry=registry
        )
        limited = Counter("packhorse_limited", "Calls that met a limit, by limit.", ("pool",), registry=registry)
        ended = Counter("packhorse_jobs", "Jobs that ended, by outcome.", ("tool", "outcome"), registry=registry)
        self._running = Gauge(
            "packhorse_calls_in_flight", "Calls that run now.", registry=registry, multiprocess_mode="livesum"
        )
        self._overdue = Gauge(
            "packhorse_overdue_threads",
            "Threads that outlived their calls, by pack.",
            ("pack",),
            registry=registry,
            multiprocess_mode="livesum",
        )

        self._ended = {
            (kind, name): _Ended(calls, took, kind, name)
            for kind, registered in names.items()
            for name in (*registered, UNKNOWN)
        }
        self._stranger = _Ended(calls, took, UNKNOWN, UNKNOWN)
        self._names = frozenset(name for registered in names.values() for name in registered)
        self._refused: dict[tuple[str, str], Counter] = {}
        self._codes: set[str] = set()
        self._jobs = {
            tool: {outcome: ended.labels(tool, outcome) for outcome in (*JOB_OUTCOMES, OTHER)}
            for tool in (*jobs, *([UNKNOWN] if jobs else []))
        }
        self._pools = {pool: limited.labels(pool) for pool in (*pools, UNKNOWN)}

    def call(self, kind: Kind, name: str, outcome: str, seconds: float) -> None:
        """One call has ended: ``name`` as registered, ``outcome`` one of `OUTCOMES`."""
        ended = self._ended.get((kind, name)) or self._ended.get((kind, UNKNOWN), self._stranger)
        ended.outcomes.get(outcome, ended.other).inc()
        ended.took.observe(seconds)

    def refusal(self, name: str, code: str) -> None:
        """One call was refused with the pack's or the host's own ``code``."""
        counter = self._refused.get((name, code))
        if counter is None:
            counter = self._refusals.labels(name if name in self._names else UNKNOWN, self._known(code))
            if name in self._names and code in self._codes:
                self._refused[name, code] = counter
        counter.inc()

    def _known(self, code: str) -> str:
        if code not in self._codes:
            if len(self._codes) >= MOST_CODES or not _CODE.fullmatch(code):
                return OTHER
            self._codes.add(code)
        return code

    def limited(self, pool: str) -> None:
        """One call met the limit of ``pool``, as registered."""
        self._pools.get(pool, self._pools[UNKNOWN]).inc()

    def job(self, tool: str, outcome: str) -> None:
        """One job of ``tool``, as registered, has ended; ``outcome`` is one of `JOB_OUTCOMES`."""
        if counters := self._jobs.get(tool) or self._jobs.get(UNKNOWN):
            counters.get(outcome, counters[OTHER]).inc()

    def waiting(self, jobs: Callable[[], tuple[int, float]]) -> None:
        """Ask ``jobs``, from any thread, how many wait and how old the oldest is, whenever the metrics are read."""
        self._served.register(_Waiting(jobs))

    def in_flight(self, count: Callable[[], float]) -> None:
        """Ask ``count``, from any thread, how many calls run, whenever the metrics are read."""
        self._ask(self._running, count)

    def _ask(self, gauge: "Gauge", value: Callable[[], float]) -> None:
        gauge.set_function(value)

    def overdue(self, pack: str, count: Callable[[], float]) -> None:
        """Ask ``count``, from any thread, how many threads of a pack outlived their calls, whenever they are read."""
        self._ask(self._overdue.labels(pack), count)

    def pack(self, name: str, measures: Callable[[], Sequence[Measure]]) -> None:
        """Ask ``measures``, from any thread, for a pack's own metrics, whenever the metrics are read."""
        self._registry.register(MeasuresOfPack(name, measures))

    def render(self) -> tuple[bytes, str]:
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self._served), CONTENT_TYPE_LATEST


class _Waiting:
    """What waits in the queue of jobs, counted when the metrics are read: it is the same for every process."""

    def __init__(self, jobs: Callable[[], tuple[int, float]]) -> None:
        self._jobs = jobs

    def describe(self) -> "Iterable[Metric]":
        return ()  # else the ledger would be opened at the start

    def collect(self) -> "Iterable[Metric]":
        from prometheus_client.core import GaugeMetricFamily

        try:
            waiting, oldest_seconds = self._jobs()
        except Exception:
            # The database may be away: no figure is better than an old one, and the others are read all the same.
            logger.exception("the queue of jobs could not be counted")
            return
        yield GaugeMetricFamily("packhorse_queue_depth", "Jobs that wait to start.", value=waiting)
        yield GaugeMetricFamily(
            "packhorse_oldest_job_seconds", "Age of the oldest unfinished job.", value=oldest_seconds
        )


class _Ended:
    """One name's counters, looked up once: a call costs no more than the counting."""

    __slots__ = ("other", "outcomes", "took")

    def __init__(self, calls: "Counter", took: "Histogram", kind: str, name: str) -> None:
        self.outcomes = {outcome: calls.labels(kind, name, outcome) for outcome in OUTCOMES}
        self.other = calls.labels(kind, name, OTHER)
        self.took = took.labels(kind, name)


class MeasuresOfPack:
    """A pack's own metrics, as prometheus-client collects them. What fails there takes nothing from the others."""

    def __init__(self, pack: str, measures: Callable[[], Sequence[Measure]]) -> None:
        self._pack = pack
        self._measures = measures

    def describe(self) -> "Iterable[Metric]":
        return ()  # else the pack would be asked at the start

    def collect(self) -> "Iterable[Metric]":
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        for one in asked(self._pack, self._measures):
            kind = CounterMetricFamily if one.counter else GaugeMetricFamily
            family = kind(f"packhorse_{self._pack}_{one.name}", one.help, labels=one.labels)
            for labels, value in list(one.values.items())[:MOST_SERIES]:
                family.add_metric(labels, value)
            yield family


def asked(pack: str, measures: Callable[[], Sequence[Measure]]) -> Sequence[Measure]:
    """A pack's own metrics as they stand now; none where it fails, which takes nothing from the others."""
    try:
        return list(measures())
    except Exception:
        # Whatever a pack's code raises: the other figures are read all the same.
        logger.exception("pack %s could not give its metrics", pack)
        return ()
