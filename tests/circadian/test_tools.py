"""The tools as a client meets them."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from packhorse.testing import client_for, fixed_clock
from packhorse_circadian import pack

NEW_YEAR = fixed_clock("2026-01-01T00:00:00Z")

pytestmark = pytest.mark.anyio


async def test_every_tool_only_reads() -> None:
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

    assert set(tools) == {
        "calculate_phase_shift",
        "compare_itineraries",
        "get_adaptation_plan",
        "plan_for_shifts",
        "replan",
        "what_now",
        "where_is_my_clock",
    }  # and, for who asks for experts' tools, simulate_light_schedule
    for tool in tools.values():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint


async def test_the_list_of_tools_costs_a_model_little() -> None:
    """Finding C11 f: 66 kB of schemas for six tools, that of a trip four times."""
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        tools = (await client.list_tools()).tools
    listed = [[tool.name, tool.description, tool.input_schema] for tool in tools]

    # Slim tools have 4.3 characters a token of the o200k vocabulary.
    assert len(json.dumps(listed, ensure_ascii=False, separators=(",", ":"))) / 4.3 <= 1500


async def test_the_specification_s_example_comes_back_with_whole_numbers() -> None:
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool(
            "calculate_phase_shift",
            {
                "origin_timezone": "America/Los_Angeles",
                "destination_timezone": "Asia/Tokyo",
                "travel_date": "2026-02-15",
            },
        )

    text = reply.content[0].text
    assert '"raw_shift_hours":17,' in text
    assert json.loads(text) == reply.structured_content


def tokens(text: str) -> float:
    """Of the o200k vocabulary, about: plans have four characters to one."""
    return len(text) / 3.3


async def test_a_plan_s_text_is_a_page_and_both_channels_are_slim(flight: Callable[..., dict[str, Any]]) -> None:
    back = {"departure_datetime": "2026-02-26T17:00", "arrival_datetime": "2026-02-26T09:30"}
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool("get_adaptation_plan", flight())
        there_and_back = await client.call_tool("get_adaptation_plan", flight(return_flight=back))

    assert not reply.is_error
    assert len(reply.content) == 1
    assert "By the clock of Asia/Tokyo:\nMon Feb 16: " in reply.content[0].text
    assert reply.structured_content["caution"] in reply.content[0].text
    for answer in (reply, there_and_back):
        assert tokens(answer.content[0].text) <= 1700
        assert len(json.dumps(answer.structured_content, separators=(",", ":"))) / 3.3 <= 2500


async def test_in_full_a_plan_has_every_item_with_its_reason(flight: Callable[..., dict[str, Any]]) -> None:
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool("get_adaptation_plan", flight(detail="full"))

    items = [item for day in reply.structured_content["days"] for item in day["items"]]
    assert all(item["why"] and item["utc"] for item in items)


async def test_a_plan_gives_the_trip_line_that_later_calls_take(flight: Callable[..., dict[str, Any]]) -> None:
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        plan = await client.call_tool("get_adaptation_plan", flight(prep_days=1))
        line = plan.structured_content["trip"]
        now = await client.call_tool("what_now", {"trip": line, "now_datetime": "2026-02-17T08:00"})

    assert line == "America/Los_Angeles 2026-02-15T11:30 > Asia/Tokyo 2026-02-16T15:45; prep 1"
    assert not now.is_error


async def test_a_bad_zone_is_refused_with_its_code_and_without_internals() -> None:
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool(
            "calculate_phase_shift", {"origin_timezone": "Mars/Olympus", "destination_timezone": "Asia/Tokyo"}
        )

    error = (reply.meta or {})["packhorse/error"]
    assert reply.is_error
    assert (error["code"], error["jsonrpc_code"]) == ("INVALID_TIMEZONE", -32602)
    assert "Traceback" not in reply.content[0].text
    assert "ZoneInfo" not in reply.content[0].text


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"origin_timezone": "../etc"}, "INVALID_TIMEZONE"),
        ({"departure_datetime": "tomorrow"}, "INVALID_DATETIME"),
        ({"prep_days": 8}, "INVALID_PREP_DAYS"),
        ({"usual_wake_time": "24:00"}, "INVALID_TIME"),
        ({"interventions": 3}, "INVALID_INTERVENTIONS"),
    ],
)
async def test_what_the_schema_refuses_has_the_pack_s_own_code(
    flight: Callable[..., dict[str, Any]], changed: dict[str, Any], code: str
) -> None:
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        reply = await client.call_tool("get_adaptation_plan", flight(**changed))

    assert reply.is_error
    assert (reply.meta or {})["packhorse/error"]["code"] == code


async def test_a_flight_that_has_left_is_said(flight: Callable[..., dict[str, Any]]) -> None:
    """Finding C11 c."""
    async with client_for(circadian=pack, clock=fixed_clock("2026-02-16T12:00:00Z")) as client:
        reply = await client.call_tool("get_adaptation_plan", flight())

    assert any("This flight has left" in note and "replan" in note for note in reply.structured_content["notes"])


async def test_the_demo_tells_the_trip_to_tokyo() -> None:
    scene = pack.pack.demo
    assert scene is not None
    async with client_for(circadian=pack, clock=NEW_YEAR) as client:
        answers = [
            (await client.call_tool(tool, dict(arguments))).structured_content or {} for tool, arguments in scene.calls
        ]
    lines = scene.tell(answers)

    assert "17 hours by the map, 7 for the body (delay), hard" in lines[0]
    assert "8 days" in lines[2]
    assert "of 2026-02-12: 00:00-08:00 sleep (after midnight)" in lines[3]


def test_the_domain_knows_no_framework() -> None:
    code = (
        "import sys, packhorse_circadian.domain.advice; "
        "print([name for name in ('packhorse', 'pydantic', 'cattrs') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "[]"
