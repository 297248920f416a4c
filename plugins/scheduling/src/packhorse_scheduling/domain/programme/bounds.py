"""What a single value of a programme may be; what is outside is told in a sentence."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from attrs import fields

from packhorse_scheduling.domain.programme.limits import Limit, RuleSet
from packhorse_scheduling.domain.programme.people import EVERY_PGY, HIGHEST_PGY

if TYPE_CHECKING:
    from packhorse_scheduling.domain.programme.programme import Programme, Worked
    from packhorse_scheduling.domain.programme.requests import Lock

LONGEST_TEXT = 200
"""Characters of a name, key, code or address (RFC 5321 allows 254 for the last; ours appear in grids)."""
MOST_AT_ONCE = 500
"""People that one demand can ask for: as many as a programme has."""
MOST_WEIGHT = 100
"""Of a preference: beside one of this weight one of weight 1 hardly counts."""
MOST_PERIODS = 27
"""Four-week periods that a rotation can require, or that somebody did elsewhere: two years have so many."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")

EARLIEST, LATEST = date(1990, 1, 1), date(2199, 12, 31)
"""Of a programme's days: what is further is a slip of the pen."""

RANGES: dict[str, tuple[int, int]] = {
    "weekly_hours": (1, 168),
    "free_days": (0, 28),
    "continuous_hours": (1, 48),
    "transition_hours": (0, 24),
    "rest_after_call_hours": (0, 72),
    "rest_hours": (0, 72),
    "call_every": (1, 28),
    "night_run": (1, 27),
    "day_run": (1, 27),
    "pause_minutes": (0, 720),
    "faculty_units": (1, 1000),
}
"""Of each rule's number; runs are at most as long as the days that are looked back on."""
AVERAGE_DAYS = (7, 28)
"""The CPR averages over four weeks, and a roster carries no more of what came before."""
NO_MORE_THAN_CPR = ("weekly_hours", "continuous_hours", "transition_hours")
"""Rules of the CPR in which a larger number is the laxer one; in the others it is the smaller."""


def value_faults(programme: "Programme") -> Iterator[str]:
    """Every value that is no sensible one, with whose it is."""
    yield from _text_faults("The programme's name", programme.name)
    if not EARLIEST <= programme.year.start <= programme.year.end <= LATEST:
        yield f"The programme's days must lie between {EARLIEST} and {LATEST}."
    for person in programme.people:
        whose = f"Person {person.key[:40]!r}"
        yield from _text_faults(f"{whose}: key", person.key)
        yield from _text_faults(f"{whose}: name", person.name)
        if not _ADDRESS.fullmatch(person.email) or len(person.email) > LONGEST_TEXT or _CONTROL.search(person.email):
            yield f"{whose}: email {person.email[:40]!r} must be an address such as r01@example.org."
        for code in person.credentials:
            yield from _text_faults(f"{whose}: a credential", code)
        if not all(0 <= units <= MOST_PERIODS for units in person.rotations_done.values()):
            yield f"{whose}: rotations_done must be from 0 to {MOST_PERIODS} units."
    for service in programme.services:
        whose = f"Service {service.code[:40]!r}"
        yield from _text_faults(f"{whose}: code", service.code)
        yield from _text_faults(f"{whose}: name", service.name)
        if service.am is None and service.pm is None:
            yield f"{whose} has clock times neither in the morning nor in the afternoon."
        if not service.roles:
            yield f"{whose} is done by no role."
        if not service.pgy <= EVERY_PGY:
            yield f"{whose}: pgy must be from 1 to {HIGHEST_PGY}."
    yield from _rotation_faults(programme)
    yield from _request_faults(programme)
    yield from rule_faults(programme.rules)


def _text_faults(what: str, text: str) -> Iterator[str]:
    if not text.strip():
        yield f"{what} is empty."
    elif len(text) > LONGEST_TEXT:
        yield f"{what} has {len(text):,} characters, above {LONGEST_TEXT}."
    elif _CONTROL.search(text):
        yield f"{what} {text[:40]!r} holds a line break or another control character."


def _rotation_faults(programme: "Programme") -> Iterator[str]:
    for rotation in programme.rotations:
        whose = f"Rotation {rotation.code[:40]!r}"
        yield from _text_faults(f"{whose}: code", rotation.code)
        yield from _text_faults(f"{whose}: name", rotation.name)
        if not rotation.services:
            yield f"{whose} has no service."
        if not 0 <= rotation.least <= rotation.most <= MOST_AT_ONCE:
            yield (
                f"{whose}: least {rotation.least} and most {rotation.most} must be from 0 to {MOST_AT_ONCE}, in this"
                " order."
            )
        if not {*rotation.pgy, *rotation.required, *rotation.most_a_year} <= EVERY_PGY:
            yield f"{whose}: years of training are from 1 to {HIGHEST_PGY}."
        if any(not 0 <= periods <= MOST_PERIODS for periods in rotation.required.values()):
            yield f"{whose}: required periods are from 0 to {MOST_PERIODS}."
        for pgy, most in rotation.most_a_year.items():
            if not rotation.required.get(pgy, 0) <= most <= MOST_PERIODS:
                yield (
                    f"{whose}: most_a_year of PGY {pgy} is {most}; it must be from its required periods to"
                    f" {MOST_PERIODS}."
                )


def _request_faults(programme: "Programme") -> Iterator[str]:
    for demand in programme.demands:
        whose = f"A demand for {demand.service[:40]!r}"
        if demand.minimum > MOST_AT_ONCE:
            yield f"{whose} asks for {demand.minimum} people, above {MOST_AT_ONCE}."
        if not demand.weekdays <= set(range(7)):
            yield f"{whose}: weekdays are from 0 (Monday) to 6 (Sunday)."
        if demand.start is not None and demand.end is not None and demand.end < demand.start:
            yield f"{whose} ends on {demand.end}, before it starts on {demand.start}."
    for wish in programme.preferences:
        if not 1 <= wish.weight <= MOST_WEIGHT:
            yield f"A preference of {wish.person[:40]!r}: its weight {wish.weight} must be from 1 to {MOST_WEIGHT}."
    tables: tuple[tuple[str, Sequence[Lock | Worked]], ...] = (
        ("locked", programme.locks),
        ("in the history", programme.history),
    )
    for what, rows in tables:
        seen: dict[tuple[str, date, str], tuple[str | None, int]] = {}
        for number, row in enumerate(rows, start=2):  # as a spreadsheet counts: the first row names the columns
            slot = row.person, row.day, row.session
            service, other = seen.setdefault(slot, (row.service, number))
            if service != row.service:
                yield (
                    f"{row.person[:40]!r} is {what} on two services on {row.day} {row.session}, in rows {other} and"
                    f" {number}."
                )


def rule_faults(rules: RuleSet) -> Iterator[str]:
    """Numbers out of range, and numbers called the CPR's that are laxer than it.

    A review committee's exception (88 hours, 6.20.a) is the specialty's, and
    is to say so.
    """
    least, most = AVERAGE_DAYS
    if not least <= rules.average_days <= most:
        yield f"The rule average_days is {rules.average_days}, and must be from {least} to {most}."
    own = fields(RuleSet)
    for name, (low, high) in RANGES.items():
        limit = getattr(rules, name)
        if not low <= limit.value <= high:
            yield f"The rule {name} is {limit.value}, and must be from {low} to {high}."
            continue
        known = getattr(own, name).default
        if limit.authority != "CPR":
            continue
        if not isinstance(known, Limit) or known.authority != "CPR":
            yield f"The rule {name} is none of the CPR's: name specialty or institution as its authority."
        elif limit.value != known.value and (limit.value > known.value) == (name in NO_MORE_THAN_CPR):
            yield (
                f"The rule {name} is {limit.value} and called the CPR's, which says {known.value}: name the authority"
                " that allows it, specialty or institution."
            )
        elif known.severity != "WARNING" and limit.severity == "WARNING":
            yield f"The rule {name} is the CPR's and cannot be a mere warning."
    if not EVERY_PGY.issuperset(rules.resident_units) or any(not 0 <= n <= 100 for n in rules.resident_units.values()):
        yield f"The rule resident_units takes numbers from 0 to 100 for the years of training 1 to {HIGHEST_PGY}."


def level_faults(programme: "Programme", highest: int) -> Iterator[str]:
    """Years of training above the ``highest`` that a server takes; who or what names one."""
    for person in programme.people:
        if person.pgy is not None and person.pgy > highest:
            yield f"Person {person.key[:40]!r} is PGY-{person.pgy}, above {highest}."
    for what, rows in (("Service", programme.services), ("Rotation", programme.rotations)):
        for row in rows:
            if row.pgy != EVERY_PGY and max(row.pgy, default=0) > highest:
                yield f"{what} {row.code[:40]!r} names PGY-{max(row.pgy)}, above {highest}."
