"""How good a plan is: the clock run through it, slot by slot, with the part that two plans share run once."""

from bisect import bisect_left, bisect_right
from math import atan2, log, pi

from attrs import field, frozen

from packhorse_circadian.domain.oscillators.forger import W
from packhorse_circadian.domain.planner.board import Board, Rows
from packhorse_circadian.domain.planner.clockwork import CABIN_LUX, CUBIC, DIM_LUX, FEEDBACK, MU, SLOT, Level

HALF_ERROR = 0.6
"""Hours squared: an error of 0.77 h costs half as much as the largest."""
BAD_MORNING = 0.92
"""Hours: a morning with a greater error is not yet adapted (a bar of 1 h, with room for the plane angle)."""
BAD_MORNING_COST = 0.7
OFF_COST = 0.01
"""For each half hour that a bedtime is off the usual one."""
BLOCK_COST = 0.015
BLOCK_SLOT_COST = 0.002
"""For each block of light or dim light, and for each half hour of it."""

SLOW_EYE, QUICK_EYE = 1.1, 1.6
"""Adaptation an hour up to which the first step into a light may be two hours, and one hour: what the step's rule for
integrals (Simpson's) then misses is below a minute of phase."""
BETWEEN_LOOKS = 12
"""Slots after which a run that has its base's light again is compared with it again."""
FAR_OFF, CLOSE = 6.0, 0.5
"""Hours of error above and below which no run is given up before its end (see `Engine._lost`)."""
FURTHEST_BACK = 3
"""Slots: a step of four that begins before a change may have looked so far ahead."""

_HOURS = 12 / pi
_FOURS = tuple(bytes((code,)) * 4 for code in range(5))

# In coordinates times 0.4 the factors (1 - 0.4 x) and (1 - 0.4 xc) of the light's drive are (1 - y) and (1 - z), and
# the constants of the cubic term and of the light's feedback on the period are others: a third fewer operations.
SCALE = 0.4
_MU, _CUBIC, _FEEDBACK = MU, CUBIC / SCALE**2, FEEDBACK / SCALE

Mark = tuple[int, float, float, float, float, int, int]
"""Slot, x, xc and n (the first two times 0.4), cost so far, mornings judged, mornings up to the last bad one."""

Stride = tuple[float, float, float, float, float, float]
"""Days of a step; W times half of its hours, all and a sixth of them; what is left of n's distance half way and at its
end."""
Pace = tuple[float, float, int, tuple[Stride, Stride, Stride]]
"""Of one level of light: drive (times 0.4), where n goes to, the most slots of the first step into it, and constants
for steps of 1, 2 and 4 slots."""


def pace(lit: Level) -> Pace:
    """Constants of one level of light."""
    drive, rest, quarter, half, whole, double = lit
    rate = -log(half) / SLOT
    first = 4 if not drive or rate <= SLOW_EYE else 2 if rate <= QUICK_EYE else 1
    strides = (_stride(SLOT, quarter, half), _stride(2 * SLOT, half, whole), _stride(4 * SLOT, whole, double))
    return drive * SCALE, rest, first, strides


def _stride(hours: float, middle: float, end: float) -> Stride:
    return hours / 24, W * hours / 2, W * hours, W * hours / 6, middle, end


def burden(rows: Rows) -> float:
    """What following a plan costs, in days of full error."""
    total = 0.0
    for off, _, bl, _, ml in rows:
        total += OFF_COST * abs(off)
        if bl:
            total += BLOCK_COST + BLOCK_SLOT_COST * bl
        if ml:
            total += BLOCK_COST + BLOCK_SLOT_COST * ml
    return total


@frozen(eq=False, repr=False)
class Run:
    """One simulated plan. ``cost`` is all of it, ``extra`` what following it costs.

    ``bad`` counts mornings up to the last one not adapted.
    """

    lit: bytearray
    marks: list[Mark]
    cost: float
    bad: int
    extra: float


@frozen(eq=False, repr=False)
class Engine:
    """Runs plans on one board with one clock. ``end`` is the slot at which judging stops."""

    board: Board
    paces: tuple[Pace, ...]
    refs: tuple[tuple[float, float], ...]
    stiffness: float
    tally: list[int] = field(factory=lambda: [0])
    """Steps taken so far, in a list of one: the machine-independent cost of a search."""

    @classmethod
    def on(cls, board: Board) -> "Engine":
        """The engine for the board's own sleeper."""
        around = board.home.directions
        refs = tuple([around[since] for since in board.bedtimes])
        paces = tuple(pace(lit) for lit in board.home.lights.levels())
        return cls(board, paces, refs, board.home.gears.stiffness)

    def run(
        self, lit: bytearray, extra: float, end: int, best: float = 1e9, base: Run | None = None, *, coarse: bool = True
    ) -> Run | None:
        """The run of the light ``lit`` up to slot ``end``, with ``extra`` cost; None once it costs more than ``best``.

        What ``lit`` shares with ``base`` from the start is taken over, and a run that falls behind ``base`` ends (see
        `_lost`): also None. ``coarse`` takes steps of two hours through constant
        light, else one: enough to compare, not always to say on which morning an error passes an hour.
        """
        board = self.board
        marks: list[Mark] = []
        k, cost, judged, bad = 0, 0.0, 0, 0
        alike = end + 1
        at = -1
        if base is not None:
            at = bisect_right(base.marks, (_shared(lit, base.lit, end) - FURTHEST_BACK, 1e9)) - 1
            alike = _alike_from(lit, base.lit, end)
        if base is not None and at >= 0:
            marks = base.marks[: at + 1]
            k, y, z, n, cost, judged, bad = marks[-1]
        else:
            x, xc, n = board.start
            y, z = x * SCALE, xc * SCALE
        paces, refs, stiff, runs = self.paces, self.refs, self.stiffness, _FOURS
        goes_on = lit.startswith
        odd = board.odd if board.part != SLOT else -1
        stop = odd if k <= odd < end else end
        probes = (*board.probes, 10**9)
        probe = probes[judged]
        best -= extra
        add = marks.append
        known = len(marks)
        before = lit[k - 1] if k else -1
        while k < end:
            if k == odd:
                x, xc, n = board.home.gears.step((y / SCALE, z / SCALE, n), self.lux(lit[k]), board.part)
                y, z, days, stop = x * SCALE, xc * SCALE, board.part / 24, end
                before = lit[k]
                k += 1
            else:
                code = lit[k]
                drive, rest, first, strides = paces[code]
                most = 4 if code == before else first
                if not coarse:
                    most = 2 if code == before else 1
                if most == 4 and k + 4 <= stop and goes_on(runs[code], k):
                    days, half, whole, sixth, middle, left = strides[2]
                    k += 4
                elif most > 1 and k + 2 <= stop and lit[k + 1] == code:
                    days, half, whole, sixth, middle, left = strides[1]
                    k += 2
                else:
                    days, half, whole, sixth, middle, left = strides[0]
                    k += 1
                before = code
                away = n - rest
                n = rest + away * left
                p1 = z
                if drive:
                    away *= drive
                    b = drive - drive * rest
                    bm = b - away * middle
                    be = b - away * left
                    b = (b - away) * (1 - y) * (1 - z)
                    p1 += b
                    q1 = z * (_MU - _CUBIC * z * z) - y * (stiff + _FEEDBACK * b)
                    u = y + half * p1
                    v = z + half * q1
                    b = bm * (1 - u) * (1 - v)
                    p2 = v + b
                    q2 = v * (_MU - _CUBIC * v * v) - u * (stiff + _FEEDBACK * b)
                    u = y + half * p2
                    v = z + half * q2
                    b = bm * (1 - u) * (1 - v)
                    p2 += v + b
                    q3 = v * (_MU - _CUBIC * v * v) - u * (stiff + _FEEDBACK * b)
                    u = y + whole * (v + b)
                    v = z + whole * q3
                    b = be * (1 - u) * (1 - v)
                    y += sixth * (p1 + 2 * p2 + v + b)
                    z += sixth * (q1 + 2 * (q2 + q3) + v * (_MU - _CUBIC * v * v) - u * (stiff + _FEEDBACK * b))
                else:
                    q1 = z * (_MU - _CUBIC * z * z) - y * stiff
                    u = y + half * z
                    v = z + half * q1
                    p2 = v
                    q2 = v * (_MU - _CUBIC * v * v) - u * stiff
                    u = y + half * v
                    v = z + half * q2
                    p2 += v
                    q3 = v * (_MU - _CUBIC * v * v) - u * stiff
                    u = y + whole * v
                    v = z + whole * q3
                    y += sixth * (p1 + 2 * p2 + v)
                    z += sixth * (q1 + 2 * (q2 + q3) + v * (_MU - _CUBIC * v * v) - u * stiff)
            c, s = refs[k]
            e = atan2(c * z + s * y, c * y - s * z) * _HOURS
            square = e * e
            cost += days * square / (square + HALF_ERROR)
            if k >= probe:
                judged += 1
                if square > BAD_MORNING * BAD_MORNING:
                    bad = judged
                probe = probes[judged]
            add((k, y, z, n, cost, judged, bad))
            if k >= alike:
                if base is not None and self._lost(base, k, e, cost + extra, bad):
                    self.tally[0] += len(marks) - known
                    return None
                alike = k + BETWEEN_LOOKS
            if cost + BAD_MORNING_COST * bad >= best:
                self.tally[0] += len(marks) - known
                return None
        self.tally[0] += len(marks) - known
        return Run(lit, marks, cost + BAD_MORNING_COST * bad + extra, bad, extra)

    def _lost(self, base: Run, k: int, e: float, cost: float, bad: int) -> bool:
        """Whether a run that has the light of ``base`` from here on is given up as behind it.

        It is where it has cost no less and its clock is further off on the same side: the same light keeps
        two clocks in the same order. That fails where the smaller of two swings turns faster, which
        happens far off, and where both are about to pass the goal: there nothing is concluded. What is
        lost all the same is less than what the runs saved find.
        """
        at = bisect_left(base.marks, (k,))
        if at == len(base.marks) or base.marks[at][0] != k:
            return False
        mark = base.marks[at]
        if cost < mark[4] + base.extra or bad < mark[6]:
            return False
        there = self.error(mark)
        return FAR_OFF >= e >= there >= CLOSE or -FAR_OFF <= e <= there <= -CLOSE

    def lux(self, code: int) -> float:
        """Light of a kind of slot, in lux."""
        lights = self.board.home.lights
        return lights.scale * (0.0, lights.ambient, lights.bright, DIM_LUX, CABIN_LUX)[code]

    def error(self, mark: Mark) -> float:
        """Hours by which the clock is behind (positive) or ahead of the destination's entrained one, at a mark."""
        k, y, z = mark[:3]
        c, s = self.refs[k]
        return atan2(c * z + s * y, c * y - s * z) * _HOURS


def _shared(one: bytearray, other: bytearray, end: int) -> int:
    """How many slots from the start are the same in both."""
    low = 0
    while low < end and one[low : low + 48] == other[low : low + 48]:
        low += 48
    while low < end and one[low] == other[low]:
        low += 1
    return low


def _alike_from(one: bytearray, other: bytearray, end: int) -> int:
    """The slot from which on both are the same up to ``end``."""
    high = end
    while high > 48 and one[high - 48 : high] == other[high - 48 : high]:
        high -= 48
    while high > 0 and one[high - 1] == other[high - 1]:
        high -= 1
    return high
