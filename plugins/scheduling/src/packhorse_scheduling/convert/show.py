"""The roster and its health as they are shown."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from packhorse import Principal
from packhorse_scheduling.convert import MOST_TOLD, finding_from, violation_from
from packhorse_scheduling.convert.briefly import duty_words
from packhorse_scheduling.convert.health import health_from
from packhorse_scheduling.domain.insight import outlook
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation

WEEK = 7
MOST_FINDINGS = 3
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
    opened: "Opened", first: int, last: int, *, people: Sequence[int], may_see: Callable[[int | None], bool]
) -> dict[str, Any]:
    """The answer of show_roster to a client that draws, from day number ``first`` to ``last``: the whole grid.

    Of people whom the caller may not see closer, leave and violations are left out.
    """
    kernel, grid, programme = opened.kernel, opened.grid, opened.programme
    codes = [service.code for service in programme.services]
    rows = []
    for p in people:
        person = programme.people[p]
        row: dict[str, Any] = {
            "person_id": person.id,
            **_named(person),
            "half_days": [
                None if (s := grid[p, d, h].item()) == FREE else codes[s]
                for d in range(first, last + 1)
                for h in (0, 1)
            ],
            "away": [may_see(p) and kernel.away[p, d].item() for d in range(first, last + 1)],
        }
        rows.append(row)
    told = []
    for violation in _visible(opened, first, last, people, may_see):
        full = violation_from(kernel, violation)
        kept = {key: full[key] for key in ("rule", "severity", "message", "date_range")}
        if violation.person is not None:
            kept["affected_person_id"] = full["affected_person_id"]
        if "service" in full["details"]:
            kept["service"] = full["details"]["service"]
        told.append(kept)
    return {
        **_head(opened, first, last),
        "days": [
            {"date": kernel.date_of(d).isoformat(), "off": bool(kernel.weekend[d] or kernel.holiday[d])}
            for d in range(first, last + 1)
        ],
        "services": [{"code": one.code, "name": one.name, "kind": one.kind} for one in programme.services],
        "people": rows,
        "violations": told[:MOST_TOLD],
        "violation_count": len(told),
    }


def roster_page(
    opened: "Opened",
    first: int,
    last: int,
    *,
    people: Sequence[int],
    shown: Sequence[int],
    may_see: Callable[[int | None], bool],
) -> dict[str, Any]:
    """The answer of show_roster in words: of ``people`` those ``shown``, a word a day, and the first violations."""
    kernel, programme = opened.kernel, opened.programme
    own, minutes = opened.grid[:, first : last + 1], kernel.minutes
    found = _visible(opened, first, last, people, may_see)
    return {
        **_head(opened, first, last),
        "days_off": [
            kernel.date_of(d).isoformat() for d in range(first, last + 1) if kernel.weekend[d] or kernel.holiday[d]
        ],
        "services": [{"code": one.code, "name": one.name} for one in programme.services],
        "people": [
            {
                **_named(programme.people[p]),
                "total_hours": float((minutes[own[p, :, 0], 0] + minutes[own[p, :, 1], 1]).sum() / 60),
                "duty": duty_words(opened, p, first, last, may_see(p)),
            }
            for p in shown
        ],
        "violations": [finding_from(kernel, one) for one in found[:MOST_FINDINGS]],
        "violation_count": len(found),
        "total_people": len(people),
    }


def duties_words(body: Mapping[str, Any]) -> str:
    """People's days in lines: a service's code a day, AM/PM where they differ."""
    return "\n".join(f"{row['name']} ({row['key']}, {row['total_hours']:g} h): {row['duty']}" for row in body["people"])


def _named(person: "Person") -> dict[str, Any]:
    found: dict[str, Any] = {"name": person.name, "key": person.key, "role": person.role}
    return found if person.pgy is None else {**found, "pgy_level": person.pgy}


def _head(opened: "Opened", first: int, last: int) -> dict[str, Any]:
    kernel, schedule = opened.kernel, opened.schedule
    return {
        "schedule_id": schedule.id,
        "version": schedule.version,
        "status": schedule.status,
        "time_period": {"start": kernel.date_of(first).isoformat(), "end": kernel.date_of(last).isoformat()},
    }


def _visible(
    opened: "Opened", first: int, last: int, people: Sequence[int], may_see: Callable[[int | None], bool]
) -> "list[Violation]":
    shown = {None, *people}
    return [
        one
        for one in opened.violations()
        if one.first <= last and one.last >= first and one.person in shown and may_see(one.person)
    ]


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
