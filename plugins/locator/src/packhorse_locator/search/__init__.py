"""The name index: which people of the registry may have a name that a stranger wrote down.

``NameQuery``, ``Person``, ``Match``, ``SearchOutcome`` and ``IndexStats`` cost nothing to import. ``NameIndex``,
``bench`` and ``BenchReport`` load numpy and rapidfuzz: import them inside the call that needs them.

    from packhorse_locator.search import NameIndex, NameQuery

    with NameIndex.open(folder) as index:
        index.build(people, sequence=store.sequence)
        outcome = index.search(NameQuery(first="Jhon", last="Gonzales Peres", threshold=0.8))

The index keeps one file in its folder. Every change is one transaction and carries the registry's change counter,
so that after a kill ``index.sequence`` tells the registry from which change to replay. A change made by another
process is seen by the next search.
"""

from typing import TYPE_CHECKING, Any

from packhorse_locator.search.query import IndexStats, Match, NameQuery, Person, SearchOutcome

if TYPE_CHECKING:
    from packhorse_locator.search.benchmark import BenchReport, bench
    from packhorse_locator.search.index import NameIndex

__all__ = ["BenchReport", "IndexStats", "Match", "NameIndex", "NameQuery", "Person", "SearchOutcome", "bench"]


def __getattr__(name: str) -> Any:
    """Load the heavy parts when they are first named."""
    if name == "NameIndex":
        from packhorse_locator.search.index import NameIndex

        return NameIndex
    if name in {"bench", "BenchReport"}:
        from packhorse_locator.search import benchmark

        return getattr(benchmark, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
