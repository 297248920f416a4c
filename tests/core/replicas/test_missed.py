"""A replica that was cut off from the others tells its clients that everything may have changed."""

import anyio
import anyio.to_thread
import pytest
from mcp.client.client import Client
from mcp.shared.subscriptions import PromptsListChanged, ResourcesListChanged, ResourceUpdated, ToolsListChanged
from tests.core.seeds import pack_of

from packhorse import Context, Resource, Tool
from packhorse.contract.principal import LOCAL
from packhorse.testing import deployment_for
from packhorse.wire.adapter import Adapter

psycopg = pytest.importorskip("psycopg", reason="packhorse[postgres] is not installed")

pytestmark = [pytest.mark.anyio, pytest.mark.drill]

SECONDS = 90


async def touch(uri: str, ctx: Context) -> str:
    """Say that a resource is not what it was."""
    await ctx.notify_resource_updated(uri)
    return uri


def adapter_of(folder) -> Adapter:
    looked = iter(range(100))

    def look() -> int:
        """Look, and keep the answer."""
        return next(looked)

    boards = [Resource(uri=f"seed://{name}", fn=look, name=name, subscribable=True) for name in ("one", "two")]
    tools = [Tool(fn=touch), Tool(fn=look, read_only=True, ttl=600)]
    return Adapter(deployment_for(data_dir=folder, seed=pack_of(tools=tools, resources=boards)), lambda ctx: LOCAL)


def cut(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'packhorse relay'"
        )


async def test_after_a_cut_its_clients_read_again_what_they_listen_to(tmp_path, database):
    here, there = adapter_of(tmp_path / "here"), adapter_of(tmp_path / "there")
    everything = {"tools_list_changed": True, "prompts_list_changed": True, "resources_list_changed": True}
    async with (
        here.changes.shared(database),
        there.changes.shared(database),
        Client(here.server, mode="2026-07-28") as client,
        Client(there.server, mode="2026-07-28") as other,
        client.listen(**everything, resource_subscriptions=["seed://one"]) as stream,
    ):
        kept = (await client.call_tool("look")).structured_content
        await other.call_tool("touch", {"uri": "seed://two"})
        await other.call_tool("touch", {"uri": "seed://one"})
        with anyio.fail_after(SECONDS):
            assert await anext(stream) == ResourceUpdated(uri="seed://one")
            await anyio.to_thread.run_sync(cut, database)
            told = [await anext(stream) for _ in range(4)]
        assert told[:3] == [ToolsListChanged(), PromptsListChanged(), ResourcesListChanged()]
        assert told[3] == ResourceUpdated(uri="seed://one")
        assert (await client.call_tool("look")).structured_content != kept
    assert not +here.changes.listen.uris  # nobody listens any more, and nothing is remembered
