"""The skills extension of the protocol (SEP-2640): which skills there are, one of them, and what is in a folder.

The files themselves are resources, and are read as such.
"""

from collections.abc import Mapping
from typing import Any

import mcp_types as wire
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from packhorse.compose.deployment import Deployment
from packhorse.errors import INVALID_PARAMS
from packhorse.present.skills import Skill, directories
from packhorse.wire import content
from packhorse.wire.callers import Identify, Request
from packhorse.wire.lists import LIST_TTL_MS, page_of

EXTENSION = "io.modelcontextprotocol/skills"

DIRECTORY = "inode/directory"
"""What kind of resource a folder is."""

_KEPT: Mapping[str, Any] = {"ttlMs": LIST_TTL_MS, "cacheScope": "private"}


class SkillParams(wire.RequestParams):
    """``skills/get``."""

    uri: str


class DirectoryParams(wire.PaginatedRequestParams):
    """``resources/directory/read``."""

    uri: str


class Skills:
    """The extension, for one deployment that has skills."""

    def __init__(self, deployment: Deployment, identify: Identify) -> None:
        self._catalogue = deployment.catalogue
        self._dispatcher = deployment.dispatcher
        self._identify = identify
        self._page_size = deployment.settings.server.page_size
        self._skills = {skill.uri: skill for skill in self._catalogue.skills}
        self._folders = directories(self._catalogue.skills)

    def mount(self, server: Server[Any]) -> None:
        server.extensions[EXTENSION] = {"directoryRead": True}
        server.add_request_handler("skills/list", wire.PaginatedRequestParams, self.list_skills)
        server.add_request_handler("skills/get", SkillParams, self.get_skill)
        server.add_request_handler("resources/directory/read", DirectoryParams, self.read_directory)

    async def list_skills(self, ctx: Request, params: wire.PaginatedRequestParams | None) -> dict[str, Any]:
        """``skills/list``: those that this caller may read."""
        page, cursor = page_of(
            [uri for uri in self._skills if self._sees(ctx, uri)], params.cursor if params else None, self._page_size
        )
        listed = {"skills": [self._entry(ctx, self._skills[uri]) for uri in page], **_KEPT}
        return listed if cursor is None else {**listed, "nextCursor": cursor}

    async def get_skill(self, ctx: Request, params: SkillParams) -> dict[str, Any]:
        """``skills/get``: one skill, by the URI of its SKILL.md."""
        skill: Skill | None = self._skills.get(params.uri)
        if skill is None or not self._sees(ctx, skill.uri):
            raise MCPError(INVALID_PARAMS, "No skill is served at that URI; see skills/list.", {"uri": params.uri})
        return {"skill": self._entry(ctx, skill), **_KEPT}

    async def read_directory(self, ctx: Request, params: DirectoryParams) -> dict[str, Any]:
        """``resources/directory/read``: what is directly in a folder."""
        children = self._folders.get(params.uri, {})
        seen = [uri for uri in children if self._sees_any(ctx, uri)]
        if not seen:
            raise MCPError(INVALID_PARAMS, "There is no folder at that URI.", {"uri": params.uri})
        page, cursor = page_of(seen, params.cursor, self._page_size)
        listed: dict[str, Any] = {"resources": [self._child(uri) for uri in page]}
        return listed if cursor is None else {**listed, "nextCursor": cursor}

    def _entry(self, ctx: Request, skill: Skill) -> dict[str, Any]:
        """The skill as this caller sees it: without the files that are not theirs to read."""
        entry = skill.entry()
        return {**entry, "resources": [one for one in entry["resources"] if self._sees(ctx, one["uri"])]}

    def _child(self, uri: str) -> dict[str, Any]:
        entry = self._catalogue.resources.get(uri)
        if entry is None:
            return {"uri": uri, "name": uri.rpartition("/")[2], "mimeType": DIRECTORY}
        return content.listing(entry).model_dump(by_alias=True, mode="json", exclude_none=True)

    def _sees_any(self, ctx: Request, uri: str) -> bool:
        """Whether this caller may read a file, or anything below a folder."""
        if uri not in self._folders:
            return self._sees(ctx, uri)
        return any(self._sees_any(ctx, child) for child in self._folders[uri])

    def _sees(self, ctx: Request, uri: str) -> bool:
        return self._dispatcher.visible(self._identify(ctx), self._catalogue.resources[uri].offer)
