"""From candidates to an ordered answer with confidences."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from packhorse_locator.domain.names.agreement import CHANNELS, Kind
from packhorse_locator.domain.names.confidence import SURNAME_ONLY_MOST, Model, shares
from packhorse_locator.domain.names.contradictions import CONTRADICTED_MOST, Contradictions, contradictions_of
from packhorse_locator.domain.names.evidence import Alignment, Question, RecordName, align, features_of, is_exact
from packhorse_locator.domain.names.readings import Reading
from packhorse_locator.search.query import Match
from packhorse_locator.search.retrieval import Candidate, Circumstances

if TYPE_CHECKING:
    from packhorse_locator.search.expansion import Switches
    from packhorse_locator.search.snapshot import Snapshot

MOST_WEIGHED = 40
"""Candidates for which all evidence is gathered: the best by rough worth."""
MOST_RIVALS = 20
"""Names among which the probability is shared out."""
RIVAL = 0.25
"""A second name with at least this share of the first one's confidence makes an answer ambiguous."""


@frozen
class Weighed:
    """A candidate with its evidence.

    Attributes:
        candidate: The candidate.
        record_name: Its words.
        question: The reading that fits it best.
        alignment: Which words agree.
        features: The evidence as numbers.
    """

    candidate: Candidate
    record_name: RecordName
    question: Question
    alignment: Alignment
    features: tuple[float, ...]

    @property
    def exact(self) -> bool:
        """Every word agrees exactly and none is left over."""
        return is_exact(self.question, self.record_name, self.alignment)

    @property
    def one_sided(self) -> bool:
        """No given name was asked for, and the record has one."""
        given = self.question.givens
        return (not given or given == len(self.question.texts)) and len(self.record_name.words) > 1


def questions_of(snapshot: Snapshot, readings: Sequence[Reading], switches: Switches) -> list[Question]:
    """Each reading with what its words may stand for."""
    questions = []
    for reading in readings:
        telling = reading.telling
        questions.append(
            Question(
                reading,
                tuple(w.text for w in telling),
                sum(not w.particle for w in reading.given),
                tuple(snapshot.expansion(w, switches).likenesses if len(w.text) > 1 else {} for w in telling),
                tuple(w.native for w in telling),
                tuple(snapshot.familiarity(w.text) for w in telling),
            )
        )
    return questions


def weigh(snapshot: Snapshot, candidates: Sequence[Candidate], questions: Sequence[Question]) -> list[Weighed]:
    """Align every candidate with the reading that fits it best, and gather the evidence of the best of them."""
    aligned = []
    for candidate in candidates:
        record_name = snapshot.record_name(*candidate.places[0])
        best = max(((align(q, record_name), q) for q in questions), key=lambda found: found[0].rough)
        if best[0].pairs:
            aligned.append((best[0], best[1], record_name, candidate))
    aligned.sort(key=lambda found: (-found[0].rough, found[3].mark))
    return [
        Weighed(candidate, record_name, question, alignment, tuple(features_of(question, record_name, alignment)))
        for alignment, question, record_name, candidate in aligned[:MOST_WEIGHED]
    ]


@frozen
class Ranked:
    """One record in its place.

    Attributes:
        match: What is answered.
        score: Log-odds with the asker's circumstances, unrounded.
        booked: Day of the booking as an ordinal, 0 when unknown.
    """

    match: Match
    score: float
    booked: int


def ranked(
    snapshot: Snapshot, weighed: Sequence[Weighed], model: Model, circumstances: Circumstances, limit: int
) -> tuple[list[Ranked], bool]:
    """Records best first, at most ``limit``, and whether the best cannot be told from others by the name.

    The name alone decides how likely it is that *anybody* here has it; circumstances only move that probability
    from one name to another.
    """
    scores = [model.score(w.features) for w in weighed]
    names = sorted(range(len(weighed)), key=lambda n: -scores[n])[:MOST_RIVALS]
    plain = shares([scores[n] for n in names])
    records = {n: records_named(snapshot, weighed[n], circumstances) for n in names}
    lift = [max((worth for worth, *_ in records[n]), default=0.0) for n in names]
    moved = shares_moved(plain, lift)
    found: list[Ranked] = []
    for place, confidence in zip(names, moved, strict=True):
        one = weighed[place]
        against = contradictions_of(one.question, one.record_name, one.alignment)
        most = 1.0
        if one.one_sided:
            most = SURNAME_ONLY_MOST
        if against.cap_confidence:
            most = min(most, CONTRADICTED_MOST)
        # The cap comes after the probability was shared out: a rival must not inherit what a contradiction costs.
        confidence = min(confidence, most)  # noqa: PLW2901 - the capped value is the confidence
        reasons = reasons_of(one, against)
        for worth, booked, key in records[place][:limit]:
            match = Match(key, confidence, one.exact, reasons, len(records[place]))
            found.append(Ranked(match, scores[place] + worth, booked))
    found.sort(key=lambda r: (-r.score, not r.match.exact, -r.booked, r.match.key))
    return found[:limit], ambiguous(found, moved)


def shares_moved(plain: Sequence[float], lift: Sequence[float]) -> list[float]:
    """The same total shared out again, each share lifted by its log-odds."""
    if not any(lift):
        return list(plain)
    top = max(lift)
    weights = [share * exp(worth - top) for share, worth in zip(plain, lift, strict=True)]
    total = sum(weights)
    return [sum(plain) * weight / total if total else 0.0 for weight in weights]


def ambiguous(found: Sequence[Ranked], confidences: Sequence[float]) -> bool:
    """Whether country and year of birth are worth asking for."""
    if not found:
        return False
    first = found[0]
    twins = [r for r in found[1:] if r.score > first.score - 1.0]
    rivals = sum(c >= RIVAL * first.match.confidence for c in confidences) > 1
    return bool(twins) or rivals


def records_named(snapshot: Snapshot, weighed: Weighed, circumstances: Circumstances) -> list[tuple[float, int, str]]:
    """The living records of a name: worth of the circumstances, day of booking, key; best first."""
    found: list[tuple[float, int, str]] = []
    for part_number, name in weighed.candidate.places:
        part = snapshot.parts[part_number]
        segment = part.segment
        records = np.arange(segment.first_record[name], segment.first_record[name + 1])
        records = records[part.alive[records]]
        worth = circumstances.worth(segment, records).tolist()
        found.extend(
            (value, int(segment.booked[record]), segment.key(record))
            for value, record in zip(worth, records.tolist(), strict=True)
        )
    return sorted(found, key=lambda row: (-row[0], -row[1], row[2]))


def reasons_of(weighed: Weighed, against: Contradictions) -> tuple[str, ...]:
    """What agreed, in the order of the query's words, and what is left over, with its verdict."""
    question, record_name, alignment = weighed.question, weighed.record_name, weighed.alignment
    lines = []
    for pair in sorted(alignment.pairs, key=lambda p: p.asked):
        kind = "initial" if pair.kind is Kind.INITIAL else CHANNELS[pair.kind]
        if kind == "variant":
            kind = pair.kind.name.lower()
        lines.append(f"{question.texts[pair.asked]}~{record_name.texts[pair.held]}:{kind}")
    lines.extend(against.lines)
    if alignment.swapped:
        lines.append("fields swapped")
    return tuple(lines)
