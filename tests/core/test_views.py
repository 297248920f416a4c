"""Views on the wire: which tools have one, where it is, what it may load, and who may read it."""

import base64
import hashlib
import re
from types import ModuleType

import mcp_types as wire
import pytest
from mcp.client.extension import advertise
from tests.core.seeds import pack_of

from packhorse import Context, Principal, Resource, Tool, View, hookimpl
from packhorse.compose.deployment import compose
from packhorse.contract import design
from packhorse.contract.principal import ANONYMOUS
from packhorse.door.catalogue import Found
from packhorse.errors import PackError
from packhorse.settings import AuthSettings, ServerSettings, Settings
from packhorse.testing import connected, deployment_for

pytestmark = pytest.mark.anyio

MIME_TYPE = "text/html;profile=mcp-app"
EXTENSION = "io.modelcontextprotocol/ui"


class Told(wire.Result):
    """What a server says of itself."""

    capabilities: dict


SECRET = "a secret of the tests, 32 bytes long or more"


def age(day: str) -> dict[str, int]:
    """Tell the age of the moon on a day, in days since it was new."""
    return {"days": len(day)}


def phase(day: str) -> dict[str, int]:
    """Tell the phase of the moon on a day, as a number from 0 to 7."""
    return {"phase": 1}


@pytest.fixture
def moon(tmp_path):
    (tmp_path / "moon.js").write_text("show({ draw(answer, { stage }) { stage.append(String(answer.days)); } });")
    (tmp_path / "moon.css").write_text(".moon { color: var(--ink); }")
    return View(tmp_path / "moon.js", title="The <moon>", parts=("grid",))


def deployed(tmp_path, *tools, resources=(), auth=None):
    module = pack_of(tools=tools, resources=resources)
    if auth is None:
        return deployment_for(data_dir=tmp_path, seed=module)
    settings = Settings(server=ServerSettings(strict=True, data_dir=tmp_path), auth=auth)
    return compose(settings, [Found("seed", "seed", "under-test", "0")], modules={"seed": module})


async def uris(deployment, principal):
    async with connected(deployment, principal=principal) as client:
        return [str(one.uri) for one in (await client.list_resources()).resources]


async def test_a_tool_says_where_its_view_is_and_the_view_can_be_read_there(tmp_path, moon, protocol):
    deployment = deployed(tmp_path, Tool(fn=age, view=moon, meta={"ui": {"visibility": ["model"]}, "own": 1}), phase)
    async with connected(deployment, protocol=protocol) as client:
        with_view, without = (await client.list_tools()).tools
        (listed,) = (await client.list_resources()).resources
        (contents,) = (await client.read_resource("ui://seed/moon")).contents
    assert with_view.meta == {"ui": {"resourceUri": "ui://seed/moon", "visibility": ["model"]}, "own": 1}
    assert without.meta is None
    assert (str(listed.uri), listed.mime_type, listed.title) == ("ui://seed/moon", MIME_TYPE, "The <moon>")
    assert (contents.mime_type, contents.text) == (MIME_TYPE, moon.page())
    assert contents.meta == listed.meta
    assert contents.meta["ui"]["csp"] == {
        "connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []
    }  # fmt: skip


async def test_a_call_is_answered_in_text_and_data_with_a_view_as_without(tmp_path, moon, protocol):
    deployment = deployed(tmp_path, Tool(fn=age, view=moon), Tool(fn=age, name="plain"))
    async with connected(deployment, protocol=protocol) as client:
        shown = await client.call_tool("age", {"day": "2026"})
        plain = await client.call_tool("plain", {"day": "2026"})
    assert shown.content == plain.content
    assert shown.content[0].text
    assert shown.structured_content == {"days": 4}


async def test_that_there_are_views_is_announced_only_where_there_are_some(tmp_path, moon):
    discover = wire.Request(method="server/discover", params={})
    async with connected(deployed(tmp_path, Tool(fn=age, view=moon))) as client:
        some = await client.session.send_request(discover, Told)
    async with connected(deployed(tmp_path, age)) as client:
        none = await client.session.send_request(discover, Told)
    assert some.capabilities["extensions"] == {EXTENSION: {}}
    assert "extensions" not in none.capabilities


def test_the_page_loads_nothing_and_runs_only_what_is_in_it(moon):
    page = moon.page()
    assert page.startswith("<!doctype html>")
    assert "<title>The &lt;moon&gt;</title>" in page
    assert re.findall(r"""(?:src|href|action)\s*=\s*["']|url\(|@import|import\s*\(""", page) == []
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    for kind, element in (("script", '<script type="module">'), ("style", "<style>")):
        text = page.partition(element)[2].partition(f"</{kind}>")[0]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_shared_design_and_the_views_own_files_are_inside(moon):
    page = moon.page()
    assert design.stylesheet("grid") + ".moon { color: var(--ink); }" in page
    assert design.script("grid") in page


def test_a_text_of_the_answer_does_not_end_the_page(moon):
    page = moon.page({"day": "</script><script>alert(1)</script>"})
    assert "<script>alert" not in page
    assert "\\u003c/script>" in page


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Moon.js", "small letters"),
        ("moon.html", "small letters"),
        ("new_moon.js", "small letters"),
        ("no.js", "no file no.js"),
    ],
)
def test_a_script_that_could_not_be_served_is_told_at_once(tmp_path, name, said):
    if name != "no.js":
        (tmp_path / name).write_text("")
    with pytest.raises(PackError, match=said):
        View(tmp_path / name, title="Moon")


@pytest.mark.parametrize("text", ["'</script>'", "'</SCRIPT '", "x <!-- y"])
def test_a_script_that_would_end_its_element_is_refused(tmp_path, text):
    (tmp_path / "moon.js").write_text(text)
    with pytest.raises(PackError, match="split that string"):
        View(tmp_path / "moon.js", title="Moon").page()


def seen(ctx: Context) -> bool:
    """Tell whether the client that asks draws views, for a test that looks at it."""
    return ctx.shows_views


@pytest.mark.parametrize(
    ("extensions", "expected"),
    [
        pytest.param([advertise(EXTENSION, {"mimeTypes": [MIME_TYPE]})], True, id="draws them"),
        pytest.param([advertise(EXTENSION, {"mimeTypes": ["text/x-other"]})], False, id="draws others"),
        pytest.param([advertise(EXTENSION, {"mimeTypes": MIME_TYPE})], False, id="says it otherwise"),
        pytest.param([advertise(EXTENSION)], False, id="does not say what"),
        pytest.param([advertise("org.example/ui", {"mimeTypes": [MIME_TYPE]})], False, id="another extension"),
        pytest.param([], False, id="none"),
    ],
)
async def test_a_tool_knows_whether_its_client_draws_views(tmp_path, protocol, extensions, expected):
    async with connected(deployed(tmp_path, seen), protocol=protocol, extensions=extensions) as client:
        assert (await client.call_tool("seen", {})).structured_content == {"result": expected}


async def test_tools_may_share_a_view(tmp_path, moon):
    deployment = deployed(tmp_path, Tool(fn=age, view=moon), Tool(fn=phase, view=moon))
    async with connected(deployment) as client:
        tools = (await client.list_tools()).tools
        assert [tool.meta["ui"]["resourceUri"] for tool in tools] == ["ui://seed/moon"] * 2
        (listed,) = (await client.list_resources()).resources
    assert listed.description == "Shows the answers of age and phase."


def test_two_views_of_one_name_stop_the_start(tmp_path, moon):
    other = View(moon.script, title="Another")
    with pytest.raises(PackError, match="two views named 'moon'"):
        deployed(tmp_path, Tool(fn=age, view=moon), Tool(fn=phase, view=other))


def test_a_resource_at_the_views_address_stops_the_start(tmp_path, moon):
    other = Resource(uri="ui://seed/moon", fn=lambda: "x", name="x")
    with pytest.raises(PackError, match="a resource and a view at ui://seed/moon"):
        deployed(tmp_path, Tool(fn=age, view=moon), resources=[other])


def test_a_tool_whose_meta_says_another_view_stops_the_start(tmp_path, moon):
    with pytest.raises(PackError, match="the view's address in `meta` is not its real address"):
        deployed(tmp_path, Tool(fn=age, view=moon, meta={"ui": {"resourceUri": "ui://other/one"}}))


def test_what_starts_a_job_has_no_view(moon):
    with pytest.raises(PackError, match="no result to show yet"):
        Tool(fn=age, view=moon, job=True)


async def test_a_view_is_open_to_whoever_may_use_one_of_its_tools(tmp_path, moon):
    deployment = deployed(
        tmp_path,
        Tool(fn=age, view=moon, roles=("ASTRONOMER",)),
        Tool(fn=phase, view=moon, roles=("KEEPER",)),
        auth=AuthSettings(secret=SECRET),
    )
    for role in ("ASTRONOMER", "KEEPER"):
        assert await uris(deployment, Principal("human", subject="x", roles=frozenset({role}))) == ["ui://seed/moon"]
    assert await uris(deployment, Principal("human", subject="x", roles=frozenset({"POET"}))) == []
    assert await uris(deployment, ANONYMOUS) == []


async def test_a_view_of_a_tool_for_oneself_is_open_to_whoever_has_a_name(tmp_path, moon):
    deployment = deployed(
        tmp_path, Tool(fn=age, view=moon, roles=("ASTRONOMER",), self_argument="day"), auth=AuthSettings(secret=SECRET)
    )
    async with connected(deployment, principal=Principal("human", subject="2026")) as client:
        assert (await client.call_tool("age", {"day": "2026"})).structured_content == {"days": 4}
        (contents,) = (await client.read_resource("ui://seed/moon")).contents
    assert contents.text == moon.page()
    assert await uris(deployment, ANONYMOUS) == []


async def test_a_view_of_a_public_tool_is_public(tmp_path, moon):
    deployment = deployed(
        tmp_path,
        Tool(fn=age, view=moon, public=True),
        Tool(fn=phase, view=moon, roles=("KEEPER",)),
        auth=AuthSettings(secret=SECRET),
    )
    assert await uris(deployment, ANONYMOUS) == ["ui://seed/moon"]


async def test_the_deployers_roles_for_a_tool_are_those_of_its_view(tmp_path, moon):
    deployment = deployed(
        tmp_path, Tool(fn=age, view=moon, public=True), auth=AuthSettings(secret=SECRET, roles={"ASTRONOMER": ("age",)})
    )
    assert await uris(deployment, ANONYMOUS) == []
    astronomer = Principal("human", subject="x", roles=frozenset({"ASTRONOMER"}))
    assert await uris(deployment, astronomer) == ["ui://seed/moon"]


def test_a_pack_whose_view_is_not_there_is_put_aside_by_name(tmp_path):
    def register_tools():
        return [Tool(fn=age, view=View(tmp_path / "gone.js", title="Gone"))]

    module = ModuleType("seed")
    module.register_tools = hookimpl(register_tools)
    found = [Found("seed", "seed", "under-test", "0")]
    deployment = compose(Settings(server=ServerSettings(data_dir=tmp_path)), found, modules={"seed": module})
    (broken,) = deployment.catalogue.broken
    assert "there is no file gone.js" in broken.reason
