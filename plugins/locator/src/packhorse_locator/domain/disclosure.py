"""What a search may show to a caller without a role, so that a registry cannot be copied name by name.

The figures are measured: eight attacks of 120 calls on 3,000 invented people, and 2,000 honest queries beside them
(``benchmarks/locator_privacy.py``). Advocates, administrators and the local user see what the search found.
"""

from attrs import frozen

from packhorse_locator.domain.names.folding import words_of
from packhorse_locator.domain.people import MISSING_NAMES, Detainee

FLOOR = 0.05
"""Confidence below which no record is shown, whatever the threshold. A floor of .1 would cost honest queries more than
half a point of recall at threshold 0; at the default threshold no floor costs anything."""

EDGES = (0.8, 0.5, FLOOR)
"""Lower edges of the bands of confidence. A finer figure moves with the year of birth that was asked for, and gives it
away in a few calls."""


@frozen
class Reader:
    """What a caller may see. ``is_trusted``: an advocate, an administrator, or the user of this machine."""

    is_trusted: bool

    def least(self, threshold: float) -> float:
        """The threshold that holds for this reader: for most the next edge above, so that no finer one tells more."""
        if self.is_trusted:
            return threshold
        return min((edge for edge in EDGES if edge >= threshold), default=EDGES[0])

    def shown(self, confidence: float) -> float:
        """The confidence as it is shown: for most the lower edge of its band."""
        if self.is_trusted:
            return round(confidence, 4)
        return next((edge for edge in EDGES if confidence >= edge), 0.0)


def has_one_name(person: Detainee) -> bool:
    """Whether the record itself has a single name: a part of it is missing, or there is one word in all."""
    parts = (person.first, person.last)
    if any(not part.strip() or part.strip().upper() in MISSING_NAMES for part in parts):
        return True
    return len([word for word in words_of(person.name, family=True) if not word.particle]) == 1


def is_one_part(first: str, last: str) -> bool:
    """Whether a search has only a given name or only a surname: parts that are missing are empty here."""
    return not (first.strip() and last.strip())
