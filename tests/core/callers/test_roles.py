"""The scheduling specification's role table over HTTP, in both eras: what each role sees, and what it may do."""

from functools import partial
from typing import Any

import anyio.lowlevel
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from tests.core.raw_http import META, headers_of
from ward import AUTH, RESOURCES, TOOLS, client_at, token_of

from live import Served

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("protocol", ["2025-11-25", "2026-07-28"])]

PUBLIC = {"ledger", "whoami"}
ROLES = ["RESIDENT", "FACULTY", "COORDINATOR", "ADMIN"]


def held(role: str, table: dict[str, set[str]]) -> set[str]:
    return {name for name, roles in table.items() if roles & {role, "AUTHENTICATED"}}


@pytest.mark.parametrize("role", ROLES)
async def test_a_role_sees_calls_and_reads_what_the_table_gives_it_and_nothing_else(ward, protocol, role):
    tools, resources = held(role, TOOLS), held(role, RESOURCES)
    async with client_at(ward.url, protocol, token_of("p-1", role)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == tools | PUBLIC | {"person"}
        assert {str(resource.uri) for resource in (await client.list_resources()).resources} == resources
        before = await carried_out(client)
        for asked in [
            *(partial(client.call_tool, tool) for tool in TOOLS if tool not in tools),
            *(partial(client.read_resource, uri) for uri in RESOURCES if uri not in resources),
        ]:
            with pytest.raises(MCPError) as denied:
                await asked()
            assert (denied.value.error.code, denied.value.error.data["error_type"]) == (-32001, "authorization")
        for tool in sorted(tools):
            assert not (await client.call_tool(tool)).is_error
        for uri in resources:
            assert (await client.read_resource(uri)).contents[0].text == "so it is"
        assert (await carried_out(client))[len(before) :] == sorted(tools)


async def test_who_has_no_role_sees_what_any_authenticated_caller_may(ward, protocol):
    async with client_at(ward.url, protocol, token_of("p-1")) as client:
        resources = {str(resource.uri) for resource in (await client.list_resources()).resources}

    assert resources == {"schedule://current", "schedule://blocks"}


async def test_who_shows_no_token_sees_what_is_public(ward, protocol):
    async with client_at(ward.url, protocol) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == PUBLIC
        assert (await client.list_resources()).resources == []


async def test_lists_of_two_callers_on_one_server_are_never_mixed(ward, protocol):
    async with (
        client_at(ward.url, protocol, token_of("p-1", "ADMIN")) as admin,
        client_at(ward.url, protocol, token_of("p-2", "RESIDENT")) as resident,
    ):
        for _ in range(3):
            assert "generate_schedule" in {tool.name for tool in (await admin.list_tools()).tools}
            assert "generate_schedule" not in {tool.name for tool in (await resident.list_tools()).tools}
            await anyio.lowlevel.checkpoint()


async def test_a_role_table_of_the_deployer_wins_over_the_packs(bench, protocol):
    table = '[auth.roles]\nCLERK = ["validate_schedule", "schedule://current"]\nADMIN = ["validate_schedule", "ledger"]'
    bench.configure(f"{AUTH}\n{table}")
    with bench.serving("ward") as served:
        async with client_at(served.url, protocol, token_of("p-1", "CLERK")) as clerk:
            assert not (await clerk.call_tool("validate_schedule")).is_error
            assert {tool.name for tool in (await clerk.list_tools()).tools} == {"validate_schedule", "person", "whoami"}
        async with client_at(served.url, protocol, token_of("p-1", "COORDINATOR")) as coordinator:
            for name in ("validate_schedule", "ledger"):  # not named in the table: not theirs any more
                with pytest.raises(MCPError):
                    await coordinator.call_tool(name)
            assert not (await coordinator.call_tool("analyze_contingency")).is_error


async def test_a_call_without_a_token_of_what_is_not_public_is_a_401_that_says_where_to_sign_in(ward, protocol):
    refused = post(ward, protocol, "tools/call", name="validate_schedule", arguments={})

    assert refused.status_code == 401
    address = f"{ward.address}/.well-known/oauth-protected-resource/mcp"
    assert refused.headers["www-authenticate"] == f'Bearer resource_metadata="{address}"'
    assert refused.json()["error"]["code"] == -32000
    described = httpx2.get(address).json()
    assert described["resource"] == ward.url
    assert described["bearer_methods_supported"] == ["header"]


async def test_a_client_that_began_without_a_token_signs_in_and_goes_on(ward, protocol):
    signed_in: dict[str, str] = {}

    async def sign(request: httpx2.Request) -> None:
        request.headers.update(signed_in)

    mode = protocol if protocol == "2026-07-28" else "legacy"
    async with (
        httpx2.AsyncClient(event_hooks={"request": [sign]}) as http,
        Client(streamable_http_client(ward.url, http_client=http), mode=mode) as client,
    ):
        assert {tool.name for tool in (await client.list_tools()).tools} == PUBLIC
        signed_in["Authorization"] = f"Bearer {token_of('p-1', 'ADMIN')}"
        assert not (await client.call_tool("validate_schedule")).is_error
        assert (await client.call_tool("whoami")).structured_content["subject"] == "p-1"

        for other in ({"Authorization": f"Bearer {token_of('p-2', 'ADMIN')}"}, {}):  # it is p-1's own now
            signed_in.clear()
            signed_in.update(other)
            if protocol == "2025-11-25":
                with pytest.raises(MCPError, match="Session not found"):
                    await client.call_tool("whoami")


def post(served: Served, protocol: str, method: str, **params: Any) -> httpx2.Response:
    headers = {"Accept": "application/json, text/event-stream"}
    if protocol == "2026-07-28":
        params["_meta"], headers = META, headers_of(params["name"], method)
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return httpx2.post(served.url, json=message, headers=headers)


async def carried_out(client: Any) -> list[str]:
    reply = await client.call_tool("ledger")
    ledger: list[str] = reply.structured_content["result"]
    return ledger
