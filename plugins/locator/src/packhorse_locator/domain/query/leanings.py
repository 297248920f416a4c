"""Whether an unknown word looks like a given name or a surname, by its letters."""

import math
from collections import Counter
from functools import cache, lru_cache

from attrs import frozen

from packhorse_locator.domain.query.bearers import own_names

CLEAR = 8.0
"""Log-odds from which the letters decide. Of listed names, each judged by the others, 92 in 100 beyond it are right."""

_SHORTEST = 4
"""Letters of a word that its letters can tell about."""

_SIZES = (2, 3, 4)


@frozen(eq=False)
class Letters:
    """How often pieces of two to four letters stand in given names and in surnames."""

    given: Counter[str]
    family: Counter[str]
    sizes: tuple[int, int]

    def odds(self, word: str) -> float:
        """Natural log-odds that ``word`` is a given name: naive Bayes over its pieces, both kinds equally likely."""
        total = 0.0
        for piece in _pieces(word):
            if piece in self.given or piece in self.family:
                total += math.log((self.given[piece] + 0.5) / (self.sizes[0] + 1))
                total -= math.log((self.family[piece] + 0.5) / (self.sizes[1] + 1))
        return total


def letters_of(given: frozenset[str], family: frozenset[str]) -> Letters:
    """From lists of names."""
    counts = []
    for names in (given, family):
        counted: Counter[str] = Counter()
        for name in names:
            counted.update(_pieces(name))
        counts.append(counted)
    return Letters(counts[0], counts[1], (len(given), len(family)))


@lru_cache(4096)
def leaning(word: str) -> int:
    """1 for what looks like a given name, -1 for a surname, 0 where the letters do not decide."""
    odds = _own().odds(word)
    return 0 if abs(odds) < CLEAR or len(word) < _SHORTEST else (1 if odds > 0 else -1)


@cache
def _own() -> Letters:
    given, family = own_names()
    return letters_of(given - family, family - given)


def _pieces(word: str) -> set[str]:
    whole = f"^{word}$"
    return {whole[start : start + size] for size in _SIZES for start in range(len(whole) - size + 1)}
