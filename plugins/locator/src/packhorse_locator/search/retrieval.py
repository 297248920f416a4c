"""Which names of the registry are worth a close look."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from packhorse_locator.domain.names.readings import Reading
from packhorse_locator.search.expansion import Expansion, Switches
from packhorse_locator.search.segment import UNKNOWN_COUNTRY, UNKNOWN_YEAR, Segment, spans
from packhorse_locator.search.snapshot import Snapshot

Scores = NDArray[np.float32]
MOST_CANDIDATES = 160
"""Names that are compared word by word."""
MOST_TOUCHED = 20_000
"""Names for which length, initials and the asker's evidence are looked up."""
LENGTH_COST = 0.4
"""Taken off for each word by which a name is longer or shorter than the query."""
INITIAL_WORTH = 1.2
EVIDENCE_WORTH = 2.0
"""Log-odds of an equal country or year of birth against a different one, each way (recipe, section 9)."""


@frozen
class Circumstances:
    """What the asker knows beside the name.

    Attributes:
        country: Number of the country of birth, -1 for one that nobody in the registry has, None when unknown.
        birth_year: Year of birth, None when unknown.
    """

    country: int | None = None
    birth_year: int | None = None

    @property
    def known(self) -> bool:
        """Whether there is any."""
        return self.country is not None or self.birth_year is not None

    def worth(self, segment: Segment, records: NDArray[np.int64]) -> NDArray[np.float64]:
        """For and against each record, in log-odds; what either side does not know counts nothing."""
        total = np.zeros(len(records))
        if self.country is not None:
            held = segment.country[records]
            total += np.where(held == UNKNOWN_COUNTRY, 0, np.where(held == self.country, 1, -1)) * EVIDENCE_WORTH
        if self.birth_year is not None:
            years = segment.year[records]
            off = np.abs(years.astype(np.int32) - self.birth_year)
            total += np.where((years == UNKNOWN_YEAR) | (off == 1), 0, np.where(off == 0, 1, -1)) * EVIDENCE_WORTH
        return total


@frozen
class Candidate:
    """A name worth a close look.

    Attributes:
        mark: Its signature, the same in every part.
        places: Part and place of the name, wherever it occurs.
        score: Sum of what its words may be worth.
    """

    mark: int
    places: tuple[tuple[int, int], ...]
    score: float


@frozen
class Catch:
    """Candidates, best first, and how many names had anything in common with the query."""

    candidates: tuple[Candidate, ...]
    touched: int


def candidates_for(
    snapshot: Snapshot, readings: Sequence[Reading], switches: Switches, circumstances: Circumstances
) -> Catch:
    """The names with the most in common with any reading of the query."""
    best: dict[int, float] = {}
    places: dict[int, list[tuple[int, int]]] = {}
    touched = 0
    for number, part in enumerate(snapshot.parts):
        segment = part.segment
        whole = np.zeros(segment.names, np.float32)
        seen = np.zeros(0, np.int64)
        for reading in readings:
            expansions = [snapshot.expansion(w, switches) for w in reading.telling if len(w.text) > 1]
            scores = added(segment, expansions)
            names = np.flatnonzero(scores)
            if len(names) > MOST_TOUCHED:
                names = names[np.argpartition(scores[names], -MOST_TOUCHED)[-MOST_TOUCHED:]]
            refined = scores[names] + adjusted(snapshot, segment, names, reading, circumstances)
            whole[names] = np.maximum(whole[names], np.maximum(refined, 0.01))
            seen = np.union1d(seen, names) if len(seen) else names
        touched += len(seen)
        if len(seen) > MOST_CANDIDATES:
            seen = seen[np.argpartition(whole[seen], -MOST_CANDIDATES)[-MOST_CANDIDATES:]]
        for name in seen.tolist():
            if part.living < segment.records:
                first, last = segment.first_record[name], segment.first_record[name + 1]
                if not part.alive[first:last].any():
                    continue
            mark = int(segment.mark[name])
            best[mark] = max(best.get(mark, 0.0), float(whole[name]))
            places.setdefault(mark, []).append((number, name))
    order = sorted(best, key=lambda mark: (-best[mark], mark))[:MOST_CANDIDATES]
    return Catch(tuple(Candidate(mark, tuple(places[mark]), best[mark]) for mark in order), touched)


def added(segment: Segment, expansions: Sequence[Expansion]) -> Scores:
    """For each name, the worth of its best agreement with each word, added up."""
    total = np.zeros(segment.names, np.float32)
    for number, expansion in enumerate(expansions):
        if not len(expansion.numbers) or not len(segment.term):
            continue
        place = np.minimum(np.searchsorted(segment.term, expansion.numbers), len(segment.term) - 1)
        held = segment.term[place] == expansion.numbers
        starts = segment.first_posting[place[held]].astype(np.int64)
        lengths = segment.first_posting[place[held] + 1].astype(np.int64) - starts
        names = segment.posting[spans(starts, lengths)]
        worth = np.repeat(expansion.weights[held], lengths)
        if number == 0:
            total[names] = worth  # the best comes last and stays
        else:
            own = np.zeros(segment.names, np.float32)
            own[names] = worth
            total += own
    return total


def adjusted(
    snapshot: Snapshot, segment: Segment, names: NDArray[np.int64], reading: Reading, circumstances: Circumstances
) -> Scores:
    """What a name's length, its initials and the asker's circumstances add to its worth."""
    if not len(names):
        return np.zeros(0, np.float32)
    first = segment.first_word[names].astype(np.int64)
    lengths = segment.first_word[names + 1] - first
    worth = -LENGTH_COST * np.abs(lengths - len(reading.given) - len(reading.family)).astype(np.float64)
    initials = {w.text for w in reading.telling if len(w.text) == 1}
    if initials:
        letters = snapshot.vocabulary.letters.first
        numbers = segment.words[spans(first, lengths)] & ((1 << 30) - 1)
        begins = np.isin(letters[numbers], [ord(letter) - ord("a") for letter in sorted(initials)])
        worth += INITIAL_WORTH * np.logical_or.reduceat(begins, np.cumsum(lengths) - lengths)
    if circumstances.known:
        start = segment.first_record[names].astype(np.int64)
        counts = segment.first_record[names + 1] - start
        each = circumstances.worth(segment, spans(start, counts))
        worth += np.maximum.reduceat(each, np.cumsum(counts) - counts)
    result: Scores = worth.astype(np.float32)
    return result
