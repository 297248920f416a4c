"""Reading sentences with the names that the registry knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

from packhorse_locator.domain.facility_names import NameList
from packhorse_locator.domain.query.parsed import Gazetteer, NotParsed, Parsed
from packhorse_locator.domain.query.reading import read
from packhorse_locator.service import name_lists
from packhorse_locator.store import facilities, name_words, people

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from packhorse.store.sqlite import Store
    from packhorse_locator.service.registry import Registry


name_lists.hand_in()


@define
class QueryDesk:
    """Reads one sentence at a time; the names of facilities are read again when the registry has changed."""

    registry: Registry
    _held: tuple[int, Gazetteer] | None = None

    def read(self, text: str) -> Parsed | NotParsed:
        """What ``text`` asks for."""
        with self.registry.opened() as store:
            gazetteer = self._gazetteer(store)
        return read(text, gazetteer)

    def _gazetteer(self, store: Store) -> Gazetteer:
        # The counter is read first: what changes while the names are read makes them be read again.
        change, held = people.changes(store), self._held
        if held is not None and held[0] == change:
            return held[1]
        gazetteer = Gazetteer(
            facilities=NameList.of(facilities.names(store)),
            titles=facilities.titles(store),
            where=facilities.cities(store),
            in_use=facilities.in_use(store),
            places=facilities.places(store),
            words=self._known,
        )
        self._held = change, gazetteer
        return gazetteer

    def _known(self, words: Sequence[str]) -> Mapping[str, tuple[int, int]]:
        with self.registry.opened() as store:
            return name_words.known(store, words)
