"""The index as it is at one moment: what a search looks at from beginning to end, whatever is added meanwhile."""

from __future__ import annotations

from math import log1p

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from packhorse_locator.domain.names.evidence import RecordName
from packhorse_locator.domain.names.folding import Word
from packhorse_locator.search.expansion import FITTED_NAMES, Expansion, Switches, expand
from packhorse_locator.search.segment import PARTICLE, Segment
from packhorse_locator.search.storage import Facts
from packhorse_locator.search.vocabulary import Vocabulary

MOST_REMEMBERED = 4_096
"""Expansions kept for words asked again; then the memory starts again."""


@frozen(eq=False)
class Part:
    """A segment in use.

    Attributes:
        number: Its number in the file.
        segment: The segment.
        alive: Which of its records have not been removed.
        living: How many they are.
    """

    number: int
    segment: Segment
    alive: NDArray[np.bool_]
    living: int = field(init=False)

    @living.default
    def _count(self) -> int:
        return int(self.alive.sum())


@frozen(eq=False)
class Snapshot:
    """The index at one moment.

    Attributes:
        facts: Versions and counters.
        chunk: The last chunk of the vocabulary that is in it.
        vocabulary: The words; more may have arrived since, which no part holds.
        parts: The segments in use, oldest first.
        counts: In how many names each word occurs.
        names: How many names there are, counted within each part.
    """

    facts: Facts
    chunk: int
    vocabulary: Vocabulary
    parts: tuple[Part, ...]
    counts: NDArray[np.int64] = field(init=False)
    names: int = field(init=False)
    remembered: dict[tuple[str, bool, Switches], Expansion] = field(init=False, factory=dict)

    @counts.default
    def _count_words(self) -> NDArray[np.int64]:
        counts = np.zeros(len(self.vocabulary.words), np.int64)
        for part in self.parts:
            counts[part.segment.term] += np.diff(part.segment.first_posting)
        return counts

    @names.default
    def _count_names(self) -> int:
        return sum(part.segment.names for part in self.parts)

    def frequency(self, word: str) -> int:
        """In how many names a word occurs."""
        number = self.vocabulary.numbers.get(word)
        return int(self.counts[number]) if number is not None and number < len(self.counts) else 0

    def familiarity(self, word: str) -> float:
        """How much of a name a word is: ln(1 + names that have it), counted for ``FITTED_NAMES`` names."""
        return log1p(self.frequency(word) * FITTED_NAMES / max(self.names, FITTED_NAMES))

    def expansion(self, word: Word, switches: Switches) -> Expansion:
        """What a word may stand for, from memory if it was asked before."""
        about = (word.text, word.native, switches)
        held = self.remembered.get(about)
        if held is None:
            held = expand(word, self.vocabulary, self.counts, self.names, switches)
            if len(self.remembered) >= MOST_REMEMBERED:
                self.remembered.clear()
            self.remembered[about] = held
        return held

    def record_name(self, part: int, name: int) -> RecordName:
        """A name, ready to be compared."""
        segment = self.parts[part].segment
        marked = segment.words[segment.first_word[name] : segment.first_word[name + 1]].tolist()
        given = int(segment.givens[name])
        spelled = self.vocabulary.words
        texts = [spelled[number & ~PARTICLE] for number in marked]
        telling = [place for place, number in enumerate(marked) if number < PARTICLE]
        return RecordName(
            tuple(marked[place] for place in telling),
            tuple(texts[place] for place in telling),
            sum(place < given for place in telling),
            ("".join(texts[:given]), "".join(texts[given:])),
        )


def all_alive(segment: Segment) -> NDArray[np.bool_]:
    """No record removed."""
    return np.ones(segment.records, np.bool_)


def unpacked(segment: Segment, bits: bytes | None) -> NDArray[np.bool_]:
    """Which records of a segment live, from the stored bits of the dead."""
    if bits is None:
        return all_alive(segment)
    dead = np.unpackbits(np.frombuffer(bits, np.uint8), count=segment.records).astype(np.bool_)
    return ~dead
