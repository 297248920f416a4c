"""Nights and light of a plan, and every body's course under them."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import cached_property

from attrs import evolve, frozen

from packhorse_circadian.domain import zones
from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.crowd import Crowd, Life, crowd, quantile
from packhorse_circadian.domain.nights import Sleep, sleeps
from packhorse_circadian.domain.population.bodies import BRIGHT, DARK, DIM, Body
from packhorse_circadian.domain.rows import Row, Spread
from packhorse_circadian.domain.shift import DAY
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import Timeline

SHORTEST = 2
"""Slots of a block."""
SLOW = 0.8
"""The quantile of days by which plans are chosen: the slow fifth begins there."""
LOWEST, HIGHEST = 0.1, 0.9
"""The quantiles between which four travellers of five lie."""


@frozen
class Block:
    """Light to seek or to keep low from slot ``first`` to before ``last``."""

    first: int
    last: int
    bright: bool
    worth: float = 0.0
    """Mean days that leaving it out costs; 0 where that is not known yet."""


@frozen(eq=False, repr=False)
class History:
    """What is past when a plan is made: the light of every slot before ``slot``."""

    slot: int
    lit: bytes


@frozen(eq=False, repr=False)
class Draft:
    """Nights and light of one plan, and every body's course under them."""

    crowd: Crowd
    table: Timetable
    sleeps: tuple[Sleep, ...]
    blocks: tuple[Block, ...]
    lit: bytes
    lives: tuple[Life, ...]
    history: History | None = None
    row: Row | None = None
    """The row of the search that it was carried from."""
    counted: Spread | None = None
    """Its days, where they were counted on a timeline that begins later."""

    @property
    def prepared(self) -> int:
        """Days of preparation that it makes use of."""
        return self.row.prep if self.row else 0

    @cached_property
    def days(self) -> tuple[float, ...]:
        """Days that each body takes."""
        return tuple(life.arrives(self.crowd.line.landed) for life in self.lives)

    @cached_property
    def spread(self) -> Spread:
        """Days of the bodies; where a row is known the search's own, as these few differ here from its trip."""
        if self.counted is not None:
            return self.counted
        here = Spread(*(quantile(self.days, share) for share in (0.5, LOWEST, SLOW, HIGHEST)))
        return self.row.days.corrected(self.row.few, here) if self.row else here

    @cached_property
    def wrong(self) -> float:
        """The share of bodies that meet bright light on the wrong side of their low."""
        return sum(meets_wrong(self.blocks, life) for life in self.lives) / len(self.lives)


def joined(draft: Draft, others: Sequence[Body]) -> Draft:
    """The draft with the courses of other bodies after its own."""
    few = draft.crowd
    more = evolve(crowd(few.line, tuple(others)), settled=few.settled)
    lives = more.follow(draft.lit, _quiet(more, draft.table, draft.blocks))
    whole = evolve(few, people=few.people + more.people, starts=few.starts + more.starts)
    return evolve(draft, crowd=whole, lives=draft.lives + lives)


def parted(draft: Draft, first: int, last: int | None = None) -> Draft:
    """The draft of its bodies from the ``first`` to before the ``last``."""
    some, everybody = slice(first, last), draft.crowd
    part = evolve(everybody, people=everybody.people[some], starts=everybody.starts[some])
    return evolve(draft, crowd=part, lives=draft.lives[some])


def meets_wrong(blocks: Iterable[Block], life: Life) -> bool:
    """Whether a body meets any of the bright blocks on the wrong side of its low."""
    return any(block.bright and life.meets_wrong_side(block.first / 2, block.last / 2) for block in blocks)


def free(line: Timeline, lit: bytearray, first: int, last: int, bright: bool) -> list[Block]:
    """What of a window lies awake on the ground, in parts of an hour and more."""
    found, start = [], None
    for slot in range(max(first, 0), min(last, len(lit)) + 1):
        free = slot < min(last, len(lit)) and line.free[slot] and lit[slot] != DARK
        if free and start is None:
            start = slot
        elif not free and start is not None:
            if slot - start >= SHORTEST:
                found.append(Block(start, slot, bright))
            start = None
    return found


def apart(blocks: list[Block]) -> tuple[Block, ...]:
    """In order, none overlapping another: what comes later begins where the one before ends."""
    found: list[Block] = []
    for block in sorted(blocks, key=lambda block: block.first):
        first = max(block.first, found[-1].last) if found else block.first
        if block.last - first >= SHORTEST:
            found.append(block if first == block.first else evolve(block, first=first, worth=0.0))
    return tuple(found)


def _light(line: Timeline, slept: Sequence[Sleep], blocks: Iterable[Block], history: History | None) -> bytearray:
    lit = line.asleep(slept)
    for block in blocks:
        code = BRIGHT if block.bright else DIM
        lit[block.first : block.last] = bytes((code,)) * (block.last - block.first)
    if history is not None:
        lit[: history.slot] = history.lit[: history.slot]
    return lit


def _quiet(crowd: Crowd, table: Timetable, blocks: Sequence[Block]) -> int:
    """The slot from which light and nights are ordinary."""
    trip = crowd.line.trip
    moved = max((day for day, by in table.away.items() if by), default=trip.arrival_date)
    nights = crowd.line.slot(zones.instant(moved + DAY, trip.aims.wake, trip.destination))
    return max([nights, crowd.line.changes, crowd.line.slot(trip.arrival + DAY), *(block.last for block in blocks)])


def drawn(crowd: Crowd, table: Timetable, blocks: tuple[Block, ...], history: History | None = None) -> Draft:
    """Nights and blocks, and every body's course under them."""
    slept = sleeps(table)
    lit = bytes(_light(crowd.line, slept, blocks, history))
    return Draft(crowd, table, slept, blocks, lit, crowd.follow(lit, _quiet(crowd, table, blocks)), history)


def redrawn(draft: Draft, blocks: tuple[Block, ...], first: int) -> Draft:
    """The draft with other blocks, alike before slot ``first``."""
    crowd = draft.crowd
    lit = bytes(_light(crowd.line, draft.sleeps, blocks, draft.history))
    quiet = _quiet(crowd, draft.table, blocks)
    return evolve(draft, blocks=blocks, lit=lit, lives=crowd.follow(lit, quiet, draft.lives, first))


def span(line: Timeline, block: Block) -> Span:
    """When a block is."""
    return Span(line.at(block.first), line.at(block.last))


def first_night(draft: Draft, moved: timedelta) -> Draft:
    """The draft with the night before its first morning at the hours of the stay that it ends."""
    first = draft.crowd.line.trip.first_date
    table = evolve(draft.table, home={**draft.table.home, first: moved})
    return evolve(draft, table=table, sleeps=sleeps(table))
