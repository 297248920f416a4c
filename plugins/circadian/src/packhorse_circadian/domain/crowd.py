"""The population on one trip: each body's lows under a schedule of light, its days to arrive, and light that errs."""

import cmath
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, floor, tau

from attrs import frozen

from packhorse_circadian.domain.population.bodies import Body, Habit, Traits, bodies, body, paired, parameters
from packhorse_circadian.domain.population.clock import State, follow
from packhorse_circadian.domain.timeline import Timeline, habit
from packhorse_circadian.domain.trip import Trip

COUNT, SEED = 40, 27
"""Bodies that a plan is chosen for and counted over: of 60 stratified samples that whose days come nearest to those of
500 (``benchmarks/circadian_rows.py --sample``)."""

OTHERS = 20, 28
"""More bodies, that see a plan once it is chosen: with them light is cut and valued."""

ARRIVED = 1.0
"""Hours of error at the low below which somebody counts as adapted: the bar of the published comparisons."""
CAPPED = 20.0
"""Days: what is counted for a body that has not arrived by the end of the simulation."""

# Light moves the clock within about 7 h of the low (Khalsa et al. 2003, J Physiol 549:945). A body more than 10 h off
# may go either way round.
REACH, EITHER_WAY = 7.0, 10.0
SETTLED, AT_REST = 0.95, 0.5
"""Hours of error in ordinary light below which a clock is not followed further: it gets nearer still. On a short stay
half an hour counts."""


@frozen(eq=False, repr=False)
class Life:
    """One body's course: hours of its lows from the start, hours late of each, and its state every hour."""

    lows: tuple[float, ...]
    late: tuple[float, ...]
    states: tuple[State, ...]

    def near(self, hours: float) -> int:
        """Which low is nearest to ``hours``."""
        k = bisect_left(self.lows, hours)
        if k and (k == len(self.lows) or hours - self.lows[k - 1] <= self.lows[k] - hours):
            return k - 1
        return k

    def arrives(self, landed: float) -> float:
        """Days after landing from which every low is within an hour, interpolated between lows."""
        lows, late = self.lows, self.late
        for k in range(len(lows) - 1, -1, -1):
            if abs(late[k]) >= ARRIVED:
                if k == len(lows) - 1:
                    return CAPPED
                here, there = abs(late[k]), abs(late[k + 1])
                at = lows[k] + (here - ARRIVED) / (here - there) * (lows[k + 1] - lows[k])
                return min(max((at - landed) / 24, 0.0), CAPPED)
        return 0.0

    def meets_wrong_side(self, start: float, end: float) -> bool:
        """Whether bright light from ``start`` to ``end`` (hours) has more of it on the wrong side of the nearest low.

        A body that has arrived, and one about half a day off, has none.
        """
        if not self.lows:
            return False
        k = self.near((start + end) / 2)
        low, late = self.lows[k], self.late[k]
        if not ARRIVED <= abs(late) <= EITHER_WAY:
            return False
        before = min(end, low) - max(start, low - REACH)
        behind = min(end, low + REACH) - max(start, low)
        return max(before, 0) > max(behind, 0) if late > 0 else max(behind, 0) > max(before, 0)


@frozen(eq=False, repr=False)
class Crowd:
    """Bodies on one timeline, each from its own state at the start."""

    line: Timeline
    people: tuple[Body, ...]
    starts: tuple[State, ...]
    settled: float = SETTLED

    def follow(
        self, lit: bytes | bytearray, quiet: int, before: Sequence[Life] | None = None, first: int = 0
    ) -> tuple[Life, ...]:
        """Every body's course under ``lit``, in which from slot ``quiet`` on all light is ordinary.

        ``before`` holds their courses under light that is the same up to slot ``first``.
        """
        lives = before or (None,) * len(self.people)
        codes = paired(lit)
        return tuple(
            self._one(who, start, codes, -(-quiet // 2), life, first // 2)
            for who, start, life in zip(self.people, self.starts, lives, strict=True)
        )

    def _one(self, who: Body, start: State, codes: bytes, quiet: int, before: Life | None, at: int) -> Life:
        lows, late, states = list[float](), list[float](), [start]
        if before is None:
            at = 0
        else:
            at = min(at, len(before.states) - 1)
            states = list(before.states[: at + 1])
            lows = [low for low in before.lows if low < at]
            late = list(before.late[: len(lows)])
        gains = (who.advancing, who.delaying)
        while at < len(codes):
            until = quiet if at < quiet else max(at + 3, int(lows[-1]) + 26) if lows else at + 24
            run = follow(states[-1], codes[:until], who.stiffness, gains, who.hours, at)
            states += run.states[1:]
            for low in run.lows:
                lows.append(low)
                late.append(self.line.late(low, who.low))
            at = until
            if lows and lows[-1] >= quiet and abs(late[-1]) < self.settled:
                break
        return Life(tuple(lows), tuple(late), tuple(states))


def crowd(line: Timeline, people: tuple[Body, ...], states: Callable[[Body], State] | None = None) -> Crowd:
    """``people`` on a timeline, each from its own first day or from the state that ``states`` gives."""
    return Crowd(line, people, tuple(states(one) if states else one.start(line.since_waking) for one in people))


def population(trip: Trip, count: int = COUNT, seed: int = SEED) -> tuple[Body, ...]:
    """Bodies of the traveller's sleep, light and type."""
    return bodies(count, seed, habit(trip.habits), trip.bright_lux, parameters()["period"][trip.chronotype])


@lru_cache(maxsize=16)
def _median(asleep: Habit, bright: float | None, period: float) -> Body:
    return body(Traits(0, 0, 0, 0, 0, 0, 0), asleep, bright, period)


def median_body(trip: Trip) -> Body:
    """The body in the middle of every spread."""
    return _median(habit(trip.habits), trip.bright_lux, parameters()["period"][trip.chronotype])


def quantile(values: Sequence[float], share: float) -> float:
    """The ``share`` quantile, interpolated between values in the middle of their ranks."""
    ordered = sorted(values)
    at = min(max(share * len(ordered) - 0.5, 0), len(ordered) - 1)
    low, high = ordered[floor(at)], ordered[ceil(at)]
    return low + (high - low) * (at - floor(at))


def typical_low(lives: Sequence[Life], near: float) -> tuple[float, float]:
    """The bodies' lows nearest to ``near``, in hours from the start: their circular mean, and how far they agree.

    That is the mean resultant length, from 0 (all round the clock) to 1 (Mardia & Jupp 2000, Directional Statistics).
    """
    lows = [life.lows[min(life.near(near), len(life.lows) - 1)] for life in lives]
    mean = sum(cmath.exp(1j * tau * low / 24) for low in lows) / len(lows)
    return near + (cmath.phase(mean) / tau * 24 - near + 12) % 24 - 12, abs(mean)
