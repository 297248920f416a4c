"""Forger's model in slots of half an hour, unrolled for speed, and its entrained day.

The equations are those of `oscillators.forger`; a test holds the two
together. Hundreds of candidate plans are simulated for each answer, so the
step is written out: no calls, no powers, no exponentials inside the loop.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, sqrt

from attrs import field, frozen

from packhorse_circadian.domain.oscillators.forger import Forger1999, W

SLOT = 0.5
"""Hours."""
DAY_SLOTS = 48

DARK, AMBIENT, BRIGHT, DIM, CABIN = range(5)
"""What the light of a slot can be."""

DIM_LUX = 10.0
"""Behind dark or amber glasses, or by a candle."""
CABIN_LUX = 50.0
"""A cabin with its lights low and the blinds down."""

# Of the oscillator (Forger, Jewett & Kronauer 1999): stiffness of the cycle, its cubic term, and how far light changes
# the period.
MU = 0.23
CUBIC = MU * 4 / 3
FEEDBACK = 0.55

State = tuple[float, float, float]
Level = tuple[float, float, float, float, float, float]
"""Drive before adaptation, where n goes to, and how much of its distance is left after 1/4, 1/2, 1 and 2 hours."""

ENTRAINED_DAYS = 40


@frozen
class Lights:
    """Lux of what can vary: usual light, bright light, and a factor on all of it (to ask what if it is half)."""

    ambient: float = 200.0
    bright: float = 1000.0
    scale: float = 1.0

    def levels(self) -> tuple[Level, ...]:
        """Constants of each kind of slot."""
        lux = (0.0, self.ambient, self.bright, DIM_LUX, CABIN_LUX)
        return tuple(level(value * self.scale, SLOT) for value in lux)


@lru_cache(maxsize=512)
def level(lux: float, hours: float) -> Level:
    """Constants of ``lux`` for a step of ``hours`` (and of twice and four times that)."""
    lit = Forger1999().eye.under(lux)
    rate = lit.rate * hours
    return (lit.drive, lit.rest, exp(-rate / 2), exp(-rate), exp(-2 * rate), exp(-4 * rate))


@frozen
class Gears:
    """The model's constants at one period of the clock in darkness."""

    tau: float = 24.2
    stiffness: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "stiffness", (24 / (0.99669 * self.tau)) ** 2)

    def step(self, state: State, lux: float, hours: float) -> State:
        """The state after ``hours`` (at most 1) of constant light, by one step."""
        return self.along(state, level(lux, hours), hours)

    def slot(self, state: State, lit: Level) -> State:
        """The state after one slot."""
        return self.along(state, lit, SLOT)

    def along(self, state: State, lit: Level, hours: float) -> State:
        """The state after ``hours`` of the light of which ``lit`` has the constants for that step (see `level`)."""
        x, xc, n = state
        drive, rest, stiff = lit[0], lit[1], self.stiffness
        away = n - rest
        left = rest + away * lit[3]
        half, whole, sixth = W * hours / 2, W * hours, W * hours / 6
        if not drive:
            q1 = xc * (MU - CUBIC * xc * xc) - x * stiff
            u, v = x + half * xc, xc + half * q1
            p2, q2 = v, v * (MU - CUBIC * v * v) - u * stiff
            u, v = x + half * v, xc + half * q2
            p3, q3 = v, v * (MU - CUBIC * v * v) - u * stiff
            u, v = x + whole * v, xc + whole * q3
            q4 = v * (MU - CUBIC * v * v) - u * stiff
            return x + sixth * (xc + 2 * (p2 + p3) + v), xc + sixth * (q1 + 2 * (q2 + q3) + q4), left
        away *= drive
        full = drive - drive * rest
        middle, end = full - away * lit[2], full - away * lit[3]
        b = (full - away) * (1 - 0.4 * x) * (1 - 0.4 * xc)
        p1 = xc + b
        q1 = xc * (MU - CUBIC * xc * xc) - x * (stiff + FEEDBACK * b)
        u, v = x + half * p1, xc + half * q1
        b = middle * (1 - 0.4 * u) * (1 - 0.4 * v)
        p2 = v + b
        q2 = v * (MU - CUBIC * v * v) - u * (stiff + FEEDBACK * b)
        u, v = x + half * p2, xc + half * q2
        b = middle * (1 - 0.4 * u) * (1 - 0.4 * v)
        p3 = v + b
        q3 = v * (MU - CUBIC * v * v) - u * (stiff + FEEDBACK * b)
        u, v = x + whole * p3, xc + whole * q3
        b = end * (1 - 0.4 * u) * (1 - 0.4 * v)
        q4 = v * (MU - CUBIC * v * v) - u * (stiff + FEEDBACK * b)
        return x + sixth * (p1 + 2 * (p2 + p3) + v + b), xc + sixth * (q1 + 2 * (q2 + q3) + q4), left


@frozen(repr=False)
class Home:
    """The entrained day of somebody asleep for ``asleep`` slots from slot 0 on, then in ambient light."""

    asleep: int
    lights: Lights
    gears: Gears
    states: tuple[State, ...]
    low: float
    """Hours from bedtime to the low (CBTmin)."""

    @property
    def directions(self) -> tuple[tuple[float, float], ...]:
        """For each slot of the day, the unit vector of (x, -xc)."""
        return _directions(self)

    def at(self, hours: float) -> State:
        """The state ``hours`` after bedtime, to the minute."""
        hours %= 24
        slot = int(hours / SLOT + 1e-9)
        rest = hours - slot * SLOT
        state = self.states[slot % DAY_SLOTS]
        if rest < 1e-6:
            return state
        lux = 0.0 if slot < self.asleep else self.lights.ambient * self.lights.scale
        return self.gears.step(state, lux, rest)


@lru_cache(maxsize=256)
def _directions(home: Home) -> tuple[tuple[float, float], ...]:
    found = []
    for x, xc, _ in home.states:
        length = sqrt(x * x + xc * xc)
        found.append((x / length, -xc / length))
    return tuple(found)


@lru_cache(maxsize=256)
def home(asleep: int, lights: Lights, gears: Gears) -> Home:
    """The entrained day: 40 days of it, computed once for each sleeper, light and period."""
    levels = lights.levels()
    day = [levels[DARK]] * asleep + [levels[AMBIENT]] * (DAY_SLOTS - asleep)
    state: State = Forger1999.initial  # type: ignore[assignment]
    for _ in range(ENTRAINED_DAYS):
        for lit in day:
            state = gears.slot(state, lit)
    states = [state]
    for lit in day:
        states.append(gears.slot(states[-1], lit))
    return Home(asleep, lights, gears, tuple(states[:DAY_SLOTS]), lows(gears, state, day)[0] % 24)


def lows(gears: Gears, state: State, slots: Sequence[Level]) -> list[float]:
    """Hours from the start to each low: where x turns to rise, inside a slot or at its edge."""
    found: list[float] = []
    before = 1.0
    for k, lit in enumerate(slots):
        x, xc, n = state
        now = xc + lit[0] * (1 - n) * (1 - 0.4 * x) * (1 - 0.4 * xc)
        if before < 0 <= now and x < -0.3:
            found.append(k * SLOT)
        after = gears.slot(state, lit)
        x2, xc2, n2 = after
        before = xc2 + lit[0] * (1 - n2) * (1 - 0.4 * x2) * (1 - 0.4 * xc2)
        if now < 0 <= before and x < -0.3:
            found.append(k * SLOT + SLOT * now / (now - before))
        state = after
    return found
