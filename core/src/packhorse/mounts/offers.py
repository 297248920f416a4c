"""The accepted tools of mounted servers as tools of this host."""

import base64
import json
import logging
from collections.abc import Iterator
from typing import Any

import mcp_types as wire

from packhorse.contract.content import Audio, Content, Embedded, Image, Link, Reply, Text
from packhorse.contract.context import Context
from packhorse.contract.offers import Tool
from packhorse.errors import UserError
from packhorse.mounts import accepted
from packhorse.mounts.link import Link as Connection
from packhorse.mounts.link import printable
from packhorse.mounts.served import Mounts

logger = logging.getLogger("packhorse.mounts")


def tools(mounts: Mounts) -> Iterator[Tool]:
    """Those of every mount of a deployment; one that cannot be served is named in the log."""
    for name, link in mounts.links.items():
        for pinned, fault in accepted.judged(link.mount):
            if fault is not None:
                logger.warning("mount %s: %s is not served: %s", name, printable(pinned["name"]), fault)
                continue
            yield _tool(link, link.mount, pinned)


def _tool(connection: Connection, mount: accepted.Mount, pinned: accepted.Pinned) -> Tool:
    local, gives = pinned["name"], pinned.get("outputSchema")

    async def call(arguments: dict[str, Any], ctx: Context) -> Any:
        async def progress(progress: float, total: float | None, message: str | None) -> None:
            await ctx.report_progress(progress, total, message)

        answer = await connection.call(local, arguments, progress)
        content = [_content(block) for block in answer.content]
        if answer.is_error:
            text = "\n".join(piece.text for piece in content if isinstance(piece, Text))
            raise UserError(printable(text) or f"{local} failed and did not say why.", code="UPSTREAM_ERROR")
        data = answer.structured_content
        if gives is not None and data is None:
            raise UserError(f"{local} answered without the data that it declares.", code="UPSTREAM_BROKEN")
        if data is not None and not content:
            content.append(Text(json.dumps(data, ensure_ascii=False)))
        return Reply(data, content, in_words=True)

    reads = mount.reads(local)
    hints = pinned.get("annotations") or {}
    return Tool(
        fn=call,
        name=mount.served(local),
        title=pinned.get("title") or hints.get("title"),
        description=pinned.get("description") or pinned.get("title") or local,
        input_schema=pinned["inputSchema"],
        output_schema=gives,
        public=mount.public,
        limit=mount.limit,
        timeout=mount.timeout_seconds,
        read_only=reads,
        destructive=not reads,
        open_world=True,
    )


def _content(block: Any) -> Content:
    match block:
        case wire.TextContent():
            return Text(block.text)
        case wire.ImageContent():
            return Image(base64.b64decode(block.data), block.mime_type)
        case wire.AudioContent():
            return Audio(base64.b64decode(block.data), block.mime_type)
        case wire.EmbeddedResource(resource=wire.TextResourceContents() as held):
            return Embedded(str(held.uri), held.text, held.mime_type or "text/plain")
        case wire.EmbeddedResource(resource=wire.BlobResourceContents() as held):
            return Embedded(str(held.uri), base64.b64decode(held.blob), held.mime_type or "application/octet-stream")
        case _:
            return Link(str(block.uri), block.name, block.description, block.mime_type)
