"""The bench: how often the right person is found, and whether the confidence keeps its word.

It reads ``records.csv`` and ``queries.csv`` as ``names_gen.py`` writes them. Every figure that depends on fitted
weights is given twice: for the weights that are shipped, and for weights fitted on the other folds of the very file
(whole cultures, then whole error classes left out), so that nothing is fitted and scored on the same rows.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from attrs import frozen

from packhorse_locator.domain.names.confidence import Model
from packhorse_locator.domain.names.evidence import FEATURES
from packhorse_locator.search.expansion import Switches
from packhorse_locator.search.fit import Case, fit
from packhorse_locator.search.fitted import shipped_model
from packhorse_locator.search.index import NameIndex, circumstances_of, examine
from packhorse_locator.search.query import NameQuery, Person
from packhorse_locator.search.ranking import Weighed, ranked
from packhorse_locator.search.snapshot import Snapshot

THRESHOLD = 0.8
FOLDS = 5
BINS = 10
ABSENT_WEIGHT = 2.0
"""Absent people count twice: a false hope weighs more than a second look."""
RIDGE = 5.0
"""Ridge for each two thousand queries: the least that kept whole error classes left out well calibrated."""


@frozen
class Labelled:
    """A row of ``queries.csv``.

    Attributes:
        error_class: How the name was damaged, or ``absent_...``.
        culture: Where the name comes from; empty for absent people.
        query: What is asked.
        accepted: Keys of the records with the right name; empty for absent people.
        compatible: Keys of the records that hold every word of the query.
    """

    error_class: str
    culture: str
    query: NameQuery
    accepted: frozenset[str]
    compatible: frozenset[str]


@frozen(eq=False)
class Examined:
    """A query with what the index found, before any confidence."""

    labelled: Labelled
    weighed: tuple[Weighed, ...]
    right: tuple[bool, ...]
    milliseconds: float

    @property
    def case(self) -> Case:
        """The query as something to fit on."""
        features = np.array([w.features for w in self.weighed]).reshape(len(self.weighed), len(FEATURES))
        present = bool(self.labelled.accepted)
        return Case(features, np.array(self.right, np.bool_), 1.0 if present else ABSENT_WEIGHT, present)


@frozen
class Figures:
    """How a set of queries fared.

    Attributes:
        present: Queries whose person is in the registry.
        absent: Queries whose person is not.
        recall_1: Share of the present whose name comes first.
        recall_5: Share of the present whose name is among the first five.
        true_positive: Share of the present whose name has at least the threshold.
        false_positive: Share of the absent whose best candidate has.
        calibration_error: Mean distance of confidence from truth over ten bins of the best candidate's confidence.
    """

    present: int
    absent: int
    recall_1: float | None
    recall_5: float | None
    true_positive: float | None
    false_positive: float | None
    calibration_error: float


@frozen
class BenchReport:
    """All figures of one run.

    Attributes:
        records: Records in the index.
        queries: Queries asked.
        shipped: The confidence that comes with the pack.
        by_culture: Fitted without the culture that is scored.
        by_class: Fitted without the error classes that are scored.
        classes: Each error class, scored by weights fitted without it.
        cultures: Each culture, scored by weights fitted without it.
        milliseconds: Processor time of a search with cold token cache: median, 95th and 99th percentile.
        build_seconds: Processor time of the build.
        bytes_a_record: Memory of the index for each record, vocabulary left out.
        model: Provenance of the shipped confidence.
    """

    records: int
    queries: int
    shipped: Figures
    by_culture: Figures
    by_class: Figures
    classes: dict[str, Figures]
    cultures: dict[str, Figures]
    milliseconds: tuple[float, float, float]
    build_seconds: float
    bytes_a_record: float
    model: str


def people_from(path: Path) -> Iterator[Person]:
    """The people of a ``records.csv``."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield Person(
                key=row["record_id"],
                given=f"{row['first_name']} {row['middle_name']}".strip(),
                family=row["last_name"],
                country=row["country_of_birth"] or None,
                birth_year=int(row["birth_year"]) if row["birth_year"] else None,
                booked=date.fromisoformat(row["booking_date"]) if row["booking_date"] else None,
            )


def queries_from(path: Path, *, circumstances: bool = False) -> Iterator[Labelled]:
    """The queries of a ``queries.csv``; country and year of birth only when asked for."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            known = circumstances and row["birth_year"]
            query = NameQuery(
                first=f"{row['first_name']} {row['middle_name']}".strip(),
                last=row["last_name"],
                country=row["country_of_birth"] if known else None,
                birth_year=int(row["birth_year"]) if known else None,
                threshold=0.0,
            )
            accepted = frozenset(filter(None, row["accept_ids"].split("|")))
            compatible = frozenset(filter(None, row["compatible_ids"].split("|")))
            yield Labelled(row["error_class"], row["culture"], query, accepted, compatible)


def examined(snapshot: Snapshot, labelled: Labelled) -> Examined:
    """Ask the index, with the words it remembers forgotten, and mark the right candidates."""
    snapshot.remembered.clear()
    started = process_time()
    weighed, _ = examine(snapshot, labelled.query, Switches(), circumstances_of(snapshot, labelled.query))
    spent = (process_time() - started) * 1e3
    right = tuple(bool(labelled.accepted & keys_of(snapshot, one)) for one in weighed) if labelled.accepted else ()
    return Examined(labelled, tuple(weighed), right or (False,) * len(weighed), spent)


def keys_of(snapshot: Snapshot, weighed: Weighed) -> set[str]:
    """Keys of the records with a candidate's name."""
    keys: set[str] = set()
    for part, name in weighed.candidate.places:
        segment = snapshot.parts[part].segment
        keys.update(segment.key(r) for r in range(segment.first_record[name], segment.first_record[name + 1]))
    return keys


@frozen
class Result:
    """What one query got under one model."""

    labelled: Labelled
    place: int | None
    confidence: float
    true_confidence: float
    top_right: bool


def result_of(snapshot: Snapshot, one: Examined, model: Model) -> Result:
    """Rank as a search does, and compare with the label."""
    circumstances = circumstances_of(snapshot, one.labelled.query)
    found, _ = ranked(snapshot, one.weighed, model, circumstances, 5)
    accepted = one.labelled.accepted
    place = next((n for n, r in enumerate(found) if r.match.key in accepted), None)
    return Result(
        one.labelled,
        place,
        found[0].match.confidence if found else 0.0,
        found[place].match.confidence if place is not None else 0.0,
        place == 0,
    )


def figures_of(results: Sequence[Result]) -> Figures:
    """Sum up."""
    present = [r for r in results if r.labelled.accepted]
    absent = [r for r in results if not r.labelled.accepted]

    def share(hits: Sequence[bool]) -> float | None:
        return sum(hits) / len(hits) if hits else None

    return Figures(
        len(present),
        len(absent),
        share([r.place == 0 for r in present]),
        share([r.place is not None for r in present]),
        share([r.true_confidence >= THRESHOLD for r in present]),
        share([r.confidence >= THRESHOLD for r in absent]),
        calibration_error([r.confidence for r in results], [r.top_right for r in results]),
    )


def calibration_error(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Expected calibration error over ``BINS`` equal bins (Naeini, Cooper and Hauskrecht 2015)."""
    if not confidences:
        return 0.0
    held, truth = np.array(confidences), np.array(right, float)
    bins = np.minimum((held * BINS).astype(int), BINS - 1)
    return float(sum(abs((held - truth)[bins == b].sum()) for b in range(BINS)) / len(held))


def folded(snapshot: Snapshot, cases: Sequence[Examined], group_of: Callable[[Examined], str]) -> list[Result]:
    """Score every query with weights fitted without its whole group, in ``FOLDS`` folds of similar size."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(cases):
        groups[group_of(one)].append(number)
    ordered = sorted(groups.values(), key=lambda members: (-len(members), members[0]))
    folds = [sorted(chain(*ordered[n::FOLDS])) for n in range(FOLDS)]
    results: dict[int, Result] = {}
    for fold in filter(None, folds):
        left_out = set(fold)
        model = fit([one.case for n, one in enumerate(cases) if n not in left_out], "fold", ridge=RIDGE)
        results.update((n, result_of(snapshot, cases[n], model)) for n in fold)
    return [results[n] for n in range(len(cases))]


def culture_of(snapshot: Snapshot, cultures: dict[str, str], one: Examined) -> str:
    """The query's culture; an absent person takes that of the best candidate."""
    if one.labelled.culture or not one.weighed:
        return one.labelled.culture
    return cultures[min(keys_of(snapshot, one.weighed[0]))]


def bench(folder: Path, *, records: int | None = None) -> BenchReport:
    """Build an index from a bench folder in a temporary place, ask every query, and report.

    Args:
        folder: Holds ``records.csv`` and ``queries.csv``.
        records: Use only so many records; the queries of the others are left out.

    Raises:
        FileNotFoundError: One of the files is not there.
    """
    people = list(people_from(folder / "records.csv"))[:records]
    with (folder / "records.csv").open(encoding="utf-8", newline="") as file:
        cultures = {row["record_id"]: row.get("culture", "") for row in csv.DictReader(file)}
    asked = list(queries_from(folder / "queries.csv"))
    if records is not None:
        held = {person.key for person in people}
        asked = [one for one in asked if not one.accepted or one.accepted & held]
    with TemporaryDirectory() as place, NameIndex.open(Path(place)) as index:
        started = process_time()
        index.build(people, sequence=1)
        built = process_time() - started
        snapshot = index.snapshot
        cases = [examined(snapshot, one) for one in asked]
        model = shipped_model()
        shipped = [result_of(snapshot, one, model) for one in cases]
        by_culture = folded(snapshot, cases, lambda one: culture_of(snapshot, cultures, one))
        by_class = folded(snapshot, cases, lambda one: one.labelled.error_class)
        stats = index.stats()
    spent = sorted(one.milliseconds for one in cases)
    return BenchReport(
        records=len(people),
        queries=len(cases),
        shipped=figures_of(shipped),
        by_culture=figures_of(by_culture),
        by_class=figures_of(by_class),
        classes=grouped(by_class, lambda labelled: labelled.error_class),
        cultures=grouped([r for r in by_culture if r.labelled.culture], lambda labelled: labelled.culture),
        milliseconds=(quantile(spent, 0.5), quantile(spent, 0.95), quantile(spent, 0.99)),
        build_seconds=round(built, 3),
        bytes_a_record=round(stats.record_bytes / max(1, stats.records), 1),
        model=stats.model,
    )


def grouped(results: Sequence[Result], group_of: Callable[[Labelled], str]) -> dict[str, Figures]:
    """Figures of each group, by name."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        groups[group_of(result.labelled)].append(result)
    return {name: figures_of(groups[name]) for name in sorted(groups)}


def quantile(ascending: Sequence[float], share: float) -> float:
    """The value below which this share lies."""
    return round(ascending[min(len(ascending) - 1, int(len(ascending) * share))], 2) if ascending else 0.0
