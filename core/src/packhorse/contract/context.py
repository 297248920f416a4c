"""What a tool may know and do about the call it is serving."""

from __future__ import annotations

from contextvars import ContextVar
from threading import Event
from typing import TYPE_CHECKING, Any, Literal, Protocol

from packhorse.contract.principal import Principal

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from packhorse.contract.content import Reply
    from packhorse.contract.packs import Foresight, Offered
    from packhorse.contract.questions import Elicit, Form, ListRoots, Outcome, Sample

LogLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
Change = Literal["tools", "prompts", "resources"]


class Wire(Protocol):
    """The client's side of a call, as the protocol adapter provides it."""

    answers: Mapping[str, Outcome]
    state: str | None
    takes_tasks: bool

    @property
    def shows_views(self) -> bool: ...
    def can_ask(self, question: type[Elicit[Any] | Form | Sample | ListRoots] | Sample) -> bool: ...
    async def progress(self, done: float, total: float | None, message: str | None) -> None: ...
    async def log(self, level: LogLevel, data: Any, logger: str | None) -> None: ...
    async def changed(self, what: Change) -> None: ...
    async def resource_updated(self, uri: str) -> None: ...
    async def close_stream(self) -> None: ...
    async def resolve(self, plan: Any, arguments: Mapping[str, Any], context: Context) -> Any: ...


EXPECTED: ContextVar[str | None] = ContextVar("expected_version", default=None)
"""The version that the running call was judged on."""


def expected_version() -> str | None:
    """The version of the data that this call is meant for, where its caller named one; compare it as you write."""
    return EXPECTED.get()


class Door(Protocol):
    """The host's one door, as a call that is being served may use it."""

    @property
    def pack(self) -> str: ...
    @property
    def counted_as(self) -> tuple[str, ...]: ...
    async def call(
        self, principal: Principal, tool: str, arguments: Mapping[str, Any], expected: str | None = None
    ) -> Reply[Any]: ...
    async def foresee(self, principal: Principal, tool: str, arguments: Mapping[str, Any]) -> Foresight: ...
    def offered(self, principal: Principal) -> Sequence[Offered]: ...


class Context:
    """The call being served; a parameter annotated with it is filled by the host.

    Everything that reaches the client is a no-op where nobody listens (a call
    from the command line, a client that asked for no progress).
    ``subject_hash`` is the caller as the log names it, 16 hexadecimal digits;
    None for a caller without a subject. A pack's own log line says this, and
    never ``principal.subject``.
    """

    __slots__ = ("_door", "_stopped", "_wire", "principal", "request_id", "subject_hash")

    def __init__(
        self,
        principal: Principal,
        request_id: str,
        *,
        wire: Wire | None = None,
        stopped: Event | None = None,
        door: Door | None = None,
        subject_hash: str | None = None,
    ) -> None:
        self.principal = principal
        self.request_id = request_id
        self.subject_hash = subject_hash
        self._wire = wire
        self._door = door
        self._stopped = stopped or Event()

    @property
    def cancelled(self) -> bool:
        """Whether the caller has gone or the time is up: a long loop in a thread asks now and then."""
        return self._stopped.is_set()

    @property
    def answers(self) -> Mapping[str, Outcome]:
        """The answers to an `InputRequired` returned before, by its keys; empty on the first round."""
        return self._wire.answers if self._wire else {}

    @property
    def state(self) -> str | None:
        """The state of the `InputRequired` returned before, or None on the first round."""
        return self._wire.state if self._wire else None

    def can_ask(self, question: type[Elicit[Any] | Form | Sample | ListRoots] | Sample) -> bool:
        """Whether this client can answer such a question: ``ctx.can_ask(Sample)``, or one `Sample` with its tools."""
        return self._wire is not None and self._wire.can_ask(question)

    @property
    def shows_views(self) -> bool:
        """Whether this client draws views: where it does not, an answer may carry a `Link` to a page instead.

        Do not look at it in a tool whose answers are kept (``ttl``): they are given to every client.
        """
        return self._wire is not None and self._wire.shows_views

    async def report_progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Say how far the work is, in units of your own; ``total`` where it is known."""
        if self._wire:
            await self._wire.progress(done, total, message)

    async def log(self, level: LogLevel, data: Any, logger: str | None = None) -> None:
        """Send a log line to the client, if it asked for lines of this level."""
        if self._wire:
            await self._wire.log(level, data, logger)

    async def notify_changed(self, what: Change) -> None:
        """Tell every listening client that a list is not what it was."""
        if self._wire:
            await self._wire.changed(what)

    async def notify_resource_updated(self, uri: str) -> None:
        """Tell subscribers of ``uri`` to read it again."""
        if self._wire:
            await self._wire.resource_updated(uri)

    async def close_stream(self) -> None:
        """Drop the response stream on purpose, so that the client reconnects and resumes.

        Only handshake-era HTTP with resumption has such a stream; elsewhere nothing happens.
        """
        if self._wire:
            await self._wire.close_stream()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply[Any]:
        """Call another tool of this deployment as the same principal, through the same door.

        Raises:
            UserError: the tool refused.
            RequestError: there is no such tool for this caller.
        """
        return await self._through().call(self.principal, tool, arguments)

    def acting_as(self, agent: str, *, run: str) -> Context:
        """This call's context in the hands of an agent that works for its caller.

        It calls other tools as the principal ``agent``, with the caller's own
        subject, roles and scopes and never more, so that guards can judge the
        agent too. Nothing of it reaches the client.
        """
        return self._of(self.principal.agent(agent, run=run), self.subject_hash)

    def as_pack(self) -> Context:
        """This call's context in the hands of the pack that serves it: for tools that the pack alone may call.

        It calls other tools as the pack, with no right of the caller's (see ``Pack.reserves``).
        """
        return self._of(Principal("pack", f"pack:{self._through().pack}"))

    def _of(self, principal: Principal, subject_hash: str | None = None) -> Context:
        return Context(principal, self.request_id, stopped=self._stopped, door=self._door, subject_hash=subject_hash)

    @property
    def counted_as(self) -> tuple[str, ...]:
        """For whom this call counts, as limits count: the verified subject and those it acts for, else the address.

        For a pack that limits more than calls. It may hold a subject or an address: never log or store it in clear.
        """
        return self._door.counted_as if self._door else (f"kind:{self.principal.kind}",)

    async def call_expecting(self, version: str, tool: str, arguments: Mapping[str, Any]) -> Reply[Any]:
        """As `call`, on the data as it was at ``version``: the tool refuses (``STALE``) where it has changed."""
        return await self._through().call(self.principal, tool, arguments, version)

    async def foresee(self, tool: str, arguments: Mapping[str, Any]) -> Foresight:
        """What a call of another tool would do for this caller: in words, and on which version. It changes nothing.

        Raises:
            UserError: the call would be refused.
            RequestError: there is no such tool for this caller.
        """
        return await self._through().foresee(self.principal, tool, arguments)

    def _through(self) -> Door:
        if self._door is None:
            raise RuntimeError("this call was not made through the host's door")
        return self._door

    def offered(self) -> Sequence[Offered]:
        """The tools of this deployment that the caller may see."""
        return self._door.offered(self.principal) if self._door else ()

    def wait(self, fn: Callable[..., Coroutine[Any, Any, Any]], *args: Any) -> Any:
        """Run one of the async methods from a plain function: ``ctx.wait(ctx.report_progress, 1, 10)``."""
        from anyio import from_thread

        return from_thread.run(fn, *args)
