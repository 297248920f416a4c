"""Tokens, genuine and forged, as a server meets them over HTTP."""

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tokens"))
from signing import (
    AUDIENCE,
    ES,
    NOW,
    RS,
    SECRET,
    Clockwork,
    Published,
    Publisher,
    claims_of,
    ec_key,
    es,
    hs,
    jwk,
    rs,
    rsa_key,
    set_of,
    specification_claims,
)
from tests.core.raw_http import META, headers_of, message

from live import begun
from packhorse import Context, Tool
from packhorse.compose.deployment import compose
from packhorse.door.catalogue import Found
from packhorse.http.app import Service
from packhorse.settings import AuthSettings, ServerSettings, Settings
from seeds import pack_of
from test_attacks import ALGORITHMS, CLAIMS, KEYS, SHAPES

pytestmark = pytest.mark.anyio

RAN: list[str] = []


async def secret_act(ctx: Context) -> str:
    """Do what only a known caller may have done."""
    RAN.append(str(ctx.principal.subject))
    return str(ctx.principal.subject)


@dataclass
class Door:
    """A service in this process, reached by its ASGI interface: any bytes can be sent as a header."""

    service: Service
    clock: Clockwork
    publisher: Publisher

    async def post(self, *tokens: str, address: str = "127.0.0.1") -> httpx2.Response:
        RAN.clear()
        shown = [b"Bearer " + token.encode("utf-8", "surrogatepass") for token in tokens]
        return await self.ask("POST", "/mcp", message({}, name="secret_act", under=7), shown, address)

    async def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        shown: Sequence[bytes] = (),
        address: str = "127.0.0.1",
        host: str = "127.0.0.1:8000",
        named: tuple[str, str | None] = ("tools/call", "secret_act"),
    ) -> httpx2.Response:
        headers = [(name.encode(), value.encode()) for name, value in headers_of(named[1], named[0]).items()]
        headers += [(b"host", host.encode()), *((b"authorization", value) for value in shown)]
        transport = httpx2.ASGITransport(self.service.app, client=(address, 50_000))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http:
            return await http.request(method, path, json=body, headers=headers)


@pytest.fixture
def publisher():
    with Publisher() as serving:
        serving.pages["/rs"] = Published(set_of(jwk(rsa_key(), "rsa-1"), jwk(rsa_key("second"), "rsa-2")))
        serving.pages["/es"] = Published(set_of(jwk(ec_key(), "ec-1")))
        yield serving


@asynccontextmanager
async def door(tmp_path: Path, publisher: Publisher, *, host: str = "127.0.0.1", **auth: Any) -> AsyncIterator[Door]:
    clock = Clockwork()
    issuers = [
        {"issuer": RS, "jwks_url": publisher.url("/rs")},
        {"issuer": ES, "jwks_url": publisher.url("/es"), "algorithm": "ES256"},
    ]
    chosen = {"secret": SECRET.decode(), "resource": AUDIENCE, "issuers": issuers, **auth}
    settings = Settings(
        server=ServerSettings(data_dir=tmp_path, host=host, transport="http", allowed_hosts=("127.0.0.1:8000",)),
        auth=AuthSettings.model_validate(chosen),
    )
    module = pack_of(tools=[Tool(fn=secret_act, roles=["AUTHENTICATED"], read_only=True)])
    found = [Found("seed", module.__name__, "packhorse-seed", "1")]
    service = Service(compose(settings, found, modules={"seed": module}, clock=clock))
    async with begun(service):
        yield Door(service, clock, publisher)


# One blank more before a token is HTTP's own affair (RFC 6750, section 2.1).
ROWS = [row for row in (*ALGORITHMS, *KEYS, *CLAIMS, *SHAPES) if row.id != "a space before it"]


@pytest.mark.parametrize(("token", "words"), ROWS)
async def test_a_token_that_proves_nothing_is_a_401_and_nothing_runs(tmp_path, publisher, token, words):
    shown = token()
    async with door(tmp_path, publisher) as at:
        answer = await at.post(shown)

    assert answer.status_code == 401
    assert RAN == []
    assert answer.json()["error"]["code"] == -32000
    assert answer.json()["id"] == 7
    challenge = answer.headers["www-authenticate"]
    assert 'resource_metadata="https://packhorse.example/.well-known/oauth-protected-resource/mcp"' in challenge
    assert 'error="' in challenge or not shown.strip()
    assert len(shown.strip()) < 6 or shown.strip() not in answer.text


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(lambda: hs(claims_of()), id="of the local issuer"),
        pytest.param(rs, id="RS256 by a key set"),
        pytest.param(lambda: rs(key=rsa_key("second"), kid="rsa-2"), id="by the other key of the set"),
        pytest.param(es, id="ES256 by a key set"),
    ],
)
async def test_a_genuine_token_is_answered(tmp_path, publisher, token):
    async with door(tmp_path, publisher) as at:
        answer = await at.post(token())

    assert answer.status_code == 200
    assert RAN == ["user_id_123"]


@pytest.mark.parametrize(
    ("host", "status"), [pytest.param("127.0.0.1", 200, id="on this machine"), pytest.param("0.0.0.0", 401, id="afar")]
)
async def test_the_specifications_own_token_is_for_this_machine_alone(tmp_path, publisher, host, status):
    async with door(tmp_path, publisher, host=host) as at:
        assert (await at.post(hs(specification_claims()))).status_code == status


async def test_a_stream_ends_with_the_token_that_opened_it(tmp_path, publisher):
    params = {"notifications": {"toolsListChanged": True}, "_meta": META}
    listening = {"jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": params}
    shown = b"Bearer " + hs(claims_of(exp=NOW + 1)).encode()
    async with door(tmp_path, publisher) as at:
        at.clock.forward(0.8)
        with anyio.fail_after(60):
            answer = await at.ask("POST", "/mcp", listening, [shown], named=("subscriptions/listen", None))

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")


async def test_a_token_that_expires_is_refused_from_then_on_and_says_how_to_renew_it(tmp_path, publisher):
    token = hs(claims_of(exp=NOW + 60))
    async with door(tmp_path, publisher) as at:
        assert (await at.post(token)).status_code == 200
        at.clock.forward(60)
        answer = await at.post(token)

    assert answer.status_code == 401
    error = answer.json()["error"]
    assert error["data"]["error_type"] == "expired_token"
    assert error["data"]["details"]["renewable"] is True
    assert "packhorse token --refresh" in error["message"]
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


async def test_keys_that_cannot_be_had_are_a_503_and_not_a_refusal(tmp_path, publisher):
    publisher.pages["/rs"] = Published(b"", status=500)
    async with door(tmp_path, publisher) as at:
        answer = await at.post(rs())

    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 1
    assert RAN == []


async def test_two_tokens_in_one_request_are_refused(tmp_path, publisher):
    async with door(tmp_path, publisher) as at:
        assert (await at.post(hs(claims_of()), hs(claims_of(sub="root")))).status_code == 401
    assert RAN == []


async def test_bad_tokens_are_charged_to_their_sender_and_a_valid_one_always_passes(tmp_path, publisher):
    async with door(tmp_path, publisher, failures_by_address="5/minute") as at:
        statuses = [(await at.post(f"a.b.{n}", address="192.0.2.1")).status_code for n in range(7)]
        blocked = await at.post(rs(kid="rsa-9"), address="192.0.2.1")
        valid = await at.post(hs(claims_of()), address="192.0.2.1")
        elsewhere = await at.post("a.b.7", address="192.0.2.2")

    assert statuses == [401] * 5 + [429] * 2
    assert blocked.status_code == 429
    assert 1 <= int(blocked.headers["retry-after"]) <= 60
    assert valid.status_code == 200
    assert elsewhere.status_code == 401


async def test_who_lacks_the_role_gets_a_403_that_says_so_and_the_protocols_own_error(tmp_path, publisher):
    async with door(tmp_path, publisher, roles={"CHIEF": ["secret_act"]}) as at:
        answer = await at.post(hs(claims_of(role="CLERK")))

    assert answer.status_code == 403
    assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]
    assert "resource_metadata=" in answer.headers["www-authenticate"]
    assert answer.json()["error"]["code"] == -32001


async def test_who_lacks_the_role_gets_the_same_403_by_an_entrance(tmp_path, publisher):
    call = message({"tool": "secret_act", "arguments": {}}, name="call_read_tool", under=7)
    token = b"Bearer " + hs(claims_of(role="CLERK")).encode()
    async with door(tmp_path, publisher, roles={"CHIEF": ["secret_act"]}) as at:
        answer = await at.ask("POST", "/mcp", call, [token], named=("tools/call", "call_read_tool"))

    assert answer.status_code == 403
    assert answer.json()["error"]["data"]["details"] == {"name": "secret_act"}


async def test_the_metadata_says_who_gives_tokens(tmp_path, publisher):
    async with door(tmp_path, publisher) as at:
        answer = await at.ask("GET", "/.well-known/oauth-protected-resource/mcp")

    assert answer.status_code == 200
    assert answer.json() == {
        "resource": AUDIENCE,
        "authorization_servers": [RS, ES],
        "bearer_methods_supported": ["header"],
        "resource_name": "packhorse",
    }


async def test_the_metadata_names_no_host_that_the_server_does_not_answer_to(tmp_path, publisher):
    async with door(tmp_path, publisher, resource=None, audience=AUDIENCE) as at:
        path = "/.well-known/oauth-protected-resource/mcp"
        own = await at.ask("GET", path)
        foreign = await at.ask("GET", path, host="evil.example")

    assert own.json()["resource"] == "http://127.0.0.1:8000/mcp"
    assert foreign.status_code == 421
