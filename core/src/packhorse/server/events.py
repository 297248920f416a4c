"""Messages kept for handshake-era clients that lose their stream and come back."""

from collections import OrderedDict

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp_types import JSONRPCMessage


class RecentEvents(EventStore):
    """The last ``size`` messages of this process, oldest forgotten first.

    A client whose last event has been forgotten gets none replayed, and asks again.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._events: OrderedDict[EventId, tuple[StreamId, JSONRPCMessage | None]] = OrderedDict()
        self._count = 0

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep one message (None primes a stream) and name it."""
        self._count += 1
        event_id = str(self._count)
        self._events[event_id] = (stream_id, message)
        if len(self._events) > self._size:
            self._events.popitem(last=False)
        return event_id

    async def replay_events_after(self, last_event_id: EventId, send_callback: EventCallback) -> StreamId | None:
        """Send again what followed ``last_event_id`` on its stream."""
        if last_event_id not in self._events:
            return None
        stream = self._events[last_event_id][0]
        past = False
        for event_id, (stream_id, message) in list(self._events.items()):
            if past and stream_id == stream and message is not None:
                await send_callback(EventMessage(message, event_id))
            past = past or event_id == last_event_id
        return stream
