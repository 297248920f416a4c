"""Some days of a ward as a ward of their own: the question of a search that goes week by week."""

from collections.abc import Sequence
from itertools import pairwise

from attrs import evolve

from packhorse_scheduling.domain.wards.question import OFF, REST, Past, Ward
from packhorse_scheduling.domain.wards.roster import Roster


def part(ward: Ward, first: int, end: int, before: Roster | None) -> Ward:
    """The days from ``first`` to before ``end``, after the days that ``before`` has; None: the past is unknown.

    What is used of totals is carried; fairness, which is over all days, is left out.
    """
    return evolve(
        ward,
        start=ward.date(first),
        days=end - first,
        demands=tuple(evolve(one, day=one.day - first) for one in ward.demands if first <= one.day < end),
        requests=tuple(
            evolve(one, first=one.first - first, last=one.last - first)
            for one in ward.requests
            if one.last >= first and one.first < end
        ),
        fixed=tuple(evolve(one, day=one.day - first) for one in ward.fixed if first <= one.day < end),
        sequences=tuple(
            one if one.days is None else evolve(one, days=frozenset(day - first for day in one.days))
            for one in ward.sequences
        ),
        fair=(),
        past=() if before is None else pasts(ward, before, first),
    )


def pasts(ward: Ward, roster: Roster, end: int) -> tuple[Past, ...]:
    """What each person brings to the day ``end``, having worked this roster until then."""
    keys = [shift.key for shift in ward.shifts]
    found = []
    for person, past, row in zip(ward.people, ward.past_of, roster.duty[:, :end].tolist(), strict=True):
        used = dict(past.used)
        changes = _place_changes(ward, past.days, row)
        for name, amount in (_used(ward, row) | {"place_changes": changes}).items():
            used[name] = used.get(name, 0) + amount
        days = (*past.days, *(keys[k] if k != REST else OFF for k in row))
        found.append(evolve(past, person=person.key, days=days, used=used))
    return tuple(found)


def _used(ward: Ward, row: Sequence[int]) -> dict[str, int]:
    """Of the totals, by name: hours in seconds, shifts, weekends, and each shift."""
    worked = [k for k in row if k != REST]
    used = {
        "hours": sum(ward.shifts[k].seconds for k in worked),
        "shifts": len(worked),
        "weekends": sum(
            any(k != REST for k in row[max(0, day) : day + 2]) for day in ward.saturdays() if day < len(row)
        ),
    }
    return used | {shift.key: worked.count(k) for k, shift in enumerate(ward.shifts)}


def _place_changes(ward: Ward, before: Sequence[str], row: Sequence[int]) -> int:
    """How often these days change the place, after those before."""
    places = [shift.place for shift in ward.shifts]
    past = [places[ward.shift_of[key]] for key in before if key in ward.shift_of]
    last = next((place for place in reversed(past) if place is not None), None)
    changes = 0
    for place in (places[k] for k in row if k != REST and places[k] is not None):
        changes += last not in (None, place)
        last = place
    return changes


def weeks(ward: Ward) -> list[tuple[int, int]]:
    """First days and ends of parts that begin on Mondays; a short first or last week joins its neighbour."""
    mondays = [day for day in range(1, ward.days) if ward.weekday(day) == 0]
    edges = [0, *mondays, ward.days]
    if len(edges) > 2 and edges[1] < 4:
        del edges[1]
    if len(edges) > 2 and edges[-1] - edges[-2] < 4:
        del edges[-2]
    return list(pairwise(edges))
