"""Evidence that a record has the name: which words agree, which contradict, and what is left over.

The features follow ``design/locator_recipe.md``, sections 3 and 4. Field 0 is the record's given name, 1 its surname.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import frozen
from rapidfuzz.distance import Indel

from packhorse_locator.domain.names.agreement import INITIAL_SIMILARITY, MANNERS, RESOLVED, Kind
from packhorse_locator.domain.names.readings import Reading

CROSSED = 0.06
"""Taken off an agreement between a given name and a surname, so that words pair within their field first."""
INITIAL_SURPRISE = 2.0
"""Surprise of a right initial: about one name in eight begins with a given letter, the frequent ones oftener."""
SIDES = ("given", "family")


class Like(Protocol):
    """How a word of the query agrees with one of the registry."""

    @property
    def kind(self) -> Kind: ...
    @property
    def similarity(self) -> float: ...
    @property
    def surprise(self) -> float: ...


@frozen
class RecordName:
    """A name of the registry, ready to be compared.

    Attributes:
        words: Numbers of its words without particles, given names first.
        texts: The same words as text.
        givens: How many of them are given names.
        joined: Given name and surname, each with particles and without spaces.
    """

    words: tuple[int, ...]
    texts: tuple[str, ...]
    givens: int
    joined: tuple[str, str]


@frozen
class Pair:
    """A word of the query (by place) that agrees with a word of the record (by place)."""

    asked: int
    held: int
    kind: Kind
    similarity: float
    surprise: float


@frozen
class Alignment:
    """The best pairing of a reading with a record.

    Attributes:
        pairs: Words that agree, each word once.
        swapped: The surname was written in the place of the given name.
        rough: What the agreements are worth, before the fitted weights.
    """

    pairs: tuple[Pair, ...]
    swapped: bool
    rough: float


@frozen
class Question:
    """A reading of the query with what each of its telling words may stand for.

    Attributes:
        reading: The reading.
        texts: Its words without particles, given names first.
        givens: How many of them are given names.
        likenesses: For each word, what it agrees with, by the registry word's number.
        native: For each word, whether it came from another alphabet.
        known: For each word, how much of a name it is itself: ln(1 + names of the registry that have it), counted for
            ten thousand names.
    """

    reading: Reading
    texts: tuple[str, ...]
    givens: int
    likenesses: tuple[Mapping[int, Like], ...]
    native: tuple[bool, ...]
    known: tuple[float, ...]


def agreements(question: Question, record_name: RecordName) -> list[Pair]:
    """Every agreement between a word of the query and a word of the record."""
    found = []
    for asked, (text, likenesses) in enumerate(zip(question.texts, question.likenesses, strict=True)):
        for held, number in enumerate(record_name.words):
            like = likenesses.get(number)
            if like is not None:
                found.append(Pair(asked, held, like.kind, like.similarity, like.surprise))
            elif text[0] == record_name.texts[held][0] and (len(text) == 1 or len(record_name.texts[held]) == 1):
                found.append(Pair(asked, held, Kind.INITIAL, INITIAL_SIMILARITY, INITIAL_SURPRISE))
    return found


def align(question: Question, record_name: RecordName) -> Alignment:
    """Pair the words greedily, best agreement first, in both orders of the fields; keep the better order."""
    found = agreements(question, record_name)
    straight = paired(found, question, record_name, swapped=False)
    if not found or not question.givens or question.givens == len(question.texts):
        return straight
    swapped = paired(found, question, record_name, swapped=True)
    return swapped if swapped.rough > straight.rough else straight


def paired(found: Sequence[Pair], question: Question, record_name: RecordName, *, swapped: bool) -> Alignment:
    """One greedy pairing; leftovers on the query's side cost more than on the record's."""

    def worth(pair: Pair) -> float:
        crossed = ((pair.asked < question.givens) == (pair.held < record_name.givens)) == swapped
        return pair.similarity - (CROSSED if crossed else 0.0)

    asked: set[int] = set()
    held: set[int] = set()
    kept = []
    rough = -0.5 if swapped and not question.reading.guessed else 0.0
    for pair in sorted(found, key=worth, reverse=True):
        if pair.asked in asked or pair.held in held:
            continue
        asked.add(pair.asked)
        held.add(pair.held)
        kept.append(pair)
        rough += worth(pair) * min(pair.surprise, 7.0)
    rough -= 2.0 * (len(question.texts) - len(asked)) + 0.6 * (len(record_name.words) - len(held))
    return Alignment(tuple(kept), swapped, rough)


@frozen
class Side:
    """What one field of the record says."""

    strength: float
    damage: float
    conflicts: int
    asked_left: int
    held_left: int
    first_missing: bool
    empty_handed: bool
    best: float
    alike: float
    initials: int
    known_look: float
    known_sound: float
    known_variant: float
    known_cut: float
    known_left: float


def resolved(question: Question, record_name: RecordName, alignment: Alignment) -> tuple[str, str]:
    """The query's fields without spaces, known variants and unvowelled native words in the record's spelling."""
    instead = {
        pair.asked: record_name.texts[pair.held]
        for pair in alignment.pairs
        if pair.kind in RESOLVED or (pair.kind is Kind.FOREIGN_SOUND and question.native[pair.asked])
    }
    if not instead:
        return question.reading.joined
    place, fields = 0, []
    for words in (question.reading.given, question.reading.family):
        parts = []
        for word in words:
            parts.append(word.text if word.particle else instead.get(place, word.text))
            place += not word.particle
        fields.append("".join(parts))
    return fields[0], fields[1]


def gendered(one: str, other: str) -> bool:
    """Whether two words differ only in the ending that tells men's names from women's: ``dario``, ``daria``."""
    if len(one) > len(other):
        one, other = other, one
    if len(one) < 3 or one == other:
        return False
    if len(other) == len(one) + 1:
        return other[:-1] == one and other[-1] == "a"
    return len(one) == len(other) and one[:-1] == other[:-1] and {one[-1], other[-1]} in ({"a", "o"}, {"a", "e"})


def known_instead(question: Question, pairs: Sequence[Pair], manner: str) -> float:
    """How much of a name the words of the query are that only resemble the record's, in one manner.

    A slip of the pen seldom makes another name: ``Jhon`` is nobody's, so it may be John; ``Dario`` is a name, so it is
    hardly Mario.
    """
    return sum(question.known[pair.asked] for pair in pairs if MANNERS.get(pair.kind) == manner)


def side_of(
    number: int, question: Question, record_name: RecordName, alignment: Alignment, ours: tuple[str, str]
) -> Side:
    """Gather one field: 0 the record's given name, 1 its surname; ``ours`` are the query's fields, resolved."""
    start, end = (0, record_name.givens) if number == 0 else (record_name.givens, len(record_name.words))
    asked_first = (number == 0) != alignment.swapped
    asked = range(question.givens) if asked_first else range(question.givens, len(question.texts))
    paired_asked = {pair.asked for pair in alignment.pairs}
    pairs = [pair for pair in alignment.pairs if start <= pair.held < end]
    whole = [pair for pair in pairs if pair.kind is not Kind.INITIAL]
    asked_open = sum(place not in paired_asked for place in asked)
    held_open = end - start - len(pairs)
    conflicts = min(asked_open, held_open)
    alike = Indel.normalized_similarity(ours[0 if asked_first else 1], record_name.joined[number])
    return Side(
        strength=sum(pair.similarity * min(pair.surprise, 8.0) for pair in whole),
        damage=sum(1.0 - pair.similarity for pair in whole),
        conflicts=conflicts,
        asked_left=asked_open - conflicts,
        held_left=held_open - conflicts,
        first_missing=end > start and all(pair.held != start for pair in pairs),
        empty_handed=not pairs and end > start and len(asked) > 0,
        best=max((pair.similarity for pair in whole), default=0.0),
        alike=alike,
        initials=len(pairs) - len(whole),
        known_look=known_instead(question, pairs, "look"),
        known_sound=known_instead(question, pairs, "sound"),
        known_variant=known_instead(question, pairs, "variant"),
        known_cut=known_instead(question, pairs, "cut"),
        known_left=sum(question.known[place] for place in asked if place not in paired_asked),
    )


SIDE_FEATURES = (
    "strength",
    "damage",
    "conflicts",
    "asked_left",
    "held_left",
    "first_missing",
    "empty_handed",
    "best",
    "alike",
    "known_look",
    "known_sound",
    "known_variant",
    "known_cut",
    "known_left",
)
FEATURES = (
    *(f"{name}_{side}" for side in SIDES for name in SIDE_FEATURES),
    "strength_least",
    "alike_least",
    "alike_whole",
    "best_product",
    "swapped",
    "initials",
    "given_by_initial",
    "damage_in_both",
    "weak_fields",
    "crossed",
    "surname_begins",
    "asked_words",
    "no_given",
    "all_exact",
    "one_named",
    "guessed",
    "gendered",
    "rough",
)
"""Names of the features, in the order of ``features_of``."""


def features_of(question: Question, record_name: RecordName, alignment: Alignment) -> list[float]:
    """The evidence as numbers, in the order of ``FEATURES``."""
    ours, theirs = resolved(question, record_name, alignment), record_name.joined
    given = side_of(0, question, record_name, alignment, ours)
    family = side_of(1, question, record_name, alignment, ours)
    if alignment.swapped:
        ours = ours[1], ours[0]
    no_given = not record_name.givens or not question.givens or question.givens == len(question.texts)
    least = family.strength * 0.5 if no_given else min(given.strength, family.strength)
    crossed = sum(
        ((pair.asked < question.givens) == (pair.held < record_name.givens)) == alignment.swapped
        for pair in alignment.pairs
    )
    values: list[float] = []
    for side in (given, family):
        values.extend(float(getattr(side, name)) for name in SIDE_FEATURES)
    values.extend(
        (
            least,
            family.alike if no_given else min(given.alike, family.alike),
            Indel.normalized_similarity("".join(ours), "".join(theirs)),
            given.best * family.best,
            float(alignment.swapped and not question.reading.guessed),
            float(given.initials + family.initials),
            float(given.initials > 0 and given.best == 0),
            float(given.damage > 0 and family.damage > 0),
            float((0 < given.best < 0.75) + (0 < family.best < 0.75)),
            float(crossed),
            float(len(ours[1]) >= 4 and ours[1] != theirs[1] and theirs[1].startswith(ours[1])),
            float(len(question.texts)),
            float(no_given),
            float(is_exact(question, record_name, alignment)),
            float(len(record_name.words) == 1),
            float(question.reading.guessed),
            float(
                any(
                    pair.held < record_name.givens
                    and gendered(question.texts[pair.asked], record_name.texts[pair.held])
                    for pair in alignment.pairs
                )
            ),
            alignment.rough,
        )
    )
    return values


def is_exact(question: Question, record_name: RecordName, alignment: Alignment) -> bool:
    """Whether every word of the query equals one of the record's and none is left on either side."""
    return len(alignment.pairs) == len(question.texts) == len(record_name.words) and all(
        pair.kind is Kind.EXACT for pair in alignment.pairs
    )
