"""The status page: what this server serves and how it fares, for a person with a browser.

It is read, never acted on: there is no form and no script in it. Behind
authentication it shows what its reader may see; a browser, which cannot send
a bearer token, asks for one as the password of a sign-in box (RFC 7617).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from packhorse.compose.deployment import Deployment
from packhorse.compose.packs import core_version
from packhorse.compose.reach import CURE, described, unreachable
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.contract.observers import Observer
from packhorse.contract.principal import Principal
from packhorse.door.catalogue import HOST, Entry, ToolEntry, kind_of
from packhorse.errors import PackhorseError, UserError
from packhorse.status.page import Job, Pack, Refusal, Sign, Status, Tool, page, styles

if TYPE_CHECKING:
    from packhorse.jobs.work import Owner

MOST_WAITING = 4
"""Readers who may wait while the page is made for another; the next one must try again."""

SHOWN_JOBS = 50
SHOWN_REFUSALS = 50
LOOKED_AT = 2_000
"""Rows of the record that are looked through for refusals, newest first."""

_UNANSWERED = frozenset({"refused", "denied", "failed", "timeout"})


class StatusPage(Observer):
    """Gives each caller the page, once `open` has named the deployment."""

    _deployment: Deployment
    _begun: datetime

    def __init__(self) -> None:
        self._making = anyio.CapacityLimiter(1)
        self._readers = 0

    def open(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self._begun = deployment.clock()

    async def shown(self, ctx: Context) -> Page:
        """What this server serves and how it is, for a person with a browser."""
        # A page takes as long as many calls: one is made at a time, and not in the threads that calls wait for.
        if self._readers > MOST_WAITING:  # counted here: of those who come together the limiter sees none at first
            raise UserError(
                "Too many people are viewing this page now. Try again in a moment.",
                code="BUSY",
                details={"retry_after_seconds": 1},
            )
        self._readers += 1
        try:
            made = await anyio.to_thread.run_sync(lambda: page(self._status(ctx.principal)), limiter=self._making)
        finally:
            self._readers -= 1
        return Page(made, styles=styles())

    def _status(self, reader: Principal) -> Status:
        # Without authentication the page is for the person at this machine.
        from packhorse.jobs.work import Owner  # a server without jobs needs nothing of them until somebody looks

        owner = Owner.of(reader)
        sees_all = owner.sees_all or not self._deployment.dispatcher.authenticated
        jobs, no_jobs = self._jobs(owner, sees_all)
        refusals, no_refusals = self._refusals(reader, sees_all)
        return Status(
            name=self._deployment.settings.server.name,
            version=core_version(),
            reader=reader.subject or reader.kind,
            made_at=_at(self._deployment.clock()),
            signs=list(self._signs()),
            packs=list(self._packs(reader, sees_all)),
            tools=[_tool(entry) for entry in self._deployment.catalogue.tools.values() if self._sees(reader, entry)],
            jobs=jobs,
            refusals=refusals,
            missing={"jobs": no_jobs, "refusals": no_refusals},
        )

    def _sees(self, reader: Principal, entry: Entry) -> bool:
        return self._deployment.dispatcher.visible(reader, entry.offer)

    def _signs(self) -> Iterator[Sign]:
        dispatcher, settings = self._deployment.dispatcher, self._deployment.settings
        ready = self._deployment.ready
        yield Sign("Ready", "ready" if ready else "not ready", "good" if ready else "bad", "What /readyz answers.")
        up = timedelta(seconds=round((self._deployment.clock() - self._begun).total_seconds()))
        yield Sign("Up", f"{up}", "", f"Since {_at(self._begun)}.")
        used, size = dispatcher.calls.used, dispatcher.calls.size
        yield Sign(
            "Calls",
            f"{used} of {size}",
            "warn" if used >= size else "",
            "Calls running now, and the most that may run at a time.",
        )
        if unwell := dispatcher.overdue.unwell:
            yield Sign(
                "Unwell", ", ".join(unwell), "bad", "Their threads outlive their calls; their calls are refused."
            )
        record = dispatcher.accounts.record
        if record is None:
            yield Sign(
                "Audit record", "off", "warn", "No call is recorded: it is off under [audit], or nothing is served."
            )
        elif record.available:
            yield Sign("Audit record", "on", "good", "Each call is recorded; 'packhorse audit verify' checks it.")
        else:
            yield Sign(
                "Audit record",
                "cannot be written",
                "bad",
                "Calls that may change something are refused until it can be written.",
            )
        signed_in = "on" if dispatcher.authenticated else "off"
        nobodys = unreachable(self._deployment)
        detail = f"{described(nobodys)}. {CURE}." if nobodys else "Whether callers show who they are."
        yield Sign("Authentication", signed_in, "warn" if nobodys else "", detail)
        yield Sign("Transport", settings.server.transport, "", f"Paths: {', '.join(settings.server.paths)}.")

    def _packs(self, reader: Principal, sees_all: bool) -> Iterator[Pack]:
        catalogue = self._deployment.catalogue
        nobodys = unreachable(self._deployment)
        for pack in catalogue.packs:
            name = pack.found.name
            own = [one for one in catalogue.entries if one.pack == name and (sees_all or self._sees(reader, one))]
            skills = sum(skill.pack == name for skill in catalogue.skills)
            counts = Counter(kind_of(one) for one in own) | {"skill": skills}
            counted = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counts.items() if count)
            if nobodys.get(name):
                counted += f"; nobody can call {nobodys[name]} of the tools here"
            yield Pack(name, pack.found.version, pack.pack.title, counted or "nothing to offer")
        hosts_own = sum(tool.pack == HOST for tool in catalogue.tools.values())
        if hosts_own:
            yield Pack(HOST, core_version(), "The host itself", f"{hosts_own} tools, for jobs")
        for broken in catalogue.broken:
            reason = broken.reason if sees_all else "It could not be loaded; the operator can see the reason."
            yield Pack(broken.found.name, broken.found.version, broken.found.name, "", fault=reason)

    def _jobs(self, owner: "Owner", sees_all: bool) -> tuple[list[Job] | None, str]:
        engine = self._deployment.jobs
        if engine is None:
            return None, "No tool here starts jobs."
        try:
            latest = engine.latest(SHOWN_JOBS)
        except (PackhorseError, OSError):
            return None, "The jobs cannot be read now; the log says why."
        seen = [job for job in latest if sees_all or (owner.is_known and job.owner == owner)]
        # Anybody who knows its id owns a job without a known owner (`Owner.of`): only those who see all see it whole.
        return [_job(job, whole=owner.sees_all or job.owner.is_known) for job in seen], ""

    def _refusals(self, reader: Principal, sees_all: bool) -> tuple[list[Refusal] | None, str]:
        settings = self._deployment.settings
        if self._deployment.dispatcher.accounts.record is None:
            return None, "No call is recorded here, so none can be shown."
        from packhorse.audit.extract import tail

        record = self._deployment.dispatcher.accounts.record
        try:
            if record is not None:
                record.flush()  # a refusal may wait a second before it is written
            rows = tail(settings.audit_path, LOOKED_AT)
        except PackhorseError:
            return None, "The record cannot be read now; 'packhorse audit verify' says more."
        issuer = reader.claims.get("iss")
        found = (
            refusal
            for refusal, who in _refused([row["body"] for row in rows if isinstance(row["body"], dict)])
            if sees_all or (reader.subject and (who.get("subject"), who.get("issuer")) == (reader.subject, issuer))
        )
        return [refusal for refusal, _ in zip(found, range(SHOWN_REFUSALS), strict=False)], ""


def _at(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _short(stamp: str) -> str:
    """An instant of the record or the jobs, to the second."""
    return stamp[:19].replace("T", " ")


def _tool(entry: ToolEntry) -> Tool:
    offer = entry.offer
    marks = [
        "only reads" if offer.read_only else "may change something",
        *(["may destroy something"] if offer.destructive and not offer.read_only else []),
        *(["starts a job"] if offer.job else []),
        *([f"at most {entry.limit}"] if entry.limit else []),
        *(f"for {role}" for role in sorted(offer.roles)),
    ]
    return Tool(
        entry.name, entry.pack, offer.title, entry.description, marks, entry.arguments.schema, entry.answers.schema
    )


def _job(job: Any, *, whole: bool) -> Job:
    progress = job.progress
    of = f" of {progress.total:g}" if progress and progress.total is not None else ""
    counted = f"{progress.done:g}{of} {progress.message or ''}".strip() if progress else ""
    shown = job.id if whole else f"{job.id[:8]}..."
    return Job(shown, job.tool, job.status, job.owner.subject or job.owner.issuer, counted, _short(job.updated_at))


def _refused(bodies: list[dict[str, Any]]) -> Iterator[tuple[Refusal, Mapping[str, Any]]]:
    """The calls that were not answered, newest first, and who made each."""
    begun = {body.get("id"): body for body in bodies if body.get("type") == "begin"}
    for body in reversed(bodies):
        outcome = body.get("outcome")
        call = body.get("call") or begun.get(body.get("begin"), {}).get("call")
        if not isinstance(outcome, dict) or not isinstance(call, dict) or outcome.get("status") not in _UNANSWERED:
            continue
        who = call.get("principal") or {}
        caller = " ".join(str(who[key]) for key in ("kind", "subject") if who.get(key))
        yield (
            Refusal(
                _short(str(body.get("time", ""))),
                str(call.get("name", "")),
                caller,
                str(outcome["status"]),
                str(outcome.get("code", "")),
                str(call.get("request_id", "")),
            ),
            who,
        )
