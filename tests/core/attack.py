"""One address that takes what it can of a server, and callers on others: all on the loopback net, by raw sockets."""

import asyncio
import http.client
import json
import resource
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from tests.core.raw_http import headers_of, message

from packhorse.tokens import Issuer, mint

SECRET = "0123456789abcdef-of-the-fair-server"
AUTH = f'[auth]\nsecret = "{SECRET}"'

DESK = '''
import asyncio
from pathlib import Path

from packhorse import Tool, hookimpl

BEGUN = Path(__file__).with_name("begun").open("ab", buffering=0)  # now: an attack leaves no file to open


async def quick(n: int = 0) -> int:
    """Answer at once."""
    return n


async def slow(seconds: float) -> str:
    """Answer late."""
    BEGUN.write(b".")
    await asyncio.sleep(seconds)
    return "late"


@hookimpl
def register_tools():
    return [Tool(fn=fn, public=True, read_only=True) for fn in (quick, slow)]
'''

SICK = '''
import threading

from packhorse import Tool, hookimpl


def hang() -> str:
    """Wait for what never comes."""
    threading.Event().wait(600)
    return ""


@hookimpl
def register_tools():
    return [Tool(fn=hang, public=True, read_only=True, timeout=1)]
'''


def token_of(subject: str) -> str:
    """A token that the server takes."""
    return mint(Issuer(iss="packhorse", audience="packhorse", secret=SECRET.encode(), local=True), subject, [], 3600)


def call_of(tool: str, arguments: Mapping[str, Any], token: str | None = None) -> tuple[dict[str, str], bytes]:
    """Headers and body of a call."""
    return headers_of(tool, token=token), json.dumps(message(arguments, name=tool)).encode()


@dataclass
class Calls:
    """What became of calls that were made one after another."""

    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    @property
    def p95(self) -> float:
        return sorted(self.seconds)[int(len(self.seconds) * 0.95)]


def calls(port: int, address: str, count: int, *, token: str | None = None, each: int = 25) -> Calls:
    """Make quick calls from an address, ``each`` on one connection: "answered", or what came instead."""
    made = Calls()
    headers, body = call_of("quick", {"n": 1}, token)
    for first in range(0, count, each):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
        try:
            for _ in range(min(each, count - first)):
                begun = perf_counter()
                connection.request("POST", "/mcp", body, headers)
                answer = connection.getresponse()
                said = answer.read().decode()
                made.seconds.append(perf_counter() - begun)
                well = answer.status == 200 and '"structuredContent":{"result":1}' in said
                made.outcomes["answered" if well else f"{answer.status} {said[:200]}"] += 1
        finally:
            connection.close()
    return made


@dataclass
class Attack:
    """What one address does at the same time; `stop` lets go of it all."""

    port: int
    address: str = "127.0.0.2"
    outcomes: dict[str, Counter[int]] = field(default_factory=dict)
    _open: list[asyncio.StreamWriter] = field(default_factory=list)

    async def begin(
        self, *, handshakes: int = 1_000, slow: int = 64, hung: int = 10, half_open: int = 1_700, bad_tokens: int = 30
    ) -> None:
        """Take all of it, and hold it."""
        files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, max(files, 4_096)), most))
        await self._many("handshakes", handshakes, *_handshake())
        await self._many("bad tokens", bad_tokens, *call_of("quick", {}, "a.b.c"))
        await self._many("hung", hung, *call_of("hang", {}))
        for _ in range(slow):
            await self._send(self._request(*call_of("slow", {"seconds": 50})))
        for number in range(half_open):
            await self._send(_half_of_a_request(number))

    async def go_on(self) -> None:
        """Take again what the server takes back, until cancelled: each second connections, calls and handshakes."""
        while True:
            for number in range(60):
                await self._send(_half_of_a_request(number))
            for _ in range(8):
                await self._send(self._request(*call_of("slow", {"seconds": 50})))
            await self._many("handshakes", 20, *_handshake())
            await self._many("bad tokens", 1, *call_of("quick", {}, "a.b.c"))
            await asyncio.sleep(1)

    async def stop(self) -> None:
        """Close every connection."""
        for writer in self._open:
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _many(self, what: str, count: int, headers: Mapping[str, str], body: bytes) -> None:
        """Requests to their end, 20 at a time."""
        statuses = self.outcomes.setdefault(what, Counter())
        gate = asyncio.Semaphore(20)
        request = self._request({**headers, "Connection": "close"}, body)

        async def ask() -> None:
            async with gate:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
                writer.write(request)
                try:
                    line = await reader.readline()
                except ConnectionResetError:  # the server has no place for it, and closed with the request unread
                    line = b""
                statuses[int(line.split()[1]) if line else 0] += 1
                writer.transport.abort()

        await asyncio.gather(*(ask() for _ in range(count)))

    async def _send(self, data: bytes) -> None:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
        except OSError:
            return
        writer.write(data)
        self._open.append(writer)

    def _request(self, headers: Mapping[str, str], body: bytes) -> bytes:
        lines = ["POST /mcp HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join([*lines, "", ""]).encode() + body


def _half_of_a_request(number: int) -> bytes:
    """Nothing, half a head, or the begin of a body, by turns."""
    head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return (b"", head, head + b"Content-Length: 100\r\n\r\n{")[number % 3]


def _handshake() -> tuple[dict[str, str], bytes]:
    client = {"name": "many", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    return {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}, body
