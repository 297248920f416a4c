"""A finished roster made better, block by block, with the whole of the year in view."""

from collections.abc import Callable

from attrs import define, evolve

from packhorse_scheduling.domain.roster.arrays import Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.rotations import Rotations
from packhorse_scheduling.domain.solve.search import Effort, Found, cost_of, solve
from packhorse_scheduling.domain.solve.whole_weeks import whole_weeks
from packhorse_scheduling.domain.solve.wishes import Aims, Tally, wish


@define(slots=False, eq=False)
class Improver:
    """Holds the roster in ``grid``. Only cells that are not ``fixed`` move, and only to a lower cost.

    What each person has in all other blocks counts as settled, so that a
    block's own fairness is the year's. ``last_known`` is as in `Model`.
    """

    kernel: "Kernel"
    grid: "Grid"
    fixed: "Bools"
    last_known: int
    rotations: "Rotations"
    allowed: "Bools | None"
    aims: Aims
    effort: Effort
    shortfalls: bool = False
    cancelled: Callable[[], bool] = lambda: False
    weeks: bool = False
    """Whether attendings' weeks stay whole."""
    better: "Callable[[Grid, Grid], bool]" = lambda before, after: True
    """Of two lawful rosters, whether the second is taken where it costs less."""
    spent: float = 0
    """The solver's deterministic units so far."""

    def again(self, first: int, last: int, persons: list[int], *, later: bool = True) -> Found | None:
        """These people, from ``first`` to ``last``, once more; not ``later``: behind what is before them alone.

        What is found, or what stands with the bound that was found for it where
        that is no worse; None where the solver has nothing to say.
        """
        kernel = self.kernel
        rest = Tally(kernel)
        rest.add(self.grid, persons, kernel.tail, first - 1)
        if later:
            rest.add(self.grid, persons, last + 1, kernel.D - 1)
        model = Model(
            kernel,
            self.grid,
            persons,
            first,
            last,
            self.last_known,
            allowed=self.allowed,
            fixed=self.fixed,
            shortfalls=self.shortfalls,
        )
        model.post()
        if self.weeks:
            whole_weeks(model)
        wish(model, self.aims, rest, self.rotations.main())
        found = self._searched(model)
        if found.grid is None:
            return None  # nothing lawful within reach: what stands stays, and the validator judges it
        before = cost_of(model, self.grid, self.effort)
        if before is not None and (found.cost >= before or not self.better(self.grid, found.grid)):
            return evolve(found, cost=before, grid=self.grid)
        self.grid = found.grid
        return found

    def _searched(self, model: Model) -> Found:
        """The one worker, with another seed while the gap stays open, and for longer at the last turn.

        It is given no hint of what stands: proving against it took up to four
        times as long as finding it again.
        """
        found = Found("unknown")
        for turn in range(TURNS):
            polish = self.effort.polish if turn == TURNS - 1 else 0.0
            now = solve(model, evolve(self.effort, seed=self.effort.seed + turn, polish=polish), self.cancelled)
            self.spent += now.spent
            if not now.solved or self.cancelled():
                return found if found.solved else now
            found = now.beside(found) if found.solved else now
            if found.gap <= self.effort.gap:
                break
        return found


TURNS = 3
