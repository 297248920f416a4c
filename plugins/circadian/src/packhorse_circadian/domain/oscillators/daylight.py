"""Light that repeats from day to day, with jumps between time zones: the protocols of laboratory studies."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil

from attrs import field, frozen, validators

from packhorse_circadian.domain.oscillators.runs import Stretch
from packhorse_circadian.domain.oscillators.states import Oscillator, State

_DAY = 24.0


@frozen
class Regime:
    """``days`` of the same lights: ``lux`` from clock time ``on`` to ``off`` (hours; past midnight where off < on).

    The clock on the wall shows the hours since the start plus ``shift``.
    """

    days: float = field(validator=validators.gt(0))
    lux: float = field(validator=validators.ge(0))
    on: float = field(validator=[validators.ge(0), validators.le(24)])
    off: float = field(validator=[validators.ge(0), validators.le(24)])
    shift: float = 0.0


@frozen
class Protocol:
    """A model, the light it is put under and where it starts."""

    model: Oscillator
    regimes: tuple[Regime, ...]
    start: State | None


def stretches(regimes: Sequence[Regime]) -> Iterator[Stretch]:
    """The light from hour 0, with every switch at its exact time, and cut at every whole hour."""
    begin = 0.0
    for regime in regimes:
        end = begin + regime.days * _DAY
        cuts = {begin, end, *(float(hour) for hour in range(ceil(begin), ceil(end)))}
        for switch in (regime.on, regime.off):
            at = begin + (switch - begin - regime.shift) % _DAY
            while at < end:
                cuts.add(at)
                at += _DAY
        edges = sorted(cuts)
        for left, right in pairwise(edges):
            if right - left > 1e-9:
                yield Stretch(right - left, regime.lux if _lit(regime, (left + right) / 2) else 0.0)
        begin = end


def _lit(regime: Regime, at: float) -> bool:
    clock = (at + regime.shift) % _DAY
    if regime.on <= regime.off:
        return regime.on <= clock < regime.off
    return clock >= regime.on or clock < regime.off
