"""Labelled pairs of names: what confidence the second name gets for the first, each in a registry of its own.

Pairs in one registry would share the probability among near-duplicates, so that each second name is alone among people
whose names have nothing to do with it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from packhorse_locator.search.index import NameIndex
from packhorse_locator.search.query import NameQuery, Person

KEY = "pair"
COLUMNS = ("name1", "name2")
MOST_FILLERS = 10_000


@frozen
class PairScore:
    """A pair with the confidence that the second name has for the first, 0 where it was not found, and why."""

    name1: str
    name2: str
    confidence: float
    reasons: tuple[str, ...]


def scored(file: Path, others: Iterator[Person]) -> list[PairScore]:
    """Every pair of a CSV file with the columns name1 and name2, judged among ``others``.

    Raises:
        ValueError: the file lacks a column.
    """
    with file.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    if missing := [name for name in COLUMNS if rows and name not in rows[0]]:
        raise ValueError(f"has no column {missing[0]}")
    with TemporaryDirectory() as folder, NameIndex.open(Path(folder)) as index:
        index.build(islice(others, MOST_FILLERS), sequence=1)
        return [_score(index, row["name1"], row["name2"], 2 * number + 2) for number, row in enumerate(rows)]


def _score(index: NameIndex, asked: str, written: str, sequence: int) -> PairScore:
    given, family = _parts(written)
    index.add([Person(key=KEY, given=given, family=family)], sequence=sequence)
    found = index.search(NameQuery(full=asked, threshold=0.0, limit=50)).matches
    index.remove([KEY], sequence=sequence + 1)
    match = next((one for one in found if one.key == KEY), None)
    if match is None:
        return PairScore(asked, written, 0.0, ())
    return PairScore(asked, written, round(match.confidence, 4), match.reasons)


def _parts(name: str) -> tuple[str, str]:
    """A name as a record would have it: what stands before a comma is the surname, else the last word."""
    surname, comma, given = name.partition(",")
    if comma and given.strip():
        return given.strip(), surname.strip()
    words: Sequence[str] = name.split()
    return " ".join(words[:-1]), words[-1] if words else name
