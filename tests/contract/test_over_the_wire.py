"""The circadian pack, served as a desktop entry serves it and over HTTP, asked by a real client of both eras."""

from contextlib import AsyncExitStack

import pytest
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from tests.core.live import Bench

from packhorse.testing import PROTOCOLS

pytestmark = pytest.mark.anyio

SHIFT = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "Asia/Tokyo",
    "travel_date": "2026-02-15",
}
FLIGHT = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "Asia/Tokyo",
    "departure_datetime": "2026-02-15T11:30",
    "arrival_datetime": "2026-02-16T15:45",
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_the_specified_tools_are_listed_first_and_answer(tmp_path, transport, protocol):
    bench = Bench(tmp_path)
    async with AsyncExitStack() as stack:
        if transport == "http":
            where = stack.enter_context(bench.serving("circadian")).url
        else:
            log = stack.enter_context(bench.log.open("w"))
            where = stdio_client(bench.stdio("circadian"), errlog=log)
        mode = protocol if protocol == "2026-07-28" else "legacy"
        client = await stack.enter_async_context(Client(where, mode=mode))
        spoken = client.protocol_version
        names = [tool.name for tool in (await client.list_tools()).tools]
        shift = await client.call_tool("calculate_phase_shift", SHIFT)
        plan = await client.call_tool("get_adaptation_plan", FLIGHT)

    assert spoken == protocol
    assert names[:2] == ["calculate_phase_shift", "get_adaptation_plan"]
    assert (shift.structured_content["raw_shift_hours"], shift.structured_content["optimal_shift_hours"]) == (17, 7)
    assert plan.structured_content["summary"]["total_days"] == 8
    assert plan.structured_content["days"][0]["date"] == "2026-02-12"
