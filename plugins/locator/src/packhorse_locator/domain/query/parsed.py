"""What came of reading a sentence."""

from collections.abc import Mapping
from typing import Any, Literal

from attrs import frozen

SearchType = Literal["name", "alien_number", "facility", "facility_info"]
Failure = Literal["PARSE_FAILED", "AMBIGUOUS_QUERY", "CONFIDENCE_TOO_LOW"]
Reason = Literal[
    "signs", "digits", "nothing", "no facility", "no place", "numbers", "places", "people", "surname", "order",
    "where the name ends", "country", "birth", "other name", "facility name", "one word",
]  # fmt: skip
"""What is not sure; the words for it are the caller's."""


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
    """The one reading. ``left_out``: what was said and this search cannot take, such as a place beside a name."""

    best: Reading
    entities: tuple[Entity, ...]
    left_out: tuple[str, ...] = ()


@frozen
class NotParsed:
    """Why there is no reading, with the form as far as it is filled, or the searches between which to choose."""

    reason: Reason
    form: Reading | None = None
    alternatives: tuple[Reading, ...] = ()

    @property
    def code(self) -> Failure:
        """The specification's code: several meanings, nothing understood, or not surely understood."""
        if len(self.alternatives) > 1:
            return "AMBIGUOUS_QUERY"
        return "CONFIDENCE_TOO_LOW" if self.form is not None and self.form.parameters else "PARSE_FAILED"
