"""What is kept for clients that lose their stream: theirs, in order, and no more than a set number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.streamable_http import EventMessage, EventStore
from mcp_types import JSONRPCNotification

from packhorse.http.sessions import RecentEvents

pytestmark = pytest.mark.anyio


def word(text: str) -> JSONRPCNotification:
    return JSONRPCNotification(jsonrpc="2.0", method=text)


async def replayed(store: EventStore, last: str) -> tuple[str | None, list[str]]:
    said: list[str] = []

    async def say(event: EventMessage) -> None:
        assert isinstance(event.message, JSONRPCNotification)
        said.append(event.message.method)

    return await store.replay_events_after(last, say), said


@given(st.integers(1, 8), st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab")), max_size=30))
async def test_what_is_replayed_is_the_recent_rest_of_one_stream(size, told):
    kept = RecentEvents(size)
    stores = [kept.of_session() for _ in range(3)]
    names = [await stores[who].store_event(stream, word(str(at))) for at, (who, stream) in enumerate(told)]

    for at, (who, stream) in enumerate(told):
        rest = [str(later) for later in range(at + 1, len(told)) if told[later] == (who, stream)]
        forgotten = at < len(told) - size
        assert await replayed(stores[who], names[at]) == ((None, []) if forgotten else (stream, rest))
