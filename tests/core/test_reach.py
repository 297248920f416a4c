"""A server whose tools nobody can call says so, with the cure: at its start, in `check`, on its page, to the caller."""

import json

import pytest
from pydantic import BaseModel
from tests.core.live import Bench
from tests.core.seeds import install

from packhorse import Pack, RequestError, Tool
from packhorse.compose.fence import unfenced
from packhorse.compose.reach import CURE, described, described_ungated, ungated, unreachable
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.execution import Requester
from packhorse.mounts import accepted
from packhorse.mounts.accepted import Mount
from packhorse.testing import deployment_for

PACK = '''
from packhorse import *


def {name}_public() -> str:
    """Answer whoever asks."""
    return "yes"


def {name}_hidden() -> str:
    """Answer who has the role."""
    return "yes"


@hookimpl
def register_tools():
    return [Tool(fn={name}_public, public=True), Tool(fn={name}_hidden, roles=["CHIEF"])]
'''
SAID = "Nobody can call 1 tool of one and 1 of two over HTTP: they need a role"


def act() -> str:
    """Do something."""
    return ""


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path)
    for name in ("one", "two"):
        install(made.packs, name, PACK.format(name=name))
    return made


def test_over_stdio_the_caller_has_every_role(tmp_path, make_pack):
    deployment = deployment_for(data_dir=tmp_path, seed=make_pack(tools=[Tool(fn=act, roles=["CHIEF"])]))

    assert unreachable(deployment, "stdio") == {}
    assert unreachable(deployment, "http") == {"seed": 1}


def test_tools_for_everybody_are_reached(tmp_path, make_pack):
    tools = [Tool(fn=act), Tool(fn=act, name="open", public=True)]

    assert unreachable(deployment_for(data_dir=tmp_path, seed=make_pack(tools=tools)), "http") == {}


def test_it_is_said_in_a_sentence():
    assert described({"one": 1}).startswith("Nobody can call 1 tool of one over HTTP: they need a role")
    assert described({"one": 33, "two": 9, "three": 4}).startswith(
        "Nobody can call 33 tools of one, 9 of two and 4 of three over HTTP:"
    )


def mounted(tmp_path, **changes):
    """A mounted server of two tools, of which nothing is started."""
    tools = tuple({"name": name, "description": "Do it.", "inputSchema": {"type": "object"}} for name in ("put", "get"))
    accepted.save(tmp_path / "packhorse-mounts", "files", Mount(prefix="files_", tools=tools, **changes))


@pytest.mark.parametrize(
    ("changes", "open_to_all"),
    [
        ({}, {"mount files": 2}),
        ({"read_only": ("get",)}, {"mount files": 1}),
        ({"read_only": ("*",)}, {}),
        ({"public": True}, {}),
        ({"roles": ("CHIEF",)}, {}),
    ],
    ids=["unmarked", "one only reads", "all only read", "for everybody, says the operator", "with a role"],
)
def test_what_anybody_may_change_is_counted_of_packs_and_mounts_alike(tmp_path, make_pack, changes, open_to_all):
    mounted(tmp_path, **changes)
    mark = {"read_only": "get" in changes.get("read_only", ()) or "*" in changes.get("read_only", ())}
    own = [Tool(fn=act, **(mark | {key: value for key, value in changes.items() if key in ("public", "roles")}))]
    deployment = deployment_for(data_dir=tmp_path, seed=make_pack(tools=own))

    counted = ungated(deployment, "http")
    assert {pack: count for pack, count in counted.items() if pack != "seed"} == open_to_all
    assert ("seed" in counted) is (not changes)
    assert ungated(deployment, "stdio") == {}


def test_what_anybody_may_change_is_said_in_a_sentence():
    assert described_ungated({"one": 1, "mount files": 7}).startswith(
        "Any program that reaches this server over HTTP can call 1 tool of one and 7 of mount files that may change"
    )


def test_mounted_tools_count_among_those_that_a_client_calls_without_an_agent(tmp_path, make_pack):
    class Fence(BaseModel):
        fenced: bool = False

    mounted(tmp_path, read_only=("get",))
    agents = make_pack(tools=[Tool(fn=act, name="ask_agent")], pack=Pack(title="Agents", settings=Fence))

    assert unfenced(deployment_for(data_dir=tmp_path, agents=agents)) == 1
    assert unfenced(deployment_for(data_dir=tmp_path, agents=agents, seed=make_pack(tools=[act]))) == 2


@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_check_says_what_anybody_may_change(run, bench, transport):
    mounted(bench.folder / "data")
    bench.configure(packs=[], transport=transport, port=0)
    ran = run(bench, "check")

    (line,) = [line for line in ran.stdout.splitlines() if "2 tools of mount files that may change something" in line]
    assert line.startswith("LOOK  callers" if transport == "http" else "ok    callers")


@pytest.mark.anyio
async def test_the_refusal_says_what_the_operator_does(tmp_path, make_pack):
    deployment = deployment_for(data_dir=tmp_path, seed=make_pack(tools=[Tool(fn=act, roles=["CHIEF"])]))

    with pytest.raises(RequestError, match=r"nobody can use it here.*\[auth\]"):
        await deployment.dispatcher.call_tool(Requester(ANONYMOUS), "act", {})


def test_check_names_them_with_the_cure_where_it_serves_over_http(run, bench):
    bench.configure(packs=["one", "two"], transport="http", port=0)
    ran = run(bench, "check", "--json")

    (finding,) = [one for one in json.loads(ran.stdout)["findings"] if one["cure"]]
    assert (finding["subject"], ran.returncode) == ("callers", 1)
    assert SAID in finding["found"]
    assert finding["cure"] == f"{CURE}."


def test_check_says_it_beforehand_where_it_serves_over_stdio(run, bench):
    bench.configure(packs=["one", "two"])
    ran = run(bench, "check")

    assert ran.returncode == 0
    assert f"authentication is off, which is right for stdio. If you served over HTTP: {SAID}" in ran.stdout


def test_the_start_warns_once_and_the_page_says_it_too(bench):
    import httpx2

    bench.configure(packs=["one", "two"], transport="http")
    with bench.serving() as served:
        page = httpx2.get(f"{served.address}/console/health").text

    lines = [json.loads(line) for line in bench.log.read_text().splitlines() if line.startswith("{")]
    warnings = [line["message"] for line in lines if line["level"].lower() == "warning"]
    assert warnings == [f"{SAID}, and nobody can sign in. {CURE}."]
    assert SAID in page
    assert page.count("nobody can call 1 of the tools here") == 2
