"""What runs now: calls of this process, and jobs; each can be ended by who may."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from packhorse.console.site import Site
from packhorse.contract.content import Page
from packhorse.contract.context import Context
from packhorse.contract.principal import Principal
from packhorse.door.catalogue import RouteEntry
from packhorse.door.execution import Running
from packhorse.door.shares import holder_of
from packhorse.errors import PackhorseError

SHOWN_JOBS = 50


@dataclass(frozen=True, slots=True)
class Call:
    """One call under way."""

    request_id: str
    name: str
    caller: str
    seconds: float
    limit: float
    may_end: bool


class CallPages:
    """Calls and jobs that the reader may see."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def shown(self, ctx: Context) -> Page:
        return await self._page(ctx)

    async def ended(self, ctx: Context, form: Mapping[str, str]) -> Page:
        self._site.check_form(ctx.principal, form)
        if "call" in form:
            return await self._page(ctx, *self._end_call(ctx.principal, form["call"]))
        words = await self._site.made(lambda: self._end_job(ctx.principal, form.get("job", "")))
        return await self._page(ctx, *words)

    async def part(self, ctx: Context) -> str:
        values = await self._values(ctx)
        return self._site.part("running", token=self._site.form_token(ctx.principal), **values)

    async def _page(self, ctx: Context, tone: str = "", words: str = "") -> Page:
        values = await self._values(ctx)
        return await self._site.made(
            lambda: self._site.page(ctx, "calls", "Calls and jobs", tone=tone, words=words, **values)
        )

    async def _values(self, ctx: Context) -> dict[str, Any]:
        calls = self._calls(ctx.principal)
        jobs, no_jobs = await self._site.made(lambda: self._jobs(ctx.principal))
        processes = self._site.deployment.settings.server.processes
        return {"calls": calls, "jobs": jobs, "no_jobs": no_jobs, "processes": processes}

    # --- calls ---

    def _calls(self, reader: Principal) -> list[Call]:
        loop = asyncio.get_running_loop()
        made = []
        for scope, running in self._site.deployment.dispatcher.runner.running.items():
            if isinstance(running.entry, RouteEntry) or not (self._site.sees_all(reader) or _is_own(reader, running)):
                continue
            spent = running.seconds - (scope.deadline - loop.time())
            who = running.request.principal
            caller = " ".join(word for word in (who.kind, who.subject) if word)
            made.append(
                Call(
                    running.request.id,
                    running.entry.name,
                    caller,
                    spent,
                    running.seconds,
                    self._may_end(reader, running),
                )
            )
        return sorted(made, key=lambda call: -call.seconds)

    def _may_end(self, reader: Principal, running: Running) -> bool:
        return self._site.is_operator(reader) or _is_own(reader, running)

    def _end_call(self, reader: Principal, request_id: str) -> tuple[str, str]:
        runner = self._site.deployment.dispatcher.runner
        named = [one for one in runner.running.values() if one.request.id == request_id]
        if not named or not all(self._may_end(reader, one) for one in named) or not runner.cancel(request_id):
            return "warn", "That call is not running any more, or is not yours to end."
        words = f"Ended: {named[0].entry.name}. Its caller hears so."
        if not named[0].entry.is_async:
            words += " Its thread may run on to its own end: what it does may still take effect."
        return "good", words

    # --- jobs ---

    def _jobs(self, reader: Principal) -> tuple[list[tuple[Any, bool, bool]], str]:
        """Jobs, each with whether its id is shown whole and whether the reader may end it; and why there are none."""
        from packhorse.jobs.work import Owner  # a server without jobs needs nothing of them until somebody looks

        engine = self._site.deployment.jobs
        if engine is None:
            return [], "No tool here starts jobs."
        owner = Owner.of(reader)
        try:
            latest = engine.latest(SHOWN_JOBS)
        except (PackhorseError, OSError):
            return [], "The jobs cannot be read now; the log says why."
        sees_all = self._site.sees_all(reader)
        listed = []
        for job in latest:
            is_own = owner.is_known and job.owner == owner
            # Anybody who knows its id owns a job without a known owner (`Owner.of`): only who sees all sees it whole.
            whole = owner.sees_all or job.owner.is_known
            if sees_all or is_own:
                listed.append((job, whole, whole and not job.is_finished and (owner.sees_all or is_own)))
        return listed, ""

    def _end_job(self, reader: Principal, which: str) -> tuple[str, str]:
        from packhorse.jobs.work import Owner

        engine, owner = self._site.deployment.jobs, Owner.of(reader)
        job = engine.cancel(which, owner) if engine is not None and _may(owner) else None
        if job is None:
            return "warn", "There is no such job, or it is not yours to end."
        if job.status in ("completed", "failed"):
            return "warn", f"That job is already {job.status}."
        return "good", f"Ended: {job.tool}." if job.is_finished else f"Cancel requested: {job.tool}."


def _is_own(reader: Principal, running: Running) -> bool:
    holder = holder_of(reader)
    return holder.rank != "anonymous" and holder == holder_of(running.request.principal)


def _may(owner: Any) -> bool:
    return bool(owner.sees_all or owner.is_known)
