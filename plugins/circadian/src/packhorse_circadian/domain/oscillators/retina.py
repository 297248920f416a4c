"""Process L: how the eye's drive on the clock adapts to light, solved exactly for constant light.

A share n of the light's receptors is used up. With rates alpha (by light) and
beta per minute, n' = 60 (alpha (1 - n) - beta n) per hour, and the drive on
the clock is G alpha (1 - n) (Kronauer, Forger & Jewett 1999, J Biol Rhythms
14:500). For constant light n decays exponentially to alpha / (alpha + beta),
which is used here in place of numerical steps: at 10,000 lux the plain
equation is stiff and goes wrong at steps above a quarter of an hour.
"""

from math import exp

from attrs import frozen


@frozen
class Retina:
    """Process L of one model.

    ``alpha = alpha_0 (lux / lux_0) ** power`` per minute or, where
    ``saturating``, ``alpha_0 lux ** power / (lux ** power + lux_0)``.
    ``beta`` is per minute, ``gain`` a pure number.
    """

    alpha_0: float
    lux_0: float
    power: float
    beta: float
    gain: float
    saturating: bool = False

    def under(self, lux: float) -> "Lit":
        """The eye under constant light of ``lux``.

        Raises:
            ValueError: for light below 0.
        """
        if lux < 0:
            raise ValueError("light is 0 lux or more")
        if not lux:
            alpha = 0.0
        elif self.saturating:
            raised = lux**self.power
            alpha = self.alpha_0 * raised / (raised + self.lux_0)
        else:
            alpha = self.alpha_0 * (lux / self.lux_0) ** self.power
        return Lit(self.gain * alpha, alpha / (alpha + self.beta), 60 * (alpha + self.beta))


@frozen
class Lit:
    """Process L under constant light: the drive before adaptation, where n goes to, and how fast, per hour."""

    drive: float
    rest: float
    rate: float

    def after(self, n: float, hours: float) -> float:
        """Receptors in use after ``hours`` of this light, from ``n``."""
        return self.rest + (n - self.rest) * exp(-self.rate * hours)
