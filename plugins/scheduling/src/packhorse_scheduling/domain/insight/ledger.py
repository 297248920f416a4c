"""The ledger: nights, weekends, holidays and sick calls of each person, this year and carried from the years before.

What is carried is the difference from an equal share, not the whole: somebody
in their third year has worked more nights than a newcomer, and owes nothing
for it. An equal share is the mean of a person's role and year of training, in
proportion to the days they were there where they were away for long.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Literal

import numpy as np
from attrs import frozen

from packhorse_scheduling.domain.programme.figures import FigureKind
from packhorse_scheduling.domain.roster.arrays import Arrays, Grid
from packhorse_scheduling.domain.roster.duties import LONG_ABSENCE, Duties, duties

Source = Literal["file", "roster", "sick call"]
TURNS: "tuple[FigureKind, ...]" = ("night", "weekend", "holiday")
SICK = frozenset({"sick", "medical", "family_emergency", "bereavement", "emergency_leave"})
"""Kinds of leave that nobody plans: who takes over then has taken a sick call. Our choice."""
MOST_CARRIED: "Mapping[FigureKind, int]" = {"night": 6, "weekend": 4, "holiday": 2}
"""Turns that one year makes up for; what is left is carried on. Our choice."""


@frozen
class Entry:
    """A row of the ledger; ``expected`` is an equal share (None: the mean of such rows from a file)."""

    person: str
    kind: "FigureKind"
    amount: int
    until: date
    source: Source
    expected: float | None = None


@frozen
class Standing:
    """Of one kind, by person: this year's count, the class's mean, and what is carried, above (+) or below a share."""

    amounts: tuple[int, ...]
    expected: tuple[float, ...]
    carried: tuple[int, ...]


def counted(kernel: "Arrays", grid: "Grid") -> "dict[FigureKind, Standing]":
    """This year's nights, weekends and holidays, with nothing carried."""
    mine = duties(kernel, grid, 0, kernel.D - 1)
    found: dict[FigureKind, Standing] = {}
    for kind, counts in (("night", mine.nights), ("weekend", mine.weekends), ("holiday", mine.holidays)):
        amounts = tuple(int(n) for n in counts)
        found[kind] = Standing(amounts, _shares(kernel, amounts), (0,) * kernel.P)  # type: ignore[index]
    return found


def _shares(kernel: "Arrays", amounts: tuple[int, ...]) -> tuple[float, ...]:
    """The mean of each person's role and year of training, by days present where somebody was away for long."""
    people = kernel.programme.people
    away = kernel.away[:, kernel.tail :].sum(axis=1)
    there = np.where(away >= LONG_ABSENCE, 1 - away / (kernel.D - kernel.tail), 1.0)
    classes: dict[tuple[str, int | None], list[int]] = defaultdict(list)
    for p, person in enumerate(people):
        classes[person.role, person.pgy].append(p)
    found = [0.0] * kernel.P
    for members in classes.values():
        whole = float(there[members].sum())
        rate = sum(amounts[p] for p in members) / whole if whole else 0.0
        for p in members:
            found[p] = round(rate * float(there[p]), 2)
    return tuple(found)


def closed(kernel: "Arrays", grid: "Grid") -> list[Entry]:
    """The entries of a year that is over."""
    return [
        Entry(person.key, kind, one.amounts[p], kernel.programme.year.end, "roster", one.expected[p])
        for kind, one in counted(kernel, grid).items()
        for p, person in enumerate(kernel.programme.people)
    ]


def balances(entries: Iterable[Entry], before: date) -> "dict[tuple[str, FigureKind], int]":
    """By person and kind: turns above an equal share in all that lies before a day, rounded; of sick calls the sums."""
    rows = [one for one in entries if one.until < before or one.kind not in TURNS]
    means: dict[tuple[FigureKind, date], list[int]] = defaultdict(list)
    for one in rows:
        if one.source == "file":
            means[one.kind, one.until].append(one.amount)
    found: dict[tuple[str, FigureKind], float] = defaultdict(float)
    for one in rows:
        share = 0.0
        if one.kind in TURNS:
            mine = means[one.kind, one.until]
            share = sum(mine) / len(mine) if one.expected is None else one.expected
        found[one.person, one.kind] += one.amount - share
    return {key: round(value) for key, value in found.items()}


def carried(kernel: "Arrays", entries: Iterable[Entry]) -> Duties:
    """What everybody brings into the programme's year, as far as one year makes up for it."""
    sums = balances(entries, kernel.programme.year.start)
    columns = []
    for kind in TURNS:
        most = MOST_CARRIED[kind]
        row = [max(-most, min(most, sums.get((person.key, kind), 0))) for person in kernel.programme.people]
        columns.append(np.array(row, np.int32))
    return Duties(*columns)


def sick_calls(kernel: "Arrays", before: "Grid", after: "Grid", today: date) -> list[Entry]:
    """Half-days that others took over from people on unplanned leave, where a roster takes another's place.

    Who was to work owes one for each, and who does has paid one.
    """
    owed: dict[tuple[str, FigureKind], int] = defaultdict(int)
    people = kernel.programme.people
    sick = np.zeros((kernel.P, kernel.D), bool)
    for leave in kernel.programme.leaves:
        if leave.binds and leave.kind in SICK:
            low, high = kernel.day_of(leave.start), kernel.day_of(leave.end)
            sick[kernel.person_of[leave.person], max(low, 0) : high + 1] = True
    lost = (before >= 0) & (after < 0) & sick[:, :, None]
    for p, d, h in np.argwhere(lost).tolist():
        service = before[p, d, h]
        new = np.flatnonzero((after[:, d, h] == service) & (before[:, d, h] != service)).tolist()
        share = int((lost[:, d, h] & (before[:, d, h] == service)).sum())
        if len(new) >= share:  # fewer: it is not known whose half-day was left open
            owed[people[p].key, "sick_call_owed"] += 1
            mine = np.flatnonzero(lost[:, d, h] & (before[:, d, h] == service)).tolist().index(p)
            owed[people[new[mine]].key, "sick_call_paid"] += 1
    return [Entry(person, kind, n, today, "sick call") for (person, kind), n in sorted(owed.items())]
