"""Every word of the registry's names, in memory: by spelling, by letters, by key and in order."""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from packhorse_locator.domain.names.keys import Keys, keys_of

Ints = NDArray[np.int32]
Hashes = NDArray[np.uint32]
SOUNDS = ("sound", "slavic", "arabic", "indic")
SYSTEMS = (*SOUNDS, "shape")
LETTERS = 26


def key_hash(system: str, key: str) -> int:
    """Where a key is kept: CRC-32 of its system and itself. Collisions only add a candidate to compare."""
    return zlib.crc32(f"{system}:{key}".encode())


def keys_by_system(keys: Keys) -> Iterable[tuple[str, str]]:
    """Every key of a word with its system; an empty key says nothing and is left out."""
    for system in SYSTEMS:
        for key in getattr(keys, system):
            if key:
                yield system, key


@frozen
class Chunk:
    """Words that entered together, as they are stored: spelling, and key hashes with the word each belongs to."""

    words: tuple[str, ...]
    hashes: Hashes
    owners: Ints

    @classmethod
    def of(cls, words: Sequence[str], first_number: int) -> Chunk:
        """Key the words, numbered on from ``first_number``."""
        hashes: list[int] = []
        owners: list[int] = []
        for number, word in enumerate(words, first_number):
            for system, key in keys_by_system(keys_of(word)):
                hashes.append(key_hash(system, key))
                owners.append(number)
        return cls(tuple(words), np.array(hashes, np.uint32), np.array(owners, np.int32))


@frozen
class Letters:
    """What can be compared without looking at the spelling, one entry a word.

    Attributes:
        once: Bits of the letters that occur, and above them those that occur twice.
        length: Number of letters.
        first: First letter, 0 to 25.
        last: Last letter.
    """

    once: NDArray[np.uint64]
    length: NDArray[np.uint8]
    first: NDArray[np.uint8]
    last: NDArray[np.uint8]

    @classmethod
    def of(cls, words: Sequence[str]) -> Letters:
        """Count the letters of every word at once."""
        lengths = np.fromiter((len(w) for w in words), np.int64, len(words))
        flat = np.frombuffer("".join(words).encode("ascii"), np.uint8).astype(np.int64) - ord("a")
        owner = np.repeat(np.arange(len(words)), lengths)
        counts = np.bincount(owner * LETTERS + flat, minlength=len(words) * LETTERS).reshape(len(words), LETTERS)
        bits = np.uint64(1) << np.arange(LETTERS, dtype=np.uint64)
        once = ((counts >= 1) * bits).sum(axis=1, dtype=np.uint64)
        twice = ((counts >= 2) * bits).sum(axis=1, dtype=np.uint64)
        ends = np.cumsum(lengths)
        return cls(
            once | (twice << np.uint64(LETTERS)),
            np.minimum(lengths, 255).astype(np.uint8),
            flat[ends - lengths].astype(np.uint8) if len(words) else np.zeros(0, np.uint8),
            flat[ends - 1].astype(np.uint8) if len(words) else np.zeros(0, np.uint8),
        )

    def joined(self, more: Letters) -> Letters:
        """These words followed by more."""
        return Letters(
            np.concatenate([self.once, more.once]),
            np.concatenate([self.length, more.length]),
            np.concatenate([self.first, more.first]),
            np.concatenate([self.last, more.last]),
        )


@define
class Vocabulary:
    """The words, numbered in order of arrival. Words are only ever added, so a number once given keeps its meaning.

    A search may run while words are added: every table is replaced, not changed, and a word too many does no harm.
    """

    words: list[str] = field(factory=list)
    numbers: dict[str, int] = field(factory=dict)
    letters: Letters = field(factory=lambda: Letters.of([]))
    ordered: list[str] = field(factory=list)
    keyed: tuple[Hashes, Ints] = (np.zeros(0, np.uint32), np.zeros(0, np.int32))
    recent: dict[int, tuple[int, ...]] = field(factory=dict)

    def extend(self, chunks: Sequence[Chunk]) -> None:
        """Take in words in the order in which they were numbered."""
        fresh = [word for chunk in chunks for word in chunk.words]
        if not fresh:
            return
        # A search may look meanwhile: what a table leads to is there before the table is.
        start = len(self.words)
        self.words.extend(fresh)
        self.numbers.update(zip(fresh, range(start, start + len(fresh)), strict=True))
        self.letters = self.letters.joined(Letters.of(fresh))
        self.ordered = sorted([*self.ordered, *fresh])
        hashes = np.concatenate([c.hashes for c in chunks])
        owners = np.concatenate([c.owners for c in chunks])
        if len(hashes) + len(self.recent) < 20_000 and len(self.keyed[0]) > 100_000:
            recent = dict(self.recent)
            for value, owner in zip(hashes.tolist(), owners.tolist(), strict=True):
                recent[value] = (*recent.get(value, ()), owner)
            self.recent = recent
        else:
            spare = [(value, owner) for value, owned in self.recent.items() for owner in owned]
            late = np.array(spare, np.int64).reshape(-1, 2)
            hashes = np.concatenate([self.keyed[0], late[:, 0].astype(np.uint32), hashes])
            owners = np.concatenate([self.keyed[1], late[:, 1].astype(np.int32), owners])
            order = np.argsort(hashes, kind="stable")
            self.keyed, self.recent = (hashes[order], owners[order]), {}

    def keyed_as(self, system: str, key: str) -> list[int]:
        """Numbers of the words under a key."""
        value = key_hash(system, key)
        recent = self.recent.get(value, ())  # looked at first: what leaves it is in ``keyed`` before it goes
        hashes, owners = self.keyed
        sought = np.uint32(value)  # of the array's own type: any other makes a copy of the array
        low, high = np.searchsorted(hashes, sought, "left"), np.searchsorted(hashes, sought, "right")
        return [*owners[low:high].tolist(), *recent]

    def beginning_with(self, start: str) -> list[str]:
        """Words that begin with these letters, the word itself included."""
        ordered = self.ordered
        return ordered[bisect_left(ordered, start) : bisect_right(ordered, start + "{")]

    @property
    def array_bytes(self) -> int:
        """Memory of the arrays, in bytes."""
        letters = self.letters
        arrays = (letters.once, letters.length, letters.first, letters.last, *self.keyed)
        return sum(array.nbytes for array in arrays)
