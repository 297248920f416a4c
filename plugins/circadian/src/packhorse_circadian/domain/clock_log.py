"""Where a body clock stands, from a log of sleep, light and steps: the bodies of the population run through it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from math import atan2, cos, exp, pi, sin
from random import Random
from statistics import NormalDist
from typing import Literal
from zoneinfo import ZoneInfo

from attrs import field, frozen

from packhorse_circadian.domain.crowd import SEED
from packhorse_circadian.domain.population.bodies import (
    CODES,
    DARK,
    DIM,
    EVENING,
    INDOOR,
    OUTDOOR,
    SLOTS,
    Body,
    Habit,
    body,
    held,
    lux,
    ordinary_day,
    paired,
    stratified,
)
from packhorse_circadian.domain.population.clock import Hour, follow, hours
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import SLOT, habit, since_waking
from packhorse_circadian.domain.trip import Habits

Word = Literal["sleep", "dark", "dim", "indoors", "bright", "outdoors", "awake"]
LEAST_DAYS, MOST_DAYS = 5, 28
"""Of a log. A clock forgets by half in about two days, so that less says more of the start than of the person."""
LONGEST_GAP = 2 * DAY
"""[own] Without any entry; shorter ones are taken for the usual day."""
STILL = 3 * HOUR
"""[own] Without a step: asleep. Activity places a clock as well as light does (Cheng et al. 2021, Sleep 44(2))."""
BODIES = 200
_ONSET = 7.0

# Lux of the words of a log that are not the body's own ordinary light: [own] dim as a lamp low, bright as by a window.
_DIM_LUX, _BRIGHT_LUX, _INDOOR_LUX = 20.0, 800.0, 150.0
_BRIGHT = 6
_NOISE = 0.5
"""Sigma of one hour's light about its word."""
_LEVELS = tuple(exp(_NOISE * NormalDist().inv_cdf((k + 0.5) / 5)) for k in range(5))
# What no model knows: by wrist light the error was 0.69 h on days and 0.95 h on nights (Stone et al. 2019).
_UNKNOWN_SD = 0.6
WORST_SD = 1.8
"""Hours about the low at which people report to feel worst, with which reports are weighed."""
_BAND = (0.05, 0.95)


@frozen
class Entry:
    """What a stretch of the log was."""

    span: Span
    word: Word


@frozen
class ClockLog:
    """A log by the clock of one zone, entries in order; nights that are not logged are usual ones."""

    zone: ZoneInfo
    entries: tuple[Entry, ...]
    habits: Habits = field(factory=Habits)
    worst: tuple[datetime, ...] = ()

    @property
    def begin(self) -> datetime:
        """The usual waking before the first entry, down to the half hour."""
        first = self.entries[0].span.start
        at = first - timedelta(hours=since_waking(first, self.zone, self.habits))
        return at - timedelta(minutes=at.minute % 30, seconds=at.second, microseconds=at.microsecond)

    @property
    def end(self) -> datetime:
        """The end of the last entry."""
        return max(entry.span.end for entry in self.entries)


@frozen
class Standing:
    """The low nearest to the log's end: the middle of the bodies, and their 90 % band."""

    low: datetime
    earliest: datetime
    latest: datetime
    later: float
    """Hours by which it is later than the usual day holds it."""

    @property
    def onset(self) -> datetime:
        """When melatonin begins to rise before it."""
        return self.low - _ONSET * HOUR


def standing(log: ClockLog) -> Standing:
    """Run the bodies through the log, weigh each by the reports, and read the low."""
    begin, end = log.begin, log.end
    codes = _codes(log, begin, int((end + DAY - begin) / SLOT) // 2 * 2)
    random = Random(SEED)  # noqa: S311  # a sample, not a secret
    now = (end - begin) / HOUR
    reports = [(at - begin) / HOUR for at in log.worst]
    found: list[tuple[float, float, float]] = []
    pairs = paired(codes)
    for who, lights in _people(habit(log.habits)):
        lit = [random.randrange(len(_LEVELS)) * CODES * CODES + code for code in pairs]
        run = follow(who.start(0.0), lit, who.stiffness, (who.advancing, who.delaying), lights)
        unknown = random.gauss(0, _UNKNOWN_SD)
        if run.lows:
            low = min(run.lows, key=lambda at: abs(at - now)) + unknown
            away = [min(abs(at + unknown - report) for at in run.lows) for report in reports]
            weight = exp(-sum(off * off for off in away) / (2 * WORST_SD**2))
            found.append((low, weight, who.low))
    low, first, last = _on_the_circle([(low, weight) for low, weight, _ in found], now)
    usual, _, _ = _on_the_circle([(entrained, weight) for _, weight, entrained in found], 0.0)
    since = since_waking(begin, log.zone, log.habits)
    later = (low + since - usual + 12) % 24 - 12
    middle, earliest, latest = (_minute(begin + hours * HOUR) for hours in (low, first, last))
    return Standing(middle, earliest, latest, later)


def _minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)


@lru_cache(maxsize=4)
def _people(usual: Habit) -> tuple[tuple[Body, tuple[Hour, ...]], ...]:
    """Bodies that live by these hours, each with an hour of every pair of lights at every level of noise."""
    found = []
    for traits in stratified(BODIES, SEED):
        who = body(traits, usual)
        if held(who) or not _by_night(usual):
            own = lux(traits)
            light = [own[DARK], _DIM_LUX, own[2], own[EVENING], own[INDOOR], own[OUTDOOR]]
            light.append(_BRIGHT_LUX * own[INDOOR] / _INDOOR_LUX)
            found.append((who, tuple(hour for noise in _LEVELS for hour in hours([level * noise for level in light]))))
    return tuple(found)


def _by_night(usual: Habit) -> bool:
    return 5 <= usual.wake < 12


_CODES: dict[Word, int] = {
    "dark": DARK,
    "dim": DIM,
    "indoors": INDOOR,
    "bright": _BRIGHT,
    "outdoors": OUTDOOR,
}


def _codes(log: ClockLog, begin: datetime, count: int) -> bytearray:
    """Light by code of every half hour: the usual day, the log's light over it, its sleep over both."""
    day = ordinary_day(habit(log.habits))
    lit = bytearray(
        day[int(since_waking(begin + (slot + 0.5) * SLOT, log.zone, log.habits) * 2) % SLOTS] for slot in range(count)
    )
    slept = [entry.span for entry in log.entries if entry.word == "sleep"]
    for sleep in slept:
        # A night that is logged takes the place of the usual one near it.
        for slot in _slots(Span(sleep.start - DAY / 2, sleep.end + DAY / 2), begin, count):
            if lit[slot] == DARK:
                lit[slot] = EVENING
    for entry in log.entries:
        if entry.word == "awake":
            for slot in _slots(entry.span, begin, count):
                lit[slot] = lit[slot] or EVENING
        elif entry.word != "sleep":
            for slot in _slots(entry.span, begin, count):
                lit[slot] = _CODES[entry.word]
    for sleep in slept:
        for slot in _slots(sleep, begin, count):
            lit[slot] = DARK
    return lit


def _slots(span: Span, begin: datetime, count: int) -> range:
    return range(max(round((span.start - begin) / SLOT), 0), min(round((span.end - begin) / SLOT), count))


def _on_the_circle(weighed: Sequence[tuple[float, float]], near: float) -> tuple[float, float, float]:
    """The weighted median and band of hours on the circle, the median within half a day of ``near``."""
    x = sum(weight * cos(2 * pi * at / 24) for at, weight in weighed)
    y = sum(weight * sin(2 * pi * at / 24) for at, weight in weighed)
    mean = atan2(y, x) * 12 / pi
    ordered = sorted(((at - mean + 12) % 24 - 12, weight) for at, weight in weighed)
    total = sum(weight for _, weight in ordered)
    quantiles = []
    for share in (0.5, *_BAND):
        gone = 0.0
        for off, weight in ordered:
            gone += weight
            if gone >= share * total:
                quantiles.append(off)
                break
    middle = (mean + quantiles[0] - near + 12) % 24 - 12 + near
    return middle, middle + quantiles[1] - quantiles[0], middle + quantiles[2] - quantiles[0]
