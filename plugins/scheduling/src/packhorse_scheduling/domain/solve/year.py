"""A roster for a span of days: rotations, attendings, a first draft by blocks, its open gaps, all of it once more."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Literal

import numpy as np
from attrs import define, evolve, field

from packhorse_scheduling.domain.kernel import Kernel
from packhorse_scheduling.domain.plan import Plan
from packhorse_scheduling.domain.rules.staffing import counts
from packhorse_scheduling.domain.rules.supervision import FACULTY
from packhorse_scheduling.domain.solve import posts
from packhorse_scheduling.domain.solve.attending import Attendings, attend
from packhorse_scheduling.domain.solve.blocks import LOOK_AHEAD, Block, Cancelled, Drafter, parties
from packhorse_scheduling.domain.solve.improve import Improver
from packhorse_scheduling.domain.solve.outcome import (
    Draft,
    Impossible,
    Outcome,
    Stage,
    StageName,
    StoppedError,
    TooLong,
)
from packhorse_scheduling.domain.solve.rotations import KEPT, Asked, rotate
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.wishes import Aims

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Bools, Grid

__all__ = ["Draft", "Impossible", "Mode", "Outcome", "Stage", "StageName", "StoppedError", "TooLong", "YearSolver"]

Progress = Callable[[int, int, str], None]
Mode = Literal["FULL", "PARTIAL", "OPTIMIZATION"]

ROTATION_GAP = 0.05
"""Of the rotation grid, a plan for the blocks and not their quality: its last percent would cost more than a block."""
STAYING = 50
"""Cost of a unit of the rotation plan in force that changes, where what is filled is to be kept."""
DRAFTED = "the first draft stands"
"""What ``progress`` hears when every block has its roster: what follows makes it better and may be cut short."""

QUICK = 2.0
"""Seconds for the workers on a block of a finished roster that the one worker cannot close."""
IMPROVING = 30.0
"""Seconds for improving a finished roster: what is not looked at again by then stays as it is."""
BUDGET, SHARE = 40.0, 4
"""Seconds for closing the gaps that a first draft left open; each block's workers get a share of what is left."""


@define(slots=False, eq=False)
class YearSolver:
    """Solves one kernel once.

    ``base`` is a roster to start from (locked cells, or a whole one); ``fixed``
    marks cells that must stay. ``shortfalls`` allows minimum demand to be
    missed, as little as possible. Blocks whose gap the first draft left open
    are solved again behind and before what stands, within ``budget`` seconds.
    ``rounds`` is how often the finished roster is improved, block by block,
    with the whole of it in view; mode OPTIMIZATION does nothing else, and
    starts from ``base``.
    ``progress`` and ``cancelled`` are called from the caller's thread, and
    ``cancelled`` from the solver's as well.
    """

    kernel: Kernel
    base: "Grid"
    fixed: "Bools"
    first: int
    last: int
    aims: Aims = field(factory=Aims)
    effort: Effort = field(factory=Effort)
    shortfalls: bool = False
    later_known: bool = False
    progress: Progress = lambda done, total, words: None
    cancelled: Cancelled = lambda: False
    rounds: int = 0
    mode: Mode = "FULL"
    look_ahead: int = LOOK_AHEAD
    budget: float = BUDGET

    def solve(self) -> Outcome:
        """The whole pipeline.

        Raises:
            StoppedError: ``cancelled`` said so.
        """
        fault = self._rotate()
        if fault is not None:
            return fault
        blocks = [
            (n, max(first, self.first), min(end - 1, self.last))
            for n, (first, end) in enumerate(self.rotations.units)
            if first <= self.last and end > self.first
        ]
        self.attendings = self._attend()
        self._steps, self._step = (1 + self.rounds) * len(blocks) + 2, 0
        if self.mode == "OPTIMIZATION":
            held = self.fixed.copy()
            held |= self._attended(self.base)
            improver = self._improver(self.base, held)
            stages: list[Stage] = []
        else:
            drafter = self._drafter()
            self._tell("rotations settled")
            fault = drafter.solve(blocks, lambda n: self._tell(f"block {n + 1} of {len(self.rotations.units)}"))
            if fault is not None:
                return fault
            self._tell(DRAFTED)
            improver = self._improver(drafter.grid, drafter.held)
            stages = self._closed(improver, drafter.stages)
        stages += self._improved(improver, blocks)
        shortfall = self._shortfall(improver.grid)
        return Draft(improver.grid, tuple(stages), shortfall, self._plan(), self.rotations.faults)

    def _rotate(self) -> Impossible | TooLong | None:
        kernel = self.kernel
        rough = evolve(self.effort, gap=ROTATION_GAP, seconds=min(self.effort.seconds, 10))
        near = self.base if self.later_known or self.mode == "OPTIMIZATION" else None
        asked = Asked(self.first, self.last, KEPT if self.mode == "FULL" else STAYING, near)
        try:
            rotations = rotate(kernel, rough, asked)
        except TimeoutError:
            return TooLong("rotations", self.first, self.last)
        if rotations.faults and not self.shortfalls:
            return Impossible("rotations", self.first, self.last, rotations.faults)
        self.rotations = rotations
        self.allowed: Bools = rotations.allowed()
        return None

    def _attend(self) -> Attendings:
        if self.mode == "OPTIMIZATION":
            return Attendings(self.kernel, ())
        return attend(self.kernel, self.base, self.fixed, self.first, self.last, self.effort)

    def _attended(self, grid: "Grid") -> "Bools":
        """The half-days of this roster in which an attending of the plan in force is where the plan says."""
        kernel = self.kernel
        found = np.zeros(grid.shape, bool)
        for stay in kernel.plan:
            p, s = kernel.person_of[stay.person], kernel.service_of.get(stay.rotation)
            if s is not None and kernel.group[p] == FACULTY:
                days = slice(kernel.day_of(stay.first), kernel.day_of(stay.last) + 1)
                found[p, days] = grid[p, days] == s
        return found

    def _plan(self) -> Plan:
        """Rotations, and attendings: of these days as they were settled, of all others as they are in force."""
        kernel = self.kernel
        faculty = {person.key for person in kernel.programme.people if person.role != "RESIDENT"}
        before, after = kernel.date_of(self.first - 1), kernel.date_of(self.last + 1)
        outside = []
        for stay in kernel.plan:
            if stay.person not in faculty:
                continue
            if self.mode == "OPTIMIZATION":
                outside.append(stay)
                continue
            if stay.first <= before:
                outside.append(evolve(stay, last=min(stay.last, before)))
            if stay.last >= after:
                outside.append(evolve(stay, first=max(stay.first, after)))
        return (*self.rotations.plan(), *outside, *self.attendings.plan())

    def _drafter(self) -> Drafter:
        return Drafter(
            self.kernel,
            self.base,
            self.fixed,
            self.last,
            self.attendings,
            self.rotations,
            self.allowed,
            self.aims,
            self.effort,
            shortfalls=self.shortfalls,
            later_known=self.later_known,
            cancelled=self.cancelled,
            look_ahead=self.look_ahead if self.rotations.posts is None else posts.LOOK_AHEAD,
        )

    def _improver(self, grid: "Grid", held: "Bools") -> Improver:
        later = self.later_known or self.mode == "OPTIMIZATION"
        allowed = self.allowed.copy()  # what stands may stay, whatever rotation it belongs to
        person, day, half = np.nonzero(grid >= 0)
        allowed[person, grid[person, day, half], day] = True
        return Improver(
            self.kernel,
            grid,
            held,
            self.kernel.D - 1 if later else self.last,
            self.rotations,
            allowed,
            self.aims,
            self.effort,
            shortfalls=self.shortfalls,
            cancelled=self.cancelled,
        )

    def _closed(self, improver: Improver, stages: Sequence[Stage]) -> list[Stage]:
        """The stages, those with an open gap solved again: the newest of a block counts, however it came about."""
        residents, others = parties(self.kernel)
        persons = {"residents": residents, "faculty": others, "together": [*residents, *others]}
        left, closed = self.budget, []
        for at, stage in enumerate(stages):
            if stage.gap > self.effort.gap and not _solved_again(stage, stages[at + 1 :]):
                self._check()
                began = monotonic()
                improver.effort = evolve(self.effort, polish=max(QUICK, left / SHARE))
                found = improver.again(stage.first, stage.last, persons[stage.name])
                self._check()
                left -= monotonic() - began
                if found is not None and found.gap < stage.gap:
                    closed.append(evolve(stage, gap=found.gap, shortfall=found.shortfall))
                    continue
            closed.append(stage)
        return closed

    def _improved(self, improver: Improver, blocks: Sequence[Block]) -> list[Stage]:
        """Every block looked at again; a stage for each that became better."""
        improver.effort = evolve(self.effort, polish=QUICK)
        stages = []
        began = monotonic()
        for _ in range(self.rounds):
            for n, first, last in blocks:
                for persons in parties(self.kernel):
                    self._check()
                    if monotonic() - began > IMPROVING and not self.effort.deterministic:
                        break
                    before = improver.grid
                    known = len(blocks) == 1 and self.mode != "OPTIMIZATION"  # there is no rest of a year to look at
                    found = improver.again(first, last, persons) if persons and not known else None
                    self._check()
                    if found is not None and improver.grid is not before:
                        stages.append(Stage("improvement", first, last, found.gap, found.shortfall))
                self._tell(f"block {n + 1} of {len(self.rotations.units)} looked at again")
        return stages

    def _tell(self, words: str) -> None:
        self._step += 1
        self.progress(self._step, self._steps, words)

    def _shortfall(self, grid: "Grid") -> int:
        least = self.kernel.least[:, :, self.first : self.last + 1]
        there = counts(self.kernel, grid)[:, :, self.first : self.last + 1]
        return int(np.maximum(least - there, 0).sum())

    def _check(self) -> None:
        if self.cancelled():
            raise StoppedError


def _solved_again(stage: Stage, later: Sequence[Stage]) -> bool:
    return any(
        other.first <= stage.first and stage.last <= other.last and other.name in (stage.name, "together")
        for other in later
    )
