"""Ranks tools by a sentence: SQLite's full-text search, with a weight for each field.

Two words that stand side by side in both count once more, as a pair (Metzler and Croft 2005, "A Markov random
field model for term dependencies", section 4). A word that no tool has is read as the nearest word that one has.
Weights, stop words and stems were chosen by measurement (see `benchmarks/tools.py`): the words that a pack writes
for its tools matter far more than the engine.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from threading import Lock

from packhorse.contract.offers import Offered

WEIGHTS = {"name": 4.0, "title": 2.0, "description": 1.0, "parameters": 0.3, "words": 3.0}
PAIR = 0.2
"""What a pair of neighbouring words counts, beside the words themselves."""

MOST_WORDS = 64
"""Words of a query that are looked at."""

SHORTEST_RESPELT, LEAST_ALIKE = 6, 0.8
"""Letters of a word that may be a misspelling, and how like a known word it is: one letter of six is wrong."""

# Function words alone: "who", "why" and "what now" tell one tool from another.
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by can could do does for from has have i in is it its me my of on or that the this to"
        " was we with would you your",
    )
)
_TABLE = (
    "CREATE VIRTUAL TABLE tools USING fts5(name, title, description, parameters, words, tokenize='porter unicode61')"
)
_ROW = "INSERT INTO tools (rowid, name, title, description, parameters, words) VALUES (?, ?, ?, ?, ?, ?)"
_SCORES = "SELECT rowid, -bm25(tools, ?, ?, ?, ?, ?) FROM tools WHERE tools MATCH ?"
_KNOWN = "SELECT 1 FROM tools WHERE tools MATCH ? LIMIT 1"


class Index:
    """The tools of one caller."""

    def __init__(self, tools: Sequence[Offered]) -> None:
        self._names = [tool.name for tool in tools]
        self._lock = Lock()
        self._rows = sqlite3.connect(":memory:", check_same_thread=False)
        self._rows.execute(_TABLE)
        self._rows.executemany(_ROW, map(_row, range(len(tools)), tools))

    def ranked(self, query: str, most: int) -> list[str]:
        """The names of the tools that fit best, best first; none where no word of the query fits any."""
        with self._lock:
            words = [self._known(word) for word in re.findall(r"\w+", query)[:MOST_WORDS]]
            scores = self._scores(word for word in words if word not in STOP_WORDS)
            pairs = self._scores(" ".join(pair) for pair in pairwise(words) if not STOP_WORDS.issuperset(pair))
        for place, score in pairs.items():
            scores[place] = scores.get(place, 0) + PAIR * score
        best = sorted(scores, key=lambda place: (-scores[place], place))
        return [self._names[place] for place in best[:most]]

    def _scores(self, phrases: Iterable[str]) -> dict[int, float]:
        """By place, the score of each tool that has one of the phrases."""
        match = " OR ".join(f'"{phrase}"' for phrase in dict.fromkeys(phrases))
        return dict(self._rows.execute(_SCORES, (*WEIGHTS.values(), match)).fetchall()) if match else {}

    def _known(self, word: str) -> str:
        """The word as it is looked for. A name, written with a capital, is no misspelling."""
        if (
            len(word) >= SHORTEST_RESPELT
            and word.islower()
            and not self._rows.execute(_KNOWN, (f'"{word}"',)).fetchone()
        ):
            return next(iter(get_close_matches(word, self._vocabulary, n=1, cutoff=LEAST_ALIKE)), word)
        return word.lower()

    @cached_property
    def _vocabulary(self) -> list[str]:
        texts = self._rows.execute("SELECT name || ' ' || title || ' ' || description || ' ' || words FROM tools")
        words = {word for (text,) in texts for word in re.findall(r"\w+", text.lower())}
        return sorted(word for word in words if len(word) >= SHORTEST_RESPELT - 1)


def _row(place: int, tool: Offered) -> tuple[int, str, str, str, str, str]:
    parameters = _apart(" ".join(tool.input_schema.get("properties", {})))
    return place, _apart(tool.name), tool.title or "", tool.description, parameters, tool.words


def _apart(names: str) -> str:
    """Names with their words apart, and as they stand."""
    return f"{names} {re.sub(r'(?<=[a-z0-9])(?=[A-Z])', ' ', names).replace('_', ' ').replace('-', ' ')}"
