"""Levels of alarm: by how much of the capacity is needed, and by how much of the demand is met.

The thresholds of utilisation and coverage are those of the defence-in-depth
scheme that the specification's colours come from: utilisation below .70 GREEN,
.70 YELLOW, .80 ORANGE, .90 RED, .95 BLACK; coverage from .95 PREVENTION, .90
CONTROL, .80 SAFETY_SYSTEMS, .70 CONTAINMENT, below that EMERGENCY. They are
conventions, not measurements of this hospital.
"""

from typing import Literal, get_args

from attrs import frozen

Level = Literal["GREEN", "YELLOW", "ORANGE", "RED", "BLACK"]
LEVELS: tuple[Level, ...] = get_args(Level)
Defense = Literal["PREVENTION", "CONTROL", "SAFETY_SYSTEMS", "CONTAINMENT", "EMERGENCY"]
DEFENSES: tuple[Defense, ...] = get_args(Defense)

UTILIZATION_BARS = (0.7, 0.8, 0.9, 0.95)
COVERAGE_BARS = (0.95, 0.9, 0.8, 0.7)
SAFE_SHARE = 0.8
"""Utilisation that is not to be passed, so that an absence can be borne."""

DEFENSE_ACTIONS: dict[Defense, tuple[str, ...]] = {
    "PREVENTION": ("Nothing beyond the usual watch.",),
    "CONTROL": ("Look for swaps and reserve for the half-days that are short.",),
    "SAFETY_SYSTEMS": ("Call in the reserve.", "Suspend optional education: execute_sacrifice_hierarchy YELLOW."),
    "CONTAINMENT": ("Suspend administration and education: execute_sacrifice_hierarchy RED.",),
    "EMERGENCY": ("Keep patient care alone: execute_sacrifice_hierarchy BLACK.", "Tell the programme director."),
}


@frozen
class Load:
    """What is needed against what is there, in half-days."""

    required: int
    capacity: int

    @property
    def rate(self) -> float:
        """Required over capacity; 1 where there is demand and nobody."""
        if self.capacity == 0:
            return 1.0 if self.required else 0.0
        return self.required / self.capacity

    @property
    def level(self) -> Level:
        """The colour of the rate."""
        return LEVELS[sum(self.rate >= bar for bar in UTILIZATION_BARS)]

    @property
    def safe_maximum(self) -> int:
        """The most half-days that stay within `SAFE_SHARE`."""
        # In whole numbers: 0.8 x 35 is a little below 28 in binary fractions.
        return self.capacity * 4 // 5

    @property
    def spare(self) -> int:
        """Half-days that may still be taken on within `SAFE_SHARE`."""
        return max(0, self.safe_maximum - self.required)

    @property
    def wait_multiplier(self) -> float | None:
        """U/(1-U), the mean wait in a queue with one server in units of its service time; None from full use on."""
        return None if self.rate >= 1 else self.rate / (1 - self.rate)


def defense_of(coverage: float) -> Defense:
    """The level of defence that a coverage from 0 to 1 calls for."""
    return DEFENSES[sum(coverage < bar for bar in COVERAGE_BARS)]


def worst(load: Load, coverage: float, *, vulnerable: bool) -> Level:
    """The worst of three colours: the utilisation's, the coverage's in the same order, and that of a single loss.

    Where one loss leaves a half-day uncovered (``vulnerable``), it is at
    least YELLOW: nothing is in reserve for it.
    """
    return LEVELS[max(LEVELS.index(load.level), DEFENSES.index(defense_of(coverage)), int(vulnerable))]
