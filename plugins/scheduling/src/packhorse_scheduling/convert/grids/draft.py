"""The draft programme of a grid: people, rotations, leave and rotation locks; the rest is left to be filled in."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from packhorse_scheduling.domain.grids.people import FACULTY
from packhorse_scheduling.domain.grids.reading import Someone, Understood, words_of
from packhorse_scheduling.domain.grids.spots import Stay
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Leave, RotationLock
from packhorse_scheduling.domain.programme.services import Rotation, Service, Span
from packhorse_scheduling.errors import invalid

MORNING, AFTERNOON = Span(8 * 60, 12 * 60), Span(13 * 60, 17 * 60)
"""Clock times that every service of a draft has until somebody writes its own."""
NOWHERE = "example.invalid"
"""The domain of addresses that a grid does not have (RFC 2606, section 2)."""


def draft_of(found: Understood) -> Programme:
    """The programme as far as it was understood; whose level is open is left out, with their blocks.

    Raises:
        UserError: no grid was found, or a question about its days or people is open.
    """
    columns = found.columns
    if any(not column.known for column in columns):
        raise invalid("file", "The days of the columns are not known yet: answer that question first.")
    if not columns:
        raise invalid("file", "No grid of blocks with days and people was understood: nothing to draft.")
    year = Year(columns[0].first, max(column.last for column in columns))
    keys = keys_of(found.people.values())
    people = {name: _person(one, keys[name]) for name, one in found.people.items() if one.level is not None}
    if not people:
        raise invalid("file", "Nobody's year of training is known yet: answer that question first.")
    stays = [stay for stay in found.cells.stays if stay.person in people and not stay.within]
    meanings = {one.code: one for one in found.cells.meanings.values()}
    rotations = [code for code in dict.fromkeys(stay.code for stay in stays) if meanings[code].leave is None]
    residents = {name for name, one in people.items() if one.role == "RESIDENT"}
    return Programme(
        name=found.title,
        year=year,
        people=tuple(people.values()),
        services=tuple(
            Service(code, meanings[code].name, "inpatient", MORNING, AFTERNOON) for code in sorted(rotations)
        )
        or (Service("BLOCK", "Block", "inpatient", MORNING, AFTERNOON),),
        rotations=tuple(Rotation(code, meanings[code].name, (code,)) for code in sorted(rotations)),
        leaves=tuple(
            Leave(keys[person], first, last, meanings[code].leave or "vacation")
            for person, first, last, code in _runs(stays)
            if meanings[code].leave is not None
        ),
        rotation_locks=tuple(
            RotationLock(keys[person], first, last, code)
            for person, first, last, code in _runs(stays)
            if meanings[code].leave is None and person in residents
        ),
    )


def keys_of(people: Iterable[Someone]) -> Mapping[str, str]:
    """A key for each name: what the grid has as an id, else made of the name; none twice."""
    found: dict[str, str] = {}
    for one in people:
        base = one.key or words_of(one.name) or "person"
        key, n = base, 2
        while key in found.values():
            key, n = f"{base}-{n}", n + 1
        found[one.name] = key
    return found


def _person(one: Someone, key: str) -> Person:
    email = one.email or f"{words_of(key) or 'person'}@{NOWHERE}"
    if one.level == FACULTY or not isinstance(one.level, int):
        return Person(key, one.name, "FACULTY", email)
    return Person(key, one.name, "RESIDENT", email, pgy=one.level)


def _runs(stays: Iterable[Stay]) -> list[tuple[str, date, date, str]]:
    """Stays of one person on one code that follow each other as one."""
    found: list[tuple[str, date, date, str]] = []
    for stay in sorted(stays, key=lambda stay: (stay.person, stay.first)):
        if found:
            person, first, last, code = found[-1]
            if (person, code) == (stay.person, stay.code) and stay.first == last + timedelta(days=1):
                found[-1] = (person, first, stay.last, code)
                continue
        found.append((stay.person, stay.first, stay.last, stay.code))
    return found
