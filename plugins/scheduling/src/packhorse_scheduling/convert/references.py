"""People, half-days, assignments and services by what a caller calls them: a name or a date as well as an id."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from difflib import get_close_matches
from typing import TypeVar

from packhorse_scheduling.domain.programme.calendar import SESSIONS, assignment_id, block_id
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.services import Service
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid, not_found

C = TypeVar("C", bound=str)

MOST_NAMED = 6
"""Candidates that a refusal names."""
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HALF_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[ T:]*(AM|PM))?", re.IGNORECASE)
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"}
    | dict.fromkeys("'\u2019\u02bc`")
)
"""Letters that Unicode does not take apart, and apostrophes, which go."""
_TITLES = frozenset(["dr", "dr.", "prof", "prof."])


def day_from(field: str, text: str) -> date:
    """The date.

    Raises:
        UserError: the calendar has no such day.
    """
    try:
        return date.fromisoformat(text)
    except ValueError as exc:
        raise invalid(field, f"`{field}` {text!r} is not a date that exists. Write a date such as 2026-07-01.") from exc


def chosen(field: str, given: str, among: tuple[C, ...]) -> C:
    """The one of ``among`` that was given, in whatever case.

    Raises:
        UserError: it is none of them; they are named.
    """
    found = next((one for one in among if one.lower() == given.strip().lower()), None)
    if found is None:
        raise invalid(field, f"`{field}` must be one of: {', '.join(among)}.")
    return found


def people_named(people: "Sequence[Person]", given: str) -> list[int]:
    """Numbers of those whom ``given`` may mean: by id, else by key, else by the whole name, else by parts of it."""
    plain = given.strip().casefold()
    for exact in (
        [p for p, one in enumerate(people) if one.id == plain],
        [p for p, one in enumerate(people) if one.key.casefold() == plain],
        [p for p, one in enumerate(people) if one.name.casefold() == plain],
        [p for p, one in enumerate(people) if _words(one.name) == _words(given)],
    ):
        if exact:
            return exact
    wanted = _words(given)
    return [p for p, one in enumerate(people) if wanted and _fits(wanted, _words(one.name))]


def _words(name: str) -> list[str]:
    """Its words without titles, accents and apostrophes, in small letters."""
    return [word for word in re.split(r"[\s,]+", _folded(name)) if word and word not in _TITLES]


def _folded(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold()).translate(_PLAIN)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def _fits(wanted: list[str], words: list[str]) -> bool:
    """Whether each wanted word begins a word of the name of its own."""
    left = list(words)
    for word in wanted:
        found = next((one for one in left if one.startswith(word)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def is_own(people: "Sequence[Person]", given: str, subject: str | None) -> bool:
    """Whether ``given`` means the person who signs in as ``subject``, and nobody else."""
    found = people_named(people, given)
    return len(found) == 1 and people[found[0]].subject == subject is not None


def person_from(kernel: "Kernel", given: str, field: str = "person_id") -> int:
    """The person's number, by id, key or name.

    Raises:
        UserError: nobody is called so, or several are; the refusal names them.
    """
    if given in kernel.person_by_id:
        return kernel.person_by_id[given]
    return one_person(kernel.programme.people, given, field)


def one_person(people: "Sequence[Person]", given: str, field: str = "person_id", cure: str = "") -> int:
    """The number of the one who is meant; refusals as of `person_from`, with ``cure`` where no name is near."""
    found = people_named(people, given)
    if len(found) == 1:
        return found[0]
    if not found:
        near = get_close_matches(given, [one.name for one in people], MOST_NAMED, 0.6)
        raise not_found("person", given, f"Similar names: {', '.join(near)}" if near else cure)
    named = ", ".join(f"{people[p].name} ({people[p].key})" for p in found[:MOST_NAMED])
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    raise invalid(field, f"{given!r} may mean {named}{more}. Give the key in brackets, or the whole name.")


def is_day(given: str) -> bool:
    """Whether it is a date, with or without AM or PM, and no id."""
    return _HALF_DAY.fullmatch(given.strip()) is not None


def slots_from(
    kernel: "Kernel", given: Sequence[str], worked: "tuple[Opened, int] | None" = None
) -> list[tuple[int, int]]:
    """Days and sessions of block ids, or of dates with AM or PM, each once, in order.

    A date alone is both half-days; with ``worked`` those in which that person
    works, where there are any.

    Raises:
        UserError: a block is not of this programme's year.
    """
    found: set[tuple[int, int]] = set()
    for one in given:
        match = _HALF_DAY.fullmatch(one.strip())
        if match is None:
            block = kernel.programme.year.block_at.get(one)
            if block is None:
                raise not_found("block", one)
            found.add((block.index // 2 + kernel.tail, block.index % 2))
            continue
        day = day_from("block_ids", match[1])
        if day not in kernel.programme.year:
            year = kernel.programme.year
            raise invalid("block_ids", f"{day} is outside the programme, which runs from {year.start} to {year.end}.")
        d = kernel.day_of(day)
        halves = [0, 1] if match[2] is None else [SESSIONS.index(match[2].upper())]
        if match[2] is None and worked is not None:
            opened, p = worked
            halves = [h for h in halves if opened.grid[p, d, h] != FREE] or halves
        found |= {(d, h) for h in halves}
    return sorted(found)


def block_ids_of(kernel: "Kernel", slots: Sequence[tuple[int, int]]) -> list[str]:
    """The ids of half-days."""
    return [block_id(kernel.date_of(d), SESSIONS[h]) for d, h in slots]


def assignments_named(kernel: "Kernel", given: Sequence[str]) -> list[str]:
    """Assignment ids; what is no id is read as a person and half-days, such as "Ada Baker 2026-08-04 AM".

    Raises:
        UserError: no such person or half-day.
    """
    found = []
    for one in given:
        if _UUID.fullmatch(one):
            found.append(one)
            continue
        match = re.fullmatch(r"(.+?)[ ,:]+(\d{4}-\d{2}-\d{2}.*)", one.strip())
        if match is None:
            raise invalid(
                "locked_assignments",
                f"{one[:80]!r} is not an assignment. Give its id, or a person and a half-day, such as"
                " 'Ada Baker 2026-08-04 AM'.",
            )
        person = kernel.programme.people[person_from(kernel, match[1], "locked_assignments")].id
        found += [assignment_id(person, block) for block in block_ids_of(kernel, slots_from(kernel, [match[2]]))]
    return found


def service_from(services: "Sequence[Service]", given: str) -> int:
    """The service's number, by id, code or name, or by words of the name that begin no other's.

    Raises:
        UserError: there is none, or several are meant.
    """
    plain = given.strip().casefold()
    for s, one in enumerate(services):
        if plain in (one.id, one.code.casefold(), one.name.casefold()):
            return s
    wanted = _words(given)
    found = [s for s, one in enumerate(services) if wanted and _fits(wanted, _words(one.name))]
    if len(found) > 1:
        named = ", ".join(f"{services[s].name} ({services[s].code})" for s in found)
        raise invalid("service", f"{given[:40]!r} may mean {named}. Give the code in brackets.")
    if not found:
        raise not_found("service", given, f"Services: {', '.join(f'{one.name} ({one.code})' for one in services)}")
    return found[0]
