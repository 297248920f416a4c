"""The SDK's client calls one tool at several servers in turns: ``python called.py WAYS CALLS``.

WAYS is JSON: by name the address, the tool and the token of a server. Prints, by name, the seconds of each call: call
for call in changing order, so that what other programs do meets all of them alike.
"""

import gc
import json
import sys
import time
from contextlib import AsyncExitStack
from typing import Any

import anyio
import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

WARM_CALLS = 20


async def main(ways: dict[str, dict[str, str]], calls: int) -> dict[str, list[float]]:
    """Every way ``calls`` times."""
    async with AsyncExitStack() as stack:
        clients: dict[str, Any] = {}
        for name, way in ways.items():
            headers = {"Authorization": f"Bearer {way['token']}"} if way["token"] else {}
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
            transport = streamable_http_client(way["url"], http_client=http)
            clients[name] = await stack.enter_async_context(Client(transport, cache=None))
        taken: dict[str, list[float]] = {name: [] for name in ways}
        gc.disable()
        for turn in range(-WARM_CALLS, calls):
            names = list(ways)[turn % len(ways) :] + list(ways)[: turn % len(ways)]
            for name in names:
                began = time.perf_counter()
                reply = await clients[name].call_tool(ways[name]["tool"], {"text": "Jove"})
                took = time.perf_counter() - began
                if reply.is_error or reply.structured_content != {"result": "Jove"}:
                    raise SystemExit(f"{name} answered {reply}")
                if turn >= 0:
                    taken[name].append(took)
        return taken


if __name__ == "__main__":
    print(json.dumps(anyio.run(main, json.loads(sys.argv[1]), int(sys.argv[2]))))
