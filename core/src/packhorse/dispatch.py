"""The one door: every call of every tool, resource and prompt passes here, whoever makes it.

In order: resolve the name, is it visible to this caller, roles, concurrency,
validation, self and guards on the validated arguments, the run under its
timeout, the answer's shape and size. What comes out is an answer, a
`UserError` (a refusal the caller can mend) or a `RequestError` (who you are,
what exists). A bug is logged with its traceback and leaves as a masked refusal.
"""

import asyncio
import functools
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

import anyio
import anyio.to_thread
from pydantic import TypeAdapter, ValidationError

from packhorse.catalogue import Catalogue, Entry, PromptEntry, ResourceEntry, ToolEntry
from packhorse.clock import request_id as new_request_id
from packhorse.content import Embedded, Reply, size_of
from packhorse.context import Context, Wire
from packhorse.errors import AUTHORIZATION, INTERNAL, INVALID_PARAMS, RESOURCE_NOT_FOUND, RequestError, UserError
from packhorse.offers import Call, Guard, Prompt, Resource, Tool
from packhorse.principal import Principal
from packhorse.questions import InputRequired, Suspended
from packhorse.settings import ServerSettings
from packhorse.slots import Place, Slots

logger = logging.getLogger("packhorse.dispatch")

Match = Callable[[ResourceEntry, str], Mapping[str, Any] | None]
"""Gives a template's variables for a URI, None where it does not match; raises `UserError` for an unsafe value."""


class Dispatcher:
    """Admits and runs calls on one catalogue.

    ``authenticated`` says whether callers can prove who they are: then an
    offer without roles that is not public is shown to nobody.
    """

    def __init__(self, catalogue: Catalogue, settings: ServerSettings) -> None:
        self.catalogue = catalogue
        self.settings = settings
        self.authenticated = bool(catalogue.verifiers)
        self._slots = Slots(settings.concurrency)
        self._tool_slots = {
            name: Slots(entry.offer.concurrency)
            for name, entry in catalogue.tools.items()
            if entry.offer.concurrency is not None
        }
        self._guards = {
            name: tuple(guard for guard in catalogue.guards if not guard.tools or name in guard.tools)
            for name in catalogue.tools
        }
        self._threads: anyio.CapacityLimiter | None = None

    def visible(self, principal: Principal, offer: Tool | Resource | Prompt) -> bool:
        """Whether lists show an offer to this caller. The check at the call does not rely on it."""
        if offer.public or principal.kind == "local":
            return True
        if not offer.roles:
            return not self.authenticated
        if principal.has_any(frozenset(offer.roles)):
            return True
        return isinstance(offer, Tool) and offer.self_argument is not None and principal.subject is not None

    async def call_tool(
        self,
        principal: Principal,
        name: str,
        arguments: Mapping[str, Any],
        *,
        wire: Wire | None = None,
        request_id: str | None = None,
    ) -> Reply[Any] | InputRequired | Suspended:
        """Call a tool.

        Raises:
            UserError: the call was refused, or failed; the message is for the caller.
            RequestError: no such tool, or not for this caller.
        """
        rid = request_id or new_request_id()
        entry = self.catalogue.tools.get(name)
        if entry is None:
            raise RequestError(INVALID_PARAMS, "unknown_tool", "There is no tool of that name; see tools/list.")
        if not self.visible(principal, entry.offer):
            raise self._denied(rid, principal, name, "role")
        with self._admitted(entry) as place:
            try:
                bound = entry.arguments.bind(arguments)
            except UserError:
                raise
            except Exception as exc:
                # A validator of the pack's own may raise anything.
                raise self.bug(rid, entry, "could not check its arguments") from exc
            await self._judge(rid, principal, entry, bound)
            value = await self._run(rid, principal, entry, bound, wire, place)
            if isinstance(value, InputRequired | Suspended):
                return value
            try:
                reply = entry.answers.shape(value)
            except Exception as exc:
                # Whatever a wrong return value makes of itself: the pack's bug, not the caller's.
                raise self.bug(rid, entry, "gave an answer that its output schema forbids") from exc
            beside = [reply.structured] if reply.content and isinstance(reply.content[-1], Embedded) else []
            self._check_size([*reply.content, *beside])
            return reply

    async def read(
        self,
        principal: Principal,
        uri: str,
        match: Match,
        *,
        wire: Wire | None = None,
        request_id: str | None = None,
    ) -> tuple[ResourceEntry, Any]:
        """Read a resource: its entry, and text, bytes, a JSON value or content.

        Raises:
            UserError: the pack refused, or failed.
            RequestError: no such resource, or not for this caller.
        """
        rid = request_id or new_request_id()
        entry, variables = self._resource(uri, match)
        if not self.visible(principal, entry.offer):
            raise self._denied(rid, principal, entry.name, "role")
        bound = self._converted(rid, entry, variables, missing=lambda: _not_found(uri))
        with self._admitted(entry) as place:
            value = await self._run(rid, principal, entry, bound, wire, place)
            if not isinstance(value, InputRequired | Suspended):
                self._check_size([value])
            return entry, value

    async def render(
        self,
        principal: Principal,
        name: str,
        arguments: Mapping[str, str],
        *,
        wire: Wire | None = None,
        request_id: str | None = None,
    ) -> tuple[PromptEntry, Any]:
        """Render a prompt: its entry, and what its function returned.

        Raises:
            UserError: the pack refused, or failed.
            RequestError: no such prompt, wrong arguments, or not for this caller.
        """
        rid = request_id or new_request_id()
        entry = self.catalogue.prompts.get(name)
        if entry is None:
            raise RequestError(INVALID_PARAMS, "unknown_prompt", "There is no prompt of that name; see prompts/list.")
        if not self.visible(principal, entry.offer):
            raise self._denied(rid, principal, name, "role")
        plain = entry.parameters.plain
        unknown = [key for key in arguments if key not in plain]
        missing = [key for key, parameter in plain.items() if parameter.required and key not in arguments]
        if unknown or missing:
            known = ", ".join(f"`{key}`" for key in plain) or "none"
            fault = f"`{missing[0]}` is required." if missing else "An argument is not known here."
            raise RequestError(INVALID_PARAMS, "invalid_arguments", f"{fault} This prompt's arguments: {known}.")
        bound = self._converted(rid, entry, arguments)
        with self._admitted(entry) as place:
            value = await self._run(rid, principal, entry, bound, wire, place)
            return entry, value

    def _resource(self, uri: str, match: Match) -> tuple[ResourceEntry, Mapping[str, Any]]:
        entry = self.catalogue.resources.get(uri)
        if entry is not None and not entry.is_template:
            return entry, {}
        for entry in self.catalogue.resources.values():
            if entry.is_template and (variables := match(entry, uri)) is not None:
                return entry, variables
        raise _not_found(uri)

    def _admitted(self, entry: Entry) -> Place:
        """A slot of the host and one of the tool."""
        own = self._tool_slots.get(entry.name) if isinstance(entry, ToolEntry) else None
        if not self._slots.take():
            raise _busy("This server", self._slots.size)
        if own is None:
            return Place(self._slots)
        if not own.take():
            self._slots.give()
            raise _busy("This tool", own.size)
        return Place(self._slots, own)

    async def _judge(self, rid: str, principal: Principal, entry: ToolEntry, bound: Mapping[str, Any]) -> None:
        offer = entry.offer
        needs_self = bool(offer.roles) and not offer.public and not principal.has_any(frozenset(offer.roles))
        guards = self._guards[entry.name]
        if not needs_self and not guards:
            return
        try:
            arguments = entry.arguments.seen(bound)
        except Exception as exc:
            # A type of the pack's own may fail to be written as JSON; what cannot be judged is not run.
            raise self.bug(rid, entry, "has arguments that cannot be judged") from exc
        # The verified subject, exactly: never a name or an address.
        itself = offer.self_argument is not None and principal.subject is not None
        if needs_self and not (itself and arguments.get(str(offer.self_argument)) == principal.subject):
            raise self._denied(rid, principal, entry.name, "self")
        call = Call(entry.name, entry.pack, _frozen(arguments))
        for guard in guards:
            reason = await self._verdict(rid, guard, principal, call)
            if reason is not None:
                raise self._denied(rid, principal, entry.name, "guard", reason)

    async def _verdict(self, rid: str, guard: Guard, principal: Principal, call: Call) -> str | None:
        try:
            verdict = guard.judge(principal, call)
            if not isinstance(verdict, Awaitable):
                return _reason(verdict)
            with anyio.move_on_after(self.settings.timeout_seconds):
                return _reason(await verdict)
            logger.error("a guard did not decide in time", extra={"request_id": rid, "tool": call.tool})
        except (Exception, SystemExit, asyncio.CancelledError) as exc:
            if _is_caller_gone(exc):
                raise
            # A guard that fails cannot have allowed anything.
            logger.exception("a guard failed", extra={"request_id": rid, "tool": call.tool})
        return "A guard of this server could not decide."

    async def _run(
        self,
        rid: str,
        principal: Principal,
        entry: Entry,
        bound: dict[str, Any],
        wire: Wire | None,
        place: Place,
    ) -> Any:
        limit = entry.offer.timeout if isinstance(entry.offer, Tool) else None
        seconds = limit or self.settings.timeout_seconds
        parameters = entry.parameters
        stopped: threading.Event | None = None
        try:
            if parameters.context or parameters.resolved:
                stopped = threading.Event()
                call = functools.partial(self._bound_call, rid, principal, entry.pack)
                context = Context(principal, rid, wire=wire, stopped=stopped, call=call)
            if parameters.resolved:
                # Outside the time limit: a person may be filling in a form.
                resolved = await self._resolved(entry, bound, context, wire)
                if isinstance(resolved, Suspended):
                    return resolved
                bound = {**bound, **resolved}
            with anyio.move_on_after(seconds):
                if parameters.context:
                    bound[parameters.context] = context
                if entry.is_async:
                    return await entry.offer.fn(**bound)
                return await self._in_thread(entry, bound, place.hand_over())
        except (UserError, RequestError):
            raise
        except (Exception, SystemExit, asyncio.CancelledError) as exc:
            if _is_caller_gone(exc):
                raise
            said = _alone(exc)
            if isinstance(said, UserError | RequestError):
                raise said from exc
            # The boundary between a pack's code and its callers: any exception of its own is a bug there.
            raise self.bug(rid, entry, "failed") from exc
        finally:
            if stopped is not None:
                stopped.set()
        logger.warning("%s exceeded %g s; outcome unknown", entry.name, seconds, extra={"request_id": rid})
        raise UserError(
            f"This took longer than its limit of {seconds:g} seconds and was given up; whether it took effect is not"
            " known. Ask for less at a time, or try again later.",
            code="TIMEOUT",
            jsonrpc_code=INTERNAL,
            details={"timeout_seconds": seconds},
        )

    async def _resolved(
        self, entry: Entry, bound: Mapping[str, Any], context: Context, wire: Wire | None
    ) -> Mapping[str, Any] | Suspended:
        if wire is None:
            raise UserError(
                "This needs a client that can answer questions while it runs; a call from the command line, or from"
                " another tool, cannot.",
                code="NEEDS_CLIENT",
            )
        answered: Mapping[str, Any] | Suspended = await wire.resolve(entry, bound, context)
        return answered

    async def _in_thread(self, entry: Entry, bound: dict[str, Any], give: Callable[[], None]) -> Any:
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(self.settings.concurrency)

        # Whoever comes first decides: the thread by beginning, or the caller by giving the call up before that.
        lock = threading.Lock()
        begun = given_up = False

        def job() -> Any:
            nonlocal begun
            with lock:
                if given_up:
                    return None
                begun = True
            try:
                return entry.offer.fn(**bound)
            finally:
                give()

        try:
            return await anyio.to_thread.run_sync(job, abandon_on_cancel=True, limiter=self._threads)
        finally:
            with lock:
                given_up = not begun
            if given_up:
                give()

    def _converted(
        self,
        rid: str,
        entry: ResourceEntry | PromptEntry,
        values: Mapping[str, Any],
        missing: Callable[[], RequestError] | None = None,
    ) -> dict[str, Any]:
        """Text values as the function's own types."""
        bound: dict[str, Any] = {}
        for key, value in values.items():
            parameter = entry.parameters.plain.get(key)
            if parameter is None:
                continue
            if parameter.annotation in (str, Any):
                bound[key] = value
                continue
            try:
                bound[key] = TypeAdapter(parameter.annotation).validate_python(value)
            except ValidationError as exc:
                if missing is not None:
                    raise missing() from exc
                wrong = f"`{key}` is not of the kind it must be."
                raise RequestError(INVALID_PARAMS, "invalid_arguments", wrong) from exc
            except Exception as exc:
                # A type or validator of the pack's own may raise anything.
                raise self.bug(rid, entry, "could not check its arguments") from exc
        return bound

    async def _bound_call(
        self, rid: str, principal: Principal, pack: str, tool: str, arguments: Mapping[str, Any]
    ) -> Reply[Any]:
        name = self.catalogue.local_names.get((pack, tool), tool)
        reply = await self.call_tool(principal, name, arguments, request_id=rid)
        if not isinstance(reply, Reply):
            raise UserError(f"The tool {name} asks questions, which a call from another tool cannot answer.")
        return reply

    def _check_size(self, pieces: Any) -> None:
        size = sum(size_of(piece) for piece in pieces)
        if size > self.settings.answer_limit_bytes:
            raise UserError(
                f"The answer would be {size:,} bytes, above this server's limit of"
                f" {self.settings.answer_limit_bytes:,}. Ask for less at a time.",
                code="ANSWER_TOO_LARGE",
                details={"limit_bytes": self.settings.answer_limit_bytes, "size_bytes": size},
            )

    def _denied(self, rid: str, principal: Principal, name: str, why: str, reason: str | None = None) -> RequestError:
        logger.info(
            "denied %s to %s (%s)", name, principal.kind, why, extra={"request_id": rid, "subject": principal.subject}
        )
        return RequestError(
            AUTHORIZATION, "authorization", reason or "This caller may not use that.", details={"name": name}
        )

    def bug(self, rid: str, entry: Entry, what: str) -> UserError:
        """What a caller hears of an exception that is being handled: nothing but where its traceback was logged."""
        logger.exception("%s of pack %s %s", entry.name, entry.pack, what, extra={"request_id": rid})
        return UserError(
            "Something went wrong inside this server, and nothing of it can be mended from here."
            f" Its operator finds the cause in the log under request {rid}.",
            code="INTERNAL_ERROR",
            jsonrpc_code=INTERNAL,
        )


def _not_found(uri: str) -> RequestError:
    return RequestError(
        RESOURCE_NOT_FOUND, "resource_not_found", "There is no resource at that URI.", details={"uri": uri}
    )


def _busy(what: str, size: int) -> UserError:
    return UserError(
        f"{what} is already running {size} call{'s' if size != 1 else ''}, as many as it may. Try again in a moment.",
        code="BUSY",
        jsonrpc_code=INTERNAL,
        details={"limit": size},
    )


def _reason(verdict: Any) -> str | None:
    """A guard's reason for denying. Whatever is neither None nor words denies without one."""
    return verdict if verdict is None or isinstance(verdict, str) else ""


def _is_caller_gone(exc: BaseException) -> bool:
    """Whether a cancellation came from outside. One that a pack's code lets out would take the connection with it."""
    task = asyncio.current_task()
    return isinstance(exc, asyncio.CancelledError) and (task is None or task.cancelling() > 0)


def _alone(exc: BaseException) -> BaseException:
    """What a task group wrapped, where it is a single thing."""
    while isinstance(exc, BaseExceptionGroup) and len(exc.exceptions) == 1:
        exc = exc.exceptions[0]
    return exc


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    return value
