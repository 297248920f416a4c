"""The name index: people in, matches out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

from attrs import define, evolve, field

from packhorse_locator.domain.names.readings import readings_of
from packhorse_locator.search.expansion import Switches
from packhorse_locator.search.fitted import shipped_model
from packhorse_locator.search.query import IndexStats, NameQuery, Person, SearchOutcome
from packhorse_locator.search.ranking import Weighed, questions_of, ranked, weigh
from packhorse_locator.search.retrieval import Circumstances, candidates_for
from packhorse_locator.search.rows import country_of, rows_of
from packhorse_locator.search.segment import Segment
from packhorse_locator.search.snapshot import Part, Snapshot, all_alive, unpacked
from packhorse_locator.search.storage import Facts, Storage
from packhorse_locator.search.vocabulary import Chunk, Vocabulary

GROWTH = 3
"""A segment is merged with the one before it unless that one is at least so many times larger."""
MOST_DEAD = 1 / 3
"""A segment with a larger share of removed records is written again."""


@define(eq=False)
class NameIndex:
    """The names of a registry, searchable. One object serves any number of threads."""

    storage: Storage
    snapshot: Snapshot
    seen: int
    lock: RLock = field(factory=RLock)

    @classmethod
    def open(cls, folder: Path) -> NameIndex:
        """Open the index in a folder, or start an empty one there.

        Raises:
            IndexFileError: Another version of packhorse wrote it.
        """
        storage = Storage.open(folder)
        seen = storage.foreign_changes
        empty = Snapshot(Facts(), 0, Vocabulary(), ())
        index = cls(storage, empty, seen)
        with storage.reading():
            index.snapshot = loaded(storage, empty)
        return index

    def close(self) -> None:
        """Close the file; the index cannot be used afterwards."""
        self.storage.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def sequence(self) -> int:
        """The registry's change counter that the index has reached; 0 for a new one."""
        return self.refreshed().facts.sequence

    @property
    def data_version(self) -> str:
        """Changes with every change of the index, in any process: a part of the key of cached answers."""
        facts = self.refreshed().facts
        return f"{facts.epoch}.{facts.version}"

    def refreshed(self) -> Snapshot:
        """The newest snapshot, with what other processes have changed."""
        if self.storage.foreign_changes != self.seen:
            with self.lock, self.storage.reading():
                self.seen = self.storage.foreign_changes
                self.snapshot = loaded(self.storage, self.snapshot)
        return self.snapshot

    def build(self, people: Iterable[Person], *, sequence: int) -> None:
        """Replace everything by these people, in one step; searches see the old people until it is done.

        Args:
            people: Each key once.
            sequence: The registry's change counter that they stand for.
        """
        with self.lock:
            vocabulary = Vocabulary()
            countries: dict[str, int] = {}
            fresh: dict[str, int] = {}
            rows = rows_of(
                people,
                lambda word: fresh.setdefault(word, len(fresh)),
                lambda country: countries.setdefault(country, len(countries) + 1),
            )
            segment = Segment.of(rows)
            chunk = Chunk.of(list(fresh), 0)
            vocabulary.extend([chunk])
            with self.storage.writing():
                old = self.storage.facts()
                facts = Facts(old.epoch + 1, old.version + 1, sequence, old.next_segment + 1, tuple(countries))
                self.storage.clear()
                number = self.storage.append(chunk) if chunk.words else 0
                parts: tuple[Part, ...] = ()
                if segment.records:
                    self.storage.keep(old.next_segment, segment)
                    parts = (Part(old.next_segment, segment, all_alive(segment)),)
                self.storage.note(facts)
            self.snapshot = Snapshot(facts, number, vocabulary, parts)

    def add(self, people: Iterable[Person], *, sequence: int) -> None:
        """Add people, replacing those with the same key; the last one of a key counts. Visible to the next search."""
        self.change(people, (), sequence=sequence)

    def remove(self, keys: Iterable[str], *, sequence: int) -> None:
        """Remove records; keys that are not there are no error. Visible to the next search."""
        self.change((), keys, sequence=sequence)

    def change(self, people: Iterable[Person], removed: Iterable[str], *, sequence: int) -> None:
        """Add and remove in one step: after a kill either all of it has happened or nothing."""
        latest = {person.key: person for person in people}
        gone = [*latest, *removed]
        with self.lock:
            with self.storage.writing():
                base = self.snapshot = loaded(self.storage, self.snapshot)
                known, fresh = base.vocabulary.numbers, dict[str, int]()
                countries = {country: number for number, country in enumerate(base.facts.countries, 1)}
                rows = rows_of(
                    latest.values(),
                    lambda word: known[word] if word in known else fresh.setdefault(word, len(known) + len(fresh)),
                    lambda country: countries.setdefault(country, len(countries) + 1),
                )
                chunk = Chunk.of(list(fresh), len(known))
                number = self.storage.append(chunk) if fresh else base.chunk
                parts = [without(part, gone) for part in base.parts]
                next_segment = base.facts.next_segment
                if rows.count:
                    segment = Segment.of(rows)
                    parts.append(Part(next_segment, segment, all_alive(segment)))
                    next_segment += 1
                parts, next_segment = merged(parts, next_segment)
                self.rewrite(base.parts, parts)
                facts = evolve(
                    base.facts,
                    version=base.facts.version + 1,
                    sequence=sequence,
                    next_segment=next_segment,
                    countries=tuple(countries),
                )
                self.storage.note(facts)
            # Only now that it is on disk: words of a change that failed must not take numbers.
            base.vocabulary.extend([chunk])
            self.snapshot = Snapshot(facts, number, base.vocabulary, tuple(parts))

    def rewrite(self, old: Sequence[Part], new: Sequence[Part]) -> None:
        """Bring the file from the old parts to the new ones."""
        before = {part.number: part for part in old}
        after = {part.number for part in new}
        self.storage.drop([number for number in before if number not in after])
        for part in new:
            if part.number not in before:
                self.storage.keep(part.number, part.segment)
            if part.living < part.segment.records and before.get(part.number) is not part:
                self.storage.bury(part.number, ~part.alive)

    def search(self, query: NameQuery) -> SearchOutcome:
        """Every record that may have the name, best first, with calibrated confidence."""
        snapshot = self.refreshed()
        switches = Switches(query.fuzzy, query.phonetic, query.variants)
        circumstances = circumstances_of(snapshot, query)
        weighed, touched = examine(snapshot, query, switches, circumstances)
        model = shipped_model()
        found, unclear = ranked(snapshot, weighed, model, circumstances, query.limit)
        matches = tuple(r.match for r in found if r.match.confidence >= query.threshold)
        return SearchOutcome(matches, touched, bool(matches) and unclear, switches.names)

    def stats(self) -> IndexStats:
        """Size and provenance."""
        snapshot = self.refreshed()
        parts = snapshot.parts
        return IndexStats(
            records=sum(part.living for part in parts),
            names=snapshot.names,
            vocabulary=len(snapshot.vocabulary.words),
            segments=len(parts),
            removed=sum(part.segment.records - part.living for part in parts),
            record_bytes=sum(part.segment.nbytes + part.alive.nbytes for part in parts),
            vocabulary_bytes=snapshot.vocabulary.array_bytes,
            sequence=snapshot.facts.sequence,
            model=shipped_model().provenance,
        )


def without(part: Part, keys: Sequence[str]) -> Part:
    """A part with these records removed."""
    found = list(part.segment.records_with(keys))
    if not found or not part.alive[found].any():
        return part
    alive = part.alive.copy()
    alive[found] = False
    return Part(part.number, part.segment, alive)


def circumstances_of(snapshot: Snapshot, query: NameQuery) -> Circumstances:
    """What the asker knows beside the name, in the index's numbers."""
    country = country_of(query.country)
    countries = snapshot.facts.countries
    number = (countries.index(country) + 1 if country in countries else -1) if country else None
    return Circumstances(number, query.birth_year)


def examine(
    snapshot: Snapshot, query: NameQuery, switches: Switches, circumstances: Circumstances
) -> tuple[list[Weighed], int]:
    """The best candidates with their evidence, and how many names had anything in common with the query."""
    readings = readings_of(query.first or "", query.last or "", query.full or "", snapshot.frequency)
    if not readings:
        return [], 0
    catch = candidates_for(snapshot, readings, switches, circumstances)
    return weigh(snapshot, catch.candidates, questions_of(snapshot, readings, switches)), catch.touched


def loaded(storage: Storage, held: Snapshot) -> Snapshot:
    """The file's present state, reading only what the held snapshot lacks."""
    facts = storage.facts()
    if (facts.epoch, facts.version) == (held.facts.epoch, held.facts.version):
        return held
    same = facts.epoch == held.facts.epoch
    vocabulary, chunk = (held.vocabulary, held.chunk) if same else (Vocabulary(), 0)
    late = storage.chunks(chunk)
    vocabulary.extend([words for _, words in late])
    kept = {part.number: part.segment for part in held.parts} if same else {}
    graves = storage.graves()
    parts = []
    for number in storage.segment_numbers():
        segment = kept.get(number) or storage.segment(number)
        parts.append(Part(number, segment, unpacked(segment, graves.get(number))))
    return Snapshot(facts, late[-1][0] if late else chunk, vocabulary, tuple(parts))


def merged(parts: Sequence[Part], next_segment: int) -> tuple[list[Part], int]:
    """Parts of falling size: small neighbours joined, the dead left out. Returns them and the next free number."""
    kept = [part for part in parts if part.living]
    while kept:
        tail = len(kept) - 1
        thin = next((n for n, p in enumerate(kept) if p.living < (1 - MOST_DEAD) * p.segment.records), None)
        if tail and kept[tail - 1].living < GROWTH * kept[tail].living:
            chosen = slice(tail - 1, tail + 1)
        elif thin is not None:
            chosen = slice(thin, thin + 1)
        else:
            break
        rows = [part.segment.rows(part.alive) for part in kept[chosen]]
        segment = Segment.of(rows[0] if len(rows) == 1 else rows[0].joined(rows[1]))
        kept[chosen] = [Part(next_segment, segment, all_alive(segment))]
        next_segment += 1
    return kept, next_segment
