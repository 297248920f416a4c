"""What importing the record costs."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["packhorse.audit", "packhorse.audit.commands"])
def test_importing_loads_none_of_the_heavy_things(module):
    program = (
        f"import sys, {module}\n"
        "print(sorted({'mcp', 'pydantic', 'sqlite3', 'sqlite_utils', 'rfc8785'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "[]\n", ran.stderr
