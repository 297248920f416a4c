"""Searching while a large file is loaded: no wrong answer, no lock error; and what a kill in mid-load leaves.

    python benchmarks/locator_load.py [--records 1000000] [--kill]

People invented here are imported with ``packhorse locator import`` in a process of its own, while this one asks for
others by name, through a client, as fast as it can. Every answer is compared with the person who is there. With
``--kill`` the import is killed in the middle first, and must have left nothing. It ends with status 1 where anything
was wrong, and prints how many searches were answered in each phase.
"""

import argparse
import csv
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import anyio
import anyio.to_thread

from locator import invented_words
from packhorse.testing import connected, deployment_for
from packhorse_locator import pack

OURS = 40
"""People who are there from the beginning, and are asked for."""
COLUMNS = ("record_id", "first_name", "last_name", "country_of_birth", "birth_year", "booking_date", "facility_id")
COMMAND = [sys.executable, "-m", "packhorse", "locator"]


def people(count: int, words: list[str], start: str) -> Iterator[tuple[str, ...]]:
    """Rows of invented people, no two of one name; ``words`` are their surnames."""
    givens = invented_words(400)[:: 400 // 97]
    for number in range(count):
        given = givens[number % len(givens)].title()
        one, other = words[number // 7 % len(words)], words[number * 31 % len(words)]
        year = str(1950 + number % 55)
        yield f"{start}{number}", given, f"{one.title()} {other.title()}", "Peru", year, "2026-10-01", "KRO"


def write(path: Path, rows: Iterator[tuple[str, ...]]) -> None:
    """A file for ``packhorse locator import``."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        out.writerows(rows)


def command(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    """One of the pack's own commands on the registry in ``folder``."""
    environment = {**os.environ, "PACKHORSE_SERVER_DATA_DIR": str(folder)}
    return subprocess.Popen([*COMMAND, *arguments], env=environment, stdout=subprocess.PIPE, text=True)


def importing(folder: Path, path: Path, source: str) -> "subprocess.Popen[str]":
    """An import under way."""
    return command(folder, "import", str(path), "--source", source, "--as-of", "2026-11-01", "--json")


class Watchful:
    """A client that asks for people who are there, and keeps count."""

    def __init__(self, client: object, asked: list[tuple[str, ...]]) -> None:
        self._client = client
        self._asked = itertools.cycle(asked)
        self.right: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.phase = "before"

    async def ask(self) -> None:
        """Ask for the next of them."""
        key, given, family, *_ = next(self._asked)
        question = {"first_name": given, "last_name": family, "confidence_threshold": 0}
        reply = await self._client.call_tool("search_by_name", question)  # type: ignore[attr-defined]
        if reply.is_error:
            self.wrong[(reply.meta or {}).get("packhorse/error", {}).get("code", "protocol")] += 1
            return
        results = reply.structured_content["results"]
        exact = [one["record_id"] for one in results if one["match_details"]["exact"]]
        if exact == [key] and results[0]["record_id"] == key:
            self.right[self.phase] += 1
        else:
            self.wrong["another person first" if results else "nobody"] += 1

    async def ask_while(self, process: "subprocess.Popen[str]", phase: str, most_seconds: float | None = None) -> None:
        """Ask until the process has ended, or for so long."""
        self.phase = phase
        until = time.monotonic() + most_seconds if most_seconds else None
        while process.poll() is None and (until is None or time.monotonic() < until):
            await self.ask()


def counted(folder: Path) -> dict[str, int]:
    """How many people the registry and its index have, and whether the two agree."""
    with command(folder, "stats", "--json") as process:
        found = json.loads(process.communicate()[0])
    return {
        "people": found["people"],
        "indexed": found["index"]["records"],
        "current": found["index"]["current"],
    }


async def run(records: int, *, kill: bool) -> bool:
    """Load and search; whether all went well."""
    words = invented_words(60_000)
    with tempfile.TemporaryDirectory() as place:
        data = Path(place)
        ours = list(people(OURS, words[1::2], "OURS"))
        write(data / "ours.csv", iter(ours))
        write(data / "many.csv", people(records, words[::2], "M"))
        importing(data, data / "ours.csv", "ours").communicate()
        limits = {"search_by_name": "100000/second"}
        settings = _settings(limits)
        deployment = deployment_for(data_dir=data, tables={"locator": settings}, locator=pack)
        good = True
        async with connected(deployment) as client:
            watchful = Watchful(client, ours)
            for _ in ours:
                await watchful.ask()
            if kill:
                began = time.monotonic()
                process = importing(data, data / "many.csv", "many")
                await watchful.ask_while(process, "before the kill", most_seconds=max(3.0, records / 60_000))
                process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
                process.wait()
                left = await anyio.to_thread.run_sync(counted, data)
                whole = left == {"people": OURS, "indexed": OURS, "current": True}
                print(f"killed after {time.monotonic() - began:.0f} s: {left}")
                good = good and whole and process.returncode != 0
            began = time.monotonic()
            process = importing(data, data / "many.csv", "many")
            await watchful.ask_while(process, "while it loads")
            loaded = json.loads(process.communicate()[0])
            print(f"{loaded['accepted']:,} rows loaded and indexed in {time.monotonic() - began:.0f} s")
            watchful.phase = "after"
            for _ in ours:
                await watchful.ask()
        after = counted(data)
        print(f"in the registry: {after}")
        print(f"right answers: {dict(watchful.right)}; wrong: {dict(watchful.wrong)}")
        expected = {"people": records + OURS, "indexed": records + OURS, "current": True}
        return good and after == expected and not watchful.wrong and watchful.right["while it loads"] > 0


def _settings(limits: dict[str, str]) -> object:
    from packhorse.settings import PackTable

    return PackTable(limits=limits, own={"sample": False})


def main() -> None:
    """Run, and end with status 1 where anything was wrong."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--records", type=int, default=20_000)
    options.add_argument("--kill", action="store_true", help="kill one import in the middle first")
    chosen = options.parse_args()
    if not anyio.run(lambda: run(chosen.records, kill=chosen.kill)):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
