"""Hostile HTTP against a real server: each attack is refused, nothing of it comes back, and the next call is served."""

import gzip
import http.client
import json
import socket

import pytest
from tests.core.live import Bench, troubles
from tests.core.raw_http import META, ROAD, TOOL, VERSION, Answer, exchange, message, request, with_arguments, written
from tests.core.seeds import install

CANARY = "canary-5f0c2e9b"
MIB = 1_048_576  # the documented limit of a request body

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, HEADER_MISMATCH = -32700, -32600, -32601, -32020

ROADS = """
    from typing import Annotated

    from pydantic import BaseModel, Field

    from packhorse import UserError, hookimpl


    class Load(BaseModel):
        fragile: bool = False


    def distance(
        start: Annotated[str, Field(max_length=64)],
        days: Annotated[int, Field(ge=1, le=7)] = 3,
        load: Load = Load(),
    ) -> int:
        'How far a packhorse walks, in kilometres.'
        if start != "Paris":
            raise UserError("No road starts there: give Paris.", code="UNKNOWN_PLACE")
        return 30 * days


    def rest() -> int:
        'How long it rests, in hours.'
        return 8


    @hookimpl
    def register_tools():
        return [distance, rest]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    bench = Bench(tmp_path_factory.mktemp("served"))
    install(bench.packs, "roads", ROADS)
    with bench.serving("roads") as served:
        yield served


@pytest.fixture
def served(server):
    """The server; after the attack it must be alive, serve a good call, and have logged no traceback."""
    before = server.log.stat().st_size
    yield server
    assert server.process.poll() is None, "the server died"
    good = request(server, written())
    assert good.status == 200
    assert good.json()["result"]["structuredContent"] == {"result": 60}
    assert not troubles(server.log.read_bytes()[before:])


def assert_discreet(answer: Answer) -> None:
    """Nothing of the input comes back, and nothing of the inside comes out."""
    assert CANARY.encode() not in answer.body
    assert CANARY not in str(answer.headers)
    for word in (b"Traceback", b'File "', b"pydantic", b"site-packages", b"JSONDecodeError"):
        assert word not in answer.body


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "[::1]:{}"])
def test_every_name_of_this_machine_is_a_good_host(served, host):
    assert request(served, written(), host=host.format(served.port)).status == 200


@pytest.mark.parametrize(
    "host",
    [
        pytest.param(f"{CANARY}.example", id="a foreign name"),
        pytest.param(f"{CANARY}.example:{{port}}", id="a foreign name with our port"),
        pytest.param(f"127.0.0.1.{CANARY}.example:{{port}}", id="ours as the start of a foreign name"),
        pytest.param(f"localhost.{CANARY}.example", id="localhost as the start of a foreign name"),
        pytest.param(f"127.0.0.1:{{port}}@{CANARY}.example", id="ours as a user name"),
        pytest.param(f"localhost:{CANARY}", id="a port that is no number"),
        pytest.param("169.254.169.254", id="a metadata address"),
        pytest.param("0.0.0.0:{port}", id="any address"),
        pytest.param("", id="an empty one"),
    ],
)
def test_a_foreign_host_is_misdirected(served, host):
    answer = request(served, written(), host=host.format(port=served.port))

    assert answer.status == 421
    assert_discreet(answer)


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("POST /mcp HTTP/1.1", id="a protocol that demands one"),
        pytest.param("POST /mcp HTTP/1.0", id="a protocol that does not"),
    ],
)
def test_a_request_without_a_host_is_refused(served, start):
    content = written()
    head = f"{start}\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\nconnection: close\r\n\r\n"
    answer = exchange(served.port, head.encode(), [content])

    assert answer.status in {400, 421}
    assert_discreet(answer)


@pytest.mark.parametrize(
    "origin",
    [
        pytest.param(f"https://{CANARY}.example", id="a foreign site"),
        pytest.param("null", id="a sandboxed page"),
        pytest.param(f"http://localhost.{CANARY}.example", id="localhost as the start of a foreign name"),
        pytest.param(f"http://localhost:80@{CANARY}.example", id="localhost as a user name"),
        pytest.param("file://", id="a file"),
    ],
)
def test_a_page_of_a_foreign_origin_is_forbidden(served, origin):
    answer = request(served, written(), origin=origin)

    assert answer.status == 403
    assert_discreet(answer)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("text/plain", id="plain text, which a page may send anywhere"),
        pytest.param("application/x-www-form-urlencoded", id="a form"),
        pytest.param("multipart/form-data; boundary=x", id="a form with files"),
        pytest.param("text/plain; x=application/json", id="JSON only as a parameter"),
        pytest.param(None, id="no type"),
    ],
)
def test_a_body_that_does_not_call_itself_json_is_refused(served, kind):
    answer = request(served, written(), content_type=kind)

    assert answer.status in {400, 406, 415}
    assert_discreet(answer)


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param(5 * MIB, id="five MiB"),
        pytest.param(MIB + 1, id="one byte over"),
        pytest.param(10**15, id="a petabyte"),
    ],
)
def test_a_body_declared_too_large_is_refused_before_it_is_sent(served, declared):
    answer = request(served, with_arguments(f'{{"x": "{CANARY}'), declared=declared)

    assert answer.status == 413
    assert_discreet(answer)


def test_a_body_without_length_is_refused_once_it_passes_the_limit(served):
    head = f"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\ncontent-type: application/json\r\n"
    head += f"accept: application/json, text/event-stream\r\nmcp-protocol-version: {VERSION}\r\n"
    head += f"mcp-method: tools/call\r\nmcp-name: {TOOL}\r\ntransfer-encoding: chunked\r\n\r\n"
    chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
    # 257 chunks of 4 KiB are one over; the last chunk never comes.
    answer = exchange(served.port, head.encode(), [chunk] * 257)

    assert answer.status == 413


def test_a_length_that_is_no_number_is_refused(served):
    answer = request(served, written(), content_length="9" * 5000)

    assert answer.status in {400, 413}
    assert_discreet(answer)


@pytest.mark.parametrize("path", ["/mcp", "/readyz", "/metrics", "/no-such-path"])
def test_a_length_and_chunks_together_are_refused_and_what_follows_is_not_read(served, path):
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\ncontent-type: application/json\r\n"
    head += "content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n"
    smuggled = f"0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as wire:
        wire.sendall((head + smuggled).encode())
        answer = b"".join(iter(lambda: wire.recv(65_536), b""))

    assert answer.startswith(b"HTTP/1.1 400")
    assert b"connection: close" in answer.lower()
    assert answer.count(b"HTTP/1.1") == 1


def test_a_client_that_sends_all_of_a_body_too_large_before_it_reads_is_told_so(served):
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    try:
        connection.request("POST", "/mcp", b" " * 5 * 2**20, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        said = answer.read()
    finally:
        connection.close()

    assert (answer.status, answer.headers["connection"]) == (413, "close")
    assert b"1,048,576 bytes" in said


def test_a_header_that_does_not_end_is_refused(served):
    head = f"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\nx-padding: {CANARY}".encode()
    # One byte above what the server keeps, so that all of it has been read when the refusal comes.
    answer = exchange(served.port, head.ljust(65_537, b"x"))

    assert answer.status in {400, 431}
    assert_discreet(answer)


def test_two_lengths_are_refused(served):
    content = written()
    head = f"POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{served.port}\r\ncontent-length: {len(content)}\r\n"
    answer = exchange(served.port, f"{head}content-length: 1\r\n\r\n".encode(), [content])

    assert answer.status == 400


DEEP = 100_000
UNREADABLE = [
    pytest.param(with_arguments("[" * DEEP + "]" * DEEP), id="lists a hundred thousand deep"),
    pytest.param(with_arguments('{"a":' * DEEP + "1" + "}" * DEEP), id="objects a hundred thousand deep"),
    pytest.param(b"[" * DEEP, id="lists that never end"),
    pytest.param(with_arguments('{"days": NaN}'), id="NaN"),
    pytest.param(with_arguments('{"days": Infinity}'), id="Infinity"),
    pytest.param(with_arguments('{"days": -Infinity}'), id="minus Infinity"),
    pytest.param(with_arguments(f'{{"days": {"9" * 100_000}}}'), id="an integer of a hundred thousand digits"),
    pytest.param(b'{"jsonrpc": "2.0", "id": 1, "id": 2' + written()[17:], id="the id twice"),
    pytest.param(b'{"method": "tools/list", ' + written()[1:], id="the method twice"),
    pytest.param(with_arguments(f'{{"start": "{CANARY}", {json.dumps(ROAD)[1:]}'), id="an argument twice"),
    pytest.param(with_arguments('{"x": {"fragile": true, "fragile": false}}'), id="a nested argument twice"),
    pytest.param(with_arguments('{"x": 1, "\\u0078": 2}'), id="an argument twice, once escaped"),
    pytest.param(with_arguments(f'{{"start": "{CANARY}"').rstrip(b"}"), id="cut short"),
    pytest.param(with_arguments(f'{{"start": "{CANARY}",}}'), id="a comma too many"),
    pytest.param(written({"start": "?"}).replace(b"?", b"\xff\xfe"), id="not UTF-8"),
    pytest.param(written({"start": "?"}).replace(b"?", b"\xed\xa0\x80"), id="a surrogate as UTF-8"),
    pytest.param(written().decode().encode("utf-16"), id="UTF-16"),
    pytest.param(b"", id="nothing"),
    pytest.param(written() + written(), id="two messages"),
    pytest.param(gzip.compress(written(), mtime=0), id="compressed"),
    pytest.param(b"\xef\xbb\xbf{" + written(), id="a byte order mark and a brace too many"),
]


@pytest.mark.parametrize("content", UNREADABLE)
def test_a_body_that_is_not_plain_json_is_a_parse_error(served, content):
    answer = request(served, content)

    assert answer.status == 400
    assert answer.json()["error"]["code"] in {PARSE_ERROR, INVALID_REQUEST}
    assert_discreet(answer)


@pytest.mark.parametrize("content", UNREADABLE)
def test_older_clients_get_no_easier_way_in(served, content):
    answer = request(served, content, mcp_protocol_version=None, mcp_method=None, mcp_name=None)

    assert 400 <= answer.status < 500
    assert_discreet(answer)


@pytest.mark.parametrize("version", [None, "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    "body",
    [
        pytest.param([message(), message()], id="a batch"),
        pytest.param([], id="an empty batch"),
        pytest.param(CANARY, id="a string"),
        pytest.param(None, id="null"),
        pytest.param({**message(), "id": None}, id="a null id"),
        pytest.param({**message(), "id": {"x": CANARY}}, id="an object for an id"),
        pytest.param({**message(), "jsonrpc": "1.0"}, id="another version of JSON-RPC"),
        pytest.param({**message(), "method": 5}, id="a number for a method"),
        pytest.param({**message(), "params": [CANARY]}, id="a list of parameters"),
        pytest.param({"jsonrpc": "2.0", "id": 1, "result": CANARY}, id="an answer that is no object"),
        pytest.param({"jsonrpc": "2.0", "result": {"x": CANARY}}, id="an answer without an id"),
        pytest.param({CANARY: 1}, id="another object"),
    ],
)
def test_json_that_is_not_one_message_is_refused(served, body, version):
    answer = request(served, json.dumps(body).encode(), mcp_protocol_version=version)

    assert answer.status == 400
    assert answer.json()["error"]["code"] == INVALID_REQUEST
    assert_discreet(answer)


def test_an_answer_that_nobody_asked_for_is_refused(served):
    answer = request(served, json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"x": CANARY}}).encode())

    assert answer.status == 400
    assert answer.json()["error"]["code"] == INVALID_REQUEST
    assert_discreet(answer)


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"mcp_method": "tools/list"}, id="another method"),
        pytest.param({"mcp_method": None}, id="no method"),
        pytest.param({"mcp_name": "rest"}, id="another tool"),
        pytest.param({"mcp_name": None}, id="no tool"),
        pytest.param({"mcp_name": f"{TOOL}\r\nmcp-name: {TOOL}"}, id="the tool twice"),
        pytest.param({"mcp_name": "=?base64?!!!?="}, id="a name that does not decode"),
        pytest.param({"mcp_protocol_version": "2099-01-01"}, id="another revision"),
    ],
)
def test_headers_that_disagree_with_the_body_are_refused(served, headers):
    answer = request(served, written({**ROAD, "x": CANARY}), **headers)

    assert answer.status == 400
    assert answer.json()["error"]["code"] == HEADER_MISMATCH
    assert_discreet(answer)


@pytest.mark.parametrize("missing", sorted(set(META) - {"io.modelcontextprotocol/clientInfo"}))
def test_a_request_without_its_envelope_is_refused(served, missing):
    body = message()
    body["params"]["_meta"] = {key: value for key, value in META.items() if key != missing}
    answer = request(served, json.dumps(body).encode())

    assert answer.status == 400
    assert answer.json()["error"]["code"] == -32602


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({**ROAD, "start": CANARY}, id="an unknown place"),
        pytest.param({**ROAD, "start": f"../../{CANARY}"}, id="a path for a place"),
        pytest.param({**ROAD, "start": f"/etc/{CANARY}\x00"}, id="a path with NUL"),
        pytest.param({**ROAD, "start": CANARY * 10_000}, id="a very long place"),
        pytest.param({**ROAD, "start": "\ud800"}, id="half a surrogate pair"),
        pytest.param({**ROAD, "days": CANARY}, id="text for a number"),
        pytest.param({**ROAD, "load": {"fragile": CANARY}}, id="text for true, nested"),
        pytest.param({**ROAD, "load": {CANARY: 1}}, id="an unknown argument, nested"),
        pytest.param({**ROAD, "x": CANARY}, id="an unknown argument"),
        pytest.param({**ROAD, "__class__": {"__init__": CANARY}}, id="a name of Python's"),
        pytest.param([CANARY], id="a list of arguments"),
        pytest.param(CANARY, id="a string for arguments"),
    ],
)
def test_bad_arguments_are_refused_without_repeating_them(served, arguments):
    answer = request(served, written(arguments))

    assert answer.status in {200, 400}
    body = answer.json()
    assert "error" in body or body["result"]["isError"] is True
    assert body.get("error", {}).get("code") != -32603
    assert CANARY * 2 not in answer.body.decode()  # a short value may be quoted once: it tells the caller what to mend
    assert b"Traceback" not in answer.body
    assert b"pydantic" not in answer.body


@pytest.mark.parametrize(
    ("arguments", "kind"), [([CANARY], "a list"), (CANARY, "text"), (7, "a number"), (True, "true or false")]
)
def test_arguments_that_are_no_object_are_refused_in_words(served, arguments, kind):
    answer = request(served, written(arguments))

    error = answer.json()["error"]
    assert (answer.status, error["code"]) == (400, -32602)
    assert error["message"] == f"`arguments` must be a JSON object with each argument under its name; this is {kind}."
    assert error["data"]["error_type"] == "invalid_arguments"
    assert_discreet(answer)


def test_a_number_that_overflows_to_infinity_is_refused(served):
    answer = request(served, with_arguments(f'{{"start": 1e400, "x": "{CANARY}"}}'))

    assert answer.status == 400 or answer.json()["result"]["isError"] is True
    assert b"nfinity" not in answer.body.replace(b"no infinity", b"")


def test_an_unknown_method_is_not_found(served):
    body = {**message(), "method": "tools/erase", "params": {"x": CANARY, "_meta": META}}
    answer = request(served, json.dumps(body).encode(), mcp_method="tools/erase", mcp_name=None)

    assert 400 <= answer.status < 500
    assert answer.json()["error"]["code"] == METHOD_NOT_FOUND
    assert_discreet(answer)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("version", [pytest.param(VERSION, id="2026"), pytest.param(None, id="older")])
def test_other_methods_get_nothing_without_a_session(served, method, version):
    answer = request(served, b"", method=method, mcp_protocol_version=version)

    assert 400 <= answer.status < 500
    assert_discreet(answer)


def test_a_session_that_nobody_opened_is_not_found(served):
    answer = request(served, written(), mcp_protocol_version="2025-11-25", mcp_session_id=CANARY)

    assert answer.status == 404
    assert_discreet(answer)


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/mcp/../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/mcp/..%2f..%2f..%2fetc%2fpasswd",
        "/mcp/%252e%252e/etc/passwd",
        "/..%5c..%5cwindows%5cwin.ini",
        "//etc/passwd",
        "/mcp/%00",
        f"/{CANARY}",
        "/.well-known/" + CANARY,
        "/docs",
        "/openapi.json",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_path_that_is_not_served_is_not_found(served, method, path):
    answer = request(served, b"", method=method, path=path)

    assert answer.status == 404
    assert b"root:" not in answer.body
    assert_discreet(answer)
