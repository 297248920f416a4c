"""Reading: fixed URIs and templates, what their variables may hold, and how values reach the client."""

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel
from tests.core.seeds import client_of, pack_of

from packhorse import Context, Embedded, PackError, Principal, Resource, Text, UserError, Verifier
from packhorse.audit import rows
from packhorse.door.catalogue import ResourceEntry
from packhorse.errors import AUTHORIZATION, INVALID_PARAMS
from packhorse.testing import connected, deployment_for
from packhorse.wire import templates
from packhorse.wire.adapter import Adapter

pytestmark = pytest.mark.anyio

NOT_FOUND = {"2025-11-25": -32002, "2026-07-28": -32602}


class Shift(BaseModel):
    name: str
    hours: int


def give(name: str) -> str:
    return f"[{name}]"


def number(count: int) -> dict[str, int]:
    return {"count": count + 1}


READABLE = [
    Resource(uri="seed://text", fn=lambda: "words", name="text"),
    Resource(uri="seed://page", fn=lambda: "# words", name="page", mime_type="text/markdown"),
    Resource(uri="seed://bytes", fn=lambda: b"\x00\x01", name="bytes"),
    Resource(uri="seed://json", fn=lambda: {"name": "Muñoz"}, name="json"),
    Resource(uri="seed://list", fn=lambda: [1, 2], name="list"),
    Resource(uri="seed://model", fn=lambda: Shift(name="night", hours=12), name="model"),
    Resource(uri="seed://content", fn=lambda: Text("words"), name="content"),
    Resource(uri="seed://embedded", fn=lambda: Embedded("seed://x", b"png", "image/png"), name="embedded"),
]


@pytest.mark.parametrize(
    ("uri", "mime", "body"),
    [
        pytest.param("seed://text", "text/plain", "words", id="text"),
        pytest.param("seed://page", "text/markdown", "# words", id="text of a kind"),
        pytest.param("seed://bytes", "application/octet-stream", b"\x00\x01", id="bytes"),
        pytest.param("seed://json", "application/json", '{"name":"Muñoz"}', id="a JSON object"),
        pytest.param("seed://list", "application/json", "[1,2]", id="a JSON list"),
        pytest.param("seed://model", "application/json", '{"name":"night","hours":12}', id="a model"),
        pytest.param("seed://content", "text/plain", "words", id="content"),
        pytest.param("seed://embedded", "image/png", b"png", id="an embedded resource"),
    ],
)
async def test_what_a_resource_returns_reaches_the_client(tmp_path, protocol, uri, mime, body):
    async with client_of(tmp_path, protocol=protocol, resources=READABLE) as client:
        (read,) = (await client.read_resource(uri)).contents

    assert (read.uri, read.mime_type) == (uri, mime)
    got = read.text if isinstance(body, str) else base64.b64decode(read.blob)
    assert got == body


@pytest.mark.parametrize(
    ("template", "uri", "expected"),
    [
        pytest.param("seed://one/{name}", "seed://one/night", "[night]", id="a plain name"),
        pytest.param("seed://one/{name}", "seed://one/late%20night", "[late night]", id="an encoded space"),
        pytest.param("seed://one/{name}", "seed://one/Mu%C3%B1oz", "[Muñoz]", id="an encoded letter"),
        pytest.param("seed://one/{name}", "seed://one/v1..2", "[v1..2]", id="two dots within a name"),
        pytest.param("seed://one/{name}", "seed://one/a%2Fb", "[a/b]", id="an encoded slash that stays below"),
        pytest.param("seed://one/{name}", "seed://one/%252e%252e", "[%2e%2e]", id="dots encoded twice are no dots"),
        pytest.param("seed://files/{+name}", "seed://files/a/b.txt", "[a/b.txt]", id="a path"),
        pytest.param("seed://{name}/data", "seed://x/data", "[x]", id="a variable in the middle"),
    ],
)
async def test_a_template_gives_its_variables_decoded(tmp_path, protocol, template, uri, expected):
    async with client_of(tmp_path, protocol=protocol, resources=[Resource(uri=template, fn=give)]) as client:
        (read,) = (await client.read_resource(uri)).contents

    assert read.uri == uri
    assert read.text == expected


UNSAFE = [
    pytest.param("..", id="the folder above"),
    pytest.param("%2e%2e", id="the folder above, encoded"),
    pytest.param("%2E%2E%2Fetc", id="a path above, encoded"),
    pytest.param("..%2F..%2Fetc%2Fpasswd", id="two above, with encoded slashes"),
    pytest.param("a%2F..%2F..%2Fb", id="above after going down"),
    pytest.param("..%5Cwindows", id="above, with a backslash"),
    pytest.param("%2Fetc%2Fpasswd", id="an absolute path"),
    pytest.param("%5C%5Cserver%5Cshare", id="a network path"),
    pytest.param("C%3A%5Cwindows", id="a drive"),
    pytest.param("C%3Awindows", id="a path relative to a drive"),
    pytest.param("name%00.txt", id="a NUL"),
    pytest.param("..%00", id="a NUL that hides dots"),
]


@pytest.mark.parametrize("value", UNSAFE)
async def test_a_value_that_could_leave_a_folder_never_reaches_the_pack(tmp_path, protocol, value):
    reached: list[str] = []
    resource = Resource(uri="seed://one/{name}", fn=lambda name: reached.append(name) or "", name="one")
    async with client_of(tmp_path, protocol=protocol, resources=[resource]) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(f"seed://one/{value}")

    assert reached == []
    assert caught.value.error.code == -32602
    assert caught.value.error.data["error_type"] == "unsafe_path"
    assert "`name`" in caught.value.error.message


async def test_one_unchecked_variable_leaves_the_others_checked(tmp_path, protocol):
    resource = Resource(uri="seed://{name}/{+rest}", fn=lambda name, rest: name + rest, name="two", unchecked=["rest"])
    async with client_of(tmp_path, protocol=protocol, resources=[resource]) as client:
        await client.read_resource("seed://a/../b")
        with pytest.raises(MCPError):
            await client.read_resource("seed://%2e%2e/b")


async def test_what_is_unsafe_is_told_to_whoever_may_use_the_template_and_is_on_record(tmp_path, protocol):
    closed = Resource(uri="seed://files/{name}", fn=give, roles=["KEEPER"])
    pack = pack_of(resources=[closed], auth=[Verifier(lambda token: None)])
    deployment = deployment_for(data_dir=tmp_path, seed=pack)
    said = []
    for role in ("KEEPER", "POET"):
        caller = Principal("human", "ada", frozenset({role}))
        async with connected(deployment, protocol=protocol, principal=caller) as client:
            with pytest.raises(MCPError) as caught:
                await client.read_resource("seed://files/%2e%2e")
            said.append((caught.value.error.code, caught.value.error.data["error_type"]))

    assert said == [(INVALID_PARAMS, "unsafe_path"), (AUTHORIZATION, "authorization")]
    calls = [row["body"] for row in rows(deployment.settings.audit_path) if "call" in row["body"]]
    assert [(one["call"]["kind"], one["call"]["name"], one["outcome"]["code"]) for one in calls] == [
        ("resource", "seed://files/{name}", "UNSAFE_PATH"),
        ("resource", "seed://files/{name}", "authorization"),
    ]


@given(st.text(min_size=1, max_size=30))
def test_whatever_passes_stays_below_the_folder_it_is_joined_to(value):
    entry = entry_of(Resource(uri="seed://one/{name}", fn=give))
    uri = templates.parsed("seed://one/{name}").expand({"name": value})
    try:
        variables = templates.match(entry, uri)
    except UserError:
        return
    assert variables is not None
    base = Path("/base/folder")
    depth = 0
    for part in (base / variables["name"]).relative_to(base).parts:
        depth += -1 if part == ".." else 1
        assert depth >= 0


async def test_variables_become_the_functions_own_types(tmp_path, protocol):
    resource = Resource(uri="seed://count/{count}", fn=number)
    async with client_of(tmp_path, protocol=protocol, resources=[resource]) as client:
        (read,) = (await client.read_resource("seed://count/41")).contents
        with pytest.raises(MCPError) as caught:
            await client.read_resource("seed://count/many")

    assert read.text == '{"count":42}'
    assert caught.value.error.code == NOT_FOUND[protocol]
    assert caught.value.error.data["uri"] == "seed://count/many"


async def test_a_fixed_uri_wins_over_a_template_that_fits_it(tmp_path, protocol):
    resources = [
        Resource(uri="seed://one/{name}", fn=give),
        Resource(uri="seed://one/first", fn=lambda: "the first", name="first"),
    ]
    async with client_of(tmp_path, protocol=protocol, resources=resources) as client:
        (read,) = (await client.read_resource("seed://one/first")).contents

    assert read.text == "the first"


async def test_the_template_itself_is_no_resource(tmp_path, protocol):
    async with client_of(tmp_path, protocol=protocol, resources=[Resource(uri="seed://a/{name}/b", fn=give)]) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("seed://a/b")

    assert caught.value.error.code == NOT_FOUND[protocol]


async def test_a_resource_may_refuse_and_ask_who_reads(tmp_path, protocol):
    async def mine(name: str, ctx: Context) -> str:
        if name != "mine":
            raise UserError("Ask for `mine`.", code="NOT_HERE", jsonrpc_code=-32002)
        return ctx.principal.kind

    async with client_of(tmp_path, protocol=protocol, resources=[Resource(uri="seed://{name}", fn=mine)]) as client:
        (read,) = (await client.read_resource("seed://mine")).contents
        with pytest.raises(MCPError) as caught:
            await client.read_resource("seed://other")

    assert read.text == "local"
    assert caught.value.error.code == NOT_FOUND[protocol]
    assert caught.value.error.message == "Ask for `mine`."
    assert caught.value.error.data["error_type"] == "not_here"
    assert caught.value.error.data["uri"] == "seed://other"


@pytest.mark.parametrize(
    ("offer", "ttl_ms", "scope"),
    [
        pytest.param({}, 0, "private", id="no ttl"),
        pytest.param({"ttl": 1.5}, 1500, "private", id="a ttl"),
        pytest.param({"ttl": 60, "public": True}, 60_000, "public", id="a ttl for everybody"),
    ],
)
async def test_a_client_is_told_how_long_it_may_keep_what_it_read(tmp_path, offer, ttl_ms, scope):
    resource = Resource(uri="seed://text", fn=lambda: "words", name="text", **offer)
    async with client_of(tmp_path, resources=[resource]) as client:
        read = await client.read_resource("seed://text")

    assert (read.ttl_ms, read.cache_scope) == (ttl_ms, scope)


def entry_of(resource: Resource) -> ResourceEntry:
    (entry,) = deployment_for(data_dir=Path("unused"), seed=pack_of(resources=[resource])).catalogue.resources.values()
    return entry


def test_a_template_that_cannot_be_matched_stops_the_start_by_name(tmp_path):
    resource = Resource(uri="seed://{first}{last}", fn=lambda first, last: first + last, name="ambiguous")
    deployment = deployment_for(data_dir=tmp_path, seed=pack_of(resources=[resource]))

    with pytest.raises(PackError, match=r"'seed://\{first\}\{last\}' of pack 'seed'"):
        Adapter(deployment, lambda ctx: None)
