"""What a server offers, as it is pinned."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as wire
from mcp import Client, MCPError

from packhorse.errors import PackError, PackhorseError
from packhorse.mounts.accepted import PINNED, Kind, Mount, Offers, Pinned
from packhorse.mounts.pipe import Traffic, transport_of
from packhorse.store.permissions import private_folder

_LAST_LINES = 5
_LONGEST_LINE = 300


async def listed(client: Client) -> Offers:
    """A server's offers, of the kinds that it declares."""
    has = client.server_capabilities
    offers: dict[Kind, Sequence[Pinned]] = {}
    if has.tools is not None:
        offers["tool"] = await _all("tool", client.list_tools, "tools")
    if has.resources is not None:
        offers["resource"] = await _all("resource", client.list_resources, "resources")
        offers["template"] = await _all("template", client.list_resource_templates, "resource_templates")
    if has.prompts is not None:
        offers["prompt"] = await _all("prompt", client.list_prompts, "prompts")
    return offers


async def _all(kind: Kind, ask: Any, field: str) -> list[Pinned]:
    items: list[Pinned] = []
    cursor: str | None = None
    while True:
        try:
            page = await ask(cursor=cursor)
        except MCPError as exc:
            if exc.error.code == wire.METHOD_NOT_FOUND:  # many servers of resources have no templates
                return items
            raise
        for item in getattr(page, field):
            raw = item.model_dump(mode="json", by_alias=True, exclude_none=True)
            items.append({key: raw[key] for key in PINNED[kind] if key in raw})
        cursor = page.next_cursor
        if cursor is None:
            return items


async def asked(folder: Path, name: str, mount: Mount, credential: str | None = None) -> Mount:
    """A mount of a folder with what its server says now.

    Raises:
        PackError: it cannot be reached.
    """
    private_folder(folder.parent)
    private_folder(folder)
    log = folder / f"{name}.log"
    try:
        async with AsyncExitStack() as stack:
            async with asyncio.timeout(mount.connect_seconds):
                way = transport_of(mount, Traffic(), log, credential)
                # Servers offer some tools to clients alone that can be asked.
                asks = _unanswered if mount.questions else None
                client = await stack.enter_async_context(Client(way, elicitation_callback=asks, cache=None))
                offers = await listed(client)
            info = client.server_info
            about = {
                "server": printable(f"{info.name} {info.version}") if info else "a server without a name",
                "protocol": client.protocol_version,
                "instructions": client.instructions,
                "completes": client.server_capabilities.completions is not None and not mount.per_caller,
            }
    except Exception as exc:
        # A stranger's server, and the libraries on the way to it, may fail in any way.
        more = "".join(f"\n  {line}" for line in _last_lines(log))
        said = f" The last that it wrote to its error output ({log}):{more}" if more else ""
        raise PackError(f"the server {name} ({mount.reached_by}) cannot be reached: {reason_of(exc)}.{said}") from exc
    return mount.offering(offers).model_copy(update=about)


async def _unanswered(context: Any, params: wire.ElicitRequestParams) -> wire.ElicitResult:
    return wire.ElicitResult(action="cancel")


def _last_lines(log: Path) -> list[str]:
    written = log.read_text("utf-8", "replace").splitlines() if log.exists() else []
    return [printable(line)[:_LONGEST_LINE] for line in written if line.strip()][-_LAST_LINES:]


def reason_of(exc: BaseException) -> str:
    """Why a server was not reached, in one line."""
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    if isinstance(exc, PackhorseError):
        return str(exc)
    if isinstance(exc, httpx2.HTTPStatusError) and exc.response.status_code in (401, 403):
        return "it does not accept the credential"
    if isinstance(exc, FileNotFoundError):
        return "its program is not on this machine (install the program, or write its whole path)"
    if isinstance(exc, PermissionError):
        return "its program's file is not executable"
    if isinstance(exc, httpx2.ConnectError):
        return "nothing answers at its address"
    if isinstance(exc, TimeoutError):
        return "it did not answer in time"
    if isinstance(exc, MCPError) and exc.error.code == wire.CONNECTION_CLOSED:
        return "it ended before it answered"
    return printable(f"{type(exc).__name__}: {exc}".rstrip(": "))


def printable(text: str) -> str:
    """A stranger's text for a model or a log: without what is not seen, and at most 4,000 characters."""
    return "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)[:4000]
