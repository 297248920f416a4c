"""One body's clock under a schedule of light by the half hour, in plain Python.

The limit cycle of Forger, Jewett & Kronauer 1999 is stepped by Runge and
Kutta's fourth-order method an hour at a time, under the mean drive of the
hour; the eye's adaptation within it is exact.
"""

from collections.abc import Sequence
from math import exp, pi
from typing import NamedTuple

from packhorse_circadian.domain.oscillators.limit_cycle import Forger1999

State = tuple[float, float, float]
"""x, xc and n of the model."""

HALF = 0.5
"""Hours of a light."""
_W = pi / 12
_MODEL = Forger1999()
_MU, _K = _MODEL.mu, _MODEL.k
_EYE = _MODEL.eye


class Hour(NamedTuple):
    """An hour of two lights: n becomes ``to`` + n ``by``, and the mean drive is ``base`` - n ``slope``."""

    to: float
    by: float
    base: float
    slope: float


class Run(NamedTuple):
    """Hours of each low (`xc` rising through zero below `x` = 0) from hour 0, and the state at each hour."""

    lows: list[float]
    states: list[State]


def stiffness(period: float) -> float:
    """The model's constant of the period in darkness, in hours."""
    return (24 / (_MODEL.period_factor * period)) ** 2


def hours(levels: Sequence[float]) -> tuple[Hour, ...]:
    """An hour of each pair of light ``levels`` in lux, half of it of each; of codes a and b at a * levels + b."""
    halves = []
    for lux in levels:
        lit = _EYE.under(lux)
        left = exp(-lit.rate * HALF)
        mean = (1 - left) / (lit.rate * HALF)
        halves.append((lit.rest, left, lit.drive * (1 - lit.rest * (1 - mean)), lit.drive * mean))
    found = []
    for rest, left, base, slope in halves:
        to = rest * (1 - left)
        for rest2, left2, base2, slope2 in halves:
            drive, fall = base + base2 - slope2 * to, slope + slope2 * left
            found.append(Hour(rest2 * (1 - left2) + left2 * to, left * left2, drive / 2, fall / 2))
    return tuple(found)


def follow(
    state: State,
    codes: Sequence[int],
    stiff: float,
    gains: tuple[float, float],
    lights: tuple[Hour, ...],
    first: int = 0,
) -> Run:
    """The course from ``state`` at hour ``first`` through ``codes`` of hours (see `hours`) to their end.

    The low of a step is where xc passes zero, interpolated: the clock's own
    low, without what light adds to temperature for the moment.
    """
    x, xc, n = state
    advancing, delaying = gains
    w, mu, mu3, k = _W, _MU, _MU * 4 / 3, _K
    w2, w6 = w / 2, w / 6
    lows: list[float] = []
    states = [state]
    for hour, code in enumerate(codes[first:], first):
        to, by, base, slope = lights[code]
        light = base - n * slope
        n = to + n * by
        before = xc
        if light:
            # 1 - 0.4 x is 0.4 (2.5 - x): the two factors of the drive stand in the light.
            light *= 0.16 * (advancing if xc + k * x * x > 0 else delaying)
            b = light * (2.5 - x) * (2.5 - xc)
            p1 = xc + b
            q1 = xc * (mu - mu3 * xc * xc) - x * (stiff + k * b)
            u, v = x + w2 * p1, xc + w2 * q1
            b = light * (2.5 - u) * (2.5 - v)
            p2 = v + b
            q2 = v * (mu - mu3 * v * v) - u * (stiff + k * b)
            u, v = x + w2 * p2, xc + w2 * q2
            b = light * (2.5 - u) * (2.5 - v)
            p3 = v + b
            q3 = v * (mu - mu3 * v * v) - u * (stiff + k * b)
            u, v = x + w * p3, xc + w * q3
            b = light * (2.5 - u) * (2.5 - v)
            x += w6 * (p1 + 2 * (p2 + p3) + v + b)
            xc += w6 * (q1 + 2 * (q2 + q3) + v * (mu - mu3 * v * v) - u * (stiff + k * b))
        else:
            q1 = xc * (mu - mu3 * xc * xc) - x * stiff
            u, v = x + w2 * xc, xc + w2 * q1
            p2, q2 = v, v * (mu - mu3 * v * v) - u * stiff
            u, v = x + w2 * p2, xc + w2 * q2
            p3, q3 = v, v * (mu - mu3 * v * v) - u * stiff
            u, v = x + w * p3, xc + w * q3
            x += w6 * (xc + 2 * (p2 + p3) + v)
            xc += w6 * (q1 + 2 * (q2 + q3) + v * (mu - mu3 * v * v) - u * stiff)
        if before < 0 <= xc and x < 0:
            lows.append(hour + before / (before - xc))
        states.append((x, xc, n))
    return Run(lows, states)
