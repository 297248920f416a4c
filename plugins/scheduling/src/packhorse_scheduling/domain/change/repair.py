"""After people drop out: a lawful roster that differs as little as can be, and is proved to."""

from collections.abc import Sequence

import numpy as np
from attrs import evolve, frozen

from packhorse_scheduling.domain.change.judging import first_planned, last_planned, present
from packhorse_scheduling.domain.change.whole_days import whole_days
from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.posting import Terms, Var
from packhorse_scheduling.domain.rules.rotations import OnRotation
from packhorse_scheduling.domain.rules.violation import Violation
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.search import Effort, solve

CHANGE_COST = 20
"""Of one half-day that is not what it was; multiplied by how short the notice is."""
NOTICE = ((7, 5), (14, 3))
"""Below so many days of notice a change counts so many times."""
OFF_ROTATION, OFF_PLAN, OFF_EDIT = 1, 15, 300
"""Of a changed half-day off the person's rotation: it decides between equal repairs; where the plan was edited; and of
those whose plan was."""
BROKEN_COST = 30_000
"""Of one broken row of a rule where no roster keeps all: above a place left empty, below nothing."""
REACHES = (1, 7, 27)
"""Days on either side that are opened, as few as do: leave drops out of the averages, so that somebody who was away
may need another free day soon after."""

NEAR = 5
"""Of a rolling limit that is broken, the days so near to an emptied one are opened first: all four weeks took 1.6 to
3.8 CPU-seconds, these .3."""
EFFORT = Effort(gap=0)
"""To the proof."""

Absence = tuple[int, int, int]
"""Person, first and last day."""


@frozen(eq=False)
class Repaired:
    """The new grid; ``vacated`` cells were of people who are away or locked elsewhere, ``changed`` are all others.

    ``proven`` says that no repair with a smaller cost exists on the days that
    were opened; ``shortfall`` is demand that nobody could take over there.
    """

    grid: "Grid"
    vacated: tuple[tuple[int, int, int], ...]
    changed: tuple[tuple[int, int, int], ...]
    shortfall: int
    proven: bool


def repair(
    kernel: "Kernel",
    grid: "Grid",
    absences: "Sequence[Absence] | None" = None,
    *,
    today: int,
    locked: "Bools | None" = None,
    effort: Effort = EFFORT,
) -> Repaired | None:
    """Empty the cells of people on leave from ``today`` on and fill what that leaves; None when there is no time.

    ``kernel`` knows the absences as leave. Without ``absences`` every leave
    that the roster breaks is mended, every lock, and every other violation that
    reaches today or later; else only these. Nothing before today changes, and
    nothing that stands as it is locked. A night that ends where leave begins
    stays, unless a rule cannot be kept beside it. What no roster can keep is
    broken as little as possible.
    """
    fixed = kernel.locked.copy() if locked is None else kernel.locked | locked
    fixed[:, : max(today, kernel.tail)] = True
    emptied, held = _emptied(kernel, grid, absences, today)
    fixed |= held
    nights = kernel.away[:, 1:] & kernel.overnight[emptied[:, 1:, 0]] & (emptied[:, :-1, 1] == emptied[:, 1:, 0])
    fixed[:, 1:, 0] |= nights
    fixed[:, :-1, 1] |= nights
    vacated = tuple((p, d, h) for p, d, h in np.argwhere(emptied != grid).tolist())
    reach = dict.fromkeys(_days(kernel, emptied, grid, today, every=absences is None), 0)
    best: Repaired | None = None
    opened: list[tuple[int, int]] | None = None
    for step in range(len(REACHES)):
        spans = _spans(kernel, reach, today, grid)
        if spans == opened:
            break  # as wide as it can be
        opened, found = spans, _mended(kernel, emptied, fixed, spans, today, effort)
        if found is None:
            break
        if best is None or _worth(kernel, found, today) < _worth(kernel, best, today):
            best = found
        left = {d for one in _open(kernel, found.grid, today) for d in range(one.first, one.last + 1)}
        wider = [d for d in reach if reach[d] == step and any(abs(d - day) <= REACHES[step] + 1 for day in left)]
        if not wider or step + 1 == len(REACHES):
            break
        reach |= dict.fromkeys(wider, step + 1)
    if best is None:
        return None
    given_up = [
        (p, d)
        for p, d in np.argwhere(nights).tolist()
        if d >= max(today, kernel.tail)
        and any(one.person == p and one.first <= d + 1 and d <= one.last for one in _open(kernel, best.grid, today))
    ]
    if given_up:
        for p, d in given_up:
            emptied[p, d, 1], emptied[p, d + 1, 0], fixed[p, d, 1] = FREE, FREE, False
        reach |= dict.fromkeys((day for _, d in given_up for day in (d, d + 1) if day not in reach), 0)
        found = _mended(kernel, emptied, fixed, _spans(kernel, reach, today, grid), today, effort)
        if found is not None and _worth(kernel, found, today) < _worth(kernel, best, today):
            best = found
    gone = set(vacated)
    changed = tuple((p, d, h) for p, d, h in np.argwhere(best.grid != grid).tolist() if (p, d, h) not in gone)
    return evolve(best, vacated=vacated, changed=changed)


def _emptied(kernel: "Kernel", grid: "Grid", absences: "Sequence[Absence] | None", today: int) -> "tuple[Grid, Bools]":
    """The roster without who is away, the past as it was; and the cells of other absences, which stay for now."""
    free = present(kernel, grid)
    if absences is None:
        free = locked_in(kernel, free, max(today, kernel.tail))
    meant = np.ones(grid.shape, bool)
    if absences is not None:
        meant[:] = False
        for p, first, last in absences:
            meant[p, max(0, first - 1) : last + 2] = True
    meant[:, : max(today, kernel.tail)] = False
    # A night that began before today is history: so is its morning.
    begun = kernel.overnight[grid[:, max(0, today - 1), 1]] if 0 < today < kernel.D else np.zeros(kernel.P, bool)
    if 0 < today < kernel.D:
        meant[begun, today, 0] = False
    return np.where(meant, free, grid), (free != grid) & ~meant


def locked_in(kernel: "Kernel", grid: "Grid", first: int) -> "Grid":
    """The roster with every lock from ``first`` on as it is to be, of nights both halves; a lock on leave is none."""
    grid = grid.copy()
    held = {at: s for at, s in kernel.lock_at.items() if at[1] >= first and not (s >= 0 and kernel.away[at[:2]])}
    for (p, d, h), s in held.items():
        was = int(grid[p, d, h])
        other = (p, d - 1 + 2 * h, 1 - h)
        if other not in held and first <= other[1] < kernel.D:
            if kernel.overnight[s]:
                grid[other] = s
            elif kernel.overnight[was] and grid[other] == was:
                grid[other] = FREE
        grid[p, d, h] = s
    return grid


def _days(kernel: "Kernel", emptied: "Grid", grid: "Grid", today: int, *, every: bool) -> list[int]:
    """The days to open: those with an emptied cell, and of every other violation that can still be mended."""
    gone = np.flatnonzero((emptied != grid).any(axis=(0, 2))).tolist()
    days = set(gone)
    if every:
        for one in _open(kernel, emptied, today):
            whole = range(max(one.first, today, kernel.tail), one.last + 1)
            near = [d for d in whole if any(abs(d - day) <= NEAR for day in gone)]
            days.update(near or whole)
    return sorted(days)


def _open(kernel: "Kernel", grid: "Grid", today: int) -> "list[Violation]":
    low, high = first_planned(kernel, grid), last_planned(grid)
    return [
        one
        for one in kernel.violations(grid)
        if one.blocks and one.last >= today and (one.person is not None or low <= one.first <= high)
    ]


def _spans(kernel: "Kernel", reach: dict[int, int], today: int, grid: "Grid") -> list[tuple[int, int]]:
    """The days to open as stretches that do not touch, never beyond what is planned."""
    end = max([*reach, last_planned(grid)])
    found: list[tuple[int, int]] = []
    for d in sorted(reach):
        wide = REACHES[reach[d]]
        low, high = max(kernel.tail, today, d - wide), min(kernel.D - 1, end, d + wide)
        if found and low <= found[-1][1] + 1:
            found[-1] = min(low, found[-1][0]), max(high, found[-1][1])
        else:
            found.append((low, high))
    return found


def _worth(kernel: "Kernel", found: Repaired, today: int) -> tuple[int, int]:
    return len(_open(kernel, found.grid, today)), found.shortfall


def refilled(
    kernel: "Kernel",
    grid: "Grid",
    fixed: "Bools",
    days: tuple[int, int],
    today: int,
    people: "Sequence[int]",
    effort: Effort = EFFORT,
) -> Repaired | None:
    """The roster with what is open on these days filled, on people's rotations where it can be; None without time.

    ``people`` are those whose plan was edited: they do what is off it last of all.
    """
    off = [OFF_EDIT if p in people else OFF_PLAN for p in range(kernel.P)]
    return _mended(kernel, grid, fixed, [days], today, effort, off)


def _mended(
    kernel: "Kernel",
    grid: "Grid",
    fixed: "Bools",
    spans: list[tuple[int, int]],
    today: int,
    effort: Effort,
    off: "Sequence[int] | None" = None,
) -> Repaired | None:
    shortfall, proven = 0, True
    for low, high in spans:
        if low > high:
            continue
        for soft in (False, True):
            model = (_Lenient if soft else _Mending)(
                kernel, grid, list(range(kernel.P)), low, high, kernel.D - 1, fixed=fixed, shortfalls=True
            )
            model.post()
            _price(model, grid, today, off or [OFF_ROTATION] * kernel.P)
            model.hint(grid)
            found = solve(model, effort)
            if found.grid is not None:
                break
        if found.grid is None:
            return None
        settled = whole_days(model, grid, found, effort) if found.status == "optimal" else None
        grid, shortfall = found.grid if settled is None else settled, shortfall + found.shortfall
        proven = proven and found.status == "optimal"
    return Repaired(grid, (), (), shortfall, proven)


class _Mending(Model):
    """What is settled outside the open days may break a rule already: then it is not made worse."""

    def at_most(self, terms: Terms, bound: int, code: str, subject: int, day: int) -> None:
        least = sum(weight for _, weight in terms if weight < 0)
        super().at_most(terms, max(bound, least), code, subject, day)


class _Lenient(_Mending):
    """Where no roster keeps every rule, the fewest rows are broken."""

    def at_most(self, terms: Terms, bound: int, code: str, subject: int, day: int) -> None:
        most = sum(weight for _, weight in terms if weight > 0)
        if not terms or most <= bound:
            return
        broken = self.cp.new_bool_var("")
        self.costs.append((broken, BROKEN_COST))
        super().at_most([*terms, (broken, bound - most)], bound, code, subject, day)


def _price(model: Model, grid: "Grid", today: int, off: "Sequence[int]") -> None:
    """What each half-day that differs costs, and ``off`` by person where it is off the rotation; a night once."""
    night = model.kernel.overnight
    rotation = OnRotation(model.kernel)
    for p in model.persons:
        for d in range(model.first, model.last + 1):
            cost = CHANGE_COST * next((times for below, times in NOTICE if d - today < below), 1)
            for h in (0, 1):
                options = model.cell(p, d, h)
                was = int(grid[p, d, h])
                begins = [(s, v) for s, v in options.items() if s != was and not (h == 0 and night[s])]
                model.costs += [(v, off[p]) for s, v in begins if rotation.off(p, d, h, s)]
                stays: Var | None = options.get(was)
                if h == 0 and night[was] and d > model.first:
                    continue
                if stays is not None:
                    model.costs.append((stays, -cost))  # another service costs once, like being freed
                elif was == FREE:
                    model.costs += [
                        (v, cost) for s, v in options.items() if not (h == 0 and night[s] and d > model.first)
                    ]
