"""The ways in which a written name can be read: which words it has, and which of them are the surname."""

import re
from collections.abc import Callable, Iterator

from attrs import evolve, field, frozen

from packhorse_locator.domain.names.folding import HAN, HANGUL, Word, surname_parted, surname_read, words_of

MOST_WORDS = 9
"""Words of one name that are read; a tenth is dropped. The longest invented name of the bench has seven."""
MOST_READINGS = 8
SHORTEST_JOINED = 6
"""Letters of a word that may be two: shorter ones part by accident."""
GLUED = ("delos", "delas", "dela", "del", "das", "dos", "de", "da", "do", "di", "el", "al", "bin", "ben", "ibn", "abu")

Frequency = Callable[[str], int]
"""In how many names of the registry a word occurs."""


@frozen
class Reading:
    """One way to read the name.

    Attributes:
        given: Words of the given name; empty when the reading has none.
        family: Words of the surname.
        guessed: The writer did not say which words are the surname.
    """

    given: tuple[Word, ...]
    family: tuple[Word, ...]
    guessed: bool = False

    @property
    def telling(self) -> tuple[Word, ...]:
        """The words that must be accounted for: no particles."""
        return tuple(w for w in (*self.given, *self.family) if not w.particle)

    joined: tuple[str, str] = field(init=False)

    @joined.default
    def _join(self) -> tuple[str, str]:
        return "".join(w.text for w in self.given), "".join(w.text for w in self.family)


def readings_of(first: str, last: str, full: str, frequency: Frequency) -> tuple[Reading, ...]:
    """Every reading worth a search, the literal one first; none when no word is left.

    Args:
        first: Given names as written, may be empty.
        last: Surnames as written, may be empty.
        full: The whole name, used when both others are empty.
        frequency: In how many names a word occurs; words that occur in none may be joined or parted.
    """
    if sum(bool(part.strip()) for part in (first, last)) < 2:
        whole = first.strip() or last.strip() or full
        surname, comma, given_part = whole.partition(",")
        if comma and words_of(given_part, family=False):
            first, last = given_part, surname
    given, family = words_of(first, family=False), words_of(surname_read(last), family=True)
    if given and family:
        literal = [Reading(given[:MOST_WORDS], family[:MOST_WORDS])]
    else:
        whole = surname_parted(_unjoined(" ".join((first, last)).strip() or full, frequency))
        literal = parted(words_of(whole, family=True)[:MOST_WORDS])
    found = list(literal)
    for reading in literal[:3]:
        found.extend(respelled(reading, frequency))
    distinct = {(r.given, r.family): r for r in reversed(found) if r.telling}
    return tuple(reversed(distinct.values()))[:MOST_READINGS]


def _unjoined(text: str, frequency: Frequency) -> str:
    """A name that was written as one word: cut where a capital follows a small letter, else by the registry's words."""
    text = text.strip()
    if not text.isalpha() or HAN.search(text) or HANGUL.search(text):
        return text
    cut = re.sub(r"(?<=[^\W\d_A-Z])(?=[A-Z])", " ", text)
    if cut != text:
        return cut
    (word, *more) = words_of(text, family=True) or (None,)
    if word is None or more or len(word.text) < SHORTEST_JOINED or frequency(word.text):
        return text
    parts = halves(word, frequency)
    return " ".join(part.text for part in parts) if len(parts) > 1 else text


def parted(words: tuple[Word, ...]) -> list[Reading]:
    """A name of unknown order: the surname alone, then each place where the given name may end."""
    if not words:
        return []
    cuts = [n for n in range(1, len(words)) if not words[n - 1].particle]
    cuts.sort(key=lambda n: abs(2 * n - len(words)))
    tried = [Reading(words[:n], words[n:], guessed=True) for n in cuts[: MOST_READINGS - 2]]
    return [*tried, Reading((), words, guessed=True)]


def respelled(reading: Reading, frequency: Frequency) -> Iterator[Reading]:
    """The same name with words joined or parted so that they become words of the registry."""
    for respell in (joined, split):
        if given := respell(reading.given, frequency):
            yield evolve(reading, given=given)
        if family := respell(reading.family, frequency):
            yield evolve(reading, family=family)
    both = split(reading.given, frequency), split(reading.family, frequency)
    if both[0] and both[1]:
        yield evolve(reading, given=both[0], family=both[1])


def joined(words: tuple[Word, ...], frequency: Frequency) -> tuple[Word, ...] | None:
    """The words with the longest run joined that the registry knows as one word, or None."""
    for length in (3, 2):
        for start in range(len(words) - length + 1):
            run = words[start : start + length]
            text = "".join(w.text for w in run)
            if frequency(text):
                return (*words[:start], Word(text, native=run[0].native), *words[start + length :])
    return None


def split(words: tuple[Word, ...], frequency: Frequency) -> tuple[Word, ...] | None:
    """The words with each unknown long one parted into two known ones, or None."""
    fresh: list[Word] = []
    for word in words:
        fresh.extend(halves(word, frequency) if len(word.text) >= 6 and not frequency(word.text) else (word,))
    return tuple(fresh) if len(fresh) > len(words) else None


def halves(word: Word, frequency: Frequency) -> tuple[Word, ...]:
    """A particle and a known word, or the two known words of which the rarer one is the most frequent."""
    text = word.text
    for particle in GLUED:
        rest = text.removeprefix(particle)
        if rest != text and len(rest) >= 3:
            inner = (Word(rest),) if frequency(rest) else halves(Word(rest), frequency) if len(rest) >= 6 else ()
            if len(inner) > 1 or (inner and frequency(rest)):
                return (Word(particle, particle=True), *inner)
    cuts = [n for n in range(2, len(text) - 1) if frequency(text[:n]) and frequency(text[n:])]
    if not cuts:
        return (word,)
    best = max(cuts, key=lambda n: (min(n, len(text) - n) >= 3, min(frequency(text[:n]), frequency(text[n:]))))
    return (Word(text[:best], native=word.native), Word(text[best:], native=word.native))
