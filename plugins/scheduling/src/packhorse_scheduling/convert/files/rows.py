"""A roster as rows: one filled half-day each, as CSV and the JSON document have them."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from packhorse_scheduling.convert import assignments_from
from packhorse_scheduling.convert.files.blocks import plan_rows
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.roster.roster import Cell
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid

COLUMNS = (
    "date",
    "session",
    "person_key",
    "person_name",
    "person_role",
    "service_code",
    "service_name",
    "start",
    "end",
    "hours",
    "assignment_id",
)
"""Of roster.csv. Reading it back needs date, session, person_key and service_code; the others are for people."""
NEEDED = ("date", "session", "person_key", "service_code")
MOST_CELLS = 1_000_000


def roster_document(opened: "Opened") -> dict[str, Any]:
    """One version of a roster as a JSON document."""
    schedule = opened.schedule
    rows = assignments_from(opened)
    for row, (person, _, _, service) in zip(rows, schedule.cells, strict=True):
        row |= {"person_key": person, "service_code": service}
    return {
        "schedule_id": schedule.id,
        "version": schedule.version,
        "status": schedule.status,
        "assignments": rows,
        "rotation_plan": plan_rows(opened),
    }


def cells_of_document(document: Mapping[str, Any]) -> dict[Cell, str]:
    """The filled half-days of a roster document, each with its place there.

    Raises:
        UserError: a row is not what `packhorse_scheduling.convert.files.schema.roster_schema` says.
    """
    rows = document.get("assignments")
    if not isinstance(rows, list):
        raise invalid("file", "assignments must be a list.")
    names = {"date": "block_date", "session": "block_session"}
    return cells_from(
        (
            f"assignments, item {number}",
            {name: str(row.get(names.get(name, name), "")) for name in NEEDED} if isinstance(row, dict) else {},
        )
        for number, row in enumerate(rows, start=1)
    )


def rows_of(opened: "Opened") -> list[list[str]]:
    """The rows of roster.csv, without its head."""
    programme = opened.programme
    services = {service.code: service for service in programme.services}
    found = []
    for row, (person, day, half, code) in zip(assignments_from(opened), opened.schedule.cells, strict=True):
        span = services[code].span(half)
        times = ("", "") if span is None else (_clock(span.start), _clock(span.end))
        found.append(
            [
                day.isoformat(),
                SESSIONS[half],
                person,
                row["person_name"],
                row["person_role"],
                code,
                row["rotation_name"],
                *times,
                f"{row['hours']:g}",
                row["id"],
            ]
        )
    return found


def cells_from(records: Iterable[tuple[str, Mapping[str, str]]]) -> dict[Cell, str]:
    """Filled half-days of records that have the columns of `NEEDED`, and the place of each.

    Raises:
        UserError: one of them is no date, no session, is empty, or stands twice.
    """
    found: dict[Cell, str] = {}
    filled: set[tuple[str, date, int]] = set()
    for where, record in records:
        if len(found) == MOST_CELLS:
            raise invalid("file", f"{where}: these are more than {MOST_CELLS:,} half-days.")
        missing = [name for name in NEEDED if not record.get(name)]
        if missing:
            raise invalid("file", f"{where}: {missing[0]} is missing.")
        try:
            day = date.fromisoformat(record["date"])
        except ValueError as exc:
            raise invalid("file", f"{where}: {record['date'][:40]!r} must be a date such as 2026-07-01.") from exc
        if record["session"] not in SESSIONS:
            raise invalid("file", f"{where}: the session {record['session'][:40]!r} must be AM or PM.")
        key = (record["person_key"], day, SESSIONS.index(record["session"]))
        if key in filled:
            raise invalid("file", f"{where}: {key[0]} has two services on {day} {record['session']}.")
        filled.add(key)
        found[*key, record["service_code"]] = where
    return found


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
