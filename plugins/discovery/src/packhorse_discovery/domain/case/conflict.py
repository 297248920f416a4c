"""A contradiction: what kind it is, where it stands, and both statements."""

import hashlib
from collections.abc import Mapping
from typing import Literal

from attrs import frozen

Kind = Literal[
    "value-differs", "unit-differs", "reading-differs", "type-mismatch", "precedence-cycle", "dangling-reference",
    "parts-exceed-whole", "no-capacity", "calendar-too-short", "due-too-early", "hours-overlap",
    "hours-too-long", "range-inverted", "required-unknown",
    "differs-between-schemas",
]  # fmt: skip
KINDS: Mapping[str, str] = {
    "value-differs": "Two answers give different values for one thing.",
    "unit-differs": "Two answers give one quantity in units that cannot be compared.",
    "reading-differs": "The assistant's structure and the words of the answer disagree.",
    "differs-between-schemas": "Two parts of the interview give different values for one thing.",
    "type-mismatch": "What is pursued does not fit the kind of problem that was answered.",
    "precedence-cycle": "Steps wait for one another in a circle.",
    "dangling-reference": "Something is referred to that nobody described.",
    "parts-exceed-whole": "The steps take longer than the whole is said to take.",
    "no-capacity": "A step needs a resource of which there is none.",
    "calendar-too-short": "A step takes longer than its resource ever works at a stretch.",
    "due-too-early": "Something is due before it can be finished.",
    "hours-overlap": "Two hours of one resource overlap.",
    "hours-too-long": "Hours are longer than a shift is.",
    "range-inverted": "A range ends below where it begins.",
    "required-unknown": "A value that every model needs is answered with: not known.",
}


@frozen
class Conflict:
    """A contradiction: its kind, the places, the statements in the interview's words, and a suggestion."""

    kind: Kind
    paths: tuple[str, ...]
    statements: tuple[str, ...]
    suggestion: str
    severity: Literal["error", "warning"] = "error"
    pursuit: str = ""

    @property
    def id(self) -> str:
        """The same for the same contradiction, however often it is found."""
        text = "|".join((self.kind, *sorted(self.paths), *self.statements))
        return "c-" + hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def sentence(self) -> str:
        """One sentence for a person."""
        return f"{KINDS[self.kind]} {' / '.join(self.statements)}"
