"""Signing in to a server as a command does: in the person's browser, whose answer comes back to this machine.

Tokens are kept in the user's data folder, a file for each server, readable by
its owner alone. The client's port is kept too: where a server takes the exact
redirect URI alone, another port would be another client.
"""

import json
import logging
import time
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import anyio
import anyio.to_thread
import click
import httpx2
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.stapled import MultiListener
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
)
from pydantic import AnyUrl, ValidationError

from packhorse.errors import UserError
from packhorse.errors.nearest import did_you_mean
from packhorse.settings import user_folder
from packhorse.store.permissions import private_file, private_folder
from packhorse.store.tickets import digest

FOLDER = "signed-in"
PATH = "/callback"
PERSON_SECONDS = 600
"""How long a person may take in the browser: as long as this host leaves them."""

LONGEST_REQUEST = 16_384

_DONE = "You may close this page: the program that asked has got its answer."
_NO_TOKEN = "none-yet"  # noqa: S105 - refused by every server, which then says where to sign in


class Kept:
    """What is known of one server: ``tokens``, the ``client`` registered there, its ``port``, the ``server``'s words.

    As the SDK wants a storage of tokens.
    """

    def __init__(self, url: str) -> None:
        folder = private_folder(private_folder(user_folder("data")) / FOLDER)
        self._path = folder / f"{digest(url)[:32]}.json"
        self.url = url
        self.values: dict[str, Any] = self.read(self._path)

    def keep(self, **values: Any) -> None:
        self.values |= {"url": self.url, **values}
        self._path.unlink(missing_ok=True)
        private_file(self._path).write_text(json.dumps(self.values), encoding="utf-8")

    def forget(self) -> None:
        self._path.unlink(missing_ok=True)
        self.values = {}

    async def get_tokens(self) -> OAuthToken:
        """Those kept; without any, one that no server takes, since a server may also answer who shows none."""
        return OAuthToken.model_validate(self.values.get("tokens", {"access_token": _NO_TOKEN}))

    async def set_tokens(self, tokens: OAuthToken) -> None:
        ends = time.time() + tokens.expires_in if tokens.expires_in else None
        self.keep(tokens=tokens.model_dump(mode="json", exclude_none=True), ends=ends)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        client = self.values.get("client")
        return OAuthClientInformationFull.model_validate(client) if client else None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.keep(client=client_info.model_dump(mode="json", exclude_none=True))

    @staticmethod
    def read(path: Path) -> dict[str, Any]:
        """What a file holds; nothing where it cannot be used."""
        try:
            value = json.loads(path.read_text("utf-8"))
            OAuthToken.model_validate(value["tokens"])
        except (OSError, ValueError, KeyError, ValidationError):
            return {}  # not there, or of another version: the person signs in again
        return dict(value)


def signed_in() -> list[str]:
    """The servers at which somebody of this machine's user is signed in."""
    found = (Kept.read(path).get("url") for path in sorted((user_folder("data") / FOLDER).glob("*.json")))
    return sorted(url for url in found if isinstance(url, str))


async def sign_out(url: str) -> bool:
    """Forget the sign-in at the server at ``url``, and have it ended there (RFC 7009); whether the server ended it.

    Raises:
        UserError: nobody is signed in there.
    """
    kept = Kept(url)
    if not kept.values:
        raise UserError(f"You are not signed in to {url}.{did_you_mean(url, signed_in())}", code="NOT_SIGNED_IN")
    tokens, client = kept.values["tokens"], kept.values.get("client") or {}
    where = (kept.values.get("server") or {}).get("revocation_endpoint")
    kept.forget()
    if where is None or "refresh_token" not in tokens:
        return False
    form = {"token": tokens["refresh_token"], "client_id": client.get("client_id", "")}
    try:
        async with httpx2.AsyncClient() as http:
            return (await http.post(where, data=form)).is_success
    except httpx2.HTTPError:
        return False


def kept_token(url: str) -> str | None:
    """The access token of the server at ``url``, where somebody is signed in there."""
    token: str | None = Kept(url).values.get("tokens", {}).get("access_token")
    return token


class Browser:
    """Sends the person to sign in, and takes the answer that their browser brings back."""

    def __init__(self) -> None:
        self._answer: AuthorizationCodeResult | None = None
        self._refusal = ""
        self._arrived = anyio.Event()

    async def open(self, address: str) -> None:
        """Show where to sign in; a machine without a browser still has the address to copy."""
        self._arrived = anyio.Event()
        click.echo(f"Sign in in your browser: {address}", err=True)
        await anyio.to_thread.run_sync(webbrowser.open, address, abandon_on_cancel=True)

    async def answer(self) -> AuthorizationCodeResult:
        """The answer.

        Raises:
            UserError: none came in time, or the person was turned away.
        """
        with anyio.move_on_after(PERSON_SECONDS):
            await self._arrived.wait()
        if self._answer is None:
            raise UserError(f"Nobody signed in within {PERSON_SECONDS // 60} minutes.", code="NOT_SIGNED_IN")
        if self._refusal:
            raise UserError(f"Nobody is signed in. The server answered: {self._refusal}", code="NOT_SIGNED_IN")
        return self._answer

    async def take(self, stream: SocketStream) -> None:
        async with stream:
            head = BufferedByteReceiveStream(stream)
            try:
                line = await head.receive_until(b"\r\n", LONGEST_REQUEST)
                await head.receive_until(b"\r\n\r\n", LONGEST_REQUEST)
            except (anyio.IncompleteRead, anyio.DelimiterNotFound):
                return
            parts = urlsplit(line.split(b" ")[1].decode("latin-1") if line.count(b" ") == 2 else "")
            given = dict(parse_qsl(parts.query))
            known = parts.path == PATH and ("code" in given or "error" in given)
            await stream.send(_page(_DONE if known else "There is nothing here.", 200 if known else 404))
            if known:
                self._refusal = given.get("error_description") or given.get("error", "")
                self._answer = AuthorizationCodeResult(
                    code=given.get("code", ""), state=given.get("state"), iss=given.get("iss")
                )
                self._arrived.set()


def _page(text: str, status: int) -> bytes:
    body = f"<!doctype html><meta charset=utf-8><title>packhorse</title><p>{text}</p>".encode()
    head = (
        f"HTTP/1.1 {status} \r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body


@asynccontextmanager
async def signing_in(url: str) -> AsyncIterator[OAuthClientProvider]:
    """What puts a token of the server at ``url`` on each request; a person is asked where there is none that holds."""
    kept, browser = Kept(url), Browser()
    logging.getLogger("mcp.client.auth.oauth2").setLevel(logging.CRITICAL)  # what goes wrong is raised, and said once
    async with await _listener(kept) as listener, anyio.create_task_group() as tasks:
        port = listener.extra(SocketAttribute.local_port)  # noqa: S610 - of a socket, not of a query
        provider = OAuthClientProvider(
            url,
            OAuthClientMetadata(
                client_name="packhorse command line",
                redirect_uris=[AnyUrl(f"http://127.0.0.1:{port}{PATH}")],
                token_endpoint_auth_method="none",  # noqa: S106 - a method, not a secret
            ),
            kept,
            browser.open,
            browser.answer,
        )
        provider.context.token_expiry_time = kept.values.get("ends")
        if "server" in kept.values:
            provider.context.oauth_metadata = OAuthMetadata.model_validate(kept.values["server"])
        tasks.start_soon(listener.serve, browser.take)
        try:
            yield provider
        finally:
            tasks.cancel_scope.cancel()
            described = provider.context.oauth_metadata
            if described is not None and "tokens" in kept.values:
                kept.keep(server=described.model_dump(mode="json", exclude_none=True), port=port)


async def _listener(kept: Kept) -> MultiListener[SocketStream]:
    """On the port of the last time, by which the server knows the client; on another the client registers again."""
    port = kept.values.get("port", 0)
    try:
        return await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=port)
    except OSError:
        kept.values.pop("client", None)
        return await anyio.create_tcp_listener(local_host="127.0.0.1")
