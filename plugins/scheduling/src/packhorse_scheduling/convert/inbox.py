"""Requests as rows that a person can read."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from attrs import evolve

from packhorse_scheduling.convert import instant
from packhorse_scheduling.convert.briefly import page_of, page_words
from packhorse_scheduling.convert.changes import collisions, locks_under
from packhorse_scheduling.domain.change.exchange import Swap
from packhorse_scheduling.domain.change.reported import Effect
from packhorse_scheduling.domain.insight.wording import counted, listing, violation_words, warned
from packhorse_scheduling.domain.programme.actual import Actual
from packhorse_scheduling.domain.programme.calendar import SESSIONS, name_id
from packhorse_scheduling.domain.programme.records import LeaveRecord
from packhorse_scheduling.domain.programme.reports import ActualRecord
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation

MOST_TOLD = 5
"""Violations and half-days of one request told one by one."""
MOST_REQUESTS = 8
"""On a page."""


def request_from(opened: "Opened", request: "LeaveRecord | Swap | ActualRecord") -> dict[str, Any]:
    """One request: who, what, when, how it stands, and on whom it waits."""
    names = {person.key: person.name for person in opened.programme.people}
    if isinstance(request, Swap):
        blocks = opened.programme.year.block_at
        days = sorted((blocks[key].day, blocks[key].session) for key in request.blocks if key in blocks)
        waiting = request.missing if request.status == "requested" else ()
        found: dict[str, Any] = {
            "request_id": request.id,
            "kind": "swap",
            "status": request.status,
            "person_id": name_id("person", request.requester),
            "person_name": names.get(request.requester, request.requester),
            "other_name": names.get(request.target, request.target),
            "half_days": [f"{day} {session}" for day, session in days[:MOST_TOLD]],
            "asked_at": instant(request.created_at),
            "waiting_for": [names.get(key, key) for key in waiting]
            or (["a coordinator"] if request.status == "approved" else []),
        }
        why = None if request.ending is None else request.ending.why
    elif isinstance(request, ActualRecord):
        row = request.row
        found = {
            "request_id": request.id,
            "kind": "actual_hours",
            "status": request.state,
            "person_id": name_id("person", row.person),
            "person_name": names.get(row.person, row.person),
            "half_days": [f"{row.day} {row.session}"],
            "planned": _planned(opened, row),
            "worked": actual_words(opened, row),
            "asked_at": instant(request.steps[0].at),
            "waiting_for": ["a coordinator"] if request.state == "requested" else [],
        }
        why = request.steps[-1].why
    else:
        found = {
            "request_id": request.id,
            "kind": "leave",
            "status": request.state,
            "person_id": name_id("person", request.person),
            "person_name": names.get(request.person, request.person),
            "leave_kind": request.kind,
            "start_date": request.start.isoformat(),
            "end_date": request.end.isoformat(),
            "asked_at": instant(request.steps[0].at),
            "waiting_for": ["a coordinator"] if request.state == "requested" else [],
        }
        why = "; ".join(dict.fromkeys(step.why for step in request.steps if step.why))
    return found | ({"reason": why} if why else {})


def actual_words(opened: "Opened", row: "Actual") -> str:
    """What was done in a half-day, and at what times where they are its own."""
    name = next((one.name for one in opened.programme.services if one.code == row.service), row.service)
    if name is None:
        return "free"
    if row.hours is None:
        return name
    clock = (f"{minutes // 60:02}:{minutes % 60:02}" for minutes in (row.hours.start, row.hours.end))
    return f"{name} {'-'.join(clock)}"


def _planned(opened: "Opened", row: "Actual") -> str:
    found = [
        cell[3] for cell in opened.schedule.cells if cell[:3] == (row.person, row.day, SESSIONS.index(row.session))
    ]
    return actual_words(opened, evolve(row, service=next(iter(found), None), hours=None))


def actual_effect_from(after: "Opened", effect: "Effect") -> dict[str, Any]:
    """What taking reports of actual hours for true changes for the rules."""
    names = {person.key: person.name for person in after.programme.people}
    return {
        "collisions": 0,
        "new_violations": len(effect.added),
        "violations": [violation_words(after.kernel, one) for one in effect.added[:MOST_TOLD]],
        "settled_violations": len(effect.settled),
        "worsened": [violation_words(after.kernel, one) for one in effect.worsened[:MOST_TOLD]],
        "warnings": [violation_words(after.kernel, one) for one in effect.warned],
        "changes": [
            f"{names[row.person]}, {row.day} {row.session}: {actual_words(after, was)} to {actual_words(after, row)}"
            for was, row in effect.rows
        ],
    }


def given_back(
    opened: "Opened", before: "LeaveRecord", after: "LeaveRecord", today: date
) -> dict[str, str | int] | None:
    """Half-days of working days on which leave that ended has left its person with nothing to do; None without any."""
    if before.state != "approved":
        return None
    kernel = opened.kernel
    p = kernel.person_of[before.person]
    start = max(today, after.end + timedelta(days=1) if after.is_live else before.start, kernel.date_of(kernel.tail))
    days = range(kernel.day_of(start), min(kernel.day_of(before.end), kernel.D - 1) + 1)
    planned = opened.grid.max(axis=0) >= 0
    empty = [
        d
        for d in days
        for h in (0, 1)
        if opened.grid[p, d, h] < 0
        and not (kernel.weekend[d] or kernel.holiday[d])
        and planned[d, h]
        and not kernel.away[p, d]
    ]
    if not empty:
        return None
    first, last = kernel.date_of(empty[0]).isoformat(), kernel.date_of(empty[-1]).isoformat()
    return {"half_days": len(empty), "start_date": first, "end_date": last}


def given_back_words(name: str, empty: dict[str, str | int]) -> str:
    """The same in a sentence, with the next step."""
    days = f"start_date {empty['start_date']}, end_date {empty['end_date']}"
    return (
        f" {name} has nothing on {counted(int(empty['half_days']), 'half-day')} of working days from"
        f" {empty['start_date']} to {empty['end_date']}: generate_schedule with generation_mode PARTIAL, {days} fills"
        " what stands empty there."
    )


def requests_from(
    opened: "Opened", requests: "Sequence[LeaveRecord | Swap | ActualRecord]", page: int = 1
) -> dict[str, Any]:
    """The answer of list_requests: `MOST_REQUESTS` on a page, the count is of all."""
    shown, pages = page_of(requests, page, MOST_REQUESTS)
    return {"requests": [request_from(opened, one) for one in shown], "total": len(requests), **pages}


def request_words(row: dict[str, Any]) -> str:
    """One request in a line."""
    if row["kind"] == "actual_hours":
        what = f"worked {row['worked']} on {row['half_days'][0]}, planned was {row['planned']}"
    elif row["kind"] == "swap":
        what = f"swap with {row['other_name']}, {', '.join(row['half_days'])}"
    else:
        what = f"{row['leave_kind']} leave, {row['start_date']} to {row['end_date']}"
    waits = f"; waits for {' and '.join(row['waiting_for'])}" if row["waiting_for"] else ""
    return f"{row['person_name']}: {what} ({row['status']}{waits}) {row['request_id']}"


def requests_words(body: dict[str, Any]) -> str:
    """The list in words, a line each."""
    if not body["total"]:
        return "No request is open."
    head = f"{counted(body['total'], 'request')}: {page_words(body)}".strip()
    return "\n".join([head, *map(request_words, body["requests"])])


def leave_effect_from(after: "Opened", record: "LeaveRecord", broken: "Sequence[Violation]") -> dict[str, Any]:
    """What approving leave would do to the published roster."""
    return {
        "collisions": collisions(after, record),
        "new_violations": len(broken),
        "violations": [violation_words(after.kernel, one) for one in broken[:MOST_TOLD]],
        "overridden_locks": locks_under(after, record),
    }


def swap_effect_from(opened: "Opened", cells: "Sequence[tuple[int, int, int, int]]") -> dict[str, Any]:
    """What carrying a swap out would do."""
    kernel, programme = opened.kernel, opened.programme
    codes = [*(service.name for service in programme.services), "free"]
    told = [
        f"{programme.people[p].name}, {kernel.date_of(d)} {SESSIONS[h]}: {codes[opened.grid[p, d, h]]} to {codes[s]}"
        for p, d, h, s in cells
        if opened.grid[p, d, h] != s
    ]
    return {"collisions": 0, "new_violations": 0, "changes": told}


DECLINED = "Declining it changes nothing in the roster."


def effect_words(effect: dict[str, Any]) -> str:
    """An effect in a sentence or two."""
    if "settled_violations" in effect:
        words = f"As it was worked: {'; '.join(effect['changes'])}."
        if effect["new_violations"]:
            words += f" This breaks rules: {' '.join(effect['violations'][:3])}"
        if effect["worsened"]:
            words += f" It makes earlier violations worse: {' '.join(effect['worsened'][:3])}"
        if effect["settled_violations"]:
            words += f" It settles {counted(effect['settled_violations'], 'violation')}."
        return words + warned(effect["warnings"])
    if "changes" in effect:
        return f"It changes {counted(len(effect['changes']), 'half-day')}: {'; '.join(effect['changes'])}."
    locks = overridden_words(effect["overridden_locks"])
    if not effect["collisions"]:
        return f"It collides with nothing in the roster.{locks}"
    words = f"It collides with {counted(effect['collisions'], 'half-day')} of the roster"
    return f"{words} and adds {counted(effect['new_violations'], 'violation')}, which repair_schedule mends.{locks}"


def overridden_words(locks: "Sequence[str]") -> str:
    """Locks that give way to leave; nothing without one."""
    return f" It goes before {counted(len(locks), 'lock')}: {listing(locks)}." if locks else ""
