"""What two names do not share: words that contradict one another, and words that one side merely lacks.

A logit adds evidence up, so that three rare agreements outvote one contradiction: Sergey Viktorovich Lavrov is not
Sergey Ivanevich Lavrov. A word that faces another word therefore caps the confidence. It never moves the order: the
record may still be the one that is sought, and its reader can judge the word in a second. Whether the words stood in
the given name or in the surname does not matter, since a whole name is cut where the alignment likes it best.
"""

from collections.abc import Sequence

from attrs import frozen
from rapidfuzz.distance import Indel

from packhorse_locator.domain.names.agreement import Kind
from packhorse_locator.domain.names.evidence import Alignment, Question, RecordName

RUINED = 0.6
"""Indel similarity from which two words that face one another count as one word, ruined. Measured on 279 labelled pairs
and a made bench: at .5 and at .7 the false positives, or the people found, are worse."""

CONTRADICTED_MOST = 0.79
"""Confidence of a contradicted name at most: below the default threshold, beside a surname without a given name."""

PET_KINDS = frozenset({Kind.NICKNAME, Kind.ABBREVIATION})
"""Agreements by tables of given names, which prove nothing in a surname: Ronaldinho is not Ronaldo there."""


@frozen
class Contradictions:
    """The words of a query and of a record on which the two do not agree.

    Attributes:
        faced: Words of two letters or more that contradict one another, as (query's, record's).
        ruined: Words that face one another and may be one word, ruined.
        initials: Initials that face another word, as (query's, record's).
        pet_names: Words of the surname that agree only as a pet name or an abbreviation does.
        asked_left: Words of the query that nothing of the record faces.
        held_left: Words of the record that nothing of the query faces.
    """

    faced: tuple[tuple[str, str], ...]
    ruined: tuple[tuple[str, str], ...]
    initials: tuple[tuple[str, str], ...]
    pet_names: tuple[tuple[str, str], ...]
    asked_left: tuple[str, ...]
    held_left: tuple[str, ...]

    @property
    def cap_confidence(self) -> bool:
        """Whether the record has another name, as far as the words show."""
        return bool(self.faced or self.initials or self.pet_names)

    @property
    def lines(self) -> tuple[str, ...]:
        """Every word that is left over, with its verdict."""
        return (
            *(f"{asked} faces {held}" for asked, held in (*self.faced, *self.initials)),
            *(f"{asked}~{held}:perhaps one word" for asked, held in self.ruined),
            *(f"{asked}~{held}:a pet name in a surname" for asked, held in self.pet_names),
            *(f"{text}:not in the record" for text in self.asked_left),
            *(f"{text}:not in the query" for text in self.held_left),
        )


def contradictions_of(question: Question, record_name: RecordName, alignment: Alignment) -> Contradictions:
    """What is left over on both sides of an alignment, and what of it contradicts."""
    agreed_asked = {pair.asked for pair in alignment.pairs}
    agreed_held = {pair.held for pair in alignment.pairs}
    asked = [text for place, text in enumerate(question.texts) if place not in agreed_asked]
    held = [text for place, text in enumerate(record_name.texts) if place not in agreed_held]
    ruined = _matched([text for text in asked if len(text) > 1], [text for text in held if len(text) > 1])
    for one, other in ruined:
        asked.remove(one)
        held.remove(other)
    words = [text for text in asked if len(text) > 1], [text for text in held if len(text) > 1]
    faced = tuple(zip(*words, strict=False))
    for one, other in faced:
        asked.remove(one)
        held.remove(other)
    initials = tuple(zip(asked, held, strict=False))
    pets = tuple(
        (question.texts[pair.asked], record_name.texts[pair.held])
        for pair in alignment.pairs
        if pair.kind in PET_KINDS and pair.held >= record_name.givens and _in_surname(question, alignment, pair.asked)
    )
    return Contradictions(
        faced, tuple(ruined), initials, pets, tuple(asked[len(initials) :]), tuple(held[len(initials) :])
    )


def _matched(asked: Sequence[str], held: Sequence[str]) -> list[tuple[str, str]]:
    """Words that may be one, each word once, the most alike first."""
    scored = sorted(
        ((Indel.normalized_similarity(one, other), one, other) for one in asked for other in held), reverse=True
    )
    found: list[tuple[str, str]] = []
    for score, one, other in scored:
        if score >= RUINED and one not in [a for a, _ in found] and other not in [h for _, h in found]:
            found.append((one, other))
    return found


def _in_surname(question: Question, alignment: Alignment, place: int) -> bool:
    return question.reading.guessed or (place >= question.givens) != alignment.swapped
