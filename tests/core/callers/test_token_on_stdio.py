"""The token of a client on standard input and output: who it makes the caller, and for how long."""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tokens"))
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from signing import NOW, SECRET, Clockwork, claims_of, hs, specification_claims
from ward import TOOLS, token_of

from packhorse import Context, Tool
from packhorse.compose.deployment import compose
from packhorse.door.catalogue import Found
from packhorse.settings import AuthSettings, ServerSettings, Settings
from packhorse.stdio.server import _StillHolds, principal_for
from packhorse.wire.adapter import Adapter
from seeds import pack_of

pytestmark = pytest.mark.anyio


async def whoami(ctx: Context) -> str:
    """Say who is calling, as the server has verified it."""
    return f"{ctx.principal.kind} {ctx.principal.subject} {sorted(ctx.principal.roles)}"


@pytest.mark.parametrize("token", [claims_of(role="COORDINATOR", aud="packhorse"), specification_claims()])
async def test_a_token_that_expires_lets_nobody_in_any_more(tmp_path, protocol, token):
    clock = Clockwork()
    shown = hs({**token, "exp": NOW + 600})
    settings = Settings(server=ServerSettings(data_dir=tmp_path), auth=AuthSettings(secret=SECRET.decode()))
    module = pack_of(tools=[Tool(fn=whoami, roles=["COORDINATOR"], read_only=True)])
    found = [Found("seed", module.__name__, "packhorse-seed", "1")]
    deployment = compose(settings, found, modules={"seed": module}, clock=clock)
    callers = deployment.callers()
    principal = await principal_for(deployment, callers, shown)
    held = _StillHolds(callers, shown, principal)
    adapter = Adapter(deployment, lambda ctx: held.principal)
    adapter.server.middleware.append(held.check(adapter))
    mode: Any = protocol if protocol == "2026-07-28" else "legacy"
    with deployment.running():
        async with Client(adapter.server, mode=mode) as client:
            reply = await client.call_tool("whoami")
            clock.forward(600)
            with pytest.raises(MCPError) as expired:
                await client.call_tool("whoami")
            with pytest.raises(MCPError):
                await client.list_tools(cache_mode="bypass")

    assert reply.structured_content == {"result": "human user_id_123 ['COORDINATOR']"}
    assert expired.value.error.code == -32000
    assert expired.value.error.data["error_type"] == "expired_token"
    assert expired.value.error.data["details"]["renewable"] is True


async def test_who_starts_the_server_with_a_token_is_who_it_says(bench):
    env = {"PACKHORSE_TOKEN": token_of("ada", "COORDINATOR")}
    async with Client(stdio_client(bench.stdio("ward", env=env)), mode="auto") as client:
        who = (await client.call_tool("whoami")).structured_content
        tools = {tool.name for tool in (await client.list_tools()).tools}

    assert who == {"kind": "human", "subject": "ada", "roles": "COORDINATOR"}
    assert tools == {*TOOLS, "person", "ledger", "whoami"}


async def test_who_starts_it_without_one_has_what_is_public(bench):
    async with Client(stdio_client(bench.stdio("ward")), mode="auto") as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == {"ledger", "whoami"}


@pytest.mark.parametrize(
    ("token", "said"),
    [
        pytest.param("a.b.c", "Authentication failed", id="that is none"),
        pytest.param(hs(claims_of(aud="packhorse")), "signature is wrong", id="of another secret"),
    ],
)
def test_a_token_that_does_not_hold_stops_the_start_in_words(bench, token, said):
    ran = bench.run("serve", "ward", env={"PACKHORSE_TOKEN": token})

    assert ran.returncode == 1
    assert said in ran.stderr
    assert token not in ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_specifications_own_variable_is_the_secret(run, bench):
    bench.configure()
    secret = SECRET.decode()
    minted = run(bench, "token", "--sub", "ada", "--role", "ADMIN", JWT_SECRET_KEY=secret)
    seen = run(bench, "tools", "ward", "--as", "FACULTY", "--json", JWT_SECRET_KEY=secret)

    assert minted.returncode == 0
    assert minted.stdout.count(".") == 2
    assert '"check_swap_feasibility"' in seen.stdout
    assert '"generate_schedule"' not in seen.stdout
