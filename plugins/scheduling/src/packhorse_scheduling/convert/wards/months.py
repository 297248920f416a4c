"""The next month's document, from a ward and the roster that it ends with; and a ward to start from."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from packhorse_scheduling.convert.wards.question import ward_of
from packhorse_scheduling.domain.wards.question import HOUR, OFF, Fair, Ward
from packhorse_scheduling.domain.wards.roster import Roster, fair_amount

KEPT = 28
"""Days that the next month sees of this one: longer than any run."""


def continued(document: Mapping[str, Any], ward: Ward, roster: Roster, days: int | None) -> dict[str, Any]:
    """The same ward from the day after its last one on: by default to the end of that month, else so many days.

    The last days come before; fairness is carried; requests, fixed cells and demand of later dates stay, and requests
    without dates; earlier ones are left out.
    """
    start = ward.date(ward.days)
    if days is None:
        month_end = (start.replace(day=1) + timedelta(days=31)).replace(day=1)
        days = (month_end - start).days if start.day == 1 else ward.days
    before = []
    for person, past in zip(ward.people, ward.past_of, strict=True):
        row = [*past.days, *(key or OFF for key in roster.named(ward)[person.key])]
        before.append({"person": person.key, "days": row[-KEPT:]})
    return {
        **document,
        "start": start.isoformat(),
        "days": days,
        "before": before,
        "carried": _carried(ward, lambda e, fair: fair_amount(ward, roster, e, fair.count)),
        "fixed": [row for row in document.get("fixed", ()) if _day(row["day"]) >= start],
        "requests": [row for row in document.get("requests", ()) if _lasts(row, start)],
        "demand": [row for row in document.get("demand", ()) if not _is_past(row.get("days", "all"), start)],
    }


def after_repair(document: Mapping[str, Any], ward: Ward) -> dict[str, Any]:
    """The document of a ward after a repair: its requests, fixed cells and what is carried are the ward's.

    Where the repair changed somebody's requests, those of this period have dates, and what lasts longer begins later.
    """
    fixed = [{"person": one.person, "day": _iso(ward, one.day), "shift": one.shift} for one in ward.fixed]
    requests = list(_requests_after(document, ward))
    return {**document, "requests": requests, "fixed": fixed, "carried": _carried(ward, lambda e, fair: 0)}


def _requests_after(document: Mapping[str, Any], ward: Ward) -> Iterator[Mapping[str, Any]]:
    asked, start = ward_of(document), ward.date(ward.days)
    for person in ward.people:
        rows = [row for row in document.get("requests", ()) if row["person"] == person.key]
        now = [one for one in ward.requests if one.person == person.key]
        if now == [one for one in asked.requests if one.person == person.key]:
            yield from rows
            continue
        for one in now:
            yield {
                "person": one.person, "from": _iso(ward, one.first), "to": _iso(ward, one.last), "shift": one.shift,
                "wanted": one.wanted, "weight": one.weight, "hours": one.seconds / HOUR,
            }  # fmt: skip
        for row in rows:
            if _lasts(row, start):
                first, last = _day(row.get("from") or start), row.get("to") or row.get("from") or date.max.isoformat()
                yield {**row, "from": max(first, start).isoformat(), "to": last}


def _iso(ward: Ward, day: int) -> str:
    return ward.date(day).isoformat()


def _lasts(row: Mapping[str, Any], start: date) -> bool:
    """Whether a request has days from the start on; without dates it has some in every period."""
    last = row.get("to") or row.get("from")
    return last is None or _day(last) >= start


def _carried(ward: Ward, more: Callable[[int, Fair], int]) -> list[dict[str, Any]]:
    """Rows of what everybody has of each even share, with what is more."""
    rows = []
    for fair in ward.fair:
        for e, person in enumerate(ward.people):
            if fair.contract in (None, person.contract):
                amount = ward.past_of[e].carried.get(fair.name, 0) + more(e, fair)
                rows.append({"person": person.key, "count": list(fair.count), "amount": amount})
    return rows


def _day(given: Any) -> date:
    return date.fromisoformat(str(given))


def _is_past(days: str, start: date) -> bool:
    """Whether a demand has only dates before the start."""
    parts = days.replace(";", ",").replace(" ", ",").split(",")
    dates = [part for part in parts if part[:1].isdigit()]
    return bool(dates) and len(dates) == len([part for part in parts if part]) and all(_day(d) < start for d in dates)


NURSES = (
    "Ana Diaz", "Ben Cole", "Chi Wang", "Dora Lind", "Eli Moss", "Fay Reed", "Gus Hale", "Hana Sato", "Ivo Kral",
    "Jo Park", "Kim Berg", "Lea Roth", "Max Ode", "Nia Shah", "Oto Lima", "Pia Holm", "Quin Byrd", "Rui Costa",
    "Sara Nunn", "Tom Ek", "Uma Rao", "Vik Olsen", "Wen Li", "Xena Fox", "Yan Kos",
)  # fmt: skip
CHARGE = 9
"""How many of them may be in charge of a shift."""


def example(start: date) -> dict[str, Any]:
    """A ward of 25 nurses for four weeks from this day on: every table has rows to replace."""
    people = [
        {"key": name.split()[0], "name": name, "contract": "part" if n % 4 == 3 else "full",
         "skills": ["charge"] if n < CHARGE else [], "share": 60 if n % 4 == 3 else 100}
        for n, name in enumerate(NURSES)
    ]  # fmt: skip
    day = start + timedelta(days=9)
    rules = {
        "work_run": [2, 5], "off_run": [2, None], "whole_weekends": True, "shift_run": {"N": [2, 4]}, "rest_hours": 11,
        "weights": {"whole_weekends": 20, "work_run": 30, "off_run": 15, "shift_run": 15},
    }  # fmt: skip
    return {
        "name": "Ward 5",
        "start": start.isoformat(),
        "days": 28,
        "shifts": [
            {"key": "E", "start": "07:00", "end": "15:00"},
            {"key": "L", "start": "14:30", "end": "22:30"},
            {"key": "N", "start": "22:15", "end": "07:15", "hours": 8},
        ],
        "contracts": [
            {"key": "full", "hours": [120, 160], "weekends": 3, "week_hours": 48, **rules},
            {"key": "part", "hours": [72, 104], "weekends": 2, "week_hours": 40, **rules},
        ],
        "people": people,
        "demand": [
            {"shift": "E", "days": "Mon-Fri", "least": 5, "wished": 7},
            {"shift": "E", "days": "Sat,Sun", "least": 4, "wished": 5},
            {"shift": "L", "days": "all", "least": 3, "wished": 4},
            {"shift": "N", "days": "all", "least": 2, "wished": 2, "most": 2},
            {"shift": "E", "skill": "charge", "days": "Mon-Fri", "least": 0, "wished": 1},
        ],
        "sequences": [{"pattern": ["N", "-", "E"], "weight": 10}],
        "fair": [{"count": ["N"], "contract": "full", "weight": 10}, {"count": ["weekends"], "weight": 5}],
        "requests": [
            {"person": "Ana", "from": day.isoformat(), "to": (day + timedelta(days=4)).isoformat(), "hours": 8},
            {"person": "Ben", "from": day.isoformat(), "shift": "N", "wanted": False, "weight": 10},
            {"person": "Fay", "from": (start + timedelta(days=12)).isoformat(), "weight": 20},
            {"person": "Gus", "days": "Wed", "shift": "L", "wanted": False, "weight": 5},
        ],
        "fixed": [{"person": "Gus", "day": (start + timedelta(days=1)).isoformat(), "shift": "E"}],
        "before": [
            {"person": person["key"], "days": ["-", "-", "E", "E", "E", "-", "-"] if n % 2 else ["E"] * 3 + ["-"] * 4}
            for n, person in enumerate(people)
        ],
        "carried": [
            {"person": person["key"], "count": ["weekends"], "amount": n % 2} for n, person in enumerate(people)
        ],
    }
