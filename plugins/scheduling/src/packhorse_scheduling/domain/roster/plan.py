"""The rotation plan: who is on what, from which day to which. A version of the schedule keeps its own."""

from collections.abc import Iterable
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Literal, get_args

from attrs import evolve, field, frozen

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.calendar import Year
    from packhorse_scheduling.domain.programme.programme import Programme
    from packhorse_scheduling.domain.roster.arrays import Ints

Source = Literal["locked", "solved", "manual"]
"""Whose word a stay is: a lock's, the solver's, or a person's (an imported or edited plan)."""
SOURCES: tuple[Source, ...] = get_args(Source)
UNITS, TEAM, YEARS = "units of four weeks", "residents present", "year of training"
"""What a warning about the plan counts."""
UNIT_DAYS = 28
"""Days of a unit of the plan; the year's last unit takes what is left over."""


@frozen
class Stay:
    """One person on one rotation, both days included; of faculty, the service they are the attending of."""

    person: str
    first: date
    last: date = field()
    rotation: str
    source: Source = "solved"

    @last.validator
    def _ordered(self, attribute: object, value: date) -> None:
        if value < self.first:
            raise ValueError(f"a stay ends on {value}, before it starts on {self.first}")


Plan = tuple[Stay, ...]


def plan_faults(programme: "Programme", plan: Plan) -> list[str]:
    """What of a plan that comes from outside is not this programme's, or stands twice; a sentence each."""
    people = {person.key for person in programme.people}
    known = {rotation.code for rotation in programme.rotations} | {service.code for service in programme.services}
    found = []
    last: dict[str, Stay] = {}
    for stay in sorted(plan, key=lambda stay: (stay.person, stay.first)):
        where = f"{stay.person!r} on {stay.rotation!r} from {stay.first} to {stay.last}"
        if stay.person not in people:
            found.append(f"The rotation plan names the unknown person {stay.person!r}.")
        if stay.rotation not in known:
            found.append(f"The rotation plan names the unknown rotation {stay.rotation!r}.")
        if stay.first not in programme.year or stay.last not in programme.year:
            found.append(f"The rotation plan has {where}, outside the programme's days.")
        before = last.get(stay.person)
        if before is not None and stay.first <= before.last:
            found.append(f"The rotation plan has {where}, which overlaps {before.rotation!r} until {before.last}.")
        last[stay.person] = stay
    return list(dict.fromkeys(found))


def within(plan: Plan, last: date) -> Plan:
    """The plan with stays that run beyond ``last`` ended on it: a chart does not say how long its last column is."""
    return tuple(
        evolve(stay, last=last) if stay.first <= last < stay.last else stay
        for stay in plan
        if stay.first <= last or stay.last < date.max
    )


def known(programme: "Programme", plan: Plan) -> Plan:
    """What of a plan is about the people and days of this programme, cut to them."""
    people = {person.key for person in programme.people}
    year = programme.year
    return tuple(
        evolve(stay, first=max(stay.first, year.start), last=min(stay.last, year.end))
        for stay in plan
        if stay.person in people and stay.first <= year.end and stay.last >= year.start
    )


def by_day(programme: "Programme", plan: Iterable[Stay]) -> "Ints":
    """``int32[P, days of the programme]``: the number of each resident's rotation, or -1; all others do not rotate."""
    import numpy as np

    people = {person.key: p for p, person in enumerate(programme.people) if person.role == "RESIDENT"}
    numbers = {rotation.code: k for k, rotation in enumerate(programme.rotations)}
    year = programme.year
    found = np.full((len(programme.people), year.days), -1, np.int32)
    for stay in plan:
        if stay.person in people and stay.rotation in numbers:
            low, end = max(0, year.index(stay.first)), min(year.days, year.index(stay.last) + 1)
            found[people[stay.person], low:end] = numbers[stay.rotation]
    return found


def units_of(year: "Year") -> tuple[tuple[int, int], ...]:
    """The plan's units as (first day, one past the last), counted from the year's first day."""
    return year.periods(UNIT_DAYS)


def units_from_first(year: "Year", mine: "Ints") -> int:
    """Units from the first in which a person's plan by day has anything: who comes in mid-year has none before."""
    return sum(bool((mine[:end] >= 0).any()) for _, end in units_of(year))


def by_weeks(programme: "Programme") -> tuple[int, ...]:
    """The numbers of the rotations that are given by weeks, over the unit's own: of nights alone, and not required."""
    overnight = {service.code for service in programme.services if service.overnight}
    return tuple(
        k
        for k, rotation in enumerate(programme.rotations)
        if overnight.issuperset(rotation.services) and not any(rotation.required.values())
    )


def own_by_unit(programme: "Programme", days: "Ints") -> "Ints":
    """A plan by day with each night week counted to the rotation that has the rest of its unit."""
    import numpy as np

    found, weekly = days.copy(), by_weeks(programme)
    for first, end in units_of(programme.year) if weekly else ():
        unit = found[:, first:end]
        nights = np.isin(unit, weekly)
        for p in np.flatnonzero(nights.any(axis=1)).tolist():
            rest = unit[p][~nights[p] & (unit[p] >= 0)]
            if 2 * nights[p].sum() < end - first and len(rest):
                unit[p, nights[p]] = np.bincount(rest).argmax()
    return found


def stays_of(programme: "Programme", days: "Ints", locked: "Ints | None" = None) -> Plan:
    """The stays of a plan by day: what runs on within a unit is one, and so is what runs on over units."""
    year = programme.year
    found = []
    for p, person in enumerate(programme.people):
        day = 0
        keys = zip(days[p].tolist(), [False] * year.days if locked is None else (locked[p] >= 0).tolist(), strict=True)
        for (k, held), run in groupby(keys):
            length = sum(1 for _ in run)
            if k >= 0:
                code = programme.rotations[k].code
                source: Source = "locked" if held else "solved"
                found.append(Stay(person.key, year.day(day), year.day(day + length - 1), code, source))
            day += length
    return tuple(found)
