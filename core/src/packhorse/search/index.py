"""Ranks tools by a sentence: SQLite's full-text search, with a weight for each field.

Weights, stop words and stems were chosen by measurement (see `benchmarks/tools.py`):
the words that a pack writes for its tools matter far more than the engine.
"""

import re
import sqlite3
from collections.abc import Sequence
from threading import Lock

from packhorse.contract.offers import Offered

WEIGHTS = {"name": 4.0, "title": 2.0, "description": 1.0, "parameters": 0.3, "words": 3.0}
MOST_WORDS = 64
"""Words of a query that are looked at."""

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
_RANKED = "SELECT rowid FROM tools WHERE tools MATCH ? ORDER BY bm25(tools, ?, ?, ?, ?, ?), rowid LIMIT ?"


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
        words = [word for word in re.findall(r"\w+", query.lower()) if word not in STOP_WORDS][:MOST_WORDS]
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        with self._lock:
            rows = self._rows.execute(_RANKED, (match, *WEIGHTS.values(), most)).fetchall()
        return [self._names[row] for (row,) in rows]


def _row(place: int, tool: Offered) -> tuple[int, str, str, str, str, str]:
    parameters = _apart(" ".join(tool.input_schema.get("properties", {})))
    return place, _apart(tool.name), tool.title or "", tool.description, parameters, tool.words


def _apart(names: str) -> str:
    """Names with their words apart, and as they stand."""
    return f"{names} {re.sub(r'(?<=[a-z0-9])(?=[A-Z])', ' ', names).replace('_', ' ').replace('-', ' ')}"
