"""How much of the registry one caller may learn in an hour: different people, and what was tried on them."""

from __future__ import annotations

import hmac
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse import Context, UserError
from packhorse_locator.domain.allowances import FIELDS_EACH, TRUSTED_PEOPLE_AN_HOUR
from packhorse_locator.domain.disclosure import Reader
from packhorse_locator.store import learnt

if TYPE_CHECKING:
    from packhorse import Host
    from packhorse.store.sqlite import Store
    from packhorse_locator.domain.people import Detainee

HOUR_SECONDS = 3_600
FILE = "learnt.sqlite3"


@frozen
class Budget:
    """Counts by caller as the host's limits do; the user of this machine, whose registry it is, is not counted."""

    host: Host
    people_an_hour: int

    def check(self, ctx: Context, reader: Reader, *, tries_fields: bool = False) -> None:
        """Refuse a caller who has learnt enough, before anything is looked up: the refusal depends on nobody's record.

        Raises:
            UserError: RATE_LIMITED, with the time from which there is room again.
        """
        if ctx.principal.holds_every_role:
            return
        now = self._now()
        with self._store() as store:
            callers = self._digests(store, ctx.counted_as)
            for kind, most in self._most(reader).items():
                if kind == "field" and not tries_fields:
                    continue
                first = learnt.oldest(store, callers, now - HOUR_SECONDS, kind, most)
                if first is not None:
                    raise _spent(ctx, most, kind, max(1, math.ceil(first + HOUR_SECONDS - now)))

    def allowed(
        self, ctx: Context, reader: Reader, people: Sequence[Detainee], tried: Sequence[str] = ()
    ) -> frozenset[str]:
        """The keys of those who may be shown, the first before the others; they are noted as learnt.

        ``tried`` are the country and the year of birth that were asked for.
        """
        if ctx.principal.holds_every_role or not people:
            return frozenset(one.key for one in people)
        now = self._now()
        with self._store() as store:
            digests = dict(zip(self._digests(store, [one.key for one in people]), people, strict=True))
            wanted = [
                (digest, self._digests(store, [f"{one.key}|{field}" for field in tried]))
                for digest, one in digests.items()
            ]
            callers = self._digests(store, ctx.counted_as)
            shown = learnt.take(store, callers, wanted, now, now - HOUR_SECONDS, self._most(reader))
            return frozenset(digests[one].key for one in shown)

    def _most(self, reader: Reader) -> dict[str, int]:
        people = TRUSTED_PEOPLE_AN_HOUR if reader.is_trusted else self.people_an_hour
        return {"person": people, "field": people * FIELDS_EACH}

    def _now(self) -> float:
        return self.host.clock().timestamp()

    def _store(self) -> Store:
        from packhorse.store.sqlite import Store

        return Store.open(self.host.data_dir / FILE, learnt.MIGRATIONS)

    @staticmethod
    def _digests(store: Store, values: Sequence[str]) -> list[str]:
        key = learnt.secret(store)
        return [hmac.digest(key, value.encode(), "sha256").hex()[:32] for value in values]


def _spent(ctx: Context, most: int, kind: str, seconds: int) -> UserError:
    minutes = -(-seconds // 60)
    what = f"{most} different people" if kind == "person" else f"{most} countries and years of birth tried on them"
    alone = (
        " Callers who are not signed in share this with everybody at their address: who signs in has a budget of their"
        " own."
        if ctx.principal.subject is None
        else ""
    )
    return UserError(
        f"You have seen {what} within an hour, which is the limit. Ask again in {minutes} minutes.{alone}",
        code="RATE_LIMITED",
        details={"retry_after_seconds": seconds, "limit": most},
    )
