"""What stands between clients and servers: a balancer that sends each request elsewhere, and a line that breaks."""

import asyncio
import itertools
import random
import re
import socket
import struct
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress

LOOK_SECONDS = 0.05
"""How often the balancer asks whether a server is ready."""

FATES = ("pass", "delay", "cut the request", "cut the answer", "reset")


class Balancer:
    """Sends each request to the next server that is ready; one that names a session to the server that opened it."""

    def __init__(self, *ports: int) -> None:
        self.ports = list(ports)
        self.answered: dict[int, int] = dict.fromkeys(ports, 0)
        self._ready = set(ports)
        self._sessions: dict[bytes, int] = {}
        self._turns = itertools.count()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        looking = asyncio.ensure_future(self._look())
        async with server:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
            looking.cancel()

    def _candidates(self, session: bytes | None) -> Iterator[int]:
        if session in self._sessions:
            yield self._sessions[session]
            return
        ready = [port for port in self.ports if port in self._ready]
        turn = next(self._turns)
        yield from (ready[(turn + number) % len(ready)] for number in range(len(ready)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(int(header(head, b"content-length") or 0))
            for port in self._candidates(header(head, b"mcp-session-id")):
                try:
                    above, below = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    continue  # nothing was sent, so another may have it
                with suppress(OSError, asyncio.IncompleteReadError):
                    below.write(re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head, count=1)[:-2])
                    below.write(b"Connection: close\r\n\r\n" + body)
                    gone = asyncio.ensure_future(reader.read())  # its end: the client has left
                    passing = asyncio.ensure_future(self._pass(above, writer, port))
                    await asyncio.wait({gone, passing}, return_when=asyncio.FIRST_COMPLETED)
                    gone.cancel()
                    passing.cancel()
                below.close()
                break
        writer.close()

    async def _pass(self, above: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        head = await above.readuntil(b"\r\n\r\n")
        if session := header(head, b"mcp-session-id"):
            self._sessions.setdefault(session, port)
        self.answered[port] = self.answered.get(port, 0) + 1
        writer.write(head)
        while piece := await above.read(65536):
            writer.write(piece)
            await writer.drain()

    async def _look(self) -> None:
        while True:
            for port in list(self.ports):
                (self._ready.add if await _is_ready(port) else self._ready.discard)(port)
            await asyncio.sleep(LOOK_SECONDS)


async def _is_ready(port: int) -> bool:
    try:
        above, below = await asyncio.open_connection("127.0.0.1", port)
        below.write(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return b" 200 " in await above.readline()
    except OSError:
        return False
    finally:
        with suppress(UnboundLocalError):
            below.close()


def header(head: bytes, name: bytes) -> bytes | None:
    found = re.search(rb"(?i)\r\n" + name + rb": *([^\r]*)", head)
    return found[1] if found else None


@asynccontextmanager
async def breaking(port: int, chance: random.Random, fates: Sequence[str] = FATES) -> AsyncIterator[str]:
    """A line to a server on which every connection may be slow, cut off or reset, at any byte of either direction."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        above, below = await asyncio.open_connection("127.0.0.1", port)
        fate, left = chance.choice(fates), chance.randrange(1200)

        async def flow(source: asyncio.StreamReader, sink: asyncio.StreamWriter, ends: bool) -> None:
            room = left
            with suppress(OSError):
                while piece := await source.read(64):
                    if fate == "delay":
                        await asyncio.sleep(chance.random() / 100)
                    room -= len(piece)
                    sink.write(piece[: len(piece) + room] if ends and room < 0 else piece)
                    await sink.drain()
                    if ends and room < 0:
                        if fate == "reset":  # with what has not been sent yet
                            wire = sink.get_extra_info("socket")
                            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        break
            sink.close()

        up = flow(reader, below, fate == "cut the request")
        down = flow(above, writer, fate in ("cut the answer", "reset"))
        await asyncio.gather(up, down, return_exceptions=True)
        below.close()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
