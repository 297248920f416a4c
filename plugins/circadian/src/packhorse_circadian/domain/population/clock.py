"""One body's clock under a schedule of light by the half hour, in plain Python.

The limit cycle of Forger, Jewett & Kronauer 1999 is stepped by Runge and
Kutta's fourth-order method an hour at a time, under the mean drive of the
hour; the eye's adaptation within it is exact.
"""

from math import exp, pi
from typing import NamedTuple

from packhorse_circadian.domain.oscillators.forger import Forger1999

State = tuple[float, float, float]
"""x, xc and n of the model."""

HALF = 0.5
"""Hours of a slot."""
_W = pi / 12
_MODEL = Forger1999()
_MU, _K = _MODEL.mu, _MODEL.k
_EYE = _MODEL.eye


class Pace(NamedTuple):
    """Half an hour of one light: where the used receptors go, what is left of the way, the drive and its mean."""

    rest: float
    left: float
    drive: float
    mean_left: float


class Run(NamedTuple):
    """Hours of each low (`xc` rising through zero below `x` = 0) from slot 0, and the state at each full hour."""

    lows: list[float]
    states: list[State]


def stiffness(period: float) -> float:
    """The model's constant of the period in darkness, in hours."""
    return (24 / (_MODEL.period_factor * period)) ** 2


def pace(lux: float) -> Pace:
    """Half an hour under ``lux``."""
    lit = _EYE.under(lux)
    left = exp(-lit.rate * HALF)
    return Pace(lit.rest, left, lit.drive, (1 - left) / (lit.rate * HALF))


def follow(
    state: State,
    codes: bytes | bytearray,
    stiff: float,
    gains: tuple[float, float],
    paces: tuple[Pace, ...],
    first: int = 0,
    last: int | None = None,
) -> Run:
    """The course from ``state`` at slot ``first`` (an even one) through ``codes`` up to slot ``last``.

    The low of a step is where xc passes zero, interpolated: the clock's own
    low, without what light adds to temperature for the moment.
    """
    x, xc, n = state
    advancing, delaying = gains
    w, mu, k, third = _W, _MU, _K, 4 / 3
    w2, w6 = w / 2, w / 6
    lows: list[float] = []
    states = [state]
    for slot in range(first, (len(codes) if last is None else last) - 1, 2):
        rest, left, drive, mean = paces[codes[slot]]
        off = n - rest
        light = drive * (1 - rest - off * mean)
        n = rest + off * left
        rest, left, drive, mean = paces[codes[slot + 1]]
        off = n - rest
        light = (light + drive * (1 - rest - off * mean)) / 2
        n = rest + off * left
        light *= advancing if xc + k * x * x > 0 else delaying

        b = light * (1 - 0.4 * x) * (1 - 0.4 * xc)
        p1 = xc + b
        q1 = mu * (xc - third * xc * xc * xc) - x * (stiff + k * b)
        u, v = x + w2 * p1, xc + w2 * q1
        b = light * (1 - 0.4 * u) * (1 - 0.4 * v)
        p2 = v + b
        q2 = mu * (v - third * v * v * v) - u * (stiff + k * b)
        u, v = x + w2 * p2, xc + w2 * q2
        b = light * (1 - 0.4 * u) * (1 - 0.4 * v)
        p3 = v + b
        q3 = mu * (v - third * v * v * v) - u * (stiff + k * b)
        u, v = x + w * p3, xc + w * q3
        b = light * (1 - 0.4 * u) * (1 - 0.4 * v)
        x, before = x + w6 * (p1 + 2 * (p2 + p3) + v + b), xc
        xc += w6 * (q1 + 2 * (q2 + q3) + mu * (v - third * v * v * v) - u * (stiff + k * b))
        if before < 0 <= xc and x < 0:
            lows.append(slot * HALF + before / (before - xc))
        states.append((x, xc, n))
    return Run(lows, states)
