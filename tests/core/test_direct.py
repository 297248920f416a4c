"""Which requests skip the router, which calls are answered in one piece, and that a caller who goes away ends one."""

import anyio
import pytest
from tests.core.seeds import pack_of

from packhorse import Context, Tool
from packhorse.contract.clock import system_clock
from packhorse.door.call_log import Accounts
from packhorse.http.fast_path import LONGEST_SECONDS, Direct, Front, quick
from packhorse.testing import deployment_for
from packhorse.wire.callers import MESSAGE
from packhorse.wire.refusals import Refusals

pytestmark = pytest.mark.anyio

HEADERS = {b"mcp-protocol-version": b"2026-07-28", b"accept": b"application/json, text/event-stream"}


def plain() -> str:
    """Answer and no more."""
    return "plain"


async def later() -> str:
    """Answer after a while."""
    return "later"


def telling(ctx: Context) -> str:
    """May report progress before it answers."""
    return "telling"


def test_only_tools_that_answer_soon_are_answered_in_one_piece_and_those_with_a_context_by_the_sdk(tmp_path):
    tools = [
        Tool(fn=plain),
        Tool(fn=later),
        Tool(fn=telling),
        Tool(fn=plain, name="patient", timeout=LONGEST_SECONDS + 1),
        Tool(fn=plain, name="hasty", timeout=1),
    ]
    entries = deployment_for(data_dir=tmp_path, seed=pack_of(tools=tools)).catalogue.tools.values()

    assert quick(entries, timeout_seconds=60) == {"plain": True, "later": True, "telling": False, "hasty": True}
    assert quick(entries, timeout_seconds=61) == {"hasty": True}


META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


def a_call(headers=(), meta=(), name="plain", **changed):
    params = {"name": name, "_meta": {**META, **dict(meta)}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params, **changed}
    sent = {**HEADERS, b"mcp-method": b"tools/call", b"mcp-name": str(name).encode(), **dict(headers)}
    kept = {key: value for key, value in sent.items() if value is not None}
    return {"type": "http", "method": "POST", "headers": list(kept.items()), MESSAGE: message}


def app_that_says(word, taken):
    async def app(scope, receive, send):
        taken.append(word)

    return app


def direct_that_notes(taken):
    async def answer(scope, params, version):
        taken.append("dispatcher")
        return {"content": [], "isError": False}

    tools = {"plain": True, "telling": False}
    return Direct(app_that_says("streaming", taken), app_that_says("answering", taken), answer, tools)


async def ignore(message):
    pass


def without_id(scope):
    del scope[MESSAGE]["id"]
    return scope


@pytest.mark.parametrize(
    ("scope", "way"),
    [
        pytest.param(a_call(), "dispatcher", id="a tool without a context"),
        pytest.param(a_call(name="telling"), "answering", id="a tool with one, of a client that wants no more"),
        pytest.param(a_call(name="telling", meta={"progressToken": 1}), "streaming", id="a client that wants progress"),
        pytest.param(
            a_call(name="telling", meta={"io.modelcontextprotocol/logLevel": "info"}),
            "streaming",
            id="a client that wants the log",
        ),
        pytest.param(a_call(name="other"), "streaming", id="another tool"),
        pytest.param(a_call(name=["plain"]), "streaming", id="a name that is none"),
        pytest.param(a_call(params=None), "streaming", id="no parameters"),
        pytest.param(a_call(params={"name": "plain"}), "streaming", id="no envelope"),
        pytest.param(a_call(meta={"progressToken": [1]}), "streaming", id="an envelope that the schema refuses"),
        pytest.param(a_call(method="tools/list"), "streaming", id="another method"),
        pytest.param(a_call([(b"accept", b"application/json")]), "streaming", id="a client that takes no stream"),
        pytest.param(a_call([(b"accept", None)]), "streaming", id="a client that does not say what it takes"),
        pytest.param(a_call([(b"mcp-name", b"other")]), "streaming", id="a header that names another tool"),
        pytest.param(a_call([(b"mcp-method", None)]), "streaming", id="no header that names the method"),
        pytest.param(a_call([(b"mcp-protocol-version", b"2025-11-25")]), "streaming", id="an older revision"),
        pytest.param(a_call([(b"mcp-protocol-version", None)]), "streaming", id="no revision"),
        pytest.param({**a_call(), "headers": [*a_call()["headers"]] * 2}, "streaming", id="headers given twice"),
        pytest.param({**a_call(), MESSAGE: [a_call()[MESSAGE]]}, "streaming", id="a batch"),
        pytest.param({**a_call(), "method": "GET", MESSAGE: None}, "streaming", id="a stream to listen on"),
        pytest.param(without_id(a_call()), "streaming", id="a notification"),
    ],
)
async def test_each_request_goes_the_cheapest_way_that_can_answer_it(scope, way):
    taken = []

    await direct_that_notes(taken)(scope, anyio.sleep_forever, ignore)

    assert taken == [way]


async def test_a_client_that_hangs_up_ends_its_call():
    ended = anyio.Event()

    async def for_ever(scope, receive, send):
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    async def hung_up():
        return {"type": "http.disconnect"}

    with anyio.fail_after(90):
        await Direct(for_ever, for_ever, for_ever, {"plain": True})(a_call(), hung_up, ignore)

    assert ended.is_set()


@pytest.mark.parametrize(
    ("scope", "way"),
    [
        pytest.param({"type": "http", "path": "/mcp"}, "endpoint", id="the protocol's path"),
        pytest.param({"type": "http", "path": "/mcp", "root_path": ""}, "endpoint", id="with nothing above it"),
        pytest.param({"type": "http", "path": "/mcp/"}, "routed", id="a slash too many is the router's to mend"),
        pytest.param({"type": "http", "path": "/healthz"}, "routed", id="another path"),
        pytest.param({"type": "http", "path": "/a/mcp", "root_path": "/a"}, "routed", id="mounted in another app"),
        pytest.param({"type": "websocket", "path": "/mcp"}, "routed", id="another protocol"),
        pytest.param({"type": "lifespan"}, "routed", id="start and stop"),
    ],
)
async def test_only_requests_for_the_protocols_own_paths_skip_the_router(scope, way):
    taken = []
    front = Front(
        app_that_says("routed", taken), {"/mcp": app_that_says("endpoint", taken)}, Refusals(Accounts(), system_clock)
    )

    await front({"headers": [], **scope}, None, None)

    assert taken == [way]
