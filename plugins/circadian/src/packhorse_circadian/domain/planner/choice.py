"""Which plan to hand out.

Several starts, the best of them descended from, judged in other bodies and
other light, and never worse than sleeping at the destination's hours at once.
"""

from math import floor, inf, log

from attrs import evolve, frozen

from packhorse_circadian.domain.planner.board import PLAIN, Board, Row, Rows
from packhorse_circadian.domain.planner.clockwork import DAY_SLOTS, Gears, home
from packhorse_circadian.domain.planner.engine import Engine, Run, burden
from packhorse_circadian.domain.planner.outcome import NEARER, NEVER, Outcome, outcome
from packhorse_circadian.domain.planner.search import Plan, Search
from packhorse_circadian.domain.planner.starts import table

MOST_STEPS = 9_000
"""Of the clock, in one search: some 15 ms."""
MOST_JUDGED = 4
MOST_STARTS = 4
"""Descended from, at most."""
DESCENT_RUNS = 300
JUDGED_DAYS = 10
ENOUGH_DESCENTS = 2
OFF_TABLE = 3
"""Mornings by which starts that are not from the table are expected to be worse."""
BOTH_WAYS = 9.5
"""Hours of shift from which on plans for the other way round are tried too."""
LARGE_SHIFT = 6.5
PREPARED_SHARE = 0.8
"""Of the hours that nights at home are moved, how many the clock follows, about."""

TRUTHS = (("tau", 24.0, 0.15), ("tau", 24.5, 0.2), ("scale", 0.5, 0.2), ("scale", 2.0, 0.1))
"""What may be otherwise than planned with: the body's period, all light halved or doubled; and the weight of each."""
MISSED_WEIGHT = 0.12
"""Of each of three runs in which every third day's light is missed."""
SETTLED = 0.4
"""Hours: a clock that is nearer than this under usual days gets nearer still."""
WORSE_THAN_SLAM = 2.0
"""Extra weight of costing more than the plain jump under the same truth."""
OF_LEVELS = {"L": 1000.0, "H": 10_000.0}


@frozen(eq=False, repr=False)
class Chosen:
    """A plan, what it gives and what the plain jump at the same light would give."""

    rows: Rows
    run: Run
    outcome: Outcome
    slam: Outcome
    runs: int
    engine: Engine


def choose(board: Board, since: float = 0.0, steps: int = MOST_STEPS) -> Chosen:
    """The plan for ``board``: the same for the same board, always. Days count from ``since`` (hours).

    The search ends after a number of the clock's steps, not after a time: the same on every machine.
    """
    engine = Engine.on(board)
    judged = next((p for p in board.probes if board.hours(p) > since + 24 * (JUDGED_DAYS - 1)), board.probes[-1]) + 1
    full = min(board.slots, judged)
    search = Search(engine, full, steps)
    target, ranked = _starts(board, search)
    slam = search.evaluate(board.slam)
    descended: list[Plan] = []
    for plan in ranked:
        best = min(descended, key=lambda found: found.cost, default=None)
        if best is not None and len(descended) >= ENOUGH_DESCENTS and best.run.bad <= target + 1:
            break
        if search.tired:
            break
        descended.append(search.descend(plan, DESCENT_RUNS))
        if len(descended) == 1 and descended[0].run.bad <= target + 1 and abs(board.shift) < BOTH_WAYS:
            break
    candidates = _distinct([*descended, *ranked[:3]])[:MOST_JUDGED]
    return _chosen(search, candidates, slam, since)


def _chosen(search: Search, candidates: list[Plan], slam: Plan, since: float) -> Chosen:
    engine = search.engine
    usual = _outcome(engine, slam.rows, since)
    large = abs(engine.board.shift) >= LARGE_SHIFT
    slack, r, d = (2, 1.5, 1.5) if large else (1, 1.0, 3.0)
    mornings = min(plan.run.bad for plan in candidates)
    # What is mornings behind by the search's own count need not be run again in finer steps.
    seen = [(plan, _outcome(engine, plan.rows, since)) for plan in candidates if plan.run.bad <= mornings + slack + 1]
    fewest = min(_reach(result) for _, result in seen)
    within = sorted(
        (
            (plan.cost + d * (_reach(result) - fewest), plan, result)
            for plan, result in seen
            if floor(_reach(result)) <= floor(fewest) + slack
        ),
        key=lambda found: found[0],
    )
    _, best, result = within[0]
    if len(within) > 1:
        judges = _Judges.of(engine, slam, search.full)
        least = inf
        for own, plan, found in within:
            score = own + r * judges.robust(plan, (least - own) / r)
            if score < least:
                least, best, result = score, plan, found
    if not _better(result, usual):
        best, result = slam, usual
    return Chosen(best.rows, best.run, result, usual, search.spent, engine)


def _better(plan: Outcome, slam: Outcome) -> bool:
    """No morning later than the plain jump, for either bar, and one earlier for one of them.

    Where neither arrives, because the stay is too short for it: half an hour nearer at its end.
    """
    if plan.days == slam.days == NEVER:
        return _reach(plan) <= _reach(slam) - NEARER
    days, near = floor(plan.days), floor(plan.days_near)
    slam_days, slam_near = floor(slam.days), floor(slam.days_near)
    return days <= slam_days and (days < slam_days or near < slam_near)


def _reach(found: Outcome) -> float:
    """Days until the clock is there; where the stay ends before, its days and one for each hour that is left."""
    if found.days < NEVER or not found.lows:
        return found.days
    last = found.lows[-1]
    return (last.at - found.since) / 24 + abs(last.late)


def _outcome(engine: Engine, rows: Rows, since: float) -> Outcome:
    """The days of a plan. The run ends where day follows day alike from then on and the clock is there."""
    board = engine.board
    lit = board.draw(rows)
    end = min(_alike_from(lit, board) + DAY_SLOTS, board.slots)
    run = engine.run(lit, 0.0, end, coarse=False)
    while end < board.slots and run is not None and abs(engine.error(run.marks[-1])) > SETTLED:
        end = min(end + DAY_SLOTS, board.slots)
        run = engine.run(lit, 0.0, end, base=run, coarse=False)
    assert run is not None  # noqa: S101  # no bar was set that it could miss
    return outcome(engine, run, since)


def _alike_from(lit: bytearray, board: Board) -> int:
    """The slot from which each day has the light of the one before, by the same clock."""
    at = board.slots
    since = tuple(board.bedtimes)
    while at > 2 * DAY_SLOTS and lit[at - DAY_SLOTS : at] == lit[at - 2 * DAY_SLOTS : at - DAY_SLOTS]:
        if since[at - DAY_SLOTS : at] != since[at - 2 * DAY_SLOTS : at - DAY_SLOTS]:
            break
        at -= DAY_SLOTS
    return at


def _distinct(plans: list[Plan]) -> list[Plan]:
    found: dict[Rows, Plan] = {}
    for plan in sorted(plans, key=lambda plan: plan.cost):
        found.setdefault(plan.rows, plan)
    return list(found.values())


@frozen(eq=False, repr=False)
class _Judges:
    """The plain jump's cost, and engines, under each truth that may be otherwise."""

    engines: tuple[tuple[Engine, float, float], ...]
    own: Engine
    full: int

    @classmethod
    def of(cls, own: Engine, slam: Plan, full: int) -> "_Judges":
        engines = []
        for what, value, weight in TRUTHS:
            engine = Engine.on(otherwise(own.board, what, value))
            run = engine.run(slam.run.lit, burden(slam.rows), full)
            assert run is not None  # noqa: S101
            engines.append((engine, weight, run.cost))
        return cls(tuple(engines), own, full)

    def robust(self, plan: Plan, most: float) -> float:
        """Its cost in all of them, weighted; infinite once above ``most``."""
        total = 0.0
        extra = burden(plan.rows)
        for engine, weight, slam in self.engines:
            run = engine.run(plan.run.lit, extra, self.full, (most - total) / weight)
            if run is None:
                return inf
            total += weight * run.cost + WORSE_THAN_SLAM * max(run.cost - slam, 0.0)
        for phase in range(3):
            rows = tuple((row[0], 0, 0, 0, 0) if i % 3 == phase else row for i, row in enumerate(plan.rows))
            run = self.own.run(self.own.board.draw(rows), extra, self.full, (most - total) / MISSED_WEIGHT)
            if run is None:
                return inf
            total += MISSED_WEIGHT * run.cost
        return total


def otherwise(board: Board, what: str, value: float) -> Board:
    """The board for a body of another period (``tau``, hours) or with all light times ``value`` (``scale``)."""
    sleeper = board.home
    lights, tau = sleeper.lights, sleeper.gears.tau
    if what == "tau":
        return board.under(home(sleeper.asleep, lights, Gears(value)))
    return board.under(home(sleeper.asleep, evolve(lights, scale=value), Gears(tau)))


def _starts(board: Board, search: Search) -> tuple[int, list[Plan]]:
    """The fewest bad mornings that a start is expected to have, and the best starts, the best first."""
    tried = [*_from_table(board), *((OFF_TABLE + 6, rows) for rows in structured(board))]
    ranked: list[Plan] = []
    for rows in dict.fromkeys(board.clamped(rows) for _, rows in tried):
        plan = search.better(rows, ranked[-1].cost if len(ranked) == MOST_STARTS else inf)
        if plan is not None:
            ranked = sorted([*ranked, plan], key=lambda plan: plan.cost)[:MOST_STARTS]
    return min(expected for expected, _ in tried), ranked


def _from_table(board: Board) -> list[tuple[int, Rows]]:
    shift = board.shift
    ways = (shift, shift - 24 if shift > 0 else shift + 24) if abs(shift) >= BOTH_WAYS else (shift,)
    wanted: list[int] = []
    for way in ways:
        size, sign = max(abs(way) - PREPARED_SHARE * board.prepared, 1.0), 1 if way > 0 else -1
        for whole in (int(size), -int(-size // 1)):
            kept = sign * min(max(whole, 1), 12)
            if kept not in wanted:
                wanted.append(kept)
    return [
        (expected, _fitted(rows, board, whole))
        for level in _levels(board.home.lights.bright)
        for whole in wanted
        for expected, rows in table().get((level, whole), ())
    ]


def _levels(lux: float) -> tuple[str, ...]:
    """Table levels for a bright light of ``lux``: the nearest first, and it alone where it is within a twentieth."""
    ranked = sorted(OF_LEVELS, key=lambda name: abs(log(lux / OF_LEVELS[name])))
    return tuple(ranked[:1]) if abs(lux / OF_LEVELS[ranked[0]] - 1) <= 0.05 else tuple(ranked)


def _fitted(rows: tuple[Row, ...], board: Board, way: int) -> Rows:
    """A row of the table on the nights of this board: evening blocks move with the length of the waking day."""
    found = _lead(board, way)
    later = 16 - board.home.asleep
    for off, b, bl, m, ml in rows:
        found.append((off, b + later if b > 10 else b, bl, m + later if m > 10 else m, ml))
    found += [PLAIN] * (len(board.nights) - len(found))
    return tuple(found[: len(board.nights)])


def _lead(board: Board, way: float) -> list[Row]:
    """Nights of preparation, each moved as far as it may be, and nothing on the day of landing.

    With light on waking and dim evenings going east, and the reverse going west.
    """
    awake = DAY_SLOTS - board.home.asleep
    found: list[Row] = []
    for night in board.nights[: board.lead]:
        if not night.asleep:
            found.append(PLAIN)
        elif way > 0:
            found.append((night.first, 0, 6, awake - 8, 8))
        else:
            found.append((night.last, awake - 4, 6, 0, 6))
    return found


def structured(board: Board) -> list[Rows]:
    """Plain plans: either way round where the shift is large, sleep at once at the destination's hours or sliding."""
    shift = board.shift
    ways = (shift, shift - 24 if shift > 0 else shift + 24) if abs(shift) >= BOTH_WAYS else (shift,)
    awake = DAY_SLOTS - board.home.asleep
    plans = []
    for way in ways:
        days = -int(-abs(way) // 1.5)
        for rate in (24, 4):
            rows = _lead(board, way)
            for i in range(len(board.nights) - board.lead):
                left = max(0, round(abs(way) * 2) - rate * (i + 1))
                off = left if way > 0 else -left
                if i >= days:
                    rows.append((off, 0, 0, 0, 0))
                elif way > 0:
                    rows.append((off, 0, 8, awake - 8, 8))
                else:
                    rows.append((off, awake - 8, 8, 0, 8))
            plans.append(board.clamped(tuple(rows)))
    return plans
