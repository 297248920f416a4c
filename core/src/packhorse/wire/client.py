"""The client's side of one request, as a `Context` uses it."""

import warnings
from collections.abc import Mapping
from typing import Any

import mcp_types as wire
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPDeprecationWarning

from packhorse.contract.context import Change, Context, LogLevel
from packhorse.contract.questions import Outcome, Suspended
from packhorse.contract.views import EXTENSION, MIME_TYPE
from packhorse.door.catalogue import Entry
from packhorse.wire import questions
from packhorse.wire.changes import Changes, connection_of
from packhorse.wire.questions import Plan

# Logging to clients is deprecated from the 2026 protocol on, and still served; the SDK would warn of it.
warnings.filterwarnings("ignore", category=MCPDeprecationWarning, module=r"packhorse\.wire\.client")

LEVEL = "packhorse.log_level"
_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


def shows_views(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether a client draws views."""
    capabilities = ctx.session.client_capabilities
    declared = ((capabilities.extensions if capabilities else None) or {}).get(EXTENSION) or {}
    kinds = declared.get("mimeTypes")
    return isinstance(kinds, list | tuple) and MIME_TYPE in kinds


class ClientWire:
    """Implements `packhorse.contract.context.Wire` for one request of one client."""

    def __init__(
        self,
        ctx: ServerRequestContext[Any, Any],
        changes: Changes,
        plans: Mapping[int, Plan],
        params: wire.InputResponseRequestParams | None = None,
        *,
        takes_tasks: bool = False,
    ) -> None:
        self.takes_tasks = takes_tasks
        self._ctx = ctx
        self._changes = changes
        self._plans = plans
        self._params = params
        self.state = params.request_state if params else None
        given = (params.input_responses if params else None) or {}
        self.answers: Mapping[str, Outcome] = {key: questions.outcome_of(value) for key, value in given.items()}

    def can_ask(self, question: Any) -> bool:
        return questions.can_ask(self._ctx.session.client_capabilities, question)

    @property
    def shows_views(self) -> bool:
        return shows_views(self._ctx)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        await self._ctx.session.report_progress(done, total, message)

    async def log(self, level: LogLevel, data: Any, logger: str | None) -> None:
        # Handshake-era clients set a level for the connection; later ones opt in per request, which the SDK checks.
        least = connection_of(self._ctx).state.get(LEVEL, "debug")
        if _LEVELS.index(level) >= _LEVELS.index(least):
            await self._ctx.session.send_log_message(
                level=level, data=data, logger=logger, related_request_id=self._ctx.request_id
            )

    async def changed(self, what: Change) -> None:
        await self._changes.changed(what)

    async def resource_updated(self, uri: str) -> None:
        await self._changes.updated(uri)

    async def close_stream(self) -> None:
        if self._ctx.close_sse_stream is not None:
            await self._ctx.close_sse_stream()

    async def resolve(
        self, entry: Entry, arguments: Mapping[str, Any], context: Context
    ) -> Mapping[str, Any] | Suspended:
        """The resolved parameters' values; `Suspended` while the client must answer first."""
        filled = await self._plans[id(entry)].fill(self._ctx, self._params, arguments, context)
        return Suspended(filled) if isinstance(filled, wire.InputRequiredResult) else filled
