"""Serving over standard input and output: what a desktop client starts."""

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
import anyio.to_thread
import mcp_types as wire
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from packhorse.auth import identify
from packhorse.deployment import Deployment
from packhorse.principal import LOCAL, Principal
from packhorse.server.adapter import Adapter
from packhorse.server.gate import fault_of

TOKEN_VARIABLE = "PACKHORSE_TOKEN"  # noqa: S105 - the name of a variable


def serve(deployment: Deployment) -> None:
    """Serve one client until it closes its end."""
    token = os.environ.pop(TOKEN_VARIABLE, None)  # no child process needs it
    anyio.run(_serve, deployment, token)


async def _serve(deployment: Deployment, token: str | None) -> None:
    principal = await principal_for(deployment, token)
    adapter = Adapter(deployment, lambda ctx: principal)
    server = adapter.server
    lines = _Lines(deployment.settings.server.body_limit_bytes)
    with deployment.running():
        async with stdio_server(stdin=lines) as (read, write):  # type: ignore[arg-type]  # it only iterates over it

            async def refuse(fault: str) -> None:
                error = wire.ErrorData(code=wire.PARSE_ERROR, message=fault)
                await write.send(SessionMessage(wire.JSONRPCError(jsonrpc="2.0", id=None, error=error)))

            lines.refuse = refuse
            await server.run(read, write, server.create_initialization_options())


async def principal_for(deployment: Deployment, token: str | None) -> Principal:
    """Who the client at the other end of the pipe is: whoever started us, unless packs verify credentials."""
    if not deployment.catalogue.verifiers:
        return LOCAL
    return await identify(deployment.catalogue.verifiers, token)


class _Lines:
    """Standard input, line by line, without the lines that the gate refuses.

    The descriptor is moved away from 0, so that nothing a pack starts or
    reads can take the client's words.
    """

    refuse: Callable[[str], Awaitable[None]]

    def __init__(self, limit: int) -> None:
        private = os.dup(sys.stdin.fileno())
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, sys.stdin.fileno())
        os.close(null)
        # Never closed: a reading thread may still hold it when the loop ends.
        self._file = os.fdopen(private, "rb", closefd=False)
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await self._read():
            if len(line) > self._limit and not line.endswith(b"\n"):
                await self._skip()
                await self.refuse(f"The message is larger than {self._limit:,} bytes")
                continue
            if not line.strip():
                continue
            fault = fault_of(line)
            if fault is not None:
                await self.refuse(fault)
                continue
            yield line.decode("utf-8")

    async def _skip(self) -> None:
        while line := await self._read():
            if line.endswith(b"\n"):
                return

    async def _read(self) -> bytes:
        # Abandoned on a stop signal: the thread stays in its read until the client closes the pipe.
        return await anyio.to_thread.run_sync(self._file.readline, self._limit + 1, abandon_on_cancel=True)
