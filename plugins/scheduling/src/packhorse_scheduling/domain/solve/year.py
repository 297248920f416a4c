"""A roster for a span of days: rotations, attendings, a first draft by blocks, its open gaps, all of it once more."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from attrs import define, evolve, field

from packhorse_scheduling.domain.roster.arrays import Bools, Grid, counts
from packhorse_scheduling.domain.roster.plan import Plan
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve import posts
from packhorse_scheduling.domain.solve.attending import Attendings, attend, attended
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
from packhorse_scheduling.domain.solve.search import Effort, Found
from packhorse_scheduling.domain.solve.turns import Turns, nobody, settle
from packhorse_scheduling.domain.solve.wishes import Aims

__all__ = ["Draft", "Impossible", "Mode", "Outcome", "Stage", "StageName", "StoppedError", "TooLong", "YearSolver"]

Progress = Callable[[int, int, str], None]
Mode = Literal["FULL", "PARTIAL", "OPTIMIZATION"]
Better = Callable[["Grid", "Grid"], bool]
Keep = Callable[["Grid", Plan, int], None]
"""A roster so far, its plan, and the last day that is settled."""

ROTATION_GAP = 0.05
"""Of the rotation grid, a plan for the blocks and not their quality: its last percent would cost more than a block."""
STAYING = 50
"""Cost of a unit of the rotation plan in force that changes, where what is filled is to be kept."""
DRAFTED = "the first draft stands"
"""What ``progress`` hears when every block has its roster: what follows makes it better and may be cut short."""

TEAM = 16
"""Most people who are solved at once with every cost, without rotations. With 36, one worker found no roster in 3.5
CPU-seconds; with 12, its first in .3."""
QUICK = 3.0
"""The solver's deterministic units for a block of a finished roster that stays open, in one more search."""
IMPROVING = 12.0
"""Units for improving a finished roster: what is not looked at again by then stays as it is."""
BUDGET, SHARE = 20.0, 4
"""Units for closing the gaps that a first draft left open; each block's last search gets a share of what is left."""


@define(slots=False, eq=False)
class YearSolver:
    """Solves one kernel once.

    ``base`` is a roster to start from (locked cells, or a whole one); ``fixed``
    marks cells that must stay. ``shortfalls`` allows minimum demand to be
    missed, as little as possible. Blocks whose gap the first draft left open
    are solved again behind and before what stands, within ``budget``
    deterministic units of the solver.
    ``rounds`` is how often the finished roster is improved, block by block,
    with the whole of it in view; mode OPTIMIZATION does nothing else, and
    starts from ``base``: attendings' weeks stay whole, and ``better`` says of
    two rosters whether the second is taken where it costs less.
    ``keep`` hears of every block that is settled, and of every one that became
    better: a search that is ended then has left its roster up to there.
    ``progress``, ``keep`` and ``cancelled`` are called from the caller's thread, and
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
    keep: Keep = lambda grid, plan, last: None
    better: Better = lambda before, after: True
    look_ahead: int = LOOK_AHEAD
    budget: float = BUDGET
    allowed: "Bools" = field(init=False)

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
        self.turns = self._turns()
        self._steps, self._step = (1 + self.rounds) * len(blocks) + 2, 0
        if self.mode == "OPTIMIZATION":
            improver = self._improver(self.base, self.fixed)
            improver.weeks, improver.better = True, self.better
            stages: list[Stage] = []
        else:
            drafter = self._drafter()
            self._tell("rotations settled")
            fault = drafter.solve(blocks, lambda block: self._settle(drafter.grid, block))
            if fault is not None:
                return fault
            self._tell(DRAFTED)
            self.allowed = drafter.allowed  # a turn is nobody else's in what follows, too
            improver = self._improver(drafter.grid, drafter.held)
            stages = self._closed(improver, drafter.stages)
        stages += self._improved(improver, blocks)
        shortfall = self._shortfall(improver.grid)
        return Draft(improver.grid, tuple(stages), shortfall, self._plan(improver.grid), self.rotations.faults)

    def _rotate(self) -> Impossible | TooLong | None:
        kernel = self.kernel
        rough = evolve(self.effort, gap=ROTATION_GAP)
        near = self.base if self.later_known or self.mode == "OPTIMIZATION" else self.aims.was
        asked = Asked(self.first, self.last, KEPT if self.mode == "FULL" else STAYING, near)
        try:
            rotations = rotate(kernel, rough, asked)
        except TimeoutError:
            return TooLong("rotations", self.first, self.last)
        if rotations.faults and not self.shortfalls:
            return Impossible("rotations", self.first, self.last, rotations.faults)
        self.rotations = rotations
        self.allowed = rotations.allowed()
        return None

    def _attend(self) -> Attendings:
        if self.mode == "OPTIMIZATION":
            return Attendings(self.kernel, ())
        return attend(self.kernel, self.base, self.fixed, self.first, self.last, self.effort)

    def _turns(self) -> Turns:
        if self.mode == "OPTIMIZATION" or not self.aims.prioritize_fairness:
            return nobody(self.kernel)
        days = self.first, self.last
        return settle(self.kernel, self.base, self.fixed, self.allowed, days, self.effort, self.aims, self.cancelled)

    def _plan(self, grid: "Grid") -> Plan:
        """Rotations, and attendings: of these days as they were settled, of all others as they are in force."""
        kernel = self.kernel
        faculty = {person.key for person in kernel.programme.people if person.role != "RESIDENT"}
        before, after = kernel.date_of(self.first - 1), kernel.date_of(self.last + 1)
        outside = []
        for stay in kernel.plan:
            if stay.person not in faculty:
                continue
            if stay.first <= before:
                outside.append(evolve(stay, last=min(stay.last, before)))
            if stay.last >= after:
                outside.append(evolve(stay, first=max(stay.first, after)))
        settled = self.attendings.plan() if self.mode == "FULL" else attended(kernel, grid, self.first, self.last)
        return (*self.rotations.plan(), *outside, *settled)

    def _drafter(self) -> Drafter:
        return Drafter(
            self.kernel,
            self.base,
            self.fixed,
            self.last,
            self.attendings,
            self.turns,
            self.rotations,
            self.allowed,
            self.aims,
            self.effort,
            shortfalls=self.shortfalls,
            later_known=self.later_known,
            cancelled=self.cancelled,
            look_ahead=self.look_ahead if self.rotations.posts is None else posts.LOOK_AHEAD,
            sketching=self.rotations.posts is not None,
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
                improver.spent = 0
                improver.effort = evolve(self.effort, polish=max(QUICK, left / SHARE))
                people = persons[stage.name]
                found = self._settled(improver, stage, people, others) if stage.sketch else None
                if not stage.sketch:
                    found = improver.again(stage.first, stage.last, people)
                self._check()
                left -= improver.spent
                if found is not None and found.grid is improver.grid:
                    self.keep(improver.grid, self._plan(improver.grid), self.last)
                if found is not None and found.gap < stage.gap:
                    closed.append(evolve(stage, gap=found.gap, shortfall=found.shortfall, sketch=False))
                    continue
            closed.append(stage)
        return closed

    def _settled(self, improver: Improver, stage: Stage, people: list[int], faculty: list[int]) -> Found | None:
        """A sketch with every cost: residents behind faculty who are there, in teams where they are many.

        The teams change from block to block, so that what one cannot even out another can.
        """
        if stage.name == "residents" and faculty:
            improver.again(stage.first, stage.last, faculty, later=False)
        widest: Found | None = None
        for team in _teams(people, stage.first):
            self._check()
            found = improver.again(stage.first, stage.last, team, later=False)
            if found is not None and (widest is None or found.gap > widest.gap):
                widest = found
        return widest

    def _improved(self, improver: Improver, blocks: Sequence[Block]) -> list[Stage]:
        """Every block looked at again; a stage for each that became better."""
        improver.effort = evolve(self.effort, polish=QUICK)
        stages = []
        improver.spent = 0
        for _ in range(self.rounds):
            for n, first, last in blocks:
                for persons in parties(self.kernel):
                    self._check()
                    if improver.spent > IMPROVING:
                        break
                    before = improver.grid
                    known = len(blocks) == 1 and self.mode != "OPTIMIZATION"  # there is no rest of a year to look at
                    found = improver.again(first, last, persons) if persons and not known else None
                    self._check()
                    if found is not None and improver.grid is not before:
                        stages.append(Stage("improvement", first, last, found.gap, found.shortfall))
                self._tell(f"block {n + 1} of {len(self.rotations.units)} looked at again")
        return stages

    def _settle(self, grid: "Grid", block: Block) -> None:
        n, _, last = block
        part = grid.copy()  # what is held after these days belongs to a block to come
        part[:, last + 1 :] = self.base[:, last + 1 :]
        if last + 1 < self.kernel.D:
            night = self.kernel.overnight[part[:, last, 1]]
            part[night, last + 1, 0] = part[night, last, 1]
        self.keep(part, self._plan(part), last)
        self._tell(f"block {n + 1} of {len(self.rotations.units)}")

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


def _teams(people: list[int], first: int) -> list[list[int]]:
    """As few teams of equal size as `TEAM` allows, begun half a team further in every second block."""
    count = -(-len(people) // TEAM)
    if count < 2:
        return [people]
    turn = len(people) // count // 2 * (first // posts.DAYS % 2)
    turned = [*people[turn:], *people[:turn]]
    return [turned[len(people) * n // count : len(people) * (n + 1) // count] for n in range(count)]


def _solved_again(stage: Stage, later: Sequence[Stage]) -> bool:
    return any(
        other.first <= stage.first and stage.last <= other.last and other.name in (stage.name, "together")
        for other in later
    )
