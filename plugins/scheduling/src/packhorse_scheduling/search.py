"""Policy texts found by words: SQLite's full-text index (FTS5, Porter stems), ranked by bm25."""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing

from attrs import frozen

from packhorse_scheduling.domain.programme.policy import Passage

MOST_WORDS = 30
SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "at",
        "be",
        "can",
        "do",
        "does",
        "for",
        "how",
        "i",
        "in",
        "is",
        "it",
        "many",
        "may",
        "must",
        "of",
        "on",
        "or",
        "the",
        "to",
        "what",
        "when",
    ]
)
"""Words that say nothing of the matter."""


@frozen
class Hit:
    """A passage and its rank, 0 to 1: b / (1 + b), where b is bm25 with its sign turned."""

    passage: Passage
    similarity: float


def find(passages: Sequence[Passage], query: str, *, most: int, least: float) -> list[Hit]:
    """The passages that have any of the words, the best first."""
    words = [word for word in re.findall(r"\w+", query) if word.lower() not in SMALL][:MOST_WORDS]
    if not words:
        return []
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE VIRTUAL TABLE pages USING fts5(title, body, tokenize='porter unicode61')")
        base.executemany(
            "INSERT INTO pages (rowid, title, body) VALUES (?, ?, ?)",
            [(n, passage.title, passage.text) for n, passage in enumerate(passages)],
        )
        found = base.execute(
            "SELECT rowid, -bm25(pages) FROM pages WHERE pages MATCH ? ORDER BY bm25(pages), rowid LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), most),
        ).fetchall()
    hits = [Hit(passages[n], max(0.0, rank) / (1 + max(0.0, rank))) for n, rank in found]
    return [hit for hit in hits if hit.similarity >= least]
