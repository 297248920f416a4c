"""The registry of one deployment: its store, its name index, and that the two agree."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from packhorse import Host
from packhorse.store.permissions import private_folder
from packhorse_locator.domain.answers import State
from packhorse_locator.domain.facilities import JUVENILE, Facility
from packhorse_locator.domain.freshness import SAMPLE, Stamp
from packhorse_locator.domain.people import MISSING_NAMES, Detainee, is_surely_adult
from packhorse_locator.search import NameQuery, Person, SearchOutcome
from packhorse_locator.service.suppression import SuppressionList
from packhorse_locator.store import people, sources

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store
    from packhorse_locator.search import IndexStats, NameIndex

logger = logging.getLogger("packhorse.locator")

AT_ONCE = 20_000
"""Changed people that a search indexes before it answers; more are indexed beside it, and the answer says so."""

SAMPLE_AS_OF = date(2026, 10, 31)
"""The day that the invented sample pretends to describe."""

SAMPLE_FACILITIES_AS_OF = date(2026, 7, 25)
"""The release of the compilation that the sample's facilities are from."""


class Registry:
    """Opens the store and the index; one for each deployment, used from any thread."""

    def __init__(
        self,
        host: Host,
        *,
        suppression: Path | None,
        sample: bool,
        stale_after_days: int,
        keeps_undated: bool = False,
    ) -> None:
        self.host = host
        self.suppression = SuppressionList(suppression)
        self.keeps_undated = keeps_undated
        self._sample = sample
        self._stale_after_days = stale_after_days
        self._index: NameIndex | None = None
        self._lock = threading.Lock()
        self._applied: frozenset[str] | None = None
        self._builder: threading.Thread | None = None

    def today(self) -> date:
        """The day in UTC."""
        return self.host.clock().date()

    def may_be_shown(self, person: Detainee, place: Facility | None) -> bool:
        """Whether nobody under 18 can be this person: by the year of birth, and not in a juvenile facility."""
        if place is not None and place.kind in JUVENILE:
            return False
        return is_surely_adult(person.birth_year, self.today()) or (person.birth_year is None and self.keeps_undated)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """The store, with the suppression list applied, and with the sample in it while nothing was imported.

        Raises:
            UserError: the suppression list cannot be read.
        """
        listed = self.suppression.listed()
        with self.host.store() as store:
            self._fill(store)
            if listed != self._applied:
                with self._lock:
                    people.suppress(store, listed)
                    self._applied = listed
            yield store

    def search(self, store: Store, query: NameQuery) -> tuple[SearchOutcome, bool]:
        """What the name index finds, and whether it is behind the store."""
        index, behind = self._current(store)
        return index.search(query), behind

    def state(self, store: Store, *, behind: bool = False) -> State:
        """What stands behind an answer that is being given."""
        stamps = [stamp for stamp in sources.stamps(store) if stamp.kind == "people" and not stamp.remote]
        oldest = min((stamp.as_of for stamp in stamps), default=None)
        age = max((stamp.age_days(self.today()) for stamp in stamps if self.is_stale(stamp)), default=None)
        return State(
            data_version=str(people.changes(store)),
            is_sample=any(stamp.name == SAMPLE for stamp in stamps),
            is_behind=behind,
            oldest=oldest,
            stale_days=age,
        )

    def stamps(self) -> list[Stamp]:
        """Every source's stamp."""
        with self.opened() as store:
            return sources.stamps(store)

    def is_stale(self, stamp: Stamp) -> bool:
        """Whether people of a source are older than the deployer wants; the invented sample has no age."""
        old = stamp.age_days(self.today()) > self._stale_after_days
        return stamp.kind == "people" and stamp.name != SAMPLE and old

    def version(self) -> str:
        """What answers depend on: the last change, how far the index is, the suppression list, the day."""
        listed = self.suppression.listed()
        with self.opened() as store, self._lock:
            change, reached = people.changes(store), self._opened_index().sequence
        return f"{change}.{reached}.{hash(listed)}.{self.today()}"

    def disk_bytes(self, pattern: str) -> int:
        """Size of the pack's own files of these names."""
        return sum(file.stat().st_size for file in self.host.data_dir.glob(pattern))

    def index_stats(self) -> IndexStats:
        """The size of the name index, brought up to the store where that is little work."""
        with self.opened() as store:
            return self._current(store)[0].stats()

    def reindex(self) -> IndexStats:
        """Build the name index again from the store."""
        with self.opened() as store:
            index = self._opened_index()
            self._build(store, index)
            return index.stats()

    def catch_up(self) -> IndexStats:
        """Bring the name index up to the store, however much that is."""
        with self.opened() as store, self._lock:
            index = self._opened_index()
            if index.sequence != people.changes(store):
                self._replay(
                    store, index, people.changes(store), whole=people.count_changed(store, index.sequence) > AT_ONCE
                )
            return index.stats()

    def wait(self) -> None:
        """Wait until an index that is being built beside the searches is done."""
        if self._builder is not None:
            self._builder.join()

    def close(self) -> None:
        """Let the index go."""
        self.wait()
        with self._lock:
            if self._index is not None:
                self._index.close()
                self._index = None

    def _current(self, store: Store) -> tuple[NameIndex, bool]:
        with self._lock:
            index = self._opened_index()
            reached, change = index.sequence, people.changes(store)
            if reached == change:
                return index, False
            many = people.count_changed(store, reached) > AT_ONCE
            if many and 0 < reached < change and index.stats().records:
                self._build_beside()
                return index, True
            self._replay(store, index, change, whole=many or reached == 0 or reached > change)
            return index, False

    def _replay(self, store: Store, index: NameIndex, change: int, *, whole: bool) -> None:
        """Bring the index to ``change``. A kill in between leaves its counter behind, and this happens again."""
        if whole:
            self._build(store, index)
            return
        shown, gone = people.changed_since(store, index.sequence)
        if gone:
            index.remove(gone, sequence=index.sequence if shown else change)
        index.add(_persons(shown), sequence=change)

    def _build(self, store: Store, index: NameIndex) -> None:
        # The counter is read first: what changes while the people are read is replayed afterwards.
        change = people.changes(store)
        index.build(_persons(people.everyone(store)), sequence=change)

    def _build_beside(self) -> None:
        if self._builder is not None and self._builder.is_alive():
            return

        def build() -> None:
            from packhorse_locator.search import NameIndex

            try:
                with self.host.store() as store, NameIndex.open(self._folder()) as index:
                    self._build(store, index)
            except Exception:
                # The old index still answers, and the next search tries again.
                logger.exception("the name index could not be built")

        self._builder = threading.Thread(target=build, name="locator-index", daemon=True)
        self._builder.start()

    def _opened_index(self) -> NameIndex:
        if self._index is None:
            from packhorse_locator.search import NameIndex

            self._index = NameIndex.open(self._folder())
        return self._index

    def _folder(self) -> Path:
        return private_folder(self.host.data_dir / "names")

    def _fill(self, store: Store) -> None:
        if not self._sample:
            return
        have = {stamp.kind for stamp in sources.stamps(store)}
        if have == {"people", "facilities"}:
            return
        from packhorse_locator.service.files import TableFile
        from packhorse_locator.service.loading import Loader

        loader = Loader(store, self.host.clock())
        data = resources.files("packhorse_locator") / "data"
        with self._lock:
            # Asked again inside the lock: another call may have been first.
            have = {stamp.kind for stamp in sources.stamps(store)}
            if "facilities" not in have:
                with resources.as_file(data / "facilities.csv") as path:
                    loader.facilities(TableFile(path, {}), SAMPLE, SAMPLE_FACILITIES_AS_OF)
            if "people" not in have:
                with resources.as_file(data / "people.csv") as path:
                    loader.people(TableFile(path, {}), SAMPLE, SAMPLE_AS_OF)


def _persons(found: Iterable[Detainee]) -> Iterator[Person]:
    for one in found:
        given = " ".join(part for part in (one.first, one.middle) if part and part.upper() not in MISSING_NAMES)
        family = "" if one.last.upper() in MISSING_NAMES else one.last
        yield Person(
            key=one.key,
            given=given,
            family=family,
            country=one.country,
            birth_year=one.birth_year,
            booked=one.booked,
        )
