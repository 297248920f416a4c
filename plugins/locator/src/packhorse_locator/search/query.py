"""What is asked of the name index, and what it answers."""

from datetime import date

from attrs import field, frozen
from attrs.validators import ge, le


@frozen(kw_only=True)
class Person:
    """What the index must know of one record. It never holds an A-number, a birth date or a facility.

    Attributes:
        key: The source's own key of the record; adding the same key again replaces the record.
        given: Given and middle names as written, in any script; empty when unknown.
        family: Surname or surnames as written; empty when unknown.
        country: Country of birth in the source's words, or None.
        birth_year: Year of birth, or None.
        booked: Day of the latest booking, or None; newer bookings win ties.
    """

    key: str
    given: str
    family: str
    country: str | None = None
    birth_year: int | None = None
    booked: date | None = None


@frozen(kw_only=True)
class NameQuery:
    """A name as a stranger wrote it.

    Use ``first`` and ``last`` (either may be empty), or ``full`` when nobody knows which is which.

    Attributes:
        first: Given name or names; a middle name or initial is appended after a space.
        last: Surname or surnames.
        full: The whole name in any order, used only when ``first`` and ``last`` are empty; ``Surname, Given`` is
            understood.
        fuzzy: Allow misspellings, truncations, rule-made abbreviations and near strings.
        phonetic: Allow words that sound alike (consonant skeleton, Slavic, Arabic and Indic keys).
            A name in another script than the record's is found mostly through these.
        variants: Allow nicknames, abbreviations and romanisations from the tables.
        country: Country of birth, if known: it moves people up or down, and never hides one.
        birth_year: Year of birth, if known: as ``country``; one year off counts as unknown.
        limit: At most this many matches, 1 to 50.
        threshold: Least confidence of a match, 0 to 1.
    """

    first: str | None = None
    last: str | None = None
    full: str | None = None
    fuzzy: bool = True
    phonetic: bool = True
    variants: bool = True
    country: str | None = None
    birth_year: int | None = None
    limit: int = field(default=5, validator=[ge(1), le(50)])
    threshold: float = field(default=0.8, validator=[ge(0.0), le(1.0)])


@frozen
class Match:
    """One record that may have the searched name.

    Attributes:
        key: The record's key.
        confidence: Probability, 0 to 1, that this record has the searched name. It is *not* the
            probability that this is the person sought: each of several homonyms has the same one.
        exact: Every word of the query equals a word of the record and the other way round,
            apart from case, accents, punctuation and particles.
        reasons: What agreed, one entry a word, such as ``gonzales~gonzalez:sound``; then what did not.
        homonyms: How many live records, this one included, have exactly this record's name.
    """

    key: str
    confidence: float
    exact: bool
    reasons: tuple[str, ...]
    homonyms: int


@frozen
class SearchOutcome:
    """The answer to one query.

    Attributes:
        matches: Best first, at most ``limit``, none under ``threshold``. The order is total:
            score, exactness, newest booking, key.
        total_considered: How many records had enough in common with the query to be looked at.
        ambiguous: Several records cannot be told apart by the name: the best name has homonyms, or
            another name shares the probability. Ask for the country and the year of birth.
        channels: Names of the channels that were allowed: ``exact`` always, ``edit`` and ``prefix`` by ``fuzzy``,
            ``sound`` by ``phonetic``, ``variant`` by ``variants``.
    """

    matches: tuple[Match, ...]
    total_considered: int
    ambiguous: bool
    channels: tuple[str, ...]


@frozen
class IndexStats:
    """Size of the index.

    Attributes:
        records: Live records.
        names: Distinct normalised names, counted within each segment.
        vocabulary: Words ever seen, removed records' words included until the next build.
        segments: Parts that a search has to look through.
        removed: Dead records that wait for the next merge.
        record_bytes: Memory of everything that grows with the records.
        vocabulary_bytes: Memory of the vocabulary's arrays (its Python strings are not counted).
        sequence: The registry's change counter that the index has reached.
        model: Provenance of the confidence: what it was fitted on, and when.
    """

    records: int
    names: int
    vocabulary: int
    segments: int
    removed: int
    record_bytes: int
    vocabulary_bytes: int
    sequence: int
    model: str
