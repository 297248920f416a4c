"""Search the windows of light that jet-lag plans start from, on bodies of the population; by hand, never in CI.

    python benchmarks/circadian_rows.py --out rows.txt     # half an hour of one core; may be stopped and goes on
    python benchmarks/circadian_rows.py --out better.txt --seeds rows.txt   # again, from what neighbours found
    python benchmarks/circadian_rows.py --only 6 --prep 3  # one chain, to look at
    python benchmarks/circadian_rows.py --out rows.txt --hold      # write rows again without days that gain nothing
    python benchmarks/circadian_rows.py --out rows.txt --calm      # and with nights after landing that do not swing

Every row is one whole-hour shift, days of preparation (0 to 7, each started from the row of a day less) and hour of
landing. Size: 48 bodies in the search, 240 others in the repair, and 500 that neither has seen for the figures of the
row, seeds 1, 2 and 3; steepest descent over all moves of all blocks at once. Needs numpy, which the pack itself does
not.

What is minimised, per row: the mean over bodies of the sum over days of e^2/(e^2+1) (e: hours off at the low), half
the 80 % quantile and half the mean of the days to arrive, small costs for hours of light, blocks and moved nights,
and large ones for bodies that meet light on the wrong side of their low or arrive later than without a plan. Then
blocks that most bodies meet on the wrong side are trimmed until few do, and blocks worth less than `WORTH` go.

The row of a day less stays possible with a day more: preparation then begins a day later. A new draft takes its place
only where the slow fifth of the 500 bodies arrives sooner; where none does, the row says whose plan it is. `--hold`
asks the same of 500 bodies more, of seed 4: what only one of both crowds finds is chance.
A search of this size ends in other places when it begins in others: the second pass begins from the rows of the first,
of the same shift at other landings and of the shifts beside it too, and keeps what is best on the 500.
"""

import argparse
import ctypes
import itertools
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from packhorse_circadian.domain.body import Timetable
from packhorse_circadian.domain.crowd import COUNT, SEED
from packhorse_circadian.domain.nights import sleeps
from packhorse_circadian.domain.population.bodies import BRIGHT, DIM, Habit, bodies, paired
from packhorse_circadian.domain.shift import DAY, HOUR
from packhorse_circadian.domain.timeline import Timeline, timeline, usual_begin
from packhorse_circadian.domain.trip import Trip

SEARCH_BODIES, REPAIR_BODIES, CHECK_BODIES, HOLD_BODIES = (48, 1), (240, 2), (500, 3), (500, 4)
"""Counts and seeds."""
WRONG, WRONG_CHECKED, WORTH, CAP = 0.025, 0.04, 0.115, 20.0
CALM, CALMED = 0.1, 12
"""Days that the slow fifth may lose by nights that do not swing; of such nights how many the 500 bodies judge."""
LOOSE, ROUGH_WEIGHT, FINE_WEIGHT = 0.15, 6.0, 20.0
"""Share of bodies that the first search lets meet the wrong side, and what more costs in each."""
HINTS = 3
"""Of the starts of a second pass, how many are polished."""
CHUNK = 8000
"""Clocks stepped at once: what fits the processor's cache."""
LANDINGS = (8, 16, 0)
LONGEST = {BRIGHT: 10, DIM: 12}
GAP = 4
"""Half hours between two blocks of one kind."""
KINDS = "d", "b"
F = np.float32
Block = tuple[int, int, int]
"""First slot, last slot (exclusive), code."""


KERNEL = r"""
void lows(int schedules, int bodies, int hours, int most, const unsigned char *codes, const float *lights,
          const float *body, const float *starts, float *found) {
  const float *stiff = body, *adv = body + bodies, *del = body + 2 * bodies;
  const float w = 0.26179938779914943f, mu = 0.23f, k = 0.55f, third = 4.0f / 3.0f;
  float x[512], z[512], n[512], was[512];
  int count[512];
  for (int c = 0; c < schedules; c++) {
    for (int i = 0; i < bodies; i++) {
      x[i] = starts[i]; z[i] = starts[bodies + i]; n[i] = starts[2 * bodies + i]; count[i] = 0;
    }
    for (int h = 0; h < hours; h++) {
      const float *a = lights + codes[c * hours + h] * 4 * bodies;
      for (int i = 0; i < bodies; i++) {
        float light = a[2 * bodies + i] - n[i] * a[3 * bodies + i];
        n[i] = a[i] + n[i] * a[bodies + i];
        float u = x[i], v = z[i], d, s = stiff[i];
        light *= v + k * u * u > 0 ? adv[i] : del[i];
        was[i] = v;
        d = light * (1 - 0.4f * u) * (1 - 0.4f * v);
        float p1 = v + d, q1 = mu * v * (1 - third * v * v) - u * (s + k * d);
        u = x[i] + w / 2 * p1; v = z[i] + w / 2 * q1;
        d = light * (1 - 0.4f * u) * (1 - 0.4f * v);
        float p2 = v + d, q2 = mu * v * (1 - third * v * v) - u * (s + k * d);
        u = x[i] + w / 2 * p2; v = z[i] + w / 2 * q2;
        d = light * (1 - 0.4f * u) * (1 - 0.4f * v);
        float p3 = v + d, q3 = mu * v * (1 - third * v * v) - u * (s + k * d);
        u = x[i] + w * p3; v = z[i] + w * q3;
        d = light * (1 - 0.4f * u) * (1 - 0.4f * v);
        x[i] += w / 6 * (p1 + 2 * (p2 + p3) + v + d);
        z[i] += w / 6 * (q1 + 2 * (q2 + q3) + mu * v * (1 - third * v * v) - u * (s + k * d));
      }
      for (int i = 0; i < bodies; i++)
        if (was[i] < 0 && z[i] >= 0 && x[i] < 0 && count[i] < most)
          found[((long)count[i]++ * schedules + c) * bodies + i] = h + was[i] / (was[i] - z[i]);
    }
  }
}
"""


@cache
def kernel() -> Any:
    """The loop of `Crowd.lows` compiled, several times as fast; None where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp())
    (folder / "lows.c").write_text(KERNEL, "utf-8")
    command = [compiler, "-O3", "-march=native", "-ffast-math", "-shared", "-fPIC", "-o", "lows.so", "lows.c"]
    subprocess.run(command, cwd=folder, check=True)  # the project's own few lines
    return ctypes.CDLL(str(folder / "lows.so")).lows


class Draft(NamedTuple):
    """Hours a night moves at home (earlier below 0), half hours each night after landing is later, and the blocks."""

    home: float
    away: tuple[int, ...]
    blocks: tuple[Block, ...]
    prep: int = 0
    """Days before departure on which it begins."""


class Crowd:
    """Bodies as arrays, and their clocks under many schedules at once."""

    def __init__(self, count: int, seed: int) -> None:
        people = bodies(count, seed, Habit())
        self.count = len(people)
        self.stiff = np.array([one.stiffness for one in people], F)
        self.advancing = np.array([one.advancing for one in people], F)
        self.delaying = np.array([one.delaying for one in people], F)
        self.low = np.array([one.low for one in people], F)
        self.people = people
        self.lights = np.array([one.hours for one in people], F).transpose(1, 2, 0).copy()

    def lows(self, codes: np.ndarray, since_wake: float) -> np.ndarray:
        """Hours of every low, (lows, schedules, bodies), by codes of hours; nan where there is none."""
        fast = kernel()
        if fast is not None:
            return self._compiled(fast, codes, since_wake)
        size = max(CHUNK // self.count, 1)
        parts = [self._lows(codes[k : k + size], since_wake) for k in range(0, len(codes), size)]
        return np.concatenate(parts, axis=1)

    def _compiled(self, fast: Any, codes: np.ndarray, since_wake: float) -> np.ndarray:
        starts = np.array([one.model_start(since_wake) for one in self.people], F).T.copy()
        body = np.array([self.stiff, self.advancing, self.delaying], F)
        codes = np.ascontiguousarray(codes)
        found = np.full((codes.shape[1] // 24 + 4, len(codes), self.count), np.nan, F)
        arrays = (ctypes.c_void_p(array.ctypes.data) for array in (codes, self.lights, body, starts, found))
        fast(len(codes), self.count, codes.shape[1], len(found), *arrays)
        return found

    def _lows(self, codes: np.ndarray, since_wake: float) -> np.ndarray:
        shape = (codes.shape[0], self.count)
        starts = np.array([one.model_start(since_wake) for one in self.people], F)
        x, xc, n = (np.broadcast_to(starts[:, k], shape).copy() for k in range(3))
        light, a, b, u, v, p, q, sum_p, sum_q, before = (np.empty(shape, F) for _ in range(10))
        found = np.full((codes.shape[1] // 24 + 4, x.size), np.nan, F)
        counted = np.zeros(x.size, np.int32)
        w, mu, k, third, stiff, one = F(np.pi / 12), F(0.23), F(0.55), F(4 / 3), self.stiff, F(1)
        for hour in range(codes.shape[1]):
            to, by, base, slope = self.lights[codes[:, hour]].transpose(1, 0, 2)
            np.multiply(n, slope, out=a)
            np.subtract(base, a, out=light)
            n *= by
            n += to
            np.multiply(x, x, out=a)
            a *= k
            a += xc
            light *= np.where(a > 0, self.advancing, self.delaying)
            before[:] = xc
            np.copyto(u, x)
            np.copyto(v, xc)
            for stage in range(4):
                # b = light (1 - .4 u) (1 - .4 v); p = v + b; q = mu v (1 - 4/3 v v) - u (stiff + k b)
                np.multiply(u, F(-0.4), out=b)
                b += one
                b *= light
                np.multiply(v, F(-0.4), out=a)
                a += one
                b *= a
                np.add(v, b, out=p)
                b *= k
                b += stiff
                b *= u
                np.multiply(v, v, out=a)
                a *= -third * mu
                a += mu
                a *= v
                np.subtract(a, b, out=q)
                if stage == 0:
                    np.copyto(sum_p, p)
                    np.copyto(sum_q, q)
                else:
                    if stage < 3:
                        p += p
                        q += q
                    sum_p += p
                    sum_q += q
                if stage < 3:
                    reach = (w / 2, w / 4, w / 2)[stage]
                    np.multiply(p, F(reach), out=u)
                    u += x
                    np.multiply(q, F(reach), out=v)
                    v += xc
            sum_p *= F(w / 6)
            x += sum_p
            sum_q *= F(w / 6)
            xc += sum_q
            at = np.flatnonzero((before < 0) & (xc >= 0) & (x < 0))
            if len(at):
                was, now = before.ravel()[at], xc.ravel()[at]
                found[np.minimum(counted[at], len(found) - 1), at] = hour + was / (was - now)
                counted[at] += 1
        return found.reshape(-1, *shape)


class Scene:
    """One shift, preparation and landing: its timeline, and drafts drawn on it."""

    def __init__(self, shift: int, prep: int, landing: int) -> None:
        self.shift, self.prep, self.landing = shift, prep, landing
        there = ZoneInfo("Etc/GMT" if not shift else f"Etc/GMT{-shift:+d}")
        arrival = datetime(2027, 6, 14, landing, tzinfo=there).astimezone(UTC)
        way = max(1.2 * abs(shift) + 1, 2.0)
        departure = arrival - timedelta(hours=round(way * 2) / 2)
        self.trip = Trip(ZoneInfo("Etc/GMT"), there, departure, arrival, prep_days=prep)
        begin = usual_begin(self.trip)
        self.line: Timeline = timeline(self.trip, begin, CAP * DAY)
        self.landed = self.line.landed
        self.dawn = self.line.slot(datetime(2027, 6, 14, 7, tzinfo=there))  # usual waking on the day of landing
        self.home_dawn = self.line.slot(datetime.combine(self.trip.departure_date, datetime.min.time(), UTC) + 7 * HOUR)
        self.gone = self.line.slot(departure)
        self.since_wake = (self.line.target[0] - shift) % 24

    @cache  # noqa: B019  # scenes are few
    def ground(self, home: float, away: tuple[int, ...], prep: int) -> tuple[bytes, bytes]:
        """Light and freedom of every slot under these nights."""
        trip = self.trip
        most = min(prep, max(abs(self.shift) - 1, 0))
        first = trip.departure_date - prep * DAY
        moves = {first + k * DAY: min(k, most) * home * HOUR for k in range(1, prep + 1)}
        last = trip.arrival_date + 20 * DAY
        there = {trip.arrival_date + k * DAY: by * HOUR / 2 for k, by in enumerate(away)}
        slept = sleeps(Timetable(trip, moves, there, last))
        lit = self.line.asleep(slept)
        return bytes(lit), bytes(free and code for free, code in zip(self.line.free, lit, strict=True))

    def draw(self, draft: Draft) -> tuple[bytearray, list[Block]]:
        """The light of every slot, and the blocks as sleep and the journey leave them."""
        lit, free = self.ground(draft.home, draft.away, draft.prep)
        canvas, kept = bytearray(lit), []
        for first, last, code in draft.blocks:
            there = [slot for slot in range(max(first, 0), min(last, len(free))) if free[slot]]
            if there:
                canvas[there[0] : there[-1] + 1] = bytes(
                    code if free[slot] else lit[slot] for slot in range(there[0], there[-1] + 1)
                )
                kept.append((there[0], there[-1] + 1, code))
        return canvas, kept

    def spans(self, draft: Draft) -> list[tuple[int, int]]:
        """Waking spans in which light can be chosen: in preparation, and in the first week after landing."""
        _, free = self.ground(draft.home, draft.away, draft.prep)
        found, start = [], None
        for slot in range(min(len(free), self.dawn + 9 * 48)):
            if free[slot] and start is None:
                start = slot
            elif not free[slot] and start is not None:
                found.append((start, slot))
                start = None
        return [span for span in found if span[1] - span[0] >= 3]


class Result(NamedTuple):
    """Per schedule: cost, days (schedules, bodies), share wrong, net wrong share of each block."""

    cost: np.ndarray
    days: np.ndarray
    wrong: np.ndarray
    by_block: list[np.ndarray]


def days_of(lows: np.ndarray, late: np.ndarray, landed: float) -> np.ndarray:
    """Days from landing until every later low is within an hour, interpolated; `CAP` where the last is not."""
    size = np.abs(late)
    bad = np.where(np.isnan(size), False, size >= 1)
    last = bad.shape[0] - 1 - bad[::-1].argmax(0)
    some = bad.any(0)
    nxt = np.minimum(last + 1, bad.shape[0] - 1)

    def pick(of: np.ndarray, at: np.ndarray) -> np.ndarray:
        return np.take_along_axis(of, at[None], 0)[0]

    e1, e2, t1, t2 = pick(size, last), pick(size, nxt), pick(lows, last), pick(lows, nxt)
    with np.errstate(invalid="ignore", divide="ignore"):
        at = t1 + np.clip((e1 - 1) / np.maximum(e1 - e2, 1e-6), 0, 1) * (t2 - t1)
    days = np.where(np.isnan(t2) | (last == bad.shape[0] - 1), CAP, (at - landed) / 24)
    return np.clip(np.where(some, days, 0), 0, CAP)


class Judge:
    """Costs of drafts on one crowd."""

    def __init__(self, crowd: Crowd, scene: Scene, limit: float, weight: float = 6.0) -> None:
        self.crowd, self.scene, self.limit, self.weight = crowd, scene, limit, weight
        self.slam = CAP
        plain = self.judge([Draft(0.0, (), ())])
        self.slam = plain.days[0]

    def judge(self, drafts: list[Draft]) -> Result:
        scene, crowd = self.scene, self.crowd
        drawn = [scene.draw(draft) for draft in drafts]
        codes = np.array([np.frombuffer(paired(lit), np.uint8) for lit, _ in drawn])
        lows = crowd.lows(codes, scene.since_wake)
        target = scene.line.target[0]
        late = (target + lows - crowd.low + 12) % 24 - 12
        days = days_of(lows, late, scene.landed)
        after = np.where(lows >= scene.landed, late, np.nan)
        square = np.nan_to_num(after, nan=0.0) ** 2
        away = (square / (square + 1)).sum(0).mean(1)
        wrong, by_block = self._wrong(lows, late, [blocks for _, blocks in drawn])
        hours = np.array([sum((t - s) / 2 * (1 if c == BRIGHT else 0.6) for s, t, c in blocks) for _, blocks in drawn])
        count = np.array([len(draft.blocks) for draft in drafts])
        moved = np.array([sum(map(abs, draft.away)) / 2 for draft in drafts])
        cost = (
            away
            + 0.5 * np.quantile(days, 0.8, axis=1)
            + 0.5 * days.mean(1)
            + 0.015 * hours
            + 0.0075 * count
            + 0.06 * moved
            + self.weight * np.maximum(0, wrong - self.limit)
            + 4 * np.maximum(0, days - self.slam - 0.25).mean(1)
        )
        return Result(cost, days, wrong, by_block)

    def _wrong(
        self, lows: np.ndarray, late: np.ndarray, blocks: list[list[Block]]
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Share of bodies that meet any bright block with more hours on the wrong side of their low than the right."""
        most = max((len(there) for there in blocks), default=0)
        met = np.zeros(lows.shape[1:], bool)
        by_block = [np.zeros(len(there), F) for there in blocks]
        filled = np.nan_to_num(lows, nan=1e6)
        for k in range(most):
            rows = [n for n, there in enumerate(blocks) if len(there) > k and there[k][2] == BRIGHT]
            if not rows:
                continue
            start = np.array([blocks[n][k][0] / 2 for n in rows], F)[:, None]
            end = np.array([blocks[n][k][1] / 2 for n in rows], F)[:, None]
            some = filled[:, rows]
            nearest = np.abs(some - (start + end) / 2).argmin(0)[None]
            low = np.take_along_axis(some, nearest, 0)[0]
            off = np.take_along_axis(late[:, rows], nearest, 0)[0]
            before = np.clip(np.minimum(end, low) - np.maximum(start, low - 7), 0, None)
            behind = np.clip(np.minimum(end, low + 7) - np.maximum(start, low), 0, None)
            size = np.abs(off)
            bad = np.where(off > 0, before > behind, behind > before) & (size >= 1) & (size <= 10)
            met[rows] |= bad
            for n, share in zip(rows, bad.mean(1), strict=True):
                by_block[n][k] = share
        return met.mean(1), by_block


def legal(draft: Draft) -> bool:
    """Whether nights move little from one to the next, and blocks are long enough and clear of each other."""
    nights = (*draft.away, 0)
    if any(abs(a) > 4 for a in nights) or any(abs(a - b) > 4 for a, b in itertools.pairwise(nights)):
        return False
    last, ended = -99, {BRIGHT: -99, DIM: -99}
    for s, t, c in sorted(draft.blocks):
        if s < last or s < ended[c] + GAP or not 2 <= t - s <= LONGEST[c]:
            return False
        last = ended[c] = t
    return True


def without(draft: Draft, k: int) -> Draft:
    return draft._replace(blocks=draft.blocks[:k] + draft.blocks[k + 1 :])


def replaced(draft: Draft, k: int, s: int, t: int) -> Draft:
    return draft._replace(blocks=(*draft.blocks[:k], (s, t, draft.blocks[k][2]), *draft.blocks[k + 1 :]))


def moves(draft: Draft, sizes: Iterable[int]) -> Iterator[tuple[object, Draft]]:
    """Every small change, with what it changes: a block or a night."""
    for k, (s, t, _) in enumerate(draft.blocks):
        for by in sizes:
            for sign in (by, -by):
                yield k, replaced(draft, k, s + sign, t + sign)
                yield k, replaced(draft, k, s + sign, t)
                yield k, replaced(draft, k, s, t + sign)
        yield k, without(draft, k)
    for night in range(4):
        for by in (1, -1):
            away = list((*draft.away, 0, 0, 0, 0)[:4])
            away[night] += by
            yield "night", draft._replace(away=tuple(away))


def polish(judge: Judge, draft: Draft, rounds: int) -> Draft:
    """Steepest descent; what helps on different blocks is tried together."""
    best = float(judge.judge([draft]).cost[0])
    for sizes in itertools.islice(itertools.cycle(((1, 2), (2, 4), (1,))), rounds):
        tried = [(what, new) for what, new in moves(draft, sizes) if legal(new)]
        if not tried:
            return draft
        costs = judge.judge([new for _, new in tried]).cost
        better: dict[object, tuple[float, Draft]] = {}
        for (what, new), cost in sorted(zip(tried, costs, strict=True), key=lambda found: found[1]):
            if cost < best - 1e-3:
                better.setdefault(what, (float(cost), new))
        if not better:
            if sizes == (1,):
                return draft
            continue
        together = _together(draft, better)
        costs = judge.judge(together).cost
        pick = int(costs.argmin())
        best, draft = float(costs[pick]), together[pick]
    return draft


def _together(draft: Draft, better: dict[object, tuple[float, Draft]]) -> list[Draft]:
    """The best change, the best two, and so on."""
    found, now = [], draft
    changed: dict[Block, Block | None] = {}
    for what, (_, new) in sorted(better.items(), key=lambda item: item[1][0]):
        if what == "night":
            now = now._replace(away=new.away)
        else:
            old = draft.blocks[what]  # type: ignore[index]
            gone = len(new.blocks) < len(draft.blocks)
            changed[old] = None if gone else new.blocks[what]  # type: ignore[index]
        kept = tuple(b for b in (changed.get(block, block) for block in draft.blocks) if b)
        step = now._replace(blocks=kept)
        if legal(step):
            found.append(step)
    return found or [draft]


def forward(judge: Judge, draft: Draft) -> Draft:
    """Day by day the block that helps most, if it helps."""
    best = float(judge.judge([draft]).cost[0])
    for start, end in judge.scene.spans(draft):
        for code in (BRIGHT, DIM):
            tried = [
                draft._replace(blocks=(*draft.blocks, (s, min(s + 6, end), code)))
                for s in range(start, max(end - 3, start + 1), 3)
            ]
            tried = [new for new in tried if legal(new)]
            if tried:
                costs = judge.judge(tried).cost
                pick = int(costs.argmin())
                if costs[pick] < best - 0.02:
                    best, draft = float(costs[pick]), tried[pick]
    return draft


def repair(judge: Judge, draft: Draft) -> Draft:
    """Trim the block that most bodies meet on the wrong side, until few do; then drop what is worth little."""
    for _ in range(3):
        for _ in range(14):
            result = judge.judge([draft])
            if result.wrong[0] <= judge.limit or not draft.blocks:
                break
            _, kept = judge.scene.draw(draft)
            at = kept[int(result.by_block[0].argmax())]
            k = next(n for n, b in enumerate(draft.blocks) if b[0] <= at[0] and b[1] >= at[1] and b[2] == at[2])
            s, t, _ = at
            tried = [replaced(draft, k, s + a, t + b) for a, b in _TRIMS]
            tried = [new for new in tried if legal(new)] + [without(draft, k)]
            found = judge.judge(tried)
            draft = tried[int((np.quantile(found.days, 0.8, axis=1) + found.days.mean(1) + 40 * found.wrong).argmin())]
        draft, dropped = pruned(judge, draft)
        if not dropped:
            break
    return draft


_TRIMS = ((1, 0), (2, 0), (0, -1), (0, -2), (2, 2), (-2, -2), (4, 0), (0, -4))


def worths(judge: Judge, draft: Draft) -> list[float]:
    """Mean days that leaving out each block costs."""
    days = judge.judge([draft, *(without(draft, k) for k in range(len(draft.blocks)))]).days.mean(1)
    return [float(cost - days[0]) for cost in days[1:]]


def pruned(judge: Judge, draft: Draft) -> tuple[Draft, bool]:
    """Without the blocks worth less than `WORTH`, one at a time."""
    dropped = False
    while draft.blocks:
        worth = worths(judge, draft)
        if min(worth) >= WORTH:
            break
        draft, dropped = without(draft, worth.index(min(worth))), True
    return draft, dropped


Seeds = dict[tuple[int, int, int], str]
"""Rows of an earlier pass."""


class Row(NamedTuple):
    """One line of the table, and the draft it came from."""

    line: str
    draft: Draft


def anchored(scene: Scene, draft: Draft) -> list[tuple[str, int, int, int, str]]:
    """Blocks by the day and half hours after its usual waking, at home and at the destination."""
    found = []
    for s, t, code in sorted(scene.draw(draft)[1]):
        place, dawn = ("o", scene.home_dawn) if s < scene.gone else ("d", scene.dawn)
        day = (s - dawn + 8) // 48
        found.append((place, day, s - dawn - 48 * day, t - s, KINDS[code == BRIGHT]))
    return found


def placed(scene: Scene, found: Iterable[tuple[str, int, int, int, str]]) -> tuple[Block, ...]:
    """The inverse of `anchored`, on another scene."""
    blocks = []
    for place, day, start, length, kind in found:
        s = (scene.home_dawn if place == "o" else scene.dawn) + 48 * day + start
        if s >= 0:
            blocks.append((s, s + length, BRIGHT if kind == "b" else DIM))
    return tuple(blocks)


def from_scratch(scene: Scene, kept: Draft | None, rough: Judge, fine: Judge, check: Judge) -> list[Draft]:
    """Drafts grown block by block, and from that of a day less of preparation."""
    shift, prep = scene.shift, scene.prep
    toward = -1.0 if shift > 0 else 1.0
    ways = [toward] if abs(shift) < 8 else [toward, -toward]
    starts = [Draft(0.0, (), (), prep)]
    if prep:
        starts += [Draft(way, (), (), prep) for way in ways]
    quick = prep > 3
    seeds = [] if quick and kept else [forward(rough, start) for start in starts[-len(ways) :]]
    if kept:
        longer = kept._replace(prep=prep, home=kept.home or toward)
        if prep <= abs(shift) and abs(shift) > 1:
            more = [block for block in longer.blocks if block[0] >= scene.home_dawn]
            seeds.append(forward(rough, longer) if quick or prep == 1 else longer)
            seeds.append(longer._replace(blocks=tuple(more)))
        seeds.append(kept._replace(prep=prep) if not kept.home else kept)
    seeds += starts
    costs = rough.judge(seeds).cost
    best = [seeds[int(k)] for k in costs.argsort()[: 1 if quick else 2]]
    finished = []
    for draft in best:
        found = polish(rough, forward(rough, draft if quick else polish(rough, draft, 4)), 4)
        found, _ = pruned(fine, polish(fine, found, 3 if quick else 6))
        finished.append(repair(check, repair(fine, polish(fine, found, 4))))
    return finished


def around(scene: Scene, seeds: list[Seeds]) -> Iterator[Draft]:
    """Drafts of this row, of other landings and of the shifts beside it, laid on ``scene``."""
    for rows in seeds:
        for shift, landing in [(scene.shift, at) for at in LANDINGS] + [
            (scene.shift + d, scene.landing) for d in (1, -1)
        ]:
            if (shift, scene.prep, landing) in rows and shift * scene.shift > 0:
                other = Scene(shift, scene.prep, landing)
                draft = draft_of(other, rows, scene.prep)
                yield draft._replace(blocks=placed(scene, anchored(other, draft)))


def search(
    shift: int, prep: int, landing: int, before: tuple[Scene, Draft] | None, crowds: list[Crowd], seeds: list[Seeds]
) -> Row:
    """The best draft of one row, no slower for the slow than that of a day less."""
    scene = Scene(shift, prep, landing)
    fine = Judge(crowds[1], scene, WRONG, FINE_WEIGHT)
    check = Judge(crowds[2], scene, WRONG_CHECKED, FINE_WEIGHT)
    kept = None
    if before:
        old, draft = before
        kept = draft._replace(blocks=placed(scene, anchored(old, draft)))
    if seeds:
        hints = list(around(scene, seeds)) + ([kept._replace(prep=prep)] if kept else [])
        costs = check.judge(hints).cost
        best = [hints[int(k)] for k in costs.argsort()[:HINTS]]
        finished = [repair(check, pruned(fine, polish(fine, draft, 4))[0]) for draft in best]
        finished += [repair(check, draft) for draft in best]
    else:
        finished = from_scratch(scene, kept, Judge(crowds[0], scene, LOOSE, ROUGH_WEIGHT), fine, check)
    finished.append(kept or Draft(0.0, (), ()))
    result = check.judge(finished)
    slow = np.quantile(result.days, 0.8, axis=1)
    cost = result.cost + np.where(result.wrong > WRONG_CHECKED + 0.005, 50, 0)
    cost[-1] = result.cost[-1]
    if kept is not None:
        cost[:-1] += 50 * (slow[:-1] >= slow[-1])
    pick = int(cost.argmin())
    draft = finished[pick]
    if draft is kept:
        return Row(f"{shift:+03d} {prep} {landing:02d} = {kept.prep}", kept)
    return Row(written(scene, draft, check, crowds[3]), draft)


def written(scene: Scene, draft: Draft, check: Judge, few: Crowd) -> str:
    """The line of a row."""
    result, slam = check.judge([draft]), check.slam
    nights = " ".join(map(str, draft.away)) or "0"
    days = result.days[0]
    own = Judge(few, scene, 1.0).judge([draft]).days[0]
    lost = float((days > slam + 1).mean())
    worth = worths(check, draft) if draft.blocks else []
    order = sorted(range(len(draft.blocks)), key=lambda k: draft.blocks[k][0])
    blocks = " ".join(
        f"{place}{day}:{start}+{length}{kind}{worth[k]:.2f}"
        for (place, day, start, length, kind), k in zip(anchored(scene, draft), order, strict=True)
    )
    return (
        f"{scene.shift:+03d} {scene.prep} {scene.landing:02d} | {draft.home:g} | {nights} | {quantiles(days)} | "
        f"{quantiles(slam)} | {quantiles(own)} | {result.wrong[0]:.3f} {lost:.3f} | {blocks}"
    )


def quantiles(days: np.ndarray) -> str:
    """The median and the 10, 80 and 90 % quantiles."""
    return " ".join(f"{at:.2f}" for at in np.quantile(days, (0.5, 0.1, 0.8, 0.9), method="hazen"))


def read(path: Path) -> dict[tuple[int, int, int], str]:
    """The rows that are done."""
    if not path.exists():
        return {}
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {key(line): line for line in lines}


def key(line: str) -> tuple[int, int, int]:
    shift, prep, landing = line.split("|", maxsplit=1)[0].split()[:3]
    return int(shift), int(prep), int(landing)


def draft_of(scene: Scene, rows: dict[tuple[int, int, int], str], prep: int) -> Draft:
    """The draft of the row of so many days that is done, on a scene of as many or more."""
    line = rows[scene.shift, prep, scene.landing]
    if "=" in line:
        return draft_of(scene, rows, int(line.split("=")[1]))
    parts = [part.strip() for part in line.split("|")]
    found = []
    for text in parts[-1].split():
        head, tail = text.split("+")
        place, (day, start) = head[0], map(int, head[1:].split(":"))
        mark = "b" if "b" in tail else "d"
        found.append((place, day, start, int(tail.split(mark)[0]), mark))
    away = tuple(map(int, parts[2].split()))
    return Draft(float(parts[1]), away if any(away) else (), placed(scene, found), prep)


def hold(path: Path) -> None:
    """Write the table again: rows become that of a day less where either crowd's slow fifth arrives no sooner.

    Both are run from the same start: the traveller who prepares is the one who might not have. Nor may the row's own
    figure, which runs from the first day of its preparation, be the higher.
    """
    rows, crowds = read(path), (Crowd(*CHECK_BODIES), Crowd(*HOLD_BODIES))
    head = [line for line in path.read_text("utf-8").splitlines() if line.startswith("#")]
    found: dict[tuple[int, int, int], str] = {}
    for shift, prep, landing in sorted(rows, key=lambda key: (key[0], key[2], key[1])):
        line = rows[shift, prep, landing]
        if prep and "=" not in line:
            scene, earlier = Scene(shift, prep, landing), Scene(shift, prep - 1, landing)
            kept = draft_of(earlier, found, prep - 1)
            both = [kept._replace(blocks=placed(scene, anchored(earlier, kept))), draft_of(scene, rows, prep)]
            slow = [np.quantile(Judge(crowd, scene, 1.0).judge(both).days, 0.8, axis=1) for crowd in crowds]
            told = [float(row.split("|")[3].split()[2]) for row in (found[shift, kept.prep, landing], line)]
            if told[1] > told[0] or any(ours >= less for less, ours in slow):
                line = f"{shift:+03d} {prep} {landing:02d} = {kept.prep}"
        elif prep:
            line = f"{shift:+03d} {prep} {landing:02d} = {draft_of(Scene(shift, prep, landing), found, prep - 1).prep}"
        found[shift, prep, landing] = line
    path.write_text("\n".join([*head, *(found[key] for key in rows)]) + "\n", "utf-8")


def calm(path: Path) -> None:
    """Write the table again: nights after landing only draw nearer to the usual hours, by an hour a night at most.

    The night of the landing itself stays as it is, and the nights that move are no more.
    Of all such nights those that cost the 240 bodies least are tried on the 500, with the blocks that are still worth
    asking for. The row stays as it was where the slow fifth would lose more than `CALM` days with any of them, more
    bodies meet the wrong side than may, or the few bodies of a plan stand for them the less.
    """
    rows, crowds = read(path), [Crowd(*size) for size in (REPAIR_BODIES, CHECK_BODIES, (COUNT, SEED))]
    head = [line for line in path.read_text("utf-8").splitlines() if line.startswith("#")]
    for at, line in rows.items():
        scene = Scene(*at)
        if "=" in line or not (nights := draft_of(scene, rows, at[1]).away):
            continue
        draft = draft_of(scene, rows, at[1])
        most, length = max(map(abs, nights)), max(k for k, by in enumerate(nights) if by)
        tried = [
            draft._replace(away=(nights[0], *(sign * by for by in way)) if any((nights[0], *way)) else ())
            for sign in {by // abs(by) for by in nights if by}
            for way in itertools.product(range(most + 1), repeat=length)
            if all(0 <= here - then <= 2 for here, then in itertools.pairwise((*way, 0)))
        ]
        if draft in tried:
            continue
        fine, check = Judge(crowds[0], scene, WRONG, FINE_WEIGHT), Judge(crowds[1], scene, WRONG_CHECKED, FINE_WEIGHT)
        best = [tried[int(k)] for k in fine.judge(tried).cost.argsort()[:CALMED]]
        others = [pruned(check, new)[0] for new in best]
        result = check.judge([draft, *others])
        slow = np.quantile(result.days, 0.8, axis=1) - np.quantile(result.days[0], 0.8)
        few = Judge(crowds[2], scene, 1.0).judge([draft, *others]).days
        off = np.abs(np.quantile(few, 0.8, axis=1) - np.quantile(result.days, 0.8, axis=1))
        lost = (slow > CALM) | (result.wrong > max(WRONG_CHECKED, float(result.wrong[0]))) | (off > off[0] + CALM)
        pick = int(np.where(lost, 1e6, result.cost)[1:].argmin()) + 1
        new = others[pick - 1]
        if not lost[pick]:
            rows[at] = written(scene, new, check, crowds[2])
        print(f"{at}: {nights} to {new.away}, {slow[pick]:+.2f} days{', not taken' if lost[pick] else ''}", flush=True)
    path.write_text("\n".join([*head, *rows.values()]) + "\n", "utf-8")


def sample(path: Path) -> None:
    """Rank small samples of the population by how near their days come to those of 500 bodies."""
    rows, scenes = read(path), [Scene(shift, 0, 8) for shift in (2, 4, 6, 7, 8, 9, 11, -3, -6, -9, -12)]

    def days(crowd: Crowd) -> np.ndarray:
        found = []
        for scene in scenes:
            drafts = [Draft(0.0, (), ()), draft_of(scene, rows, 0)]
            codes = np.array([np.frombuffer(paired(scene.draw(draft)[0]), np.uint8) for draft in drafts])
            lows = crowd.lows(codes, scene.since_wake)
            late = (scene.line.target[0] + lows - crowd.low + 12) % 24 - 12
            taken = days_of(lows, late, scene.landed)
            found += [np.quantile(taken, share, axis=1, method="hazen") for share in (0.1, 0.5, 0.8, 0.9)]
        return np.concatenate(found)

    many = days(Crowd(500, 9001))
    ranked = []
    for count, seed in itertools.product((40, 44, 48), range(60)):
        off = (days(Crowd(count, seed)) - many) / np.maximum(0.3, 0.15 * many)
        ranked.append((float(np.sqrt((off**2).mean())), float(np.abs(off).max()), count, seed))
    for line in sorted(ranked)[:10]:
        print(line)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--out", type=Path, default=Path("rows.txt"))
    asked.add_argument("--only", type=int, nargs="*", help="shifts")
    asked.add_argument("--prep", type=int, default=7, help="days of preparation at most")
    asked.add_argument("--landing", type=int, nargs="*", default=LANDINGS)
    asked.add_argument("--again", action="store_true", help="search rows that are done once more")
    asked.add_argument("--hold", action="store_true", help="drop days of preparation that gain nothing, and stop")
    asked.add_argument("--calm", action="store_true", help="take swings out of the nights after landing, and stop")
    asked.add_argument("--sample", action="store_true", help="rank small samples of the population instead")
    asked.add_argument("--seeds", type=Path, nargs="*", default=(), help="tables of earlier passes to begin from")
    args = asked.parse_args()
    if args.hold:
        hold(args.out)
        return
    if args.calm:
        calm(args.out)
        return
    if args.sample:
        sample(args.out)
        return
    began = time.process_time()
    crowds = [Crowd(*size) for size in (SEARCH_BODIES, REPAIR_BODIES, CHECK_BODIES, (COUNT, SEED))]
    seeds = [read(path) for path in args.seeds]
    done = {} if args.again else read(args.out)
    shifts = args.only or [s for size in (6, 9, 12, 5, 8, 7, 3, 10, 11, 4, 2, 1) for s in (size, -size) if s != 12]
    for most, landing, shift in itertools.product((min(3, args.prep), args.prep), args.landing, shifts):
        for prep in range(most + 1):
            if (shift, prep, landing) in done:
                continue
            t = time.process_time()
            earlier = Scene(shift, prep - 1, landing) if prep else None
            before = (earlier, draft_of(earlier, done, prep - 1)) if earlier else None
            row = search(shift, prep, landing, before, crowds, seeds)
            done[shift, prep, landing] = row.line
            with args.out.open("a", encoding="utf-8") as file:
                file.write(row.line + "\n")
            print(f"{time.process_time() - t:5.1f} s", row.line, flush=True)
    print(f"# {time.process_time() - began:.0f} s of processor time", file=sys.stderr)


if __name__ == "__main__":
    main()
