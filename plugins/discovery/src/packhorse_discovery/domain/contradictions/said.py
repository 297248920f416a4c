"""An answer as it is held against others, and the conflict of two that do not agree."""

import re
from collections.abc import Sequence
from functools import lru_cache

from attrs import frozen

from packhorse_discovery.domain import counting
from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.conflict import Conflict
from packhorse_discovery.domain.markers import TAKES_BACK


@frozen
class Said:
    """An answer: the question it was given to, and its words."""

    question: str
    text: str


def standing(said: Sequence[Said]) -> list[Said]:
    """The answers that a later one has not taken back: "I told you three looms, and that's wrong"."""
    kept: list[Said] = []
    for one in said:
        if _takes_back(one.text):
            words = set(stems(one.text).split())
            kept = [other for other in kept if not _numbered(other.text) & words]
        kept.append(one)
    return kept


@lru_cache(maxsize=4096)
def _takes_back(text: str) -> bool:
    return TAKES_BACK.search(text) is not None


@lru_cache(maxsize=4096)
def _numbered(text: str) -> set[str]:
    """The stems of what ``text`` counts or times, in figures or words."""
    found = re.findall(rf"(?:\d+|{counting.CARDINAL})\s+((?:[a-z-]+\s*){{1,3}})|([a-z-]+ing)\b", text, re.IGNORECASE)
    return {word for pair in found for word in stems(" ".join(pair)).split() if len(word) > 2}


def conflict(path: str, before: Said, one: str, after: Said, other: str) -> Conflict:
    """Two statements about what stands at ``path``, the earlier first."""
    return Conflict(
        "value-differs",
        (path,),
        (f"{one.strip()} ({before.question or 'earlier'})", f"{other.strip()} ({after.question or 'now'})"),
        "Which holds? correct_answer changes what is established; resolve_conflict settles it.",
    )
