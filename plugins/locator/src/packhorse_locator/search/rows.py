"""People as the registry knows them, turned into rows of word numbers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

import numpy as np

from packhorse_locator.domain.names.folding import fold_plainly, words_of
from packhorse_locator.search.query import Person
from packhorse_locator.search.segment import NEVER, PARTICLE, UNKNOWN_COUNTRY, UNKNOWN_YEAR, Rows

Numbering = Callable[[str], int]
"""Gives a text its number, a new one if need be."""


def rows_of(people: Iterable[Person], word_number: Numbering, country_number: Numbering) -> Rows:
    """Fold and number the people, one by one.

    Args:
        people: Any number; a key that comes twice is kept twice, so the caller sees to it that it does not.
        word_number: Number of a folded word.
        country_number: Number of a folded country, from 1.
    """
    words, ends, givens = array("i"), array("q"), array("B")
    keys, key_ends = bytearray(), array("q")
    countries, years, days = array("H"), array("h"), array("i")
    for person in people:
        given, family = words_of(person.given, family=False), words_of(person.family, family=True)
        for word in (*given, *family):
            words.append(word_number(word.text) | (PARTICLE if word.particle else 0))
        ends.append(len(words))
        givens.append(len(given))
        keys += person.key.encode()
        key_ends.append(len(keys))
        country = country_of(person.country)
        countries.append(country_number(country) if country else UNKNOWN_COUNTRY)
        years.append(person.birth_year or UNKNOWN_YEAR)
        days.append(person.booked.toordinal() if person.booked else NEVER)
    return Rows(
        np.array(words, np.int32),
        np.array(ends, np.int64),
        np.array(givens, np.uint8),
        np.frombuffer(bytes(keys), np.uint8),
        np.array(key_ends, np.int64),
        np.array(countries, np.uint16),
        np.array(years, np.int16),
        np.array(days, np.int32),
    )


def country_of(country: str | None) -> str:
    """A country as it is compared: plain lower case, empty when unknown."""
    return fold_plainly(country) if country else ""
