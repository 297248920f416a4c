"""Answers about facilities: which one is meant, what is known of it, how many people are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from packhorse import UserError
from packhorse_locator.domain.answers import MOST_AT_FACILITY, PlaceAnswer, State
from packhorse_locator.domain.facilities import IN_USE, JUVENILE, Facility
from packhorse_locator.domain.facility_names import SURE, NameList, fold, meant, rank
from packhorse_locator.domain.people import ADULT_YEARS
from packhorse_locator.domain.plain import datum, undatum
from packhorse_locator.store import facilities, people

if TYPE_CHECKING:
    from packhorse import Context
    from packhorse.store.sqlite import Store
    from packhorse_locator.domain.disclosure import Reader
    from packhorse_locator.service.budget import Budget
    from packhorse_locator.service.registry import Registry

MOST_FACILITIES = 25
"""Facilities in one answer."""

SHORTEST_NAME = 2
"""Letters of a name that is looked for: one letter is a word of many names."""

MOST_CANDIDATES = 8
"""Facilities that a refusal names for the caller to choose from."""


@frozen
class PlaceQuestion:
    """Which facilities: one by name, or all of a place."""

    name: str | None = None
    city: str | None = None
    state: str | None = None
    zip_code: str | None = None
    wire_type: str | None = None
    active_only: bool = True


@frozen
class Places:
    """Answers about the facilities of one registry."""

    registry: Registry
    budget: Budget

    def search(self, asked: PlaceQuestion, ctx: Context, reader: Reader) -> PlaceAnswer:
        """The facilities that fit, with counts; for a trusted reader also the newest people there.

        Raises:
            UserError: FACILITY_NOT_FOUND, or LOCATION_AMBIGUOUS with the candidates.
        """
        if reader.is_trusted:
            self.budget.check(ctx, reader)
        with self.registry.opened() as store:
            found = self._found(store, asked)
            # Nobody in a juvenile facility is counted or shown.
            keys = [one.key for one in found if one.kind not in JUVENILE]
            born_until = self.registry.today().year - ADULT_YEARS - 1
            counts: dict[str, int] = {}
            listed = None
            if keys:
                counts = people.counts_at(
                    store,
                    keys,
                    held_only=asked.active_only,
                    born_until=born_until,
                    undated=self.registry.keeps_undated,
                )
            if reader.is_trusted:
                newest = (
                    people.newest_at(
                        store,
                        keys,
                        MOST_AT_FACILITY,
                        held_only=asked.active_only,
                        born_until=born_until,
                        undated=self.registry.keeps_undated,
                    )
                    if keys
                    else []
                )
                by_key = {one.key: one for one in found}
                allowed = self.budget.allowed(ctx, reader, newest)
                listed = tuple((one, by_key.get(one.facility_id or "")) for one in newest if one.key in allowed)
            counted = {one.key: counts.get(one.key, 0) for one in found if one.kind not in JUVENILE}
            return PlaceAnswer(tuple(found), counted, listed, self.registry.state(store))

    def one(self, *, name: str | None, official_id: str | None) -> tuple[Facility, State]:
        """The facility with this code or, without one, this name.

        Raises:
            UserError: FACILITY_NOT_FOUND, or LOCATION_AMBIGUOUS with the candidates.
        """
        with self.registry.opened() as store:
            if official_id is not None:
                found = facilities.by_official_id(store, official_id)
                if found is None:
                    raise _not_found("No facility has this code", [])
                if name and found.key not in {
                    one.key for one in rank(undatum(name), NameList.of(facilities.names(store)))
                }:
                    raise _not_found("`facility_id` and `facility_name` name two different facilities", [found])
            else:
                found = self._by_name(store, name or "", None)
            return found, self.registry.state(store)

    def _found(self, store: Store, asked: PlaceQuestion) -> list[Facility]:
        if asked.name is not None:
            one = self._by_name(store, asked.name, asked)
            if asked.wire_type not in (None, one.wire_type):
                raise _not_found(_of_another_type(one, asked.wire_type), [one])
            return [one]
        found = facilities.at(
            store, city=asked.city, state=asked.state, zip_code=asked.zip_code, most=MOST_FACILITIES * 4
        )
        there = found
        if asked.wire_type is not None:
            found = [one for one in there if one.wire_type == asked.wire_type]
        if not found:
            if there:
                raise _not_found(f"No facility in this place has the type {asked.wire_type}", there[:MOST_CANDIDATES])
            raise _not_found("The list has no facility in this place", self._near(store, asked))
        in_use = [one for one in found if one.status == IN_USE]
        rest = [one for one in found if one.status != IN_USE]
        return [*in_use, *rest][:MOST_FACILITIES]

    def _by_name(self, store: Store, name: str, within: PlaceQuestion | None) -> Facility:
        name = undatum(name)
        if sum(character.isalnum() for character in name) < SHORTEST_NAME:
            raise _not_found(f"`facility_name` must have at least {SHORTEST_NAME} letters or digits", [])
        ranked = rank(name, NameList.of(facilities.names(store)), limit=40)
        known = facilities.by_key(store, [one.key for one in ranked])
        if within is not None:
            ranked = [one for one in ranked if _is_within(known[one.key], within)]
        chosen = meant(ranked, {key for key, one in known.items() if one.status == IN_USE})
        if chosen is not None:
            return known[chosen.key]
        candidates = [known[one.key] for one in ranked[:MOST_CANDIDATES]]
        if not ranked or ranked[0].score < SURE:
            raise _not_found("No facility with this name is listed", candidates)
        raise UserError(
            f"Several facilities fit {datum(name)}: {_listed(candidates)}. Ask again with one of these"
            " names and its city and state, or with its facility_id (get_facility_info).",
            code="LOCATION_AMBIGUOUS",
            details={"candidates": [_brief(one) for one in candidates]},
        )

    @staticmethod
    def _near(store: Store, asked: PlaceQuestion) -> list[Facility]:
        if asked.state is None:
            return []
        return facilities.at(store, city=None, state=asked.state, zip_code=None, most=MOST_CANDIDATES)


def _of_another_type(one: Facility, asked: str | None) -> str:
    known = f"it is {one.wire_type}" if one.wire_type else "its type is not known"
    return f"{datum(one.name)} does not have the type {asked} ({known})"


def _is_within(one: Facility, asked: PlaceQuestion) -> bool:
    return (
        (asked.city is None or fold(one.city or "") == fold(asked.city))
        and asked.state in (None, one.state)
        and (asked.zip_code is None or (one.zip_code or "")[:5] == asked.zip_code[:5])
    )


def _not_found(why: str, near: list[Facility]) -> UserError:
    hint = f" Similar: {_listed(near)}." if near else ""
    return UserError(
        f"{why}.{hint} Check the spelling, or ask by city and state, or by ZIP code."
        " The facility list is not complete.",
        code="FACILITY_NOT_FOUND",
        details={"candidates": [_brief(one) for one in near]},
    )


def _listed(found: list[Facility]) -> str:
    return "; ".join(
        f"{datum(one.name)} ({', '.join(filter(None, (one.city, one.state))) or 'place unknown'})" for one in found
    )


def _brief(one: Facility) -> dict[str, str]:
    made = {"name": datum(one.name), "facility_id": one.official_id, "city": one.city, "state": one.state}
    return {name: value for name, value in made.items() if value}
