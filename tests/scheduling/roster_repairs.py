"""The fewest changes that an absence can cost, by a model of its own, for tests alone.

Written over the programme's own objects: no kernel, no rule objects. It leaves
out the rules on rest between two duties, so that its answer is a lower bound,
and the least number of changes where it is reached. Days far from the absence
may change as well, up to ``reach`` on either side.
"""

from collections import defaultdict
from datetime import date, timedelta
from typing import Any

from ortools.sat.python import cp_model

from cpr_checker import away_of, wanted_of

Cell = tuple[str, date, int, str]


def fewest_changes(
    programme: Any, cells: list[Cell], person: str, start: date, end: date, locked: set[str], reach: int = 4
) -> int:
    """Half-days that differ, besides the absent person's own on the days of the absence and its nights."""
    before = {(p, day, half): code for p, day, half, code in cells}
    days = _between(start - timedelta(days=reach), end + timedelta(days=reach))
    cp = cp_model.CpModel()
    x = _choices(cp, programme, before, days, locked)
    _one_place(cp, x)
    _nights(cp, programme, x, before, days)
    _demand(cp, programme, x, days)
    _supervision(cp, programme, x, days)
    _averages(cp, programme, x, before, days)
    gone = _gone(programme, before, person, start, end)
    costs: list[Any] = []
    for (p, day, half), options in x.items():
        if (p, day, half) in gone:
            continue
        code = before.get((p, day, half))
        if code is None:
            costs += list(options.values())
        elif code in options:
            costs.append(1 - options[code])
        else:
            costs.append(1)
    cp.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(cp)
    assert status == cp_model.OPTIMAL, solver.status_name(status)
    return round(solver.objective_value)


def _between(first: date, last: date) -> list[date]:
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def _gone(programme: Any, before: Any, person: str, start: date, end: date) -> set[Any]:
    nights = {service.code for service in programme.services if service.overnight}
    gone = {(person, day, half) for day in _between(start, end) for half in (0, 1)}
    for edge in ((person, start - timedelta(days=1), 1), (person, end + timedelta(days=1), 0)):
        if before.get(edge) in nights:
            gone.add(edge)
    return gone


def _choices(cp: Any, programme: Any, before: Any, days: list[date], locked: set[str]) -> Any:
    away, asked = away_of(programme), _most(programme)
    x: Any = {}
    for person in programme.people:
        for day in days:
            for half in (0, 1):
                options = {}
                for service in programme.services:
                    span = service.pm if half else service.am
                    needed = service.credentials if person.role in service.credential_roles else ()
                    held = all(
                        code in person.credentials and (person.credentials[code] or day) >= day for code in needed
                    )
                    fits = person.role in service.roles and (not person.pgy or person.pgy in service.pgy)
                    wanted = asked(day, half, service, person.role) > 0
                    if span and held and fits and wanted and day not in away[person.key]:
                        options[service.code] = cp.new_bool_var("")
                x[person.key, day, half] = options
                if person.key in locked:
                    for code, var in options.items():
                        cp.add(var == (before.get((person.key, day, half)) == code))
    return x


def _most(programme: Any) -> Any:
    limits: dict[Any, int] = {}
    for demand in programme.demands:
        day = demand.start or programme.year.start
        while day <= (demand.end or programme.year.end):
            if day.weekday() in demand.weekdays and (demand.holidays or day not in programme.year.holidays):
                for session in demand.sessions:
                    limits[day, int(session == "PM"), demand.service, demand.role] = demand.maximum
            day += timedelta(days=1)
    asked = {(demand.service, demand.role) for demand in programme.demands}

    def most(day: date, half: int, service: Any, role: str) -> int:
        if (service.code, role) in asked:
            return limits.get((day, half, service.code, role), 0)
        working = day.weekday() < 5 and day not in programme.year.holidays
        return 999 if service.kind not in ("education", "admin") or working else 0

    return most


def _one_place(cp: Any, x: Any) -> None:
    for options in x.values():
        cp.add_at_most_one(options.values())


def _nights(cp: Any, programme: Any, x: Any, before: Any, days: list[date]) -> None:
    for person in programme.people:
        for service in (service for service in programme.services if service.overnight):
            code = service.code
            for day in [days[0] - timedelta(days=1), *days]:
                evening, morning = (person.key, day, 1), (person.key, day + timedelta(days=1), 0)
                sides = [x[at].get(code, 0) if at in x else int(before.get(at) == code) for at in (evening, morning)]
                cp.add(sides[0] == sides[1]) if any(not isinstance(side, int) for side in sides) else None


def _demand(cp: Any, programme: Any, x: Any, days: list[date]) -> None:
    most, least = _most(programme), wanted_of(programme)
    for role in {person.role for person in programme.people}:
        members = [person.key for person in programme.people if person.role == role]
        for service in programme.services:
            for day in days:
                for half in (0, 1):
                    there = [x[p, day, half][service.code] for p in members if service.code in x[p, day, half]]
                    if there:
                        cp.add(sum(there) <= most(day, half, service, role))
                    fewest = least.get((day, half, service.code, role), 0)
                    if fewest:
                        cp.add(sum(there) >= fewest)


def _supervision(cp: Any, programme: Any, x: Any, days: list[date]) -> None:
    for service in (service for service in programme.services if service.supervised):
        for day in days:
            for half in (0, 1):
                units: list[Any] = []
                for person in programme.people:
                    var = x[person.key, day, half].get(service.code)
                    if var is not None:
                        units.append(-4 * var if person.role == "FACULTY" else {1: 2}.get(person.pgy, 1) * var)
                if units:
                    cp.add(sum(units) <= 0)


def _averages(cp: Any, programme: Any, x: Any, before: Any, days: list[date]) -> None:
    """80 hours and four free days in every 28, six days in a row."""
    away = away_of(programme)
    services = {service.code: service for service in programme.services}

    def minutes(code: str, half: int) -> int:
        span = services[code].pm if half else services[code].am
        return int(span.end - span.start)

    for person in programme.people:
        hours: Any = defaultdict(int)
        worked: Any = {}
        for day in _between(days[0] - timedelta(days=27), days[-1] + timedelta(days=27)):
            if day in days:
                worked[day] = cp.new_bool_var("")
                for half in (0, 1):
                    options = x[person.key, day, half]
                    if options:
                        cp.add(sum(options.values()) <= worked[day])
                        hours[day] += sum(minutes(code, half) * var for code, var in options.items())
                continue
            codes = {half: before.get((person.key, day, half)) for half in (0, 1)}
            hours[day] = sum(minutes(code, half) for half, code in codes.items() if code)
            worked[day] = int(any(codes.values()))
        for first in _between(days[0] - timedelta(days=27), days[-1]):
            span = _between(first, first + timedelta(days=27))
            if first < programme.year.start or span[-1] > programme.year.end:
                continue
            present = sum(day not in away[person.key] for day in span)
            if person.role == "RESIDENT":
                cp.add(sum(hours[day] for day in span) * 7 <= 80 * 60 * present)
                cp.add(sum(worked[day] for day in span) <= present - -(-present * 4 // 28))
            if person.role in ("RESIDENT", "FACULTY"):
                cp.add(sum(worked[day] for day in span[:7]) <= 6)
