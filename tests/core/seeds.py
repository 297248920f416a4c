"""Packs made for one test: as a module in memory, or as a small real distribution in a folder."""

import textwrap
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from mcp.client.client import Client

from packhorse import Approvals, Guard, Pack, Principal, Prompt, Resource, Route, Tool, Verifier, hookimpl
from packhorse.contract.principal import LOCAL
from packhorse.settings import PackTable, ServerSettings
from packhorse.testing import Protocol, connected, deployment_for


def pack_of(
    *,
    tools: Sequence[Tool | Callable[..., Any]] = (),
    resources: Sequence[Resource] = (),
    prompts: Sequence[Prompt | Callable[..., Any]] = (),
    auth: Sequence[Verifier | Guard] = (),
    routes: Sequence[Route] = (),
    approvals: Sequence[Approvals] = (),
    pack: Pack | None = None,
) -> ModuleType:
    """A pack's module that offers exactly these."""
    made = ModuleType("seed")
    offered = {"tools": tools, "resources": resources, "prompts": prompts, "auth": auth, "routes": routes}
    for kind, offers in {**offered, "approvals": approvals}.items():
        setattr(made, f"register_{kind}", hookimpl(lambda offers=offers: offers))
    if pack is not None:
        made.pack = pack
    return made


@asynccontextmanager
async def client_of(
    folder: Path,
    *,
    protocol: Protocol = "2026-07-28",
    principal: Principal = LOCAL,
    server: Mapping[str, Any] | None = None,
    tables: Mapping[str, PackTable] | None = None,
    clock: Callable[[], Any] | None = None,
    client: Mapping[str, Any] | None = None,
    **offers: Any,
) -> AsyncIterator[Client]:
    """The SDK's client, in memory, of one seeded pack named ``seed`` under these server settings."""
    settings = ServerSettings.model_validate({"strict": True, **(server or {})})
    extra = {"clock": clock} if clock else {}
    deployment = deployment_for(data_dir=folder, server=settings, tables=tables, seed=pack_of(**offers), **extra)
    async with connected(deployment, protocol=protocol, principal=principal, **(client or {})) as opened:
        yield opened


def install(
    folder: Path,
    name: str,
    source: str,
    *,
    version: str = "0.1",
    requires: str | None = None,
    distribution: str | None = None,
) -> str:
    """Write a distribution (``packhorse-<name>``) of one pack into ``folder``, importable once that is on the path.

    Gives the module's name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    module = f"seeded_{name.replace('-', '_')}"
    (folder / f"{module}.py").write_text(textwrap.dedent(source), encoding="utf-8")
    distribution = distribution or f"packhorse-{name}"
    metadata = [f"Name: {distribution}", f"Version: {version}"]
    metadata += [f"Requires-Dist: {requires}"] if requires else []
    info = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\n" + "\n".join(metadata) + "\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[packhorse]\n{name} = {module}\n", encoding="utf-8")
    return module
