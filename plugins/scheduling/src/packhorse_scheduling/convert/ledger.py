"""The ledger as it is read: a page of a line a person, and the counts behind one assignment."""

import statistics
from collections.abc import Iterable
from typing import Any

from packhorse_scheduling.domain.insight.ledger import TURNS, Entry, Standing, balances
from packhorse_scheduling.domain.insight.ledger import counted as counts_of
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.domain.programme.figures import FigureKind
from packhorse_scheduling.domain.rules.opened import Opened

COLUMNS = "nights weekends holidays | the same carried from years before | half-days of sick call owed, paid"


def ledger_from(opened: "Opened", entries: "Iterable[Entry]") -> dict[str, Any]:
    """The body of analytics://ledger: a line a person, and the spread within each year of training."""
    rows = list(entries)
    kernel, programme = opened.kernel, opened.programme
    now = counts_of(kernel, opened.worked)
    sums = balances(rows, programme.year.start)
    people, classes = [], dict[str, list[int]]()
    for p, person in enumerate(programme.people):
        level = f"PGY-{person.pgy}" if person.pgy is not None else person.role
        classes.setdefault(level, []).append(p)
        mine = " ".join(str(now[kind].amounts[p]) for kind in TURNS)
        before = " ".join(f"{sums.get((person.key, kind), 0):+d}" for kind in TURNS)
        sick = " ".join(str(sums.get((person.key, kind), 0)) for kind in _SICK_CALLS)
        people.append(f"{person.name} ({level}): {mine} | {before} | {sick}")
    carrying = sum(any(sums.get((person.key, kind), 0) for kind in TURNS) for person in programme.people)
    return {
        "summary": (
            f"{counted(len(people), 'person', 'people')}, {programme.year.name};"
            f" {counted(carrying, 'person carries', 'people carry')} turns from years before."
        ),
        "version": opened.schedule.version,
        "columns": COLUMNS,
        "carried_means": "turns above (+) or below (-) an equal share; generation evens them out",
        "people": people,
        "spread": {level: _spreads(now, members) for level, members in sorted(classes.items())},
    }


_SICK_CALLS: "tuple[FigureKind, ...]" = ("sick_call_owed", "sick_call_paid")


def _spreads(now: "dict[FigureKind, Standing]", members: list[int]) -> dict[str, str]:
    found = {}
    for kind in TURNS:
        values = [now[kind].amounts[p] for p in members]
        found[f"{kind}s"] = f"{min(values)} to {max(values)}, SD {statistics.pstdev(values):.2f}"
    return found


def turns_of(opened: "Opened", p: int, slot: tuple[int, int], entries: "Iterable[Entry]") -> list[dict[str, Any]]:
    """The counts behind a night, or a half-day of a weekend or holiday: one's own, one's class's, everybody's."""
    kernel, people = opened.kernel, opened.programme.people
    d, h = slot
    kinds: list[FigureKind] = []
    if kernel.overnight[opened.grid[p, d, h]]:
        kinds.append("night")
    if kernel.weekend[d]:
        kinds.append("weekend")
    if kernel.holiday[d]:
        kinds.append("holiday")
    if not kinds:
        return []
    now, sums = counts_of(kernel, opened.worked), balances(entries, opened.programme.year.start)
    role = [q for q in range(kernel.P) if kernel.group[q] == kernel.group[p]]
    same = [q for q in role if people[q].pgy == people[p].pgy]
    found = []
    for kind in kinds:
        amounts = now[kind].amounts
        found.append(
            {
                "kind": kind,
                "this_year": amounts[p],
                "same_year_of_training": [min(amounts[q] for q in same), max(amounts[q] for q in same)],
                "role": [min(amounts[q] for q in role), max(amounts[q] for q in role)],
                "carried": sums.get((people[p].key, kind), 0),
            }
        )
    return found


def turn_words(opened: "Opened", p: int, row: dict[str, Any]) -> str:
    """The counts in a sentence."""
    person, kind = opened.programme.people[p], row["kind"]
    low, high = row["same_year_of_training"]
    words = f"{person.name} has {counted(row['this_year'], kind)} this year"
    words += f"; {f'PGY-{person.pgy}' if person.pgy is not None else 'the role'}: {low} to {high}"
    if person.pgy is not None:
        words += f", all of the role: {row['role'][0]} to {row['role'][1]}"
    if row["carried"]:
        words += f"; {counted(abs(row['carried']), kind)} {'above' if row['carried'] > 0 else 'below'} an equal share"
        words += " in the years before"
    return words + "."
