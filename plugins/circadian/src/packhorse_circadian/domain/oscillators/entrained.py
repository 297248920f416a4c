"""The clock of somebody who has kept one rhythm for weeks, and phase measured against it."""

from functools import lru_cache
from math import atan2, cos, pi, sin

from attrs import frozen

from packhorse_circadian.domain.oscillators.runs import ONSET_BEFORE_LOW, Course, Stretch, run
from packhorse_circadian.domain.oscillators.states import Oscillator, State

WEEKS_OF_HABIT = 40
"""Days of one rhythm before it counts as entrained: the state is then within 4e-4 of its limit."""

_DAY = 24.0


@frozen
class Rhythm:
    """A day that repeats: ``asleep`` hours of darkness from bedtime on, ``lux`` for the rest."""

    asleep: float
    lux: float


@frozen
class Entrained:
    """One entrained day of ``model``, hour 0 being bedtime."""

    model: Oscillator
    course: Course

    @property
    def low(self) -> float:
        """Hours from bedtime to the low (CBTmin)."""
        return self.course.lows[0] % _DAY

    @property
    def onset(self) -> float:
        """Hours from bedtime to melatonin's onset (DLMO), negative before it."""
        return self.low - ONSET_BEFORE_LOW

    def at(self, hours: float) -> State:
        """The state ``hours`` after bedtime."""
        return self.course.at(hours % _DAY)

    def ahead(self, state: State, hours: float) -> float:
        """Hours by which ``state`` is ahead of the entrained one at the same time after bedtime: -12 to 12.

        By the angle between the two, which is defined at every instant; lows
        jump where they meet a switch of the light.
        """
        turn = self.model.angle(state) - self.model.angle(self.at(hours))
        return atan2(sin(turn), cos(turn)) * 12 / pi


@lru_cache(maxsize=64)
def entrained(model: Oscillator, rhythm: Rhythm) -> Entrained:
    """``model`` after weeks of ``rhythm``: computed once for each pair."""
    night, day = Stretch(rhythm.asleep, 0.0), Stretch(_DAY - rhythm.asleep, rhythm.lux)
    state = run(model, [night, day] * WEEKS_OF_HABIT).end
    return Entrained(model, run(model, [night, day], state))
