"""A server somewhere else, as commands ask it: this host or any other, in the protocol's newest revision it speaks."""

import base64
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
import mcp_types as wire
from mcp import MCPError
from mcp.client.auth import OAuthFlowError
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from packhorse.client.signing_in import kept_token, signing_in
from packhorse.contract.content import Content, Message, Reply, Text, Verbatim
from packhorse.errors import AUTHENTICATION, RequestError, UserError
from packhorse.errors.nearest import did_you_mean
from packhorse.settings.security import is_loopback, is_server_url


@asynccontextmanager
async def _connected(url: str, token: str | None, login: bool) -> AsyncIterator[Client]:
    """A client of the server at ``url``, with ``login`` of a person who signs in; what goes wrong is said in words.

    Raises:
        UserError: the URL is none, would carry the token in clear text, or nothing answers there.
        RequestError: the server refused a request.
    """
    if not is_server_url(url):
        raise UserError(
            f"{url!r} is not the URL of a server. Write it like http://127.0.0.1:8000/mcp.", code="NO_SERVER"
        )
    parts = urlsplit(url)
    if (token or login) and parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise UserError(
            f"The token would go to {parts.hostname} in clear text. Use https, or ask without a token and --login.",
            code="NO_SERVER",
        )
    headers = {"Authorization": f"Bearer {token}"} if token and not login else None
    try:
        async with AsyncExitStack() as stack:
            auth = await stack.enter_async_context(signing_in(url)) if login else None
            http = await stack.enter_async_context(create_mcp_http_client(headers, auth=auth))
            yield await stack.enter_async_context(Client(streamable_http_client(url, http_client=http)))
    except Exception as exc:
        # Raised inside the groups of the client's tasks, whatever it is.
        raise _in_words(_first(exc), url) from exc


def _first(exc: BaseException) -> BaseException:
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    return exc


def _in_words(exc: BaseException, url: str) -> BaseException:
    match exc:
        case MCPError():
            details = exc.error.data if isinstance(exc.error.data, dict) else {}
            if exc.error.code == wire.INTERNAL_ERROR and urlsplit(url).path in ("", "/"):
                there = f"{url.rstrip('/')}/mcp"
                return UserError(f"No MCP server answers at {url}. Is the path missing? Try {there}.", code="NO_SERVER")
            cure = " Use --login, or give one with --token." if exc.error.code == AUTHENTICATION else ""
            return RequestError(
                exc.error.code,
                str(details.get("error_type", exc.error.code)),
                f"{url} answered: {exc.error.message}{cure}",
            )
        case httpx2.HTTPStatusError() if exc.response.status_code == httpx2.codes.UNAUTHORIZED:
            return UserError(
                f"{url} asks who you are: sign in with --login, or give a token with --token.", code="NO_SERVER"
            )
        case OAuthFlowError():
            return UserError(f"You are not signed in to {url}: {exc}.", code="NOT_SIGNED_IN")
        case httpx2.HTTPStatusError():
            return UserError(f"{url} answered with status {exc.response.status_code}.", code="NO_SERVER")
        case httpx2.HTTPError():
            return UserError(
                f"Nothing answers at {url} ({type(exc).__name__}). Is the server running?", code="NO_SERVER"
            )
        case _:
            return exc


async def tools(url: str, token: str | None, login: bool) -> tuple[str, list[wire.Tool]]:
    """The server's name and all of its tools."""
    async with _connected(url, token, login) as client:
        name = client.server_info.name if client.server_info else urlsplit(url).netloc
        return name, await _listed(client)


async def _listed(client: Client) -> list[wire.Tool]:
    page = await client.list_tools()
    listed = [*page.tools]
    while page.next_cursor:
        page = await client.list_tools(cursor=page.next_cursor)
        listed += page.tools
    return listed


async def call(url: str, token: str | None, login: bool, tool: str, arguments: Mapping[str, Any]) -> Reply[Any]:
    """A tool's answer.

    Raises:
        UserError: the tool refused, or there is none of that name.
    """
    async with _connected(url, token, login) as client:
        try:
            result = await client.call_tool(tool, dict(arguments))
        except MCPError:
            names = [one.name for one in await _listed(client)]
            if tool in names:
                raise
            near = did_you_mean(tool, names)
            hidden = "" if near else known_as(url, token, login) or " If it needs a role, give --token or --login."
            raise UserError(
                f"There is no tool {tool!r} that you may call at {url}.{near}{hidden} 'packhorse tools --url {url}'"
                " lists the tools.",
                code="unknown_tool",
            ) from None
        content = [content_of(piece) for piece in result.content]
        if not result.is_error:
            return Reply(result.structured_content, content)
        refusal = (result.meta or {}).get("packhorse/error", {})
        words = "\n".join(piece.text for piece in content if isinstance(piece, Text)) or "The tool failed."
        raise UserError(
            refusal.get("message", words), code=refusal.get("code", "TOOL_ERROR"), details=refusal.get("details")
        )


def known_as(url: str, token: str | None, login: bool) -> str:
    """Who the token for a server says that the person is; empty without one that can be read. It is not verified."""
    shown = kept_token(url) if login else token
    try:
        claims = json.loads(base64.urlsafe_b64decode(f"{(shown or '').split('.')[1]}=="))
        subject, roles = str(claims["sub"]), ", ".join(map(str, claims.get("roles") or ()))
    except (IndexError, ValueError, KeyError, TypeError, AttributeError):
        return " It may need a role that you do not have: ask the operator of that server." if shown else ""
    having = f"the roles {roles}" if roles else "no role"
    return f" You are signed in as {subject}, with {having}: the operator gives roles."


async def read(
    url: str, token: str | None, login: bool, uri: str
) -> wire.TextResourceContents | wire.BlobResourceContents:
    """A resource's first content."""
    async with _connected(url, token, login) as client:
        result = await client.read_resource(uri)
        return result.contents[0]


async def prompt(url: str, token: str | None, login: bool, name: str, given: Mapping[str, str]) -> list[Message]:
    """The messages of a prompt.

    Raises:
        UserError: there is none of that name.
    """
    async with _connected(url, token, login) as client:
        try:
            result = await client.get_prompt(name, dict(given))
        except MCPError:
            names = [one.name for one in (await client.list_prompts()).prompts]
            if name in names:
                raise
            raise UserError(
                f"There is no prompt {name!r} at {url}.{did_you_mean(name, names)} The prompts are:"
                f" {', '.join(names) or 'none'}.",
                code="unknown_prompt",
            ) from None
        return [Message(content_of(one.content), role=one.role) for one in result.messages]


def content_of(block: wire.ContentBlock) -> Content:
    """One content block of the protocol's as our own."""
    if isinstance(block, wire.TextContent):
        return Text(block.text)
    return Verbatim(block.model_dump(mode="json", by_alias=True, exclude_none=True))
