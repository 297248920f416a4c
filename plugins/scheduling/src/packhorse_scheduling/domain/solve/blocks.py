"""The blocks of a span of days, one after the other: residents, then their faculty.

Each block looks back on the 27 days before it, so that no rolling window is
broken where blocks meet. A block that cannot be solved behind what is settled
before it is not an impossible programme: faculty and residents are solved
together, then the blocks before it are opened again, one after the other. What
still has no roster on its rotations gets one with half-days off them, as few
as can be; the plan stays, and the validator names each.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy

import numpy as np
from attrs import define, evolve, field

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.attending import Attendings
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.outcome import Impossible, Stage, StageName, StoppedError, TooLong
from packhorse_scheduling.domain.solve.rotations import Rotations
from packhorse_scheduling.domain.solve.search import Effort, Found, sketch, solve
from packhorse_scheduling.domain.solve.turns import Turns
from packhorse_scheduling.domain.solve.wishes import Aims, Tally, wish

Cancelled = Callable[[], bool]
Block = tuple[int, int, int]
"""The number of a four-week period, and its first and last day."""

LOOK_AHEAD = 7
"""Days of the next block that residents are solved with and then forgotten: so no block ends in a corner."""
DRAFTING, ROUGH = 0.5, 0.015
"""Deterministic units for the one worker on a block of a first draft, and the gap at which it may stop before: what is
still open is closed once the draft stands."""
OFF_ROTATION = 30
"""Cost of a half-day off the person's rotation, where the half-days of a block do not fit on it."""


@define(slots=False, eq=False)
class Drafter:
    """Solves the blocks in their order into ``grid``; ``stages`` tells how.

    ``base``, ``fixed``, ``shortfalls`` and ``later_known`` are as in `YearSolver`.
    ``sketching`` asks for a lawful roster first, of all blocks.
    """

    kernel: Kernel
    base: "Grid"
    fixed: "Bools"
    last: int
    attendings: "Attendings"
    turns: "Turns"
    rotations: "Rotations"
    allowed: "Bools"
    aims: Aims
    effort: Effort
    shortfalls: bool
    later_known: bool
    cancelled: Cancelled
    look_ahead: int = LOOK_AHEAD
    sketching: bool = False
    grid: "Grid" = field(init=False)
    stages: list[Stage] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.residents, self.others = parties(self.kernel)
        self.tallies: list[Tally] = []
        self.ahead: Future[Found] | None = None
        self.loose = False

    def solve(self, blocks: Sequence[Block], tell: Callable[[Block], None]) -> Impossible | TooLong | None:
        """Solve these blocks; ``tell`` hears of each that is settled.

        Raises:
            StoppedError: ``cancelled`` said so.
        """
        self._hold_forced(blocks[0][1])
        self.grid = self.ground.copy()
        before = Tally(self.kernel)
        before.add(self.base, range(self.kernel.P), self.kernel.tail, blocks[0][1] - 1)
        self.tallies = [before]
        with ThreadPoolExecutor(1, "block-ahead") as self.lane:
            for done, block in enumerate(blocks):
                following = blocks[done + 1] if done + 1 < len(blocks) else None
                fault = self._block(block, [row[1] for row in blocks[: done + 1]], following)
                if fault is not None:
                    return fault
                tell(block)
        return None

    def _hold_forced(self, start: int) -> None:
        """Hold every night that only one set of people can take: any roster on these rotations has it.

        Held before the first block is solved, it is seen by the blocks before it.
        """
        kernel = self.kernel
        self.ground, self.held = self.base.copy(), self.fixed.copy()
        self.attendings.hold(self.ground, self.held)
        self.turns.hold(self.ground, self.held)
        self.allowed, self.wide = self.turns.narrow(self.allowed), self.allowed
        for s in np.flatnonzero(kernel.overnight[:-1]).tolist():
            for d in range(start, min(self.last, kernel.D - 2) + 1):
                least = int(kernel.least[_RESIDENT, s, d, 1])
                can = kernel.wanted[:, s, d, 1] & kernel.wanted[:, s, d + 1, 0] & (kernel.group == _RESIDENT)
                can &= self.allowed[:, s, d]
                people = np.flatnonzero(can)
                if least and len(people) == least and not self.fixed[people, d, 1].any():
                    self.ground[people, d, 1] = s
                    self.held[people, d, 1] = True
                    if d < self.last and not self.fixed[people, d + 1, 0].any():
                        self.ground[people, d + 1, 0] = s
                        self.held[people, d + 1, 0] = True

    def _block(self, block: "Block", starts: Sequence[int], following: "Block | None") -> Impossible | TooLong | None:
        self._check()
        _, first, last = block
        before = self.grid
        back = len(starts) - 1
        done = self._apart(first, last, following)
        if not done.solved and self._let_go(first, self._seen(last)):
            self.ahead = None
            done = self._apart(first, last, following)
        if not done.solved:
            self.ahead = None  # it stands on a block that is about to change
            if self._hopeless(first, last):
                return Impossible("together", first, last)
            if not self._hopeless(first, last, self.allowed):
                done, back = self._reopened(last, starts, before)
            if not done.solved:
                done, back = self._loosened(last, starts, before)
        if done.status == "infeasible":
            return Impossible("together", starts[0], last)
        if done.status == "unknown":
            return TooLong("together", first, last)
        self.tallies = self.tallies[: back + 1]
        self._retally(starts, back, last)
        return None

    def _let_go(self, first: int, last: int) -> bool:
        """Leave the turns of these days to the half-days; whether there were any. They are a means, as rotations."""
        if not self.turns.decided[:, :, first : last + 1].any():
            return False
        before, self.turns = self.turns, self.turns.without(first, last)
        gone = (before.grid >= 0) & (self.turns.grid < 0) & self.held & ~self.fixed
        gone &= before.grid == self.ground
        self.ground[gone] = FREE
        self.held &= ~gone
        self.grid = np.where(gone, FREE, self.grid).astype(np.int8)
        self.allowed = self.turns.narrow(self.wide)
        return True

    def _reopened(self, last: int, starts: Sequence[int], before: "Grid") -> tuple[Found, int]:
        """Solve again from further and further back, apart and then together; the block from which it went."""
        done = Found("unknown")
        for back in _further_back(len(starts) - 1):
            low = starts[back]
            if back < len(starts) - 1:
                self._check()
                self.grid = self._opened(before, low, last)
                done = self._apart(low, last)
            if not done.solved:
                self._check()
                self.grid = self._opened(before, low, last)
                done = self._stage("together", low, last, [*self.residents, *self.others])
            if done.solved:
                return done, back
        return done, 0

    def _loosened(self, last: int, starts: Sequence[int], before: "Grid") -> tuple[Found, int]:
        """Solve with half-days off the rotations at a cost: the newest block, and only then what lies before it.

        The last resort before anybody is told: rotations are a means, and no requirement of the rules.
        """
        done = Found("unknown")
        ground, held, self.loose = self.ground, self.held, True
        try:
            for back in (len(starts) - 1, 0):
                self._check()
                self.grid = self._opened(before, starts[back], last)
                done = self._apart(starts[back], last)
                if not done.solved:
                    self._check()
                    self.ground, self.held = self.base, self.fixed
                    self.grid = self._opened(before, starts[back], last)
                    done = self._stage("together", starts[back], last, [*self.residents, *self.others])
                    self.ground, self.held = ground, held
                if done.solved or not back:
                    return done, back
            return done, 0
        finally:
            self.ground, self.held, self.loose = ground, held, False

    def _hopeless(self, first: int, last: int, allowed: "Bools | None" = None) -> bool:
        """Whether these days have no roster even with everything before them left out of account.

        With ``allowed``, none on the rotations.
        """
        if self.shortfalls:
            return False
        model = Model(
            self.kernel,
            self._bare(first, last),
            [*self.residents, *self.others],
            first,
            last,
            last,
            allowed=allowed,
            fixed=self.fixed,
            first_known=first if first > self.kernel.tail else 0,
        )
        model.post()
        model.costs.clear()
        return solve(model, self.effort, self.cancelled).status == "infeasible"

    def _bare(self, first: int, last: int) -> "Grid":
        grid = self.base.copy()
        grid[:, first : last + 1] = np.where(self.fixed[:, first : last + 1], grid[:, first : last + 1], FREE)
        return grid

    def _apart(self, first: int, last: int, following: "Block | None" = None) -> Found:
        """Residents, then faculty; beside the faculty, the residents of the block that follows."""
        ready, self.ahead = self.ahead, None
        if ready is not None:
            done = ready.result()
            if done.grid is not None:
                self._keep("residents", done, done.grid, first, self._seen(last), self.residents, last)
        else:
            done = self._stage("residents", first, self._seen(last), self.residents, keep=last)
        if not done.solved:
            return done
        if following is not None and self.others and self.residents:
            self.ahead = self._started(following, first, last)
        done = self._stage("faculty", first, last, self.others)
        if not done.solved and done.status != "unknown" and self.attendings.given:
            # Attending weeks are a means as well: where they leave no roster, the half-days decide.
            held, self.held = self.held, self.fixed
            rows = np.ix_(self.others, range(first, last + 1))
            self.grid = self.grid.copy()
            self.grid[rows] = np.where(self.fixed[rows], self.base[rows], FREE)
            done = self._stage("faculty", first, last, self.others)
            self.held = held
        return done

    def _started(self, following: "Block", first: int, last: int) -> "Future[Found]":
        """The residents of the next block, begun on the solver's second thread: they need nothing of the faculty."""
        _, low, high = following
        tally = copied(self.tallies[-1])
        tally.add(self.grid, self.residents, first, last)
        ahead = copy(self)  # as it is now: faculty who find no roster change what is held
        return self.lane.submit(
            Drafter._found, ahead, "residents", low, self._seen(high), self.residents, self.grid.copy(), tally
        )

    def _seen(self, last: int) -> int:
        """How far residents are solved: some days of the next block are seen, and then forgotten."""
        return last if self.later_known else min(last + self.look_ahead, self.last)

    def _opened(self, grid: "Grid", first: int, last: int) -> "Grid":
        """The grid with everything that is not fixed emptied from ``first`` on."""
        opened = grid.copy()
        days = slice(first, last + 1)
        opened[:, days] = np.where(self.held[:, days], self.ground[:, days], FREE)
        return opened

    def _retally(self, starts: Sequence[int], back: int, last: int) -> None:
        for n in range(back, len(starts)):
            end = starts[n + 1] - 1 if n + 1 < len(starts) else last
            self._count(starts[n], end)

    def _count(self, first: int, last: int) -> None:
        tally = copied(self.tallies[-1])
        tally.add(self.grid, range(self.kernel.P), first, last)
        self.tallies.append(tally)

    def _stage(self, name: StageName, first: int, last: int, persons: list[int], keep: int | None = None) -> Found:
        if not persons:
            return Found("optimal")
        found = self._found(name, first, last, persons, self.grid, self.tallies[-1])
        self._check()
        if found.grid is not None:
            self._keep(name, found, found.grid, first, last, persons, keep)
        return found

    def _keep(
        self,
        name: StageName,
        found: Found,
        grid: "Grid",
        first: int,
        last: int,
        persons: list[int],
        keep: int | None,
    ) -> None:
        self.grid = self.grid.copy()
        self.grid[persons] = grid[persons]
        if keep is not None:
            self.grid = self._opened(self.grid, keep + 1, last)
        self.stages.append(
            Stage(
                name,
                first,
                last if keep is None else keep,
                found.gap,
                found.shortfall,
                found.sketch,
            )
        )

    def _found(self, name: StageName, first: int, last: int, persons: list[int], grid: "Grid", tally: Tally) -> Found:
        model = Model(
            self.kernel,
            grid,
            persons,
            first,
            last,
            self._known(last),
            allowed=None if self.loose else self.allowed,
            fixed=self.held,
            faculty_later=name == "residents" and bool(self.others),
            shortfalls=self.shortfalls,
        )
        model.post()
        if self.sketching and not self.loose:
            found = sketch(model, self.effort, self.cancelled)
            if found.status != "unknown":
                return found
        wish(model, self.aims, tally, self.rotations.main())
        if self.loose:
            eve = [
                (p, max(0, d - 1) if h == 0 and self.kernel.overnight[s] else d, s, v)
                for p in persons
                for d, h, s, v in model.choices(p)
            ]
            model.costs += [(v, OFF_ROTATION) for p, d, s, v in eve if not self.allowed[p, s, d]]
        rough = evolve(self.effort, gap=max(ROUGH, self.effort.gap), units=min(DRAFTING, self.effort.units), polish=0)
        return solve(model, rough, self.cancelled)

    def _known(self, last: int) -> int:
        return self.kernel.D - 1 if self.later_known else last

    def _check(self) -> None:
        if self.cancelled():
            raise StoppedError


def _further_back(newest: int) -> list[int]:
    """Blocks from which to open: the newest, the one before it, three before it, seven, and the first."""
    found, step = [newest], 1
    while found[-1] > 0:
        found.append(max(0, newest - step))
        step = 2 * step + 1
    return found


def copied(tally: Tally) -> Tally:
    """A copy that can be added to."""
    found = Tally(tally.kernel)
    for name in ("weekends", "nights", "load", "worked", "present"):
        setattr(found, name, getattr(tally, name).copy())
    return found


def parties(kernel: Kernel) -> tuple[list[int], list[int]]:
    """The residents, and all others."""
    resident = kernel.group == _RESIDENT
    return np.flatnonzero(resident).tolist(), np.flatnonzero(~resident).tolist()


_RESIDENT = ROLES.index("RESIDENT")
