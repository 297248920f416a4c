"""Reading sentences with the places that the registry knows and the tables that come with the pack."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from attrs import define

from packhorse_locator.domain.facility_names import NameList
from packhorse_locator.store import facilities, people

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store
    from packhorse_locator.domain.query.lexicon import Lexicon
    from packhorse_locator.domain.query.parsed import NotParsed, Parsed
    from packhorse_locator.domain.query.places import Gazetteer
    from packhorse_locator.service.registry import Registry


@cache
def lexicon() -> Lexicon:
    """The pack's tables, read with the first sentence."""
    from packhorse_locator.domain.query.lexicon import Lexicon

    def text(name: str) -> str:
        return files("packhorse_locator").joinpath("data", name).read_text("utf-8")

    return Lexicon.of(
        names=text("names.txt"), words=text("words.txt"), geography=text("geography.json"), cues=text("cues.json")
    )


@define
class Sentences:
    """Reads one sentence at a time; the names of facilities are read again when the registry has changed."""

    registry: Registry
    _held: tuple[int, Gazetteer] | None = None

    def read(self, text: str) -> Parsed | NotParsed:
        """What ``text`` asks for."""
        from packhorse_locator.domain.query.reading import read

        with self.registry.opened() as store:
            gazetteer = self._gazetteer(store)
        return read(text, gazetteer, lexicon())

    def _gazetteer(self, store: Store) -> Gazetteer:
        from packhorse_locator.domain.query.places import Gazetteer

        # The counter is read first: what changes while the names are read makes them be read again.
        change, held = people.changes(store), self._held
        if held is not None and held[0] == change:
            return held[1]
        gazetteer = Gazetteer(
            facilities=NameList.of(facilities.names(store)),
            titles=facilities.titles(store),
            in_use=facilities.in_use(store),
            towns=facilities.places(store),
        )
        self._held = change, gazetteer
        return gazetteer
