"""Which words the registry knows as given names and which as surnames, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from packhorse_locator.store.people import ROWS_AT_A_TIME

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store


def add(store: Store, given: Counter[str], family: Counter[str]) -> None:
    """Count these words too."""
    words = sorted({*given, *family})
    for start in range(0, len(words), ROWS_AT_A_TIME):
        part = words[start : start + ROWS_AT_A_TIME]
        values: dict[str, str | int] = {}
        groups = []
        for n, word in enumerate(part):
            groups.append(f"(:w{n}, :g{n}, :f{n})")
            values |= {f"w{n}": word, f"g{n}": given[word], f"f{n}": family[word]}
        store.execute(
            f"INSERT INTO name_words (word, given, family) VALUES {', '.join(groups)}"  # noqa: S608 - names of our own
            " ON CONFLICT (word) DO UPDATE SET given = name_words.given + excluded.given,"
            " family = name_words.family + excluded.family",
            **values,
        )


def forget(store: Store) -> None:
    """Drop all words."""
    store.execute("DELETE FROM name_words")


def known(store: Store, words: Sequence[str]) -> dict[str, tuple[int, int]]:
    """How often each of ``words`` is a given name and a surname; unknown ones are left out."""
    names = {f"w{number}": word for number, word in enumerate(dict.fromkeys(words))}
    if not names:
        return {}
    listed = ", ".join(f":{name}" for name in names)
    rows = store.query(f"SELECT * FROM name_words WHERE word IN ({listed})", **names)  # noqa: S608 - names of our own
    return {row["word"]: (row["given"], row["family"]) for row in rows}
