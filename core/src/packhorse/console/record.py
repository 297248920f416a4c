"""The record: calls by name, caller, outcome and day, newest first; and whether nobody has changed it."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from packhorse.audit.browse import OPEN, Leaf, Recorded, as_csv, calls
from packhorse.console.site import Site
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.contract.principal import Principal
from packhorse.errors import PackhorseError, UserError

if TYPE_CHECKING:
    from packhorse.audit.report import Report

ROWS = 50
"""Calls on a page."""

EXPORTED = 5_000
"""Calls in one table: two megabytes or so. An older part has an address of its own."""
LOOKS = 10
"""Parts of the record that are looked through for one table, each of `LOOKED_AT` rows."""

OUTCOMES = {
    "": "any outcome",
    "unanswered": "not answered",
    "ok": "ok",
    "refused": "refused",
    "denied": "denied",
    "failed": "failed",
    "timeout": "out of time",
    "cancelled": "cancelled",
    OPEN: "no outcome yet",
}


@dataclass(frozen=True, slots=True)
class Filter:
    """What somebody looks for; what is empty matches all, but for pages that were looked at."""

    name: str = ""
    caller: str = ""
    outcome: str = ""
    since: str = ""
    until: str = ""
    pages: str = ""

    def matches(self, call: Recorded) -> bool:
        who = f"{call.caller} {call.principal.get('issuer', '')} {call.address}"
        return (
            bool(self.pages or call.kind != "route" or call.name.startswith("POST "))
            and self.name.casefold() in f"{call.name} {call.pack} {call.code} {call.request_id}".casefold()
            and self.caller.casefold() in who.casefold()
            and (
                self.outcome in ("", call.status) or (self.outcome == "unanswered" and call.status not in ("ok", OPEN))
            )
            and (not self.since or call.time[:10] >= self.since)
            and (not self.until or call.time[:10] <= self.until)
        )

    @property
    def query(self) -> dict[str, str]:
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


class Checking:
    """One pass over the record, in a thread: how far it is, and what it found."""

    def __init__(self) -> None:
        self.done = self.total = 0
        self.report: Report | None = None
        self.problem = ""
        self.is_running = False
        self._lock = threading.Lock()

    def start(self, settings: Any) -> None:
        with self._lock:
            if self.is_running:
                return
            self.is_running, self.done, self.total, self.report, self.problem = True, 0, 0, None, ""
        threading.Thread(target=self._run, args=(settings,), name="packhorse-verify", daemon=True).start()

    def _run(self, settings: Any) -> None:
        from packhorse.audit.report import verify

        audit = settings.audit
        try:
            self.report = verify(settings.audit_path, audit.anchor, audit.secret, watch=self._watch)
        except PackhorseError as exc:
            self.problem = str(exc)
        finally:
            self.is_running = False

    def _watch(self, done: int, total: int) -> None:
        self.done, self.total = done, total


class RecordPages:
    """What was called. A reader sees their own calls; an admin, and who sits at the machine, everybody's."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._checking = Checking()

    async def shown(
        self, ctx: Context, name: str = "", caller: str = "", outcome: str = "", since: str = "", until: str = "",
        pages: str = "", below: str = "", table: str = "",
    ) -> Page:  # fmt: skip
        """Some of the record, from the row ``below`` on; with ``table`` as one for a spreadsheet, `EXPORTED` calls."""
        chosen = Filter(name, caller, outcome, since, until, pages)
        row = int(below) if below.isdigit() and len(below) < 16 else None
        if table:
            return await self._site.made(lambda: self._table(ctx.principal, chosen, row))
        return await self._site.made(lambda: self._page(ctx, chosen, row))

    async def checked(self, ctx: Context, form: Mapping[str, str]) -> Page:
        self._site.check_form(ctx.principal, form)
        self._site.check_operator(ctx.principal)
        self._checking.start(self._site.deployment.settings)
        return await self._site.made(lambda: self._page(ctx, Filter(), None))

    def _table(self, reader: Principal, chosen: Filter, below: int | None) -> Page:
        found: list[Recorded] = []
        newest = below
        for _ in range(LOOKS):
            leaf, missing = self._leaf(reader, chosen, below, count=EXPORTED - len(found))
            if missing:
                raise UserError(missing, code="NO_RECORD")
            found += leaf.calls
            newest = newest or (found[0].seq if found else None)
            below = leaf.older
            if below is None or len(found) >= EXPORTED:
                break
        name = f"record-{newest or 0}-to-{below or 1}.csv"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Page(as_csv(found), "text/csv; charset=utf-8", headers=headers)

    def may_check(self, reader: Principal) -> bool:
        """Whether a reader may have every row looked at; with several processes the command does it."""
        return self._site.is_operator(reader) and self._site.deployment.settings.server.processes == 1

    def part(self, ctx: Context) -> str:
        return self._site.part("checking", checking=self._checking)

    def _page(self, ctx: Context, chosen: Filter, below: int | None) -> Page:
        leaf, missing = self._leaf(ctx.principal, chosen, below, count=ROWS)
        here = {**chosen.query, **({"below": below} if below is not None else {}), "table": "csv"}
        return self._site.page(
            ctx,
            "record",
            "Record",
            chosen=chosen,
            outcomes=OUTCOMES,
            calls=leaf.calls,
            older=urlencode({**chosen.query, "below": leaf.older}) if leaf.older is not None else "",
            newest=urlencode(chosen.query) if below is not None else None,
            export=urlencode(here),
            missing=missing,
            sees_all=self._site.sees_all(ctx.principal),
            may_check=self.may_check(ctx.principal),
            checking=self._checking,
            open=OPEN,
        )

    def _leaf(self, reader: Principal, chosen: Filter, below: int | None, *, count: int) -> tuple[Leaf, str]:
        deployment = self._site.deployment
        record = deployment.dispatcher.accounts.record
        if record is None:
            return Leaf(), "No call is recorded here: the record is off under [audit], or nothing is served."
        issuer = reader.claims.get("iss")

        def wanted(call: Recorded) -> bool:
            who = call.principal
            own = reader.subject is not None and (who.get("subject"), who.get("issuer")) == (reader.subject, issuer)
            return (own or sees_all) and chosen.matches(call)

        sees_all = self._site.sees_all(reader)
        try:
            record.flush()  # what only read may wait a second before it is written
            return calls(deployment.settings.audit_path, wanted, count=count, below=below), ""
        except PackhorseError:
            return Leaf(), "The record cannot be read now; 'packhorse audit verify' says more."
