"""The revised limit-cycle model: Jewett, Forger & Kronauer 1999, J Biol Rhythms 14:493."""

from math import atan2
from typing import ClassVar

from attrs import field, frozen

from packhorse_circadian.domain.oscillators.forger import DEEP, W
from packhorse_circadian.domain.oscillators.retina import Lit, Retina
from packhorse_circadian.domain.oscillators.states import State


@frozen
class Jewett1999:
    """Parameters as published; ``tau`` is the period in hours of the clock in darkness.

    The state is (x, xc, n). Its low (CBTmin) comes 0.8 h after the minimum of x.
    """

    tau: float = 24.2
    mu: float = 0.13
    q: float = 1 / 3
    k: float = 0.55
    period_factor: float = 0.99729
    eye: Retina = field(default=Retina(alpha_0=0.16, lux_0=9500, power=0.6, beta=0.013, gain=19.875), repr=False)

    name: ClassVar[str] = "Jewett99"
    low_after_gauge: ClassVar[float] = 0.8
    # At midnight, long entrained to 150 lux from 08 to 24: as in Hannay's `circadian` package.
    initial: ClassVar[State] = (-0.10097101, -1.21985662, 0.50529415)

    def slopes(self, y: State, drive: float) -> State:
        """Slopes of x and xc per hour under an eye's ``drive``."""
        x, xc = y
        b = drive * (1 - 0.4 * x) * (1 - 0.4 * xc)
        stiffness = (24 / (self.period_factor * self.tau)) ** 2
        return (
            W * (xc + self.mu * (x / 3 + 4 / 3 * x**3 - 256 / 105 * x**7) + b),
            W * (self.q * b * xc - x * (stiffness + self.k * b)),
        )

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
