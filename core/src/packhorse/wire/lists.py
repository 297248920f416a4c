"""What a client is shown at first: the instructions, and lists of what its caller may use, a page at a time."""

import base64
import json
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

import mcp_types as wire
from mcp.shared.exceptions import MCPError

from packhorse.compose.deployment import Deployment
from packhorse.door.authorization import known_as
from packhorse.door.catalogue import HOST, Listed, PromptEntry, ResourceEntry
from packhorse.door.entrances import ENTRANCES, SCHEMA, SEARCH, Entrance, entrance_for
from packhorse.errors import INVALID_PARAMS, PackError
from packhorse.settings.loading import RELOADING_VARIABLE
from packhorse.wire import content
from packhorse.wire.callers import Identify, Request
from packhorse.wire.client import shows_views

OF_JOBS = frozenset({"job_status", "job_result", "job_cancel"})
"""The host's tools for jobs, which are listed to callers who can start one."""

CHARACTERS_A_TOKEN = 4.3
"""Of slim tool descriptions as compact JSON, in the o200k vocabulary (measured over the five packs)."""

_LOADED = {"anthropic/alwaysLoad": True}
"""What keeps a tool loaded in a client that otherwise searches; others ignore it."""


class ShownTools:
    """Chooses which tools a list shows to a caller and its client, and with which words.

    Raises:
        PackError: a tool that is to be pinned is not served, or the search that lists need.
    """

    def __init__(self, deployment: Deployment) -> None:
        self._settings = settings = deployment.settings.server
        self._entries = deployment.catalogue.tools
        if unknown := [name for name in settings.pinned if name not in self._entries]:
            raise PackError(
                f"the setting `pinned` under [server] lists {unknown[0]!r}, but no tool of this name is served"
            )
        if settings.tools != "all" and SEARCH not in self._entries:
            raise PackError(
                'the setting `tools` under [server] asks for search, but `without` switches "search" off: change one'
            )
        self._listings: dict[str, wire.Tool] = {}
        self._with_words: dict[str, wire.Tool] = {}
        self._sizes: dict[str, int] = {}

    def of(self, visible: Collection[str], ctx: Request) -> list[str]:
        """The names to list, of those tools that this caller may see."""
        normal = self._settings.level == "expert"
        jobs = any(self._entries[name].offer.job for name in visible)
        listed = [
            name
            for name in visible
            if name != SEARCH
            and (normal or self._entries[name].offer.level == "normal")
            and (jobs or name not in OF_JOBS or self._entries[name].pack != HOST)
        ]
        if not self._searches(listed, ctx):
            return listed
        drawn = shows_views(ctx)  # a client attaches views to tools that it was listed
        pinned = self._settings.pinned
        kept = [name for name in listed if name in pinned or (drawn and self._entries[name].offer.view)]
        needed = {self._entrance_of(name) for name in visible if name not in kept and name != SEARCH}
        return [*kept, SEARCH, *(name for name in ENTRANCES if name in needed)]

    def tool(self, name: str, ctx: Request) -> wire.Tool:
        tool = self._listing(name)
        if name not in self._entries or not self._entries[name].offer.words or not self._finds_itself(ctx):
            return tool
        if name not in self._with_words:
            listed = self._entries[name].offer.words.partition("\n")[0]
            said = f"{tool.description}\nSaid: {listed}"
            self._with_words[name] = tool.model_copy(update={"description": said})
        return self._with_words[name]

    def searches(self, visible: Collection[str], ctx: Request) -> bool:
        """Whether this client is listed the search and its entrances."""
        return SEARCH in self.of(visible, ctx)

    def _searches(self, listed: Collection[str], ctx: Request) -> bool:
        mode = self._settings.tools
        if mode != "auto" or self._finds_itself(ctx):
            return mode == "search"
        return sum(map(self._size, listed)) / CHARACTERS_A_TOKEN > self._settings.list_tokens

    def _finds_itself(self, ctx: Request) -> bool:
        params = ctx.session.client_params
        return params is not None and params.client_info.name in self._settings.searching_clients

    def _size(self, name: str) -> int:
        if name not in self._sizes:
            tool = self._listing(name)
            shown: Any = [tool.name, tool.description, tool.input_schema]
            self._sizes[name] = len(json.dumps(shown, ensure_ascii=False, separators=(",", ":")))
        return self._sizes[name]

    def _listing(self, name: str) -> wire.Tool:
        """Made when a list first shows it: a client that only calls, or searches, needs few."""
        if name not in self._listings:
            if name in self._entries:
                made: Any = content.listing(self._entries[name], full=self._settings.schemas == "full")
                if name in self._settings.pinned:
                    made = made.model_copy(update={"meta": {**(made.meta or {}), **_LOADED}})
            else:
                made = _entrance(ENTRANCES[name])
            self._listings[name] = made
        return self._listings[name]

    def _entrance_of(self, name: str) -> str:
        offer = self._entries[name].offer
        return entrance_for(read_only=offer.read_only, destructive=offer.destructive).name


def _entrance(entrance: Entrance) -> wire.Tool:
    return wire.Tool(
        name=entrance.name,
        description=entrance.description,
        input_schema=dict(SCHEMA),
        annotations=wire.ToolAnnotations(read_only_hint=entrance.harm == 0, destructive_hint=entrance.harm == 2),
    )


E = TypeVar("E", ResourceEntry, PromptEntry)

LIST_TTL_MS = 0 if os.environ.get(RELOADING_VARIABLE) else 60_000
"""How long a client may keep a list. It changes with a restart alone, but under ``--reload`` with every edit."""


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
        principal = self._identify(ctx)
        door = self._dispatcher
        return [
            name
            for name, entry in self._catalogue.tools.items()
            if door.visible(principal, entry.offer) and not door.hidden(principal, entry)
        ]

    def without_a_role(self, ctx: Request) -> str:
        """A sentence for a caller who has signed in and has no role, where that hides tools; else nothing."""
        principal = self._identify(ctx)
        if principal.subject is None or principal.roles:
            return ""
        hidden = (
            one.offer.roles and one.offer.reserved_for is None and not self._dispatcher.visible(principal, one.offer)
            for one in self._catalogue.tools.values()
        )
        if not any(hidden):
            return ""
        who = known_as(principal)
        return f"The caller is {who}. The operator of this server gives roles, and with them more tools."

    async def resources(self, ctx: Request, params: wire.PaginatedRequestParams | None) -> wire.ListResourcesResult:
        """``resources/list``: those at a fixed URI."""
        entries = {uri: entry for uri, entry in self._catalogue.resources.items() if not entry.is_template}
        page, cursor = self._page(ctx, params, entries)
        return wire.ListResourcesResult(resources=page, next_cursor=cursor)

    async def templates(
        self, ctx: Request, params: wire.PaginatedRequestParams | None
    ) -> wire.ListResourceTemplatesResult:
        entries = {uri: entry for uri, entry in self._catalogue.resources.items() if entry.is_template}
        page, cursor = self._page(ctx, params, entries)
        return wire.ListResourceTemplatesResult(resource_templates=page, next_cursor=cursor)

    async def prompts(self, ctx: Request, params: wire.PaginatedRequestParams | None) -> wire.ListPromptsResult:
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


MOST_CHARACTERS = 1_800
"""Some clients cut instructions at two kilobytes."""

SEARCHING = (
    "Most tools are not listed. search_tools finds them by what is wanted, and says by which of call_read_tool,"
    " call_write_tool and call_destructive_tool each is called."
)


def instructions_for(deployment: Deployment, lists: Lists, ctx: Request) -> str | None:
    """The words for this caller: who it is without a role, and of packs of which it sees a tool, as there is room."""
    visible = lists.visible_tools(ctx)
    seen = {deployment.catalogue.tools[name].pack for name in visible}
    texts = [deployment.settings.server.instructions or "", lists.without_a_role(ctx)]
    if lists.shown_tools.searches(visible, ctx):
        texts.append(SEARCHING)
    texts += [pack.pack.instructions for pack in deployment.catalogue.packs if pack.found.name in seen]
    text_so_far = ""
    for place, text in enumerate(texts):
        joined = f"{text_so_far}\n{text}".strip()
        if place == 0 or len(joined) <= MOST_CHARACTERS:
            text_so_far = joined
    return text_so_far or None
