"""One of two processes that serve the same addresses and count in one Redis.

Arguments: the address of Redis, what distinguishes this worker. Waits for a line, so that both begin together, makes
its calls and prints what became of them.
"""

import asyncio
import json
import sys

from tests.core.rates.hand import Hand

from packhorse.limits import Limit, Limiter
from packhorse.server.addresses import MESSAGE, AddressGate, Rule

CALLS = 75


async def work(url: str, me: str) -> dict[str, object]:
    limiter = Limiter.redis(url, prefix="workers", clock=Hand())

    async def answer(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    gate = AddressGate(answer, limiter, {"circadian": Rule(Limit.parse("100/hour"), frozenset(["phase"]))})

    async def call(address: str) -> tuple[int, str | None]:
        seen = []
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "phase"}}
        scope = {"type": "http", "method": "POST", "client": (address, 1), "headers": [], MESSAGE: message}

        async def send(event):
            seen.append(event)

        await gate(scope, None, send)
        return seen[0]["status"], dict(seen[0]["headers"]).get(b"retry-after", b"").decode() or None

    await limiter.check()
    sys.stdin.readline()
    shared = [await call("192.0.2.1") for _ in range(CALLS)]
    own = await call(f"198.51.100.{me}")
    pairs = [await limiter.hit("chain", Limit.parse("100/hour"), [f"agent-{me}", "person"]) for _ in range(CALLS)]
    await limiter.close()
    return {"shared": shared, "own": own, "pairs": pairs.count(None)}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(work(*sys.argv[1:]))))
