"""Makes the table of start plans in ``packhorse_circadian/domain/planner/starts.py`` by iterated local search.

    python benchmarks/start_table.py --seconds 240 [--seed 1] [--fresh] [--only L+06] [--write]

For each light level (1000 and 10,000 lux) and whole shift (-12 to 12 h) it starts from the rows that are in the table
(and from plain structured plans; from these alone with ``--fresh``), kicks a plan at random, descends with the
planner's own coordinate descent and keeps what is better by

    3 * mornings not adapted + cost + sum of the weighted costs in other bodies, other light and with days missed,

the last with each bad morning there counted 0.1 as well. Going by the nominal cost alone gives the same days there and
fragile plans: +6 h at 1000 lux then takes 9 days for a body with a period of 24.5 h, against 5 with these weights.
"Steady" rows (large shifts) take twice the weights. Without ``--write`` it only prints what would change. The same seed
and table give the same result, but for where the time ran out; keys are taken in a fixed order that ``--seed`` rotates.
"""

import argparse
import random
import sys
import time
from pathlib import Path

from attrs import frozen

from packhorse_circadian.domain.planner import starts
from packhorse_circadian.domain.planner.board import PLAIN, Board, Row, Rows
from packhorse_circadian.domain.planner.choice import otherwise, structured
from packhorse_circadian.domain.planner.clockwork import Lights
from packhorse_circadian.domain.planner.engine import Engine, burden
from packhorse_circadian.domain.planner.jump import jump
from packhorse_circadian.domain.planner.search import Plan, Search

FAST = ((("tau", 24.0), 0.15), (("tau", 24.5), 0.2), (("scale", 0.5), 0.2), (("scale", 2.0), 0.1))
STEADY = ((("tau", 24.0), 0.35), (("tau", 24.5), 0.35), (("scale", 0.5), 0.6), (("scale", 2.0), 0.2))
MISSED = {"f": 0.12, "s": 0.3}
BAD = {"f": 0.1, "s": 0.3}
MORNING = 3.0
STEADY_FROM = 9
LUX = {"L": 1000.0, "H": 10_000.0}
NIGHTS = 8
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
TABLE = Path(starts.__file__)


@frozen
class Key:
    """One row of the table."""

    level: str
    shift: int
    kind: str

    def __str__(self) -> str:
        return f"{self.level}{self.shift:+03d}{self.kind}"


class Judge:
    """Scores plans for one key."""

    def __init__(self, key: Key) -> None:
        self.board = jump(key.shift, Lights(bright=LUX[key.level]))
        self.engine = Engine.on(self.board)
        self.full = self.board.probes[14 if key.kind == "s" else 10]
        self.search = Search(self.engine, self.full, sys.maxsize)
        weights = STEADY if key.kind == "s" else FAST
        self.others = [(Engine.on(otherwise(self.board, *what)), weight) for what, weight in weights]
        self.missed, self.bad = MISSED[key.kind], BAD[key.kind]

    def score(self, plan: Plan) -> float:
        """Less is better."""
        extra = burden(plan.rows)
        total = MORNING * plan.run.bad + plan.cost
        runs = [(engine.run(plan.run.lit, extra, self.full), weight) for engine, weight in self.others]
        for phase in range(1, 4):
            rows = tuple(
                (row[0], 0, 0, 0, 0) if i >= phase and (i - phase) % 3 == 0 else row for i, row in enumerate(plan.rows)
            )
            runs.append((self.engine.run(self.board.draw(rows), extra, self.full), self.missed))
        return total + sum(weight * run.cost + self.bad * run.bad for run, weight in runs if run is not None)

    def descended(self, rows: Rows) -> tuple[float, Plan]:
        """A plan improved by the planner's descent, and its score."""
        plan = self.search.descend(self.search.evaluate(self.board.clamped(rows)), 300)
        return self.score(plan), plan


def kicked(rows: Rows, chance: random.Random, board: Board) -> Rows:
    """One to three nights changed at random."""
    found = list(rows)
    for _ in range(chance.randint(1, 3)):
        day = chance.randrange(NIGHTS)
        off, b, bl, m, ml = found[day]
        what = chance.randrange(5)
        by = chance.choice((-6, -4, -3, -2, 2, 3, 4, 6))
        changed: Row = (
            (off + by, b, bl, m, ml),
            (off, max(b + by, 0), bl or 4, m, ml),
            (off, b, min(max(bl + by, 0), 10), m, ml),
            (off, b, bl, max(m + by, 0), ml or 4),
            (off, b, bl, m, min(max(ml + by, 0), 12)),
        )[what]
        found[day] = changed
    return board.clamped(tuple(found))


def improve(key: Key, known: list[Rows], chance: random.Random, until: float) -> tuple[float, Plan]:
    """The best plan found for ``key`` until ``until``, by this process's processor time."""
    judge = Judge(key)
    wide = [(*rows, *((PLAIN,) * (len(judge.board.nights) - len(rows)))) for rows in known]
    scored = [(judge.score(plan), plan) for plan in (judge.search.evaluate(judge.board.clamped(rows)) for rows in wide)]
    if not scored:
        scored = [judge.descended(rows) for rows in structured(judge.board)]
    best, plan = min(scored, key=lambda pair: pair[0])
    while time.process_time() < until:
        score, found = judge.descended(kicked(plan.rows, chance, judge.board))
        if score < best - 1e-6:
            best, plan = score, found
    return best, plan


def line(key: Key, plan: Plan) -> str:
    """A row as it stands in the table."""
    nights = ("".join(DIGITS[value] for value in (off + 10, *rest)) for off, *rest in plan.rows[:NIGHTS])
    return f"{key}{max(plan.run.bad - 1, 0)} {' '.join(nights)}"


def keys() -> list[Key]:
    """All 62, level by level and shift by shift."""
    return [
        Key(level, shift, kind)
        for level in LUX
        for shift in range(-12, 13)
        if shift
        for kind in (("f", "s") if shift >= STEADY_FROM or shift <= -STEADY_FROM else ("f",))
    ]


def main() -> int:
    """Improve as many rows as the time allows."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seconds", type=float, default=240, help="of processor time, over all keys")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--fresh", action="store_true", help="forget the rows that are there")
    asked.add_argument("--only", default="", help="keys that begin so, such as L+06")
    asked.add_argument("--write", action="store_true", help="put what is better into the table")
    given = asked.parse_args()
    chance = random.Random(given.seed)
    rows = {text[:5]: text for text in starts.TABLE.split("\n") if text}
    wanted = [key for key in keys() if str(key).startswith(given.only)]
    if not given.fresh:
        wanted = [key for key in wanted if str(key) in rows]
    turn = given.seed % len(wanted)
    share = given.seconds / len(wanted)
    began = time.process_time()
    for n, key in enumerate((*wanted[turn:], *wanted[:turn])):
        old = [] if given.fresh or str(key) not in rows else [starts.nights_of(rows[str(key)])]
        before = min((Judge(key).score(_known(key, known)) for known in old), default=float("inf"))
        score, plan = improve(key, old, chance, began + share * (n + 1))
        if score < before - 1e-6:
            rows[str(key)] = line(key, plan)
            print(f"{before:8.3f} -> {score:8.3f}  {rows[str(key)]}", flush=True)
    if given.write:
        order = {str(key): n for n, key in enumerate(keys())}
        text = TABLE.read_text("utf-8")
        head, _, tail = text.partition('TABLE = """\n')
        body = "\n".join(rows[name] for name in sorted(rows, key=lambda name: order[name]))
        TABLE.write_text(f'{head}TABLE = """\n{body}\n"""{tail.partition(chr(34) * 3)[2]}', "utf-8")
    return 0


def _known(key: Key, rows: Rows) -> Plan:
    judge = Judge(key)
    wide = (*rows, *((PLAIN,) * (len(judge.board.nights) - len(rows))))
    return judge.search.evaluate(judge.board.clamped(wide))


if __name__ == "__main__":
    sys.exit(main())
