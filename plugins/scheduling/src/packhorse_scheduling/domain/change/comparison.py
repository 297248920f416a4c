"""Two versions side by side: who gains what, who loses what, on which days."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from attrs import frozen

from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.roster.plan import Plan
from packhorse_scheduling.domain.roster.roster import Cell
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation

SATURDAY = 5


@frozen
class Difference:
    """One half-day of a person, with the service codes before and after; None is free."""

    day: date
    session: int
    before: str | None
    after: str | None


@frozen
class PersonDifference:
    """What one person (by key) gains and loses: half-days, minutes of duty, nights, half-days of weekends, holidays."""

    person: str
    differences: tuple[Difference, ...]
    gained: int
    lost: int
    exchanged: int
    minutes: int
    nights: int
    weekend: int
    holidays: int

    @property
    def burdens(self) -> dict[str, int]:
        """Nights, weekend half-days and holidays that they have more, or fewer; without those that stay."""
        found = {"night": self.nights, "weekend half-day": self.weekend, "holiday": self.holidays}
        return {noun: count for noun, count in found.items() if count}


def compare(before: "Opened", after: "Opened") -> tuple[PersonDifference, ...]:
    """Everybody whose half-days differ, the largest difference first."""
    was, now = (_by_half_day(one.kernel.cells_of(one.grid)) for one in (before, after))
    mine: dict[str, list[Difference]] = {}
    for person, day, session in sorted(was.keys() | now.keys()):
        old, new = was.get((person, day, session)), now.get((person, day, session))
        if old != new:
            mine.setdefault(person, []).append(Difference(day, session, old, new))
    worked = [
        {(person, day) for (person, day, _), _ in side.items() if day in of.programme.year.holidays}
        for side, of in ((was, before), (now, after))
    ]
    found = [_person(person, rows, before, after, worked) for person, rows in mine.items()]
    return tuple(sorted(found, key=lambda one: (-len(one.differences), one.person)))


def _by_half_day(cells: "Iterable[Cell]") -> "Mapping[tuple[str, date, int], str]":
    return {(person, day, session): code for person, day, session, code in cells}


def _person(
    person: str, rows: list[Difference], before: "Opened", after: "Opened", holidays: list[set[tuple[str, date]]]
) -> PersonDifference:
    def gain(of: "Opened", code: str | None, session: int, *, night: bool) -> int:
        s = FREE if code is None else of.kernel.service_of[code]
        if night:
            return int(session == 1 and of.kernel.overnight[s])
        return int(of.kernel.minutes[s, session])

    minutes, nights = (
        sum(
            gain(after, one.after, one.session, night=night) - gain(before, one.before, one.session, night=night)
            for one in rows
        )
        for night in (False, True)
    )
    days = {one.day for one in rows}
    weekend = [one for one in rows if one.day.weekday() >= SATURDAY]
    return PersonDifference(
        person=person,
        differences=tuple(rows),
        gained=sum(one.before is None for one in rows),
        lost=sum(one.after is None for one in rows),
        exchanged=sum(None not in (one.before, one.after) for one in rows),
        minutes=minutes,
        nights=nights,
        weekend=sum((one.before is None) - (one.after is None) for one in weekend),
        holidays=sum((person, day) in holidays[1] for day in days) - sum((person, day) in holidays[0] for day in days),
    )


def gone(before: "Opened", after: "Opened") -> "list[Violation]":
    """Violations (warnings not counted) of ``before`` that ``after`` has no more."""
    from packhorse_scheduling.domain.change.notices import new_violations

    return new_violations(after, before)[0]


def plan_lines(before: "Opened", after: "Opened") -> list[str]:
    """Whose rotation differs from which day to which, in words; of residents and of attendings.

    Days are compared, so that a stay in two parts is the same as a whole one.
    """
    names = {person.key: person.name for one in (before, after) for person in one.programme.people}
    was, now = (_plan_by_day(side.kernel.plan) for side in (before, after))
    runs: list[tuple[str, date, date, str | None, str | None]] = []
    for person, day in sorted(was.keys() | now.keys()):
        old, new = was.get((person, day)), now.get((person, day))
        if old == new:
            continue
        if runs and (runs[-1][0], runs[-1][2] + timedelta(days=1), *runs[-1][3:]) == (person, day, old, new):
            runs[-1] = (person, runs[-1][1], day, old, new)
        else:
            runs.append((person, day, day, old, new))
    return [
        f"{names.get(person, person)}, {first} to {last}: {new or f'no longer {old}'}"
        for person, first, last, old, new in runs
    ]


def _plan_by_day(plan: "Plan") -> "dict[tuple[str, date], str]":
    return {
        (stay.person, stay.first + timedelta(days=n)): stay.rotation
        for stay in plan
        for n in range((stay.last - stay.first).days + 1)
    }


def half_day_words(one: Difference) -> str:
    """Such as "2026-07-13 AM: Ward to free"."""
    return f"{one.day} {SESSIONS[one.session]}: {one.before or 'free'} to {one.after or 'free'}"
