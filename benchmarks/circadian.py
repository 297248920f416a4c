"""How plans treat bodies that they have not seen, and how fast they are made.

    python benchmarks/circadian.py            trips of the recipe and of ../shared, each judged on 400 bodies
    python benchmarks/circadian.py eyes       the same trips, judged by bodies with another published model of light
    python benchmarks/circadian.py other      the same, of another published model of light and clock
    python benchmarks/circadian.py worth      of each block of those plans, the days that leaving it out costs
    python benchmarks/circadian.py prep       the slow fifth's days by days of preparation, all shifts
    python benchmarks/circadian.py fit        the population beside the people that it was fitted to, with the distances
    python benchmarks/circadian.py speed      processor time of whole answers over random trips

With a number after it, the first four judge 30 random trips of that seed on as many bodies of the same seed: a seed
that was never used says what plans do on trips that nothing was fitted to.

The judge is the tests' own integration (tests/circadian/strangers.py), which needs numpy. Days run from landing until
the low stays within an hour; `wrong` is the share of bodies that meet bright light on the wrong side of their low,
`lost` the share that is more than a day later than going straight to local hours; `told` is the share of bodies within
the printed 10 to 90 % band, with the plan and without.
"""

import json
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from packhorse import UserError
from packhorse_circadian import convert
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.plan import plan
from packhorse_circadian.domain.population.bodies import parameters
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.models import PhaseShiftQuestion, PlanQuestion
from packhorse_circadian.service import JetLagDesk

ROOT = Path(__file__).resolve().parents[1]
BODIES, SEED = 400, 20261
FRESH = 30
PLACES = (
    "America/Los_Angeles",
    "America/New_York",
    "America/Sao_Paulo",
    "Europe/London",
    "Europe/Berlin",
    "Africa/Johannesburg",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Pacific/Honolulu",
)
IMPORT = """
import time
import attrs, packhorse.testing
from pydantic import BaseModel
began = time.process_time()
import packhorse_circadian.pack
print(time.process_time() - began)
"""


def recipe() -> Iterator[tuple[str, dict[str, Any]]]:
    """The twelve trips of the recipe, and those of the shared table."""
    ways = (
        ("America/Los_Angeles", "Europe/Paris", "2027-05-10T15:30", "2027-05-11T11:00", (3,)),
        ("Australia/Sydney", "America/Santiago", "2027-07-10T12:00", "2027-07-10T10:00", (3,)),
        ("America/New_York", "Europe/Paris", "2027-09-10T18:30", "2027-09-11T08:00", (3, 0)),
        ("Europe/Paris", "America/New_York", "2027-09-10T10:30", "2027-09-10T13:00", (3,)),
        ("Europe/Paris", "America/Los_Angeles", "2027-05-10T10:30", "2027-05-10T13:00", (0,)),
        ("Asia/Hong_Kong", "America/New_York", "2027-07-20T02:00", "2027-07-20T06:00", (0, 1, 2, 3)),
        ("Europe/London", "Australia/Sydney", "2027-01-10T21:00", "2027-01-12T06:00", (3,)),
        ("Europe/London", "Europe/Paris", "2027-09-10T10:00", "2027-09-10T12:20", (0,)),
    )
    for origin, destination, departure, arrival, preps in ways:
        for prep_days in preps:
            name = f"{origin.split('/')[1]}-{destination.split('/')[1]} {prep_days}"
            yield (
                name,
                {
                    "origin_timezone": origin,
                    "destination_timezone": destination,
                    "departure_datetime": departure,
                    "arrival_datetime": arrival,
                    "prep_days": prep_days,
                },
            )
    shared = ROOT.parent / "shared" / "circadian" / "trips.json"
    for row in json.loads(shared.read_text("utf-8")) if shared.exists() else ():
        yield row["name"], row["arguments"]


def fresh(seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Random trips of usual sleepers who stay, an hour and a half of shift or more."""
    chance, found = random.Random(seed), 0
    while found < FRESH:
        trip = _trip(chance)
        offsets = (
            datetime.fromisoformat(trip[f"{end}_datetime"])
            .replace(tzinfo=ZoneInfo(trip[f"{zone}_timezone"]))
            .utcoffset()
            for end, zone in (("arrival", "destination"), ("departure", "origin"))
        )
        ahead, behind = (offset / timedelta(hours=1) for offset in offsets if offset is not None)
        if abs((ahead - behind + 12) % 24 - 12) < 1.5:
            continue
        found += 1
        kept = {name: value for name, value in trip.items() if name.endswith(("timezone", "datetime", "days"))}
        places = (trip[f"{end}_timezone"].split("/")[1] for end in ("origin", "destination"))
        yield f"{'-'.join(places)} {trip['departure_datetime']} {trip['prep_days']}", kept


def adapting(seed: int | None) -> Iterator[tuple[str, dict[str, Any], Trip, Plan, dict[str, Any]]]:
    """Every trip whose plan is to adapt: its name, arguments, trip, plan and the plan as printed."""
    for name, arguments in recipe() if seed is None else fresh(seed):
        try:
            trip = convert.trip_from(PlanQuestion.model_validate(arguments))
        except (UserError, ValueError) as refused:
            print(f"{name}: refused, {refused}"[:110])
            continue
        if not 21 <= trip.habits.sleep.hour <= 23:
            print(f"{name}: other hours of sleep than the judge's bodies keep")
            continue
        if not trip.shift.size:
            print(f"{name}: no clock has to move")
            continue
        made = plan(trip)
        if made.options and made.options[0].moved:
            costs = ", ".join(f"{way.name} {way.mornings}" for way in made.options)
            print(f"{name}: a short stay; mornings off: {costs}")
            continue
        printed = convert.adaptation_plan_from(made, asked_prep_days=trip.prep_days).model_dump(mode="json")
        printed["days"] = [day for day in printed["days"] if day["phase"] != "return"]
        yield name, arguments, trip, made, printed


@cache
def strangers(lux: float | None, seed: int | None, kind: str = "Strangers") -> Any:
    """The bodies that judge, under the light that a traveller has."""
    from tests.circadian import strangers as judges

    return getattr(judges, kind)(BODIES, SEED if seed is None else seed, lux)


def worth(seed: int | None = None) -> int:
    """Leave each block out: what that costs on average bodies that no plan has seen, beside what its words say."""
    sys.path.insert(0, str(ROOT))
    from tests.circadian.strangers import Journey, ends

    costs, off = [], []
    for name, arguments, trip, _, printed in adapting(seed):
        crowd = strangers(trip.bright_lux, seed)
        whole, found = Journey(arguments, printed).days(crowd).mean(), []
        for block in (item for day in printed["days"] for item in day["items"] if item["worth_days"] is not None):
            less = Journey(arguments, printed)
            less.without(*ends(block))
            found.append(less.days(crowd).mean() - whole)
            off.append(abs(found[-1] - block["worth_days"]))
        costs += found
        print(f"{name} | {' '.join(f'{cost:.2f}' for cost in found)}", flush=True)
    cheap = sum(cost < 0.1 for cost in costs)
    print(f"{cheap} of {len(costs)} blocks are worth less than a tenth of a day, the least {min(costs):.2f}")
    print(f"what they say is off by {statistics.mean(off):.2f} days on average, {max(off):.2f} at most")
    return cheap


def eyes(seed: int | None = None) -> int:
    """Every trip whose plan is to adapt, on bodies with another model of light, of which the planner knows nothing."""
    return judged(seed, "OtherEyes")


def other(seed: int | None = None) -> int:
    """The same, on bodies with another model's light and clock."""
    return judged(seed, "OtherStrangers")


def judged(seed: int | None = None, kind: str = "Strangers") -> int:
    """Every trip whose plan is to adapt, on bodies drawn apart from the planner's."""
    import numpy as np

    sys.path.insert(0, str(ROOT))
    from tests.circadian.strangers import Journey

    shares = []
    print("trip | days 50 10 90 80 % | without 50 80 % | wrong | lost | told with, without | blocks, hours")
    for name, arguments, trip, made, printed in adapting(seed):
        crowd = strangers(trip.bright_lux, seed, kind)
        ours, slam = Journey(arguments, printed), Journey(arguments, None)
        days, unaided, expected = ours.days(crowd), slam.days(crowd), made.expected
        inside = (
            np.mean((days >= expected.low - 0.05) & (days <= expected.high + 0.05)),
            np.mean((unaided >= expected.without_low - 0.05) & (unaided <= expected.without_high + 0.05)),
        )
        blocks = [item for day in printed["days"] for item in day["items"] if item["worth_days"] is not None]
        shares.append(ours.wrong(crowd))
        print(
            f"{name} | {' '.join(f'{np.quantile(days, share):.1f}' for share in (0.5, 0.1, 0.9, 0.8))} | "
            f"{np.median(unaided):.1f} {np.quantile(unaided, 0.8):.1f} | {shares[-1]:.1%} | "
            f"{np.mean(days > unaided + 1):.1%} | {inside[0]:.0%} {inside[1]:.0%} | "
            f"{len(blocks)}, {sum(item['duration_minutes'] for item in blocks) / 60:.0f}",
            flush=True,
        )
    print(f"wrong side: median {np.median(shares):.1%} (bar 6 %), worst {max(shares):.1%} (bar 10 %)")
    return int(np.median(shares) > 0.06) + int(max(shares) > 0.10)


def prep() -> int:
    """The 80 % quantile of days by days of preparation: it may not rise by more than a tenth."""
    missed = 0
    for shift in (*range(-12, 0), *range(1, 12)):
        there = ZoneInfo(f"Etc/GMT{-shift:+d}")
        arrival = datetime(2027, 6, 14, 9, tzinfo=there).astimezone(UTC)
        departure = arrival - timedelta(hours=1.2 * abs(shift) + 1)
        trips = [Trip(ZoneInfo("Etc/GMT"), there, departure, arrival, prep_days=days) for days in range(8)]
        slow = [plan(trip).expected.slow for trip in trips]
        rise = max(after - before for before, after in pairwise(slow))
        missed += rise > 0.1
        print(f"{shift:+03d} | {' '.join(f'{days:.1f}' for days in slow)} | rises by {max(rise, 0):.1f}", flush=True)
    print(f"{missed} of 23 shifts rise by more than .1")
    return missed


def fit() -> int:
    """Each protocol of the fit: what the population does, what people did, and the distance between them."""
    for row in parameters()["fit"]:
        people = float(re.search(r"\d+(\.\d+)?", row["people"])[0])
        print(f"{row['protocol']}: {row['population']:g}, people {people:g}, {row['population'] - people:+.2f}")
    return 0


def speed(trips: int = 500) -> int:
    """Processor time in process over random trips, and of the pack's import; the machine's other work adds to it."""
    desk = JetLagDesk(lambda: datetime(2026, 1, 1, tzinfo=UTC))
    chance = random.Random(1)
    plans, shifts = [], []
    for n in range(trips):
        question = PlanQuestion.model_validate(_trip(chance))
        began = time.process_time()
        plan = desk.plan(convert.trip_from(question))
        convert.adaptation_plan_from(plan, asked_prep_days=question.prep_days).model_dump_json()
        plans.append((time.process_time() - began) * 1000)
        places = {"origin_timezone": question.origin_timezone, "destination_timezone": question.destination_timezone}
        asked = PhaseShiftQuestion(**places, travel_date="2026-06-20")
        began = time.process_time()
        convert.phase_shift_from(desk.shift(*convert.journey_from(asked))).model_dump_json()
        shifts.append((time.process_time() - began) * 1000)
        if n == 0:
            plans.clear()  # the first call fills the cache of entrained days
            shifts.clear()
    missed = 0
    for what, found, bars in (("get_adaptation_plan", plans, (200, 800)), ("calculate_phase_shift", shifts, (2, 10))):
        found.sort()
        p95, worst = found[int(len(found) * 0.95)], found[-1]
        missed += p95 > bars[0] or worst > bars[1]
        median = statistics.median(found)
        print(f"{what}: median {median:.1f}, p95 {p95:.1f} (bar {bars[0]}), worst {worst:.1f} (bar {bars[1]}) ms CPU")
    runs = [
        float(subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, check=True).stdout) for _ in range(5)
    ]
    print(f"import of the pack, the host being there: {min(runs) * 1000:.0f} ms CPU at best of 5 (bar 60)")
    return missed + (min(runs) > 0.06)


def _trip(chance: random.Random) -> dict[str, Any]:
    origin, destination = chance.sample(PLACES, 2)
    leaves = datetime(2026, 1, 20, tzinfo=UTC) + timedelta(minutes=15 * chance.randrange(4 * 24 * 300))
    lands = leaves + timedelta(minutes=15 * chance.randrange(8, 80))
    wake = 60 * chance.randrange(5, 10) + chance.choice((0, 15, 30, 45))
    sleep = (wake - chance.choice((420, 450, 480, 510, 540))) % (24 * 60)
    return {
        "origin_timezone": origin,
        "destination_timezone": destination,
        "departure_datetime": f"{leaves.astimezone(ZoneInfo(origin)):%Y-%m-%dT%H:%M}",
        "arrival_datetime": f"{lands.astimezone(ZoneInfo(destination)):%Y-%m-%dT%H:%M}",
        "usual_wake_time": f"{wake // 60:02}:{wake % 60:02}",
        "usual_sleep_time": f"{sleep // 60:02}:{sleep % 60:02}",
        "prep_days": chance.randrange(8),
        "bright_light_lux": chance.choice((1000, 1000, 1000, 10_000, 2500)),
    }


if __name__ == "__main__":
    what = {"judged": judged, "eyes": eyes, "other": other, "worth": worth, "prep": prep, "fit": fit, "speed": speed}
    chosen = sys.argv[1] if len(sys.argv) > 1 else "judged"
    if chosen not in what:
        sys.exit(f"One of {', '.join(what)}; judged when absent.")
    given = map(int, sys.argv[2:]) if chosen in {"judged", "eyes", "other", "worth"} else ()
    sys.exit(1 if what[chosen](*given) else 0)
