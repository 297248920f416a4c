"""Routes of packs, and offers that also answer plain HTTP: which are taken, and what a caller gets."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import httpx2
import pytest
from pydantic import BaseModel, Field, SecretStr
from sse_starlette.sse import AppStatus
from tests.core.live import begun
from tests.core.raw_http import headers_of, message
from tests.core.seeds import pack_of

from packhorse import (
    BrowserSession,
    Context,
    Pack,
    PackError,
    Page,
    Principal,
    Reply,
    Resource,
    Route,
    Text,
    Tool,
    UserError,
    Verifier,
)
from packhorse.compose.deployment import compose
from packhorse.door.catalogue import Found
from packhorse.door.limits import RATE_LIMITED
from packhorse.door.shares import Holder
from packhorse.errors import AUTHENTICATION, INTERNAL, RESOURCE_NOT_FOUND
from packhorse.http.app import Service
from packhorse.http.routes import META
from packhorse.settings import AuthSettings, ServerSettings, Settings
from packhorse.testing import deployment_for

HOST = "http://127.0.0.1"
PAGES = "https://pages.example"

pytestmark = pytest.mark.anyio


def double(number: int) -> dict[str, Any]:
    """Give twice the number, for whoever asks for that."""
    if number > 100:
        raise UserError("At most 100.", code="TOO_MUCH", jsonrpc_code=-32004, details={"limit": 100})
    return {"doubled": 2 * number}


def broken() -> dict[str, Any]:
    """Fail, as a bug does, whoever asks for it."""
    raise RuntimeError("a secret")


def words() -> Reply[Any]:
    """Say something that has no structure, to whoever asks."""
    return Reply(None, (Text("hello"),))


def room(name: str, ctx: Context) -> dict[str, Any]:
    return {"room": name, "kind": ctx.principal.kind}


def offered(**changed: Any) -> dict[str, Any]:
    tools = [
        Tool(fn=double, public=True, meta={META: "POST /api/v1/double"}),
        Tool(fn=broken, public=True, meta={META: "POST /api/v1/broken"}),
        Tool(fn=words, public=True, meta={META: "POST /api/v1/words"}),
    ]
    resources = [
        Resource(uri="seed://room/{name}", fn=room, public=True, meta={META: "GET /api/v1/rooms/{name}"}),
        Resource(uri="seed://note", fn=lambda: "text", public=True, mime_type="text/plain",
                 meta={META: "GET /api/v1/note"}),
    ]  # fmt: skip
    return {"tools": tools, "resources": resources, **changed}


@asynccontextmanager
async def served(
    folder: Path, server: ServerSettings | None = None, **packs: ModuleType
) -> AsyncIterator[tuple[Service, httpx2.AsyncClient]]:
    service = Service(deployment_for(data_dir=folder, server=server, **packs))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url=HOST) as http:
        yield service, http


async def asked(folder: Path, method: str, path: str, **options: Any) -> httpx2.Response:
    async with served(folder, seed=pack_of(**offered())) as (_, http):
        return await http.request(method, f"/api/v1/{path}", **options)


def reading(fn: Any, **options: Any) -> ModuleType:
    """A pack of one resource at /api/v1/one."""
    return pack_of(
        resources=[Resource(uri="seed://one", fn=fn, public=True, meta={META: "GET /api/v1/one"}, **options)]
    )


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "gives"),
    [
        pytest.param("POST", "double", {"number": 21}, 200, {"doubled": 42}, id="a tool"),
        pytest.param("POST", "words", {}, 200, {"content": ["hello"]}, id="words alone"),
        pytest.param("GET", "rooms/blue%20one", None, 200, {"room": "blue one", "kind": "anonymous"}, id="a template"),
    ],
)
async def test_it_answers(tmp_path, method, path, body, status, gives):
    answer = await asked(tmp_path, method, path, json=body)
    assert (answer.status_code, answer.json()) == (status, gives)


async def test_text_is_given_as_its_own_kind(tmp_path):
    answer = await asked(tmp_path, "GET", "note")
    assert answer.text == "text"
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        pytest.param("double", {"number": 101}, 422, -32004, id="a refusal"),
        pytest.param("double", {"number": "x"}, 422, -32602, id="a wrong argument"),
        pytest.param("double", [1], 422, -32602, id="no object"),
        pytest.param("broken", {}, 500, -32603, id="a bug"),
    ],
)
async def test_it_refuses_with_a_status_and_the_protocol_s_number(tmp_path, path, body, status, code):
    answer = await asked(tmp_path, "POST", path, json=body)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert error["code"] == code
    assert error["data"]["request_id"]
    assert "secret" not in answer.text


async def test_what_is_no_json_is_refused_in_the_form_of_every_refusal(tmp_path):
    headers = {"content-type": "application/json"}
    answer = await asked(tmp_path, "POST", "double", content=b'{"number": 1, "number": 2}', headers=headers)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["message"]) == (-32700, "Parse error: an object has one key twice")
    assert error["data"]["request_id"] == answer.headers["x-request-id"]


async def test_a_token_that_does_not_hold_is_refused_in_the_form_of_every_refusal(tmp_path):
    auth = AuthSettings(secret=SecretStr("s" * 32), resource=f"{HOST}/mcp")
    seed = pack_of(**offered())
    settings = Settings(server=ServerSettings(data_dir=tmp_path), auth=auth)
    service = Service(compose(settings, [Found("seed", seed.__name__, "packhorse-seed", "1")], modules={"seed": seed}))
    headers = {"authorization": "Bearer not.a.token"}
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url=HOST) as http:
        answer = await http.post("/api/v1/double", json={"number": 1, "id": 7}, headers=headers)
    assert answer.status_code == 401
    assert list(answer.json()) == ["error"]


@pytest.mark.parametrize(
    ("route", "says"),
    [
        ("double", "= 'POST /a/path'"),
        ("GET /api/v1/double", "= 'POST /a/path'"),
        ("POST /healthz", "is in use"),
        ("POST /mcp", "is in use"),
        ("POST /api/v1/{number}", "must contain no name in braces"),
        (3, "not 3"),
    ],
)
def test_a_route_that_cannot_be_served_stops_the_start(tmp_path, route, says):
    tools = [Tool(fn=double, public=True, meta={META: route})]
    deployment = deployment_for(data_dir=tmp_path, seed=pack_of(tools=tools))
    with pytest.raises(PackError, match=says):
        Service(deployment)


# --- what it counts ---


def triple(number: int) -> dict[str, Any]:
    """Give three times the number, for whoever asks for that."""
    return {"tripled": 3 * number}


def counted(fn: Any, limit: str) -> ModuleType:
    """A pack of one tool at a path of its name, of which each address has ``limit``."""
    tool = Tool(fn=fn, public=True, meta={META: f"POST /api/v1/{fn.__name__}"})
    return pack_of(tools=[tool], pack=Pack(title="Counted", limit_by_address=limit))


async def test_a_limit_by_address_counts_routes_and_calls_together(tmp_path):
    call: Any = {"json": message({"number": 1}, name="double"), "headers": headers_of("double")}
    async with served(tmp_path, seed=counted(double, "2/hour")) as (service, http), begun(service):
        first = await http.post("/api/v1/double", json={"number": 1})
        by_protocol = await http.post("/mcp", **call)
        third = await http.post("/api/v1/double", json={"number": 1})
        fourth = await http.post("/mcp", **call)

    assert [one.status_code for one in (first, by_protocol, third, fourth)] == [200, 200, 429, 429]
    assert third.json()["error"]["code"] == RATE_LIMITED
    assert list(third.json()) == ["error"]
    assert fourth.json()["jsonrpc"] == "2.0"
    assert int(third.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(message({"number": 1}, name="triple"), id="a call of another tool"),
        pytest.param([message({"number": 1}, name="triple")] * 3, id="calls of another tool"),
        pytest.param([], id="no call"),
    ],
)
async def test_whatever_is_sent_to_a_route_counts_once_for_its_own_tool(tmp_path, body):
    packs = {"one": counted(double, "1/hour"), "other": counted(triple, "1/hour")}
    async with served(tmp_path, **packs) as (_, http):
        statuses = [
            (await http.post(f"/api/v1/{path}", json=sent)).status_code
            for path, sent in [("double", body), ("double", {"number": 1}), ("triple", {"number": 1})]
        ]

    assert statuses == [422, 429, 200]


# --- what passes, and may be tried again ---


def fail(code: str) -> None:
    """Refuse as the host does, with the code that is asked for."""
    raise UserError("Not now.", code=code, jsonrpc_code=INTERNAL)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("BACKEND_UNAVAILABLE", 503),
        ("AUDIT_UNAVAILABLE", 503),
        ("STOPPING", 503),
        ("TIMEOUT", 504),
        ("ANYTHING_ELSE", 500),
    ],
)
async def test_a_refusal_that_passes_has_a_status_that_says_so(tmp_path, code, status):
    tool = Tool(fn=fail, public=True, meta={META: "POST /api/v1/fail"})
    async with served(tmp_path, seed=pack_of(tools=[tool])) as (_, http):
        answer = await http.post("/api/v1/fail", json={"code": code})

    assert (answer.status_code, answer.json()["error"]["data"]["error_type"]) == (status, code)


async def test_a_server_that_runs_all_it_may_is_unavailable(tmp_path):
    entered, release = anyio.Event(), anyio.Event()

    async def held() -> str:
        entered.set()
        await release.wait()
        return "held"

    async with (
        served(tmp_path, ServerSettings(concurrency=1), seed=reading(held)) as (_, http),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(http.get, "/api/v1/one")
        await entered.wait()
        busy = await http.get("/api/v1/one")
        release.set()

    assert (busy.status_code, busy.json()["error"]["data"]["error_type"]) == (503, "BUSY")


async def test_a_read_under_way_is_answered_before_the_server_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(AppStatus, "should_exit", False)  # of the whole process; put back for the tests after this
    entered, release = anyio.Event(), anyio.Event()
    answers: list[httpx2.Response] = []

    async def held() -> str:
        entered.set()
        await release.wait()
        return "held"

    async with served(tmp_path, seed=reading(held)) as (service, http):

        async def ask() -> None:
            answers.append(await http.get("/api/v1/one"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await entered.wait()
            service.drain()
            tasks.start_soon(service.let_go)
            await anyio.wait_all_tasks_blocked()
            release.set()

    assert [(answer.status_code, answer.text) for answer in answers] == [(200, "held")]


# --- what pages may do ---


async def test_a_page_of_an_allowed_origin_may_ask_whether_it_may_call(tmp_path):
    asking = {
        "Origin": PAGES,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    async with served(tmp_path, ServerSettings(allowed_origins=(PAGES,)), seed=pack_of(**offered())) as (_, http):
        asked_first = await http.options("/api/v1/double", headers=asking)
        called = await http.post("/api/v1/double", json={"number": 1}, headers={"Origin": PAGES})
        strange = await http.options("/api/v1/double", headers={**asking, "Origin": "https://evil.example"})

    assert (asked_first.status_code, called.status_code, strange.status_code) == (200, 200, 403)
    assert asked_first.headers["access-control-allow-origin"] == called.headers["access-control-allow-origin"] == PAGES


@pytest.mark.parametrize(
    ("path", "methods"), [("double", "POST, OPTIONS"), ("note", "GET, HEAD, OPTIONS")], ids=["a tool", "a resource"]
)
async def test_who_asks_for_the_methods_of_a_route_is_told_them(tmp_path, path, methods):
    answer = await asked(tmp_path, "OPTIONS", path)
    assert (answer.status_code, answer.headers["allow"]) == (204, methods)


# --- what a resource is given as ---


class Tide(BaseModel):
    height_m: float = Field(1.5, serialization_alias="heightM")


@pytest.mark.parametrize(
    ("value", "mime_type", "body", "kind"),
    [
        pytest.param(Tide(), None, b'{"heightM":1.5}', "application/json", id="a model"),
        pytest.param(b"\x00\xff", None, b"\x00\xff", "application/octet-stream", id="bytes"),
        pytest.param(b"\x89PNG", "image/png", b"\x89PNG", "image/png", id="bytes of a kind"),
    ],
)
async def test_a_resource_is_what_it_is_over_the_protocol(tmp_path, value, mime_type, body, kind):
    async with served(tmp_path, seed=reading(lambda: value, mime_type=mime_type)) as (_, http):
        answer = await http.get("/api/v1/one")

    assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, body, kind)


async def test_a_page_of_a_pack_runs_no_script_and_is_taken_for_nothing_else(tmp_path):
    async with served(tmp_path, seed=reading(lambda: "<script>1</script>", mime_type="text/html")) as (_, http):
        answer = await http.get("/api/v1/one")

    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["x-content-type-options"] == "nosniff"
    rules = {rule.strip() for rule in answer.headers["content-security-policy"].split(";")}
    assert {"default-src 'none'", "frame-ancestors 'none'", "sandbox"} <= rules


# A pack's own routes


def leaf(secret: str, ctx: Context) -> str:
    if secret != "oak":
        raise UserError("There is no such leaf.", code="NOT_FOUND", jsonrpc_code=RESOURCE_NOT_FOUND)
    return f"leaf for {ctx.principal.kind}"


LEAF = Route(path="/leaves/{secret}.txt", fn=leaf, public=True)


@pytest.mark.parametrize(
    ("method", "path", "status", "body"),
    [
        ("GET", "/leaves/oak.txt", 200, "leaf for anonymous"),
        ("HEAD", "/leaves/oak.txt", 200, ""),
        ("GET", "/leaves/elm.txt", 404, "There is no such leaf."),
        ("GET", "/leaves/oak", 404, ""),
        ("POST", "/leaves/oak.txt", 405, ""),
    ],
)
async def test_a_route_of_a_pack_answers_get(tmp_path, method, path, status, body):
    async with served(tmp_path, seed=pack_of(routes=[LEAF])) as (_, http):
        answer = await http.request(method, path)

    assert answer.status_code == status
    assert body in answer.text
    if status == 200:
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"


async def test_a_route_gives_bytes_and_json_as_they_are(tmp_path):
    routes = [
        Route(path="/picture", fn=lambda: b"\x89PNG", public=True, mime_type="image/png"),
        Route(path="/counts", fn=lambda: {"oaks": 3}, public=True),
    ]
    async with served(tmp_path, seed=pack_of(routes=routes)) as (_, http):
        picture, counts = await http.get("/picture"), await http.get("/counts")

    assert (picture.content, picture.headers["content-type"]) == (b"\x89PNG", "image/png")
    assert counts.json() == {"oaks": 3}


async def test_a_route_for_a_role_asks_for_a_token(tmp_path):
    auth = AuthSettings(secret=SecretStr("x" * 40))
    settings = Settings(server=ServerSettings(data_dir=tmp_path, strict=True), auth=auth)
    seed = pack_of(routes=[Route(path="/counts", fn=lambda: {"oaks": 3}, roles=("COUNTER",)), LEAF])
    deployment = compose(settings, [Found("seed", "seed", "under-test", "0")], modules={"seed": seed})
    service = Service(deployment)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url=HOST) as http:
        refused, answered = await http.get("/counts"), await http.get("/leaves/oak.txt")

    assert refused.status_code == 401
    assert refused.json()["error"]["code"] == AUTHENTICATION
    assert answered.text == "leaf for anonymous"


@pytest.mark.parametrize("path", ["leaves", "/a b", "/leaves/{secret", "/leaves?x=1", "//", ""])
def test_a_path_that_is_none_is_refused_where_it_is_written(path):
    with pytest.raises(PackError, match="absolute path"):
        Route(path=path, fn=lambda: "", public=True)


@pytest.mark.parametrize(
    ("routes", "says"),
    [
        ([Route(path="/mcp", fn=lambda: "", public=True)], "is in use"),
        ([LEAF, LEAF], "offers the route '/leaves/{secret}.txt' twice"),
        ([Route(path="/healthz", fn=lambda: "", public=True)], "is in use"),
    ],
)
def test_a_route_that_is_taken_stops_the_start(tmp_path, routes, says):
    with pytest.raises(PackError, match=re.escape(says)):
        Service(deployment_for(data_dir=tmp_path, seed=pack_of(routes=routes)))


def test_a_path_of_a_built_in_pack_is_taken_and_the_cure_names_the_other_pack(tmp_path):
    with pytest.raises(PackError, match=re.escape('exclude = ["/"] under [packs.seed]')):
        deployment_for(
            data_dir=tmp_path,
            server=ServerSettings(transport="http"),
            seed=pack_of(routes=[Route(path="/", fn=lambda: "", public=True)]),
        )


async def test_a_probe_answers_while_every_place_is_taken_and_no_observer_is_told(tmp_path, caplog):
    caplog.set_level("DEBUG", "packhorse.calls")
    pages = [
        Route(path=f"/{path}", fn=lambda: "alive", public=True, probe=path == "probe") for path in ("probe", "page")
    ]
    async with served(tmp_path, ServerSettings(concurrency=1), seed=pack_of(routes=pages)) as (service, http):
        place = service._deployment.dispatcher.calls
        assert place.take(Holder("somebody", "anonymous"))
        answers = {path: (await http.get(path)).status_code for path in ("/probe", "/page")}

    assert answers == {"/probe": 200, "/page": 503}
    assert [vars(line)["route"] for line in caplog.records if line.name == "packhorse.calls"] == ["/page"]


async def test_a_probe_that_a_role_is_given_for_asks_for_the_role(tmp_path):
    auth = AuthSettings(secret=SecretStr("x" * 40), roles={"MONITOR": ("/probe",)})
    seed = pack_of(routes=[Route(path="/probe", fn=lambda: "alive", public=True, probe=True)])
    settings = Settings(server=ServerSettings(data_dir=tmp_path), auth=auth)
    deployment = compose(settings, [Found("seed", "seed", "under-test", "0")], modules={"seed": seed})
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(Service(deployment).app), base_url=HOST) as http:
        assert (await http.get("/probe")).status_code == 401


SIGNED_IN = Route(path="/page", fn=lambda: Page("<p>look", styles="p{color:red}"), sign_in=True)


async def test_a_page_keeps_its_look_and_runs_nothing(tmp_path):
    async with served(tmp_path, seed=pack_of(routes=[SIGNED_IN])) as (_, http):
        answer = await http.get("/page")

    assert (answer.text, answer.headers["content-type"]) == ("<p>look", "text/html; charset=utf-8")
    policy = answer.headers["content-security-policy"]
    assert "style-src 'sha256-" in policy
    assert "script-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy


async def test_a_page_with_a_sign_in_is_for_every_caller_who_has_a_token(tmp_path):
    ada = Principal("human", "ada")
    verifier = Verifier(lambda shown: ada if shown == "hers" else None)
    seed = pack_of(routes=[SIGNED_IN], auth=[verifier])
    async with served(tmp_path, seed=seed) as (_, http):
        stranger = await http.get("/page")
        answers = [
            (await http.get("/page", auth=("anything", "hers"))).status_code,
            (await http.get("/page", headers={"authorization": "Bearer hers"})).status_code,
        ]

    assert (stranger.status_code, stranger.text[:8]) == (401, "Sign in:")
    kinds = [one.partition(" ")[0] for one in stranger.headers.get_list("www-authenticate")]
    assert kinds == ["Bearer", "Basic"]
    assert answers == [200, 200]


def test_two_packs_with_one_path_stop_the_start(tmp_path):
    with pytest.raises(PackError, match=r"both offer a route '/leaves/\{secret\}.txt'"):
        deployment_for(data_dir=tmp_path, one=pack_of(routes=[LEAF]), two=pack_of(routes=[LEAF]))


def test_a_route_whose_function_needs_what_its_path_lacks_is_not_served(tmp_path):
    with pytest.raises(PackError, match="has no variable 'secret'"):
        deployment_for(data_dir=tmp_path, seed=pack_of(routes=[Route(path="/leaf", fn=leaf, public=True)]))


async def test_what_a_caller_writes_in_a_path_is_neither_logged_nor_recorded(tmp_path, caplog):
    caplog.set_level("DEBUG")
    deployment = deployment_for(data_dir=tmp_path, seed=pack_of(routes=[LEAF]))
    with deployment.running():
        service = Service(deployment)
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(service.app), base_url=HOST) as http:
            await http.get("/leaves/oak.txt")
            await http.get("/leaves/canary-secret.txt")

    kept = b"".join(_files(tmp_path))
    lines = [record for record in caplog.records if record.name.startswith("packhorse")]
    assert any(getattr(record, "route", None) == LEAF.path for record in lines)
    assert "canary-secret" not in "".join(f"{record.getMessage()}{vars(record)}" for record in lines)
    assert b"canary-secret" not in kept


def _files(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.rglob("*") if file.is_file()]


async def test_a_page_takes_from_a_query_what_it_names_and_nothing_else(tmp_path):
    def seen(colour: str = "green", secret: str = "kept") -> str:
        return f"{colour} {secret}"

    page = Route(path="/seen", fn=seen, query=("colour",), public=True)
    async with served(tmp_path, seed=pack_of(routes=[page])) as (_, http):
        assert (await http.get("/seen")).text == "green kept"
        assert (await http.get("/seen?colour=red&secret=taken&other=1")).text == "red kept"


def test_a_query_for_which_there_is_no_argument_is_refused_at_the_start(tmp_path):
    page = Route(path="/seen", fn=lambda: "", query=("colour",), public=True)
    with pytest.raises(PackError, match="no argument 'colour'"):
        deployment_for(data_dir=tmp_path, seed=pack_of(routes=[page]), server=ServerSettings(strict=True))


async def test_a_page_may_redirect_and_set_a_cookie_by_which_its_reader_is_known(tmp_path):
    def enter() -> Page:
        return Page("", status=303, headers={"Location": "/who", "Set-Cookie": "who=eve"})

    def who(ctx: Context) -> str:
        return str(ctx.principal.subject)

    session = BrowserSession("who", lambda secret: Principal("human", secret) if secret == "eve" else None)
    routes = [Route(path="/enter", fn=enter, public=True), Route(path="/who", fn=who, sign_in=True, session=session)]
    async with served(tmp_path, seed=pack_of(routes=routes)) as (_, http):
        assert (await http.get("/who")).text == "None"
        answer = await http.get("/enter")
        assert (answer.status_code, answer.headers["location"]) == (303, "/who")
        assert (await http.get("/who")).text == "eve"
        http.cookies.set("who", "somebody else")
        assert (await http.get("/who", headers={"Cookie": "who=mallory"})).text == "None"
