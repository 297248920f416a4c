"""A part of the index that never changes: people grouped by name, and the names in which each word occurs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import fields, frozen
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
PARTICLE = 1 << 30
"""Set on the number of a word that is a particle in its name."""
UNKNOWN_YEAR = 0
UNKNOWN_COUNTRY = 0
NEVER = 0
MIX = np.uint64(0x9E3779B97F4A7C15)  # the golden-ratio multiplier of Fibonacci hashing (Knuth, TAOCP 3, 6.4)


@frozen
class Rows:
    """People ready to be put into a segment, one entry each unless said otherwise.

    Attributes:
        words: Numbers of the words of every name, one after another; ``PARTICLE`` marks particles.
        ends: Where each name ends in ``words``.
        givens: How many words of the name are given names, particles included.
        keys: The records' keys, UTF-8, one after another.
        key_ends: Where each key ends.
        country: Number of the country, ``UNKNOWN_COUNTRY`` if none.
        year: Year of birth, ``UNKNOWN_YEAR`` if none.
        booked: Ordinal day of the booking, ``NEVER`` if none.
    """

    words: Int32
    ends: NDArray[np.int64]
    givens: NDArray[np.uint8]
    keys: NDArray[np.uint8]
    key_ends: NDArray[np.int64]
    country: NDArray[np.uint16]
    year: NDArray[np.int16]
    booked: Int32

    @property
    def count(self) -> int:
        """How many people."""
        return len(self.ends)

    def joined(self, more: Rows) -> Rows:
        """These people followed by more."""
        return Rows(
            np.concatenate([self.words, more.words]),
            np.concatenate([self.ends, more.ends + len(self.words)]),
            np.concatenate([self.givens, more.givens]),
            np.concatenate([self.keys, more.keys]),
            np.concatenate([self.key_ends, more.key_ends + len(self.keys)]),
            np.concatenate([self.country, more.country]),
            np.concatenate([self.year, more.year]),
            np.concatenate([self.booked, more.booked]),
        )


def spans(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every index of several ranges, one range after another."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    shift: NDArray[np.int64] = np.repeat(starts - (ends - lengths), lengths)
    return shift + np.arange(total)


def sums(values: NDArray[np.uint64], ends: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Sum of each run of values, wrapping around."""
    whole = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    result: NDArray[np.uint64] = whole[ends] - whole[starts]
    return result


def signatures(rows: Rows) -> NDArray[np.uint64]:
    """A 64-bit mark of each name: its words, their order, and which are given names."""
    lengths = np.diff(rows.ends, prepend=0)
    place = np.arange(len(rows.words)) - np.repeat(rows.ends - lengths, lengths)
    family = place >= np.repeat(rows.givens, lengths)
    mark = (rows.words.astype(np.uint64) * np.uint64(2) + family.astype(np.uint64) + np.uint64(1)) * MIX
    mark ^= mark >> np.uint64(29)
    mark = (mark + place.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9)) * np.uint64(0x94D049BB133111EB)
    return sums(mark ^ (mark >> np.uint64(32)), rows.ends)


@frozen(eq=False)
class Segment:
    """People sorted by name.

    Attributes:
        mark: Signature of each distinct name, ascending.
        first_record: Where each name's records begin, and the end of the last.
        first_word: Where each name's words begin, and the end of the last.
        words: As in ``Rows``, once a distinct name.
        givens: As in ``Rows``, once a distinct name.
        term: Numbers of the words that occur, particles excepted, ascending.
        first_posting: Where the names of each such word begin, and the end of the last.
        posting: Names in which each word occurs, ascending.
        keys: As in ``Rows``.
        first_key: Where each record's key begins, and the end of the last.
        country: As in ``Rows``.
        year: As in ``Rows``.
        booked: As in ``Rows``.
        key_mark: CRC-32 of each key, ascending.
        key_record: The record of each.
    """

    mark: NDArray[np.uint64]
    first_record: Int32
    first_word: Int32
    words: Int32
    givens: NDArray[np.uint8]
    term: Int32
    first_posting: Int32
    posting: Int32
    keys: NDArray[np.uint8]
    first_key: Int32
    country: NDArray[np.uint16]
    year: NDArray[np.int16]
    booked: Int32
    key_mark: NDArray[np.uint32]
    key_record: Int32

    @classmethod
    def of(cls, rows: Rows) -> Segment:
        """Sort, group and invert."""
        marks = signatures(rows)
        order = np.lexsort((-rows.booked.astype(np.int64), marks))
        marks = marks[order]
        fresh = np.flatnonzero(np.concatenate([[True], marks[1:] != marks[:-1]])) if len(order) else np.zeros(0, int)
        one_each = order[fresh]
        lengths = np.diff(rows.ends, prepend=0)
        starts = rows.ends - lengths
        words = rows.words[spans(starts[one_each], lengths[one_each])]
        first_word = np.concatenate([[0], np.cumsum(lengths[one_each])])
        name_of_word = np.repeat(np.arange(len(one_each)), lengths[one_each])
        telling = (words & PARTICLE) == 0
        pairs = np.unique(words[telling].astype(np.int64) << 32 | name_of_word[telling])
        terms, first_posting = np.unique(pairs >> 32, return_index=True)
        key_lengths = np.diff(rows.key_ends, prepend=0)
        keys = rows.keys[spans((rows.key_ends - key_lengths)[order], key_lengths[order])]
        first_key = np.concatenate([[0], np.cumsum(key_lengths[order])])
        raw = keys.tobytes()
        key_marks = np.fromiter((zlib.crc32(raw[a:b]) for a, b in pairwise(first_key.tolist())), np.uint32, len(order))
        by_key = np.argsort(key_marks, kind="stable")
        return cls(
            mark=marks[fresh],
            first_record=np.append(fresh, len(order)).astype(np.int32),
            first_word=first_word.astype(np.int32),
            words=words,
            givens=rows.givens[one_each],
            term=terms.astype(np.int32),
            first_posting=np.append(first_posting, len(pairs)).astype(np.int32),
            posting=(pairs & 0xFFFFFFFF).astype(np.int32),
            keys=keys,
            first_key=first_key.astype(np.int32),
            country=rows.country[order],
            year=rows.year[order],
            booked=rows.booked[order],
            key_mark=key_marks[by_key],
            key_record=by_key.astype(np.int32),
        )

    @property
    def records(self) -> int:
        """How many records, dead ones included."""
        return len(self.country)

    @property
    def names(self) -> int:
        """How many distinct names."""
        return len(self.mark)

    @property
    def nbytes(self) -> int:
        """Memory, in bytes."""
        return sum(array.nbytes for array in self.arrays().values())

    def arrays(self) -> Mapping[str, NDArray[np.generic]]:
        """The arrays by name, as they are stored."""
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(Segment)}

    @classmethod
    def stored(cls, blobs: Mapping[str, bytes]) -> Segment:
        """A segment from the bytes of its arrays."""
        return cls(**{name: np.frombuffer(blob, TYPES[name]) for name, blob in blobs.items()})

    def key(self, record: int) -> str:
        """The key of a record."""
        return self.keys[self.first_key[record] : self.first_key[record + 1]].tobytes().decode()

    def records_with(self, keys: Sequence[str]) -> Iterator[int]:
        """The records with these keys, dead ones included."""
        for key in keys:
            mark = np.uint32(zlib.crc32(key.encode()))
            low = int(np.searchsorted(self.key_mark, mark, "left"))
            high = int(np.searchsorted(self.key_mark, mark, "right"))
            for record in self.key_record[low:high].tolist():
                if self.key(record) == key:
                    yield record

    def rows(self, alive: NDArray[np.bool_]) -> Rows:
        """The living records, to be put into another segment."""
        name_of = np.repeat(np.arange(self.names), np.diff(self.first_record))
        kept = np.flatnonzero(alive)
        names = name_of[kept]
        lengths = np.diff(self.first_word).astype(np.int64)[names]
        key_lengths = np.diff(self.first_key).astype(np.int64)[kept]
        return Rows(
            words=self.words[spans(self.first_word[names].astype(np.int64), lengths)],
            ends=np.cumsum(lengths),
            givens=self.givens[names],
            keys=self.keys[spans(self.first_key[kept].astype(np.int64), key_lengths)],
            key_ends=np.cumsum(key_lengths),
            country=self.country[kept],
            year=self.year[kept],
            booked=self.booked[kept],
        )


WIDE = ("first_record", "first_word", "words", "term", "first_posting", "posting", "first_key", "booked", "key_record")
TYPES: dict[str, np.dtype[Any]] = {
    "mark": np.dtype(np.uint64),
    "givens": np.dtype(np.uint8),
    "keys": np.dtype(np.uint8),
    "country": np.dtype(np.uint16),
    "year": np.dtype(np.int16),
    "key_mark": np.dtype(np.uint32),
    **{name: np.dtype(np.int32) for name in WIDE},
}
