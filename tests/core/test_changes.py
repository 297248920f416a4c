"""Telling clients what changed, in the way of each protocol era, and forgetting those that have gone."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as wire
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp.shared.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.uri_template import UriTemplate
from tests.core.seeds import pack_of

from packhorse import Context, Principal, Resource, Tool, Verifier
from packhorse.contract.context import Change
from packhorse.contract.principal import LOCAL
from packhorse.testing import deployment_for
from packhorse.wire import changes
from packhorse.wire.adapter import Adapter
from packhorse.wire.changes import MAX_SUBSCRIPTIONS

pytestmark = pytest.mark.anyio

RESIDENT = Principal("human", "r-1", frozenset({"RESIDENT"}))


async def touch(uri: str, ctx: Context) -> str:
    """Say that a resource is not what it was."""
    await ctx.notify_resource_updated(uri)
    return uri


async def change(what: Change, ctx: Context) -> str:
    """Say that a list is not what it was."""
    await ctx.notify_changed(what)
    return what


def adapter_of(folder: Path, principal: Principal = LOCAL) -> Adapter:
    def give(name: str = "") -> str:
        return name

    resources = [
        Resource(uri="seed://board", fn=give, public=True, subscribable=True),
        Resource(uri="seed://still", fn=give, public=True),
        Resource(uri="seed://secret", fn=give, roles=["CHIEF"], subscribable=True),
        Resource(uri="seed://room/{name}", fn=give, public=True, subscribable=True),
    ]
    tools = [Tool(fn=touch, public=True), Tool(fn=change, public=True)]
    pack = pack_of(tools=tools, resources=resources, auth=[Verifier(lambda token: None)])
    return Adapter(deployment_for(data_dir=folder, seed=pack), lambda ctx: principal)


class Heard:
    """What one handshake-era client was told, and a way to wait for it."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, Any]] = []
        self._came = anyio.Event()

    async def __call__(self, message: Any) -> None:
        params = getattr(message, "params", None)
        self.messages.append((message.method, getattr(params, "uri", None)))
        self._came.set()

    async def wait(self, count: int) -> list[tuple[str, Any]]:
        with anyio.fail_after(90):
            while len(self.messages) < count:
                self._came = anyio.Event()
                await self._came.wait()
        return self.messages


@asynccontextmanager
async def older(adapter: Adapter, heard: Heard | None = None) -> AsyncIterator[Client]:
    async with Client(adapter.server, mode="legacy", message_handler=heard or Heard()) as client:
        yield client


@asynccontextmanager
async def newer(adapter: Adapter) -> AsyncIterator[Client]:
    async with Client(adapter.server, mode="2026-07-28") as client:
        yield client


UPDATED = "notifications/resources/updated"


# --- handshake era ---


@pytest.mark.parametrize("what", ["tools", "prompts", "resources"])
async def test_every_connected_older_client_is_told_of_a_changed_list(tmp_path, what):
    adapter = adapter_of(tmp_path)
    mine, other = Heard(), Heard()
    async with older(adapter, mine) as client, older(adapter, other):
        await client.call_tool("change", {"what": what})

        assert await mine.wait(1) == [(f"notifications/{what}/list_changed", None)]
        assert await other.wait(1) == [(f"notifications/{what}/list_changed", None)]


async def test_an_older_client_is_told_of_the_resources_it_subscribed_to_and_no_others(tmp_path):
    adapter = adapter_of(tmp_path)
    heard, deaf = Heard(), Heard()
    async with older(adapter, heard) as client, older(adapter, deaf) as other:
        await client.subscribe_resource("seed://board")
        await client.subscribe_resource("seed://room/7")
        for uri in ("seed://board", "seed://room/8", "seed://room/7"):
            await other.call_tool("touch", {"uri": uri})

        assert await heard.wait(2) == [(UPDATED, "seed://board"), (UPDATED, "seed://room/7")]
        assert deaf.messages == []


async def test_a_subscription_that_was_dropped_is_silent(tmp_path):
    adapter = adapter_of(tmp_path)
    heard = Heard()
    async with older(adapter, heard) as client:
        await client.subscribe_resource("seed://board")
        await client.subscribe_resource("seed://room/7")
        await client.unsubscribe_resource("seed://board")
        await client.unsubscribe_resource("seed://never")
        for uri in ("seed://board", "seed://room/7"):
            await client.call_tool("touch", {"uri": uri})

        assert await heard.wait(1) == [(UPDATED, "seed://room/7")]


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        pytest.param("seed://still", -32602, id="one that never announces a change"),
        pytest.param("seed://absent", -32002, id="one that does not exist"),
        pytest.param("seed://secret", -32002, id="one that this caller may not see"),
    ],
)
async def test_what_cannot_be_followed_is_refused(tmp_path, uri, code):
    adapter = adapter_of(tmp_path, RESIDENT)
    async with older(adapter) as client:
        with pytest.raises(MCPError) as caught:
            await client.subscribe_resource(uri)

    assert caught.value.error.code == code
    assert caught.value.error.data["uri"] == uri


async def test_one_connection_may_not_subscribe_without_end(tmp_path):
    adapter = adapter_of(tmp_path)
    async with older(adapter) as client:
        for number in range(MAX_SUBSCRIPTIONS):
            await client.subscribe_resource(f"seed://room/{number}")
        await client.subscribe_resource("seed://room/0")
        with pytest.raises(MCPError, match="subscriptions"):
            await client.subscribe_resource("seed://room/last")
        await client.unsubscribe_resource("seed://room/0")
        await client.subscribe_resource("seed://room/last")


async def test_a_connection_that_closed_is_forgotten(tmp_path):
    adapter = adapter_of(tmp_path)
    async with older(adapter) as client:
        await client.subscribe_resource("seed://board")
        async with older(adapter):
            await client.call_tool("change", {"what": "tools"})
            assert len(adapter.changes._connections) == 2
        assert len(adapter.changes._connections) == 1
        await client.call_tool("change", {"what": "tools"})
    assert adapter.changes._connections == set()


INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "deaf", "version": "1"}}


async def test_a_client_that_reads_nothing_does_not_hold_up_the_others(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(changes, "TELL_SECONDS", 0.05)
    adapter = adapter_of(tmp_path)
    server = adapter.server
    heard = Heard()
    async with (
        create_client_server_memory_streams() as ((answers, words), streams),
        older(adapter, heard) as client,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(server.run, *streams, server.create_initialization_options())
        await words.send(
            SessionMessage(wire.JSONRPCRequest(jsonrpc="2.0", id=1, method="initialize", params=INITIALIZE))
        )
        await answers.receive()
        await words.send(SessionMessage(wire.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")))
        with anyio.fail_after(90):
            while len(adapter.changes._connections) < 2:
                await anyio.lowlevel.checkpoint()
            for _ in range(5):
                await client.call_tool("change", {"what": "tools"})
            await heard.wait(5)
        tasks.cancel_scope.cancel()

    assert "does not read its messages" in caplog.text


# --- 2026 ---


async def events_of(client: Client, act: Callable[[], Any], count: int, **wanted: Any) -> list[ServerEvent]:
    """The first ``count`` events of a stream opened with ``wanted``, after ``act`` ran."""
    found: list[ServerEvent] = []
    with anyio.fail_after(90):
        async with client.listen(**wanted) as stream:
            await act()
            async for event in stream:
                found.append(event)
                if len(found) == count:
                    break
    return found


async def test_a_newer_client_hears_the_kinds_it_listens_to(tmp_path):
    adapter = adapter_of(tmp_path)
    async with newer(adapter) as client:

        async def act() -> None:
            for what in ("tools", "prompts", "resources"):
                await client.call_tool("change", {"what": what})
            await client.call_tool("touch", {"uri": "seed://board"})

        everything = {f"{kind}_list_changed": True for kind in ("tools", "prompts", "resources")}
        heard = await events_of(client, act, 4, **everything, resource_subscriptions=["seed://board"])
        some = await events_of(client, act, 1, prompts_list_changed=True)

    assert heard == [
        ToolsListChanged(),
        PromptsListChanged(),
        ResourcesListChanged(),
        ResourceUpdated(uri="seed://board"),
    ]
    assert some == [PromptsListChanged()]


async def test_a_newer_client_is_honoured_only_where_it_may_follow(tmp_path):
    adapter = adapter_of(tmp_path, RESIDENT)
    wanted = ["seed://board", "seed://still", "seed://secret", "seed://absent", "seed://room/7"]
    async with newer(adapter) as client:
        async with client.listen(resource_subscriptions=wanted) as stream:
            assert stream.honored.resource_subscriptions == ["seed://board", "seed://room/7"]

        async def act() -> None:
            for uri in ("seed://secret", "seed://board"):
                await client.call_tool("touch", {"uri": uri})

        assert await events_of(client, act, 1, resource_subscriptions=wanted) == [ResourceUpdated(uri="seed://board")]


async def test_no_more_addresses_are_matched_than_a_newer_client_may_listen_to(tmp_path, monkeypatch):
    matched: list[str] = []
    match = UriTemplate.match

    def counted(template: UriTemplate, uri: str, **options: Any) -> Any:
        matched.append(uri)
        return match(template, uri, **options)

    adapter = adapter_of(tmp_path)
    wanted = [f"seed://room/{number}" for number in range(MAX_SUBSCRIPTIONS)]
    absent = [f"seed:{number}" for number in range(10 * MAX_SUBSCRIPTIONS)]
    async with newer(adapter) as client:
        monkeypatch.setattr(UriTemplate, "match", counted)
        async with client.listen(resource_subscriptions=[*wanted, *wanted, *absent]) as stream:
            assert stream.honored.resource_subscriptions == wanted

    assert matched == wanted


async def test_a_stream_that_ended_is_forgotten(tmp_path):
    adapter = adapter_of(tmp_path)
    async with newer(adapter) as client:
        async with client.listen(tools_list_changed=True):
            assert len(adapter.changes.bus._listeners) == 1
        with anyio.fail_after(90):
            while adapter.changes.bus._listeners:
                await anyio.lowlevel.checkpoint()


async def test_an_end_of_service_ends_the_streams_in_good_order(tmp_path):
    adapter = adapter_of(tmp_path)
    async with newer(adapter) as client, client.listen(tools_list_changed=True) as stream:
        await client.call_tool("change", {"what": "tools"})
        adapter.changes.listen.close()
        with anyio.fail_after(90):
            heard = [event async for event in stream]

    assert heard == [ToolsListChanged()]


async def test_both_eras_are_told_of_one_change(tmp_path):
    adapter = adapter_of(tmp_path)
    heard = Heard()
    async with older(adapter, heard) as old, newer(adapter) as new:
        await old.subscribe_resource("seed://board")

        async def act() -> None:
            await new.call_tool("touch", {"uri": "seed://board"})

        found = await events_of(new, act, 1, resource_subscriptions=["seed://board"])
        assert await heard.wait(1) == [(UPDATED, "seed://board")]

    assert found == [ResourceUpdated(uri="seed://board")]


async def test_the_eras_keep_to_their_own_ways(tmp_path):
    adapter = adapter_of(tmp_path)
    async with newer(adapter) as client:
        with pytest.raises(MCPError) as caught:
            await client.session.send_request(
                wire.SubscribeRequest(params=wire.SubscribeRequestParams(uri="seed://board")), wire.EmptyResult
            )

    assert caught.value.error.code == wire.METHOD_NOT_FOUND
