"""What each person has of a roster: hours, shifts, nights, weekends, wishes."""

from typing import Any

from packhorse_scheduling.domain.wards.question import HOUR, OFF, REST, Shift, Ward
from packhorse_scheduling.domain.wards.roster import Count, Roster

COUNT_COLUMNS = ("person", "name", "hours", "shifts", "nights", "weekends", "wishes", "wishes_met", "cost")
_MIDNIGHT = 1440


def is_night(shift: Shift) -> bool:
    """Whether the shift goes on past midnight."""
    return shift.end is not None and shift.end > _MIDNIGHT


def staffing_rows(ward: Ward, roster: Roster) -> list[list[Any]]:
    """For each shift how many work it on each day."""
    return [[shift.key, *(roster.duty == k).sum(axis=0).tolist()] for k, shift in enumerate(ward.shifts)]


def count_rows(ward: Ward, roster: Roster, count: Count) -> list[list[Any]]:
    """For each person what `COUNT_COLUMNS` name; a wish counts once for each of its days."""
    refused: dict[str, int] = {}
    cost: dict[str, int] = {}
    for breach in count.breaches:
        if breach.person is not None:
            key = ward.people[breach.person].key
            cost[key] = cost.get(key, 0) + breach.cost
            if breach.rule == "request" and breach.weight is not None:
                refused[key] = refused.get(key, 0) + breach.amount
    wishes: dict[str, int] = {}
    for request in ward.requests:
        if request.weight is not None:
            wishes[request.person] = wishes.get(request.person, 0) + len(ward.asked(request))
    rows = []
    for person, row in zip(ward.people, roster.duty.tolist(), strict=True):
        worked = [ward.shifts[k] for k in row if k != REST]
        paid = sum(
            request.seconds
            for request in ward.requests
            if request.person == person.key and request.shift == OFF and request.wanted
            for d in ward.asked(request)
            if row[d] == REST
        )
        weekends = sum(any(k != REST for k in row[max(0, day) : day + 2]) for day in ward.saturdays())
        asked = wishes.get(person.key, 0)
        rows.append(
            [
                person.key,
                person.name,
                round((sum(shift.seconds for shift in worked) + paid) / HOUR, 2),
                len(worked),
                sum(map(is_night, worked)),
                weekends,
                asked,
                asked - refused.get(person.key, 0),
                cost.get(person.key, 0),
            ]
        )
    return rows
