"""Rostering families of the MiniZinc Challenge as wards, from their data files.

They are on-call-rostering (2018), physician-scheduling (2021), roster-sickness and rotating-workforce (2022).
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from packhorse_scheduling.convert.shifts.curtois import A_MONDAY
from packhorse_scheduling.convert.shifts.dzn import Data, data_from
from packhorse_scheduling.convert.shifts.physicians import physicians_from
from packhorse_scheduling.convert.shifts.sickness import sickness_from
from packhorse_scheduling.domain.wards.question import (
    EITHER,
    HOUR,
    OFF,
    Contract,
    Demand,
    Fair,
    Fixed,
    Person,
    Request,
    Sequence,
    Shift,
    Ward,
)
from packhorse_scheduling.errors import invalid

MOST_PEOPLE, MOST_DAYS = 300, 1000
WEEK = 7


def ward_from(text: str, source: str = "instance") -> Ward:
    """The ward of a data file; the names in it tell the family.

    Raises:
        UserError: the file cannot be read, or is of none of these families.
    """
    data = data_from(text, source)
    for name, read in FAMILIES.items():
        if name in data:
            return read(data)
    families = "on-call-rostering, physician-scheduling, roster-sickness and rotating-workforce"
    raise invalid(source, f"{source}: this is none of the families of MiniZinc that can be read: {families}.")


def _rotating(data: Data) -> Ward:
    """A cyclic roster of a week: each person goes on with the week of the next one."""
    people = data.whole("employees", 1, MOST_PEOPLE)
    needed = iter(data.array("requirements", 3 * WEEK))
    demands = tuple(
        Demand(day, (shift,), least=n, most=n) for day in range(WEEK) for shift, n in zip("DEN", needed, strict=False)
    )
    shifts = (
        Shift("D", 8 * HOUR, not_next=frozenset("N")),
        Shift("E", 8 * HOUR, not_next=frozenset("N")),
        Shift("N", 8 * HOUR, not_next=frozenset("DE")),
    )
    contract = Contract("all", work_run=(None, 5), week_off=2, weekend_run=2, shift_run={"N": (None, 3)})
    staff = tuple(Person(f"week{n + 1}", "all") for n in range(people))
    return Ward(A_MONDAY, WEEK, shifts, (contract,), staff, demands, cyclic=True, name=data.source)


CALL, WEEKEND = "C", "W"
ROSTER_WEEK = 5
"""Days of the family's week: Monday to Thursday, and all of Friday to Sunday as one."""


def _on_call(data: Data) -> Ward:
    """One person on call each day: C from Monday to Thursday, and W, the whole weekend, on Friday."""
    people, days = data.whole("num_staff", 2, MOST_PEOPLE), data.whole("num_days", 6, MOST_DAYS)
    offset = data.whole("weekend_offset", 0, ROSTER_WEEK - 1)
    shares = data.array("work_load", people)
    away, fixed = (data.array(name, people, frozenset) for name in ("unavailable", "fixed"))
    if any(not 1 <= share <= 100 for share in shares) or any(day > days for those in fixed for day in those):
        raise invalid(data.source, f"{data.source}: work_load is from 1 to 100, and fixed days from 1 to num_days.")
    before = ROSTER_WEEK - 1 - offset
    at = [WEEK * ((i + before) // ROSTER_WEEK) + (i + before) % ROSTER_WEEK - before for i in range(days)]
    kind = [WEEKEND if i % ROSTER_WEEK == offset else CALL for i in range(days)]
    staff = tuple(Person(f"s{n + 1}", "all", share=share) for n, share in enumerate(shares))
    needed = {(at[i], kind[i]) for i in range(days)}
    demands = [
        Demand(day, (shift,), least=int((day, shift) in needed), most=int((day, shift) in needed))
        for day in range(at[-1] + 1)
        for shift in (CALL, WEEKEND)
    ]
    return Ward(
        start=A_MONDAY + timedelta(days=before),
        days=at[-1] + 1,
        shifts=(Shift(CALL, 24 * HOUR), Shift(WEEKEND, 72 * HOUR)),
        contracts=(Contract("all"),),
        people=staff,
        demands=tuple(demands),
        requests=tuple(
            Request(person.key, at[day - 1], at[day - 1], OFF)
            for person, those in zip(staff, away, strict=True)
            for day in sorted(those)
            if day <= days
        ),
        fixed=tuple(
            Fixed(person.key, at[day - 1], kind[day - 1])
            for person, those in zip(staff, fixed, strict=True)
            for day in sorted(those)
        ),
        sequences=_call_sequences(data, at, kind, {day - 1 for those in fixed for day in those}),
        fair=(Fair((CALL,), 1), Fair((WEEKEND,), 1)),
        name=data.source,
    )


def _call_sequences(data: Data, at: list[int], kind: list[str], fixed: set[int]) -> tuple[Sequence, ...]:
    """What one person must not have, but where all of it is fixed, and what they would rather not have."""
    adjacent, wednesday = (data.whole(name) for name in ("adj_days_str", "wed_before_weekend_str"))
    found: dict[tuple[tuple[str, ...], int | None], set[int]] = {}

    def add(days: tuple[int, ...], weight: int | None) -> None:
        cells = [EITHER] * (at[days[-1]] - at[days[0]] + 1)
        for day in days:
            cells[at[day] - at[days[0]]] = kind[day]
        found.setdefault((tuple(cells), weight), set()).add(at[days[0]])

    last = len(at) - 1
    for i in range(last - 1):
        if adjacent:
            add((i, i + 1), adjacent)
        if not {i, i + 1, i + 2} <= fixed:
            add((i, i + 1, i + 2), None)
    weekends = [i for i, one in enumerate(kind) if one == WEEKEND]
    for i in weekends:
        beside = [j for j in (i - 1, i + 1) if 0 <= j <= last]
        if not {i, *beside} <= fixed:
            for j in beside:
                add((min(i, j), max(i, j)), None)
        if i > 1 and wednesday:
            add((i - 2, i), wednesday)
        if i + ROSTER_WEEK <= last and not {i, i + ROSTER_WEEK} <= fixed:
            add((i, i + ROSTER_WEEK), None)
    return tuple(Sequence(cells, None, weight, frozenset(days)) for (cells, weight), days in found.items())


FAMILIES: Mapping[str, Callable[[Data], Ward]] = {
    "num_staff": _on_call,
    "numPers": physicians_from,
    "is_assigned": sickness_from,
    "requirements": _rotating,
}
"""By a name that only the family's data has."""
