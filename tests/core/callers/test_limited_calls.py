"""Limits of a tool for each caller, answers that are kept, and calls that are tried again."""

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import httpx2
import mcp_types as wire
import pytest
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel
from tests.core.raw_http import headers_of, message
from ward import AUTH, client_at, token_of

from live import Bench
from packhorse import Context, Elicit, Pack, PackError, Principal, RequestError, Resolve, Resource, Tool, UserError
from packhorse.contract.principal import ANONYMOUS, LOCAL
from packhorse.door.execution import Requester
from packhorse.settings import PackTable
from packhorse.testing import deployment_for
from seeds import client_of, install, pack_of

pytestmark = pytest.mark.anyio

ADA, BO = Principal("human", "ada"), Principal("human", "bo")
AGENT = Principal("agent", "helper", chain=("ada",))


class Hand:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


async def often(n: int = 0) -> int:
    """Count, but not too often."""
    return n


def deployed(tmp_path: Path, *tools: Any, clock: Any = None, table: PackTable | None = None, **offers: Any) -> Any:
    tables = {"seed": table} if table else None
    extra = {"clock": clock} if clock else {}
    return deployment_for(data_dir=tmp_path, tables=tables, seed=pack_of(tools=tools, **offers), **extra)


async def limited(call: Any) -> int | None:
    """How many seconds a call must wait; None where it was answered."""
    try:
        await call
    except RequestError as error:
        if (error.code, error.error_type) != (-32029, "rate_limited"):
            raise
        seconds: int = error.details["retry_after_seconds"]
        return seconds
    return None


async def test_a_tools_limit_is_each_callers_own_and_says_when_to_come_back(tmp_path):
    clock = Hand()
    door = deployed(tmp_path, Tool(fn=often, limit="3/hour"), clock=clock).dispatcher
    for _ in range(3):
        assert await limited(door.call_tool(Requester(ADA), "often", {})) is None
        clock.now += timedelta(minutes=1)

    assert await limited(door.call_tool(Requester(ADA), "often", {})) == 57 * 60
    assert await limited(door.call_tool(Requester(BO), "often", {})) is None
    clock.now += timedelta(minutes=57)
    assert await limited(door.call_tool(Requester(ADA), "often", {})) is None


async def test_callers_without_a_subject_are_counted_by_address(tmp_path):
    door = deployed(tmp_path, Tool(fn=often, limit="1/hour")).dispatcher

    assert await limited(door.call_tool(Requester(ANONYMOUS, address="192.0.2.1"), "often", {})) is None
    assert await limited(door.call_tool(Requester(ANONYMOUS, address="192.0.2.1"), "often", {})) is not None
    assert await limited(door.call_tool(Requester(ANONYMOUS, address="192.0.2.2"), "often", {})) is None


async def test_an_agents_calls_count_for_the_person_it_acts_for(tmp_path):
    door = deployed(tmp_path, Tool(fn=often, limit="2/hour")).dispatcher

    assert await limited(door.call_tool(Requester(AGENT), "often", {})) is None
    assert await limited(door.call_tool(Requester(ADA), "often", {})) is None
    assert await limited(door.call_tool(Requester(ADA), "often", {})) is not None
    assert await limited(door.call_tool(Requester(AGENT), "often", {})) is not None


async def test_a_call_that_only_asks_is_not_counted_and_one_that_is_denied_neither(tmp_path):
    held = Tool(fn=often, name="held", limit="1/hour", roles=["ADMIN"])
    door = deployed(tmp_path, held).dispatcher
    for _ in range(3):
        with pytest.raises(RequestError) as denied:
            await door.call_tool(Requester(ADA), "held", {})
        assert denied.value.error_type == "authorization"

    assert await limited(door.call_tool(Requester(Principal("human", "ada", frozenset({"ADMIN"}))), "held", {})) is None


class Name(BaseModel):
    name: str


def ask_name() -> Elicit[Name]:
    return Elicit("Who is it for?", Name)


def greet(name: Annotated[Name, Resolve(ask_name)]) -> str:
    """Greet somebody, once it is known whom."""
    return f"hello {name.name}"


async def test_a_call_counts_once_however_often_it_asks(tmp_path, protocol):
    async def answer(ctx: Any, params: Any) -> wire.ElicitResult:
        return wire.ElicitResult(action="accept", content={"name": "Ada"})

    tools = [Tool(fn=greet, limit="2/hour")]
    client = {"elicitation_callback": answer}
    async with client_of(tmp_path, protocol=protocol, principal=ADA, tools=tools, client=client) as connected:
        said = [(await connected.call_tool("greet")).structured_content for _ in range(2)]
        with pytest.raises(MCPError) as limited:
            await connected.call_tool("greet")

    assert said == [{"result": "hello Ada"}] * 2
    assert limited.value.error.code == -32029


@pytest.mark.parametrize(("text", "answered"), [("5/hour", 5), ("none", 8)])
async def test_the_deployer_may_set_another_limit(tmp_path, text, answered):
    table = PackTable(limits={"often": text})
    door = deployed(tmp_path, Tool(fn=often, limit="2/hour"), table=table).dispatcher
    waits = [await limited(door.call_tool(Requester(ADA), "often", {})) for _ in range(8)]

    assert sum(wait is None for wait in waits) == answered


def test_a_limit_for_a_tool_that_is_not_there_stops_the_start(tmp_path):
    with pytest.raises(PackError, match=r"lists 'oftn', but the pack has no tool with this name. It has: often"):
        deployed(tmp_path, Tool(fn=often), table=PackTable(limits={"oftn": "1/hour"}))


async def test_while_a_source_fails_callers_may_call_less_and_when_it_answers_as_before(tmp_path):
    failing = True

    async def look_up() -> str:
        """Ask a source that is not always there."""
        if failing:
            raise UserError("The source is away.", code="AWAY")
        return "found"

    clock = Hand()
    door = deployed(tmp_path, Tool(fn=look_up, limit="8/hour", slow_on={"AWAY"}), clock=clock).dispatcher
    with pytest.raises(UserError):
        await door.call_tool(Requester(ADA), "look_up", {})
    failing = False
    waits = [await limited(door.call_tool(Requester(BO), "look_up", {})) for _ in range(8)]

    assert sum(wait is None for wait in waits) == 8  # each success gives one back: 4, 5, 6, 7, 8
    failing = True
    clock.now += timedelta(minutes=1)
    with pytest.raises(UserError):
        await door.call_tool(Requester(Principal("human", "cy")), "look_up", {})
    failing = False
    assert await limited(door.call_tool(Requester(BO), "look_up", {})) is not None


async def test_a_tool_that_slows_down_is_served_without_its_limit_too(tmp_path):
    async def look_up(away: bool = False) -> str:
        """Ask a source that is not always there."""
        if away:
            raise UserError("The source is away.", code="AWAY")
        return "found"

    table = PackTable(limits={"look_up": "none"})
    door = deployed(tmp_path, Tool(fn=look_up, limit="1/hour", slow_on={"AWAY"}), table=table).dispatcher
    with pytest.raises(UserError, match="away"):
        await door.call_tool(Requester(ADA), "look_up", {"away": True})
    assert [(await door.call_tool(Requester(ADA), "look_up", {})).structured for _ in range(2)] == [
        {"result": "found"}
    ] * 2


# --- kept answers ---


class Counting:
    """A tool that can tell how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def weigh(self, thing: str, ctx: Context, exact: bool = False) -> dict[str, Any]:
        """Weigh a thing, which takes a while."""
        self.asked.append(thing)
        return {"thing": thing, "for": ctx.principal.subject or "", "n": len(self.asked)}


async def test_the_same_question_is_answered_from_what_was_kept_and_defaults_are_the_same_question(tmp_path):
    scales = Counting()
    door = deployed(tmp_path, Tool(fn=scales.weigh, ttl=60, read_only=True)).dispatcher
    first = await door.call_tool(Requester(LOCAL), "weigh", {"thing": "a"})
    again = await door.call_tool(Requester(LOCAL), "weigh", {"exact": False, "thing": "a"})
    await door.call_tool(Requester(LOCAL), "weigh", {"thing": "b"})

    assert scales.asked == ["a", "b"]
    assert first.structured == again.structured
    again.structured["n"] = 99
    assert (await door.call_tool(Requester(LOCAL), "weigh", {"thing": "a"})).structured["n"] == 1


async def test_callers_with_other_roles_are_never_given_one_anothers_answers(tmp_path):
    scales = Counting()
    door = deployed(tmp_path, Tool(fn=scales.weigh, ttl=60, read_only=True)).dispatcher
    for caller in (ADA, BO, Principal("human", "ada", frozenset({"ADMIN"})), ANONYMOUS, LOCAL):
        await door.call_tool(Requester(caller), "weigh", {"thing": "a"})

    assert scales.asked == ["a"] * 4  # ada and bo may see the same


async def test_an_answer_for_one_caller_alone_is_kept_for_that_caller(tmp_path):
    scales = Counting()
    door = deployed(tmp_path, Tool(fn=scales.weigh, ttl=60, per_caller=True, read_only=True)).dispatcher
    told = [
        (await door.call_tool(Requester(caller), "weigh", {"thing": "a"})).structured["for"]
        for caller in (ADA, BO, ADA, BO)
    ]

    assert told == ["ada", "bo", "ada", "bo"]
    assert scales.asked == ["a", "a"]
    for _ in range(2):
        await door.call_tool(Requester(ANONYMOUS), "weigh", {"thing": "a"})
    assert scales.asked == ["a"] * 4  # nobody can say who an anonymous caller is


async def test_new_data_makes_kept_answers_stale(tmp_path):
    scales = Counting()
    version = ["1"]
    pack = Pack(title="Seed", data_version=lambda host: version[0])
    door = deployed(tmp_path, Tool(fn=scales.weigh, ttl=60, read_only=True), pack=pack).dispatcher
    await door.call_tool(Requester(LOCAL), "weigh", {"thing": "a"})
    version[0] = "2"
    await door.call_tool(Requester(LOCAL), "weigh", {"thing": "a"})

    assert scales.asked == ["a", "a"]


async def test_a_kept_answer_is_no_way_round_roles(tmp_path):
    scales = Counting()
    tool = Tool(fn=scales.weigh, ttl=60, read_only=True, roles=["ADMIN"])
    door = deployed(tmp_path, tool).dispatcher
    await door.call_tool(Requester(Principal("human", "ada", frozenset({"ADMIN"}))), "weigh", {"thing": "a"})

    with pytest.raises(RequestError):
        await door.call_tool(Requester(BO), "weigh", {"thing": "a"})


def test_a_limit_that_slows_down_needs_a_limit():
    with pytest.raises(PackError, match="slow_on lowers the tool's limit"):
        Tool(fn=often, slow_on={"AWAY"})


async def test_a_resource_with_a_ttl_is_worked_out_once(tmp_path):
    asked = []

    def fact(day: str) -> str:
        asked.append(day)
        return day

    deployment = deployed(tmp_path, resources=[Resource(uri="facts://{day}", fn=fact, ttl=60)])

    def match(entry: Any, uri: str) -> dict[str, str]:
        return {"day": uri.removeprefix("facts://")}

    for uri in ("facts://1", "facts://1", "facts://2"):
        await deployment.dispatcher.read(Requester(LOCAL), uri, match)

    assert asked == ["1", "2"]


# --- in a real Redis, by two processes ---


SEED = '''
from packhorse import *


async def often(n: int = 0) -> int:
    """Count, but not too often."""
    return n


@hookimpl
def register_tools():
    return [Tool(fn=often, public=True, read_only=True, limit="10/hour")]
'''


PUBLIC = '''
from packhorse import *

pack = Pack(title="Seed", limit_by_address="100/hour")


async def anybody() -> str:
    """Answer whoever asks."""
    return "yes"


@hookimpl
def register_tools():
    return [Tool(fn=anybody, public=True, read_only=True)]
'''


@pytest.fixture
def redis_url():
    import tempfile

    from tests.core.rates.conftest import running_redis

    with tempfile.TemporaryDirectory(prefix="packhorse-") as folder, running_redis(Path(folder)) as url:
        yield url


@pytest.mark.drill
async def test_two_processes_with_one_redis_allow_what_one_would(tmp_path, redis_url):
    benches = [Bench(tmp_path / name) for name in ("one", "two")]
    for bench in benches:
        bench.folder.mkdir()
        install(bench.packs, "seed", SEED)
        install(bench.packs, "open", PUBLIC)
        bench.configure(AUTH, limits=redis_url, packs=["seed", "open"], replicas=2, state_key="k" * 32)
    call, headers = message({}, name="anybody"), headers_of("anybody")
    answered = {"ada": 0, "bo": 0}
    with ExitStack() as stack:
        served = [stack.enter_context(bench.serving("seed", "open")) for bench in benches]
        mine = stack.enter_context(httpx2.Client(headers=headers))
        other = httpx2.HTTPTransport(local_address="127.0.0.2")
        elsewhere = stack.enter_context(httpx2.Client(transport=other, headers=headers))
        answers = [mine.post(served[turn % 2].url, json=call) for turn in range(101)]
        unaffected = elsewhere.post(served[0].url, json=call)
        for subject in answered:
            for turn in range(14):
                async with client_at(served[turn % 2].url, "2026-07-28", token_of(subject)) as client:
                    try:
                        await client.call_tool("often")
                    except MCPError as error:
                        if error.error.code != -32029:
                            raise
                    else:
                        answered[subject] += 1

    assert answered == {"ada": 10, "bo": 10}
    assert [answer.status_code for answer in answers] == [200] * 100 + [429]
    assert 3_500 < int(answers[-1].headers["Retry-After"]) <= 3_600
    assert unaffected.status_code == 200
