"""Requests as rows that a person can read."""

from typing import TYPE_CHECKING, Any

from packhorse_scheduling.convert import instant
from packhorse_scheduling.domain.calendar import SESSIONS, name_id
from packhorse_scheduling.domain.exchange import Swap
from packhorse_scheduling.domain.wording import counted, violation_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from packhorse_scheduling.domain.opened import Opened
    from packhorse_scheduling.domain.records import LeaveRecord
    from packhorse_scheduling.domain.rules.rule import Violation

MOST_TOLD = 5
"""Violations and half-days of one request told one by one."""
MOST_REQUESTS = 100


def request_from(opened: "Opened", request: "LeaveRecord | Swap") -> dict[str, Any]:
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
        why = request.steps[-1].why
    return found | ({"reason": why} if why else {})


def requests_from(opened: "Opened", requests: "Sequence[LeaveRecord | Swap]") -> dict[str, Any]:
    """The answer of list_requests: `MOST_REQUESTS` at most, the count is of all."""
    return {"requests": [request_from(opened, one) for one in requests[:MOST_REQUESTS]], "total": len(requests)}


def request_words(row: dict[str, Any]) -> str:
    """One request in a line."""
    if row["kind"] == "swap":
        what = f"swap with {row['other_name']}, {', '.join(row['half_days'])}"
    else:
        what = f"{row['leave_kind']} leave, {row['start_date']} to {row['end_date']}"
    waits = f"; waits for {' and '.join(row['waiting_for'])}" if row["waiting_for"] else ""
    return f"{row['person_name']}: {what} ({row['status']}{waits}) {row['request_id']}"


def requests_words(body: dict[str, Any]) -> str:
    """The list in words, a line each."""
    if not body["total"]:
        return "No request is open."
    rows = body["requests"]
    more = body["total"] - len(rows)
    head = f"{counted(body['total'], 'request')}:"
    return "\n".join([head, *map(request_words, rows), *([f"And {more} more."] if more else [])])


def leave_effect_from(after: "Opened", collisions: int, broken: "Sequence[Violation]") -> dict[str, Any]:
    """What approving leave would do to the published roster."""
    return {
        "collisions": collisions,
        "new_violations": len(broken),
        "violations": [violation_words(after.kernel, one) for one in broken[:MOST_TOLD]],
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


def effect_words(effect: dict[str, Any]) -> str:
    """An effect in a sentence or two."""
    if "changes" in effect:
        return f"It changes {counted(len(effect['changes']), 'half-day')}: {'; '.join(effect['changes'])}."
    if not effect["collisions"]:
        return "It collides with nothing in the roster."
    words = f"It collides with {counted(effect['collisions'], 'half-day')} of the roster"
    return f"{words} and adds {counted(effect['new_violations'], 'violation')}, which repair_schedule mends."
