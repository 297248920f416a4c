"""Wishes that people rank: kept beside the programme, so that no import loses them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_scheduling.domain.programme.programme import Programme
from packhorse_scheduling.domain.programme.requests import Preference, with_wishes
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule
from packhorse_scheduling.service import RosterDesk
from packhorse_scheduling.service.changes import ChangeDesk
from packhorse_scheduling.service.versions import check_expected

if TYPE_CHECKING:
    from packhorse_scheduling.store import Rosters


@frozen
class WishDesk:
    """Wishes for the year of the programme imported last."""

    desk: RosterDesk

    def in_force(self) -> Opened | None:
        """The roster in force, where it is of that year."""
        opened, (_, programme) = self.desk.published(), self.desk.programme()
        return opened if opened is not None and opened.programme.year == programme.year else None

    def rank(self, person: str, wishes: Sequence[Preference], by: str | None) -> None:
        """Let a person (by key) wish for this, the dearest first, and nothing else; wishes of days gone by stay.

        Raises:
            UserError: somebody has just changed the programme or what is published.
        """
        from packhorse_scheduling.store.records import Wishes

        desk, now = self.desk, self.desk.now()
        key, programme = desk.programme()
        past = [row for row in programme.preferences if row.person == person and row.day < desk.today()]
        ranked = {person: (*past, *wishes)}

        def keep(rosters: "Rosters") -> None:
            Wishes(rosters.store).keep(person, programme.year.name, ranked[person], now, by)

        def changed(before: Programme) -> Programme:
            return with_wishes(before, ranked)

        opened = self.in_force()
        if opened is not None:
            ChangeDesk(desk).restate(opened, changed, by, "wishes ranked", keep, person=person)
            return
        after = changed(programme)
        desk.check_programme(after)
        with desk.rosters() as rosters, rosters.store.tx():
            check_expected(rosters.published())
            if rosters.newest_programme_id() != key:
                raise forbidden_by_rule(
                    "Another change was made at the same moment, so nothing was written. Try again."
                )
            rosters.save_programme(desk.host.new_id(), after, now)
            keep(rosters)
            rosters.note(desk.host.new_id(), now, by, "wishes ranked", None, person=person)
