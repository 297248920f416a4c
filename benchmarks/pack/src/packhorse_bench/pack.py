"""The two functions as a pack, and what else a soak calls."""

import asyncio

from packhorse import Tool, hookimpl
from packhorse_bench.functions import add, echo, keep, note


async def nap(seconds: float) -> str:
    """Wait a while, so that a caller can go away meanwhile."""
    await asyncio.sleep(seconds)
    return "awake"


async def census() -> int:
    """Count the tasks of the server's loop."""
    return len(asyncio.all_tasks())


@hookimpl
def register_tools() -> list[Tool]:
    """Open to everybody who may call at all; only `keep` and `note` might change something."""
    return [
        Tool(fn=add, read_only=True, public=True),
        Tool(fn=echo, read_only=True, public=True),
        Tool(fn=nap, read_only=True, public=True),
        Tool(fn=census, read_only=True, public=True),
        Tool(fn=keep, public=True),
        Tool(fn=note, public=True),
    ]
