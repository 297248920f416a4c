"""Which tools a list shows to a caller and its client, and with which words."""

import json
from collections.abc import Collection
from typing import Any

import mcp_types as wire

from packhorse.compose.deployment import Deployment
from packhorse.door.catalogue import HOST
from packhorse.door.entrances import ENTRANCES, SCHEMA, SEARCH, Entrance, entrance_for
from packhorse.errors import PackError
from packhorse.wire import content
from packhorse.wire.callers import Request
from packhorse.wire.client import shows_views

OF_JOBS = frozenset({"job_status", "job_result", "job_cancel"})
"""The host's tools for jobs, which are listed to callers who can start one."""

CHARACTERS_A_TOKEN = 4.3
"""Of slim tool descriptions as compact JSON, in the o200k vocabulary (measured over the five packs)."""

_LOADED = {"anthropic/alwaysLoad": True}
"""What keeps a tool loaded in a client that otherwise searches; others ignore it."""


class ShownTools:
    """Chooses for one deployment.

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
        """The tool as it is listed to this client."""
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
