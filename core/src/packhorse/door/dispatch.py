"""The one door: every call of every tool, resource and prompt passes here, from any caller.

In order: resolve the name, is it visible to this caller, roles, limit and
concurrency, validation, self and guards on the validated arguments, the entry
in the record (for what may change something), the run under its timeout, the
answer's shape and size, the outcome in record and metrics. What comes out is
an answer, a `UserError` (a refusal the caller can mend) or a `RequestError`
(who you are, what exists). A bug is logged with its traceback and leaves as a
masked refusal.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from packhorse.contract.clock import Clock, system_clock
from packhorse.contract.content import Embedded, Reply, size_of
from packhorse.contract.offers import Prompt, Resource, Route, Tool
from packhorse.contract.packs import Foresight, Offered
from packhorse.contract.principal import Principal
from packhorse.contract.questions import InputRequired, Suspended
from packhorse.door.authorization import Judge
from packhorse.door.cache import ResultCache, key_of, visibility_class
from packhorse.door.call_log import Accounts
from packhorse.door.capacity import Capacity
from packhorse.door.catalogue import (
    Catalogue,
    Entry,
    Match,
    PromptEntry,
    ResourceEntry,
    RouteEntry,
    ToolEntry,
    digest_of,
)
from packhorse.door.entrances import Entrance, check_harm
from packhorse.door.execution import Requester, Runner, bug
from packhorse.door.limits import MAX_AMOUNT, Adaptive, Limit, Limiter, callers_of
from packhorse.door.shares import Place
from packhorse.door.variables import check_prompt_arguments, converted
from packhorse.errors import CLIENT_CANNOT, HOST_CODES, INVALID_PARAMS, RESOURCE_NOT_FOUND, RequestError, UserError
from packhorse.settings import ServerSettings

ROUNDS = 10
"""Rounds of questions that one call may take, in a tool's limit."""

if TYPE_CHECKING:
    from packhorse.jobs.engine import Engine


class Dispatcher:
    """Admits and runs calls on one catalogue.

    ``accounts`` hear of every call; ``limiter`` counts those of limited tools;
    ``outdated`` takes the name of a pack that keeps answers and may have changed something.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        settings: ServerSettings,
        *,
        limiter: Limiter | None = None,
        clock: Clock = system_clock,
        data_versions: Mapping[str, Callable[[], str]] | None = None,
        jobs: "Engine | None" = None,
        accounts: Accounts | None = None,
    ) -> None:
        self.catalogue = catalogue
        self.settings = settings
        self.authenticated = bool(catalogue.verifiers)
        self.accounts = accounts or Accounts()
        self._capacity = Capacity(catalogue, settings, signed_in=self.authenticated)
        self.calls, self.overdue = self._capacity.calls, self._capacity.overdue
        self._judge = Judge(catalogue, authenticated=self.authenticated, timeout_seconds=settings.timeout_seconds)
        self.runner = Runner(settings, partial(_Inside, self), self.accounts.subject_hash)
        self._clock = clock
        self._limiter = limiter or Limiter.memory(clock=clock)
        self._pace = {name: Adaptive(entry.limit) for name, entry in catalogue.tools.items() if entry.limit}
        self._data_versions = data_versions or {}
        self._jobs = jobs
        self._cache: ResultCache | None = None
        self._shown: dict[str, Offered] = {}
        self._states = {tool.pack: 0 for tool in catalogue.tools.values() if tool.is_kept}
        self._states |= {resource.pack: 0 for resource in catalogue.resources.values() if resource.is_kept}
        self.outdated: Callable[[str], None] = self.forget

    def visible(self, principal: Principal, offer: Tool | Resource | Prompt | Route) -> bool:
        """Whether lists show an offer to this caller. The check at the call does not rely on it."""
        return self._judge.visible(principal, offer)

    def hidden(self, principal: Principal, entry: Entry) -> bool:
        """Whether a guard keeps an offer out of this caller's list, though it is visible."""
        return isinstance(entry, ToolEntry) and self._judge.hidden(principal, entry)

    def forget(self, pack: str | None) -> None:
        """Give the kept answers of a pack no more; of all packs for None."""
        for one in self._states if pack is None else (pack,):
            if one in self._states:
                self._states[one] += 1

    def offered(self, principal: Principal) -> list[Offered]:
        entries = self.catalogue.tools.values()
        return [self._offered(entry) for entry in entries if self.visible(principal, entry.offer)]

    def _offered(self, entry: ToolEntry) -> Offered:
        if entry.name not in self._shown:
            of_pack = next((one.pack.codes for one in self.catalogue.packs if one.found.name == entry.pack), "")
            codes = HOST_CODES.union(of_pack.split(), entry.offer.refusals.values()) if of_pack else frozenset[str]()
            self._shown[entry.name] = _offered(entry, codes)
        return self._shown[entry.name]

    async def call_tool(
        self, request: Requester, name: str, arguments: Mapping[str, Any], *, entrance: Entrance | None = None
    ) -> Reply[Any] | InputRequired | Suspended:
        """Call a tool, by its own name or by an ``entrance``.

        Raises:
            UserError: the call was refused, or failed; the message is for the caller.
            RequestError: no such tool, not for this caller, or too often.
        """
        entry = self.catalogue.tools.get(name)
        async with self.accounts.open("tool", entry, request, arguments) as visit:
            if entry is None:
                raise _no_tool()
            self._judge.admit(request, entry)
            if entrance is not None:
                check_harm(entrance, entry.name, entry.offer)
            # Entered when every question has been answered: a round that only asks has done nothing yet.
            before: Callable[[], Awaitable[None]] | None = None if entry.offer.read_only else visit.begin
            if entry.limit is not None:
                if entry.parameters.resolved:
                    await self._count(request, f"questions:{entry.name}", _rounds_of(entry.limit))
                    before = partial(self._count_then, request, entry, before)
                else:
                    await self._count(request, f"tool:{entry.name}", self._pace[entry.name].limit)
            with self._capacity.place(request, entry) as place:
                bound = self._bound(request, entry, arguments)
                await self._judge.judge(request, entry, bound, arguments)
                reply: Reply[Any] | InputRequired | Suspended
                try:
                    if entry.is_kept:
                        compute = partial(self._answer, request, entry, bound, place, before)
                        reply = await self._kept(request, entry, bound, compute)
                    else:
                        reply = await self._answer(request, entry, bound, place, before)
                finally:
                    if not entry.offer.read_only and entry.pack in self._states:
                        self.outdated(entry.pack)  # failed or not: it may have got half-way
                visit.value = reply
                return reply

    async def read(self, request: Requester, uri: str, match: Match) -> tuple[ResourceEntry, Any]:
        """Read a resource: its entry, and text, bytes, a JSON value or content.

        Raises:
            UserError: the pack refused, or failed.
            RequestError: no such resource, or not for this caller.
        """
        found = self.catalogue.resource_at(uri, match)
        async with self.accounts.open("resource", found and found[0], request) as visit:
            if found is None:
                raise _not_found(uri)
            entry, variables = found
            self._judge.admit(request, entry)
            if isinstance(variables, UserError):
                raise variables
            bound = converted(request, entry, variables, missing=lambda: _not_found(uri))
            with self._capacity.place(request, entry) as place:
                compute = partial(self._contents, request, entry, bound, place)
                visit.value = await (self._kept(request, entry, bound, compute) if entry.is_kept else compute())
                return entry, visit.value

    async def visit(self, request: Requester, path: str, variables: Mapping[str, Any]) -> Any:
        """What a route's function gives for these variables: text, bytes or a JSON value.

        Raises:
            UserError: the pack refused, or failed.
            RequestError: not for this caller.
        """
        entry = self.catalogue.routes[path]
        if entry.offer.polled:
            return await self._visited(request, entry, variables)
        async with self.accounts.open("route", entry, request) as visit:
            visit.value = await self._visited(request, entry, variables)
            return visit.value

    async def _visited(self, request: Requester, entry: RouteEntry, variables: Mapping[str, Any]) -> Any:
        self._judge.admit(request, entry)
        bound = converted(request, entry, variables, missing=lambda: _not_found(entry.name))
        with self._capacity.place(request, entry) as place:
            return await self._contents(request, entry, bound, place)

    async def render(self, request: Requester, name: str, arguments: Mapping[str, str]) -> tuple[PromptEntry, Any]:
        """Render a prompt: its entry, and what its function returned.

        Raises:
            UserError: the pack refused, or failed.
            RequestError: no such prompt, wrong arguments, or not for this caller.
        """
        entry = self.catalogue.prompts.get(name)
        async with self.accounts.open("prompt", entry, request) as visit:
            if entry is None:
                message = "There is no prompt of that name; see prompts/list."
                raise RequestError(INVALID_PARAMS, "unknown_prompt", message)
            self._judge.admit(request, entry)
            check_prompt_arguments(entry, arguments)
            bound = converted(request, entry, arguments)
            with self._capacity.place(request, entry) as place:
                visit.value = await self.runner.run(request, entry, bound, place)
                return entry, visit.value

    async def complete(
        self, request: Requester, entry: ResourceEntry | PromptEntry, argument: str, typed: str
    ) -> list[str]:
        """Values for an argument that begin as ``typed``; none where the pack offers no help with it.

        Raises:
            UserError: the pack refused, or failed; it took too long; or too much is running.
            RequestError: the offer is not for this caller.
        """
        async with self.accounts.open("completion", entry, request):
            self._judge.admit(request, entry)
            complete = entry.offer.complete.get(argument)
            if complete is None:
                return []
            with self._capacity.place(request, entry) as place:
                return await self.runner.complete(request, entry, complete, typed, place)

    # --- before the run ---

    async def _count(self, request: Requester, pool: str, limit: Limit) -> None:
        exceeded = await self._limiter.hit(pool, limit, callers_of(request.principal, request.address))
        if exceeded is not None:
            raise exceeded.error()

    async def _count_then(
        self, request: Requester, entry: ToolEntry, after: Callable[[], Awaitable[None]] | None
    ) -> None:
        """Count a call whose questions have been answered: how often it asked before is counted apart."""
        await self._count(request, f"tool:{entry.name}", self._pace[entry.name].limit)
        if after is not None:
            await after()

    def _bound(self, request: Requester, entry: ToolEntry, arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return entry.arguments.bind(arguments)
        except UserError:
            raise
        except Exception as exc:
            # A validator of the pack's own may raise anything.
            raise bug(request.id, entry, "could not check its arguments") from exc

    # --- the run ---

    async def _answer(
        self,
        request: Requester,
        entry: ToolEntry,
        bound: dict[str, Any],
        place: Place,
        before: Callable[[], Awaitable[None]] | None,
    ) -> Reply[Any] | InputRequired | Suspended:
        try:
            value = await self.runner.run(request, entry, bound, place, before=before)
        except UserError as exc:
            if entry.limit and exc.code in entry.offer.slow_on:
                self._pace[entry.name] = self._pace[entry.name].failed(self._clock())
            raise
        if isinstance(value, InputRequired | Suspended):
            return value
        if entry.limit and entry.offer.slow_on:
            self._pace[entry.name] = self._pace[entry.name].succeeded()
        if entry.offer.job and self._jobs is not None:
            started = await self._start(self._jobs, request, entry, value)
            if started is not None:
                return started
        try:
            reply = entry.answers.shape(value)
        except Exception as exc:
            # Whatever a wrong return value makes of itself: the pack's bug, not the caller's.
            raise bug(request.id, entry, "gave an answer that its output schema forbids") from exc
        apart = reply.in_words or (reply.content and isinstance(reply.content[-1], Embedded))
        beside = [reply.structured] if apart else []
        self._check_size([*reply.content, *beside], entry.offer)
        return reply

    async def _start(self, jobs: "Engine", request: Requester, entry: ToolEntry, value: Any) -> Reply[Any] | None:
        """Start the job that the tool asks for: its handle. None where the tool had the answer at once."""
        from packhorse.jobs import Owner, Work
        from packhorse.jobs.handle import Started, handle_of

        if not isinstance(value, Work):
            return None
        if value.needs_tasks and not (request.wire and request.wire.takes_tasks):
            raise RequestError(
                CLIENT_CANNOT,
                "client_cannot",
                "This needs a client that supports the tasks extension of MCP.",
                details={"requiredCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}},
            )
        job = await anyio.to_thread.run_sync(jobs.start, entry.name, value, Owner.of(request.principal), request.id)
        handle = handle_of(job)
        shaped = entry.answers.shape(handle if value.handle is None else value.handle(handle))
        return Started(shaped.structured, shaped.content, job=job)

    async def _contents(
        self, request: Requester, entry: ResourceEntry | RouteEntry, bound: dict[str, Any], place: Place
    ) -> Any:
        value = await self.runner.run(request, entry, bound, place)
        if not isinstance(value, InputRequired | Suspended):
            self._check_size([value], entry.offer)
        return value

    async def foresee(self, request: Requester, name: str, arguments: Mapping[str, Any]) -> Foresight:
        """What a call of a tool would do, for whom it would do it: roles, shapes and guards hold as for the call.

        Raises:
            UserError: the call would be refused.
            RequestError: no such tool, or not for this caller.
        """
        entry = self.catalogue.tools.get(name)
        if entry is None:
            raise _no_tool()
        self._judge.admit(request, entry)
        bound = self._bound(request, entry, arguments)
        await self._judge.judge(request, entry, bound, arguments)
        with self._capacity.place(request, entry) as place:
            return await self.runner.foresight(request, entry, entry.arguments.seen(bound), place)

    # --- around the answer ---

    async def _kept(
        self,
        request: Requester,
        entry: ToolEntry | ResourceEntry,
        bound: Mapping[str, Any],
        compute: Callable[[], Awaitable[Any]],
    ) -> Any:
        """The answer that is kept, or computed to be kept; not where nobody can say whose it is."""
        seen = visibility_class(request.principal, entry.offer)
        if seen is None:
            return await compute()
        version = self._data_versions.get(entry.pack)
        name = entry.name if isinstance(entry, ToolEntry) else entry.offer.uri
        arguments = entry.arguments.seen(bound) if isinstance(entry, ToolEntry) else bound
        state = f"{self._states[entry.pack]}/{version() if version else ''}"
        if self._cache is None:
            self._cache = ResultCache(self.settings.cache_entries, self.settings.cache_bytes)
        key = key_of(f"{entry.pack}/{name}", arguments, state, seen)
        return await self._cache.result(key, entry.offer.ttl, compute)

    def _check_size(self, pieces: Any, offer: Tool | Resource | Route) -> None:
        size = sum(size_of(piece) for piece in pieces)
        limit = max(self.settings.answer_limit_bytes, offer.answer_limit_bytes or 0)
        if size > limit:
            raise UserError(
                f"The answer would have {size:,} bytes; this server's limit is {limit:,}. Ask for less at a time.",
                code="ANSWER_TOO_LARGE",
                details={"limit_bytes": limit, "size_bytes": size},
            )


@dataclass(frozen=True, slots=True)
class _Inside:
    """The door as one running call sees it: another may go through it, for the same caller."""

    dispatcher: Dispatcher
    request: Requester
    pack: str

    @property
    def counted_as(self) -> tuple[str, ...]:
        return callers_of(self.request.principal, self.request.address)

    async def call(
        self, principal: Principal, tool: str, arguments: Mapping[str, Any], expected: str | None = None
    ) -> Reply[Any]:
        request, name = self._asked_by(principal, expected), self._name_of(tool)
        reply = await self.dispatcher.call_tool(request, name, arguments)
        if not isinstance(reply, Reply):
            raise UserError(f"The tool {name} asks questions, which it cannot do when another tool calls it.")
        return reply

    async def foresee(self, principal: Principal, tool: str, arguments: Mapping[str, Any]) -> Foresight:
        return await self.dispatcher.foresee(self._asked_by(principal), self._name_of(tool), arguments)

    def offered(self, principal: Principal) -> list[Offered]:
        return self.dispatcher.offered(principal)

    def _asked_by(self, principal: Principal, expected: str | None = None) -> Requester:
        return Requester(principal, self.request.id, None, self.request.address, expected)

    def _name_of(self, tool: str) -> str:
        """A tool's name on the wire, from the pack's own name for it."""
        return self.dispatcher.catalogue.local_names.get((self.pack, tool), tool)


def _no_tool() -> RequestError:
    return RequestError(INVALID_PARAMS, "unknown_tool", "There is no tool with this name: tools/list lists the tools.")


def _rounds_of(limit: Limit) -> Limit:
    """How often a tool may ask, for as many calls as ``limit`` allows."""
    return replace(limit, amount=min(limit.amount * ROUNDS, MAX_AMOUNT))


def _offered(entry: ToolEntry, codes: frozenset[str]) -> Offered:
    return Offered(
        name=entry.name,
        description=entry.description,
        input_schema=entry.arguments.schema,
        read_only=entry.offer.read_only,
        destructive=entry.offer.destructive,
        digest=digest_of(entry),
        open_world=entry.offer.open_world,
        output_schema=entry.answers.schema,
        title=entry.offer.title,
        words=entry.offer.words,
        pack=entry.pack,
        own_name=entry.own_name,
        codes=codes,
    )


def _not_found(uri: str) -> RequestError:
    return RequestError(
        RESOURCE_NOT_FOUND, "resource_not_found", "There is no resource at that URI.", details={"uri": uri}
    )
