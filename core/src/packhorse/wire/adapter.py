"""A deployment behind the SDK's low-level server, for both protocol eras.

Each handler does the same three things: who is asking, ask the dispatcher,
say it in the protocol's words. Policy lives in the dispatcher, not here.
"""

import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import mcp_types as wire
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import X_MCP_HEADER_KEY
from mcp_types.methods import serialize_server_result
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from packhorse.compose.deployment import Deployment
from packhorse.compose.packs import core_version
from packhorse.contract.clock import request_id as new_request_id
from packhorse.contract.content import Reply, Text
from packhorse.contract.principal import ANONYMOUS
from packhorse.contract.questions import InputRequired, Suspended
from packhorse.contract.views import EXTENSION as VIEWS
from packhorse.door.catalogue import PromptEntry, ResourceEntry, ToolEntry
from packhorse.door.entrances import Entrance, opened, seen_through
from packhorse.door.execution import Requester, Stopping, bug
from packhorse.errors import (
    AUTHENTICATION,
    AUTHORIZATION,
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    RequestError,
    UserError,
)
from packhorse.traces.spans import recording
from packhorse.wire import content, questions, templates
from packhorse.wire.callers import ADDRESS, PRINCIPAL, Identify, Request, address_of, identity_of
from packhorse.wire.changes import MAX_SUBSCRIPTIONS, Changes, connection_of
from packhorse.wire.client import LEVEL, ClientWire
from packhorse.wire.in_flight import UnderWay
from packhorse.wire.lists import LIST_TTL_MS, Lists, instructions_for
from packhorse.wire.questions import Plan
from packhorse.wire.refusals import Refusals
from packhorse.wire.skills import Skills

if TYPE_CHECKING:
    from packhorse.jobs import Job
    from packhorse.jobs.engine import Engine
    from packhorse.wire.tasks import Tasks

MAX_ROUNDS = 10
"""How often one call may ask a handshake-era client before it must answer."""

MAX_COMPLETIONS = 100
"""The protocol's own limit (completion/complete)."""

_KINDS = {list: "a list", str: "text", bool: "true or false"}
_UNSAYABLE = "answered or asked with what the protocol cannot carry"
_T = TypeVar("_T")


def declares_headers(tool: ToolEntry) -> bool:
    """Whether its schema repeats arguments in headers, which then must agree."""
    return X_MCP_HEADER_KEY in repr(tool.arguments.schema)


class _Server(Server[Any]):
    """The SDK's server, announcing list changes to handshake-era clients too, and doing less for each request."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        (self.record_span,) = self.middleware  # the SDK's only one
        self.middleware.clear()

    def create_initialization_options(self, *args: Any, **kwargs: Any) -> InitializationOptions:
        if not args:
            kwargs.setdefault("notification_options", NotificationOptions(True, True, True))
        return super().create_initialization_options(*args, **kwargs)


class Adapter:
    """Serves one deployment. ``server`` is what transports run; ``identify`` says who sent a request."""

    def __init__(self, deployment: Deployment, identify: Identify) -> None:
        self._deployment = deployment
        self._catalogue = deployment.catalogue
        self._dispatcher = deployment.dispatcher
        self._identify = identify
        self.refusals = Refusals(deployment.dispatcher.accounts, deployment.clock)
        self.changes = Changes(deployment.dispatcher.forget)
        deployment.dispatcher.outdated = self.changes.outdated
        self.under_way = UnderWay(deployment.dispatcher.runner.give_up)
        settings = deployment.settings.server
        self._plans = {id(entry): Plan(entry) for entry in self._catalogue.entries if entry.parameters.resolved}
        for entry in self._catalogue.resources.values():
            if entry.is_template:
                templates.check(entry)
        self._lists = Lists(deployment, identify)
        self._has_entrances = settings.tools != "all"
        self._with_headers = {
            name: entry.arguments.schema for name, entry in self._catalogue.tools.items() if declares_headers(entry)
        }
        self.server = self._build()
        self._span = self.server.record_span
        self._stamp = {wire.SERVER_INFO_META_KEY: self.server.server_info_stamp}
        self._tasks: Tasks | None = None
        if deployment.jobs is not None:
            self._tasks = self._served_tasks(deployment.jobs)
        if self._catalogue.skills:
            Skills(deployment, identify).mount(self.server)
        key = settings.state_key.get_secret_value() if settings.state_key else secrets.token_hex(32)
        security = RequestStateSecurity(keys=[key], bind_principal=lambda ctx: identity_of(identify(ctx)))
        self.server.middleware += [self._first, RequestStateBoundary(security, default_audience=settings.name)]

    def _build(self) -> _Server:
        settings = self._deployment.settings.server
        catalogue = self._catalogue
        handlers: dict[str, Any] = {}
        if catalogue.resources:
            handlers |= {
                "on_list_resources": self._lists.resources,
                "on_list_resource_templates": self._lists.templates,
                "on_read_resource": self.read_resource,
                "on_subscribe_resource": self.subscribe,
                "on_unsubscribe_resource": self.unsubscribe,
            }
        if catalogue.prompts:
            handlers |= {"on_list_prompts": self._lists.prompts, "on_get_prompt": self.get_prompt}
        completing: list[ResourceEntry | PromptEntry] = [*catalogue.resources.values(), *catalogue.prompts.values()]
        if any(entry.offer.complete for entry in completing):
            handlers["on_completion"] = self.complete
        server = _Server(
            settings.name,
            version=settings.version or core_version(),
            instructions=settings.instructions,
            cache_hints={
                method: CacheHint(ttl_ms=LIST_TTL_MS, scope="private")
                for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
            },
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._lists.tools,
            on_subscriptions_listen=self.listen,
            **handlers,
        )
        if any(entry.offer.view for entry in catalogue.tools.values()):
            server.extensions[VIEWS] = {}
        server.add_request_handler("tools/call", wire.CallToolRequestParams, self.call_tool)
        server.add_request_handler("logging/setLevel", wire.SetLevelRequestParams, self.set_level)
        server.add_notification_handler("notifications/initialized", wire.NotificationParams, self.initialized)
        return server

    def _served_tasks(self, engine: "Engine") -> "Tasks":
        """The tasks extension, and notices of changed jobs; imported only where a tool starts jobs."""
        from packhorse.wire.tasks import Tasks

        def answer(job: "Job", result: dict[str, Any] | Reply[Any]) -> wire.CallToolResult:
            entry = self._catalogue.tools.get(job.tool)
            if entry is None:  # its pack is not served any more
                if isinstance(result, Reply):
                    return content.tool_result(result)
                return content.tool_result(Reply(result, (Text(json.dumps(result, ensure_ascii=False)),)))
            return content.tool_result(entry.answers.shape(result))

        tasks = Tasks(
            engine, self._dispatcher, self._identify, self.changes, answer=answer, refuse=self.refusals.of_tool
        )
        tasks.mount(self.server)
        return tasks

    async def _first(self, ctx: Request, call_next: CallNext) -> HandlerResult:
        """Say what is wrong with arguments that are no object, of which the SDK says that something is.

        The SDK makes its span where somebody records it: one that goes nowhere costs a twentieth of a request.
        """
        if ctx.method in ("initialize", "server/discover"):
            return self._instructed(ctx, await call_next(ctx))
        if ctx.method == "tools/call" and ctx.params is not None:
            given = ctx.params.get("arguments")
            if given is not None and not isinstance(given, Mapping):
                kind = _KINDS.get(type(given), "a number")
                error = RequestError(
                    INVALID_PARAMS,
                    "invalid_arguments",
                    f"`arguments` must be a JSON object with each argument under its name; this is {kind}.",
                )
                name = ctx.params.get("name")
                entry = self._catalogue.tools.get(name) if isinstance(name, str) else None
                raise self.refusals.of_shape(entry, self._identify(ctx), address_of(ctx), error)
        if recording():
            return await self._span(ctx, call_next)
        return await call_next(ctx)

    def _instructed(self, ctx: Request, result: HandlerResult) -> HandlerResult:
        """What a client gets at first, with the instructions of those packs of which this caller sees a tool."""
        text = instructions_for(self._deployment, self._lists, ctx)
        if not text or result is None:
            return result
        if isinstance(result, dict):
            return {**result, "instructions": text}
        return result.model_copy(update={"instructions": text})

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        """For the SDK, which walks the whole schema at every call to compare the headers that it declares."""
        return self._with_headers.get(name)

    # --- calls ---

    async def call_tool(
        self, ctx: Request, params: wire.CallToolRequestParams
    ) -> wire.CallToolResult | wire.InputRequiredResult | dict[str, Any]:
        """``tools/call``. A refusal is a result that the model can read; the rest are protocol errors."""
        rid = new_request_id()
        principal, name, arguments = self._identify(ctx), params.name, params.arguments or {}
        entrance: Entrance | None = None
        if self._has_entrances:
            try:
                entrance = opened(name, arguments)
            except RequestError as error:
                raise self.refusals.of_shape(None, principal, address_of(ctx), error) from error
            name, arguments = seen_through(name, arguments)

        async def attempt(client: ClientWire) -> Any:
            requester = Requester(principal, rid, client, address_of(ctx))
            return await self._dispatcher.call_tool(requester, name, arguments, entrance=entrance)

        try:
            reply = await self._in_rounds(ctx, params, attempt)
            if isinstance(reply, wire.InputRequiredResult):
                return reply
            created = self._tasks.created_by(ctx, reply) if self._tasks else None
            return created if created is not None else content.tool_answer(reply)
        except Exception as exc:
            # Whatever it is, the client hears of it in the protocol's words.
            return self._refused(exc, name, rid, ctx.protocol_version)

    async def answer(self, scope: Any, params: Mapping[str, Any], version: str) -> dict[str, Any]:
        """``tools/call`` of a tool that uses nothing of its client's, over HTTP: the result as JSON."""
        rid, name = new_request_id(), params["name"]
        requester = Requester(scope.get(PRINCIPAL, ANONYMOUS), rid, None, scope.get(ADDRESS))
        result: wire.CallToolResult | dict[str, Any]
        try:
            reply = await self._dispatcher.call_tool(requester, name, params.get("arguments") or {})
            if not isinstance(reply, Reply):
                raise TypeError("a tool that asks takes a Context, where the answers are")  # noqa: TRY301  # a bug
            result = content.tool_answer(reply)
        except Exception as exc:
            # As in `call_tool`.
            result = self._refused(exc, name, rid, version)
        if not isinstance(result, dict):
            dumped = result.model_dump(by_alias=True, mode="json", exclude_none=True)
            result = serialize_server_result("tools/call", version, dumped)
        return {**result, "_meta": {**result.get("_meta", {}), **self._stamp}}

    def _refused(self, exc: Exception, name: str, rid: str, version: str) -> wire.CallToolResult:
        """The refusal of a tool as a result; called while ``exc`` is handled.

        Raises:
            MCPError: what a model cannot mend.
        """
        if isinstance(exc, UserError):
            return self.refusals.of_tool(exc, rid)
        if isinstance(exc, RequestError):
            raise self.refusals.of_call(exc, rid, version) from exc
        return self.refusals.of_tool(bug(rid, self._catalogue.tools[name], _UNSAYABLE), rid)

    async def read_resource(
        self, ctx: Request, params: wire.ReadResourceRequestParams
    ) -> wire.ReadResourceResult | wire.InputRequiredResult:
        uri = str(params.uri)
        ask = partial(self._dispatcher.read, uri=uri, match=templates.match)
        return await self._asked(ctx, params, ask, lambda entry, value: content.read_result(entry, uri, value), uri)

    async def get_prompt(
        self, ctx: Request, params: wire.GetPromptRequestParams
    ) -> wire.GetPromptResult | wire.InputRequiredResult:
        ask = partial(self._dispatcher.render, name=params.name, arguments=params.arguments or {})
        return await self._asked(ctx, params, ask, content.prompt_result)

    async def _asked(
        self,
        ctx: Request,
        params: wire.InputResponseRequestParams,
        ask: Callable[..., Awaitable[tuple[Any, Any]]],
        shape: Callable[[Any, Any], _T],
        uri: str | None = None,
    ) -> _T | wire.InputRequiredResult:
        """What ``ask`` gives, an entry and its value, as ``shape`` says it in the protocol's words."""
        rid = new_request_id()
        entry: Any = None

        async def attempt(client: ClientWire) -> Any:
            nonlocal entry
            entry, value = await ask(Requester(self._identify(ctx), rid, client, address_of(ctx)))
            return value

        try:
            value = await self._in_rounds(ctx, params, attempt)
            return value if isinstance(value, wire.InputRequiredResult) else shape(entry, value)
        except (UserError, RequestError) as error:
            raise self.refusals.of_call(error, rid, ctx.protocol_version, uri=uri) from error
        except Exception as exc:
            raise self.refusals.of_call(bug(rid, entry, _UNSAYABLE), rid, ctx.protocol_version, uri=uri) from exc

    async def _in_rounds(
        self, ctx: Request, params: wire.InputResponseRequestParams, attempt: Callable[..., Awaitable[Any]]
    ) -> Any:
        """Run a call until it answers. Its questions go to the client in the way of its era."""
        takes_tasks = self._tasks is not None and self._tasks.declared(ctx)
        client = ClientWire(ctx, self.changes, self._plans, params, takes_tasks=takes_tasks)
        with self.under_way.one():
            for _ in range(MAX_ROUNDS):
                value = await attempt(client)
                if isinstance(value, Suspended):
                    return value.carried
                if not isinstance(value, InputRequired):
                    return value
                if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
                    questions.require(ctx.session.client_capabilities, value.questions.values())
                    asked = {key: questions.request_for(question) for key, question in value.questions.items()}
                    return wire.InputRequiredResult(input_requests=asked or None, request_state=value.state)
                with self.under_way.question() as asking:
                    client.answers = await questions.ask_now(ctx, value)
                if asking.cancelled_caught:
                    raise Stopping
                client.state = value.state
        raise UserError(
            f"The tool asked {MAX_ROUNDS} times and gave no answer, so the call was stopped. Tell its pack's author.",
            code="TOO_MANY_ROUNDS",
        )

    # --- around the calls ---

    async def complete(self, ctx: Request, params: wire.CompleteRequestParams) -> wire.CompleteResult:
        """``completion/complete``, answered by the pack whose prompt or template it is."""
        reference = params.ref
        entry: PromptEntry | ResourceEntry | None
        if isinstance(reference, wire.PromptReference):
            entry = self._catalogue.prompts.get(reference.name)
        else:
            entry = self._catalogue.resources.get(str(reference.uri))
        unknown = MCPError(INVALID_PARAMS, "There is no prompt or template with this name.")
        if entry is None:
            raise unknown
        requester = Requester(self._identify(ctx), address=address_of(ctx))
        try:
            listed = await self._dispatcher.complete(requester, entry, params.argument.name, params.argument.value)
        except (UserError, RequestError) as error:
            if isinstance(error, RequestError) and error.code in (AUTHENTICATION, AUTHORIZATION):
                raise unknown from error  # on record as what it is
            raise self.refusals.of_call(error, requester.id, ctx.protocol_version) from error
        return wire.CompleteResult(
            completion=wire.Completion(
                values=listed[:MAX_COMPLETIONS], total=len(listed), has_more=len(listed) > MAX_COMPLETIONS
            )
        )

    async def subscribe(self, ctx: Request, params: wire.SubscribeRequestParams) -> wire.EmptyResult:
        """``resources/subscribe`` of handshake-era clients."""
        uri = str(params.uri)
        entry = self._resource_at(ctx, uri)
        if entry is None:
            raise MCPError(RESOURCE_NOT_FOUND, "There is no resource at that URI.", {"uri": uri})
        if not entry.offer.subscribable:
            raise MCPError(INVALID_PARAMS, "That resource does not announce changes.", {"uri": uri})
        if not self.changes.subscribe(ctx, uri):
            raise MCPError(INVALID_PARAMS, "This connection has too many subscriptions; end some first.")
        return wire.EmptyResult()

    async def unsubscribe(self, ctx: Request, params: wire.UnsubscribeRequestParams) -> wire.EmptyResult:
        self.changes.unsubscribe(ctx, str(params.uri))
        return wire.EmptyResult()

    async def listen(
        self, ctx: Request, params: wire.SubscriptionsListenRequestParams
    ) -> wire.SubscriptionsListenResult:
        """``subscriptions/listen`` of 2026 clients: what they ask for, without resources they may not subscribe to."""
        wanted = params.notifications
        # Each is matched with every template, on the loop: no more are looked at than may be listened to.
        asked = list(dict.fromkeys(wanted.resource_subscriptions or ()))[:MAX_SUBSCRIPTIONS]
        entries = {uri: self._resource_at(ctx, uri) for uri in asked}
        honoured = [uri for uri, entry in entries.items() if entry is not None and entry.offer.subscribable]
        narrowed = wanted.model_copy(update={"resource_subscriptions": honoured or None})
        return await self.changes.listen(ctx, params.model_copy(update={"notifications": narrowed}))

    def _resource_at(self, ctx: Request, uri: str) -> ResourceEntry | None:
        """The resource at ``uri``, if this caller may know of it."""
        found = self._catalogue.resource_at(uri, templates.match)
        visible = found is not None and self._dispatcher.visible(self._identify(ctx), found[0].offer)
        return found[0] if found and visible else None

    async def set_level(self, ctx: Request, params: wire.SetLevelRequestParams) -> wire.EmptyResult:
        """``logging/setLevel``: the least level that this connection wants."""
        connection_of(ctx).state[LEVEL] = params.level
        return wire.EmptyResult()

    async def initialized(self, ctx: Request, params: wire.NotificationParams) -> None:
        """A handshake-era client is ready: tell it of changes from now on."""
        self.changes.joined(ctx)
