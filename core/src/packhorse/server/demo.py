"""The demo's stage: a server in a process of its own, and the SDK's client in this one."""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from packhorse.deployment import Deployment
from packhorse.errors import PackError


@dataclass
class Played:
    """One pack's scene, as it went."""

    pack: str
    title: str
    lines: Sequence[str]
    calls: int
    milliseconds: float
    protocol: str


async def play(deployment: Deployment, config: Path | None) -> list[Played]:
    """Play every pack's scene against a server started as a desktop client would start it.

    Raises:
        PackError: a tool of a scene refused.
    """
    scenes = [(pack.found.name, pack.pack.demo) for pack in deployment.catalogue.packs if pack.pack.demo]
    if not scenes:
        return []
    arguments = ["-m", "packhorse", "serve", *(name for name, _ in scenes), "--transport", "stdio"]
    if config is not None:
        arguments += ["--config", str(config)]
    environment = {**os.environ, "PACKHORSE_SERVER_LOG_LEVEL": "error"}
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
    played: list[Played] = []
    async with Client(stdio_client(server), mode="auto") as client:
        for name, scene in scenes:
            answers = []
            started = time.perf_counter()
            for tool, given in scene.calls:
                wire_name = deployment.catalogue.local_names.get((name, tool), tool)
                reply = await client.call_tool(wire_name, dict(given))
                if reply.is_error:
                    raise PackError(f"the scene of pack {name!r} failed: {reply.content}")
                answers.append(reply.structured_content or {})
            milliseconds = (time.perf_counter() - started) * 1000
            lines = list(scene.tell(answers))
            played.append(Played(name, scene.title, lines, len(answers), milliseconds, client.protocol_version))
    return played
