"""For tests of packs: an in-memory client, a clock that stands still, and a contract to inherit.

```python
async with client_for(moon=packhorse_moon) as client:
    reply = await client.call_tool("age", {"day": "2026-01-01"})
```
"""

import atexit
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal

from mcp.client.client import Client

from packhorse.compose import packs
from packhorse.compose.deployment import Deployment, compose
from packhorse.contract.clock import Clock, system_clock
from packhorse.contract.principal import LOCAL, Principal
from packhorse.door.catalogue import Found, ToolEntry
from packhorse.schema.checker import Checker
from packhorse.schema.disguised import unseen_in
from packhorse.settings import PackTable, ServerSettings, Settings
from packhorse.wire.adapter import Adapter

Protocol = Literal["2025-11-25", "2026-07-28"]
PROTOCOLS: tuple[Protocol, ...] = ("2025-11-25", "2026-07-28")

HEAVY = ("mcp", "ortools", "numpy", "pandas", "rapidfuzz", "networkx", "dbos")
"""Modules that importing a pack must not load: they cost more than everything else at the start."""

DESCRIPTION_LETTERS = 40
"""The least of a tool's description: a model chooses by it among the tools of many packs."""


def fixed_clock(instant: str) -> Clock:
    """A clock that always shows ``instant``, written in ISO 8601 with its offset."""
    moment = datetime.fromisoformat(instant)
    if moment.tzinfo is None:
        raise ValueError(f"{instant!r} has no offset: end it with Z or +00:00")
    return lambda: moment


@cache
def _folders() -> Path:
    """A folder of this process for those that its deployments are not given; removed when the process ends."""
    made = tempfile.mkdtemp(prefix="packhorse-test-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def deployment_for(
    *,
    data_dir: Path | None = None,
    server: ServerSettings | None = None,
    tables: Mapping[str, PackTable] | None = None,
    clock: Clock = system_clock,
    **modules: ModuleType,
) -> Deployment:
    """A deployment of modules given by pack name, or, with none given, of every installed pack.

    Raises:
        PackError: one of the modules is no pack that could be served.
    """
    folder = data_dir or Path(tempfile.mkdtemp(dir=_folders()))
    base = server or ServerSettings(strict=bool(modules))
    settings = Settings(server=base.model_copy(update={"data_dir": folder}), packs=dict(tables or {}))
    if not modules:
        return compose(settings, packs.find(), clock=clock)
    found = [Found(name, module.__name__, "under-test", "0") for name, module in modules.items()]
    return compose(settings, found, modules=modules, clock=clock)


@asynccontextmanager
async def connected(
    deployment: Deployment,
    *,
    protocol: Protocol = "2026-07-28",
    principal: Principal = LOCAL,
    **client_options: Any,
) -> AsyncIterator[Client]:
    """The SDK's own client, connected in memory to ``deployment`` as ``principal``.

    ``client_options`` are the client's: ``elicitation_callback``, ``log_level`` and so on.
    """
    adapter = Adapter(deployment, lambda ctx: principal)
    mode: Any = protocol if protocol == "2026-07-28" else "legacy"
    with deployment.running():
        try:
            async with Client(adapter.server, mode=mode, **client_options) as client:
                yield client
        except BaseExceptionGroup as group:
            raise _sole(group) from None
        finally:
            await deployment.close()


@asynccontextmanager
async def client_for(
    *, protocol: Protocol = "2026-07-28", principal: Principal = LOCAL, clock: Clock = system_clock, **modules: Any
) -> AsyncIterator[Client]:
    """A client of the packs given by name, and of no others."""
    with tempfile.TemporaryDirectory(dir=_folders()) as folder:
        deployment = deployment_for(data_dir=Path(folder), clock=clock, **modules)
        async with connected(deployment, protocol=protocol, principal=principal) as client:
            yield client


class PackContract:
    """What any pack keeps to. Inherit it, say which pack, and pytest runs it against the installed one."""

    pack: ClassVar[str]
    needs_examples: ClassVar[bool] = True
    """Whether every tool must bring an `Example`; a plain function cannot."""
    clock: ClassVar[Clock] = staticmethod(system_clock)

    def served(self) -> Deployment:
        """A deployment of this pack alone, found by its entry point."""
        found = packs.choose(packs.find(), [self.pack])
        settings = Settings(server=ServerSettings(data_dir=Path(tempfile.mkdtemp(dir=_folders())), strict=True))
        return compose(settings, found, clock=type(self).clock)

    def tools(self) -> Sequence[ToolEntry]:
        """The pack's tools as served, without those that the host puts beside them."""
        return [tool for tool in self.served().catalogue.tools.values() if tool.pack == self.pack]

    def test_it_is_found_by_its_entry_point_and_serves(self) -> None:
        assert [pack.found.name for pack in self.served().catalogue.packs] == [self.pack]

    def test_importing_it_loads_nothing_heavy(self) -> None:
        module = packs.choose(packs.find(), [self.pack])[0].module
        code = f"import sys, {module}; print([name for name in {HEAVY!r} if name in sys.modules])"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        loaded = run.stdout.splitlines()[-1]
        assert loaded == "[]", f"importing {module} loads {loaded}"

    def test_every_description_helps_a_model_choose(self) -> None:
        for tool in self.tools():
            letters = len(tool.description)
            assert letters >= DESCRIPTION_LETTERS, (
                f"{tool.name}: its description has {letters} letters; say in {DESCRIPTION_LETTERS} or more what it does"
                " and when to choose it"
            )
            assert unseen_in(tool.description) is None, f"{tool.name}: control, bidi or zero-width characters"

    def test_every_schema_is_valid_and_closed(self) -> None:
        for tool in self.tools():
            Checker(tool.arguments.schema)
            if tool.offer.input_schema is None:
                assert not _open_objects(tool.arguments.schema), f"{tool.name}: unknown names would be accepted"
            assert tool.answers.schema is not None, f"{tool.name}: annotate its return type"
            Checker(tool.answers.schema)

    def test_schemas_are_the_same_every_time(self) -> None:
        def published() -> str:
            return json.dumps([[t.name, t.arguments.schema, t.answers.schema] for t in self.tools()])

        assert published() == published(), "a schema differs from one start to the next"

    def test_every_view_is_one_page_that_loads_nothing(self) -> None:
        for tool in self.tools():
            page = tool.offer.view.page() if tool.offer.view else ""
            loads = re.findall(
                r"""https?://(?!www\.w3\.org/)[^\s"'`]+|url\(|@import|\bimport\s*[({"'*]|\bimport\s+\w+\s+from\b""",
                page,
            )
            assert loads == [], f"{tool.name}: its view loads {loads}; what it needs goes into the page"

    def test_the_examples_of_every_tool_come_out_as_written(self) -> None:
        import anyio

        anyio.run(self._run_examples)

    def test_an_unknown_argument_is_refused_by_name(self) -> None:
        import anyio

        anyio.run(self._refuse_unknown)

    async def _run_examples(self) -> None:
        deployment = self.served()
        for tool in (one for one in deployment.catalogue.tools.values() if one.pack == self.pack):
            assert tool.offer.examples or not self.needs_examples, f"{tool.name} has no example"
            for example in tool.offer.examples:
                async with connected(deployment) as client:
                    reply = await client.call_tool(tool.name, dict(example.arguments))
                if example.refused is not None:
                    assert reply.is_error, f"{tool.name}: {example.arguments} was not refused"
                    code = (reply.meta or {})["packhorse/error"]["code"]
                    assert code == example.refused, f"{tool.name}: {example.arguments} was refused as {code}"
                    continue
                assert not reply.is_error, f"{tool.name}: {example.arguments}: {reply.content}"
                answer = reply.structured_content or {}
                given = {key: answer.get(key) for key in example.gives}
                assert given == dict(example.gives), f"{tool.name}: {example.arguments} gives {given}"

    async def _refuse_unknown(self) -> None:
        deployment = self.served()
        for tool in (one for one in deployment.catalogue.tools.values() if one.pack == self.pack):
            async with connected(deployment) as client:
                reply = await client.call_tool(tool.name, {**_first(tool), "no_such_argument": 1})
            assert reply.is_error, f"{tool.name} accepted an unknown argument"
            assert "no_such_argument" in (reply.meta or {})["packhorse/error"]["message"]


def _sole(exc: BaseException) -> BaseException:
    """What a test raised, without the groups that the client's task groups put around it."""
    while isinstance(exc, BaseExceptionGroup) and len(exc.exceptions) == 1:
        exc = exc.exceptions[0]
    return exc


def _first(tool: ToolEntry) -> Mapping[str, Any]:
    return tool.offer.examples[0].arguments if tool.offer.examples else {}


_NAMED = ("properties", "patternProperties", "dependentSchemas", "$defs")
"""Keywords whose value's own keys are names of the pack's choice: one may be called ``properties``."""

_VALUES = ("default", "examples", "const", "enum")


def _open_objects(schema: Any) -> list[Any]:
    """The object schemas that name their properties and still accept others."""
    if isinstance(schema, list):
        return [found for item in schema for found in _open_objects(item)]
    if not isinstance(schema, Mapping):
        return []
    found = [schema] if "properties" in schema and schema.get("additionalProperties") is not False else []
    for keyword, value in schema.items():
        if keyword not in _VALUES:
            named = keyword in _NAMED and isinstance(value, Mapping)
            found += _open_objects(list(value.values()) if named else value)
    return found
