"""The anytime search: a lawful roster at once, a bound always, both better with time.

Order: a greedy roster, with annealed moves where the problem is large; for small problems CP-SAT on the whole; column
generation for bound and prices; a dive, or where its rounds are slow moves under an eased cover; then of large problems
windows, and moves again where these gain no more, of others windows, mixes, neighbourhoods and dives, about all or
about some, until the time is over or the incumbent is proven. Of long horizons no whole patterns are priced: a
relaxation gives the bound, windows the roster.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from copy import copy
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
        self.whole_dives = True
        self.dives = self.mixes = 0
        assert state.best is not None  # noqa: S101 - the greedy one
        self.fair = state.best

    def run(self) -> None:
        """Until the state is done."""
        state = self.state
        if state.tables.problem.cells <= tuning.SMALL and self._whole(state.budget.part(0.3).seconds):
            return
        if state.tables.H > tuning.LONG:
            self._long()
            return
        if self.large:  # a fair roster at once, whose patterns also shorten the generation
            Moves(state).run(state.budget.part(tuning.BLIND), BLIND)
            self.fair = self.fair if state.best is None else state.best
        master = Master(state.tables, state.columns)
        master.add(range(state.columns.count))
        dived = False
        with suppress(UnsolvedError):  # what comes next can do without
            dived = self._root(master)
        if state.bound <= 0:  # not far enough: prices stay, a bound comes from elsewhere
            prices = state.prices
            Relaxed(state).run(state.budget.part(0.05))
            state.prices = prices
        if self.large:
            self._from_several(master, eased=not dived)
            return
        if not dived and not state.is_over():
            self._eased(master)
        self._rounds(master)

    def _root(self, master: Master) -> bool:
        """Prices and a bound; a dive where its rounds are fast enough, and whether they were."""
        state = self.state
        generation = Generation(state, master)
        generation.run(state.budget.part(0.35))
        if state.is_over() or tuning.DIVE_ROUNDS * generation.pace > 0.3 * state.budget.seconds:
            return False
        self._trim(master)
        began = state.budget.spent
        self._dive(Dive(state, master), 0.3)
        self.whole_dives = state.budget.spent - began < 0.08 * state.budget.seconds
        return True

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

    def _eased(self, master: Master) -> State:
        """A search of its own for another roster: from each person's heaviest pattern of the master, by moves."""
        other = copy(self.state)
        other.told = lambda objective, bound: None
        other.best, other.objective = self.fair, other.tables.objective(self.fair)
        start = self.fair.copy()
        with suppress(UnsolvedError):
            master.solve()
            numbers, shares = master.shares()
            numbers = numbers[np.argsort(shares, kind="stable")]
            start[other.columns.owner[numbers]] = other.columns.grid[numbers]
        Moves(other).run(other.budget.part(tuning.EASED), PRICED, start)
        self.state.found(other.best)
        return other

    def _from_several(self, master: Master, *, eased: bool) -> None:
        """Windows; where they gain no more, another roster and windows from there, while there is time.

        Runs of moves can end a missing shift apart, which windows do not fill.
        """
        state = self.state
        while not state.is_over():
            self._until_still(self._eased(master) if eased else state)
            eased = state.budget.left > tuning.AGAIN * state.budget.seconds

    def _until_still(self, one: State) -> None:
        """Windows, and neighbourhoods where they have gained little for a while, until these gain little too."""
        state, windows, neighbourhoods = self.state, Windows(one), Neighbourhoods(one)
        while not state.is_over():
            before, part = one.objective or 0, state.budget.part(tuning.WHILE)
            while part.left > 0 and not state.is_over():
                with suppress(UnsolvedError):
                    windows.run(state.budget.part(0.12))
                if one.best is not None:
                    state.found(one.best)
            far = min(tuning.FAR * (before - state.bound), tuning.FAR_GAIN * before)
            little = max(tuning.LITTLE_GAIN * before, far)
            if before - (one.objective or 0) < little:
                neighbourhoods.run(state.budget.part(0.04))
                if before - (one.objective or 0) < little:
                    return

    def _rounds(self, master: Master) -> None:
        """Mixes, neighbourhoods, windows, dives about some people and about all, as they pay."""
        state, mixer = self.state, Mixer(self.state)
        windows, neighbourhoods, some = Windows(state), Neighbourhoods(state), Partial(state, mixer)
        ways: dict[str, Callable[[], object]] = {
            "windows": lambda: windows.run(state.budget.part(0.12)),
            "neighbourhoods": lambda: neighbourhoods.run(state.budget.part(0.07)),
            "people": lambda: some.run(state.budget.part(0.12)),
            "mix": lambda: self._mix(mixer),
            "dive": lambda: self._again(master),
        }
        turns = Turns(("windows", "neighbourhoods", "people", "mix"))
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
