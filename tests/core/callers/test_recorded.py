"""What a running server leaves on record, of everybody and everything, and what it leaves out."""

import json
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp.shared.exceptions import MCPError
from tests.core.audit.factories import edited
from tests.core.raw_http import headers_of, message
from ward import AUTH, client_at, token_of

from live import Bench
from packhorse.audit import rows
from seeds import install

pytestmark = pytest.mark.anyio

CANARY = "canary-8c1d44"
NUMBER = "A123 456 789"
SEED = f'''
import time

from packhorse import *

pack = Pack(title="Seed", patterns={{"case-number": r"\\bA[- ]?\\d{{3}}[- ]?\\d{{3}}[- ]?\\d{{3}}\\b"}})


async def book(person: str, seats: int = 1) -> str:
    """Book seats for a person, which changes something."""
    return "{CANARY}-of-the-answer for " + person


def crash(person: str) -> str:
    """Fail in a way that nobody foresaw, repeating what was given."""
    import logging
    logging.getLogger("packhorse_seed").warning("about {NUMBER}")
    raise RuntimeError("{CANARY} " + person)


def refuse(person: str) -> str:
    """Refuse, in words of the pack's own."""
    raise UserError("Not today.", code="NOT_TODAY")


def wait(seconds: float) -> str:
    """Wait so many seconds, longer than allowed."""
    time.sleep(seconds)
    return ""


def judge(principal, call):
    return "Not for them." if call.arguments.get("person") == "forbidden" else None


async def often(n: int = 0) -> int:
    """Count, but not too often."""
    return n


@hookimpl
def register_tools():
    return [
        Tool(fn=book, roles=["AUTHENTICATED"]),
        Tool(fn=crash, public=True, read_only=True),
        Tool(fn=refuse, public=True, read_only=True),
        Tool(fn=wait, public=True, read_only=True, timeout=0.2),
        Tool(fn=often, public=True, read_only=True, limit="2/hour"),
    ]


@hookimpl
def register_resources():
    return [Resource(uri="people://{{person}}", fn=lambda person: "known", public=True)]


@hookimpl
def register_auth():
    return [Guard(judge, tools=["book"])]
'''


@pytest.fixture
def seeded(tmp_path):
    made = Bench(tmp_path)
    install(made.packs, "seed", SEED)
    made.configure(AUTH, packs=["seed"])
    return made


def record_of(bench: Bench) -> Path:
    return bench.folder / "data" / "audit.sqlite3"


def recorded(bench: Bench) -> list[dict[str, Any]]:
    return [row["body"] for row in rows(record_of(bench))]


def told(body: dict[str, Any]) -> tuple[str, str, str | None]:
    outcome = body.get("outcome", {})
    return body["call"]["name"], outcome.get("status", "-"), outcome.get("code")


async def test_every_end_of_a_call_is_on_record_with_who_and_what(seeded):
    with seeded.serving("seed") as served:
        async with client_at(served.url, "2026-07-28", token_of("ada", "CLERK")) as client:
            await client.call_tool("book", {"person": "somebody", "seats": 2})
            with pytest.raises(MCPError):
                await client.call_tool("book", {"person": "forbidden"})
            await client.call_tool("refuse", {"person": "x"})
            await client.call_tool("crash", {"person": "x"})
            await client.call_tool("wait", {"seconds": 2})
            await client.call_tool("book", {"person": 7})
            await client.read_resource("people://ada")
            for _ in range(2):
                await client.call_tool("often")
            with pytest.raises(MCPError) as limited:
                await client.call_tool("often")
        async with client_at(served.url, "2026-07-28") as stranger:
            with pytest.raises((MCPError, httpx2.HTTPStatusError, BaseExceptionGroup)):
                await stranger.call_tool("book", {"person": "x"})
        headers = {"Authorization": "Bearer a.b.c", "Accept": "application/json", "Content-Type": "application/json"}
        assert httpx2.post(served.url, headers=headers, json={}).status_code == 401

    bodies = recorded(seeded)
    ends = {body["begin"]: body["outcome"] for body in bodies if body["type"] == "end"}
    begun = [body for body in bodies if body["type"] == "begin"]
    assert [(body["call"]["name"], ends[body["id"]]["status"]) for body in begun] == [("book", "ok")]
    (first,) = begun
    assert first["call"]["principal"] == {"kind": "human", "issuer": "packhorse", "subject": "ada", "roles": ["CLERK"]}
    assert first["call"]["effectful"] is True
    assert first["call"]["address"] == "127.0.0.1"
    assert [told(body) for body in bodies if body["type"] == "note"] == [
        ("book", "denied", "authorization"),
        ("refuse", "refused", "NOT_TODAY"),
        ("crash", "failed", "INTERNAL_ERROR"),
        ("wait", "timeout", "TIMEOUT"),
        ("book", "refused", "INVALID_ARGUMENTS"),
        ("people://{person}", "ok", None),
        ("often", "ok", None),
        ("often", "ok", None),
        ("often", "refused", "rate_limited"),
        ("authentication", "denied", "authentication"),
        ("invalid_token", "denied", "invalid_token"),
    ]
    error = limited.value.error
    assert error.code == -32029
    assert 3500 < error.data["retry_after_seconds"] <= 3600
    checked = seeded.run("audit", "verify")
    assert checked.returncode == 0, checked.stdout


CALL, HEADERS = message({}, name="often"), headers_of("often")


async def test_every_refusal_is_on_record_and_counted_under_the_id_that_its_caller_was_given(seeded):
    given: list[tuple[int, str]] = []
    with seeded.serving("seed", env={"PACKHORSE_PACKS_SEED_LIMIT_BY_ADDRESS": "1/hour"}) as served:

        def ask(url: str = served.url, method: str = "POST", **headers: str) -> None:
            json_of = CALL if method == "POST" and "Content-Type" not in headers else None
            answer = httpx2.request(method, url, headers={**HEADERS, **headers}, json=json_of)
            given.append((answer.status_code, answer.headers.get("x-request-id", "")))
            if answer.headers.get("content-type") == "application/json" and answer.status_code != 200:
                assert answer.json()["error"]["data"]["request_id"] == given[-1][1]

        ask()
        ask()
        ask(Authorization="Bearer a.b.c", method="GET")
        ask(Host="evil.example")
        ask(Origin="https://evil.example")
        ask(**{"Content-Type": "text/plain"})
        ask(method="OPTIONS")
        metrics = httpx2.get(f"{served.address}/metrics").text

    assert [status for status, _ in given] == [200, 429, 401, 421, 403, 415, 405]
    on_record = {body["call"]["request_id"]: told(body) for body in recorded(seeded)}
    assert [on_record[rid] for _, rid in given[1:]] == [
        ("often", "refused", "rate_limited"),
        ("invalid_token", "denied", "invalid_token"),
        ("unknown_host", "refused", "unknown_host"),
        ("foreign_origin", "refused", "foreign_origin"),
        ("media_type", "refused", "media_type"),
        ("method", "refused", "method"),
    ]
    for counted in (
        'packhorse_calls_total{kind="tool",name="often",outcome="limited"} 1.0',
        'packhorse_limited_total{pool="often"} 1.0',
        'packhorse_refusals_total{code="rate_limited",name="often"} 1.0',
        'packhorse_refusals_total{code="invalid_token",name="unknown"} 1.0',
        'packhorse_refusals_total{code="foreign_origin",name="unknown"} 1.0',
    ):
        assert counted in metrics


def test_a_flood_of_refused_requests_grows_record_and_log_by_a_few_entries_that_count_it(seeded):
    kinds = ({"Host": "evil.example"}, {"Authorization": "Bearer a.b.c"}, {})
    given: set[str] = set()
    with seeded.serving("seed", env={"PACKHORSE_PACKS_SEED_LIMIT_BY_ADDRESS": "1/hour"}) as served:
        with httpx2.Client() as http:
            for headers in kinds * 60:
                answer = http.post(served.url, headers={**HEADERS, **headers}, json=CALL)
                if answer.status_code != 200:
                    given.add(answer.headers["x-request-id"])
        served.stop()
    log = [json.loads(line) for line in served.log.read_text().splitlines()]

    calls = [body["call"] for body in recorded(seeded) if body["outcome"]["status"] != "ok"]
    assert sum(call.get("count", 1) for call in calls) == 3 * 60
    assert len(calls) <= 50
    assert {call["request_id"] for call in calls} == given
    limited = [line for line in log if line.get("code") == "rate_limited"]
    assert sum(line.get("count", 1) for line in limited) == sum(
        call.get("count", 1) for call in calls if call["name"] == "often"
    )
    assert len(limited) <= 11


async def test_a_secret_in_arguments_answers_exceptions_and_tokens_is_found_in_no_sink(seeded):
    """Names, numbers of a pack's own kind, and tokens: in log, metrics, record and errors there is none of them."""
    secret = f"{CANARY}-of-the-caller"
    token = token_of("ada", "CLERK")
    errors: list[str] = []
    with seeded.serving("seed") as served:
        async with client_at(served.url, "2026-07-28", token) as client:
            await client.call_tool("book", {"person": secret})
            for tool, arguments in (
                ("crash", {"person": secret}),
                ("refuse", {"person": secret}),
                ("book", {"person": [secret]}),
                ("book", {"person": "x", "extra": secret}),
            ):
                reply = await client.call_tool(tool, arguments)
                assert reply.is_error
                errors.append(reply.model_dump_json())
            with pytest.raises(MCPError) as unknown:
                await client.call_tool(f"tool-{secret}", {"person": secret})
            errors.append(repr(unknown.value.error))
            await client.read_resource(f"people://{secret}")
        metrics = httpx2.get(f"{served.address}/metrics").text
        posted = httpx2.post(served.url, headers={"Authorization": f"Bearer {token}x"}, json={}).text
    log = served.log.read_text()

    assert "packhorse_calls_total" in metrics
    assert '"exception"' in log  # the crash is there, without its words
    for sink in (log, metrics, posted, *errors):
        for hidden in (CANARY, token, token.rpartition(".")[2], NUMBER):
            assert hidden not in sink
    for file in record_of(seeded).parent.glob("audit*"):
        raw = file.read_bytes()
        for hidden in (CANARY, token, token.rpartition(".")[2]):
            assert hidden.encode() not in raw


async def test_without_a_record_nothing_that_changes_something_runs_and_the_rest_is_served(bench):
    record_of(bench).mkdir(parents=True)
    with bench.serving("ward", ready=False) as served:
        assert httpx2.get(f"{served.address}/readyz").status_code == 503
        async with client_at(served.url, "2026-07-28", token_of("ada", "ADMIN")) as client:
            refused = await client.call_tool("generate_schedule")
            read = await client.call_tool("validate_schedule")
            ledger = (await client.call_tool("ledger")).structured_content

    assert refused.is_error
    assert refused.meta["packhorse/error"]["code"] == "AUDIT_UNAVAILABLE"
    assert not read.is_error
    assert ledger == {"result": ["validate_schedule"]}
    assert "refused until it can be written" in served.log.read_text()


async def test_a_record_that_breaks_while_the_server_runs_stops_what_changes_something(bench):
    with bench.serving("ward") as served:
        async with client_at(served.url, "2026-07-28", token_of("ada", "ADMIN")) as client:
            assert not (await client.call_tool("generate_schedule")).is_error
            for file in record_of(bench).parent.glob("audit.sqlite3*"):
                file.write_bytes(b"not a database any more" * 500)
            refused = await client.call_tool("generate_schedule")
            ledger = (await client.call_tool("ledger")).structured_content
        ready = httpx2.get(f"{served.address}/readyz").status_code

    assert refused.is_error
    assert refused.meta["packhorse/error"]["code"] == "AUDIT_UNAVAILABLE"
    assert ledger == {"result": ["generate_schedule"]}
    assert ready == 503


def test_a_record_that_was_asked_for_and_cannot_be_opened_stops_the_start(bench):
    taken = bench.folder / "taken"
    taken.mkdir()
    bench.configure(f'{AUTH}\n[audit]\npath = "{taken}"')
    ran = bench.run("serve", "ward", "--transport", "http", "--port", "0")

    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("Error: the audit record cannot be opened:")


@pytest.mark.drill
async def test_after_a_kill_the_record_holds_and_has_every_call_that_was_answered(bench):
    answered = 0
    with bench.serving("ward") as served:

        async def work(subject: str) -> None:
            nonlocal answered
            async with client_at(served.url, "2026-07-28", token_of(subject, "ADMIN")) as client:
                for _ in range(1_000):
                    if (await client.call_tool("generate_schedule")).is_error:
                        return
                    answered += 1
                    if answered == 40:
                        served.tell(signal.SIGKILL)

        async def everybody() -> None:
            async with anyio.create_task_group() as tasks:
                for number in range(4):
                    tasks.start_soon(work, f"p-{number}")

        with pytest.raises(BaseExceptionGroup):
            await everybody()
        await anyio.to_thread.run_sync(served.process.wait)
    checked = bench.run("audit", "verify", "--json")
    counted = Counter(body["type"] for body in recorded(bench))

    assert json.loads(checked.stdout)["ok"] is True
    assert answered >= 40
    assert answered <= counted["end"] <= counted["begin"] <= answered + 4


SPOILT = {
    "byte": ["UPDATE entry SET body = replace(body, 'ada', 'bob') WHERE seq = 3"],
    "row": ["DELETE FROM entry WHERE seq = 3"],
    "pair": [f"UPDATE entry SET seq = {now} WHERE seq = {before}" for before, now in ((2, -1), (3, 2), (-1, 3))],
    "tail": ["DELETE FROM entry WHERE seq > 6"],
}


async def test_a_record_of_a_server_that_was_tampered_with_is_found_out(run, bench):
    with bench.serving("ward") as served:
        async with client_at(served.url, "2026-07-28", token_of("ada", "ADMIN")) as client:
            for _ in range(4):
                await client.call_tool("generate_schedule")
    whole = {file: file.read_bytes() for file in record_of(bench).parent.glob("audit*")}
    verified = await anyio.to_thread.run_sync(run, bench, "audit", "verify")
    assert verified.returncode == 0
    for how, statements in SPOILT.items():
        for file, content in whole.items():
            file.write_bytes(content)
        edited(record_of(bench), *statements)
        found = await anyio.to_thread.run_sync(run, bench, "audit", "verify")
        assert (found.returncode, "WRONG" in found.stdout) == (1, True), how
    checked = await anyio.to_thread.run_sync(run, bench, "check")
    assert checked.returncode == 1


async def test_a_command_at_the_terminal_is_on_record_too(seeded):
    assert seeded.run("call", "book", '{"person": "x"}').returncode == 0

    begin, end = recorded(seeded)
    assert (begin["call"]["name"], begin["call"]["principal"]) == ("book", {"kind": "local"})
    assert end["outcome"]["status"] == "ok"
