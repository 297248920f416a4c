"""What a pack measures of its own, beside what the host counts of its calls."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client.core import Metric

logger = logging.getLogger("packhorse.metrics")

MOST_SERIES = 2000
"""Series of one metric of a pack: agents times outcomes fit in, and a label that callers fill does not fill a disk."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric of a pack's own as it stands now, served as ``packhorse_<pack>_<name>``.

    ``values`` are by the values of ``labels``, which must come from closed
    sets: never from what a caller sent. A counter only ever grows in one
    process, and is served with ``_total`` at its end. Of several workers
    counters are added up, and gauges too unless they are ``common``: read from
    what all of them share, so that each has the whole figure.
    """

    name: str
    help: str
    labels: tuple[str, ...] = ()
    values: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    counter: bool = True
    common: bool = False


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
