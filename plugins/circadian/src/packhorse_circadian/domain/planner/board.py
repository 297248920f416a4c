"""What is to be planned: nights that may move within bounds, and everything about them that may not."""

from collections.abc import Callable, Sequence

from attrs import evolve, frozen

from packhorse_circadian.domain.planner.clockwork import AMBIENT, BRIGHT, DARK, DAY_SLOTS, DIM, SLOT, Home, State

Row = tuple[int, int, int, int, int]
"""One night and the day after it, in slots: bedtime less the usual one; start of bright light after waking and its
length; start of dim light after waking and its length."""
Rows = tuple[Row, ...]

PLAIN: Row = (0, 0, 0, 0, 0)
"""Sleep at the usual hours, with nothing to seek or avoid."""

SHORTEST_BLOCK = 2
"""Slots: an hour. A shorter one is not worth an instruction."""

_RUNS = tuple(bytes((code,)) * (2 * DAY_SLOTS) for code in range(5))
_AT_WORK = bytes(AMBIENT if code in {BRIGHT, DIM} else code for code in range(256))


@frozen
class Night:
    """One night in slots. ``base`` is the slot of the usual bedtime there; ``asleep`` 0 makes a day without a night.

    ``first`` and ``last`` bound how far bedtime may lie from ``base``,
    ``most`` how far it may move from the night before. ``earliest`` is the
    first slot in bed that the journey allows and ``up_by`` the last moment to
    rise; blocks of the day after lie between waking and ``free_until``.
    """

    base: int
    asleep: int
    first: int
    last: int
    most: int
    earliest: int = -(10**6)
    up_by: int = 10**6
    free_until: int = 10**6


@frozen(eq=False, repr=False)
class Board:
    """One journey, ready for the search.

    ``canvas`` holds the light of every slot as it is without a plan's nights
    and blocks, ``fixed`` the stretches that a plan cannot change (a cabin,
    sleep on board), as (first slot, levels). The slot ``odd`` lasts ``part``
    hours: there the clocks jump. ``bedtimes`` gives for each slot's beginning
    the slots since the usual bedtime at the final destination, and ``probes``
    the slot of each early morning there at which the day is judged.
    """

    home: Home
    begin: Callable[[Home], State]
    canvas: bytes
    fixed: tuple[tuple[int, bytes], ...]
    nights: tuple[Night, ...]
    bedtimes: Sequence[int]
    probes: tuple[int, ...]
    shift: float
    odd: int = 0
    part: float = SLOT
    most_bright: int = 10
    most_dim: int = 12
    banned: tuple[tuple[int, int], ...] = ()
    lead: int = 0
    """How many of the nights come before the first full one at the destination."""
    prepared: float = 0.0
    """Hours by which nights at home may move."""

    @property
    def start(self) -> State:
        """The clock at slot 0."""
        return self.begin(self.home)

    def under(self, home: Home) -> "Board":
        """The same journey of another sleeper: another period, other light."""
        return evolve(self, home=home)

    @property
    def slots(self) -> int:
        """How many there are."""
        return len(self.canvas)

    def hours(self, slot: int) -> float:
        """Hours from the start to the beginning of ``slot``."""
        return slot * SLOT if slot <= self.odd else (slot - 1) * SLOT + self.part

    def draw(self, rows: Rows) -> bytearray:
        """The light of every slot under a plan."""
        lit = bytearray(self.canvas)
        if rows:
            self._paint(lit, rows, 0, len(rows) - 1)
        self._settle(lit, 0, len(lit))
        return lit

    def redraw(self, lit: bytearray, old: Rows, rows: Rows, first: int, last: int) -> bytearray:
        """The light under ``rows``, which differ from ``old`` (drawn as ``lit``) in rows ``first`` to ``last`` only."""
        # The day before the first ends at its bedtime.
        since = max(first - 1, 0)
        start = max(min(self._bed(since, old[since]), self._bed(since, rows[since])), 0)
        end = len(lit)
        if last + 1 < len(rows):
            end = min(self._bed(last + 1, rows[last + 1]), end)
        found = lit[:]
        found[start:end] = self.canvas[start:end]
        self._paint(found, rows, since, last)
        self._settle(found, start, end)
        return found

    def _bed(self, i: int, row: Row) -> int:
        night = self.nights[i]
        bed = night.base + row[0]
        return bed if bed > night.earliest else night.earliest

    def _paint(self, lit: bytearray, rows: Rows, first: int, last: int) -> None:
        """Nights ``first`` to ``last`` and the blocks of their days, each day up to the next bedtime."""
        nights, size = self.nights, len(lit)
        bed = self._bed(first, rows[first])
        for i in range(first, last + 1):
            night = nights[i]
            _, b, bl, m, ml = rows[i]
            wake = max(min(bed + night.asleep, night.up_by), bed)
            begin, until = max(bed, 0), min(wake, size)
            if until > begin:
                lit[begin:until] = _RUNS[DARK][: until - begin]
            end = min(night.free_until, size)
            if i + 1 < len(nights):
                bed = self._bed(i + 1, rows[i + 1])
                end = min(bed, end)
            if ml:
                begin, until = wake + m, min(wake + m + ml, end)
                if until > begin:
                    lit[begin:until] = _RUNS[DIM][: until - begin]
            if bl:
                begin, until = wake + b, min(wake + b + bl, end)
                if until > begin:
                    lit[begin:until] = _RUNS[BRIGHT][: until - begin]

    def _settle(self, lit: bytearray, start: int, end: int) -> None:
        """What a plan cannot change about slots ``start`` to ``end``: hours at work, the cabin, sleep on board."""
        for first, last in self.banned:
            if first < end and last > start:
                lit[first:last] = lit[first:last].translate(_AT_WORK)
        for first, levels in self.fixed:
            if first < end and first + len(levels) > start:
                lit[first : first + len(levels)] = levels
        del lit[len(self.canvas) :]

    def legal(self, rows: Rows, first: int = 0, last: int | None = None) -> bool:
        """Whether nights keep their bounds and blocks theirs; all of them, or those from ``first`` to ``last``."""
        count = len(rows)
        nights = self.nights
        for i in range(first, count if last is None else last + 1):
            off, b, bl, m, ml = rows[i]
            night = nights[i]
            if not night.first <= off <= night.last:
                return False
            if i and abs(off - rows[i - 1][0]) > night.most:
                return False
            if b < 0 or m < 0 or not 0 <= bl <= self.most_bright or not 0 <= ml <= self.most_dim:
                return False
            if b > DAY_SLOTS or m > DAY_SLOTS or bl == 1 or ml == 1:
                return False
        after = count if last is None else last + 1
        return after >= count or abs(rows[after][0] - rows[after - 1][0]) <= nights[after].most

    def clamped(self, rows: Rows) -> Rows:
        """The nearest legal plan."""
        found: list[Row] = []
        before: int | None = None
        for night, (off, b, bl, m, ml) in zip(self.nights, rows, strict=True):
            low, high = night.first, night.last
            if before is not None:
                low, high = max(low, before - night.most), min(high, before + night.most)
            kept = min(max(off, low), high)
            bright, dim = min(bl, self.most_bright), min(ml, self.most_dim)
            # Light in the evening keeps its end, light on waking its start.
            seek = b + bl - bright if b > 10 else b
            shun = m + ml - dim if m > 10 else m
            found.append(
                (
                    kept,
                    seek if bright >= SHORTEST_BLOCK else 0,
                    bright if bright >= SHORTEST_BLOCK else 0,
                    shun if dim >= SHORTEST_BLOCK else 0,
                    dim if dim >= SHORTEST_BLOCK else 0,
                )
            )
            before = kept
        return tuple(found)

    @property
    def slam(self) -> Rows:
        """Sleep at the destination's hours at once, and nothing else; as near to it as the bounds allow."""
        return self.clamped((PLAIN,) * len(self.nights))
