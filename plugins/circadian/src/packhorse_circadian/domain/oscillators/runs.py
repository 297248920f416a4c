"""A model's course through a schedule of light, and the markers that people know: the low and melatonin's onset."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping

from attrs import field, frozen

from packhorse_circadian.domain.oscillators.hannay import Hannay2019, Hannay2019TwoPopulations
from packhorse_circadian.domain.oscillators.limit_cycle import Forger1999, Jewett1999
from packhorse_circadian.domain.oscillators.retina import Lit
from packhorse_circadian.domain.oscillators.states import Oscillator, State, step

MODELS: Mapping[str, Oscillator] = {
    model.name: model for model in (Forger1999(), Jewett1999(), Hannay2019(), Hannay2019TwoPopulations())
}
"""The four models with their published parameters, by the names of published implementations."""

ONSET_BEFORE_LOW = 7.0
"""Hours from melatonin's onset in dim light (DLMO) to the low: the constant of Hannay's `circadian`, for all models."""

LONGEST_STEP = 0.25
"""Hours. With n exact, lows are then within 0.01 h of those at 0.05 h steps, but where light goes on at a minimum."""


@frozen
class Stretch:
    """Constant light for ``hours``."""

    hours: float
    lux: float = field()

    @lux.validator
    def _not_below_darkness(self, _: object, value: float) -> None:
        if value < 0 or self.hours < 0:
            raise ValueError("light and time are 0 or more")


@frozen
class Course:
    """Times in hours from the start, the state at each, and the lows passed on the way.

    In models of Kronauer's family light that goes on near a minimum can part it
    in two: both are told, as published implementations do.
    """

    times: tuple[float, ...]
    states: tuple[State, ...]
    lux: tuple[float, ...]
    lows: tuple[float, ...]

    @property
    def onsets(self) -> tuple[float, ...]:
        """Melatonin's onset before each low; the first may lie before the start."""
        return tuple(low - ONSET_BEFORE_LOW for low in self.lows)

    @property
    def end(self) -> State:
        """The last state."""
        return self.states[-1]

    def index(self, hours: float) -> int:
        """The last grid point not after ``hours``."""
        return max(bisect_right(self.times, hours + 1e-9) - 1, 0)

    def at(self, hours: float) -> State:
        """The state there."""
        return self.states[self.index(hours)]


def run(
    model: Oscillator, light: Iterable[Stretch], start: State | None = None, *, longest: float = LONGEST_STEP
) -> Course:
    """The course of ``model`` from ``start``, or its own initial state, in steps of at most ``longest`` hours."""
    state = model.initial if start is None else start
    time, times, states, lux, lows = 0.0, [0.0], [state], list[float](), list[float]()
    before = 1.0
    for stretch in light:
        lit = model.eye.under(stretch.lux)
        count = max(1, -(-stretch.hours // longest)) if stretch.hours > 0 else 0
        began = time
        for n in range(int(count)):
            hours = stretch.hours / count
            now = model.gauge(state, lit)
            if before < 0 <= now and model.near_low(state):
                lows.append(time + model.low_after_gauge)
            after = step(model, state, lit, hours)
            before = model.gauge(after, lit)
            if now < 0 <= before and before - now < 1 and model.near_low(state):
                at = time + _turn(model, state, lit, hours, (now, before))
                lows.append(at + model.low_after_gauge)
            state, time = after, began + (n + 1) * hours
            times.append(time)
            states.append(state)
            lux.append(stretch.lux)
    return Course(tuple(times), tuple(states), (*lux, lux[-1] if lux else 0.0), tuple(lows))


def _turn(model: Oscillator, state: State, lit: Lit, hours: float, gauges: tuple[float, float]) -> float:
    """Hours into the step at which the gauge passes zero, by two rounds of false position."""
    low, high, (under, over) = 0.0, hours, gauges
    middle = hours * under / (under - over)
    for _ in range(2):
        found = model.gauge(step(model, state, lit, middle), lit)
        if found < 0:
            low, under = middle, found
        else:
            high, over = middle, found
        middle = low + (high - low) * (under / (under - over) if under < over else 0.5)
    return middle
