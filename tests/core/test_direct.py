"""Which requests skip the router, which calls are answered in one piece, and that a caller who goes away ends one."""

import anyio
import pytest
from tests.core.seeds import pack_of

from packhorse import Context, Tool
from packhorse.contract.clock import system_clock
from packhorse.door.call_log import Accounts
from packhorse.http.fast_path import LONGEST_SECONDS, Direct, Front, silent
from packhorse.testing import deployment_for
from packhorse.wire.callers import MESSAGE
from packhorse.wire.refusals import Refusals

pytestmark = pytest.mark.anyio

HEADERS = {
    b"mcp-protocol-version": b"2026-07-28",
    b"accept": b"application/json, text/event-stream",
}


def plain() -> str:
    """Answer and no more."""
    return "plain"


async def later() -> str:
    """Answer after a while."""
    return "later"


def telling(ctx: Context) -> str:
    """May report progress before it answers."""
    return "telling"


def test_only_tools_that_say_nothing_before_they_answer_are_answered_in_one_piece(tmp_path):
    tools = [
        Tool(fn=plain),
        Tool(fn=later),
        Tool(fn=telling),
        Tool(fn=plain, name="patient", timeout=LONGEST_SECONDS + 1),
        Tool(fn=plain, name="hasty", timeout=1),
    ]
    entries = deployment_for(data_dir=tmp_path, seed=pack_of(tools=tools)).catalogue.tools.values()

    assert silent(entries, timeout_seconds=60) == {"plain", "later", "hasty"}
    assert silent(entries, timeout_seconds=61) == {"hasty"}


def a_call(headers=(), **changed):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "plain"}, **changed}
    kept = {key: value for key, value in {**HEADERS, **dict(headers)}.items() if value is not None}
    return {"type": "http", "method": "POST", "headers": list(kept.items()), MESSAGE: message}


def app_that_says(word, taken):
    async def app(scope, receive, send):
        taken.append(word)

    return app


@pytest.mark.parametrize(
    ("scope", "way"),
    [
        pytest.param(a_call(), "answering", id="such a call"),
        pytest.param(a_call(params={"name": "telling"}), "streaming", id="another tool"),
        pytest.param(a_call(params={"name": ["plain"]}), "streaming", id="a name that is none"),
        pytest.param(a_call(params=None), "streaming", id="no parameters"),
        pytest.param(a_call(method="tools/list"), "streaming", id="another method"),
        pytest.param(a_call([(b"accept", b"application/json")]), "streaming", id="a client that takes no stream"),
        pytest.param(a_call([(b"accept", None)]), "streaming", id="a client that does not say what it takes"),
        pytest.param(a_call([(b"mcp-protocol-version", b"2025-11-25")]), "streaming", id="an older revision"),
        pytest.param(a_call([(b"mcp-protocol-version", None)]), "streaming", id="no revision"),
        pytest.param({**a_call(), MESSAGE: [a_call()[MESSAGE]]}, "streaming", id="a batch"),
        pytest.param({**a_call(), "method": "GET", MESSAGE: None}, "streaming", id="a stream to listen on"),
    ],
)
async def test_every_other_request_gets_its_stream(scope, way):
    taken = []
    direct = Direct(app_that_says("streaming", taken), app_that_says("answering", taken), frozenset({"plain"}))

    await direct(scope, anyio.sleep_forever, None)

    assert taken == [way]


async def test_a_notification_of_a_call_is_no_call():
    taken = []
    scope = a_call()
    del scope[MESSAGE]["id"]
    direct = Direct(app_that_says("streaming", taken), app_that_says("answering", taken), frozenset({"plain"}))

    await direct(scope, anyio.sleep_forever, None)

    assert taken == ["streaming"]


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
        await Direct(for_ever, for_ever, frozenset({"plain"}))(a_call(), hung_up, None)

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
        app_that_says("routed", taken),
        {"/mcp": app_that_says("endpoint", taken)},
        Refusals(Accounts(), system_clock),
    )

    await front({"headers": [], **scope}, None, None)

    assert taken == [way]
