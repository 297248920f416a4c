"""One of two processes that serve the same addresses and count in one Redis.

Arguments: the address of Redis, what distinguishes this worker. Waits for a line, so that both begin together, makes
its calls and prints what became of them.
"""

import asyncio
import json
import sys

from tests.core.rates.hand import PATIENCE_SECONDS, Hand

from packhorse.door.limits import Limit, Limiter
from packhorse.http.addresses import AddressLimits
from packhorse.wire.refusals import Refused

CALLS = 75


async def work(url: str, me: str) -> dict[str, object]:
    limiter = Limiter.redis(url, prefix="workers", clock=Hand(), timeout_seconds=PATIENCE_SECONDS)

    limits = AddressLimits(limiter, {"circadian": (Limit.parse("100/hour"), frozenset(["phase"]))}, {})
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "phase"}}

    async def call(address: str) -> tuple[int, str | None]:
        try:
            await limits.count(address, message)
        except Refused as refused:
            return refused.status, refused.headers.get("Retry-After")
        return 200, None

    await limiter.check()
    sys.stdin.readline()
    shared = [await call("192.0.2.1") for _ in range(CALLS)]
    own = await call(f"198.51.100.{me}")
    pairs = [await limiter.hit("chain", Limit.parse("100/hour"), [f"agent-{me}", "person"]) for _ in range(CALLS)]
    await limiter.close()
    return {"shared": shared, "own": own, "pairs": pairs.count(None)}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(work(*sys.argv[1:]))))
