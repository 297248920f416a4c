"""Sessions whose messages are kept in the database of all replicas: what they do while it hangs, and what is no id."""

import threading

import httpx2
import pytest
from mcp.server.lowlevel.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import JSONRPCNotification

from packhorse.http import sessions
from packhorse.http.sessions import Sessions, _SharedEvents
from packhorse.settings import ServerSettings

pytest.importorskip("psycopg", reason="packhorse[postgres] is not installed")

pytestmark = pytest.mark.anyio

HOST = "http://127.0.0.1"
WORD = JSONRPCNotification(jsonrpc="2.0", method="a")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Hanging:
    """Messages in a database that takes the connection, and answers once nobody asks any more."""

    def __init__(self) -> None:
        self.nobody_asks = threading.Event()

    def keep(self, session, owner, stream, message):
        self.nobody_asks.wait(10)
        return 7

    def after(self, number, session, owner):
        self.nobody_asks.wait(10)
        return "1", []


class Empty:
    """A database in which there is nothing yet."""

    def after(self, number, session, owner):
        return None


async def say(event) -> None:
    pytest.fail(f"{event} was never sent")


@pytest.mark.parametrize(
    ("ask", "answered"),
    [
        pytest.param(lambda events: events.store_event("1", WORD), "0", id="a message is sent without an id"),
        pytest.param(lambda events: events.replay_events_after("6", say), None, id="a stream is not found"),
    ],
)
async def test_a_database_that_hangs_holds_no_message(monkeypatch, caplog, ask, answered):
    monkeypatch.setattr(sessions, "PATIENCE_SECONDS", 0.01, raising=False)
    hanging = Hanging()
    try:
        assert await ask(_SharedEvents(hanging, "ada")) == answered
    finally:
        hanging.nobody_asks.set()
    assert "TimeoutError" in caplog.text


NO_IDS = ["9" * 20, "9" * 5000, "\u0663" * 5000, "no number", ""]


@pytest.mark.parametrize("last", NO_IDS, ids=lambda last: f"{last[:9]} of {len(last)}")
async def test_what_can_be_no_messages_number_replays_nothing(last):
    assert await _SharedEvents(Empty(), "ada").replay_events_after(last, say) is None


@pytest.mark.parametrize("last", ["9" * 20, "9" * 5000], ids=len)
async def test_it_is_answered_as_any_unknown_one(last):
    settings = ServerSettings(replicas=2, state_key="k" * 32, database="postgresql://db.example/packhorse")
    manager = Sessions(Server("seed"), settings, security_settings=TransportSecuritySettings(), signed_in=False)
    manager.sent = Empty()
    transport = httpx2.ASGITransport(manager.handle_request)
    async with manager.run(), httpx2.AsyncClient(transport=transport, base_url=HOST) as http:
        headers = {"accept": "text/event-stream", "mcp-session-id": "s"}
        told, unknown = [await http.get("/mcp", headers={**headers, "last-event-id": one}) for one in (last, "6")]

    assert unknown.status_code == 404
    assert (told.status_code, told.json()) == (unknown.status_code, unknown.json())
