"""The demo's stage: a server in a process of its own, and the SDK's client in this one."""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from packhorse.compose.deployment import Deployment
from packhorse.compose.packs import reason_of
from packhorse.contract.packs import Scene
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


def prepare(deployment: Deployment, name: str, scene: Scene) -> None:
    """Put what a scene needs into the folder of its pack.

    Raises:
        PackError: it cannot be put there.
    """
    if scene.prepare is None:
        return
    try:
        scene.prepare(deployment.hosts[name])
    except Exception as exc:
        # Whatever a pack's sample data may raise: the person has to hear whose it was.
        raise PackError(f"the demonstration of pack {name!r} could not be prepared: {reason_of(exc)}") from exc


async def play(deployment: Deployment, config: Path | None) -> list[Played]:
    """Play every pack's scene against a server started as a desktop client would start it.

    It keeps its data where ``deployment`` does, and touches no other.

    Raises:
        PackError: a scene did not go as its pack meant it to, or the server ended.
    """
    scenes = scenes_of(deployment)
    if not scenes:
        return []
    arguments = ["-P", "-m", "packhorse", "serve", *(name for name, _ in scenes), "--transport", "stdio"]
    if config is not None:
        arguments += ["--config", str(config)]
    folder = deployment.settings.data_dir
    environment = {
        **os.environ,
        "PACKHORSE_SERVER_LOG_LEVEL": "error",
        "PACKHORSE_SERVER_DATA_DIR": str(folder),
        "PACKHORSE_SERVER_DATABASE": "",
        "PACKHORSE_AUDIT_PATH": str(folder / "audit.sqlite3"),
        "PACKHORSE_AUDIT_ANCHOR": str(folder / "audit.anchor"),
    }
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
    played: list[Played] = []
    now = "server"
    try:
        async with Client(stdio_client(server), mode="auto") as client:
            for now, scene in scenes:
                played.append(await _play_one(client, deployment, now, scene))
    except Exception as exc:
        # Whatever a pack's scene or the server's end may raise, inside the groups of the client's tasks.
        cause = _first(exc)
        subject = "the server for the demo ended" if now == "server" else f"the demonstration of pack {now!r} failed"
        raise PackError(f"{subject}: {reason_of(cause)}") from cause
    return played


def scenes_of(deployment: Deployment) -> list[tuple[str, Scene]]:
    """The scenes of its packs, in their order."""
    return [(pack.found.name, pack.pack.demo) for pack in deployment.catalogue.packs if pack.pack.demo]


async def _play_one(client: Client, deployment: Deployment, name: str, scene: Scene) -> Played:
    answers = []
    started = time.perf_counter()
    for tool, given in scene.calls:
        wire_name = deployment.catalogue.local_names.get((name, tool), tool)
        reply = await client.call_tool(wire_name, dict(given))
        if reply.is_error:
            words = " ".join(getattr(piece, "text", "") for piece in reply.content)
            raise PackError(f"{tool} answered: {words}")
        answers.append(reply.structured_content or {})
    milliseconds = (time.perf_counter() - started) * 1000
    return Played(name, scene.title, list(scene.tell(answers)), len(answers), milliseconds, client.protocol_version)


def _first(exc: BaseException) -> BaseException:
    while isinstance(exc, BaseExceptionGroup):
        exc = exc.exceptions[0]
    return exc
