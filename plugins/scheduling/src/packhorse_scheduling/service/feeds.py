"""Calendars at a secret address, for programs that subscribe and cannot sign in."""

import hashlib
import secrets
from datetime import datetime

from attrs import frozen

from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule, not_found
from packhorse_scheduling.service import CALENDARS, RosterDesk
from packhorse_scheduling.service.versions import check_expected
from packhorse_scheduling.store.records import Feeds

SECRET_BYTES = 24
"""192 random bits: nobody finds an address by trying."""


@frozen
class FeedDesk:
    """One address a person, made, replaced and ended."""

    desk: RosterDesk

    def address(self, person: str, by: str | None, *, renew: bool) -> str:
        """A new address for this person; with ``renew``, in the place of the one there is.

        Raises:
            UserError: there is one already, or the server's own address is not set.
        """
        base = self.desk.public_url
        if base is None:
            raise forbidden_by_rule(
                "Calendars need the server's public address. The operator must set"
                " `public_url` under [packs.scheduling], and serve over HTTP."
            )
        secret = secrets.token_urlsafe(SECRET_BYTES)
        with self.desk.rosters() as rosters, rosters.store.tx():
            check_expected(rosters.published())
            feeds = Feeds(rosters.store)
            since = feeds.made_at(person)
            if since is not None and not renew:
                raise forbidden_by_rule(
                    f"There has been an address since {since.date().isoformat()}, which only its owner knows."
                    " For a new address, use action renew. The old address then stops working."
                )
            now, what = self.desk.now(), "calendar address made" if since is None else "calendar address renewed"
            feeds.keep(person, _digest(secret), now, by)
            rosters.note(self.desk.host.new_id(), now, by, what, None, person=person)
        return base.rstrip("/") + CALENDARS.format(secret=secret)

    def end(self, person: str, by: str | None) -> datetime | None:
        """End the person's address: since when there was one; None where there was none."""
        with self.desk.rosters() as rosters, rosters.store.tx():
            check_expected(rosters.published())
            feeds = Feeds(rosters.store)
            since = feeds.made_at(person)
            if feeds.drop(person):
                rosters.note(
                    self.desk.host.new_id(), self.desk.now(), by, "calendar address ended", None, person=person
                )
        return since

    def opened(self, secret: str) -> tuple[Opened, str]:
        """The roster in force and the key of the person whose address this is.

        Raises:
            UserError: the address is nobody's, or its person is not of the programme any more.
        """
        with self.desk.rosters() as rosters:
            person = Feeds(rosters.store).person_of(_digest(secret))
        if person is not None:
            opened = self.desk.current()
            if person in opened.kernel.person_of:
                return opened, person
        raise not_found("calendar", "")


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
