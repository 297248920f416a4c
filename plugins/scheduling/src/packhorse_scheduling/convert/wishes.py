"""How many wishes a roster meets, for whom: said in every answer that makes one."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from attrs import evolve

from packhorse_scheduling.convert.references import day_from
from packhorse_scheduling.domain.insight.wishes import Wish, wishes
from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.programme.people import Person
from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Preference, weight_of
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import invalid

MOST_UNMET = 6
"""Wishes that are not met, named one by one: the dearest of each person first."""
MOST_PEOPLE = 8
MOST_TOLD = 3
_WISH = re.compile(r"(work )?(\d{4}-\d{2}-\d{2})(?: (AM|PM))?", re.IGNORECASE)


def wishes_of(programme: "Programme", person: str, given: Sequence[str], today: date) -> list[Preference]:
    """Wishes by what a caller writes, the dearest first: a day off, or to work.

    Raises:
        UserError: one is written otherwise, is of a day gone by or of another year, or stands there twice.
    """
    found: list[Preference] = []
    seen: set[tuple[date, str | None]] = set()
    for rank, text in enumerate(given, start=1):
        match = _WISH.fullmatch(" ".join(text.split()))
        if match is None:
            raise invalid(
                "wishes", f"{text[:40]!r} is not a wish. Write '2026-12-25', '2026-12-24 PM' or 'work 2026-12-24'."
            )
        day = day_from("wishes", match[2])
        session = next((one for one in SESSIONS if match[3] and one == match[3].upper()), None)
        if day not in programme.year:
            raise invalid(
                "wishes",
                f"{day} is outside the programme, which runs from {programme.year.start} to {programme.year.end}.",
            )
        if day < today:
            raise invalid("wishes", f"{day} has passed, so its wish cannot be changed.")
        if (day, session) in seen:
            raise invalid("wishes", f"{day} is listed twice. Give each day once.")
        seen.add((day, session))
        found.append(Preference(person, day, session, avoid=match[1] is None, weight=weight_of(rank)))
    return found


def ranked_from(programme: "Programme", person: "Person", opened: "Opened | None") -> dict[str, Any]:
    """A person's wishes in order, written as they are asked for; of a roster in force how many it meets."""
    own = sorted(
        (row for row in programme.preferences if row.person == person.key), key=lambda row: (-row.weight, row.day)
    )
    body: dict[str, Any] = {
        "person_id": person.id,
        "person_name": person.name,
        "wishes": [
            f"{'' if row.avoid else 'work '}{row.day}{f' {row.session}' if row.session else ''}"
            f"{f' on {row.service}' if row.service else ''}"
            for row in own
        ],
    }
    if opened is not None:
        p = opened.kernel.person_of[person.key]
        met = [one.met for one in wishes(opened.kernel, opened.grid) if one.person == p]
        body |= {"met": sum(met), "of": len(met)}
    return body


def ranked_words(body: Mapping[str, Any]) -> str:
    """The same in a sentence or two."""
    if not body["wishes"]:
        return f"{body['person_name']} has no wishes on record."
    words = f"{body['person_name']} wishes, the dearest first: {', '.join(body['wishes'])}."
    if "of" in body:
        words += f" The roster in force meets {body['met']} of {body['of']}"
        words += "; generate_schedule seeks the others." if body["met"] < body["of"] else "."
    return words


def wishes_from(opened: "Opened", before: "Opened | None" = None, *, today: date | None = None) -> dict[str, Any]:
    """Counts of all, of first wishes and of holidays; by person where some are not met, and the dearest of these.

    Wishes of days gone by are named last. With the roster ``before``, ``unmet`` are only those that it meets.
    """
    people, kernel = opened.programme.people, opened.kernel
    found = wishes(kernel, opened.grid)
    if not found:
        return {}
    first_day = 0 if today is None else kernel.day_of(today)
    unmet = sorted(
        (one for one in found if not one.met), key=lambda one: (one.day < first_day, one.rank, one.day, one.person)
    )
    if before is not None:
        kept = set(wishes(before.kernel, before.grid))
        unmet = [one for one in unmet if evolve(one, met=True) in kept]
    own: dict[int, list[Wish]] = defaultdict(list)
    for one in found:
        own[one.person].append(one)
    least = sorted(own, key=lambda p: (sum(one.met for one in own[p]) / len(own[p]), p))
    first = [one for one in found if one.rank == 1]
    holidays = [one for one in found if one.holiday]
    return {
        "wishes": {
            "met": sum(one.met for one in found),
            "of": len(found),
            "first_wishes_met": sum(one.met for one in first),
            "first_wishes": len(first),
            "holiday_wishes_met": sum(one.met for one in holidays),
            "holiday_wishes": len(holidays),
            "people": len(own),
            "people_with_all_met": sum(all(one.met for one in rows) for rows in own.values()),
            "least_met": {
                people[p].name: f"{sum(one.met for one in own[p])} of {len(own[p])}"
                for p in least[:MOST_PEOPLE]
                if not all(one.met for one in own[p])
            },
            "unmet": [
                f"{people[one.person].name}, {kernel.date_of(one.day)}, wish {one.rank}" for one in unmet[:MOST_UNMET]
            ],
            "unmet_count": len(unmet),
            **({} if before is None else {"unmet_by_this": True}),
        }
    }


def wishes_words(body: Mapping[str, Any]) -> str:
    """The same in two sentences; nothing where nobody has wished."""
    found = body.get("wishes")
    if not found:
        return ""
    words = f" Wishes met: {found['met']} of {found['of']}, first wishes {found['first_wishes_met']} of"
    words += f" {found['first_wishes']}, of holidays {found['holiday_wishes_met']} of {found['holiday_wishes']}."
    if found["unmet"]:
        told = found["unmet"][:MOST_TOLD]
        more = found["unmet_count"] - len(told)
        head = (
            f"This costs {counted(found['unmet_count'], 'wish', 'wishes')}" if "unmet_by_this" in found else "Not met"
        )
        words += f" {head}: {'; '.join(told)}{f'; and {more} more' if more else ''}."
    return words
