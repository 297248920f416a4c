"""Tools that speak to the client while they work.

The pauses are part of the fixture: the suite looks for several notices over
time, not for one batch.
"""

from collections.abc import Callable, Sequence
from typing import Any

import anyio

from packhorse import Context, Text

PAUSE_SECONDS = 0.05
RECONNECT_SECONDS = 0.2


async def test_tool_with_logging(ctx: Context) -> Text:
    """Send three log lines, then answer."""
    await ctx.log("info", "Tool execution started")
    await anyio.sleep(PAUSE_SECONDS)
    await ctx.log("info", "Tool processing data")
    await anyio.sleep(PAUSE_SECONDS)
    await ctx.log("info", "Tool execution completed")
    return Text("Tool with logging executed successfully")


async def test_logging_tool(ctx: Context) -> Text:
    """Send log lines at two levels, which reach only a client that asked for them."""
    await ctx.log("info", "An informative line")
    await ctx.log("error", "An alarming line")
    return Text("Log lines sent to whoever asked for them")


async def test_tool_with_progress(ctx: Context) -> Text:
    """Report progress at 0, 50 and 100 of 100, then answer."""
    await ctx.report_progress(0, 100)
    await anyio.sleep(PAUSE_SECONDS)
    await ctx.report_progress(50, 100)
    await anyio.sleep(PAUSE_SECONDS)
    await ctx.report_progress(100, 100)
    return Text("Tool with progress executed successfully")


async def test_reconnection(ctx: Context) -> Text:
    """Close the response stream in the middle of the call; the answer waits for a client that resumes (SEP-1699)."""
    await ctx.log("info", "Closing the stream")
    await ctx.close_stream()
    await anyio.sleep(RECONNECT_SECONDS)
    await ctx.log("info", "Sent while no stream was open")
    return Text("Reconnection test completed")


async def test_trigger_tool_change(ctx: Context) -> Text:
    """Tell listening clients that the list of tools is not what it was."""
    await ctx.notify_changed("tools")
    return Text("tools/list_changed sent")


async def test_trigger_prompt_change(ctx: Context) -> Text:
    """Tell listening clients that the list of prompts is not what it was."""
    await ctx.notify_changed("prompts")
    return Text("prompts/list_changed sent")


TOOLS: Sequence[Callable[..., Any]] = (
    test_tool_with_logging,
    test_logging_tool,
    test_tool_with_progress,
    test_reconnection,
    test_trigger_tool_change,
    test_trigger_prompt_change,
)
