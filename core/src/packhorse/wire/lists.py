"""Lists of what a caller may use, a page at a time."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import mcp_types as wire
from mcp.shared.exceptions import MCPError

from packhorse.compose.deployment import Deployment
from packhorse.door.catalogue import Listed, PromptEntry, ResourceEntry
from packhorse.errors import INVALID_PARAMS
from packhorse.wire import content
from packhorse.wire.callers import Identify, Request
from packhorse.wire.shown_tools import ShownTools

E = TypeVar("E", ResourceEntry, PromptEntry)

LIST_TTL_MS = 60_000
"""How long a client may keep a list: it changes only with a restart, and a change is announced."""


class Lists:
    """The protocol's list requests for one deployment."""

    def __init__(self, deployment: Deployment, identify: Identify) -> None:
        self._catalogue = deployment.catalogue
        self._dispatcher = deployment.dispatcher
        self._identify = identify
        self._page_size = deployment.settings.server.page_size
        self.shown_tools = ShownTools(deployment)
        others: list[Listed] = [*self._catalogue.resources.values(), *self._catalogue.prompts.values()]
        self._listed = {id(entry): content.listing(entry) for entry in others}

    async def tools(self, ctx: Request, params: wire.PaginatedRequestParams | None) -> wire.ListToolsResult:
        """``tools/list``: what this caller may use."""
        names = self.shown_tools.of(self.visible_tools(ctx), ctx)
        shown, cursor = page_of(names, params.cursor if params is not None else None, self._page_size)
        tools = [self.shown_tools.tool(name, ctx) for name in shown]
        return wire.ListToolsResult(tools=tools, next_cursor=cursor)

    def visible_tools(self, ctx: Request) -> list[str]:
        """The names of the tools that this caller may see."""
        principal = self._identify(ctx)
        door = self._dispatcher
        return [
            name
            for name, entry in self._catalogue.tools.items()
            if door.visible(principal, entry.offer) and not door.hidden(principal, entry)
        ]

    async def resources(self, ctx: Request, params: wire.PaginatedRequestParams | None) -> wire.ListResourcesResult:
        """``resources/list``: those at a fixed URI."""
        entries = {uri: entry for uri, entry in self._catalogue.resources.items() if not entry.is_template}
        page, cursor = self._page(ctx, params, entries)
        return wire.ListResourcesResult(resources=page, next_cursor=cursor)

    async def templates(
        self, ctx: Request, params: wire.PaginatedRequestParams | None
    ) -> wire.ListResourceTemplatesResult:
        """``resources/templates/list``."""
        entries = {uri: entry for uri, entry in self._catalogue.resources.items() if entry.is_template}
        page, cursor = self._page(ctx, params, entries)
        return wire.ListResourceTemplatesResult(resource_templates=page, next_cursor=cursor)

    async def prompts(self, ctx: Request, params: wire.PaginatedRequestParams | None) -> wire.ListPromptsResult:
        """``prompts/list``."""
        page, cursor = self._page(ctx, params, self._catalogue.prompts)
        return wire.ListPromptsResult(prompts=page, next_cursor=cursor)

    def _page(
        self, ctx: Request, params: wire.PaginatedRequestParams | None, entries: Mapping[str, E]
    ) -> tuple[list[Any], str | None]:
        """One page of what the caller may see. A cursor names the last entry shown, so it outlives a restart."""
        principal = self._identify(ctx)
        # Of those alone that the caller sees: a cursor must not tell whether there are others.
        names = [name for name, entry in entries.items() if self._dispatcher.visible(principal, entry.offer)]
        shown, cursor = page_of(names, params.cursor if params is not None else None, self._page_size)
        return [self._listed[id(entries[name])] for name in shown], cursor


def page_of(names: Sequence[str], cursor: str | None, size: int) -> tuple[Sequence[str], str | None]:
    """The names on the page that ``cursor`` asks for, and the cursor of the next one, if any.

    Raises:
        MCPError: the cursor is none of this list.
    """
    start = 0
    if cursor is not None:
        try:
            start = names.index(base64.urlsafe_b64decode(cursor.encode()).decode()) + 1
        except ValueError as exc:
            raise MCPError(
                INVALID_PARAMS, "That cursor does not belong to this list; start again without a cursor."
            ) from exc
    left = names[start:]
    shown = left[:size]
    more = len(left) > len(shown)
    return shown, base64.urlsafe_b64encode(shown[-1].encode()).decode() if more else None
