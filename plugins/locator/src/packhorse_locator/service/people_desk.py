"""Searching for a person: by name and by A-number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_locator.domain.answers import MOST_PEOPLE, Found, Located, NameAnswer, NumberAnswer
from packhorse_locator.domain.facilities import JUVENILE, Facility
from packhorse_locator.domain.likeness import likeness
from packhorse_locator.domain.people import MISSING_NAMES, Detainee, is_surely_adult
from packhorse_locator.search import NameQuery
from packhorse_locator.store import facilities, people

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store
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


@frozen
class PeopleDesk:
    """Answers about people of one registry."""

    registry: Registry

    def by_name(self, asked: NameQuestion) -> NameAnswer:
        """At most five records that may bear the name, best first."""
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
            threshold=asked.threshold,
        )
        with self.registry.opened() as store:
            outcome, behind = self.registry.search(store, query)
            shown = people.visible(store, [match.key for match in outcome.matches])
            places = self._places(store, shown.values())
            found = []
            for match in outcome.matches:
                person = shown.get(match.key)
                if person is None or not self._may_be_shown(person, places):
                    continue
                alike = likeness((first, middle, last), (_known(person.first), person.middle, _known(person.last)))
                place = places.get(person.facility_id or "")
                found.append(Found(person, place, match.confidence, match.exact, match.reasons, match.homonyms, alike))
            return NameAnswer(
                found=tuple(found),
                considered=outcome.total_considered,
                ambiguous=bool(found) and (outcome.ambiguous or any(one.homonyms > 1 for one in found)),
                channels=outcome.channels,
                state=self.registry.state(store, behind=behind),
            )

    def by_number(self, number: str, *, history: bool) -> NumberAnswer:
        """The records with a canonical A-number, the newest booking first; with ``history``, where they were."""
        with self.registry.opened() as store:
            shown = people.by_number(store, number)[:MOST_PEOPLE]
            places = self._places(store, shown)
            located = []
            for person in shown:
                if not self._may_be_shown(person, places):
                    continue
                stays = people.stays_of(store, person.key) if history else []
                known = facilities.by_key(store, [stay.facility_id for stay in stays])
                past = tuple((stay, known.get(stay.facility_id)) for stay in stays)
                located.append(Located(person, places.get(person.facility_id or ""), past))
            return NumberAnswer(tuple(located), self.registry.state(store))

    def _may_be_shown(self, person: Detainee, places: dict[str, Facility]) -> bool:
        place = places.get(person.facility_id or "")
        in_juvenile = place is not None and place.kind in JUVENILE
        return not in_juvenile and is_surely_adult(person.birth_year, self.registry.today())

    @staticmethod
    def _places(store: Store, shown: Iterable[Detainee]) -> dict[str, Facility]:
        keys = [one.facility_id for one in shown if one.facility_id]
        return facilities.by_key(store, keys)


def _known(part: str) -> str:
    return "" if part.strip().upper() in MISSING_NAMES else part
