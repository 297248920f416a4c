"""Which way to improve runs next: the one that gained most for its time, and every one at intervals."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from attrs import define, field

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.master import UnsolvedError

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.budget import Budget
    from packhorse_scheduling.domain.shifts.state import State


@define
class Turns:
    """Ways by name, each with what it gained of the objective and the seconds it took.

    All have one turn first, in order; then the next is drawn by gain for time.
    """

    names: Sequence[str]
    gained: dict[str, float] = field(factory=dict)
    used: dict[str, float] = field(factory=dict)

    def next(self, rng: np.random.Generator) -> str:
        """The name of the next."""
        for name in self.names:
            if name not in self.used:
                return name
        time = np.array([1 / self.used[name] for name in self.names])
        worth = np.array([(self.gained[name] + tuning.LITTLE) / self.used[name] for name in self.names])
        chances = tuning.CURIOUS * time / time.sum() + (1 - tuning.CURIOUS) * worth / worth.sum()
        return str(rng.choice(self.names, p=chances))

    def take(self, name: str, what: Callable[[], object], state: "State", budget: "Budget") -> None:
        """Do it, and remember what came of it: nothing, where a linear program cannot be solved."""
        began, before = budget.spent, state.objective
        with suppress(UnsolvedError):
            what()
        gain = 0.0 if before is None or state.objective is None else (before - state.objective) / max(1, before)
        self.gained[name] = tuning.FADES * self.gained.get(name, 0.0) + gain
        self.used[name] = tuning.FADES * self.used.get(name, 0.0) + max(1e-3, budget.spent - began)
