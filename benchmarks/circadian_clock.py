"""How well `where_is_my_clock` finds a clock from a log: simulated people of four kinds, and their logs.

    python benchmarks/circadian_clock.py            500 logs, 125 of each kind, without and with two reports
    python benchmarks/circadian_clock.py 20         20 of each kind

A person is a body of the population that the estimate does not see. Logs have 10 days: the light of each hour in one of
five words, 15 % of them wrong and 33 % missing; sleep to a quarter of an hour wrong, rounded to it, 5 % of the nights
missing; a report of the worst hour has a standard deviation of 1.5 h. Bodies and estimate share a family of models: for
people fewer will lie within the band.
"""

import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from math import exp
from zoneinfo import ZoneInfo

from packhorse_circadian.domain.clock_log import ClockLog, Entry, standing
from packhorse_circadian.domain.population.bodies import INDOOR, OUTDOOR, Habit, body, held, lux, stratified
from packhorse_circadian.domain.population.clock import follow, hours
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.trip import Habits

KINDS = ("office, late weekends", "late sleepers", "five nights at the end", "four days after 6 to 9 hours")
WORDS = ("dark", "dim", "indoors", "bright", "outdoors")
DAYS, SEED = 10, 91
HOUR = timedelta(hours=1)
BEGIN = datetime(2027, 3, 1, tzinfo=UTC)  # a Monday
USUAL = Habits()
LATE = Habits(wake=time(10), sleep=time(2))


def nights(kind: str, draw: random.Random) -> list[tuple[float, float]]:
    """Hours of sleep from the Monday's midnight on, for eleven days and the night before."""
    found = []
    moved = draw.choice((-1, 1)) * draw.uniform(6, 9)
    for day in range(DAYS + 2):
        bed, wake = 24 * day - 1, 24 * day + 7
        if kind == KINDS[0] and day % 7 in {5, 6}:
            bed, wake = bed + 2, wake + 2.5
        elif kind == KINDS[1]:
            bed, wake = bed + 3, wake + 3
        elif kind == KINDS[2] and day > DAYS - 5:
            bed, wake = 24 * day + 8.5, 24 * day + 15.5
        elif kind == KINDS[3] and day > DAYS - 4:
            bed, wake = bed - moved, wake - moved
        found.append((bed + draw.gauss(0, 0.4), wake + draw.gauss(0, 0.4)))
    return found


def word(hour: float, slept: list[tuple[float, float]], draw: random.Random) -> str:
    """Of an hour: dark asleep; else by how long ago somebody woke, in their own way."""
    if any(bed <= hour < wake for bed, wake in slept):
        return "dark"
    since = hour - max((wake for _, wake in slept if wake <= hour), default=0.0)
    chances = (0, 1, 8, 1, 2) if since < 12 else (0, 4, 7, 0.5, 0.2)
    return draw.choices(WORDS, chances)[0]


def people(kind: str, count: int) -> Iterator[tuple[ClockLog, list[datetime], datetime]]:
    """Logs without reports, two reports of the worst hour, and where the low in truth is."""
    habits = LATE if kind == KINDS[1] else USUAL
    habit = Habit(habits.wake.hour, 8)
    draw = random.Random(f"{SEED} {kind}")
    traits = [one for one in stratified(3 * count, SEED + KINDS.index(kind)) if held(body(one, habit))][:count]
    for one in traits:
        who, own = body(one, habit), lux(one)
        slept = nights(kind, draw)
        level = {"dark": 0.0, "dim": 20.0, "indoors": own[INDOOR], "outdoors": own[OUTDOOR]}
        level["bright"] = 800 * own[INDOOR] / 150
        first = habits.wake.hour
        lived = [word(hour + 0.5, slept, draw) for hour in range(first, 24 * (DAYS + 1) + first)]
        lights = tuple(hours([level[name] * exp(0.5 * draw.gauss(0, 1))])[0] for name in lived)
        gains = (who.advancing, who.delaying)
        lows = follow(who.start(0.0), range(len(lights)), who.stiffness, gains, lights).lows
        end = 24 * DAYS + first
        low = min(lows, key=lambda at: abs(at - (end - first)))
        entries = list(logged(slept, lived, first, end, draw))
        reports = [at + draw.gauss(0, 1.5) for at in sorted(lows, key=lambda at: abs(at - (end - first - 12)))[:2]]
        log = ClockLog(ZoneInfo("UTC"), tuple(sorted(entries, key=lambda entry: entry.span.start)), habits)
        yield log, [at_hour(first + at) for at in reports], at_hour(first + low)


def at_hour(hour: float) -> datetime:
    return BEGIN + hour * HOUR


def logged(slept, lived, first: int, end: int, draw: random.Random) -> Iterator[Entry]:
    for bed, wake in slept:
        if first <= bed and wake <= end and draw.random() >= 0.05:
            edges = [round((at + draw.uniform(-0.25, 0.25)) * 4) / 4 for at in (bed, wake)]
            yield Entry(Span(*map(at_hour, edges)), "sleep")
    for k, name in enumerate(lived):
        if first + k < end and name != "dark" and draw.random() >= 0.33:
            said = name if draw.random() >= 0.15 else draw.choice(WORDS[1:])
            yield Entry(Span(at_hour(first + k), at_hour(first + k + 1)), said)


def judged(log: ClockLog, truth: datetime) -> tuple[bool, float, float]:
    """Whether the truth lies within the band, the error and the band's width, in hours."""
    found = standing(log)
    off = (truth - found.low) / HOUR
    off = (off + 12) % 24 - 12
    low, high = (found.earliest - found.low) / HOUR, (found.latest - found.low) / HOUR
    return low <= off <= high, abs(off), high - low


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] else 125
    print("| kind | reports | inside the 90 % band | mean error, h | band, h |\n|---|---|---|---|---|")
    everybody: dict[int, list[tuple[bool, float, float]]] = {0: [], 2: []}
    for kind in KINDS:
        rows: dict[int, list[tuple[bool, float, float]]] = {0: [], 2: []}
        for log, reports, truth in people(kind, count):
            rows[0].append(judged(log, truth))
            rows[2].append(judged(ClockLog(log.zone, log.entries, log.habits, tuple(reports)), truth))
        for reports, found in rows.items():
            show(kind, reports, found)
            everybody[reports] += found
    for reports, found in everybody.items():
        show(f"all, n = {len(found)}", reports, found)


def show(kind: str, reports: int, found: list[tuple[bool, float, float]]) -> None:
    inside, error, width = (sum(column) / len(found) for column in zip(*found, strict=True))
    print(f"| {kind} | {reports} | {inside:.1%} | {error:.2f} | {width:.1f} |", flush=True)


if __name__ == "__main__":
    main()
