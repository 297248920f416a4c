"""The catalogue as real clients of both protocol eras see it: lists, calls, refusals, errors."""

import base64
import logging
import re
import threading
from collections.abc import Awaitable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

import anyio
import anyio.to_thread
import mcp_types as wire
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, Field
from tests.core.seeds import client_of, pack_of

from packhorse import (
    Audio,
    Context,
    Embedded,
    Icon,
    Image,
    Link,
    Principal,
    Prompt,
    Reply,
    RequestError,
    Resource,
    Text,
    Tool,
    UserError,
    Verifier,
)
from packhorse.audit import rows
from packhorse.contract.principal import LOCAL
from packhorse.errors import AUTHORIZATION, INTERNAL, INVALID_PARAMS, RESOURCE_NOT_FOUND
from packhorse.http.app import Service
from packhorse.metrics.pack import Counting
from packhorse.settings import PackTable, ServerSettings
from packhorse.testing import deployment_for, fixed_clock

pytestmark = [pytest.mark.anyio, pytest.mark.wire]

CANARY = "canary-3f9a17"
MODERN = "2026-07-28"
NOBODY = Principal("anonymous")
COORDINATOR = Principal("human", "c-1", frozenset({"COORDINATOR"}))
RESIDENT = Principal("human", "r-1", frozenset({"RESIDENT"}))


def numbered(count: int) -> list[Tool]:
    def made(number: int) -> Tool:
        def tool() -> int:
            return number

        return Tool(fn=tool, name=f"tool_{number:02}", description=f"Give the number {number}, and nothing else.")

    return [made(number) for number in range(count)]


async def all_tools(client: Any) -> tuple[list[str], int]:
    """The names on all pages, and how many pages there were."""
    names: list[str] = []
    pages = 0
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        names += [tool.name for tool in page.tools]
        pages += 1
        cursor = page.next_cursor
        if cursor is None:
            return names, pages


# --- lists ---


@pytest.mark.parametrize(
    ("count", "size", "pages"),
    [
        pytest.param(7, 3, 3, id="a last page that is not full"),
        pytest.param(6, 3, 2, id="a last page that is full"),
        pytest.param(1, 1, 1, id="one tool on one page"),
        pytest.param(5, 100, 1, id="all on one page"),
    ],
)
async def test_the_pages_of_a_list_are_the_list_in_its_order(tmp_path, protocol, count, size, pages):
    async with client_of(tmp_path, protocol=protocol, server={"page_size": size}, tools=numbered(count)) as client:
        names, seen = await all_tools(client)

    assert names == [f"tool_{number:02}" for number in range(count)]
    assert seen == pages


async def test_a_cursor_outlives_a_restart_of_the_server(tmp_path, protocol):
    offers = {"tools": numbered(4), "server": {"page_size": 3}, "protocol": protocol}
    async with client_of(tmp_path, **offers) as client:
        cursor = (await client.list_tools()).next_cursor
    async with client_of(tmp_path, **offers) as client:
        rest = await client.list_tools(cursor=cursor)

    assert [tool.name for tool in rest.tools] == ["tool_03"]


@pytest.mark.parametrize(
    "cursor",
    [
        pytest.param("", id="empty"),
        pytest.param("???", id="not base64"),
        pytest.param("é", id="not ASCII"),
        pytest.param(base64.urlsafe_b64encode(b"\xff\xfe").decode(), id="not text"),
        pytest.param(base64.urlsafe_b64encode(b"no_such_tool").decode(), id="of another list"),
    ],
)
async def test_a_cursor_that_is_none_of_the_lists_is_refused(tmp_path, protocol, cursor):
    async with client_of(tmp_path, protocol=protocol, tools=numbered(2)) as client:
        with pytest.raises(MCPError) as caught:
            await client.list_tools(cursor=cursor)

    assert caught.value.error.code == INVALID_PARAMS


async def test_resources_templates_and_prompts_have_pages_of_their_own(tmp_path, protocol):
    def give(key: str = "") -> str:
        return key

    resources = [
        *(Resource(uri=f"seed://fixed/{number}", fn=give, name=f"fixed {number}") for number in range(3)),
        *(Resource(uri=f"seed://made{number}/{{key}}", fn=give, name=f"made {number}") for number in range(3)),
    ]
    prompts = [Prompt(fn=give, name=f"prompt_{number}", description="Say it.") for number in range(3)]
    async with client_of(
        tmp_path, protocol=protocol, server={"page_size": 2}, resources=resources, prompts=prompts
    ) as client:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        made = await client.list_resource_templates()
        more = await client.list_resource_templates(cursor=made.next_cursor)
        said = await client.list_prompts()
        last = await client.list_prompts(cursor=said.next_cursor)
        with pytest.raises(MCPError) as caught:
            await client.list_prompts(cursor=first.next_cursor)

    assert [one.uri for one in (*first.resources, *second.resources)] == [f"seed://fixed/{n}" for n in range(3)]
    templates = [one.uri_template for one in (*made.resource_templates, *more.resource_templates)]
    assert templates == [f"seed://made{n}/{{key}}" for n in range(3)]
    assert [one.name for one in (*said.prompts, *last.prompts)] == [f"prompt_{n}" for n in range(3)]
    assert second.next_cursor is more.next_cursor is last.next_cursor is None
    assert caught.value.error.code == INVALID_PARAMS


async def test_a_tool_is_listed_with_everything_its_pack_said_of_it(tmp_path, protocol):
    class Answer(BaseModel):
        total: int

    def add(left: Annotated[int, Field(ge=0)], right: int = 1) -> Answer:
        """Add two numbers, the first of which is not negative."""
        return Answer(total=left + right)

    tool = Tool(
        fn=add,
        title="Addition",
        read_only=True,
        idempotent=True,
        icons=[Icon("https://example.org/plus.png", "image/png", ("48x48",))],
        meta={"example.org/view": "sum"},
    )
    async with client_of(tmp_path, protocol=protocol, server={"schemas": "full"}, tools=[tool]) as client:
        (listed,) = (await client.list_tools()).tools

    shown = listed.model_dump(by_alias=True, exclude_none=True)
    assert shown == {
        "name": "add",
        "title": "Addition",
        "description": "Add two numbers, the first of which is not negative.",
        "inputSchema": {
            "type": "object",
            "properties": {"left": {"type": "integer", "minimum": 0}, "right": {"type": "integer", "default": 1}},
            "required": ["left"],
            "additionalProperties": False,
        },
        "outputSchema": {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]},
        "annotations": {
            "title": "Addition",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        "icons": [{"src": "https://example.org/plus.png", "mimeType": "image/png", "sizes": ["48x48"]}],
        "_meta": {"example.org/view": "sum"},
    }


async def test_a_tool_is_listed_slim_unless_the_deployer_asks_for_everything(tmp_path):
    def add(left: Annotated[int, Field(ge=0)], name: Annotated[str, Field(max_length=9)] = "") -> dict[str, int]:
        return {"sum": left}

    verbatim = {"type": "object", "properties": {"left": {"type": "integer"}}, "additionalProperties": False}
    offers = [
        Tool(fn=add, description="Adds."),
        Tool(fn=add, name="own", description="Adds.", input_schema=verbatim, output_schema={"type": "object"}),
    ]
    async with client_of(tmp_path, tools=offers) as client:
        made, own = (await client.list_tools()).tools

    assert made.input_schema == {
        "type": "object",
        "properties": {"left": {"type": "integer", "minimum": 0}, "name": {"type": "string", "default": ""}},
        "required": ["left"],
    }
    assert made.output_schema is None
    assert (own.input_schema, own.output_schema) == (verbatim, {"type": "object"})


async def test_a_prompt_is_listed_with_its_arguments(tmp_path, protocol):
    def plan(city: str, days: int = 3) -> str:
        """Plan a visit."""
        return f"{days} days in {city}"

    prompt = Prompt(fn=plan, title="Visit", arguments={"city": "Where to"}, icons=[Icon("data:image/png;base64,AA==")])
    async with client_of(tmp_path, protocol=protocol, prompts=[prompt]) as client:
        (listed,) = (await client.list_prompts()).prompts

    assert listed.model_dump(by_alias=True, exclude_none=True) == {
        "name": "plan",
        "title": "Visit",
        "description": "Plan a visit.",
        "arguments": [
            {"name": "city", "description": "Where to", "required": True},
            {"name": "days", "required": False},
        ],
        "icons": [{"src": "data:image/png;base64,AA=="}],
    }


@pytest.mark.parametrize(
    ("caller", "told"),
    [
        (Principal("human", "ada"), "The caller is ada here, with no role. The operator of this server gives roles"),
        (Principal("human", "ada", roles=frozenset({"CLERK"})), None),
        (Principal("human", "ada", roles=frozenset({"CHIEF"})), None),
        (LOCAL, None),
    ],
    ids=["without a role", "with another role", "with the role", "the person at this machine"],
)
async def test_who_has_no_role_hears_at_once_as_whom_they_are_known(tmp_path, caller, told):
    tools = [Tool(fn=lambda: "", name="act", description="Do it.", roles=["CHIEF"])]
    async with client_of(tmp_path, protocol="2025-11-25", principal=caller, tools=tools) as client:
        assert (client.instructions or "").startswith(told or "")
        assert bool(client.instructions) is bool(told)


async def test_the_server_tells_its_name_its_instructions_and_what_it_can(tmp_path):
    def fact() -> str:
        return "a fact"

    resources = [Resource(uri="seed://fact", fn=fact, subscribable=True)]
    async with client_of(
        tmp_path,
        protocol="2025-11-25",
        server={"name": "residency", "version": "1.0.0", "instructions": "Ask for rosters."},
        tools=numbered(1),
        resources=resources,
    ) as client:
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("residency", "1.0.0")
        assert client.instructions == "Ask for rosters."
        can = client.server_capabilities.model_dump(by_alias=True, exclude_none=True)

    assert can == {"logging": {}, "tools": {"listChanged": True}, "resources": {"listChanged": True, "subscribe": True}}


def guarded_offers() -> dict[str, Any]:
    """Offers of each kind for everybody, for coordinators, and for somebody with a name of his own."""

    def give(person_id: str = "") -> str:
        return person_id or "given"

    described = {"fn": give, "description": "Give what was asked for, to those who may ask."}
    kinds: Mapping[str, Mapping[str, Any]] = {"open": {"public": True}, "closed": {"roles": ["COORDINATOR"]}}
    return {
        "tools": [
            *(Tool(name=name, **described, **who) for name, who in kinds.items()),
            Tool(name="own", **described, roles=["COORDINATOR"], self_argument="person_id"),
        ],
        "resources": [
            *(Resource(uri=f"seed://{name}", **described, **who) for name, who in kinds.items()),
            *(Resource(uri=f"seed://{name}/{{person_id}}", **described, **who) for name, who in kinds.items()),
        ],
        "prompts": [Prompt(name=name, **described, **who) for name, who in kinds.items()],
        "auth": [Verifier(lambda token: None)],
    }


@pytest.mark.parametrize(
    ("principal", "tools", "others"),
    [
        pytest.param(NOBODY, ["open"], ["open"], id="anonymous"),
        pytest.param(RESIDENT, ["open", "own"], ["open"], id="somebody with another role"),
        pytest.param(COORDINATOR, ["open", "closed", "own"], ["open", "closed"], id="a holder of the role"),
    ],
)
async def test_lists_show_what_the_caller_may_use(tmp_path, protocol, principal, tools, others):
    async with client_of(tmp_path, protocol=protocol, principal=principal, **guarded_offers()) as client:
        names, _ = await all_tools(client)
        resources = [one.uri for one in (await client.list_resources()).resources]
        templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
        prompts = [one.name for one in (await client.list_prompts()).prompts]

    assert names == tools
    assert resources == [f"seed://{name}" for name in others]
    assert templates == [f"seed://{name}/{{person_id}}" for name in others]
    assert prompts == others


async def test_the_pages_of_one_caller_hold_no_gaps_for_what_is_hidden_from_him(tmp_path, protocol):
    def give() -> str:
        return ""

    tools = [
        Tool(
            fn=give,
            name=f"tool_{number}",
            description="Give nothing at all, to whoever may ask.",
            public=number % 3 == 0,
            roles=["COORDINATOR"] if number % 3 else (),
        )
        for number in range(10)
    ]
    async with client_of(
        tmp_path, protocol=protocol, principal=NOBODY, server={"page_size": 2}, tools=tools, auth=[Verifier(print)]
    ) as client:
        names, pages = await all_tools(client)

    assert names == ["tool_0", "tool_3", "tool_6", "tool_9"]
    assert pages == 2


# --- answers ---


async def test_an_answer_carries_the_same_words_and_data(tmp_path, protocol):
    class Answer(BaseModel):
        name: str
        days: list[int]

    def report() -> Answer:
        """Report something with a name and some days."""
        return Answer(name="Muñoz", days=[1, 2])

    def say() -> str:
        """Say one thing and nothing else at all."""
        return "Good night"

    async with client_of(tmp_path, protocol=protocol, tools=[report, say]) as client:
        reported = await client.call_tool("report")
        said = await client.call_tool("say")

    assert reported.structured_content == {"name": "Muñoz", "days": [1, 2]}
    assert reported.content == [wire.TextContent(type="text", text='{"name":"Muñoz","days":[1,2]}')]
    assert said.structured_content == {"result": "Good night"}
    assert said.content == [wire.TextContent(type="text", text="Good night")]


async def test_each_kind_of_content_reaches_the_client(tmp_path, protocol):
    def show() -> list[Text | Image | Audio | Embedded | Link]:
        """Show one piece of content of every kind there is."""
        return [
            Text("words"),
            Image(b"png", "image/png"),
            Audio(b"wav"),
            Embedded("seed://page", "text", "text/markdown"),
            Embedded("seed://blob", b"\x00\x01", "application/octet-stream"),
            Link("seed://more", "more", "further reading", "text/plain"),
        ]

    async with client_of(tmp_path, protocol=protocol, tools=[show]) as client:
        reply = await client.call_tool("show")

    assert reply.structured_content is None
    assert [piece.model_dump(by_alias=True, exclude_none=True) for piece in reply.content] == [
        {"type": "text", "text": "words"},
        {"type": "image", "data": "cG5n", "mimeType": "image/png"},
        {"type": "audio", "data": "d2F2", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "seed://page", "text": "text", "mimeType": "text/markdown"}},
        {
            "type": "resource",
            "resource": {"uri": "seed://blob", "blob": "AAE=", "mimeType": "application/octet-stream"},
        },
        {
            "type": "resource_link",
            "uri": "seed://more",
            "name": "more",
            "description": "further reading",
            "mimeType": "text/plain",
        },
    ]


# --- refusals and errors ---


async def test_a_refusal_is_a_result_that_the_model_can_read(tmp_path, protocol):
    def book(day: int) -> str:
        """Book a day of the month, if it is still free."""
        raise UserError(
            f"Day {day} is taken; choose one after 12.",
            code="DAY_TAKEN",
            jsonrpc_code=-32003,
            details={"free_from": 13},
        )

    clock = fixed_clock("2026-03-04T05:06:07.089+00:00")
    async with client_of(tmp_path, protocol=protocol, clock=clock, tools=[book]) as client:
        reply = await client.call_tool("book", {"day": 9})

    assert reply.is_error
    assert reply.structured_content is None
    assert [piece.text for piece in reply.content] == ["Error: Day 9 is taken; choose one after 12. [DAY_TAKEN]"]
    assert reply.meta is not None
    error = reply.meta["packhorse/error"]
    assert error == {
        "code": "DAY_TAKEN",
        "jsonrpc_code": -32003,
        "message": "Day 9 is taken; choose one after 12.",
        "details": {"free_from": 13},
        "request_id": error["request_id"],
        "timestamp": "2026-03-04T05:06:07.089Z",
    }
    assert len(error["request_id"]) == 16


def data_of(error: MCPError) -> Mapping[str, Any]:
    """The error's data; it is checked for what every one carries."""
    data: Mapping[str, Any] = error.error.data
    assert len(data["request_id"]) == 16
    assert datetime.fromisoformat(data["timestamp"]).tzinfo == UTC
    assert isinstance(data["details"], Mapping)
    return data


@pytest.mark.parametrize(
    ("ask", "code", "kind"),
    [
        pytest.param(lambda c: c.call_tool("absent"), INVALID_PARAMS, "unknown_tool", id="an unknown tool"),
        pytest.param(lambda c: c.get_prompt("absent"), INVALID_PARAMS, "unknown_prompt", id="an unknown prompt"),
        pytest.param(
            lambda c: c.read_resource("seed://absent"), RESOURCE_NOT_FOUND, "resource_not_found", id="no resource"
        ),
        pytest.param(lambda c: c.call_tool("closed"), AUTHORIZATION, "authorization", id="a forbidden tool"),
        pytest.param(lambda c: c.get_prompt("closed"), AUTHORIZATION, "authorization", id="a forbidden prompt"),
        pytest.param(
            lambda c: c.read_resource("seed://closed"), AUTHORIZATION, "authorization", id="a forbidden resource"
        ),
        pytest.param(
            lambda c: c.read_resource("seed://closed/x"), AUTHORIZATION, "authorization", id="a forbidden template"
        ),
        pytest.param(
            lambda c: c.call_tool("own", {"person_id": "c-1"}), AUTHORIZATION, "authorization", id="another's own"
        ),
    ],
)
async def test_who_you_are_and_what_exists_is_a_protocol_error(tmp_path, protocol, ask, code, kind):
    async with client_of(tmp_path, protocol=protocol, principal=RESIDENT, **guarded_offers()) as client:
        with pytest.raises(MCPError) as caught:
            await ask(client)

    not_found_in_2026 = code == RESOURCE_NOT_FOUND and protocol == MODERN
    assert caught.value.error.code == (INVALID_PARAMS if not_found_in_2026 else code)
    data = data_of(caught.value)
    assert data["error_type"] == kind
    if "resource" in kind:
        assert data["uri"] == "seed://absent"


async def test_a_pack_may_speak_in_the_protocols_own_errors(tmp_path, protocol):
    def settle() -> str:
        """Settle something that is somebody else's business."""
        raise RequestError(-32004, "not_yours", "Ask the owner.", details={"owner": "c-1"})

    async with client_of(tmp_path, protocol=protocol, tools=[settle]) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("settle")

    assert (caught.value.error.code, caught.value.error.message) == (-32004, "Ask the owner.")
    assert data_of(caught.value)["details"] == {"owner": "c-1"}


def crash(secret: str = CANARY) -> str:
    """Fail as a bug fails: with an exception that nobody meant."""
    raise RuntimeError(f"no such row: {secret}")


def unsayable() -> Reply[int]:
    """Give an answer that no protocol could carry."""
    return Reply(1, [Image(CANARY)], {})


def not_json() -> Any:
    """Give something that has no JSON."""
    return {CANARY: object()}


CRASH = wire.PromptReference(type="ref/prompt", name="crash")


async def said_of(asked: Awaitable[Any]) -> tuple[str, Any]:
    """All that a failed request was answered with, and the code in it."""
    try:
        reply = await asked
    except MCPError as error:
        return error.error.model_dump_json(), error.error.code
    return reply.model_dump_json(by_alias=True), reply.meta["packhorse/error"]["code"]


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda c: c.call_tool("crash"), id="a tool that crashes"),
        pytest.param(lambda c: c.call_tool("unsayable"), id="a tool whose content cannot be sent"),
        pytest.param(lambda c: c.read_resource("seed://crash"), id="a resource that crashes"),
        pytest.param(lambda c: c.read_resource("seed://not_json"), id="a resource that is no JSON"),
        pytest.param(lambda c: c.get_prompt("crash"), id="a prompt that crashes"),
        pytest.param(lambda c: c.get_prompt("not_json"), id="a prompt that is no message"),
        pytest.param(lambda c: c.complete(CRASH, {"name": "secret", "value": CANARY}), id="a completion that crashes"),
    ],
)
async def test_a_bug_is_masked_and_found_in_the_log_under_its_request(tmp_path, protocol, caplog, ask):
    offers = {
        "tools": [crash, unsayable],
        "resources": [Resource(uri="seed://crash", fn=crash), Resource(uri="seed://not_json", fn=not_json)],
        "prompts": [Prompt(fn=crash, complete={"secret": crash}), Prompt(fn=not_json)],
    }
    with caplog.at_level(logging.ERROR, "packhorse"):
        async with client_of(tmp_path, protocol=protocol, **offers) as client:
            said, error = await said_of(ask(client))

    assert error in ("INTERNAL_ERROR", INTERNAL)
    rid = re.findall(r"[0-9a-f]{16}", said)[0]
    for word in (CANARY, "RuntimeError", "TypeError", "ValidationError", "Traceback", "seed.py"):
        assert word not in said
    (line,) = [record for record in caplog.records if getattr(record, "request_id", None) == rid]
    assert line.exc_info is not None
    assert "Traceback" in caplog.text


# --- prompts ---


async def test_a_prompt_is_filled_with_its_arguments(tmp_path, protocol):
    def plan(city: str, days: int = 3) -> list[str]:
        """Plan a visit."""
        return [f"{days + 1} days in {city}", "Go on."]

    async with client_of(tmp_path, protocol=protocol, prompts=[plan]) as client:
        got = await client.get_prompt("plan", {"city": "Oslo", "days": "4"})

    assert got.description == "Plan a visit."
    assert [(turn.role, turn.content.text) for turn in got.messages] == [("user", "5 days in Oslo"), ("user", "Go on.")]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        pytest.param({}, "city", id="one is missing"),
        pytest.param({"city": "Oslo", CANARY: "red"}, "city", id="one is unknown"),
        pytest.param({"city": "Oslo", "days": CANARY}, "days", id="one is of another kind"),
    ],
)
async def test_wrong_arguments_of_a_prompt_are_refused_by_name(tmp_path, protocol, arguments, named):
    def plan(city: str, days: int = 3) -> str:
        return f"{days} days in {city}"

    async with client_of(tmp_path, protocol=protocol, prompts=[plan]) as client:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt("plan", arguments)

    assert caught.value.error.code == INVALID_PARAMS
    assert f"`{named}`" in caught.value.error.message
    assert CANARY not in caught.value.error.message
    assert data_of(caught.value)["error_type"] == "invalid_arguments"


# --- completions ---


def completing() -> dict[str, Any]:
    def plan(city: str) -> str:
        return city

    async def cities(typed: str) -> list[str]:
        await anyio.lowlevel.checkpoint()
        return [name for name in ("Bergen", "Bodø", "Oslo") if name.startswith(typed)]

    def numbers(typed: str) -> list[str]:
        return [f"{typed}{number}" for number in range(250)]

    return {
        "resources": [Resource(uri="seed://{city}/{page}", fn=plan, complete={"city": cities, "page": numbers})],
        "prompts": [Prompt(fn=plan, complete={"city": cities}), Prompt(fn=plan, name="plain")],
    }


PLAN = wire.PromptReference(type="ref/prompt", name="plan")
ABSENT = wire.PromptReference(type="ref/prompt", name="absent")
PAGES = wire.ResourceTemplateReference(type="ref/resource", uri="seed://{city}/{page}")


@pytest.mark.parametrize(
    ("reference", "argument", "expected"),
    [
        pytest.param(PLAN, {"name": "city", "value": "B"}, (["Bergen", "Bodø"], 2, False), id="of a prompt"),
        pytest.param(PAGES, {"name": "city", "value": "O"}, (["Oslo"], 1, False), id="of a template"),
        pytest.param(
            PAGES, {"name": "page", "value": "p"}, ([f"p{n}" for n in range(100)], 250, True), id="more than fit"
        ),
        pytest.param(PLAN, {"name": "other", "value": ""}, ([], 0, False), id="of an argument without any"),
        pytest.param(
            wire.PromptReference(type="ref/prompt", name="plain"), {"name": "city", "value": ""}, ([], 0, False),
            id="of a prompt without any",
        ),
    ],
)  # fmt: skip
async def test_completions_come_from_the_pack_whose_offer_it_is(tmp_path, protocol, reference, argument, expected):
    async with client_of(tmp_path, protocol=protocol, **completing()) as client:
        got = (await client.complete(reference, argument)).completion

    assert (got.values, got.total, got.has_more) == expected


async def test_completions_of_what_is_hidden_are_refused_as_if_it_were_absent(tmp_path, protocol):
    def plan(city: str) -> str:
        return city

    prompts = [Prompt(fn=plan, roles=["COORDINATOR"], complete={"city": lambda typed: [CANARY]})]
    async with client_of(
        tmp_path, protocol=protocol, principal=RESIDENT, prompts=prompts, auth=[Verifier(print)]
    ) as client:
        with pytest.raises(MCPError) as hidden:
            await client.complete(PLAN, {"name": "city", "value": ""})
        with pytest.raises(MCPError) as absent:
            await client.complete(ABSENT, {"name": "city", "value": ""})

    assert hidden.value.error.code == INVALID_PARAMS
    assert hidden.value.error == absent.value.error


async def test_completions_are_on_record_and_counted_with_those_that_were_hidden(tmp_path):
    pytest.importorskip("prometheus_client", reason="prometheus-client is not installed: nothing is counted")

    def plan(city: str) -> str:
        return city

    prompts = [
        Prompt(fn=plan, name=name, complete={"city": lambda typed: [typed]}, **who)
        for name, who in (("plan", {"public": True}), ("closed", {"roles": ["COORDINATOR"]}))
    ]
    deployment = deployment_for(
        data_dir=tmp_path,
        server=ServerSettings(transport="http", strict=True),
        seed=pack_of(prompts=prompts, auth=[Verifier(lambda token: None)]),
    )
    (counting,) = [one for one in deployment.catalogue.observers if isinstance(one, Counting)]
    with deployment.running():
        async with Client(Service(deployment).adapter.server, mode=MODERN) as client:
            await client.complete(PLAN, {"name": "city", "value": CANARY})
            with pytest.raises(MCPError):
                await client.complete(
                    wire.PromptReference(type="ref/prompt", name="closed"), {"name": "city", "value": CANARY}
                )
        counted = counting.metrics.render()[0].decode()

    calls = [row["body"] for row in rows(deployment.settings.audit_path) if "call" in row["body"]]
    assert [(one["call"]["kind"], one["call"]["name"], one["outcome"]["status"]) for one in calls] == [
        ("completion", "plan", "ok"),
        ("completion", "closed", "denied"),
    ]
    assert CANARY not in repr(calls)
    for name, outcome in (("plan", "ok"), ("closed", "denied")):
        assert f'packhorse_calls_total{{kind="completion",name="{name}",outcome="{outcome}"}} 1.0' in counted


async def test_a_pack_may_say_why_it_completes_nothing(tmp_path, protocol):
    def refuse(typed: str) -> list[str]:
        raise UserError("Type a letter first.", code="NOTHING_TYPED")

    async def refuse_later(typed: str) -> list[str]:
        return refuse(typed)

    def refuse_within(typed: str) -> Iterator[str]:
        yield from refuse(typed)

    def plan(city: str) -> str:
        return city

    prompts = [
        Prompt(fn=plan, name=complete.__name__, complete={"city": complete})
        for complete in (refuse, refuse_later, refuse_within)
    ]
    async with client_of(tmp_path, protocol=protocol, prompts=prompts) as client:
        for prompt in prompts:
            with pytest.raises(MCPError) as caught:
                await client.complete(
                    wire.PromptReference(type="ref/prompt", name=str(prompt.name)), {"name": "city", "value": ""}
                )
            assert caught.value.error.message == "Type a letter first."
            assert data_of(caught.value)["error_type"] == "nothing_typed"


async def test_plain_completions_and_generators_run_beside_the_loop(tmp_path, protocol):
    ran_in: list[str] = []

    def slow(typed: str) -> list[str]:
        ran_in.append(threading.current_thread().name)
        return ["Rome"]

    def slow_later(typed: str) -> Iterator[str]:
        ran_in.append(threading.current_thread().name)
        yield "Rome"

    def plan(city: str, other: str = "") -> str:
        return city

    prompts = [Prompt(fn=plan, complete={"city": slow, "other": slow_later})]
    async with client_of(tmp_path, protocol=protocol, prompts=prompts) as client:
        for argument in ("city", "other"):
            got = await client.complete(PLAN, {"name": argument, "value": ""})
            assert got.completion.values == ["Rome"]

    assert len(ran_in) == 2
    assert threading.main_thread().name not in ran_in


async def test_completions_take_a_place_as_calls_do_and_keep_it_until_their_thread_ends(tmp_path, protocol):
    begun, release = threading.Event(), threading.Event()

    def slow(typed: str) -> list[str]:
        begun.set()
        release.wait(60)
        return ["Rome"]

    def plan(city: str) -> str:
        return city

    offered = {"prompts": [Prompt(fn=plan, complete={"city": slow})], "server": {"concurrency": 1}}
    async with client_of(tmp_path, protocol=protocol, **offered) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.complete, PLAN, {"name": "city", "value": ""})
        await anyio.to_thread.run_sync(begun.wait)
        with pytest.raises(MCPError) as caught:
            await client.complete(PLAN, {"name": "city", "value": ""})
        release.set()

    assert caught.value.error.data["error_type"] == "busy"


# --- progress, log lines, cancellation ---


async def test_progress_reaches_a_client_that_asked_for_it(tmp_path, protocol):
    async def walk(ctx: Context) -> str:
        """Walk three steps, and say at each how far it is."""
        for step in range(1, 4):
            await ctx.report_progress(step, 3, f"step {step}")
        return "there"

    def climb(ctx: Context) -> str:
        """Climb one step, from a thread of its own."""
        ctx.wait(ctx.report_progress, 1, 1)
        return "up"

    steps: list[tuple[float, float | None, str | None]] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        steps.append((done, total, message))

    async with client_of(tmp_path, protocol=protocol, tools=[walk, climb]) as client:
        await client.call_tool("walk", progress_callback=hear)
        await client.call_tool("climb", progress_callback=hear)
        unheard = await client.call_tool("walk")

    assert steps == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3"), (1, 1, None)]
    assert not unheard.is_error


def chatty() -> Any:
    async def chat(ctx: Context) -> str:
        """Log a line at three levels, then answer."""
        await ctx.log("debug", "a detail")
        await ctx.log("info", {"shifts": 3}, "roster")
        await ctx.log("error", "a fault")
        return "done"

    return chat


@pytest.mark.parametrize(
    ("level", "heard"),
    [
        pytest.param(None, ["debug", "info", "error"], id="before a level is set"),
        pytest.param("info", ["info", "error"], id="info"),
        pytest.param("error", ["error"], id="error"),
        pytest.param("emergency", [], id="emergency"),
    ],
)
async def test_a_handshake_client_hears_lines_of_the_level_it_set(tmp_path, level, heard):
    lines: list[wire.LoggingMessageNotificationParams] = []

    async def hear(line: wire.LoggingMessageNotificationParams) -> None:
        lines.append(line)

    async with client_of(
        tmp_path, protocol="2025-11-25", tools=[chatty()], client={"logging_callback": hear}
    ) as client:
        if level is not None:
            await client.set_logging_level(level)
        await client.call_tool("chat")

    assert [line.level for line in lines] == heard
    assert [(line.data, line.logger) for line in lines if line.level == "info"] == (
        [({"shifts": 3}, "roster")] if "info" in heard else []
    )


@pytest.mark.parametrize(
    ("level", "heard"),
    [
        pytest.param(None, [], id="no opt-in"),
        pytest.param("debug", ["debug", "info", "error"], id="debug"),
        pytest.param("warning", ["error"], id="warning"),
    ],
)
async def test_a_2026_client_hears_the_lines_it_opted_into(tmp_path, level, heard):
    lines: list[str] = []

    async def hear(line: wire.LoggingMessageNotificationParams) -> None:
        lines.append(line.level)

    options = {"logging_callback": hear, "log_level": level}
    async with client_of(tmp_path, protocol=MODERN, tools=[chatty()], client=options) as client:
        await client.call_tool("chat")

    assert lines == heard


async def test_a_client_that_gives_up_stops_an_async_tool(tmp_path, protocol):
    begun, stopped = anyio.Event(), anyio.Event()

    async def wait() -> str:
        """Wait for ever, or until somebody puts an end to it."""
        begun.set()
        try:
            await anyio.sleep_forever()
        finally:
            stopped.set()
        return "never"

    async with client_of(tmp_path, protocol=protocol, tools=[wait]) as client, anyio.create_task_group() as tasks:

        async def call(scope: anyio.CancelScope) -> None:
            with scope:
                await client.call_tool("wait")

        scope = anyio.CancelScope()
        tasks.start_soon(call, scope)
        with anyio.fail_after(90):
            await begun.wait()
            scope.cancel()
            await stopped.wait()


async def test_a_plain_tool_sees_that_its_caller_has_gone(tmp_path, protocol):
    begun, seen, give_up = threading.Event(), threading.Event(), threading.Event()

    def wait(ctx: Context) -> str:
        """Wait in a thread until the caller has gone."""
        begun.set()
        while not ctx.cancelled and not give_up.wait(0.01):
            pass
        seen.set()
        return "gone"

    async with client_of(tmp_path, protocol=protocol, tools=[wait]) as client, anyio.create_task_group() as tasks:

        async def call(scope: anyio.CancelScope) -> None:
            with scope:
                await client.call_tool("wait")

        scope = anyio.CancelScope()
        tasks.start_soon(call, scope)
        assert await anyio.to_thread.run_sync(begun.wait, 90)
        scope.cancel()
        came = await anyio.to_thread.run_sync(seen.wait, 90)
        give_up.set()

    assert came


# --- deployments ---


async def test_a_prefix_is_part_of_every_name_on_the_wire(tmp_path, protocol):
    async def inner() -> str:
        """Answer from within, for another tool of this pack."""
        return "inner"

    async def outer(ctx: Context) -> str:
        """Ask another tool of this pack, by the name it has there."""
        reply = await ctx.call("inner", {})
        return str(reply.structured["result"])

    def ask(city: str) -> str:
        return city

    async with client_of(
        tmp_path,
        protocol=protocol,
        tables={"seed": PackTable(prefix="s_")},
        tools=[inner, outer],
        prompts=[Prompt(fn=ask, complete={"city": lambda typed: ["Oslo"]})],
    ) as client:
        names, _ = await all_tools(client)
        reply = await client.call_tool("s_outer")
        prompt = await client.get_prompt("s_ask", {"city": "Oslo"})
        completed = await client.complete(
            wire.PromptReference(type="ref/prompt", name="s_ask"), {"name": "city", "value": ""}
        )

    assert names == ["s_inner", "s_outer"]
    assert reply.structured_content == {"result": "inner"}
    assert prompt.messages[0].content.text == "Oslo"
    assert completed.completion.values == ["Oslo"]
