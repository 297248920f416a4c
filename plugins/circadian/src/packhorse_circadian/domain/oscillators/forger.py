"""The "simpler" model of the body clock: Forger, Jewett & Kronauer 1999, J Biol Rhythms 14:532."""

from math import atan2, pi
from typing import ClassVar

from attrs import field, frozen

from packhorse_circadian.domain.oscillators.retina import Lit, Retina
from packhorse_circadian.domain.oscillators.states import State

W = pi / 12
DEEP = -0.3
"""A minimum of x above this is no daily low: light switched on makes small ones."""


@frozen
class Forger1999:
    """Parameters as published; ``tau`` is the period in hours of the clock in darkness.

    The state is (x, xc, n). Its low (CBTmin) is the minimum of x.
    """

    tau: float = 24.2
    mu: float = 0.23
    k: float = 0.55
    period_factor: float = 0.99669
    eye: Retina = field(default=Retina(alpha_0=0.05, lux_0=9500, power=0.5, beta=0.0075, gain=33.75), repr=False)

    name: ClassVar[str] = "Forger99"
    low_after_gauge: ClassVar[float] = 0.0
    # At midnight, long entrained to 150 lux from 08 to 24: as in Hannay's `circadian` package.
    initial: ClassVar[State] = (-0.0843259, -1.09607546, 0.45584306)

    def slopes(self, y: State, drive: float) -> State:
        """Slopes of x and xc per hour under an eye's ``drive``."""
        x, xc = y
        b = drive * (1 - 0.4 * x) * (1 - 0.4 * xc)
        stiffness = (24 / (self.period_factor * self.tau)) ** 2
        return (
            W * (xc + b),
            W * (self.mu * (xc - 4 / 3 * xc**3) - x * (stiffness + self.k * b)),
        )

    def gauge(self, state: State, lit: Lit) -> float:
        """The slope of x: the low is its minimum."""
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
