"""Two models of the body clock as one limit cycle: the "simpler" one and the revised one, both of 1999."""

from math import atan2, pi
from typing import ClassVar

from attrs import field, frozen

from packhorse_circadian.domain.oscillators.retina import Lit, Retina
from packhorse_circadian.domain.oscillators.states import State

W = pi / 12
DEEP = -0.3
"""A minimum of x above this is no daily low: light switched on makes small ones."""


@frozen
class LimitCycle:
    """What both have in common: a state (x, xc, n), moved by light, whose low follows the minimum of x.

    ``tau`` is the period in hours of the clock in darkness.
    """

    tau: float = 24.2
    k: ClassVar[float] = 0.55
    period_factor: ClassVar[float]

    def stiffness(self) -> float:
        """What pulls x back: it sets the period."""
        return (24 / (self.period_factor * self.tau)) ** 2

    def slopes(self, y: State, drive: float) -> State:
        """Slopes of x and xc per hour under an eye's ``drive``."""
        raise NotImplementedError

    def gauge(self, state: State, lit: Lit) -> float:
        """The slope of x."""
        x, xc, n = state
        return self.slopes((x, xc), lit.drive * (1 - n))[0]

    def possible(self, state: State) -> bool:
        """Within twice the cycle's amplitude, and n a share."""
        x, xc, n = state
        return -2 <= x <= 2 and -2 <= xc <= 2 and 0 <= n <= 1

    def angle(self, state: State) -> float:
        """Phase in the plane of x and -xc, radians."""
        return atan2(-state[1], state[0])

    def near_low(self, state: State) -> bool:
        """In the lower part of the cycle, whose amplitude is about 1."""
        return state[0] < DEEP


def _push(x: float, xc: float, drive: float) -> float:
    return drive * (1 - 0.4 * x) * (1 - 0.4 * xc)


@frozen
class Forger1999(LimitCycle):
    """Forger, Jewett & Kronauer 1999, J Biol Rhythms 14:532. Its low (CBTmin) is the minimum of x."""

    mu: ClassVar[float] = 0.23
    period_factor: ClassVar[float] = 0.99669
    eye: Retina = field(default=Retina(alpha_0=0.05, lux_0=9500, power=0.5, beta=0.0075, gain=33.75), repr=False)

    name: ClassVar[str] = "Forger99"
    low_after_gauge: ClassVar[float] = 0.0
    # At midnight, long entrained to 150 lux from 08 to 24: as in Hannay's `circadian` package.
    initial: ClassVar[State] = (-0.0843259, -1.09607546, 0.45584306)

    def slopes(self, y: State, drive: float) -> State:
        """Slopes of x and xc per hour under an eye's ``drive``."""
        x, xc = y
        b = _push(x, xc, drive)
        return W * (xc + b), W * (self.mu * (xc - 4 / 3 * xc**3) - x * (self.stiffness() + self.k * b))


@frozen
class Jewett1999(LimitCycle):
    """Jewett, Forger & Kronauer 1999, J Biol Rhythms 14:493. Its low (CBTmin) comes 0.8 h after the minimum of x."""

    mu: ClassVar[float] = 0.13
    q: ClassVar[float] = 1 / 3
    period_factor: ClassVar[float] = 0.99729
    eye: Retina = field(default=Retina(alpha_0=0.16, lux_0=9500, power=0.6, beta=0.013, gain=19.875), repr=False)

    name: ClassVar[str] = "Jewett99"
    low_after_gauge: ClassVar[float] = 0.8
    # As above.
    initial: ClassVar[State] = (-0.10097101, -1.21985662, 0.50529415)

    def slopes(self, y: State, drive: float) -> State:
        """Slopes of x and xc per hour under an eye's ``drive``."""
        x, xc = y
        b = _push(x, xc, drive)
        turn = xc + self.mu * (x / 3 + 4 / 3 * x**3 - 256 / 105 * x**7) + b
        return W * turn, W * (self.q * b * xc - x * (self.stiffness() + self.k * b))
