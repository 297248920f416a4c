"""One body of the population, drawn from the published spread, and the day that holds its clock."""

import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp
from pathlib import Path
from random import Random
from statistics import NormalDist
from typing import Any, NamedTuple

from packhorse_circadian.domain.population.clock import HALF, Hour, State, follow, hours, model_state, stiffness

DARK, DIM, CABIN, EVENING, INDOOR, OUTDOOR, BRIGHT = range(CODES := 7)
"""Codes of the light of half an hour."""
SLOTS = 48
"""Half hours of a day."""
_HABIT_DAYS = 40
_STILL = 0.002
"""Hours by which a low moves from a day to the next when its clock counts as held: within 0.02 h of where it ends."""
_SUNRISE, _SUNSET = 7.0, 19.0
_NORMAL = NormalDist()
_DIMENSIONS = 7


@cache
def parameters() -> dict[str, Any]:
    """The population's parameters, with their sources beside them in the file."""
    return tomllib.loads(Path(__file__).with_name("population.toml").read_text("utf-8"))


def paired(codes: Sequence[int]) -> bytes:
    """Codes of half hours as codes of hours."""
    return bytes(a * CODES + b for a, b in zip(codes[::2], codes[1::2], strict=False))


class Habit(NamedTuple):
    """An ordinary day: hours of the clock at waking, and hours asleep."""

    wake: float = 7.0
    asleep: float = 8.0


class Body(NamedTuple):
    """One body: its clock, an hour of each light, and where it starts.

    ``low`` is its entrained low in hours after waking; ``day`` its entrained
    state at each hour after waking; ``late`` the hours by which its clock
    starts off that.
    """

    stiffness: float
    advancing: float
    delaying: float
    hours: tuple[Hour, ...]
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

    def model_start(self, since_wake: float) -> State:
        """The same for the model's equations."""
        return model_state(self.start(since_wake), self.stiffness)


@lru_cache(maxsize=64)
def _day(habit: Habit) -> bytes:
    return paired(ordinary_day(habit))


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


@lru_cache(maxsize=2048)
def _lights(traits: Traits, told_bright: float | None) -> tuple[Hour, ...]:
    """An hour of each pair of lights for one body."""
    return hours(lux(traits, told_bright))


class _Held(NamedTuple):
    """A clock held by an ordinary day: its constants, its low in hours after waking, its state at each hour of it."""

    stiffness: float
    gains: tuple[float, float]
    low: float
    day: tuple[State, ...]


@lru_cache(maxsize=4096)
def _entrained(traits: Traits, day: bytes, period: float) -> _Held:
    """The clock of these traits after weeks of ``day``, until its low stays where it is."""
    given = parameters()
    drive = given["drive"]
    off = min(max(given["period"]["sd"] * traits.period, -given["period"]["most_off"]), given["period"]["most_off"])
    common, skew = exp(drive["spread"] * traits.drive), exp(drive["skew"] * traits.skew)
    stiff = stiffness(period + off)
    gains = (drive["advancing"] * common * skew, drive["delaying"] * common / skew)
    lights = _lights(traits, None)
    usual = _day(Habit())
    state = _EARLY if day == usual else _entrained(traits, usual, period).day[0]
    states, low = [state], 12.0
    for _ in range(_HABIT_DAYS):
        run = follow(states[-1], day, stiff, gains, lights)
        states, before = run.states, low
        low = (run.lows[-1] + 12) % 24 - 12 if run.lows else low
        if run.lows and abs(low - before) < _STILL:
            break
    return _Held(stiff, gains, low, tuple(states[:-1]))


def body(traits: Traits, habit: Habit, told_bright: float | None = None, mean_period: float | None = None) -> Body:
    """The body of these traits after weeks of ``habit``."""
    given = parameters()
    clock = _entrained(traits, _day(habit), mean_period or given["period"]["mean"])
    lights = _lights(traits, told_bright)
    late = given["person"]["start_sd"] * traits.start
    return Body(clock.stiffness, *clock.gains, lights, clock.low, clock.day, late)


def held(one: Body) -> bool:
    """Whether a body's low lies where a normal life keeps it."""
    person = parameters()["person"]
    return bool(person["low_earliest"] <= one.low <= person["low_latest"])


_EARLY: State = (0.279, -0.944, 0.5)
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


@lru_cache(maxsize=64)
def bodies(
    count: int, seed: int, habit: Habit, told_bright: float | None = None, mean_period: float | None = None
) -> tuple[Body, ...]:
    """Up to ``count`` bodies that live by ``habit``; those that it does not hold are left out.

    Hours that hold less than half of them, of people who sleep by day or little, are lived all the same: then all stay.
    """
    drawn = tuple(body(traits, habit, told_bright, mean_period) for traits in stratified(count, seed))
    kept = tuple(one for one in drawn if held(one))
    return kept if len(kept) * 2 >= count else drawn
