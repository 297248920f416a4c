"""What strangers learn from a registry call by call, and what honest people lose by what bounds them.

    python benchmarks/locator_privacy.py BENCH [--people 3000] [--calls 120] [--queries 300]

BENCH holds ``records.csv`` and ``queries.csv`` as ``names_gen.py`` writes them; the first ``--people`` records are the
registry. Each attack is one anonymous caller that knows which names are frequent and not who is held, through an MCP
client in memory. The last lines repeat honest queries as an anonymous caller and as the machine's own user, let 200
signed-in callers search from one address, and guess the year of birth of 100 people from the shown confidences.
"""

import argparse
import csv
import itertools
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import anyio

from packhorse import UserError
from packhorse.contract.principal import ANONYMOUS, LOCAL, Principal
from packhorse.door.execution import Requester
from packhorse.settings import PackTable
from packhorse.testing import connected, deployment_for
from packhorse_locator import pack
from packhorse_locator.offered import locator_of
from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader

Question = dict[str, Any]
CALLERS, SEARCHES = 200, 6
"""A clinic's or a remote connector's families in an hour."""


def attacks(rows: list[dict[str, str]], calls: int) -> Iterator[tuple[str, list[Question]]]:
    """Eight ways to copy a registry, each as its calls."""
    draw = random.Random(1)
    given = [name for name, _ in Counter(row["first_name"] for row in rows).most_common(60)]
    family = [name for name, _ in Counter(row["last_name"].split()[0] for row in rows).most_common(60)]
    countries = [name for name, _ in Counter(row["country_of_birth"] for row in rows).most_common(8)]
    pairs = list(itertools.product(given[:11], family[:11]))
    years = list(range(1955, 2006))

    def asked(first: str, last: str, threshold: float = 0, **more: Any) -> Question:
        return {"first_name": first, "last_name": last, "confidence_threshold": threshold, **more}

    sieve = [{"country_of_birth": country, "birth_year": year} for country in countries for year in years]
    yield "given name + LNU", [asked(name, "LNU") for name in itertools.islice(itertools.cycle(given), calls)]
    yield "the same, country and year", [asked(draw.choice(given), "LNU", **more) for more in draw.sample(sieve, calls)]
    yield (
        "FNU + surname, country",
        [asked("FNU", name, country_of_birth=draw.choice(countries)) for name in draw.choices(family, k=calls)],
    )
    yield "frequent x frequent, threshold 0", [asked(*pair) for pair in pairs[:calls]]
    yield "frequent x frequent, threshold .8", [asked(*pair, 0.8) for pair in pairs[:calls]]
    yield (
        "given + two surnames, country and year",
        [
            asked(draw.choice(given), f"{draw.choice(family)} {draw.choice(family)}", **more)
            for more in draw.sample(sieve, calls)
        ],
    )
    letters = "abcdefghijklmnopqrstuvwxyz"
    yield (
        "nonsense",
        [asked("".join(draw.choices(letters, k=6)), "".join(draw.choices(letters, k=8))) for _ in range(calls)],
    )
    yield "one name, each year and country", [asked(given[0], family[0], **more) for more in draw.sample(sieve, calls)]


async def learnt(client: Any, questions: list[Question]) -> set[tuple[str, ...]]:
    """The different records that these questions show."""
    found = set()
    for question in questions:
        reply = await client.call_tool("search_by_name", question)
        for one in [] if reply.is_error else reply.structured_content["results"]:
            found.add((one["name"], one.get("booking_date", ""), one.get("alien_number", "")))
    return found


async def run(folder: Path, people: int, calls: int, queries: int) -> None:
    """Print one line an attack, then the cost."""
    with (folder / "records.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))[:people]
    with (folder / "queries.csv").open(encoding="utf-8", newline="") as file:
        held = {row["record_id"] for row in rows}
        honest = [row for row in csv.DictReader(file) if held & set(row["accept_ids"].split("|"))][:queries]
    with tempfile.TemporaryDirectory() as place:
        settings = {"sample": False, "keep_without_birth_date": True}
        limits = dict.fromkeys(("search_by_name",), "100000/second")

        def deployment(**more: Any) -> Any:
            table = PackTable(limits=limits, own={**settings, **more})
            return deployment_for(data_dir=Path(place), tables={"locator": table}, locator=pack)

        first = deployment()
        registry = locator_of(first.hosts["locator"]).registry
        chosen = Path(place) / "people.csv"
        with chosen.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        with registry.host.store() as store:
            loader = Loader(store, registry.host.clock(), keep_undated=True)
            loader.people(TableFile(chosen, {}), "bench", date(2026, 11, 1))
        registry.reindex()
        registry.close()
        for number, (name, questions) in enumerate(attacks(rows, calls)):
            async with connected(deployment(), principal=Principal("human", f"attacker-{number}")) as client:
                print(f"{name:42}{len(await learnt(client, questions)):5} people in {len(questions)} calls")
        for threshold in (0.0, 0.8):
            shown = {}
            for who in (LOCAL, ANONYMOUS):
                async with connected(deployment(people_an_hour=1000), principal=who) as client:
                    shown[who.kind] = [await _finds(client, row, threshold) for row in honest]
            mine, theirs = shown["local"], shown["anonymous"]
            lost = sum(mine) - sum(theirs)
            print(
                f"honest queries at {threshold:g}: {sum(mine)} of {len(honest)} found, {lost} of them not by a stranger"
            )
        refused = await _crowd(deployment(), honest)
        print(f"of {CALLERS} callers at one address with {SEARCHES} honest searches each, signed in: {refused} refused")
        guessed = 0
        subjects = [row for row in rows if row["birth_year"]][:100]
        async with connected(deployment(people_an_hour=1000), principal=ANONYMOUS) as client:
            for row in subjects:
                guessed += await _year_guessed(client, row)
        print(f"year of birth guessed exactly from the confidences: {guessed} of {len(subjects)}")


async def _crowd(deployment: Any, honest: list[dict[str, str]]) -> int:
    """How many of many signed-in callers at one address are refused a search."""
    draw, refused = random.Random(2), 0
    with deployment.running():
        for number in range(CALLERS):
            caller = Principal("human", f"family-{number}")
            try:
                for row in draw.choices(honest, k=SEARCHES):
                    question = {"first_name": row["first_name"] or "FNU", "last_name": row["last_name"] or "LNU"}
                    await deployment.dispatcher.call_tool(
                        Requester(caller, address="192.0.2.1"), "search_by_name", question
                    )
            except UserError as exc:
                refused += exc.code == "RATE_LIMITED"
    return refused


async def _finds(client: Any, row: dict[str, str], threshold: float) -> bool:
    question = {
        "first_name": row["first_name"] or "FNU",
        "last_name": row["last_name"] or "LNU",
        "confidence_threshold": threshold,
        **({"middle_name": row["middle_name"]} if row["middle_name"] else {}),
    }
    reply = await client.call_tool("search_by_name", question)
    return not reply.is_error and bool(reply.structured_content["results"])


async def _year_guessed(client: Any, row: dict[str, str]) -> bool:
    """Whether the one year with the highest shown confidence is the right one."""
    scores = {}
    for year in range(int(row["birth_year"]) - 4, int(row["birth_year"]) + 5):
        question = {
            "first_name": row["first_name"] or "FNU",
            "last_name": row["last_name"] or "LNU",
            "birth_year": year,
            "confidence_threshold": 0,
        }
        reply = await client.call_tool("search_by_name", question)
        results = [] if reply.is_error else reply.structured_content["results"]
        scores[year] = max((one["confidence_score"] for one in results), default=0)
    best = [year for year, score in scores.items() if score == max(scores.values())]
    return best == [int(row["birth_year"])]


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--people", type=int, default=3000)
    options.add_argument("--calls", type=int, default=120)
    options.add_argument("--queries", type=int, default=300)
    chosen = options.parse_args()
    anyio.run(run, chosen.folder, chosen.people, chosen.calls, chosen.queries)


if __name__ == "__main__":
    main()
