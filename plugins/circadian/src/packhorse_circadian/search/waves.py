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
_W, _MU, _K = pi / 12, _MODEL.mu, _MODEL.k


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
        shape = (hours + 1, schedules, len(self.people))
        xs, ys, ns = np.empty(shape), np.empty(shape), np.empty(shape)
        x, y, n = (np.array(np.broadcast_to(part, shape[1:])) for part in start)
        xs[0], ys[0], ns[0] = x, y, n
        stiff, advancing, delaying = self._stiff, self._advancing, self._delaying
        third, half, sixth = 4 / 3, _W / 2, _W / 6
        for hour in range(hours):
            pair = pairs[hour]
            light = self._plain[pair] - self._used[pair] * n
            light *= np.where(y + _K * x * x > 0, advancing, delaying)
            n = self._fixed[pair] + self._kept[pair] * n
            u, v = x, y
            p_sum, q_sum = 0.0, 0.0
            for weight, ahead in ((1, half), (2, half), (2, _W), (1, 0.0)):
                b = light * (1 - 0.4 * u) * (1 - 0.4 * v)
                p = v + b
                q = _MU * (v - third * (v * v * v)) - u * (stiff + _K * b)
                p_sum = p_sum + weight * p
                q_sum = q_sum + weight * q
                if ahead:
                    u, v = x + ahead * p, y + ahead * q
            x = x + sixth * p_sum
            y = y + sixth * q_sum
            xs[hour + 1], ys[hour + 1], ns[hour + 1] = x, y, n
        return Tracks(first, xs, ys, ns)
