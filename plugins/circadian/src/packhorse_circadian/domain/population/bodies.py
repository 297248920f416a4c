"""One body of the population, drawn from the published spread, and the day that holds its clock."""

import tomllib
from functools import cache, lru_cache
from math import exp
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any, NamedTuple

from packhorse_circadian.domain.population.clock import HALF, Pace, State, follow, pace, stiffness

DARK, DIM, CABIN, EVENING, INDOOR, OUTDOOR, BRIGHT = range(7)
"""Codes of the light of half an hour."""
SLOTS = 48
"""Half hours of a day."""
_HABIT_DAYS = 40
_SUNRISE, _SUNSET = 7.0, 19.0
_NORMAL = NormalDist()
_DIMENSIONS = 7


@cache
def parameters() -> dict[str, Any]:
    """The population's parameters, with their sources beside them in the file."""
    return tomllib.loads(Path(__file__).with_name("population.toml").read_text("utf-8"))


class Habit(NamedTuple):
    """An ordinary day: hours of the clock at waking, and hours asleep."""

    wake: float = 7.0
    asleep: float = 8.0


class Body(NamedTuple):
    """One body: its clock, its light by code, and where it starts.

    ``low`` is its entrained low in hours after waking; ``day`` its entrained
    state at each hour after waking; ``late`` the hours by which its clock
    starts off that.
    """

    stiffness: float
    advancing: float
    delaying: float
    paces: tuple[Pace, ...]
    low: float
    day: tuple[State, ...]
    late: float

    def start(self, since_wake: float) -> State:
        """The state of its first day at so many hours after waking."""
        at = (since_wake - self.late) % 24
        k = int(at)
        part = at - k
        here, there = self.day[k % 24], self.day[(k + 1) % 24]
        return (
            here[0] + (there[0] - here[0]) * part,
            here[1] + (there[1] - here[1]) * part,
            here[2] + (there[2] - here[2]) * part,
        )


class Traits(NamedTuple):
    """Standard normal quantiles of one body: period, drive, skew, indoor, outdoor and bright light, start."""

    period: float
    drive: float
    skew: float
    indoor: float
    outdoor: float
    bright: float
    start: float


def ordinary_day(habit: Habit) -> tuple[int, ...]:
    """Light by code of each half hour after waking: indoors, evening, outdoors three times, and the night.

    Somebody who wakes late in the day goes outdoors only while there is daylight.
    """
    day = parameters()["day"]
    found = []
    for slot in range(SLOTS):
        since = (slot + HALF) * HALF
        code = INDOOR if since < day["evening_from"] else EVENING
        clock = (habit.wake + since) % 24
        if any(first <= since < last for first, last in day["outdoors"]) and _SUNRISE <= clock < _SUNSET:
            code = OUTDOOR
        found.append(DARK if since >= 24 - habit.asleep else code)
    return tuple(found)


def lux(traits: Traits, told_bright: float | None = None) -> tuple[float, ...]:
    """The light of each code for one body; ``told_bright`` where the traveller says it."""
    light = parameters()["light"]

    def drawn(name: str, z: float) -> float:
        return float(light[name] * exp(light[f"{name}_spread"] * z))

    indoor = min(max(drawn("indoor", traits.indoor), light["indoor_least"]), light["indoor_most"])
    bright = min(max(drawn("bright", traits.bright), light["bright_least"]), light["bright_most"])
    if told_bright is not None:
        bright = told_bright
    evening = light["evening_share"] * indoor
    return (0.0, light["dim"], light["cabin"], evening, indoor, drawn("outdoor", traits.outdoor), bright)


def body(traits: Traits, habit: Habit, told_bright: float | None = None, mean_period: float | None = None) -> Body:
    """The body of these traits after weeks of ``habit``."""
    given = parameters()
    period, drive = given["period"], given["drive"]
    off = min(max(period["sd"] * traits.period, -period["most_off"]), period["most_off"])
    common, skew = exp(drive["spread"] * traits.drive), exp(drive["skew"] * traits.skew)
    stiff = stiffness((mean_period or period["mean"]) + off)
    gains = (drive["advancing"] * common * skew, drive["delaying"] * common / skew)
    paces = tuple(pace(level) for level in lux(traits, told_bright))
    day = bytes(ordinary_day(habit))
    run = follow(_EARLY, day * _HABIT_DAYS, stiff, gains, paces)
    low = run.lows[-1] % 24 if run.lows else 12.0
    low = low - 24 if low > 12 else low
    return Body(stiff, *gains, paces, low, tuple(run.states[-25:-1]), given["person"]["start_sd"] * traits.start)


def held(one: Body) -> bool:
    """Whether a body's low lies where a normal life keeps it."""
    person = parameters()["person"]
    return bool(person["low_earliest"] <= one.low <= person["low_latest"])


_EARLY: State = (0.4, -0.9, 0.5)
"""Of a normal sleeper on waking, about."""


def stratified(count: int, seed: int) -> list[Traits]:
    """``count`` traits, of which each share of every quantile holds its share (a Latin hypercube)."""
    random = Random(seed)  # noqa: S311  # a sample, not a secret
    columns = []
    for _ in range(_DIMENSIONS):
        column = [_NORMAL.inv_cdf((k + random.random()) / count) for k in range(count)]
        random.shuffle(column)
        columns.append(column)
    return [Traits(*row) for row in zip(*columns, strict=True)]


@lru_cache(maxsize=16)
def bodies(
    count: int, seed: int, habit: Habit, told_bright: float | None = None, mean_period: float | None = None
) -> tuple[Body, ...]:
    """Up to ``count`` bodies that live by ``habit``; those that it does not hold are left out.

    Hours that hold less than half of them, of people who sleep by day or little, are lived all the same: then all stay.
    """
    drawn = tuple(body(traits, habit, told_bright, mean_period) for traits in stratified(count, seed))
    kept = tuple(one for one in drawn if held(one))
    return kept if len(kept) * 2 >= count else drawn
