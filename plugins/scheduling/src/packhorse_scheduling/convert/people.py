"""Who is who, and who is on duty now: small answers to begin with."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from packhorse_scheduling.domain.insight import duty
from packhorse_scheduling.domain.programme.calendar import DAY
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.rules.opened import Opened

ON_CALL_KINDS = ("call", "night_float")
MOST_OF_A_SERVICE = 4
"""People named of one service when it is not asked for by its name; ``count`` is of all."""


def person_row(person: "Person", *, with_id: bool) -> dict[str, Any]:
    """One person."""
    found: dict[str, Any] = {"name": person.name, "key": person.key, "role": person.role}
    if person.pgy is not None:
        found["pgy_level"] = person.pgy
    return {**found, "id": person.id} if with_id else found


def people_from(programme: "Programme", found: Sequence[int], today: date, *, with_id: bool) -> dict[str, Any]:
    """The people with these numbers, and since when who has gone for good; ids only where there are few."""
    rows = []
    for person in (programme.people[p] for p in found):
        gone = programme.gone_since(person.key, today)
        rows.append(person_row(person, with_id=with_id) | ({} if gone is None else {"gone_since": gone.isoformat()}))
    return {"people": rows, "total_people": len(programme.people)}


def people_words(body: Mapping[str, Any]) -> str:
    """The same in lines."""
    return "\n".join(
        f"{row['name']} ({row['key']}, {row['role']}"
        + (f" PGY-{row['pgy_level']}" if "pgy_level" in row else "")
        + (f", gone since {row['gone_since']})" if "gone_since" in row else ")")
        + (f" {row['id']}" if "id" in row else "")
        for row in body["people"]
    )


def page_from(opened: "Opened", today: date) -> dict[str, Any]:
    """The body of schedule://people: names and keys of everybody, by role and year, and what there is to do."""
    groups: dict[str, list[str]] = {}
    for person in opened.programme.people:
        group = person.role if person.pgy is None else f"{person.role} PGY-{person.pgy}"
        if opened.programme.gone_since(person.key, today) is not None:
            group = "gone"
        groups.setdefault(group, []).append(f"{person.name} ({person.key})")
    return {
        "schedule_id": opened.schedule.id,
        "version": opened.schedule.version,
        "days": {"start": opened.programme.year.start.isoformat(), "end": opened.programme.year.end.isoformat()},
        "people": dict(sorted(groups.items())),
        "services": {service.code: service.name for service in opened.programme.services},
        "note": "Tools take a name or the key in brackets wherever they ask for a person's id, and a date with AM or PM"
        " for a block's.",
    }


def on_duty_from(opened: "Opened", service: int | None, zone: str | None, *, at: datetime) -> dict[str, Any]:
    """Who is on duty at ``at`` by the clock of ``zone`` (UTC without one), on one service or all."""
    kernel, grid = opened.kernel, opened.grid
    here = at.astimezone(ZoneInfo(zone or "UTC"))
    day, minute = kernel.day_of(here.date()), here.hour * 60 + here.minute
    services, people = opened.programme.services, opened.programme.people
    wanted = [s for s in range(kernel.S) if service in (None, s)]
    there = {one.service: one for one in duty.now(kernel, grid, day, minute)}
    rows = []
    for s in wanted:
        one = there.get(s)
        on_call = services[s].kind in ON_CALL_KINDS
        if one is None and service is None and not on_call:
            continue
        row: dict[str, Any] = {"service": services[s].code, "name": services[s].name, "on_call": on_call}
        row["now"] = [] if one is None else _named(people, one.people, service is not None)
        if one is not None:
            row |= {"until": _clock(one.end), "count": len(one.people)}
        if one is None or service is not None:
            after = duty.following(kernel, grid, s, day, minute)
            if after is not None:
                row["next"] = _named(people, after.people, service is not None)
                row["next_from"] = f"{kernel.date_of(after.day)} {_clock(after.start)}"
        rows.append(row)
    return {"at": here.isoformat(timespec="minutes"), "time_zone": zone or "UTC", "services": rows}


def on_duty_words(body: Mapping[str, Any]) -> str:
    """The same in lines."""
    lines = [f"At {body['at'][:16].replace('T', ' ')} {body['time_zone']}:"]
    for row in body["services"]:
        more = row.get("count", 0) - len(row["now"])
        told = ", ".join(row["now"]) + (f" and {more} more" if more > 0 else "")
        words = f"{told} until {row['until']}" if row["now"] else "nobody now"
        if "next" in row:
            words += f"; next {', '.join(row['next'])} from {row['next_from']}"
        lines.append(f"{row['name']} ({row['service']}): {words}")
    return "\n".join(lines)


def _named(people: "Sequence[Person]", numbers: Sequence[int], every: bool) -> list[str]:
    ordered = sorted(numbers, key=lambda p: (people[p].role != "FACULTY", p))
    return [people[p].name for p in (ordered if every else ordered[:MOST_OF_A_SERVICE])]


def _clock(minutes: int) -> str:
    return "24:00" if minutes == DAY else f"{minutes // 60:02}:{minutes % 60:02}"
