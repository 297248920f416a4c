"""Messages kept for handshake-era clients that lose their stream and come back."""

from collections import OrderedDict
from dataclasses import dataclass

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp_types import JSONRPCMessage


@dataclass(frozen=True, slots=True)
class _Kept:
    session: int
    stream: StreamId
    message: JSONRPCMessage | None


class RecentEvents:
    """The last ``size`` messages of this process, oldest forgotten first.

    A client whose last event has been forgotten gets none replayed, and asks again.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[EventId, _Kept] = OrderedDict()
        self._count = 0
        self._sessions = 0

    def of_session(self) -> EventStore:
        """The part of one new session, which sees nothing of the others."""
        self._sessions += 1
        return _SessionEvents(self, self._sessions)

    def keep(self, event: _Kept) -> EventId:
        """Keep one message, and name it."""
        self._count += 1
        event_id = str(self._count)
        self._kept[event_id] = event
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return event_id

    def after(self, last_event_id: EventId, session: int) -> tuple[StreamId, list[EventMessage]] | None:
        """The stream of an event of this session, and the messages that followed on it; None for any other event."""
        last = self._kept.get(last_event_id)
        if last is None or last.session != session:
            return None
        names = list(self._kept)
        later = [(name, self._kept[name]) for name in names[names.index(last_event_id) + 1 :]]
        return last.stream, [
            EventMessage(kept.message, name)
            for name, kept in later
            if (kept.session, kept.stream) == (session, last.stream) and kept.message is not None
        ]


class _SessionEvents(EventStore):
    def __init__(self, events: RecentEvents, session: int) -> None:
        self._events = events
        self._session = session

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep one message (None primes a stream) and name it."""
        return self._events.keep(_Kept(self._session, stream_id, message))

    async def replay_events_after(self, last_event_id: EventId, send_callback: EventCallback) -> StreamId | None:
        """Send again what followed ``last_event_id`` on its stream."""
        found = self._events.after(last_event_id, self._session)
        if found is None:
            return None
        stream, messages = found
        for message in messages:
            await send_callback(message)
        return stream
