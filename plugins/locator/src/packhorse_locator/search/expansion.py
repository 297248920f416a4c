"""Which words of the registry a word of the query may stand for: the channels."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import log

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from packhorse_locator.domain.names import agreement
from packhorse_locator.domain.names.agreement import CHANNELS, KIN, Kind
from packhorse_locator.domain.names.families import stems_of
from packhorse_locator.domain.names.folding import Word
from packhorse_locator.domain.names.keys import keys_of
from packhorse_locator.search.fitted import kin_of
from packhorse_locator.search.vocabulary import SOUNDS, Vocabulary

Counts = NDArray[np.int64]
MOST_WORDS = 160
"""Of the words that one word may stand for, the most similar are kept."""

FITTED_NAMES = 10_000
"""A smaller registry is taken for one of this size, on which the confidence was fitted: how rare a name is among
people does not depend on how few of them are listed."""


@frozen
class Likeness:
    """One word of the registry that a word of the query may stand for.

    Attributes:
        kind: How they agree.
        similarity: 0 to 1, see ``agreement``.
        surprise: Natural logarithm of how many names there are for each that has an agreement at least this good.
    """

    kind: Kind
    similarity: float
    surprise: float


@frozen
class Expansion:
    """What one word of the query may stand for.

    Attributes:
        text: The query's word.
        native: It came from another alphabet.
        likenesses: By the number of the registry's word.
        numbers: The same numbers, least similar first.
        weights: Similarity times surprise (kept between 1 and 7) of each.
    """

    text: str
    native: bool
    likenesses: dict[int, Likeness]
    numbers: NDArray[np.int32]
    weights: NDArray[np.float32]


@frozen
class Switches:
    """Which channels may be used."""

    fuzzy: bool = True
    phonetic: bool = True
    variants: bool = True

    def allow(self, kind: Kind) -> bool:
        """Whether agreements of this kind count."""
        match CHANNELS[kind]:
            case "edit" | "prefix":
                return self.fuzzy
            case "sound":
                return self.phonetic
            case "variant":
                return self.variants
        return True

    @property
    def names(self) -> tuple[str, ...]:
        """The channels that may be used, in a fixed order."""
        allowed = {CHANNELS[kind] for kind in Kind if self.allow(kind)}
        return tuple(name for name in ("exact", "edit", "prefix", "sound", "variant") if name in allowed)


def expand(word: Word, vocabulary: Vocabulary, counts: Counts, total: int, switches: Switches) -> Expansion:
    """Find what a word may stand for, and how surprising each agreement is in this registry.

    Args:
        word: A word of the query, at least two letters.
        vocabulary: The registry's words.
        counts: In how many names each of them occurs.
        total: How many names there are.
        switches: Channels that may be used.
    """
    best: dict[int, tuple[float, Kind]] = {}
    known = len(counts)

    def offer(number: int, kind: Kind, similarity: float) -> None:
        if similarity >= agreement.LEAST and number < known:
            held = best.get(number)
            if held is None or similarity > held[0]:
                best[number] = (similarity, kind)

    exact = vocabulary.numbers.get(word.text)
    if exact is not None:
        offer(exact, Kind.EXACT, 1.0)
    found: list[Iterable[tuple[int, Kind, float]]] = []
    if switches.variants:
        found.append(kindred(word.text, vocabulary))
    if switches.phonetic:
        found.append(sounding_like(word, vocabulary))
    if switches.fuzzy:
        found += [looking_like(word.text, vocabulary), shaped_like(word.text, vocabulary)]
        found.append(shortened(word.text, vocabulary))
    for likeness in chain(*found):
        offer(*likeness)
    if switches.fuzzy and switches.variants:
        for likeness in misspelt_nicknames(word.text, vocabulary, list(best.items())):
            offer(*likeness)
    return surprised(word, best, counts, total)


def surprised(word: Word, best: dict[int, tuple[float, Kind]], counts: Counts, total: int) -> Expansion:
    """Walk down the similarities, adding up the names that agree at least so well (recipe, section 3)."""
    numbers = [n for n in sorted(best, key=lambda n: (-best[n][0], n)) if counts[n]][:MOST_WORDS]
    likenesses: dict[int, Likeness] = {}
    seen, place = 0, 0
    while place < len(numbers):
        similarity = best[numbers[place]][0]
        tied = place
        while tied < len(numbers) and best[numbers[tied]][0] == similarity:
            seen += int(counts[numbers[tied]])
            tied += 1
        surprise = log((max(total, FITTED_NAMES) + 1) / (min(seen, total) + 0.5))
        for number in numbers[place:tied]:
            likenesses[number] = Likeness(best[number][1], similarity, max(surprise, 0.0))
        place = tied
    weights = [likenesses[n].similarity * min(max(likenesses[n].surprise, 1.0), 7.0) for n in reversed(numbers)]
    return Expansion(
        word.text,
        word.native,
        likenesses,
        np.array(numbers[::-1], np.int32),
        np.array(weights, np.float32),
    )


def standing_for(word: str) -> Iterable[tuple[str, Kind, float]]:
    """Words that the tables and the diminutive rule let stand for a word."""
    for other, how in kin_of(word).items():
        kind, similarity = KIN[how]
        yield other, kind, similarity
    for stem in stems_of(word):
        for end in ("", "a", "o", "e", "os", "es", "is"):
            yield stem + end, Kind.NICKNAME, agreement.DIMINUTIVE_SIMILARITY
        for base in kin_of(stem):
            yield base, Kind.NICKNAME, agreement.MISSPELT_NICKNAME
    if word[-1] in "aoe" and len(word) >= 4:
        for end in ("ito", "ita"):
            yield word[:-1] + end, Kind.NICKNAME, agreement.DIMINUTIVE_SIMILARITY


def kindred(word: str, vocabulary: Vocabulary) -> Iterable[tuple[int, Kind, float]]:
    """Words of the registry that the tables and the diminutive rule let stand for a word."""
    for text, kind, similarity in standing_for(word):
        number = vocabulary.numbers.get(text)
        if number is not None:
            yield number, kind, similarity


def sounding_like(word: Word, vocabulary: Vocabulary) -> Iterable[tuple[int, Kind, float]]:
    """Words that share a key of some kind."""
    from rapidfuzz.distance import JaroWinkler
    from rapidfuzz.process import cdist

    keys = keys_of(word.text)
    for system in SOUNDS:
        for key in getattr(keys, system):
            if not key or (len(key) == 1 and len(word.text) > 4 and not word.native):
                continue
            numbers = vocabulary.keyed_as(system, key)
            texts = [vocabulary.words[number] for number in numbers]
            alike = cdist([word.text], texts, scorer=JaroWinkler.similarity, dtype=np.float32)[0].tolist()
            for number, likeness in zip(numbers, alike, strict=True):
                if system == "sound":
                    yield number, Kind.SOUND, agreement.same_sound(len(key), likeness)
                else:
                    yield number, Kind.FOREIGN_SOUND, agreement.same_foreign_sound(len(key), likeness, word.native)


def looking_like(word: str, vocabulary: Vocabulary) -> Iterable[tuple[int, Kind, float]]:
    """Words at one or two edits, and such as merely look alike.

    A single edit changes at most two of the counted letters, two edits four: words whose letters differ by more are
    never compared. For edits this filter loses nothing; it plays the part of a table of one-letter deletions.
    """
    from rapidfuzz.distance import OSA, JaroWinkler
    from rapidfuzz.process import cdist

    size = len(word)
    if size < 3:
        return
    own = query_letters(word)
    letters = vocabulary.letters
    apart = np.abs(letters.length.astype(np.int16) - size)
    differing = np.bitwise_count(letters.once ^ own)
    most = 2 if size >= 6 else 1
    edited = (apart <= most) & (differing <= 2 * most)
    alike = (apart <= 3) & (differing <= max(4, size // 2)) & (letters.first == ord(word[0]) - ord("a"))
    picked = np.flatnonzero(edited | alike)
    if not len(picked):
        return
    texts = [vocabulary.words[n] for n in picked.tolist()]
    edits = cdist([word], texts, scorer=OSA.distance, score_cutoff=4, dtype=np.uint8)[0]
    winkler = cdist([word], texts, scorer=JaroWinkler.similarity, score_cutoff=0.84, dtype=np.float32)[0]
    for place in np.flatnonzero((edits <= most) | (winkler > 0)).tolist():
        number, text, edit = int(picked[place]), texts[place], int(edits[place])
        if edit == 1 and min(size, len(text)) >= 3:
            yield number, Kind.EDIT_ONE, agreement.one_edit(max(size, len(text)))
        elif edit == 2 and size >= 6:
            yield number, Kind.EDIT_TWO, agreement.two_edits(min(size, len(text)))
        elif edit and winkler[place] > 0:
            similarity = agreement.near(1 - edit / max(size, len(text)), float(winkler[place]))
            yield number, Kind.NEAR, similarity


def shaped_like(word: str, vocabulary: Vocabulary) -> Iterable[tuple[int, Kind, float]]:
    """Words that a scanner may have read as this one."""
    for key in keys_of(word).shape:
        for number in vocabulary.keyed_as("shape", key):
            yield number, Kind.SHAPE, agreement.same_shape(min(len(word), len(vocabulary.words[number])))


def query_letters(word: str) -> np.uint64:
    """The letter bits of one word, as ``Letters.once`` keeps them."""
    bits = 0
    for letter in set(word):
        place = ord(letter) - ord("a")
        bits |= 1 << place
        if word.count(letter) > 1:
            bits |= 1 << (place + 26)
    return np.uint64(bits)


def shortened(word: str, vocabulary: Vocabulary) -> Iterable[tuple[int, Kind, float]]:
    """Words that this one begins, or that begin it; pet forms cut short; abbreviations made by rule."""
    size = len(word)
    if size >= 3:
        for text in vocabulary.beginning_with(word):
            if len(text) > size:
                yield vocabulary.numbers[text], Kind.PREFIX, agreement.prefix(size)
        for cut in range(3, size):
            number = vocabulary.numbers.get(word[:cut])
            if number is not None:
                yield number, Kind.PREFIX, 0.70 if cut >= 4 else 0.62
    if 3 <= size <= 6 and word[-1] in "yi":
        stem = word[:-1].rstrip(word[-2]) + word[-2]
        if len(stem) >= 2:
            for text in vocabulary.beginning_with(stem):
                if len(text) > size:
                    yield vocabulary.numbers[text], Kind.SHORT_FORM, 0.64
    if 2 <= size <= 5:
        letters = vocabulary.letters
        own = query_letters(word) & np.uint64((1 << 26) - 1)
        fits = (
            (letters.first == ord(word[0]) - ord("a"))
            & (letters.last == ord(word[-1]) - ord("a"))
            & (letters.length >= size + 2)
            & ((letters.once & own) == own)
        )
        for number in np.flatnonzero(fits).tolist():
            if agreement.abbreviates(word, vocabulary.words[number]):
                yield number, Kind.ABBREVIATION, agreement.RULED_ABBREVIATION


def misspelt_nicknames(
    word: str, vocabulary: Vocabulary, best: list[tuple[int, tuple[float, Kind]]]
) -> Iterable[tuple[int, Kind, float]]:
    """Heads of nicknames that are one edit from the word, by way of nicknames that the registry itself holds."""
    if len(word) < 5:
        return
    for number, (_, kind) in best:
        if kind is Kind.EDIT_ONE:
            for text, how in kin_of(vocabulary.words[number]).items():
                found = vocabulary.numbers.get(text)
                if found is not None and how.value == "nickname":
                    yield found, Kind.NICKNAME, agreement.MISSPELT_NICKNAME
