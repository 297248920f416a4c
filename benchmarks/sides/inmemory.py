"""One server and the SDK's own client in one process: ``python inmemory.py SIDE``.

Reads orders as JSON lines ({"era", "tool", "arguments", "calls"}) and answers
each with the median of the calls, and the processor time of one, both in ms.
"""

import gc
import json
import logging
import statistics
import sys
import time
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import anyio
from mcp.client.client import Client

HANDSHAKE = "2025-11-25"
ERAS = (HANDSHAKE, "2026-07-28")


@asynccontextmanager
async def connected(side: str, era: str) -> Any:
    """The SDK's client on the server of ``side``."""
    if side == "packhorse":
        from packhorse_bench import pack

        from packhorse import testing
        from packhorse.metrics.pack import Counting
        from packhorse.settings import PackTable, ServerSettings

        # Limits, the record and the metrics are on; nobody shows a token in a process.
        limits = PackTable(limits={"add": "100000/hour", "echo": "100000/hour"})
        deployment = testing.deployment_for(
            bench=pack, tables={"bench": limits}, server=ServerSettings(transport="http", metrics=True)
        )
        if not any(isinstance(one, Counting) for one in deployment.catalogue.observers):
            raise SystemExit("metrics are off: install packhorse[metrics]")
        async with testing.connected(deployment, protocol=era) as client:
            yield client
        return
    if side == "sdk":
        from sdk import server
    else:
        from fast import server as fast

        server = fast._mcp_server  # noqa: SLF001 - the SDK's client takes the SDK's server, which FastMCP hides
    async with Client(server, mode="legacy" if era == HANDSHAKE else era) as client:
        yield client


async def measured(client: Client, tool: str, arguments: dict[str, Any], calls: int) -> dict[str, float]:
    """``calls`` calls, one after the other."""
    times = []
    before = time.process_time()
    for _ in range(calls):
        began = time.perf_counter()
        reply = await client.call_tool(tool, arguments)
        times.append(time.perf_counter() - began)
        if reply.is_error or reply.structured_content is None:
            raise SystemExit(f"the call of {tool} failed: {reply}")
    cpu = time.process_time() - before
    return {"wall": statistics.median(times) * 1000, "cpu": cpu / calls * 1000}


async def main(side: str) -> None:
    """Take orders until the input ends."""
    async with AsyncExitStack() as stack:
        clients = {era: await stack.enter_async_context(connected(side, era)) for era in ERAS}
        for era, client in clients.items():
            if client.protocol_version != era:
                raise SystemExit(f"{side} speaks {client.protocol_version} where {era} was asked for")
        gc.collect()
        print("ready", flush=True)
        for line in sys.stdin:
            order = json.loads(line)
            client = clients[order.pop("era")]
            print(json.dumps(await measured(client, **order)), flush=True)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    anyio.run(main, sys.argv[1])
