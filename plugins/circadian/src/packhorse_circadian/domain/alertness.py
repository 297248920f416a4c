"""How alert the traveller will be: the two-process model of sleep, with the simulated clock.

Sleep pressure S grows toward 1 while awake and falls toward 0 asleep, with
time constants of 18.2 and 4.2 h; the clock C adds to sleepiness most at the
low, with an amplitude of 0.1 (Daan, Beersma & Borbely 1984, Am J Physiol
246:R161). Alertness is 1 - (S + C), told from 0 to 100.
"""

from collections.abc import Iterable
from datetime import datetime
from math import cos, exp, pi

from attrs import frozen

from packhorse_circadian.domain.body import ONSET_BEFORE_LOW, BodyClock
from packhorse_circadian.domain.shift import HOUR
from packhorse_circadian.domain.spans import Span

RISE, FALL = 18.2, 4.2
CLOCK = 0.1
# At bedtime after a usual day of 16 h: the model's own cycle for 8 h of sleep.
_AT_BEDTIME = 0.65
# The wake maintenance zone: the hours before melatonin's onset, in which hardly anybody falls asleep (Strogatz,
# Kronauer & Czeisler 1987, Am J Physiol 253:R172; three hours: Shekleton et al. 2013, J Clin Sleep Med 9:353).
WAKEFUL = 3 * HOUR
EVERY = 3
"""Hours between two points of a curve."""


@frozen
class Alert:
    """Alertness at an instant, 0 to 100."""

    at: datetime
    score: int


def wakeful(at: datetime, body: BodyClock) -> bool:
    """Whether the clock is in the wake maintenance zone."""
    return -ONSET_BEFORE_LOW - WAKEFUL <= body.phase(at) < -ONSET_BEFORE_LOW


def alertness(times: Iterable[datetime], start: datetime, asleep: Iterable[Span], body: BodyClock) -> list[Alert]:
    """At each of ``times`` (in order) at which the traveller is awake; ``asleep`` in order, naps included."""
    found = []
    pressure, at = _AT_BEDTIME, start
    beds = [span for span in asleep if span.end > start]
    for when in times:
        if when < at:
            continue
        while beds and beds[0].end <= when:
            bed = beds.pop(0)
            pressure = _fallen(_risen(pressure, at, max(bed.start, at)), max(bed.start, at), bed.end)
            at = bed.end
        if beds and beds[0].start <= when:
            continue
        sleepy = _risen(pressure, at, when) + CLOCK * cos(2 * pi * (body.phase(when) / HOUR) / 24)
        found.append(Alert(when, round(100 * min(max(1 - sleepy, 0.0), 1.0))))
    return found


def _risen(pressure: float, start: datetime, end: datetime) -> float:
    return 1 - (1 - pressure) * exp(-((end - start) / HOUR) / RISE)


def _fallen(pressure: float, start: datetime, end: datetime) -> float:
    return pressure * exp(-((end - start) / HOUR) / FALL)
