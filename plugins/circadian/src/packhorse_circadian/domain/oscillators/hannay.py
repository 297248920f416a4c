"""Macroscopic models of the clock's cell population: Hannay, Booth & Forger 2019, J Biol Rhythms 34:658."""

from math import cos, pi, sin
from typing import ClassVar

from attrs import field, frozen

from packhorse_circadian.domain.oscillators.retina import Lit, Retina
from packhorse_circadian.domain.oscillators.states import State

_EYE = Retina(alpha_0=0.05, lux_0=9325, power=1.5, beta=0.0075, gain=33.75, saturating=True)


def _past_low(phase: float) -> float:
    """How far ``phase`` is past pi, the low, in radians from -pi to pi."""
    return (phase % (2 * pi)) - pi


@frozen
class Hannay2019:
    """The single-population model. The state is (R, P, n): coherence, phase in radians, receptors in use.

    Its low (CBTmin) is where P passes pi. ``tau`` in hours is the mean period
    of the cells; coupling makes that of the clock about 24.2.
    """

    tau: float = 23.84
    coupling: float = 0.06358
    damping: float = 0.024
    twist: float = -0.09318
    a1: float = 0.3855
    a2: float = 0.1977
    lag1: float = -0.0026
    lag2: float = -0.957756
    sigma: float = 0.0400692
    eye: Retina = field(default=_EYE, repr=False)

    name: ClassVar[str] = "Hannay19"
    low_after_gauge: ClassVar[float] = 0.0
    # At midnight, long entrained to 150 lux from 08 to 24: as in Hannay's `circadian` package.
    initial: ClassVar[State] = (0.82041911, 1.71383697, 0.52318122)

    def slopes(self, y: State, drive: float) -> State:
        """R' and P' per hour under an eye's ``drive``."""
        r, p = y
        r4 = r**4
        one, two = p + self.lag1, 2 * p + self.lag2
        return (
            -self.damping * r
            + self.coupling / 2 * cos(self.twist) * r * (1 - r4)
            + drive / 2 * (self.a1 * (1 - r4) * cos(one) + self.a2 * r * (1 - r4 * r4) * cos(two)),
            2 * pi / self.tau
            + self.coupling / 2 * sin(self.twist) * (1 + r4)
            + drive * (self.sigma - self.a1 / 2 * (r**3 + 1 / r) * sin(one) - self.a2 / 2 * (1 + r4 * r4) * sin(two)),
        )

    def gauge(self, state: State, lit: Lit) -> float:
        """How far P is past pi."""
        return _past_low(state[1])

    def possible(self, state: State) -> bool:
        """Coherence above 0 and up to 1, n a share, the phase any number that still has a fraction."""
        r, p, n = state
        return 0.01 <= r <= 1 and abs(p) < 1e6 and 0 <= n <= 1

    def angle(self, state: State) -> float:
        """P, radians."""
        return state[1]

    def near_low(self, state: State) -> bool:
        """Always: P passes pi once in a cycle."""
        return True


@frozen
class Hannay2019TwoPopulations:
    """The two-population model: light reaches the ventral cells (v), which lead the dorsal ones (d).

    The state is (Rv, Rd, Pv, Pd, n). Its low (CBTmin) is where Pv passes pi.
    """

    tau_v: float = 24.25
    tau_d: float = 24.0
    k_vv: float = 0.05
    k_dd: float = 0.04
    k_vd: float = 0.05
    k_dv: float = 0.01
    damping: float = 0.024
    a1: float = 0.440068
    a2: float = 0.159136
    lag1: float = 0.06452
    lag2: float = -1.38935
    sigma: float = 0.0477375
    eye: Retina = field(default=_EYE, repr=False)

    name: ClassVar[str] = "Hannay19TP"
    low_after_gauge: ClassVar[float] = 0.0
    # At midnight, long entrained to 150 lux from 08 to 24: as in Hannay's `circadian` package.
    initial: ClassVar[State] = (0.82423745, 0.82304996, 1.75233424, 1.863457, 0.52318122)

    def slopes(self, y: State, drive: float) -> State:
        """Rv', Rd', Pv' and Pd' per hour under an eye's ``drive``."""
        rv, rd, pv, pd = y
        rv4, rd4 = rv**4, rd**4
        one, two = pv + self.lag1, 2 * pv + self.lag2
        apart = pd - pv
        light_r = drive / 2 * (self.a1 * (1 - rv4) * cos(one) + self.a2 * rv * (1 - rv4 * rv4) * cos(two))
        light_p = drive * (
            self.sigma - self.a1 / 2 * (rv**3 + 1 / rv) * sin(one) - self.a2 / 2 * (1 + rv4 * rv4) * sin(two)
        )
        return (
            -self.damping * rv + (self.k_vv / 2 * rv + self.k_dv / 2 * rd * cos(apart)) * (1 - rv4) + light_r,
            -self.damping * rd + (self.k_dd / 2 * rd + self.k_vd / 2 * rv * cos(apart)) * (1 - rd4),
            2 * pi / self.tau_v + self.k_dv / 2 * rd * (rv**3 + 1 / rv) * sin(apart) + light_p,
            2 * pi / self.tau_d - self.k_vd / 2 * rv * (rd**3 + 1 / rd) * sin(apart),
        )

    def gauge(self, state: State, lit: Lit) -> float:
        """How far Pv is past pi."""
        return _past_low(state[2])

    def possible(self, state: State) -> bool:
        """Coherences above 0 and up to 1, n a share, phases any numbers that still have a fraction."""
        rv, rd, pv, pd, n = state
        return 0.01 <= rv <= 1 and 0.01 <= rd <= 1 and abs(pv) < 1e6 and abs(pd) < 1e6 and 0 <= n <= 1

    def angle(self, state: State) -> float:
        """Pv, radians."""
        return state[2]

    def near_low(self, state: State) -> bool:
        """Always: Pv passes pi once in a cycle."""
        return True
