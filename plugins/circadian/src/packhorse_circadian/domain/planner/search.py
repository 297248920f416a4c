"""Coordinate descent: one change at a time to one day of a plan, kept where it makes the whole cheaper."""

from collections.abc import Callable

from attrs import define

from packhorse_circadian.domain.planner.board import SHORTEST_BLOCK, Board, Row, Rows
from packhorse_circadian.domain.planner.clockwork import DAY_SLOTS
from packhorse_circadian.domain.planner.engine import Engine, Run, burden

STEPS = (2, 1, 4)
"""Slots: moves of an hour, then half an hour, then two."""
SWEEPS_WITHOUT_GAIN = 3
DAYS_BEYOND = 3
"""Days judged after the last bad morning of the plan that the descent starts from."""


@define(eq=False, repr=False)
class Plan:
    """A plan and its run."""

    rows: Rows
    run: Run

    @property
    def cost(self) -> float:
        """All of it: error, bad mornings and what following it costs."""
        return self.run.cost


@define(eq=False, repr=False)
class Search:
    """Runs candidates on one board and counts them: the count, not a clock, ends the search."""

    engine: Engine
    full: int
    steps: int
    """Steps of the clock after which no further change is tried."""
    spent: int = 0

    @property
    def tired(self) -> bool:
        """Whether the steps are used up."""
        return self.engine.tally[0] >= self.steps

    @property
    def board(self) -> Board:
        """Where it searches."""
        return self.engine.board

    def evaluate(self, rows: Rows, end: int | None = None) -> Plan:
        """The whole run of one plan."""
        self.spent += 1
        run = self.engine.run(self.board.draw(rows), burden(rows), end or self.full)
        assert run is not None  # noqa: S101  # no bar was set that it could miss
        return Plan(rows, run)

    def better(self, rows: Rows, best: float) -> Plan | None:
        """The whole run of one plan; None once it costs more than ``best``."""
        self.spent += 1
        run = self.engine.run(self.board.draw(rows), burden(rows), self.full, best)
        return None if run is None else Plan(rows, run)

    def descend(self, start: Plan, most: int) -> Plan:
        """The best plan that changes to one day at a time lead to, within ``most`` runs."""
        probes = self.board.probes
        end = min(self.full, probes[min(start.run.bad + DAYS_BEYOND, len(probes)) - 1] + 1)
        descent = _Descent(self, self.evaluate(start.rows, end), end, most)
        idle = 0
        while idle < SWEEPS_WITHOUT_GAIN and not descent.over:
            for size in STEPS:
                idle = 0 if descent.sweep(size) else idle + 1
                if descent.over or idle >= SWEEPS_WITHOUT_GAIN:
                    break
        return self.evaluate(descent.best.rows)


@define(eq=False, repr=False)
class _Descent:
    """One descent: the best plan so far, judged up to slot ``end``, and the runs it has left."""

    search: Search
    best: Plan
    end: int
    left: int

    @property
    def over(self) -> bool:
        return self.left <= 0 or self.search.tired

    def sweep(self, size: int) -> bool:
        """Try every change of ``size`` slots once, nearest days first; say whether one helped."""
        board = self.search.board
        gained = False
        # Days at the destination first: they count for more than those of preparation.
        for day in (*range(board.lead, len(board.nights)), *range(board.lead)):
            if board.nights[day].base > self._last_slot():
                continue
            for by in (size, -size):
                for kind in range(9):
                    rows = _moved(self.best.rows, day, kind, by)
                    last = len(rows) - 1 if rows and kind == _LATER_NIGHTS else day
                    if rows is not None and board.legal(rows, day, last):
                        gained = self._try(rows, day, last) or gained
                        if self.over:
                            return gained
        return gained

    def _try(self, rows: Rows, first: int, last: int) -> bool:
        search, best = self.search, self.best
        self.left -= 1
        search.spent += 1
        lit = search.board.redraw(best.run.lit, best.rows, rows, first, last)
        extra = best.run.extra + burden(rows[first : last + 1]) - burden(best.rows[first : last + 1])
        run = search.engine.run(lit, extra, self.end, best.cost, best.run)
        if run is None or run.cost >= best.cost - 1e-9:
            return False
        self.best = Plan(rows, run)
        return True

    def _last_slot(self) -> int:
        """Nights that begin later than this, two days after the last bad morning, are left as they are."""
        probes = self.search.board.probes
        return probes[min(self.best.run.bad, len(probes) - 1)] + DAY_SLOTS


def _moved(rows: Rows, day: int, kind: int, by: int) -> Rows | None:
    """The plan with one thing changed ``by`` slots on ``day``; None where that changes nothing."""
    if kind == _LATER_NIGHTS:
        return rows[:day] + tuple((row[0] + by, *row[1:]) for row in rows[day:])
    changed = _CHANGES[kind](rows[day], by)
    return None if changed is None or changed == rows[day] else (*rows[:day], changed, *rows[day + 1 :])


def _bright_length(row: Row, by: int) -> Row:
    off, b, bl, m, ml = row
    length = _lengthened(bl, by)
    return (off, b if length else 0, length, m, ml)


def _dim_length(row: Row, by: int) -> Row:
    off, b, bl, m, ml = row
    length = _lengthened(ml, by)
    return (off, b, bl, m if length else 0, length)


def _night_alone(row: Row, by: int) -> Row:
    """Bedtime moved, light kept at its time by the clock."""
    off, b, bl, m, ml = row
    return (off + by, b - by if bl else b, bl, m - by if ml else m, ml) if bl or ml else row


_CHANGES: tuple[Callable[[Row, int], Row | None], ...] = (
    lambda row, by: (row[0] + by, *row[1:]),
    lambda row, by: (row[0], row[1] + by, *row[2:]) if row[2] else None,
    _bright_length,
    lambda row, by: (*row[:3], row[3] + by, row[4]) if row[4] else None,
    _dim_length,
    lambda row, by: None,
    _night_alone,
    lambda row, by: (row[0], row[1] + by, row[2] - by, *row[3:]) if row[2] - by >= SHORTEST_BLOCK and row[2] else None,
    lambda row, by: (*row[:3], row[3] + by, row[4] - by) if row[4] - by >= SHORTEST_BLOCK and row[4] else None,
)
_LATER_NIGHTS = 5


def _lengthened(length: int, by: int) -> int:
    if not length:
        return SHORTEST_BLOCK if by > 0 else 0
    return length + by if length + by >= SHORTEST_BLOCK else 0
