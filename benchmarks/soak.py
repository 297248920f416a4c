"""Whether a server stays as it is: 50,000 mixed calls over HTTP, and what it then holds on to.

``python benchmarks/soak.py`` builds an environment from this checkout, serves
the bench pack with limits, record, metrics and tokens on, and calls it from
eight places at once: answers, refusals, unknown tools, effects, clients that
hang up in the middle of a call, and sessions of older clients that cancel. It
prints resident memory after every 10,000 calls, and the file handles, threads,
tasks and calls in flight before and after. The exit status is 1 when a reply
was lost, something leaked, or memory after the last 10,000 calls is more than
5 % above that after the first.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import calls
import venvs
from starts import config

CALLS, WIDTH, PART = 50_000, 8, 10_000
MOST = 1.05
_HANDSHAKE = "2025-11-25"
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@dataclass
class Soaked:
    """What came back. ``lost`` counts replies that were owed and did not come, or were not the right ones."""

    kinds: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)


class Caller:
    """One connection to the server, opened again when the server or this caller has closed it."""

    def __init__(self, port: int, token: str, seed: int, soaked: Soaked) -> None:
        self._port = port
        self._token = token
        self._random = random.Random(seed)
        self._soaked = soaked
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self) -> None:
        """One call, of a kind drawn by lot."""
        kind = self._random.choices(
            ("answer", "thread", "refusal", "unknown", "effect", "hang up", "cancel"), (40, 15, 15, 8, 10, 10, 2)
        )[0]
        self._soaked.kinds[kind] += 1
        number = self._random.randrange(10**6)
        if kind == "cancel":
            await self._cancelled()
        elif kind == "hang up":
            await self._send(_newest("nap", {"seconds": 0.02}), self.headers("nap"))
            await self.close()
        else:
            tool, arguments, right = {
                "answer": ("echo", {"text": str(number)}, {"result": str(number)}),
                "thread": ("add", {"a": number, "b": 1}, {"result": number + 1}),
                "effect": ("keep", {"n": number}, {"result": number}),
                "refusal": ("add", {"a": str(number), "b": 1}, None),
                "unknown": (f"tool{number}", {}, None),
            }[kind]
            answer = await self.ask(_newest(tool, arguments), self.headers(tool))
            self._check(kind, answer, right)

    def _check(self, kind: str, answer: Any, right: Any) -> None:
        result = answer.get("result", {}) if isinstance(answer, dict) else {}
        if kind == "unknown":
            good = isinstance(answer, dict) and answer.get("error", {}).get("code") == -32602
        elif kind == "refusal":
            good = result.get("isError") is True
        else:
            good = result.get("structuredContent") == right
        if not good:
            self._soaked.lost.append(f"{kind}: {str(answer)[:200]}")

    async def _cancelled(self) -> None:
        """A session of an older client, whose call is cancelled by word."""
        await self.close()
        plain = {"MCP-Protocol-Version": _HANDSHAKE}
        hello = {"protocolVersion": _HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
        head, body = await self._exchange(_message("initialize", hello), plain)
        session = next(line.split(": ")[1] for line in head.split("\r\n") if line.lower().startswith("mcp-session-id"))
        mine = {**plain, "Mcp-Session-Id": session}
        if "serverInfo" not in body:
            self._soaked.lost.append(f"initialize: {body[:200]}")
        await self._exchange(_message("notifications/initialized", {}, number=None), mine)
        call = _message("tools/call", {"name": "nap", "arguments": {"seconds": 30}}, number=2)
        other = Caller(self._port, self._token, 0, self._soaked)
        await other._send(call, mine)
        await self._exchange(_message("notifications/cancelled", {"requestId": 2}, number=None), mine)
        await other.close()
        await self._exchange("", mine, method="DELETE")

    async def ask(self, body: str, headers: dict[str, str]) -> Any:
        """The answer's JSON; what went wrong, in words, where there is none."""
        try:
            _, answer = await self._exchange(body, headers)
            return json.loads(answer)
        except (OSError, asyncio.IncompleteReadError, ValueError) as exc:
            await self.close()
            return repr(exc)

    async def _exchange(self, body: str, headers: dict[str, str], method: str = "POST") -> tuple[str, str]:
        reader, _ = await self._send(body, headers, method)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in head.split("\r\n")[1:] if line)
        }
        if "content-length" in fields:
            body_bytes = await reader.readexactly(int(fields["content-length"]))
        elif fields.get("transfer-encoding") == "chunked":
            parts = []
            while size := int(await reader.readline(), 16):
                parts.append(await reader.readexactly(size))
                await reader.readline()
            await reader.readline()
            body_bytes = b"".join(parts)
        else:
            body_bytes = b""
        return head, body_bytes.decode()

    async def _send(
        self, body: str, headers: dict[str, str], method: str = "POST"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        lines = [
            f"{method} /mcp HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            f"Authorization: Bearer {self._token}",
            f"Content-Length: {len(body.encode())}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self._streams[1].write("\r\n".join([*lines, "", body]).encode())
        await self._streams[1].drain()
        return self._streams

    async def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    def headers(self, tool: str) -> dict[str, str]:
        """What a call of ``tool`` says of itself."""
        return {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}


def _message(method: str, params: dict[str, Any], number: int | None = 1) -> str:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})})


def _newest(tool: str, arguments: dict[str, Any]) -> str:
    return _message("tools/call", {"name": tool, "arguments": arguments, "_meta": _META})


@dataclass(frozen=True)
class Held:
    """What a server process holds. ``resident`` is in MiB."""

    resident: float
    handles: int
    threads: int
    tasks: int

    @classmethod
    async def by(cls, pid: int, port: int, token: str) -> "Held":
        asker = Caller(port, token, 0, Soaked())
        census = await asker.ask(_newest("census", {}), asker.headers("census"))
        await asker.close()
        return cls(*_of_process(pid), census["result"]["structuredContent"]["result"])


def _of_process(pid: int) -> tuple[float, int, int]:
    process = Path(f"/proc/{pid}")
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines())
    handles = sum(1 for _ in (process / "fd").iterdir())
    return int(status["VmRSS"].split()[0]) / 1024, handles, int(status["Threads"])


async def soak(pid: int, port: int, token: str, total: int) -> tuple[Soaked, list[Held]]:
    """``total`` calls in parts; what came back, and what the server held before and after each part."""
    soaked = Soaked()
    callers = [Caller(port, token, seed, soaked) for seed in range(WIDTH)]
    part = min(PART, total)
    held = [await _settled(pid, port, token)]
    for _ in range(0, total, part):

        async def some(caller: Caller) -> None:
            for _ in range(part // WIDTH):
                await caller.call()

        await asyncio.gather(*(some(caller) for caller in callers))
        held.append(await _settled(pid, port, token))
    for caller in callers:
        await caller.close()
    held.append(await _settled(pid, port, token))
    return soaked, held


async def _settled(pid: int, port: int, token: str) -> Held:
    """What is held once nothing changes any more: calls that were given up end by themselves."""
    last = await Held.by(pid, port, token)
    for _ in range(40):
        await asyncio.sleep(0.25)
        now = await Held.by(pid, port, token)
        if (now.handles, now.tasks) == (last.handles, last.tasks):
            return now
        last = now
    return last


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=CALLS, help=f"{CALLS:,} by default")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="packhorse-soak-") as name:
        folder = Path(name)
        python = str(venvs.build(folder).host)
        settings = config(folder, "soak", ["bench"], calls.AUTH, metrics=True)
        command = [python, "-m", "packhorse", "serve", "--config", settings, "--transport", "http", "--port"]
        token = calls.token(python)
        with calls.listening(command) as (port, pid):
            soaked, held = asyncio.run(soak(pid, port, token, chosen.calls))
        verify = [python, "-m", "packhorse", "audit", "verify", "--config", settings]
        checked = subprocess.run(verify, check=False).returncode
    print(f"{sum(soaked.kinds.values()):,} calls: {dict(soaked.kinds)}")
    for number, one in enumerate(held):
        print(f"{number}: {one.resident:.1f} MiB, {one.handles} handles, {one.threads} threads, {one.tasks} tasks")
    first, last = held[1], held[-2]
    grown = last.resident / first.resident
    # The first calls start what the server keeps running, so tasks are compared with those after the first part.
    leaked = held[-1].handles > held[0].handles or held[-1].tasks > first.tasks
    print(f"memory after the last part over that after the first: {grown:.3f}")
    print(f"lost replies: {len(soaked.lost)} {soaked.lost[:3] or ''}")
    print(f"handles and tasks: {'leaked' if leaked else 'as before'}")
    return int(bool(soaked.lost) or leaked or grown > MOST or checked != 0)


if __name__ == "__main__":
    sys.exit(main())
