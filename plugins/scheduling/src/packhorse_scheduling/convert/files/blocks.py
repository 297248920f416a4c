"""The rotation plan in files: the sheets Blocks and Attendings of a workbook, and rows of the roster's document."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from packhorse_scheduling.convert.files.tables import text_of
from packhorse_scheduling.convert.rotations import attending_stays, unit_codes
from packhorse_scheduling.domain.plan import SOURCES, Plan, Stay, units_of
from packhorse_scheduling.errors import invalid

if TYPE_CHECKING:
    from packhorse_scheduling.domain.opened import Opened

BLOCKS, ATTENDINGS = "Blocks", "Attendings"
HEAD = ("Key", "Name", "PGY")
"""The first columns of the sheet Blocks; the units follow, each headed by its first day."""
COLUMNS = ("service", "first", "last", "name")
FIELDS = ("person_key", "first", "last", "rotation")
_NOBODY = "-"


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
    return tuple(_stay(f"rotation_plan.{n}", row if isinstance(row, dict) else {}) for n, row in enumerate(rows))


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
    for p, codes in unit_codes(opened):
        person = programme.people[p]
        rows.append([person.key, person.name, person.pgy, *codes])
    return [*HEAD, *units], rows


def attending_rows(opened: "Opened") -> list[list[str]]:
    """The sheet Attendings, a stay a row."""
    stays = attending_stays(opened, opened.programme.year.start, opened.programme.year.end)
    return [[stay[name] for name in COLUMNS] for stay in stays]


def plan_of_sheet(rows: Iterable[Sequence[Any]]) -> Plan:
    """The plan of a sheet Blocks: what stands in a cell holds from its column's day to the day before the next.

    Neighbours alike are one stay. The last column runs as long as the others.

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
        raise invalid("file", f"The sheet {BLOCKS}: after {HEAD[-1]} each column is headed by a date.") from exc
    if not days or any(one >= other for one, other in pairwise(days)):
        raise invalid("file", f"The sheet {BLOCKS}: the dates of its columns must rise.")
    ends = [*(day - timedelta(days=1) for day in days[1:]), date.max]
    found: list[Stay] = []
    for row in filled[1:]:
        before = ""
        for code, first, last in zip(row[len(HEAD) :], days, ends, strict=False):
            if code == before and code:
                found[-1] = Stay(row[0], found[-1].first, last, code, "manual")
            elif code and code != _NOBODY:
                if "/" in code:
                    raise invalid(
                        "file", f"The sheet {BLOCKS}, {row[0]}: write one rotation in the cell, not {code!r}."
                    )
                found.append(Stay(row[0], first, last, code, "manual"))
            before = code if code != _NOBODY else ""
    return tuple(found)
