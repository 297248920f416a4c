"""An independent reading of the duty-hour rules, for tests alone.

Written from the wording of the Common Program Requirements (section 6) and
their FAQ, over plain tuples, in instants of time. It shares nothing with the
pack's kernel: no arrays, no rule objects, no constants.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from typing import Any


def duties_of(
    programme: Any, cells: Iterable[tuple[str, date, int, str]]
) -> dict[str, list[tuple[datetime, datetime, Any]]]:
    """Per resident: (begin, end, service), in order."""
    services = {service.code: service for service in programme.services}
    residents = {person.key for person in programme.people if person.role == "RESIDENT"}
    duties = defaultdict(list)
    for person, day, half, code in cells:
        if person in residents:
            span = services[code].pm if half else services[code].am
            midnight = datetime.combine(day, time())
            duties[person].append(
                (midnight + timedelta(minutes=span.start), midnight + timedelta(minutes=span.end), services[code])
            )
    return {person: sorted(rows, key=lambda row: row[0]) for person, rows in duties.items()}


def away_of(programme: Any) -> dict[str, set[date]]:
    """Days on which a person is on approved leave that takes them off the roster."""
    away = defaultdict(set)
    for leave in programme.leaves:
        if leave.blocking and leave.status == "approved":
            day = leave.start
            while day <= leave.end:
                away[leave.person].add(day)
                day += timedelta(days=1)
    return away


def breaches(programme: Any, cells: Iterable[tuple[str, date, int, str]]) -> list[str]:
    """Every breach of a duty-hour requirement, in words."""
    found = []
    away = away_of(programme)
    for person, duties in duties_of(programme, cells).items():
        found += _averages(programme, person, duties, away[person])
        found += _periods(person, duties)
    return found


def _averages(programme: Any, person: str, duties: Any, away: set[date]) -> list[str]:
    hours: Mapping[date, Fraction] = defaultdict(Fraction)
    touched = set()
    calls = set()
    for begin, end, service in duties:
        # No duty crosses midnight here: a half-day lies within one date.
        hours[begin.date()] += Fraction(int((end - begin).total_seconds()), 3600)
        touched.add(begin.date())
        if service.kind == "call" and begin.hour >= 12:
            calls.add(begin.date())
    found = []
    first = programme.year.start
    while first + timedelta(days=27) <= programme.year.end:
        days = [first + timedelta(days=n) for n in range(28)]
        counted = [day for day in days if day not in away]
        weeks = Fraction(len(counted), 7)
        if sum(hours[day] for day in days) > 80 * weeks:
            found.append(f"{person}: above 80 hours a week averaged from {first}")
        if sum(day not in touched for day in counted) < weeks:
            found.append(f"{person}: fewer than one day in seven free from {first}")
        if sum(day in calls for day in days) * 3 > len(counted):
            found.append(f"{person}: call more often than every third night from {first}")
        first += timedelta(days=1)
    return found


def _periods(person: str, duties: Any) -> list[str]:
    found = []
    period: list[Any] = []
    for duty in duties:
        if period and duty[0] - period[-1][1] > timedelta(hours=2):
            found += _one_period(person, period)
            if period[-1][1] - period[0][0] >= timedelta(hours=24) and duty[0] - period[-1][1] < timedelta(hours=14):
                found.append(f"{person}: less than 14 hours off after 24 in house, at {duty[0]}")
            period = []
        period.append(duty)
    return found + (_one_period(person, period) if period else [])


def _one_period(person: str, period: Any) -> list[str]:
    begin, end = period[0][0], period[-1][1]
    clinical = max((row[1] for row in period if not row[2].transition), default=begin)
    if end - begin > timedelta(hours=28) or clinical - begin > timedelta(hours=24):
        return [f"{person}: on duty without end from {begin} to {end}"]
    return []


def wanted_of(programme: Any) -> dict[Any, int]:
    """The least people asked for, by day, session, service and role."""
    holidays = programme.year.holidays
    wanted: dict[Any, int] = {}
    for demand in programme.demands:
        day = demand.start or programme.year.start
        while day <= (demand.end or programme.year.end):
            if day.weekday() in demand.weekdays and (demand.holidays or day not in holidays):
                for session in demand.sessions:
                    wanted[day, int(session == "PM"), demand.service, demand.role] = demand.minimum
            day += timedelta(days=1)
    return wanted


def missing_people(programme: Any, cells: Iterable[tuple[str, date, int, str]]) -> int:
    """How many people the minimum demands lack, summed over all half-days."""
    role = {person.key: person.role for person in programme.people}
    there: dict[Any, int] = defaultdict(int)
    for person, day, half, code in cells:
        there[day, half, code, role[person]] += 1
    return sum(max(0, least - there[at]) for at, least in wanted_of(programme).items())


def shortages(programme: Any, cells: Iterable[tuple[str, date, int, str]]) -> list[str]:
    """Half-days below a minimum demand, or with too few faculty for the residents there."""
    people = {person.key: person for person in programme.people}
    there = defaultdict(list)
    for person, day, half, code in cells:
        there[day, half, code].append(people[person])
    found = [
        f"{service} on {day}/{half}: too few {role}"
        for (day, half, service, role), least in wanted_of(programme).items()
        if sum(person.role == role for person in there[day, half, service]) < least
    ]
    supervised = {service.code for service in programme.services if service.supervised}
    for (day, half, code), present in there.items():
        units = sum({1: 2, 2: 1, 3: 1}.get(person.pgy, 0) for person in present)
        faculty = sum(person.role == "FACULTY" for person in present)
        if code in supervised and units > 4 * faculty:
            found.append(f"{code} on {day}/{half}: {units} units for {faculty} faculty")
    return found


def impossible_cells(programme: Any, cells: Iterable[tuple[str, date, int, str]]) -> list[str]:
    """Cells on leave, without a credential, of the wrong role, twice, or half a night."""
    people = {person.key: person for person in programme.people}
    services = {service.code: service for service in programme.services}
    away = away_of(programme)
    found, seen = [], {}
    for person, day, half, code in cells:
        who, service = people[person], services[code]
        if (person, day, half) in seen:
            found.append(f"{person} twice on {day}/{half}")
        seen[person, day, half] = code
        if day in away[person]:
            found.append(f"{person} on leave on {day}")
        if who.role not in service.roles or (who.pgy and who.pgy not in service.pgy):
            found.append(f"{person} on {code}")
        needed = service.credentials if who.role in service.credential_roles else ()
        if any(c not in who.credentials or (who.credentials[c] and who.credentials[c] < day) for c in needed):
            found.append(f"{person} on {code} on {day} without a credential")
    for (person, day, half), code in seen.items():
        if services[code].overnight:
            other = (person, day + timedelta(days=1), 0) if half else (person, day - timedelta(days=1), 1)
            if other[1] in programme.year and seen.get(other) != code:
                found.append(f"{person}: half a night on {day}")
    return found
