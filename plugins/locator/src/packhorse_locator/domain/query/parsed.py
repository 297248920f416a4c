"""What came of reading a sentence."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from attrs import frozen

from packhorse_locator.domain.facility_names import NameList

SearchType = Literal["name", "alien_number", "facility", "facility_info"]
Failure = Literal["PARSE_FAILED", "AMBIGUOUS_QUERY"]
Reason = Literal[
    "signs", "digits", "no words", "no facility", "town", "no place", "numbers", "places", "person or facility",
    "no name", "everybody", "people", "no parts", "order",
]  # fmt: skip
"""What stood in the way; the words for it are the caller's."""


@frozen
class Entity:
    """Something recognised, and where it stands; ``end`` is exclusive."""

    kind: str
    value: str
    confidence: float
    start: int
    end: int


@frozen
class Reading:
    """One way to read the sentence: a search and its arguments."""

    search_type: SearchType
    parameters: Mapping[str, Any]
    confidence: float


@frozen
class Parsed:
    """The best reading, others that are possible, and what was recognised."""

    best: Reading
    alternatives: tuple[Reading, ...]
    entities: tuple[Entity, ...]


@frozen
class NotParsed:
    """Why there is no reading, with what could be meant."""

    code: Failure
    reason: Reason
    alternatives: tuple[Reading, ...] = ()


@frozen(eq=False)
class Gazetteer:
    """The names that the registry knows.

    ``facilities`` are their names by key and ``titles`` a facility's
    name by key; ``where`` is its (city, state); ``in_use`` are keys of
    facilities that have people now. ``places`` are the (city, state) pairs
    that have a facility; ``words`` says how often words are given names and
    surnames.
    """

    facilities: NameList
    titles: Mapping[str, str]
    where: Mapping[str, tuple[str, str]]
    in_use: Collection[str]
    places: Sequence[tuple[str, str]]
    words: Callable[[Sequence[str]], Mapping[str, tuple[int, int]]]
