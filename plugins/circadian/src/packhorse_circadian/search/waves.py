"""Many schedules of light run over many bodies at once, as arrays: a wave.

The same clock and step as `domain.population.clock`, with one column for each
schedule and body.
"""

from collections.abc import Sequence
from math import pi

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from packhorse_circadian.domain.oscillators.limit_cycle import Forger1999
from packhorse_circadian.domain.population.bodies import CODES, Body

Floats = NDArray[np.float64]

_MODEL = Forger1999()
_W, _MU, _K, _THIRD = pi / 12, _MODEL.mu, _MODEL.k, 4 / 3
_STEPS = ((1, _W / 2), (2, _W / 2), (2, _W), (1, 0.0))
"""Of one hour by Runge and Kutta: the weight of each slope, and how far it is followed to the next."""


@frozen(eq=False, repr=False)
class Tracks:
    """Courses from hour ``first`` on: x, xc and n, each of shape (hours + 1, schedules, bodies)."""

    first: int
    x: Floats
    xc: Floats
    n: Floats

    def at(self, hour: int) -> tuple[Floats, Floats, Floats]:
        """The states at one hour, each of shape (schedules, bodies)."""
        k = hour - self.first
        return self.x[k], self.xc[k], self.n[k]

    @property
    def last(self) -> int:
        """The hour at which they end."""
        return self.first + len(self.x) - 1

    def of(self, schedule: int) -> "Tracks":
        """The courses under one of the schedules."""
        k = slice(schedule, schedule + 1)
        return Tracks(self.first, self.x[:, k], self.xc[:, k], self.n[:, k])

    def followed_by(self, after: "Tracks") -> "Tracks":
        """These up to the first hour of ``after``, then those."""
        k = after.first - self.first
        parts = ((self.x, after.x), (self.xc, after.xc), (self.n, after.n))
        return Tracks(self.first, *(np.concatenate([ours[:k], theirs]) for ours, theirs in parts))

    def lows(self) -> Floats:
        """The hour of the low within each hour, of shape (hours, schedules, bodies); infinite where there is none."""
        before, after = self.xc[:-1], self.xc[1:]
        passed = (before < 0) & (after >= 0) & (self.x[1:] < 0)
        hours = np.arange(self.first, self.first + len(before), dtype=float)[:, None, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(passed, hours + before / (before - after), np.inf)


class Waves:
    """A population ready to be run under schedules of light by code (see `bodies`)."""

    def __init__(self, people: Sequence[Body]) -> None:
        """Tables of an hour's light by the codes of its two halves, for each body."""
        self.people = tuple(people)
        self._stiff = np.array([body.stiffness for body in people])
        self._advancing = np.array([body.advancing for body in people])
        self._delaying = np.array([body.delaying for body in people])
        hours = np.array([body.hours for body in people])  # bodies, pairs of codes, 4
        # n after an hour is fixed + kept n, and its light plain - used n.
        self._fixed, self._kept, self._plain, self._used = hours.transpose(2, 1, 0)

    def run(self, lit: NDArray[np.uint8], first: int, start: tuple[Floats, Floats, Floats]) -> Tracks:
        """Courses from ``start`` under ``lit``, of shape (schedules, slots), whose slot 0 is at hour ``first``."""
        pairs = (lit[:, 0::2].astype(np.intp) * CODES + lit[:, 1::2]).T
        hours, schedules = pairs.shape
        one = (schedules, len(self.people))
        both, ns = np.empty((hours + 1, 2, *one)), np.empty((hours + 1, *one))
        both[0, 0], both[0, 1], ns[0] = start
        # Everything below is written into these: to make an array for each step takes longer than to fill it.
        ahead_of, slopes, total, spare = (np.empty((2, *one)) for _ in range(4))
        light, b, part = (np.empty(one) for _ in range(3))
        u, v = ahead_of
        p, q = slopes
        for hour in range(hours):
            pair, n = pairs[hour], ns[hour]
            x, y = both[hour]
            np.subtract(self._plain[pair], np.multiply(self._used[pair], n, out=part), out=light)
            np.add(y, np.multiply(np.multiply(x, _K, out=part), x, out=part), out=part)
            light *= np.where(part > 0, self._advancing, self._delaying)
            np.add(self._fixed[pair], np.multiply(self._kept[pair], n, out=part), out=ns[hour + 1])
            ahead_of[:] = both[hour]
            total[:] = 0
            for weight, ahead in _STEPS:
                np.subtract(1, np.multiply(ahead_of, 0.4, out=spare), out=spare)
                np.multiply(np.multiply(light, spare[0], out=b), spare[1], out=b)
                np.add(v, b, out=p)
                np.multiply(np.multiply(v, v, out=part), v, out=part)
                np.multiply(np.subtract(v, np.multiply(part, _THIRD, out=part), out=part), _MU, out=q)
                np.multiply(np.add(np.multiply(b, _K, out=part), self._stiff, out=part), u, out=part)
                q -= part
                total += np.multiply(slopes, weight, out=spare)
                if ahead:
                    np.add(both[hour], np.multiply(slopes, ahead, out=spare), out=ahead_of)
            np.add(both[hour], np.multiply(total, _W / 6, out=spare), out=both[hour + 1])
        return Tracks(first, both[:, 0], both[:, 1], ns)
