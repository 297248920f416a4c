"""Search and its entrances over the five packs, as each role of theirs: nothing is found or called that it may not."""

import json
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from packhorse import Principal
from packhorse.audit import rows
from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.door.entrances import ENTRANCES
from packhorse.errors import AUTHORIZATION
from packhorse.settings import ServerSettings, Settings
from packhorse.testing import connected

HOUSE = ("circadian", "discovery", "locator", "pai", "scheduling")
SENTENCES = json.loads(Path(__file__).parents[2].joinpath("benchmarks", "tool_sentences.json").read_text("utf-8"))
ROLES = ("COORDINATOR", "ADMIN", "FACULTY", "RESIDENT", "ADVOCATE", "VISITOR")

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def deployment(tmp_path_factory):
    settings = Settings(server=ServerSettings(data_dir=tmp_path_factory.mktemp("roles"), tools="search", strict=True))
    served = compose(settings, packs.choose(packs.find(), list(HOUSE)))
    with served.running(works=False):
        yield served


@pytest.mark.parametrize("role", ROLES)
async def test_a_role_finds_and_calls_only_what_it_may_see(deployment, role):
    caller = Principal("human", f"s-{role}", frozenset({role}))
    seen = {name for name, e in deployment.catalogue.tools.items() if deployment.dispatcher.visible(caller, e.offer)}
    hidden = sorted(deployment.catalogue.tools.keys() - seen)
    before = len(list(rows(deployment.settings.audit_path)))
    async with connected(deployment, principal=caller) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        for sentence, _ in SENTENCES:
            answer = (await client.call_tool("search_tools", {"query": sentence})).structured_content
            assert {line.partition("(")[0] for line in answer.get("tools", ())} <= seen
        for name in hidden:
            shown = await client.call_tool("search_tools", {"names": [name]})
            assert shown.is_error
            for entrance in ENTRANCES:
                with pytest.raises(MCPError) as caught:
                    await client.call_tool(entrance, {"tool": name, "arguments": {}})
                assert caught.value.error.code == AUTHORIZATION
    assert listed[0] == "search_tools"
    assert set(listed[1:]) <= set(ENTRANCES)
    calls = [row["body"] for row in list(rows(deployment.settings.audit_path))[before:] if "call" in row["body"]]
    denied = [body["call"]["name"] for body in calls if body.get("outcome", {}).get("status") == "denied"]
    assert sorted(denied) == sorted(hidden * len(ENTRANCES))
