"""Ways round the door that were found open once, and are shut."""

import asyncio
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, SecretStr
from ward import AUTH

from packhorse import Call, Context, Guard, PackError, Principal, Resource, Tool, UserError
from packhorse.audit import rows
from packhorse.contract.principal import ANONYMOUS, LOCAL
from packhorse.door.catalogue import Catalogue
from packhorse.door.execution import Requester
from packhorse.settings import PackTable
from packhorse.testing import deployment_for
from seeds import install, pack_of

pytestmark = pytest.mark.anyio

MANY = 40_000


class Item(BaseModel):
    """One thing of many."""

    name: str


async def take(items: list[Item]) -> int:
    """Take things, of which there may be many."""
    return len(items)


async def count(numbers: list[int]) -> int:
    """Count numbers, of which there may be many."""
    return len(numbers)


def deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        pytest.param("take", {"items": [{"x": 1}] * MANY}, id="things without a name"),
        pytest.param("count", {"numbers": ["x"] * MANY}, id="no numbers"),
        pytest.param("count", {"numbers": deep(700)}, id="very deeply nested"),
    ],
)
async def test_a_thousand_faults_are_refused_as_one_is(tmp_path, tool, arguments):
    """Each fault was once held against every other: tens of seconds of work for one small request."""
    door = deployment_for(data_dir=tmp_path, seed=pack_of(tools=[take, count])).dispatcher
    with pytest.raises(UserError) as refused:
        await door.call_tool(Requester(LOCAL), tool, arguments)

    assert refused.value.code in ("INVALID_ARGUMENTS", "REFUSED")
    assert len(refused.value.message) < 10_000
    assert len(refused.value.details.get("faults", [])) <= 1_000


class Hidden(BaseModel):
    """An account, and what opens it."""

    account: str
    pin: Annotated[str, Field(exclude=True)]


class Starred(BaseModel):
    """An account, and what opens it."""

    account: str
    pin: SecretStr


@pytest.mark.parametrize("kind", [Hidden, Starred])
def test_an_argument_that_guards_would_not_see_keeps_its_tool_from_being_served(tmp_path, kind):
    def open_account(given: kind) -> str:
        """Open an account to whoever knows its number."""
        return "open"

    open_account.__annotations__["given"] = kind
    with pytest.raises(PackError, match="cannot see the argument 'pin'"):
        deployment_for(data_dir=tmp_path, seed=pack_of(tools=[open_account]))


def test_a_guard_whose_tool_is_served_under_another_name_stops_the_start(tmp_path):
    def publish() -> str:
        """Publish what everybody will then read."""
        return "published"

    law = pack_of(auth=[Guard(lambda principal, call: "no", tools=["publish"])])
    ward = pack_of(tools=[Tool(fn=publish, roles=["ADMIN"])])
    deployment_for(data_dir=tmp_path, law=law, ward=ward)
    with pytest.raises(PackError, match="is called 'w_publish' and would not be guarded"):
        deployment_for(data_dir=tmp_path, tables={"ward": PackTable(prefix="w_")}, law=law, ward=ward)


async def test_a_call_that_is_cancelled_while_it_is_entered_has_an_end_on_record(tmp_path):
    """A plain ``task.cancel()``, such as a pack's own time limit, knows nothing of shields."""

    async def publish() -> str:
        """Publish what everybody will then read."""
        await asyncio.sleep(60)
        return "published"

    async def hurry(ctx: Context) -> str:
        """Publish, but only if it is quick."""
        try:
            async with asyncio.timeout(0.0005):
                await ctx.call("publish", {})
        except TimeoutError:
            return "given up"
        return "done"

    tools = [Tool(fn=publish), Tool(fn=hurry, read_only=True)]
    deployment = deployment_for(data_dir=tmp_path, seed=pack_of(tools=tools))
    with deployment.running():
        for _ in range(20):
            await deployment.dispatcher.call_tool(Requester(LOCAL), "hurry", {})

    bodies = [row["body"] for row in rows(tmp_path / "audit.sqlite3")]
    begun = {body["id"] for body in bodies if body["type"] == "begin"}
    assert begun == {body["begin"] for body in bodies if body["type"] == "end"}


@pytest.mark.parametrize(
    ("auth", "said"),
    [
        pytest.param('[auth]\nissuer = "x"', "nobody can sign in", id="nobody can sign in"),
        pytest.param('[auth.roles]\nADMIN = ["validate_schedule"]', "nobody can sign in", id="roles for nobody"),
        pytest.param(
            '[[auth.issuers]]\nissuer = "https://a.example"\njwks_url = "https://a.example/keys"',
            "which `aud` its tokens must have",
            id="tokens for anybody",
        ),
    ],
)
def test_settings_that_would_let_everybody_in_stop_the_start(run, bench, auth, said):
    bench.configure(auth)
    ran = run(bench, "serve", "ward")

    assert ran.returncode == 1
    assert said in ran.stderr


def test_a_token_that_nobody_would_look_at_stops_the_start(run, bench):
    install(bench.packs, "plain", PLAIN)
    bench.configure(packs=["plain"])
    ran = run(bench, "serve", "plain", PACKHORSE_TOKEN="a.b.c")

    assert ran.returncode == 1
    assert "nothing checks tokens here" in ran.stderr


PLAIN = '''
from packhorse import *

def plain() -> str:
    """Say nothing about who may call it."""
    return "x"

@hookimpl
def register_tools():
    return [plain]
'''


def test_an_offer_for_everybody_and_for_roles_stops_the_start(tmp_path):
    both = Tool(fn=count, public=True, roles=["ADMIN"])
    with pytest.raises(PackError, match="has both public=True and roles"):
        deployment_for(data_dir=tmp_path, seed=pack_of(tools=[both]))


def test_a_token_of_ones_own_is_for_the_resource_that_clients_know(bench):
    bench.configure(AUTH + '\nresource = "https://packs.example/mcp"')
    token = bench.run("token", "--sub", "ada", "--role", "ADMIN").stdout.strip()
    ran = bench.run("serve", "ward", env={"PACKHORSE_TOKEN": token})

    assert ran.returncode == 0, ran.stderr


async def test_a_guard_sees_what_will_run(tmp_path):
    seen: list[Call] = []

    def judge(principal: Principal, call: Call) -> None:
        seen.append(call)

    door = deployment_for(data_dir=tmp_path, seed=pack_of(tools=[take], auth=[Guard(judge, tools=["take"])])).dispatcher
    await door.call_tool(Requester(ANONYMOUS), "take", {"items": [{"name": "a"}]})

    assert [dict(item) for item in seen[0].arguments["items"]] == [{"name": "a"}]


def test_what_one_caller_alone_may_see_is_public_to_no_cache():
    from packhorse.wire import content

    def fact() -> str:
        return "x"

    offers = [Resource(uri="facts://a", fn=fact, public=True, per_caller=own, ttl=60) for own in (False, True)]
    deployments = [deployment_for(seed=pack_of(resources=[offer])) for offer in offers]
    catalogues: list[Catalogue] = [deployment.catalogue for deployment in deployments]
    scopes = [content.read_result(one.resources["facts://a"], "facts://a", "x").cache_scope for one in catalogues]

    assert scopes == ["public", "private"]
