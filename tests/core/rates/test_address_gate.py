import json
from dataclasses import dataclass, field

import pytest
from mcp.server.transport_security import TransportSecuritySettings
from tests.core.rates.hand import Hand

from packhorse.door.call_log import Accounts
from packhorse.door.limits import Limit, Limiter
from packhorse.http.addresses import AddressLimits
from packhorse.http.admission import Admission
from packhorse.http.gate import Gate
from packhorse.wire.callers import ADDRESS
from packhorse.wire.refusals import Refusals

pytestmark = pytest.mark.anyio

HOUR = Limit.parse("100/hour")
CIRCADIAN = (HOUR, frozenset({"calculate_phase_shift", "get_adaptation_plan"}))
ALICE, BOB = "203.0.113.1", "203.0.113.2"


def call(tool="calculate_phase_shift", *, under=7, method="tools/call"):
    return {"jsonrpc": "2.0", "id": under, "method": method, "params": {"name": tool, "arguments": {}}}


@dataclass
class Site:
    """A gate, what stands behind it, and a clock."""

    rules: dict
    clock: Hand = field(default_factory=Hand)
    limiter: Limiter | None = None
    served: list = field(default_factory=list)

    def __post_init__(self):
        self.limiter = self.limiter or Limiter.memory(clock=self.clock)
        self.gate = Admission(
            self.behind,
            Refusals(Accounts(), self.clock),
            Gate(security=TransportSecuritySettings(allowed_hosts=["here"]), body_limit=100_000),
            limits=AddressLimits(self.limiter, self.rules, {}),
        )

    async def behind(self, scope, receive, send):
        self.served.append(scope[ADDRESS])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def answer(self, message, peer=ALICE, *, headers=(), method="POST"):
        """The status, the headers and the decoded body of an answer."""
        known = [(b"host", b"here"), (b"content-type", b"application/json")]
        scope = {"type": "http", "method": method, "client": (peer, 1), "headers": [*known, *headers]}
        events = []

        async def receive():
            return {"type": "http.request", "body": json.dumps(message).encode()}

        async def send(event):
            events.append(event)

        await self.gate(scope, receive, send)
        body = b"".join(event.get("body", b"") for event in events[1:])
        return events[0]["status"], dict(events[0]["headers"]), json.loads(body) if body else None

    async def statuses(self, message, times, peer=ALICE, **more):
        return [(await self.answer(message, peer, **more))[0] for _ in range(times)]


@pytest.fixture
def site():
    return Site({"circadian": CIRCADIAN})


async def test_of_101_calls_in_an_hour_100_are_answered_and_one_gets_429_with_when_to_come_back(site):
    assert await site.statuses(call(), 100) == [200] * 100
    site.clock.move(1_799.5)
    status, headers, body = await site.answer(call(under="last"))

    assert status == 429
    assert headers[b"retry-after"] == b"1801"  # 1,800.5, rounded up
    assert headers[b"content-type"] == b"application/json"
    assert headers[b"cache-control"] == b"no-store"
    assert len(body["error"]["data"].pop("request_id")) == 16
    assert body == {
        "jsonrpc": "2.0",
        "id": "last",
        "error": {
            "code": -32029,
            "message": "The limit of 100 per hour is reached. Try again in 1801 seconds.",
            "data": {
                "error_type": "rate_limited",
                "retry_after_seconds": 1801,
                "details": {"retry_after_seconds": 1801, "limit": "100 per hour"},
                "timestamp": "2026-03-01T12:29:59.623Z",
            },
        },
    }
    assert len(site.served) == 100
    assert await site.statuses(call(), 1, BOB) == [200], "a second address is not concerned"
    site.clock.move(1_801)
    assert await site.statuses(call(), 1) == [200]


async def test_the_tools_of_a_rule_share_one_count(site):
    assert await site.statuses(call("calculate_phase_shift"), 60) == [200] * 60
    assert await site.statuses(call("get_adaptation_plan"), 41) == [200] * 40 + [429]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(call("search_person"), id="a tool of another pack"),
        pytest.param(call("no_such_tool"), id="a tool that there is not"),
        pytest.param({**call(), "params": {"name": ["x"]}}, id="no proper name"),
        pytest.param({**call(), "params": {}}, id="no name at all"),
        pytest.param(call(method="initialize"), id="a handshake"),
        pytest.param(call(method="tools/list"), id="a list"),
        pytest.param({"jsonrpc": "2.0", "method": "notifications/initialized"}, id="a notification"),
        pytest.param({"jsonrpc": "2.0", "id": 1, "result": {}}, id="an answer to the server"),
    ],
)
async def test_what_no_rule_covers_is_neither_counted_nor_refused(site, message):
    assert await site.statuses(message, 101) == [200] * 101
    assert await site.statuses(call(), 101) == [200] * 100 + [429]
    assert await site.statuses(message, 1) == [200]


async def test_streams_and_other_protocols_pass(site):
    assert await site.statuses(None, 2, method="GET") == [200, 200]
    seen = []

    async def app(scope, receive, send):
        seen.append(scope)

    site.gate._app = app
    await site.gate({"type": "lifespan"}, None, None)
    assert seen == [{"type": "lifespan"}]


async def test_headers_that_lie_about_the_call_change_nothing(site):
    lies = [(b"mcp-method", b"tools/list"), (b"mcp-name", b"search_person")]

    assert await site.statuses(call(), 101, headers=lies) == [200] * 100 + [429]


@pytest.mark.parametrize(
    ("given", "answered"),
    [
        pytest.param(3, 3, id="a number"),
        pytest.param("three", "three", id="text"),
        pytest.param(True, None, id="neither: true"),
        pytest.param(3.5, None, id="neither: a fraction"),
        pytest.param({"a": 1}, None, id="neither: an object"),
    ],
)
async def test_the_answer_is_under_the_id_of_the_request(given, answered):
    site = Site({"circadian": (Limit(1, 60), CIRCADIAN[1])})
    await site.answer(call())
    _, _, body = await site.answer(call(under=given))

    assert body["id"] == answered
    assert type(body["id"]) is type(answered)


async def test_the_tools_of_each_pack_count_apart():
    site = Site({"circadian": (Limit(1, 3_600), CIRCADIAN[1]), "locator": (Limit(2, 3_600), frozenset({"search"}))})

    assert await site.statuses(call("search"), 3) == [200, 200, 429]
    assert await site.statuses(call(), 1) == [200]


async def test_more_addresses_than_can_be_counted_are_refused_with_429():
    clock = Hand()
    site = Site({"circadian": CIRCADIAN}, clock=clock, limiter=Limiter.memory(clock=clock, max_keys=2))
    assert [(await site.answer(call(), peer))[0] for peer in (ALICE, BOB)] == [200, 200]
    status, headers, body = await site.answer(call(), "203.0.113.3")

    assert (status, headers[b"retry-after"]) == (429, b"3600")
    assert "no room for another" in body["error"]["message"]
    assert await site.statuses(call(), 1) == [200]


async def test_calls_that_cannot_be_counted_are_not_made(tmp_path):
    pytest.importorskip("redis", reason="packhorse[redis] is not installed")
    away = Limiter.redis(f"redis+unix://{tmp_path}/none.sock")
    site = Site({"circadian": CIRCADIAN}, limiter=away)
    status, headers, body = await site.answer(call())

    assert (status, headers[b"retry-after"], site.served) == (503, b"60", [])
    assert body["error"]["code"] == -32603
    assert body["error"]["data"]["error_type"] == "limits_unavailable"
    assert await site.statuses(call("search_person"), 1) == [200], "what is not limited needs no counting"
    await away.close()
