"""The rotation plan in files: the sheets Blocks and Attendings of a workbook, and rows of the roster's document."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import evolve

from packhorse_scheduling.convert.files.tables import text_of
from packhorse_scheduling.convert.rotations import attending_stays, runs, unit_codes
from packhorse_scheduling.domain.roster.arrays import Ints
from packhorse_scheduling.domain.roster.plan import SOURCES, Plan, Stay, units_of
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid

BLOCKS, ATTENDINGS = "Blocks", "Attendings"
HEAD = ("Key", "Name", "PGY")
"""The first columns of the sheet Blocks; the units follow, each headed by its first day."""
COLUMNS = ("service", "first", "last", "name")
FIELDS = ("person_key", "first", "last", "rotation")
_NOBODY = "-"
_WITHIN = re.compile(r"(\S+) (\d{4}-\d{2}-\d{2}) to (\d{4}-\d{2}-\d{2})")


def plan_rows(opened: "Opened") -> list[dict[str, str]]:
    """A version's rotation plan, a stay a row."""
    return [
        {
            "person_key": stay.person,
            "first": stay.first.isoformat(),
            "last": stay.last.isoformat(),
            "rotation": stay.rotation,
            "source": stay.source,
        }
        for stay in opened.schedule.plan
    ]


def plan_from(rows: Any) -> Plan:
    """The plan of a roster document's rows; of a document without any, none.

    Raises:
        UserError: a row lacks a field, has no such date, or an unknown source.
    """
    if rows is None:
        return ()
    if not isinstance(rows, list):
        raise invalid("file", "rotation_plan must be a list.")
    return tuple(
        _stay(f"rotation_plan, item {n}", row if isinstance(row, dict) else {}) for n, row in enumerate(rows, start=1)
    )


def _stay(where: str, row: Mapping[str, Any]) -> Stay:
    missing = [name for name in FIELDS if not isinstance(row.get(name), str) or not row[name]]
    if missing:
        raise invalid("file", f"{where}: {missing[0]} is missing.")
    source = row.get("source", "manual")
    if source not in SOURCES:
        raise invalid("file", f"{where}: source must be one of {', '.join(SOURCES)}.")
    try:
        return Stay(
            row["person_key"],
            date.fromisoformat(row["first"]),
            date.fromisoformat(row["last"]),
            row["rotation"],
            source,
        )
    except ValueError as exc:
        raise invalid("file", f"{where}: {exc}.") from exc


def block_rows(opened: "Opened") -> tuple[list[str | date], list[list[str | int | None]]]:
    """The sheet Blocks: its head, and a row a resident."""
    programme = opened.programme
    units = [programme.year.day(first) for first, _ in units_of(programme.year)]
    rows: list[list[str | int | None]] = []
    for p, _ in unit_codes(opened):
        person = programme.people[p]
        days = opened.kernel.rotation[p, opened.kernel.tail :]
        cells = [_cell_of(opened, days[first:end], first) for first, end in units_of(programme.year)]
        rows.append([person.key, person.name, person.pgy, *cells])
    return [*HEAD, *units], rows


def _cell_of(opened: "Opened", days: "Ints", first: int) -> str:
    """The rotation of most of the unit; after it what takes the person off it, each with its days."""
    programme = opened.programme
    if (days < 0).all():
        return _NOBODY
    own = int(np.bincount(days[days >= 0]).argmax())
    found = [programme.rotations[own].code]
    for low, high, k in runs(days):
        if k != own:
            code, start, end = (
                programme.rotations[k].code,
                programme.year.day(first + low),
                programme.year.day(first + high),
            )
            found.append(f"{code} {start} to {end}")
    return "; ".join(found)


def attending_rows(opened: "Opened") -> list[list[str]]:
    """The sheet Attendings, a stay a row."""
    stays = attending_stays(opened, opened.programme.year.start, opened.programme.year.end)
    return [[stay[name] for name in COLUMNS] for stay in stays]


def plan_of_sheet(rows: Iterable[Sequence[Any]]) -> Plan:
    """The plan of a sheet Blocks: what stands in a cell holds from its column's day to the day before the next.

    After a semicolon come days within the column on another rotation. Neighbours alike are one stay. The last column
    runs as long as the others.

    Raises:
        UserError: the head has other columns, or a column that is no date.
    """
    filled = [[text_of(value) for value in row] for row in rows]
    if not filled or filled[0][: len(HEAD)] != list(HEAD):
        raise invalid("file", f"The sheet {BLOCKS} must have {', '.join(HEAD)} in its first row.")
    head = [text for text in filled[0][len(HEAD) :] if text]
    try:
        days = [date.fromisoformat(text) for text in head]
    except ValueError as exc:
        raise invalid(
            "file", f"The sheet {BLOCKS}: each column after {HEAD[-1]} must have a date as its head."
        ) from exc
    if not days or any(one >= other for one, other in pairwise(days)):
        raise invalid("file", f"The sheet {BLOCKS}: the dates of its columns must be in order.")
    ends = [*(day - timedelta(days=1) for day in days[1:]), date.max]
    found: list[Stay] = []
    for row in filled[1:]:
        mine: list[Stay] = []
        within: list[Stay] = []
        for cell, first, last in zip(row[len(HEAD) :], days, ends, strict=False):
            code, *others = (text.strip() for text in cell.split(";"))
            if "/" in code:
                raise invalid("file", f"The sheet {BLOCKS}, {row[0]}: write one rotation in the cell, not {code!r}.")
            within += [_stay_in_cell(row[0], text) for text in others if text]
            if code in ("", _NOBODY):
                continue
            if mine and mine[-1].rotation == code and mine[-1].last == first - timedelta(days=1):
                mine[-1] = evolve(mine[-1], last=last)
            else:
                mine.append(Stay(row[0], first, last, code, "manual"))
        found += _laid_over(mine, within)
    return tuple(found)


def _stay_in_cell(person: str, text: str) -> Stay:
    """What stands after a cell's own rotation, such as NIGHT 2026-09-20 to 2026-09-26."""
    read = _WITHIN.fullmatch(text)
    try:
        if read is not None:
            return Stay(person, date.fromisoformat(read[2]), date.fromisoformat(read[3]), read[1], "manual")
    except ValueError:
        pass
    raise invalid(
        "file",
        f"The sheet {BLOCKS}, {person}: {text!r} is not understood. Write for example NIGHT 2026-09-20 to 2026-09-26.",
    )


def _laid_over(stays: list[Stay], within: list[Stay]) -> list[Stay]:
    """The stays with others over them: what lies below is cut, and what runs on over a column's edge is one."""
    one_day = timedelta(days=1)
    for over in within:
        left = []
        for stay in stays:
            if stay.first < over.first:
                left.append(evolve(stay, last=min(stay.last, over.first - one_day)))
            if stay.last > over.last:
                left.append(evolve(stay, first=max(stay.first, over.last + one_day)))
        stays = [*left, over]
    joined: list[Stay] = []
    for stay in sorted(stays, key=lambda stay: stay.first):
        before = joined[-1] if joined else None
        if before is not None and before.rotation == stay.rotation and before.last == stay.first - one_day:
            joined[-1] = evolve(before, last=stay.last)
        else:
            joined.append(stay)
    return joined
