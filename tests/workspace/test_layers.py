"""Each import contract holds, and is seen to fail when broken."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(sys.executable).with_name("lint-imports")

ROOMS = "The host's rooms, from the terminal down to errors"
BREAKS = [
    ("Packs stand on the host and never on one another", "packhorse_pai/pack.py", "import packhorse_locator"),
    ("Packs stand on the host and never on one another", "packhorse/contract/clock.py", "import packhorse_pai"),
    ("The same plan in every pack", "packhorse_circadian/models.py", "import packhorse_circadian.tools"),
    ("The same plan in every pack", "packhorse_circadian/drawer.py", "x = 1"),
    ("The domain is pure", "packhorse_circadian/domain/zones.py", "import pydantic"),
    ("The domain is pure", "packhorse_circadian/domain/zones.py", "import packhorse.errors"),
    ("Service and domain never see wire models", "packhorse_circadian/service.py", "import packhorse_circadian.models"),
    ("Packs never import the protocol SDK", "packhorse_circadian/tools.py", "import mcp"),
    (
        "In core, only client, wire, http, stdio, mounts, login and testing import the protocol SDK",
        "packhorse/door/dispatch.py",
        "import mcp",
    ),
    (ROOMS, "packhorse/contract/clock.py", "import packhorse.door.dispatch"),
    (ROOMS, "packhorse/stray.py", "x = 1"),
]


def lint(sources, cwd):
    environment = {**os.environ, "PYTHONPATH": str(sources)}
    run = subprocess.run([LINT, "--no-cache"], cwd=cwd, env=environment, capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


@pytest.fixture
def house(tmp_path):
    for source in (ROOT / "core" / "src", *sorted((ROOT / "plugins").glob("*/src"))):
        shutil.copytree(source, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_house_as_it_stands_keeps_every_contract(house):
    status, output = lint(house, house)
    assert status == 0, output
    assert "0 broken" in output


@pytest.mark.parametrize(("contract", "file", "line"), BREAKS, ids=[f"{b[1]}-{b[2].split()[-1]}" for b in BREAKS])
def test_a_broken_rule_is_found(house, contract, file, line):
    target = house / file
    target.write_text((target.read_text("utf-8") if target.exists() else '"""A stray module."""\n') + f"\n{line}\n")
    status, output = lint(house, house)
    assert status != 0
    assert f"{contract} BROKEN" in " ".join(output.split())
