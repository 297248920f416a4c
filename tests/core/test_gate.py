"""What a body must be before any of it is believed. (Attacks on a running server: test_http_adversarial.py.)"""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from packhorse.contract.clock import system_clock
from packhorse.door.call_log import Accounts
from packhorse.http.admission import Admission
from packhorse.http.gate import Gate
from packhorse.schema.strict_json import strictly
from packhorse.wire.refusals import Refusals

pytestmark = pytest.mark.anyio


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_plain_json_has_no_fault(value):
    assert strictly(json.dumps(value).encode())[0] is None
    assert strictly(json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace"))[0] is None


@given(st.dictionaries(st.text(), JSON, min_size=1, max_size=4), st.data())
def test_a_key_that_comes_twice_is_a_fault_at_any_depth(value, data):
    key = data.draw(st.sampled_from(sorted(value)))
    twice = json.dumps(value)[:-1] + f", {json.dumps(key)}: null}}"

    for wrapped in (twice, f"[1, {twice}]", f'{{"outer": {{"inner": {twice}}}}}'):
        assert strictly(wrapped.encode())[0] == "Parse error: an object has one key twice"


LIMIT = 100


CALL = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'


def admission(app: Any, gate: Gate) -> Admission:
    """The gate as requests meet it."""
    return Admission(app, Refusals(Accounts(), system_clock), gate)


async def through(body: Sequence[bytes], **headers: str) -> tuple[int, bytes, bytes | None]:
    """Send a POST in pieces through the gate: the status, what was said, and the body that got through."""
    arrived: list[bytes] = []
    sent: list[Message] = []
    pieces = list(body)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        arrived.append((await receive())["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"through"})

    async def receive() -> Message:
        if not pieces:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

    async def send(message: Message) -> None:
        sent.append(message)

    given = {"host": "127.0.0.1:8000", "content-type": "application/json", **headers}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
    }
    security = TransportSecuritySettings(
        allowed_hosts=["127.0.0.1:*", "example.org"], allowed_origins=["http://127.0.0.1:*"]
    )
    await admission(app, Gate(security=security, body_limit=LIMIT))(scope, receive, send)
    said = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], said, arrived[0] if arrived else None


PAGE = "https://pages.example"


@pytest.fixture
def answers():
    """Status and headers for a request by a page."""

    async def ask(origin: str, method: str = "POST", **headers: str) -> tuple[int, dict[str, str]]:
        sent: list[Any] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await PlainTextResponse("through")(scope, receive, send)

        async def receive() -> Any:
            return {"type": "http.request", "body": CALL}

        async def send(message: Any) -> None:
            sent.append(message)

        given = {"host": "127.0.0.1", "content-type": "application/json", "origin": origin, **headers}
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()]
        security = TransportSecuritySettings(allowed_hosts=["127.0.0.1"], allowed_origins=["http://127.0.0.1:*", PAGE])
        gate = admission(app, Gate(security=security, body_limit=LIMIT, shared=(PAGE,)))
        await gate({"type": "http", "method": method, "path": "/mcp", "headers": raw}, receive, send)
        return sent[0]["status"], {key.decode(): value.decode() for key, value in sent[0]["headers"]}

    return ask


async def test_a_page_of_a_written_origin_may_read_the_answer_and_the_headers_it_needs(answers):
    status, headers = await answers(PAGE)

    assert (status, headers["access-control-allow-origin"]) == (200, PAGE)
    assert {"Mcp-Session-Id", "WWW-Authenticate", "Retry-After"} <= set(
        headers["access-control-expose-headers"].split(", ")
    )
    assert headers["vary"] == "Origin"


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        pytest.param("http://127.0.0.1:3000", 200, id="of this machine, which nobody wrote down"),
        pytest.param("https://other.example", 403, id="of another site"),
    ],
)
async def test_other_pages_read_nothing(answers, origin, status):
    found, headers = await answers(origin)

    assert found == status
    assert "access-control-allow-origin" not in headers


async def test_a_body_in_pieces_gets_through_whole():
    assert await through([CALL[:7], CALL[7:9], CALL[9:]]) == (200, b"through", CALL)


async def test_a_body_is_refused_as_soon_as_it_is_known_to_be_too_large():
    never_asked_for = [b" "] * 50

    status, said, arrived = await through([b"1", *never_asked_for], content_length=str(LIMIT + 1))
    assert (status, arrived) == (413, None)
    assert b"100 bytes" in said


async def test_a_fault_is_said_in_the_protocols_words():
    status, said, arrived = await through([b'{"a": 1, "a": 2}'])

    assert (status, arrived) == (400, None)
    told = json.loads(said)
    assert told["error"].pop("data")["error_type"] == "parse_error"
    assert told == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32700, "message": "Parse error: an object has one key twice"},
    }


async def test_a_client_that_still_sends_is_read_on_before_its_connection_is_closed():
    sent: list[Message] = []
    pieces = [b" " * LIMIT] * 5

    async def receive() -> Message:
        piece = pieces.pop()
        sent.append({"type": "read"})
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
    security = TransportSecuritySettings(allowed_hosts=["127.0.0.1"])
    gate = admission(None, Gate(security=security, body_limit=LIMIT))
    await gate({"type": "http", "method": "POST", "path": "/mcp", "headers": headers}, receive, send)

    said = [message["type"] for message in sent]
    assert said == ["read"] * 2 + ["http.response.start", "http.response.body"] + ["read"] * 3 + ["http.response.body"]
    assert (b"connection", b"close") in sent[2]["headers"]


@pytest.mark.parametrize(
    "doubled",
    [
        pytest.param([b"http://127.0.0.1:3000", b"https://evil.example"], id="a good one first"),
        pytest.param([b"https://evil.example", b"http://127.0.0.1:3000"], id="a good one last"),
        pytest.param([b"http://127.0.0.1:3000", b"http://127.0.0.1:3000"], id="the same twice"),
    ],
)
async def test_more_than_one_origin_is_refused(doubled):
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), *((b"origin", origin) for origin in doubled)]
    security = TransportSecuritySettings(allowed_hosts=["127.0.0.1"], allowed_origins=["http://127.0.0.1:*"])
    gate = admission(None, Gate(security=security, body_limit=LIMIT))
    await gate({"type": "http", "method": "GET", "path": "/mcp", "headers": headers}, None, send)

    assert sent[0]["status"] == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param({"host": "127.0.0.1:1"}, 200, id="a known host on any port"),
        pytest.param({"host": "example.org"}, 200, id="a known host"),
        pytest.param({"host": "example.org:80"}, 421, id="a known host on a port that was not allowed"),
        pytest.param({"host": "evil.example"}, 421, id="another host"),
        pytest.param({"origin": "http://127.0.0.1:3000"}, 200, id="a known origin"),
        pytest.param({"origin": "http://evil.example"}, 403, id="another origin"),
        pytest.param({"host": "example.org", "origin": "https://example.org"}, 200, id="a page of its own, by https"),
        pytest.param(
            {"host": "example.org", "origin": "https://example.org:81"}, 403, id="of the host, on another port"
        ),
        pytest.param(
            {"host": "evil.example", "origin": "https://evil.example"}, 421, id="of a host that is not its own"
        ),
        pytest.param({"host": "example.org", "origin": "null"}, 403, id="of a frame without an origin"),
        pytest.param({"content_type": "application/json; charset=utf-8"}, 200, id="JSON with a parameter"),
        pytest.param({"content_type": "text/plain"}, 415, id="not JSON"),
    ],
)
async def test_a_request_must_come_from_where_it_may(headers, status):
    replaced = {key.replace("_", "-"): value for key, value in headers.items()}

    assert (await through([CALL], **replaced))[0] == status
