"""The anytime search: a lawful roster at once, a bound always, both better with time.

Order: a greedy roster, with annealed moves where the problem is large; for small problems CP-SAT on the whole; column
generation for bound and prices; a dive, or where its rounds are slow moves under an eased cover; then windows, mixes,
neighbourhoods and dives, about all or about some, until the time is over or the incumbent is proven. Of long horizons
no whole patterns are priced: a relaxation gives the bound, windows the roster.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.shifts import tuning
from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.shifts.compact import Solved, whole
from packhorse_scheduling.domain.shifts.dive import Dive
from packhorse_scheduling.domain.shifts.generation import Generation
from packhorse_scheduling.domain.shifts.master import Master, UnsolvedError
from packhorse_scheduling.domain.shifts.mix import Mixer
from packhorse_scheduling.domain.shifts.moves import BLIND, PRICED, Moves
from packhorse_scheduling.domain.shifts.neighbourhoods import Neighbourhoods
from packhorse_scheduling.domain.shifts.partial import Partial
from packhorse_scheduling.domain.shifts.problem import Problem, Roster
from packhorse_scheduling.domain.shifts.relaxed import Relaxed
from packhorse_scheduling.domain.shifts.state import State
from packhorse_scheduling.domain.shifts.tables import Tables
from packhorse_scheduling.domain.shifts.turns import Turns
from packhorse_scheduling.domain.shifts.windows import Windows

Status = Literal["optimal", "feasible"]


@frozen
class Outcome:
    """A roster, what it costs and what no roster can cost less than; seconds by the wall and of the processor."""

    roster: Roster
    objective: int
    bound: int
    seconds: float
    cpu_seconds: float

    @property
    def status(self) -> Status:
        """Whether the roster is proven to be the best."""
        return "optimal" if self.objective <= self.bound else "feasible"

    @property
    def gap(self) -> float:
        """(objective - bound) / objective: 0 is proven optimal."""
        return max(0, self.objective - self.bound) / max(1, self.objective)


def solve(
    problem: Problem,
    cpu_seconds: float,
    *,
    seed: int = 1,
    told: Callable[[int | None, int], None] = lambda objective, bound: None,
    cancelled: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.process_time,
) -> Outcome:
    """The best roster found in so many processor seconds.

    Raises:
        NoPatternError: somebody's own limits cannot be met, so that there is no roster.
    """
    began = time.monotonic()
    tables = Tables(problem)
    state = State(tables, Budget(cpu_seconds, clock, cancelled), seed, told)
    state.bounded(0)
    state.found(state.greedy())
    Search(state).run()
    assert state.best is not None  # noqa: S101 - greedy has found one or raised
    assert state.objective is not None  # noqa: S101 - as above
    return Outcome(
        tables.roster(state.best),
        state.objective,
        min(state.bound, state.objective),
        time.monotonic() - began,
        state.budget.spent,
    )


class Search:
    """What is done in which order, and for how long."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.large = state.tables.large
        self.whole_dives = not self.large
        self.dives = self.mixes = 0

    def run(self) -> None:
        """Until the state is done."""
        state = self.state
        if state.tables.problem.cells <= tuning.SMALL and self._whole(state.budget.part(0.3).seconds):
            return
        if state.tables.H > tuning.LONG:
            self._long()
            return
        if self.large:  # a fair roster at once, whose patterns also shorten the generation
            Moves(state).run(state.budget.part(0.1), BLIND)
        master = Master(state.tables, state.columns)
        master.add(range(state.columns.count))
        with suppress(UnsolvedError):  # what comes next can do without
            self._root(master)
        if state.bound <= 0:  # not far enough: prices stay, a bound comes from elsewhere
            prices = state.prices
            Relaxed(state).run(state.budget.part(0.05))
            state.prices = prices
        self._rounds(master)

    def _root(self, master: Master) -> None:
        """Prices and a bound; a dive where its rounds are fast enough."""
        state = self.state
        generation = Generation(state, master)
        generation.run(state.budget.part(0.35))
        if state.is_over():
            return
        if tuning.DIVE_ROUNDS * generation.pace > 0.3 * state.budget.seconds:
            self._ease(master)
        else:
            self._trim(master)
            began = state.budget.spent
            self._dive(Dive(state, master), 0.3)
            self.whole_dives = state.budget.spent - began < 0.08 * state.budget.seconds

    def _long(self) -> None:
        """Bound by relaxation, then windows: whole patterns are too many states to price."""
        state = self.state
        if state.best is not None:
            state.found(state.polish(state.best, 1, state.budget.part(0.15)))
        Relaxed(state).run(state.budget.part(0.35))
        windows, turns = Windows(state), Turns(("windows",))
        while not state.is_over():
            turns.take("windows", lambda: windows.run(state.budget.part(0.12)), state, state.budget)

    def _whole(self, seconds: float) -> bool:
        """CP-SAT on everything; whether that has settled it."""
        state = self.state
        compact = whole(state.tables)
        if state.best is not None:
            compact.hint(state.best)
        self._take(compact.solve(seconds, stop=state.budget.cancelled))
        return state.is_over()

    def _take(self, solved: Solved) -> None:
        state = self.state
        if np.isfinite(solved.bound):
            state.bounded(solved.bound)
        if solved.grid is not None:
            state.found(solved.grid)

    def _dive(self, dive: Dive, share: float) -> None:
        state = self.state
        grid = dive.run(state.budget.part(share))
        if grid is not None:
            state.found(grid)
            state.found(state.polish(grid, 1))

    def _ease(self, master: Master) -> None:
        """Each person's heaviest pattern of the master, and moves from there."""
        state = self.state
        master.solve()
        numbers, shares = master.shares()
        order = np.argsort(shares, kind="stable")
        heaviest = np.zeros(state.tables.E, dtype=int)
        heaviest[state.columns.owner[numbers[order]]] = numbers[order]
        Moves(state).run(state.budget.part(0.2), PRICED, state.columns.grid[heaviest])

    def _rounds(self, master: Master) -> None:
        """Windows, mixes, neighbourhoods, dives about some people and about all, as they pay.

        Of large problems no dives about some people: on 13 and 15 they gained 2 where windows gained 4,670.
        """
        state, mixer = self.state, Mixer(self.state)
        windows, neighbourhoods, some = Windows(state), Neighbourhoods(state), Partial(state, mixer)
        ways: dict[str, Callable[[], object]] = {
            "windows": lambda: windows.run(state.budget.part(0.12)),
            "neighbourhoods": lambda: neighbourhoods.run(state.budget.part(0.02 if self.large else 0.07)),
            "people": lambda: some.run(state.budget.part(0.12)),
            "mix": lambda: self._mix(mixer),
            "dive": lambda: self._again(master),
        }
        names = ("windows", "neighbourhoods")
        turns = Turns(names if self.large else (*names, "people", "mix"))
        number = 0
        while not state.is_over():
            name = tuning.SMALL_ORDER[number % len(tuning.SMALL_ORDER)] if self.whole_dives else turns.next(state.rng)
            turns.take(name, ways[name], state, state.budget)
            number += 1

    def _again(self, master: Master) -> None:
        """Another dive about all."""
        state = self.state
        self._trim(master)
        self.dives += 1
        self._dive(Dive(state, master, noise=0.1, grain=1 + self.dives % 2), 0.2)

    def _mix(self, mixer: Mixer) -> None:
        """New patterns, and a mix of what is at hand; again while it pays."""
        state = self.state
        self._noise()
        for _ in range(3):
            if state.is_over():
                return
            grid = mixer.run(min(state.budget.left, (0.12 if self.whole_dives else 0.06) * state.budget.seconds))
            if grid is None:
                return
            state.found(grid)

    def _noise(self) -> None:
        """Patterns that are cheapest near the best prices: the material of the next mix."""
        state, t = self.state, self.state.tables
        amplitude = 0.5 * (1, 2, 0.5, 4)[self.mixes % 4]
        self.mixes += 1
        budget = state.budget.part(0.04)
        for _ in range(60):
            if budget.left <= 0:
                break
            prices = state.prices - amplitude * state.rng.random((t.H, t.K))
            priced = state.pricer.price(state.wish - prices, state.everybody, quick=True)
            for e in np.flatnonzero(priced.lawful).tolist():
                state.columns.add(e, priced.grid[e])

    def _trim(self, master: Master) -> None:
        """Keep in the master what is near the best bound: a dive starts from those."""
        state, columns = self.state, self.state.columns
        most = max(1500, 25 * state.tables.E)
        if len(master.within) < 1.5 * most:
            return
        within = np.array(master.within, dtype=int)
        reduced = columns.paid(state.prices, within)
        least = np.full(state.tables.E, np.inf)
        np.minimum.at(least, columns.owner[within], reduced)
        order = np.argsort(reduced - least[columns.owner[within]], kind="stable")
        kept = within[order[:most]].tolist()
        if state.best is not None:
            kept += columns.add_roster(state.best)
        master.keep(kept)
