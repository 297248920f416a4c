"""What every model has in common, and one step of any of them."""

from typing import Protocol

from packhorse_circadian.domain.oscillators.retina import Lit, Retina

State = tuple[float, ...]
"""A model's own variables and, last, n: the receptors in use (see `retina`)."""


class Oscillator(Protocol):
    """A published model: its eye, its equations and where its low is."""

    @property
    def name(self) -> str:
        """As published implementations call it."""

    @property
    def eye(self) -> Retina:
        """Process L with this model's constants."""

    @property
    def initial(self) -> State:
        """A state at midnight of a long entrained sleeper."""

    def slopes(self, y: State, drive: float) -> State:
        """Derivatives per hour of all variables but n, under an eye's ``drive``."""

    @property
    def low_after_gauge(self) -> float:
        """Hours from where the gauge turns positive to the low (CBTmin)."""

    def gauge(self, state: State, lit: Lit) -> float:
        """Negative before the model's marker of the low, positive after it."""

    def possible(self, state: State) -> bool:
        """Whether the model can be there at all."""

    def angle(self, state: State) -> float:
        """Phase in radians, growing with time."""

    def near_low(self, state: State) -> bool:
        """Whether a turn of the gauge here is the daily low, and not a ripple of the light."""


def step(model: Oscillator, state: State, lit: Lit, hours: float) -> State:
    """The state ``hours`` later under constant light: n exactly, the rest by one Runge-Kutta step of fourth order."""
    *variables, n = state
    y = tuple(variables)
    n_middle, n_end = lit.after(n, hours / 2), lit.after(n, hours)
    start, middle, end = (lit.drive * (1 - used) for used in (n, n_middle, n_end))
    half = hours / 2
    k1 = model.slopes(y, start)
    k2 = model.slopes(tuple(a + half * b for a, b in zip(y, k1, strict=True)), middle)
    k3 = model.slopes(tuple(a + half * b for a, b in zip(y, k2, strict=True)), middle)
    k4 = model.slopes(tuple(a + hours * b for a, b in zip(y, k3, strict=True)), end)
    sixth = hours / 6
    moved = (a + sixth * (b + 2 * (c + d) + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4, strict=True))
    return (*moved, n_end)
