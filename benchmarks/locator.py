"""Finding people by name: the pack's index beside brute-force rapidfuzz and SQLite's trigram index, in one run.

    python benchmarks/locator.py BENCH [--filler FOLDER] [--records N] [--queries N] [--vocabulary N] [--tools]

BENCH holds ``records.csv`` and ``queries.csv`` as ``names_gen.py`` writes them; ``--filler`` a folder made by
``names_gen.py --seed 555 --n 990000 --q 0``. Records with the very same name count as hits. Times are processor time
of this one process, with the index's memory of words emptied before each search. ``--tools`` adds the wall time of each
tool through an MCP client in memory, on the pack's own sample registry, with arguments that no cache has seen.
"""

import argparse
import itertools
import random
import re
import sqlite3
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import anyio
from attrs import evolve

from packhorse_locator.search import NameQuery, Person
from packhorse_locator.search.benchmark import Labelled, people_from, quantile, queries_from
from packhorse_locator.search.index import NameIndex
from spread import ratio

Search = Callable[[NameQuery], list[str]]
FTS_CANDIDATES = 200


def folded(text: str) -> str:
    """A name as the bench compares names: no accents, no punctuation, one case."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
    return re.sub(r"[^\w]+", " ", bare).casefold().strip()


def written(person: Person | NameQuery) -> str:
    """A whole name, folded."""
    if isinstance(person, Person):
        return folded(f"{person.given} {person.family}")
    return folded(f"{person.first or ''} {person.last or ''}")


def invented_words(count: int) -> list[str]:
    """Invented surnames that swell the vocabulary to the size of a real registry's."""
    draw = random.Random(3)
    starts = [
        "b",
        "c",
        "d",
        "f",
        "g",
        "h",
        "j",
        "k",
        "l",
        "m",
        "n",
        "p",
        "r",
        "s",
        "t",
        "v",
        "z",
        "ch",
        "ll",
        "qu",
        "tr",
    ]
    vowels = ["a", "e", "i", "o", "u", "ia", "ue"]
    words: set[str] = set()
    while len(words) < count:
        syllables = (draw.choice(starts) + draw.choice(vowels) for _ in range(draw.randint(2, 4)))
        words.add("".join(syllables) + draw.choice(["", "s", "n", "z", "r"]))
    return sorted(words)


def people(bench: Path, filler: Path | None, count: int, vocabulary: int) -> Iterator[Person]:
    """The bench's records, then as many of the filler as are wanted; every fourth with an invented second surname."""
    own = list(people_from(bench / "records.csv"))[:count]
    yield from own
    if filler is None:
        return
    words = invented_words(vocabulary)
    rest = itertools.islice(people_from(filler / "records.csv"), max(0, count - len(own)))
    for number, person in enumerate(rest):
        more = f" {words[number // 4 % len(words)].title()}" if words and number % 4 == 0 else ""
        yield evolve(person, key=f"B{person.key}", family=person.family + more)


def brute_force(held: Sequence[tuple[str, str]]) -> Search:
    """Rapidfuzz over every record."""
    from rapidfuzz import fuzz, process

    keys, names = [key for key, _ in held], [name for _, name in held]

    def search(query: NameQuery) -> list[str]:
        found = process.extract(written(query), names, scorer=fuzz.token_set_ratio, limit=5)
        return [keys[place] for _, _, place in found]

    return search


def trigrams(held: Sequence[tuple[str, str]]) -> Search:
    """SQLite's trigram index for the best candidates, rapidfuzz to order them."""
    from rapidfuzz import fuzz, process

    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE names USING fts5(name, tokenize='trigram', detail='none')")
    connection.executemany(
        "INSERT INTO names(rowid, name) VALUES (?, ?)", ((n, name) for n, (_, name) in enumerate(held))
    )
    connection.commit()

    def search(query: NameQuery) -> list[str]:
        name = written(query).replace('"', "")
        grams = " OR ".join(f'"{gram}"' for gram in sorted({name[n : n + 3] for n in range(len(name) - 2)}))
        if not grams:
            return []
        rows = connection.execute(
            "SELECT rowid, name FROM names WHERE names MATCH ? ORDER BY rank LIMIT ?", (grams, FTS_CANDIDATES)
        ).fetchall()
        best = process.extract(name, [row[1] for row in rows], scorer=fuzz.token_set_ratio, limit=5)
        return [held[rows[place][0]][0] for _, _, place in best]

    return search


def ours(index: NameIndex) -> Search:
    """The pack's index, with its memory of words emptied."""

    def search(query: NameQuery) -> list[str]:
        index.refreshed().remembered.clear()
        return [match.key for match in index.search(query).matches]

    return search


def ask(search: Search, asked: Iterable[Labelled], names: dict[str, str]) -> tuple[float, float, list[float]]:
    """Recall at 1 and at 5, and milliseconds of each search."""
    first = five = 0
    spent = []
    for one in asked:
        started = time.process_time()
        keys = search(one.query)
        spent.append((time.process_time() - started) * 1e3)
        wanted = {names[key] for key in one.accepted if key in names}
        hits = [names[key] in wanted for key in keys]
        first += bool(hits) and hits[0]
        five += any(hits)
    return first / len(spent), five / len(spent), spent


def shown(title: str, found: tuple[float, float, list[float]], peer: Sequence[float] | None = None) -> None:
    """Print one side's line."""
    first, five, spent = found
    ordered = sorted(spent)
    times = "".join(f"{quantile(ordered, share):10.1f}" for share in (0.5, 0.95))
    beside = f"   x{ratio(spent, peer).median:.3f} of brute force" if peer else ""
    print(f"{title:34}{len(spent):8}{first:8.3f}{five:8.3f}{times}{beside}")


def arguments_of(asked: Sequence[Labelled]) -> dict[str, list[dict[str, object]]]:
    """For each tool, as many different calls as there are queries."""
    names = [
        {"first_name": (one.query.first or "Ana")[:50], "last_name": (one.query.last or "Cruz")[:50]} for one in asked
    ]
    cities = ["Miami", "Houston", "Denver", "Aurora", "Laredo", "Tacoma", "Batavia", "Lumpkin", "Adelanto", "Pearsall"]
    return {
        "search_by_name": [*names],
        "search_by_alien_number": [{"alien_number": f"A9{number:08d}"} for number in range(len(asked))],
        "search_by_facility": [{"facility_name": f"{city} detention center"} for city in cities],
        "bulk_search": [
            {"searches": [{"type": "name", "first_name": n["last_name"], "last_name": n["first_name"]}]} for n in names
        ],
        "get_facility_info": [{"facility_name": f"{city} detention center"} for city in cities],
        "parse_natural_query": [{"query": f"find {n['first_name']} {n['last_name']} in Texas"} for n in names],
    }


async def time_tools(asked: Sequence[Labelled]) -> None:
    """Call every tool through a client, and print how long the answers took; refusals count as answers."""
    from packhorse.testing import client_for
    from packhorse_locator import pack

    async with client_for(locator=pack) as client:
        await client.call_tool("search_by_name", {"first_name": "Ana", "last_name": "Cruz"})
        print(f"{'wall time through a client':34}{'calls':>8}{'p50 ms':>10}{'p95 ms':>10}")
        for tool, calls in arguments_of(asked).items():
            spent = []
            for arguments in calls:
                started = time.perf_counter()
                await client.call_tool(tool, arguments)
                spent.append((time.perf_counter() - started) * 1e3)
            spent.sort()
            print(f"{tool:34}{len(spent):8}{quantile(spent, 0.5):10.1f}{quantile(spent, 0.95):10.1f}")


def main() -> None:
    """Build, ask, print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("bench", type=Path)
    options.add_argument("--filler", type=Path)
    options.add_argument("--records", type=int, default=10_000)
    options.add_argument("--queries", type=int, default=300)
    options.add_argument("--peer-queries", type=int, default=60, help="the peers are slow at a million records")
    options.add_argument("--vocabulary", type=int, default=0, help="invented words to add to the filler")
    options.add_argument("--no-peers", action="store_true")
    options.add_argument("--tools", action="store_true")
    chosen = options.parse_args()

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with NameIndex.open(folder) as index:
            started = time.process_time()
            index.build(people(chosen.bench, chosen.filler, chosen.records, chosen.vocabulary), sequence=1)
            built = time.process_time() - started
        started = time.process_time()
        index = NameIndex.open(folder)
        opened = time.process_time() - started
        stats = index.stats()
        print(
            f"{stats.records:,} records, {stats.names:,} names, {stats.vocabulary:,} words; built in {built:.1f} s, "
            f"opened in {opened:.2f} s; {stats.record_bytes / max(1, stats.records):.0f} bytes a record "
            f"and {stats.vocabulary_bytes / 1e6:.1f} MB of vocabulary"
        )
        held = [
            (person.key, written(person))
            for person in people(chosen.bench, chosen.filler, chosen.records, chosen.vocabulary)
        ]
        names = dict(held)

        def drawn(count: int, *, circumstances: bool = False) -> list[Labelled]:
            asked = [
                one
                for one in queries_from(chosen.bench / "queries.csv", circumstances=circumstances)
                if any(key in names for key in one.accepted)
            ]
            return asked[:: max(1, len(asked) // count)]

        print(f"{'processor time':34}{'queries':>8}{'R@1':>8}{'R@5':>8}{'p50 ms':>10}{'p95 ms':>10}")
        shown("ours, by name", ask(ours(index), drawn(chosen.queries), names))
        with_more = drawn(chosen.queries, circumstances=True)
        shown("ours, with country and birth year", ask(ours(index), with_more, names))
        if not chosen.no_peers:
            few = drawn(chosen.peer_queries)
            brute = ask(brute_force(held), few, names)
            print("the same queries on every side:")
            shown("ours", ask(ours(index), few, names), brute[2])
            shown("rapidfuzz token_set_ratio, all", brute)
            shown(f"FTS5 trigram {FTS_CANDIDATES} + rapidfuzz", ask(trigrams(held), few, names), brute[2])
        index.close()
        if chosen.tools:
            anyio.run(time_tools, drawn(30)[:30])


if __name__ == "__main__":
    main()
