"""Wishes in a person's own order, and what each weighs when a roster is made."""

from collections.abc import Mapping, Sequence

from attrs import evolve

from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Preference

FIRST = 7
"""The weight of a first wish, whoever has it; the next weigh 6 to 1, and from the seventh on 1.

At 8 a unit (`solve.wishes.WISH`) a first wish costs 56: less than a rest below eight hours (60)."""
MOST_WISHES = 20
"""Of one person, in one year."""


def weight_of(rank: int) -> int:
    """What the wish at this place weighs; 1 is the dearest."""
    return max(1, FIRST + 1 - rank)


def with_wishes(programme: Programme, ranked: Mapping[str, Sequence[Preference]]) -> Programme:
    """The programme with people's own wishes, by key, in the place of those that a file has for them."""
    own = [row for person in programme.people for row in ranked.get(person.key, ()) if row.day in programme.year]
    kept = [row for row in programme.preferences if row.person not in ranked]
    return evolve(programme, preferences=(*kept, *own))
