"""Search for tools: what is listed, what is found, and calls by an entrance, which are calls of the tool itself."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation
from tests.core.seeds import client_of, pack_of

from packhorse import Pack, Principal, Tool, Verifier
from packhorse.audit import rows
from packhorse.contract.packs import Offered
from packhorse.door.entrances import ENTRANCES
from packhorse.door.limits import Limit, Limiter
from packhorse.errors import AUTHORIZATION, INVALID_PARAMS, PackError
from packhorse.http.addresses import AddressLimits
from packhorse.search.offer import Index, signature
from packhorse.settings import PackTable, ServerSettings
from packhorse.testing import connected, deployment_for
from packhorse.wire.refusals import Refused

pytestmark = pytest.mark.anyio

PLANNER = Principal("human", "p1", roles=frozenset(["COORDINATOR"]))
RESIDENT = Principal("human", "r1", roles=frozenset(["RESIDENT"]))
SEARCH = {"tools": "search"}


ROLES = ("COORDINATOR", "RESIDENT")


def offers(called: list[str]) -> dict[str, Any]:
    """A pack's tools, which note that they were called."""

    def show(day: str = "today") -> dict[str, str]:
        """Show the roster of a day."""
        called.append("show")
        return {"day": day}

    def trade(person: str, count: int = 1) -> dict[str, str]:
        """Exchange a shift with a colleague."""
        called.append("trade")
        return {"person": person}

    def erase(name: str) -> dict[str, str]:
        """Delete a plan for good."""
        called.append("erase")
        return {"name": name}

    def publish(name: str) -> dict[str, str]:
        """Put a plan in force."""
        called.append("publish")
        return {"name": name}

    def rare() -> dict[str, str]:
        """Count what a theory of networks says."""
        called.append("rare")
        return {}

    tools = [
        Tool(fn=show, read_only=True, roles=ROLES, words="who works, duty, schedule; who is on today"),
        Tool(fn=trade, roles=ROLES, limit="2/hour", words="cover jeopardy; somebody take my Friday\nsubstitute"),
        Tool(fn=erase, destructive=True, roles=["COORDINATOR"]),
        Tool(fn=publish, roles=["COORDINATOR"]),
        Tool(fn=rare, read_only=True, roles=["COORDINATOR"], level="expert"),
    ]
    return {"tools": tools, "auth": [Verifier(lambda token: None)]}


OFFERS = offers([])


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


async def found(client: Client, query: str) -> str:
    return (await client.call_tool("search_tools", {"query": query})).content[0].text


# --- what is listed ---


async def test_every_tool_but_those_for_experts_is_listed_where_nobody_asks_for_search(tmp_path):
    async with client_of(tmp_path, principal=PLANNER, **OFFERS) as client:
        assert await names(client) == ["show", "trade", "erase", "publish"]
        with pytest.raises(MCPError):
            await client.call_tool("call_read_tool", {"tool": "show"})
    async with client_of(tmp_path, principal=PLANNER, server={"level": "expert"}, **OFFERS) as client:
        assert (await names(client))[-1] == "rare"


async def test_a_tool_for_experts_is_called_and_found_though_it_is_not_listed(tmp_path):
    async with client_of(tmp_path, principal=PLANNER, server=SEARCH, **OFFERS) as client:
        assert (await client.call_tool("rare", {})).structured_content == {}
        assert "rare() -> call_read_tool" in await found(client, "theory of networks")


async def test_search_lists_itself_the_entrances_that_a_caller_needs_and_what_is_pinned(tmp_path):
    async with client_of(tmp_path, principal=PLANNER, server=SEARCH, **OFFERS) as client:
        assert await names(client) == ["search_tools", *ENTRANCES]
    async with client_of(tmp_path, principal=RESIDENT, server={**SEARCH, "pinned": ["show"]}, **OFFERS) as client:
        listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == ["show", "search_tools", "call_write_tool"]
    assert listed[0].meta == {"anthropic/alwaysLoad": True}


async def test_auto_searches_where_the_list_is_long_and_the_client_does_not_search_itself(tmp_path):
    short, long = {"tools": "auto"}, {"tools": "auto", "list_tokens": 10}
    itself = {"client_info": Implementation(name="claude-code", version="1")}
    async with client_of(tmp_path, principal=RESIDENT, server=short, **OFFERS) as client:
        assert "trade" in await names(client)
    async with client_of(tmp_path, principal=RESIDENT, server=long, **OFFERS) as client:
        assert "trade" not in await names(client)
    async with client_of(tmp_path, principal=RESIDENT, server=long, client=itself, **OFFERS) as client:
        listed = {tool.name: tool.description for tool in (await client.list_tools()).tools}
    assert listed["trade"].splitlines()[-1] == "Said: cover jeopardy; somebody take my Friday"


async def test_a_pinned_tool_that_is_not_served_stops_the_start(tmp_path):
    with pytest.raises(PackError, match="lists 'shwo'"):
        async with client_of(tmp_path, server={"pinned": ["shwo"]}, **OFFERS):
            pass


async def test_no_pack_may_have_a_tool_named_like_an_entrance(tmp_path):
    with pytest.raises(PackError, match="packhorse itself has a tool of this name"):
        deployment_for(data_dir=tmp_path, seed=pack_of(tools=[replace(OFFERS["tools"][0], name="call_read_tool")]))


# --- what is found ---


async def test_a_tool_is_found_by_the_words_of_its_pack_with_a_line_to_call_it_by(tmp_path):
    async with client_of(tmp_path, principal=RESIDENT, server=SEARCH, **OFFERS) as client:
        reply = await client.call_tool("search_tools", {"query": "Can somebody cover Friday for me?"})
    line = "trade(person: text, count?: int=1) -> call_write_tool\nExchange a shift with a colleague."
    assert reply.structured_content["tools"] == [line]
    assert line in reply.content[0].text


async def test_words_of_a_second_line_find_a_tool_though_no_client_is_listed_them(tmp_path):
    async with client_of(tmp_path, principal=RESIDENT, server=SEARCH, **OFFERS) as client:
        assert "trade(" in await found(client, "a substitute please")


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("a substitte please", "trade"),  # a letter is missing
        ("jeopadry", "trade"),  # two letters are exchanged
        ("please Substitte", None),  # a name is no misspelling
        ("tradd", None),  # too short to tell
    ],
)
async def test_a_misspelt_word_is_read_as_the_nearest_known_one(tmp_path, query, first):
    async with client_of(tmp_path, principal=RESIDENT, server=SEARCH, **OFFERS) as client:
        reply = (await client.call_tool("search_tools", {"query": query})).structured_content
    assert reply.get("tools", [None])[0] is None or reply["tools"][0].startswith(f"{first}(")
    assert (first is None) == ("tools" not in reply)


def test_of_tools_with_the_same_words_the_one_with_them_side_by_side_is_first():
    apart = Offered("a", "Put a day on the list and take one off.", {}, True, False, "")
    together = Offered("b", "List a day off and put it on one to take.", {}, True, False, "")
    assert Index([apart, together]).ranked("a day off", 2) == ["b", "a"]
    assert Index([together, apart]).ranked("put a day", 2) == ["a", "b"]


@pytest.mark.parametrize(("principal", "hidden"), [(RESIDENT, {"erase", "publish", "rare"}), (PLANNER, set())])
async def test_nothing_is_found_that_the_caller_may_not_see(tmp_path, principal, hidden):
    words = "delete put plan in force for good theory of networks roster shift"
    async with client_of(tmp_path, principal=principal, server=SEARCH, **OFFERS) as client:
        said = [await found(client, words), await found(client, "nothing like this")]
        for name in ("erase", "publish", "rare"):
            shown = await client.call_tool("search_tools", {"names": [name]})
            assert shown.is_error == (name in hidden)
    assert {name for name in ("erase", "publish", "rare") if name not in said[0]} == hidden
    assert not hidden or not any(name in said[1] for name in hidden)


async def test_the_full_schema_of_a_tool_is_given_by_name(tmp_path):
    async with client_of(tmp_path, principal=RESIDENT, server=SEARCH, **OFFERS) as client:
        (tool,) = (await client.call_tool("search_tools", {"names": ["trade"]})).structured_content["tools"]
    assert tool["inputSchema"]["additionalProperties"] is False
    assert tool["call_by"] == "call_write_tool"


@given(st.text(max_size=200))
def test_any_text_is_a_query(query):
    assert Index([]).ranked(query, 5) == []


def test_a_signature_spells_out_choices_lists_and_objects_two_deep():
    leg = {"type": "object", "properties": {"at": {"type": "string", "format": "date"}}, "required": ["at"]}
    schema = {
        "properties": {
            "kind": {"enum": ["A", "B"], "default": "A"},
            "legs": {"type": "array", "items": {"$ref": "#/$defs/Leg"}},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            "deep": {"type": "object", "properties": {"deeper": {"type": "object", "properties": {"x": leg}}}},
        },
        "required": ["legs"],
        "$defs": {"Leg": leg},
    }
    assert signature("plan", schema) == (
        "plan(kind?: A|B=A, legs: [{at: date}], note?: text, deep?: {deeper?: {x?: {...}}})"
    )


# --- calls by an entrance ---


async def test_a_call_by_an_entrance_is_judged_counted_and_recorded_as_that_of_the_tool(tmp_path):
    deployment = deployment_for(data_dir=tmp_path, server=ServerSettings(tools="search"), seed=pack_of(**OFFERS))
    with deployment.running():
        async with connected(deployment, principal=RESIDENT) as client:
            by = {"tool": "trade", "arguments": {"person": "Ada"}}
            first = await client.call_tool("call_write_tool", by)
            wrong = await client.call_tool("call_read_tool", by)
            await client.call_tool("call_write_tool", by)
            with pytest.raises(MCPError, match="limit of 2"):
                await client.call_tool("call_write_tool", by)
            with pytest.raises(MCPError, match="may not use"):
                await client.call_tool("call_destructive_tool", {"tool": "erase", "arguments": {"name": "x"}})
            fault = await client.call_tool("call_read_tool", {"tool": "show", "arguments": {"day": 5}})
    assert first.structured_content == {"person": "Ada"}
    assert "call_write_tool, not with call_read_tool" in wrong.content[0].text
    assert "`day` must be text" in fault.content[0].text
    calls = [row["body"] for row in rows(deployment.settings.audit_path) if "call" in row["body"]]
    assert [(body["call"]["name"], body.get("outcome", {}).get("code")) for body in calls] == [
        ("trade", None),
        ("trade", None),
        ("trade", "WRONG_ENTRANCE"),
        ("trade", "rate_limited"),
        ("erase", "authorization"),
        ("show", "INVALID_ARGUMENTS"),
    ]


async def test_a_stricter_entrance_takes_what_does_less_harm(tmp_path):
    async with client_of(tmp_path, principal=RESIDENT, server=SEARCH, **OFFERS) as client:
        reply = await client.call_tool("call_destructive_tool", {"tool": "show"})
    assert reply.structured_content == {"day": "today"}


@pytest.mark.parametrize("tool", ["nothing", "call_read_tool", ""])
async def test_behind_an_entrance_is_no_tool_that_does_not_exist_and_no_other_entrance(tmp_path, tool):
    async with client_of(tmp_path, principal=RESIDENT, server=SEARCH, **OFFERS) as client:
        with pytest.raises(MCPError, match="no tool with this name"):
            await client.call_tool("call_read_tool", {"tool": tool})


VALUES = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=3)
PERSON = st.fixed_dictionaries({"person": st.text(max_size=5)})
GIVEN = PERSON | st.dictionaries(st.sampled_from(["person", "name", "day", "count", "x"]), VALUES, max_size=3)
TOOLS = st.sampled_from(["show", "trade", "erase", "publish", "rare", "search_tools", *ENTRANCES])
SHAPES = st.fixed_dictionaries({"tool": TOOLS, "arguments": PERSON}) | st.fixed_dictionaries({"query": st.text()})
SHAPES |= st.fixed_dictionaries({}, optional={"tool": TOOLS | VALUES, "arguments": GIVEN | VALUES, "more": VALUES})


async def test_whatever_goes_through_the_entrances_does_what_the_role_may_or_is_refused(tmp_path):
    calls: list[tuple[str, dict[str, Any]]] = []

    @settings(max_examples=500, derandomize=True, database=None, deadline=None, suppress_health_check=[*HealthCheck])
    @given(st.sampled_from([*ENTRANCES, "search_tools"]), SHAPES)
    def collect(entrance: str, arguments: dict[str, Any]) -> None:
        calls.append((entrance, arguments))

    collect()
    called: list[str] = []
    codes: set[int] = set()
    unlimited = {"seed": PackTable(limits={"trade": "none"})}
    async with client_of(tmp_path, principal=RESIDENT, server=SEARCH, tables=unlimited, **offers(called)) as client:
        for entrance, arguments in calls:
            before = len(called)
            try:
                reply = await client.call_tool(entrance, arguments)
            except MCPError as error:
                codes.add(error.error.code)
                continue
            ran = called[before:]
            assert ran == [] if reply.is_error else ran in ([], [arguments.get("tool")])
            assert "INTERNAL_ERROR" not in str(reply.content)
    assert set(called) == {"show", "trade"}
    assert codes <= {INVALID_PARAMS, AUTHORIZATION}


async def test_calls_by_an_entrance_count_for_the_address_they_come_from():
    limits = AddressLimits(Limiter.memory(), {"seed": (Limit.parse("1/hour"), frozenset(["trade"]))}, {})
    message = {
        "method": "tools/call",
        "params": {"name": "call_write_tool", "arguments": {"tool": "trade", "arguments": {}}},
    }
    await limits.count("192.0.2.1", message)
    with pytest.raises(Refused) as refused:
        await limits.count("192.0.2.1", message)
    assert refused.value.status == 429


# --- instructions ---


async def test_a_client_is_told_the_deployers_words_and_those_of_packs_whose_tools_it_sees(tmp_path):
    pack = Pack(title="Seed", instructions="Rosters. Begin with show.")
    server = ServerSettings(instructions="Of this hospital.", tools="search")
    deployment = deployment_for(data_dir=tmp_path, server=server, seed=pack_of(pack=pack, **OFFERS))
    for principal, sees in ((PLANNER, True), (Principal("human", "v1", roles=frozenset(["VISITOR"])), False)):
        async with connected(deployment, protocol="2025-11-25", principal=principal) as client:
            told = client.instructions or ""
        assert told.startswith("Of this hospital.\nMost tools are not listed.")
        assert ("Begin with show." in told) == sees


def test_instructions_and_words_have_a_limit():
    with pytest.raises(PackError, match="301 characters; at most 300"):
        Pack(title="Seed", instructions="x" * 301)
    with pytest.raises(PackError, match="first line of its search words are 401 characters; at most 400"):
        replace(OFFERS["tools"][0], words="x" * 401)
    with pytest.raises(PackError, match="801 characters; at most 800"):
        replace(OFFERS["tools"][0], words=f"{'x' * 400}\n{'x' * 400}")
