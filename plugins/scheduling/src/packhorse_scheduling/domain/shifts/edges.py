"""The edges of a window: what runs of work and of rest in it may be, by the days beside it, which stay as they are."""

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.shifts.stints import FORBIDDEN

if TYPE_CHECKING:
    from packhorse_scheduling.domain.shifts.tables import Flags, Floats, Grid, Ints, Tables


@frozen(eq=False)
class Edges:
    """Of each person what is added to costs, 0 or FORBIDDEN.

    ``stints[l, start, e]``: a stint of l days; ``rest[e]``: rest on the first day; ``ended[d, e]``: the last stint ends
    before day d, and the rest after it reaches the end; ``rested[e]``: a complete rest at the end.
    """

    stints: "Floats"
    rest: "Floats"
    ended: "Floats"
    rested: "Floats"

    def of(self, people: "Ints") -> "Edges":
        """Those of these people."""
        return Edges(self.stints[:, :, people], self.rest[people], self.ended[:, people], self.rested[people])


@frozen(eq=False)
class _Side:
    """The run that the days on one side begin with: its length, and whether it may be short.

    ``free_work``, ``free_rest``: it is one of work, or of rest, that reaches the end of the horizon.
    """

    work: "Ints"
    rest: "Ints"
    free_work: "Flags"
    free_rest: "Flags"


def _side(works: "Flags") -> _Side:
    """From ``works[E, n]``, the nearest day first."""
    people, days = works.shape
    if not days:
        none, every = np.zeros(people, dtype=int), np.ones(people, dtype=bool)
        return _Side(none, none, every, every)
    same = works == works[:, :1]
    whole = same.all(axis=1)
    length, working = np.where(whole, days, same.argmin(axis=1)), works[:, 0]
    return _Side(np.where(working, length, 0), np.where(working, 0, length), whole & working, whole & ~working)


def edges(tables: "Tables", grid: "Grid", first: int, last: int) -> Edges:
    """Of the days from ``first`` to before ``last``: as many as the longest of the least rests, or all."""
    days, works = last - first, grid >= 0
    before, after = _side(works[:, :first][:, ::-1]), _side(works[:, last:])
    length = np.arange(min(days, int(tables.most_run.max(initial=0))) + 1)[:, None, None]
    start, end = np.arange(days)[:, None], np.arange(days + 1)[:, None]
    opens, closes = start == 0, start + length == days
    total = length + opens * before.work + closes * after.work
    short = (total < tables.least_run) & ~(opens & before.free_work) & ~(closes & after.free_work)
    goes_on = opens & (before.work > 0)
    early = ~goes_on & ~before.free_rest & (start + before.rest < tables.least_rest)
    late = ~((end == days) & (after.work > 0)) & ~after.free_rest & (days - end + after.rest < tables.least_rest)

    def unfinished(side: _Side) -> "Flags":
        return (side.work > 0) & (side.work < tables.least_run) & ~side.free_work

    barred = (total > tables.most_run) | short | early, unfinished(before), late, unfinished(after)
    return Edges(*(np.where(part, FORBIDDEN, 0.0) for part in barred))
