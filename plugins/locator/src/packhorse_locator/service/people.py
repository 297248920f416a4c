"""Searching for a person: by name and by A-number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from packhorse_locator.domain.answers import MOST_PEOPLE, Found, Located, NameAnswer, NumberAnswer
from packhorse_locator.domain.disclosure import Reader, has_one_name, is_one_part
from packhorse_locator.domain.facilities import Facility
from packhorse_locator.domain.likeness import likeness
from packhorse_locator.domain.people import MISSING_NAMES, Detainee
from packhorse_locator.search import NameQuery
from packhorse_locator.store import facilities, people

if TYPE_CHECKING:
    from packhorse import Context
    from packhorse.store.sqlite import Store
    from packhorse_locator.search import Match
    from packhorse_locator.service.budget import Budget
    from packhorse_locator.service.registry import Registry


@frozen
class NameQuestion:
    """Who is sought. ``first`` and ``last`` may be empty where they are missing, not both."""

    first: str
    last: str
    middle: str = ""
    fuzzy: bool = True
    phonetic: bool = True
    variants: bool = True
    threshold: float = 0.8
    country: str | None = None
    birth_year: int | None = None

    @property
    def tried(self) -> tuple[str, ...]:
        """The country and the year of birth, as what is tried on the people who are shown."""
        year = str(self.birth_year) if self.birth_year is not None else ""
        return tuple(text for text in ((self.country or "").casefold(), year) if text)


@frozen
class People:
    """Answers about people of one registry, each within what its reader may see and its caller may learn."""

    registry: Registry
    budget: Budget

    def by_name(self, asked: NameQuestion, ctx: Context, reader: Reader) -> NameAnswer:
        """At most five records that may have the name, best first.

        Raises:
            UserError: the caller has learnt as much as one may in an hour.
        """
        self.budget.check(ctx, reader, tries_fields=bool(asked.tried))
        first, middle, last = (_known(part) for part in (asked.first, asked.middle, asked.last))
        query = NameQuery(
            first=" ".join(part for part in (first, middle) if part),
            last=last,
            fuzzy=asked.fuzzy,
            phonetic=asked.phonetic,
            variants=asked.variants,
            country=asked.country,
            birth_year=asked.birth_year,
            limit=MOST_PEOPLE,
            threshold=reader.least(asked.threshold),
        )
        one_part = is_one_part(first, last) and not reader.is_trusted
        with self.registry.opened() as store:
            outcome, behind = self.registry.search(store, query)
            shown = self._shown(store, outcome.matches, single_names_only=one_part)
            allowed = self.budget.allowed(ctx, reader, [person for _, person, _ in shown], asked.tried)
            found = []
            for match, person, place in shown:
                if person.key in allowed:
                    alike = likeness((first, middle, last), (_known(person.first), person.middle, _known(person.last)))
                    seen = evolve(match, confidence=reader.shown(match.confidence))
                    found.append(Found(person, place, seen.confidence, seen.exact, seen.reasons, seen.homonyms, alike))
            return NameAnswer(
                found=tuple(found),
                considered=outcome.total_considered,
                ambiguous=bool(found) and (outcome.ambiguous or any(one.homonyms > 1 for one in found)),
                one_part=one_part,
                channels=outcome.channels,
                state=self.registry.state(store, behind=behind),
            )

    def by_number(self, number: str, ctx: Context, reader: Reader, *, history: bool) -> NumberAnswer:
        """The records with a canonical A-number, the newest booking first; with ``history``, where they were.

        Raises:
            UserError: the caller has learnt as much as one may in an hour.
        """
        self.budget.check(ctx, reader)
        with self.registry.opened() as store:
            shown = people.by_number(store, number)[:MOST_PEOPLE]
            places = self._places(store, shown)
            shown = [one for one in shown if self.registry.may_be_shown(one, places.get(one.facility_id or ""))]
            allowed = self.budget.allowed(ctx, reader, shown)
            located = []
            for person in shown:
                if person.key not in allowed:
                    continue
                stays = people.stays_of(store, person.key) if history else []
                known = facilities.by_key(store, [stay.facility_id for stay in stays])
                past = tuple((stay, known.get(stay.facility_id)) for stay in stays)
                located.append(Located(person, places.get(person.facility_id or ""), past))
            return NumberAnswer(tuple(located), self.registry.state(store))

    def _shown(
        self, store: Store, matches: Sequence[Match], *, single_names_only: bool
    ) -> list[tuple[Match, Detainee, Facility | None]]:
        """The matches that may be shown at all, with whom and where they are."""
        visible = people.visible(store, [match.key for match in matches])
        places = self._places(store, visible.values())
        shown = []
        for match in matches:
            person = visible.get(match.key)
            if person is None or (single_names_only and not has_one_name(person)):
                continue
            place = places.get(person.facility_id or "")
            if self.registry.may_be_shown(person, place):
                shown.append((match, person, place))
        return shown

    @staticmethod
    def _places(store: Store, shown: Iterable[Detainee]) -> dict[str, Facility]:
        keys = [one.facility_id for one in shown if one.facility_id]
        return facilities.by_key(store, keys)


def _known(part: str) -> str:
    return "" if part.strip().upper() in MISSING_NAMES else part
