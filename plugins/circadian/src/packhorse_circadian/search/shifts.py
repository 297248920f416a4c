"""Light and nights for shifts at work, searched for over a population of bodies.

No hour of the clock is aimed at: what counts is that the body's low falls
into sleep and not into work, over the whole rota.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from packhorse_circadian.domain.crowd import ARRIVED, EITHER_WAY, REACH, SEED
from packhorse_circadian.domain.population.bodies import BRIGHT, DIM, INDOOR, Body, bodies, parameters
from packhorse_circadian.domain.rota import AWAKE_BETWEEN, Bed, Grid, Rota, awake, grid
from packhorse_circadian.domain.shift_plan import BODIES, Light, Night, ShiftCourse
from packhorse_circadian.domain.timeline import SLOT, habit
from packhorse_circadian.search.waves import Floats, Tracks, Waves

SEARCHED = 32
"""Bodies that plans are searched for with."""

# The cost of one body, in bad sleeps and bad shifts: a sleep whose low lies 5 h outside it counts one, 12 h at most;
# so does a shift with 5 h at work within 2.5 h of the low, when performance is worst (Folkard & Tucker 2003, Occup Med
# 53:95; Dijk, Duffy & Czeisler 1992, J Sleep Res 1:112). The low is to lie about as early in a sleep as at home: half
# of the population have it 2.25 h before waking. The slow fifth counts as much as the mean, as in plans for trips;
# light and moved nights cost a little, so that none is asked for in vain.
_WORST, _FARTHEST = 5.0, 12.0
_BEFORE_WAKING = 2.0
_NEAR_LOW = 2.5
_OFF_WEIGHT = 3.0
# [own] A bad night on a day off counts three times: by day the worker lives with others then. With two, the low ends
# blocks of five nights some 20 minutes later, and comes back later.
_SLOW_WEIGHT, _SLOW = 1.0, 0.8
_SEEN_LOW = 18
"""Hours about the middle of a sleep in which its low is looked for: farther off it counts as farthest."""
_LIGHT_HOUR, _DIM_HOUR, _BLOCK, _MOVED_HOUR = 0.012, 0.0072, 0.0075, 0.06

LEAST_WORTH = 0.05
"""What leaving a block out must cost for it to be asked for, in bad sleeps or shifts of the whole rota."""
_HORIZON = 7 * 24
"""Hours after a change within which its cost is counted while searching: a clock forgets by half in about two days."""
_LONGEST = {True: 10, False: 12}
"""Slots of a block that is bright, and dim."""
_SHORTEST = 2
_MOST_MOVED = 8
"""Slots that a night moves from the usual hours."""
_GAIN = 1e-4

Report = Callable[[int, int], None]


class _Block(NamedTuple):
    first: int
    last: int


@frozen(eq=False, repr=False)
class _Draft:
    """Sleeps, and of each waking stretch at most one block to seek light in and one to keep it dim in."""

    beds: tuple[Bed, ...]
    bright: tuple[_Block | None, ...]
    dim: tuple[_Block | None, ...]

    def with_block(self, k: int, bright: bool, block: _Block | None) -> "_Draft":
        blocks = self.bright if bright else self.dim
        changed = (*blocks[:k], block, *blocks[k + 1 :])
        return evolve(self, bright=changed) if bright else evolve(self, dim=changed)

    def blocks(self) -> list[tuple[int, bool, _Block]]:
        found = [(k, True, block) for k, block in enumerate(self.bright) if block]
        return found + [(k, False, block) for k, block in enumerate(self.dim) if block]


def _wrong(low: Floats, lights: Floats, window: Floats) -> NDArray[np.bool_]:
    """Whether bright light has more of it on the side of a body's low that leads away from the next sleep.

    ``low`` is of shape (schedules, bodies), ``lights`` and ``window`` (schedules, 2): first and last hours.
    """
    start, end = lights[:, :1], lights[:, 1:]
    before = np.clip(np.minimum(end, low) - np.maximum(start, low - REACH), 0, None)
    behind = np.clip(np.minimum(end, low + REACH) - np.maximum(start, low), 0, None)
    middle, half = window.mean(axis=1)[:, None], (window[:, 1] - window[:, 0])[:, None] / 2
    with np.errstate(invalid="ignore"):
        late = (low - middle + 12) % 24 - 12
        off = (np.abs(late) - half >= ARRIVED) & (np.abs(late) <= EITHER_WAY)
        wrong: NDArray[np.bool_] = off & np.where(late > 0, before > behind, behind > before)
        return wrong


class Search:
    """One rota's search. The cost of a draft is kept by item (each sleep, each shift) and body."""

    def __init__(self, ground: Grid, people: Sequence[Body]) -> None:
        """Start from usual hours and no light."""
        self.ground = ground
        self.waves = Waves(people)
        self._tracks: Tracks
        self._compared: Tracks
        since = np.array([body.model_start(0.0) for body in people])
        self.start = (since[None, :, 0], since[None, :, 1], since[None, :, 2])
        work = ground.at_work
        self.lit_up = bytes(kind != 2 for kind in work)
        self.dimmed = ground.may_dim()
        self.shifts = [
            ((shift.start - ground.begin) / SLOT / 2, (shift.end - ground.begin) / SLOT / 2)
            for shift in ground.rota.shifts
        ]
        spans = len(ground.beds) + 1
        self.draft = _Draft(ground.beds, (None,) * spans, (None,) * spans)
        self._weights = [1.0 if bed.by_day else _OFF_WEIGHT for bed in ground.beds]
        self._lit = np.zeros(ground.count, dtype=np.uint8)
        self._lows = np.empty((0, 1, len(self.waves.people)))
        self._items = np.zeros((2 * len(ground.beds) + len(self.shifts), 1, len(self.waves.people)))
        self._lows_first = 0
        self._settle(self.draft)
        # Light before a day's sleep moves the clock the wrong way early and late in a block: dim to begin with.
        dim = [self._last_free(k) if bed.by_day else None for k, bed in enumerate(ground.beds)]
        self._settle(evolve(self.draft, dim=(*dim, None)))

    def _last_free(self, k: int) -> _Block | None:
        pieces = self._free(awake(self.draft.beds, self.ground.count)[k], bright=False)
        return _Block(max(pieces[-1][0], pieces[-1][1] - _LONGEST[False]), pieces[-1][1]) if pieces else None

    # --- what a draft costs ---

    def lit(self, draft: _Draft) -> NDArray[np.uint8]:
        """Light by code of every slot."""
        lit = self.ground.light(draft.beds)
        for _, bright, block in draft.blocks():
            code = BRIGHT if bright else DIM
            free = self.lit_up if bright else self.dimmed
            for slot in range(*block):
                if free[slot] and lit[slot]:
                    # On the way no more than sunglasses do by day.
                    lit[slot] = min(lit[slot], INDOOR) if self.ground.at_work[slot] == 2 else code
        return np.frombuffer(bytes(lit), dtype=np.uint8)

    def _settle(self, draft: _Draft, begun: Tracks | None = None) -> None:
        """Run the draft from where it differs from what stood, or go on where ``begun`` ends."""
        before, self.draft, self._lit = self._lit, draft, self.lit(draft)
        differs = np.flatnonzero(before != self._lit)
        first = int(differs[0]) // 2 if len(differs) else 0
        if first and begun is not None:
            first, at = begun.first, begun.last
            after = begun.followed_by(self.waves.run(self._lit[None, 2 * at :], at, begun.at(at)))
        else:
            state = self._tracks.at(first) if first else self.start
            after = self.waves.run(self._lit[None, 2 * first :], first, state)
        self._tracks = self._tracks.followed_by(after) if first else after
        self._lows = np.concatenate([self._lows[:first], after.lows()])
        if not first:
            self._count_from(self._lows[:36, 0].min(axis=0))
        self._items = self._costs([draft], self._lows, 0, self.ground.count / 2)
        self.cost = float(self._total([draft], self._items)[0])

    def _count_from(self, lows: Floats) -> None:
        """Number every body's lows by nights: 0 is that of the first night, at ``lows`` or a day later."""
        past = lows < 12
        self._uncounted = np.where(past, 2, 1)
        self._home_low = float(np.median(np.where(past, lows + 24, lows)))

    def _windows(self, draft: _Draft) -> list[tuple[float, float]]:
        """First and last hour of each sleep at which the low may be."""
        return [(bed.start / 2, bed.end / 2 - _BEFORE_WAKING) for bed in draft.beds]

    def _costs(self, drafts: Sequence[_Draft], lows: Floats, first: int, until: float) -> Floats:
        """Of each item whose middle lies from hour ``first`` to ``until``, schedule and body; others keep the old."""
        count, people = len(drafts), len(self.waves.people)
        beds, shifts = len(self.draft.beds), len(self.shifts)
        found = np.array(np.broadcast_to(self._items, (len(self._items), count, people)))
        offset = self._lows_first if first else 0
        counted = np.isfinite(lows).cumsum(axis=0) - self._uncounted + np.isfinite(self._lows[:offset]).sum(axis=0)
        windows = np.array([self._windows(draft) for draft in drafts])  # schedules, beds, 2
        for k in range(beds):
            middle = windows[:, k].mean(axis=1)
            if middle.max() < first - 12 or middle.min() > until:
                continue
            early, late = int(middle.min()) - _SEEN_LOW, int(middle.max()) + _SEEN_LOW
            rows = slice(max(early - offset, 0), max(late - offset, 0))
            # The night's own low and not the nearest: a clock sent round the other way comes home a day too late.
            night = round((middle.mean() - self._home_low) / 24)
            away = np.abs(np.where(counted[rows] == night, lows[rows], np.inf) - middle[None, :, None])
            nearest = away.min(axis=0) if len(away) else np.full((count, people), np.inf)
            half = (windows[:, k, 1] - windows[:, k, 0]) / 2
            found[k] = self._weights[k] * np.clip(nearest - half[:, None], 0, _FARTHEST) / _WORST
        for k, (start, end) in enumerate(self.shifts, beds):
            if end < first - _NEAR_LOW or start > until:
                continue
            rows = slice(max(int(start) - 4 - offset, 0), max(int(end) + 4 - offset, 0))
            part = lows[rows]
            shared = np.minimum(end, part + _NEAR_LOW) - np.maximum(start, part - _NEAR_LOW)
            found[k] = np.clip(shared, 0, None, where=np.isfinite(part), out=np.zeros_like(part)).sum(axis=0) / _WORST
        for k in range(beds):
            lights = np.array([draft.bright[k] or (0, 0) for draft in drafts]) / 2
            middle = lights.mean(axis=1)
            lit = lights[:, 1] > 0
            if not lit.any():
                found[beds + shifts + k] = 0
                continue
            if middle[lit].max() < first - 12 or middle[lit].min() > until:
                continue
            rows = slice(max(int(middle[lit].min()) - 13 - offset, 0), max(int(middle[lit].max()) + 14 - offset, 0))
            part = lows[rows]
            if len(part):
                at = np.abs(part - middle[None, :, None]).argmin(axis=0)
                low = np.take_along_axis(part, at[None], axis=0)[0]
                found[beds + shifts + k] = _wrong(low, lights, windows[:, k]) & lit[:, None]
        return found

    def _total(self, drafts: Sequence[_Draft], items: Floats) -> Floats:
        sums = np.sort(items.sum(axis=0), axis=1)
        slow = sums[:, min(int(_SLOW * sums.shape[1]), sums.shape[1] - 1)]
        asked = [self._asked(draft) for draft in drafts]
        total: Floats = sums.mean(axis=1) + _SLOW_WEIGHT * slow + np.array(asked)
        return total

    @staticmethod
    def _asked(draft: _Draft) -> float:
        blocks = draft.blocks()
        hours = sum(
            (block.last - block.first) / 2 * (_LIGHT_HOUR if bright else _DIM_HOUR) for _, bright, block in blocks
        )
        moved = sum(abs(bed.start - bed.usual) for bed in draft.beds) / 2
        return hours + _BLOCK * len(blocks) + _MOVED_HOUR * moved

    def compare(self, drafts: Sequence[_Draft], *, whole: bool = False) -> Floats:
        """What each costs; within the horizon after the first slot that differs, or over the ``whole`` rota."""
        lits = np.stack([self.lit(draft) for draft in drafts])
        differs = (lits != self._lit[None, :]).any(axis=0)
        if not differs.any():
            return self._total(
                drafts, np.broadcast_to(self._items, (len(self._items), len(drafts), len(self.waves.people)))
            )
        first = int(np.argmax(differs)) // 2
        hours = self.ground.count // 2
        end = hours if whole else min(first + _HORIZON, hours)
        tracks = self._compared = self.waves.run(lits[:, 2 * first : 2 * end], first, self._tracks.at(first))
        before = max(first - 26, 0)
        self._lows_first = before
        past = np.broadcast_to(self._lows[before:first], (first - before, len(drafts), len(self.waves.people)))
        lows = np.concatenate([past, tracks.lows()])
        until = end if end == hours else end - _SEEN_LOW
        return self._total(drafts, self._costs(drafts, lows, first, until))

    # --- moves ---

    def _free(self, span: tuple[int, int], bright: bool) -> list[tuple[int, int]]:
        """Where within a waking stretch a block may lie."""
        free = self.lit_up if bright else self.dimmed
        found, start = [], None
        for slot in range(span[0], span[1] + 1):
            if slot < span[1] and free[slot]:
                start = slot if start is None else start
            elif start is not None:
                if slot - start >= _SHORTEST:
                    found.append((start, slot))
                start = None
        return found

    def coarse(self, k: int) -> list[_Draft]:
        """A block of 2 or 4 h anywhere in stretch ``k``, of either kind; and the sleep after it hours later."""
        draft = self.draft
        span = awake(draft.beds, self.ground.count)[k]
        found: list[_Draft] = []
        if self.ground.at(span[0]) >= self.ground.planned:
            return found
        for bright in (True, False):
            for low, high in self._free(span, bright):
                for length in {min(length, high - low) for length in (4, 8)}:
                    starts = [*range(low, high - length, 3), high - length]
                    found += [draft.with_block(k, bright, _Block(at, at + length)) for at in starts]
        if k < len(draft.beds):
            found += [moved for by in (2, 4, 6, 8, -2) if (moved := self._moved(k, by))]
        return found

    def fine(self, k: int, step: int) -> list[_Draft]:
        """The blocks of stretch ``k`` longer, shorter, sooner, later or gone, and the sleep after it moved."""
        draft = self.draft
        span = awake(draft.beds, self.ground.count)[k]
        found = []
        for bright, block in ((True, draft.bright[k]), (False, draft.dim[k])):
            if block is None:
                continue
            for a, b in ((-1, 0), (1, 0), (0, -1), (0, 1), (1, 1), (-1, -1)):
                first, last = block.first + a * step, block.last + b * step
                fits = any(low <= first and last <= high for low, high in self._free(span, bright))
                if fits and _SHORTEST <= last - first <= _LONGEST[bright]:
                    found.append(draft.with_block(k, bright, _Block(first, last)))
            found.append(draft.with_block(k, bright, None))
        if k < len(draft.beds):
            found += [moved for by in (step, -step) if (moved := self._moved(k, by))]
        return found

    def _moved(self, k: int, by: int) -> _Draft | None:
        """The draft with sleep ``k`` later, and no block into it; None where there is no room."""
        draft = self.draft
        bed = draft.beds[k].moved(by)
        gap = int(AWAKE_BETWEEN / SLOT)
        if (
            bed.start * SLOT + self.ground.begin >= self.ground.planned
            or bed.start == draft.beds[k].start
            or abs(bed.start - bed.usual) > _MOST_MOVED
        ):
            return None
        if k and bed.start - draft.beds[k - 1].end < gap:
            return None
        if k + 1 < len(draft.beds) and draft.beds[k + 1].start - bed.end < gap:
            return None
        moved = evolve(draft, beds=(*draft.beds[:k], bed, *draft.beds[k + 1 :]))
        spans = awake(moved.beds, self.ground.count)
        for n in (k, k + 1):
            for bright in (True, False):
                block = (moved.bright if bright else moved.dim)[n]
                if block:
                    cut = _Block(max(block.first, spans[n][0]), min(block.last, spans[n][1]))
                    moved = moved.with_block(n, bright, cut if cut.last - cut.first >= _SHORTEST else None)
        return moved

    def take(self, drafts: Iterable[_Draft]) -> bool:
        """Settle on the cheapest, where it is cheaper than what stands; whether it was."""
        tried = [self.draft, *drafts]
        if len(tried) == 1:
            return False
        costs = self.compare(tried)
        best = int(np.argmin(costs))
        if costs[best] >= costs[0] - _GAIN:
            return False
        self._settle(tried[best], self._compared.of(best))
        return True

    def prune(self) -> dict[tuple[int, bool], float]:
        """Leave out what is worth too little, the least first; what each block left is worth."""
        while True:
            blocks = self.draft.blocks()
            without = [self.draft.with_block(k, bright, None) for k, bright, _ in blocks]
            costs = self.compare([self.draft, *without], whole=True) - [
                self._asked(draft) for draft in (self.draft, *without)
            ]
            worths = {
                (k, bright): float(cost - costs[0]) for (k, bright, _), cost in zip(blocks, costs[1:], strict=True)
            }
            least = min(worths, key=lambda key: worths[key], default=None)
            if least is None or worths[least] >= LEAST_WORTH:
                return worths
            self._settle(self.draft.with_block(*least, None))


def searched(
    rota: Rota, report: Report = lambda done, total: None, stopped: Callable[[], bool] = lambda: False
) -> ShiftCourse:
    """Sleeps and light for a rota, and where the bodies' lows go with them and without."""
    usual, period = habit(rota.habits), parameters()["period"]["neither"]
    ground = grid(rota)
    search = Search(ground, bodies(SEARCHED, SEED, usual, None, period))
    stretches = len(search.draft.beds) + 1
    rounds = (None, None, 2, 1)
    done = 0
    best: dict[tuple[int, int | None], _Draft] = {}  # of a stretch and a step: the draft that nothing was cheaper than
    for step in rounds:
        for k in range(stretches):
            if stopped():
                break
            for _ in range(2 if step is None else 1):
                if best.get((k, step)) is not search.draft and not search.take(
                    search.coarse(k) if step is None else search.fine(k, step)
                ):
                    best[k, step] = search.draft
            done += 1
            report(done, stretches * len(rounds))
    worths = search.prune()
    return _course(search, worths, Waves(bodies(BODIES, SEED, usual, None, period)))


def _course(search: Search, worths: dict[tuple[int, bool], float], crowd: Waves) -> ShiftCourse:
    ground, draft = search.ground, search.draft
    start = np.array([body.model_start(0.0) for body in crowd.people])
    states = tuple(start[None, :, k] for k in range(3))
    plain = np.frombuffer(bytes(ground.light(ground.beds)), dtype=np.uint8)
    lit = np.stack([search.lit(draft), plain])
    lows = crowd.run(lit, 0, states).lows()  # type: ignore[arg-type]
    lights = [
        Light(block.first, block.last, bright, worths.get((k, bright), LEAST_WORTH))
        for k, bright, block in draft.blocks()
    ]
    nights = [Night(bed, *_low_of(bed, lows[:, 0]), *_low_of(bed, lows[:, 1])) for bed in draft.beds]
    return ShiftCourse(ground, tuple(nights), tuple(sorted(lights, key=lambda light: light.first)))


def _low_of(bed: Bed, lows: Floats) -> tuple[float, float, float]:
    """The 10 %, 50 % and 90 % quantiles of the lows nearest to a sleep, in hours from the start."""
    middle = (bed.start + bed.end) / 4
    first = max(int(middle) - 14, 0)
    part = lows[first : int(middle) + 14]
    at = np.argmin(np.abs(part - middle), axis=0)
    nearest = part[at, np.arange(part.shape[1])]
    low, half, high = np.quantile(nearest[np.isfinite(nearest)], (0.1, 0.5, 0.9))
    return float(low), float(half), float(high)
