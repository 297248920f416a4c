"""What people count: the morning from which the low of the body clock is right to within an hour."""

from attrs import frozen

from packhorse_circadian.domain.planner.clockwork import DAY_SLOTS, SLOT
from packhorse_circadian.domain.planner.engine import SCALE, Engine, Run

NEAR = 1.0
"""Hours of error below which somebody counts as adapted; 0.5 is the stricter bar beside it."""
NEARER = 0.5

LOWEST = -0.3
"""Of x: where a turn to rising counts as a low."""
NEVER = 99.0
"""Days, where the clock does not arrive within the time simulated."""


@frozen(eq=False, repr=False)
class Low:
    """One low of the clock: hours from the start, and hours late (positive) or early for the destination."""

    at: float
    late: float


@frozen(eq=False, repr=False)
class Outcome:
    """The lows of one plan, and the days from ``since`` (hours) until their error stays below an hour, and half one."""

    lows: tuple[Low, ...]
    since: float

    @property
    def days(self) -> float:
        """Days until the error stays below `NEAR`."""
        return self.until(NEAR)

    @property
    def days_near(self) -> float:
        """Days until it stays below `NEARER`."""
        return self.until(NEARER)

    def until(self, bar: float) -> float:
        """Days to the first low from which on every error is below ``bar`` hours; `NEVER` where the last is not."""
        arrived = NEVER
        for low in reversed(self.lows):
            if abs(low.late) >= bar:
                break
            arrived = (low.at - self.since) / 24
        return arrived if arrived == NEVER else max(arrived, 0.0)


def outcome(engine: Engine, run: Run, since: float = 0.0) -> Outcome:
    """The lows on the way of ``run``, found between its marks, and what they say."""
    board, lit, marks = engine.board, run.lit, run.marks
    paces, usual = engine.paces, board.home.low
    found: list[Low] = []
    k, (x, xc, n) = 0, board.start
    y, z = x * SCALE, xc * SCALE
    before = 1.0
    for mark in marks:
        k2, y2, z2, n2 = mark[:4]
        drive = paces[lit[k]][0]
        now = z + drive * (1 - n) * (1 - y) * (1 - z)
        then = z2 + drive * (1 - n2) * (1 - y2) * (1 - z2)
        if y < SCALE * LOWEST:
            at = -1.0
            if before < 0 <= now:
                at = board.hours(k)
            elif now < 0 <= then:
                start, end = board.hours(k), board.hours(k2)
                at = start + (end - start) * now / (now - then)
            if at >= 0:
                since_bed = board.bedtimes[k2] * SLOT - (board.hours(k2) - at)
                late = (since_bed - usual + 12) % 24 - 12
                if not found or at - found[-1].at > DAY_SLOTS * SLOT / 4:
                    found.append(Low(at, late))
        before = then
        k, y, z, n = k2, y2, z2, n2
    return Outcome(tuple(low for low in found), since)
