"""Modules that a start or a command imports for little: what is heavy comes with the first use of it."""

import subprocess
import sys

import pytest

LIGHT = {
    "packhorse.audit": "mcp pydantic sqlite3 rfc8785",
    "packhorse.audit.commands": "mcp pydantic sqlite3 rfc8785",
    "packhorse.door.cache": "cachetools anyio mcp pydantic",
    "packhorse.metrics.metrics": "prometheus_client mcp pydantic",
    "packhorse.observe.logs": "mcp pydantic asyncio",
    "packhorse.traces.spans": "opentelemetry mcp pydantic",
}


@pytest.mark.parametrize(("module", "heavy"), LIGHT.items())
def test_importing_it_loads_none_of_the_heavy_things(module, heavy):
    program = f"import sys, {module}; print(sorted(set({heavy.split()}) & set(sys.modules)))"

    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert (ran.stdout, ran.stderr) == ("[]\n", "")
