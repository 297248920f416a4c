"""Fits the shipped confidence: ``python benchmarks/locator_fit.py OUT FOLDER...``.

Each folder holds ``records.csv`` and ``queries.csv`` as ``names_gen.py`` writes them; the shipped weights come from the
shared ``names_bench`` and from folders ``seed-101`` to ``seed-104``, made with ``--seed 101 --n 10000 --q 2000`` and so
on. To the labelled queries come altered ones of six forms that the bench has too few of: a given name cut to its
initial, no given name, everything in one field in either order, and a surname or given name more than the record has.
Without them the weights of those forms are accidents.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from attrs import evolve

from packhorse_locator.domain.names.confidence import Model
from packhorse_locator.search.benchmark import ABSENT_WEIGHT, RIDGE, Labelled, examined, people_from, queries_from
from packhorse_locator.search.fit import Case, fit
from packhorse_locator.search.fitted import CAP_BIAS, model_text
from packhorse_locator.search.index import NameIndex

SHARE_ALTERED = 20
"""One query in so many is altered in each of the ways."""
SEED = 7


def initial_only(one: Labelled) -> Labelled:
    """The given name cut to its first letter."""
    first = (one.query.first or "").strip()
    return evolve(one, error_class="altered_initial", query=evolve(one.query, first=f"{first[:1]}."))


def surname_only(one: Labelled) -> Labelled:
    """No given name."""
    return evolve(one, error_class="altered_surname", query=evolve(one.query, first=None))


def one_field(one: Labelled) -> Labelled:
    """Everything in one field, in the order of the form."""
    whole = f"{one.query.first or ''} {one.query.last or ''}".strip()
    return evolve(one, error_class="altered_field", query=evolve(one.query, first=None, last=None, full=whole))


def family_first(one: Labelled) -> Labelled:
    """Everything in one field, the surname first."""
    whole = f"{one.query.last or ''} {one.query.first or ''}".strip()
    return evolve(one, error_class="altered_order", query=evolve(one.query, first=None, last=None, full=whole))


def further_surname(one: Labelled, other: Labelled) -> Labelled:
    """One surname more than the record has."""
    last = f"{one.query.last or ''} {(other.query.last or '').split()[-1]}"
    return evolve(one, error_class="altered_more_surnames", query=evolve(one.query, last=last))


def further_given(one: Labelled, other: Labelled) -> Labelled:
    """One given name more than the record has."""
    first = f"{one.query.first or ''} {(other.query.first or '').split()[0]}"
    return evolve(one, error_class="altered_more_givens", query=evolve(one.query, first=first))


CUTS = (initial_only, surname_only, one_field, family_first)
GROWTHS = (further_surname, further_given)


def altered(asked: Sequence[Labelled]) -> Iterator[Labelled]:
    """A fixed random choice of the queries in each altered form."""
    full = [one for one in asked if (one.query.first or "").strip() and (one.query.last or "").strip()]
    draw = Random(SEED)
    for one in full:
        for cut in CUTS:
            if draw.randrange(SHARE_ALTERED) == 0:
                yield cut(one)
        for grow in GROWTHS:
            if draw.randrange(SHARE_ALTERED) == 0:
                yield grow(one, draw.choice(full))


def cases_from(folder: Path) -> list[Case]:
    """Every query of a folder and its altered forms, examined on an index of its records."""
    asked = list(queries_from(folder / "queries.csv"))
    with TemporaryDirectory() as place, NameIndex.open(Path(place)) as index:
        index.build(people_from(folder / "records.csv"), sequence=1)
        return [examined(index.snapshot, one).case for one in (*asked, *altered(asked))]


def train(folders: Sequence[Path], when: str) -> Model:
    """The confidence fitted on all folders together."""
    cases = [case for folder in folders for case in cases_from(folder)]
    rows = len(cases)
    names = ", ".join(folder.name for folder in folders)
    provenance = (
        f"conditional logit on {rows} labelled queries about invented persons ({names}), "
        f"a quarter of them altered, absent weighted {ABSENT_WEIGHT:g}, ridge {RIDGE * len(folders):g}; {when}"
    )
    fitted = fit(cases, provenance, ridge=RIDGE * len(folders))
    return evolve(fitted, bias=fitted.bias + CAP_BIAS)


if __name__ == "__main__":
    target, when, *places = sys.argv[1:]
    Path(target).write_text(model_text(train([Path(place) for place in places], when)), "utf-8")
