"""The roster and its health as they are shown."""

from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from packhorse import Principal
from packhorse_scheduling.convert import MOST_TOLD, violation_from
from packhorse_scheduling.convert.health import health_from
from packhorse_scheduling.domain import outlook

if TYPE_CHECKING:
    from packhorse_scheduling.domain.opened import Opened
    from packhorse_scheduling.domain.people import Role

WEEK = 7
PLANNERS = frozenset({"COORDINATOR", "ADMIN"})


def window(opened: "Opened", day: date, days: int) -> tuple[int, int]:
    """The first and last day number to show from ``day`` on, within the programme."""
    kernel = opened.kernel
    first = min(max(kernel.day_of(day), kernel.tail), kernel.D - 1)
    return first, min(first + days, kernel.D) - 1


def closely(opened: "Opened", caller: Principal) -> Callable[[int | None], bool]:
    """Of whom this caller is shown leave and violations: a coordinator of everybody (None: the whole), others own."""
    people = opened.programme.people
    if caller.has_any(PLANNERS):
        return lambda p: True
    return lambda p: p is not None and caller.subject is not None and people[p].subject == caller.subject


def roster_from(
    opened: "Opened", first: int, last: int, *, role: "Role | None", may_see: Callable[[int | None], bool]
) -> dict[str, Any]:
    """The answer of show_roster, from day number ``first`` to ``last``.

    Of people whom the caller may not see closer, leave and violations are left out.
    """
    from packhorse_scheduling.domain.kernel import FREE

    kernel, grid, programme = opened.kernel, opened.grid, opened.programme
    codes = [service.code for service in programme.services]
    people = []
    for p, person in enumerate(programme.people):
        if role is not None and person.role != role:
            continue
        row: dict[str, Any] = {
            "person_id": person.id,
            "name": person.name,
            "role": person.role,
            "half_days": [
                None if (s := grid[p, d, h].item()) == FREE else codes[s]
                for d in range(first, last + 1)
                for h in (0, 1)
            ],
            "away": [may_see(p) and kernel.away[p, d].item() for d in range(first, last + 1)],
        }
        if person.pgy is not None:
            row["pgy_level"] = person.pgy
        people.append(row)
    shown = {row["person_id"] for row in people}
    told = []
    for violation in opened.violations():
        of = violation.person
        if violation.first > last or violation.last < first or not may_see(of):
            continue
        if of is not None and programme.people[of].id not in shown:
            continue
        full = violation_from(kernel, violation)
        kept = {key: full[key] for key in ("rule", "severity", "message", "date_range")}
        if of is not None:
            kept["affected_person_id"] = full["affected_person_id"]
        if "service" in full["details"]:
            kept["service"] = full["details"]["service"]
        told.append(kept)
    return {
        "schedule_id": opened.schedule.id,
        "version": opened.schedule.version,
        "status": opened.schedule.status,
        "time_period": {"start": kernel.date_of(first).isoformat(), "end": kernel.date_of(last).isoformat()},
        "days": [
            {"date": kernel.date_of(d).isoformat(), "off": bool(kernel.weekend[d] or kernel.holiday[d])}
            for d in range(first, last + 1)
        ],
        "services": [{"code": one.code, "name": one.name, "kind": one.kind} for one in programme.services],
        "people": people,
        "violations": told[:MOST_TOLD],
        "violation_count": len(told),
    }


def board_from(opened: "Opened", *, at: datetime) -> dict[str, Any]:
    """The body of resilience://health, and the same figures week by week."""
    kernel, grid = opened.kernel, opened.grid
    body = health_from(opened, at=at)
    days = outlook.ahead(kernel, kernel.day_of(at.date()))
    assert days is not None  # noqa: S101 - health_from has refused a schedule that has ended
    weeks = []
    for first in range(days[0], days[1] + 1, WEEK):
        last = min(first + WEEK - 1, days[1])
        weeks.append(
            {
                "start_date": kernel.date_of(first).isoformat(),
                "end_date": kernel.date_of(last).isoformat(),
                "utilization_rate": round(min(1.0, outlook.load(kernel, grid, first, last).rate), 4),
                "coverage_rate": round(outlook.coverage(kernel, grid, first, last), 4),
            }
        )
    return {**body, "weeks": weeks}
