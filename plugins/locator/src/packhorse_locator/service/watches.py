"""Watches that advocates keep on people: what has changed since they last looked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from packhorse import UserError
from packhorse_locator.domain.answers import State
from packhorse_locator.domain.facilities import Facility
from packhorse_locator.domain.people import Detainee
from packhorse_locator.domain.watches import Report, Watch, change_of
from packhorse_locator.store import facilities, people, watches

if TYPE_CHECKING:
    from packhorse.store.sqlite import Store
    from packhorse_locator.service.registry import Registry

MOST_WATCHES = 100
"""Watches of one owner: a caseload, and no copy of the registry."""


@frozen
class Watches:
    """Keeps and reviews watches. ``owner`` is the verified subject of who asks."""

    registry: Registry

    def start(self, owner: str, record_id: str) -> tuple[Watch, Detainee, Facility | None]:
        """A watch on the record with this id, as a search result gave it.

        Raises:
            UserError: there is no such record, several sources have one, or there are too many watches.
        """
        with self.registry.opened() as store:
            found = [one for one in people.by_record_id(store, record_id) if self._may_be_shown(store, one)]
            if len(found) != 1:
                several = "Several sources have a record with this id: give it as source/record_id." if found else ""
                raise UserError(
                    several or "There is no record with this id. Take record_id from the results of a search.",
                    code="RECORD_NOT_FOUND",
                )
            mine = watches.of(store, owner)
            if len(mine) >= MOST_WATCHES and found[0].key not in {one.person for one in mine}:
                raise UserError(
                    f"You are watching {MOST_WATCHES} records, the maximum. Stop watching a record first"
                    " (stop_watching).",
                    code="TOO_MANY_WATCHES",
                )
            person = found[0]
            watch = Watch(
                id=self.registry.host.new_id(),
                owner=owner,
                person=person.key,
                since=self.registry.host.clock().isoformat(timespec="seconds"),
                facility_id=person.facility_id,
                status=person.status,
            )
            return watches.add(store, watch), person, self._place(store, person.facility_id)

    def review(self, owner: str) -> tuple[list[Report], State]:
        """Every watch of ``owner`` with what changed since the last review; what this shows is noted as shown."""
        with self.registry.opened() as store:
            mine = watches.of(store, owner)
            reports = [self._report(store, watch) for watch in mine]
            for report in reports:
                if report.person is not None and report.change != "none":
                    watches.note_seen(store, report.watch.id, report.person.facility_id, report.person.status)
            return reports, self.registry.state(store)

    def stop(self, owner: str, watch_id: str) -> bool:
        """End a watch; whether ``owner`` had it."""
        with self.registry.opened() as store:
            return watches.drop(store, owner, watch_id)

    def _report(self, store: Store, watch: Watch) -> Report:
        person = people.visible(store, [watch.person]).get(watch.person)
        if person is not None and not self._may_be_shown(store, person):
            person = None
        stays = people.stays_of(store, watch.person) if person is not None else []
        known = facilities.by_key(store, [stay.facility_id for stay in stays])
        return Report(
            watch=watch,
            change=change_of(watch, person),
            person=person,
            before=self._place(store, watch.facility_id),
            now=self._place(store, person.facility_id) if person is not None else None,
            stays=tuple((stay, known.get(stay.facility_id)) for stay in stays),
        )

    def _may_be_shown(self, store: Store, person: Detainee) -> bool:
        return self.registry.may_be_shown(person, self._place(store, person.facility_id))

    @staticmethod
    def _place(store: Store, key: str | None) -> Facility | None:
        return facilities.by_key(store, [key]).get(key) if key is not None else None
