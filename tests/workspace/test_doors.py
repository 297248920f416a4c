"""tox is the only front door, and every environment that should exist does."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKS = ("core", "circadian", "scheduling", "locator", "discovery", "pai")
SHARED = {"lint", "type", "layers", "docs", "contract", "workspace", "conformance", "bench", "views", "minizinc"}


def test_tox_has_an_environment_for_each_distribution_on_each_python():
    listed = subprocess.run(
        [sys.executable, "-m", "tox", "list", "--no-desc", "-q"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    solos = {f"solo-{name}-{python}" for name in PACKS for python in ("py311", "py312", "py313")}
    assert len(solos) == 18
    assert set(listed) == SHARED | solos


def test_each_solo_environment_runs_its_own_tests_on_its_own_python():
    shown = subprocess.run(
        [sys.executable, "-m", "tox", "config", "-k", "base_python", "commands", "deps", "-q"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    sections = {block.split("]")[0]: block for block in shown.split("[testenv:")[1:]}
    for name in PACKS:
        for python in ("py311", "py312", "py313"):
            block = sections[f"solo-{name}-{python}"]
            assert f"python{python[2]}.{python[3:]}" in block
            assert f"pytest tests/{name}" in block
            others = [other for other in PACKS if other not in (name, "core") and f"plugins/{other}" in block]
            assert others == []


def test_continuous_integration_calls_the_readme_test_command():
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = [line for line in readme.splitlines() if ".venv/bin/tox run" in line]
    assert len(commands) == 1
    assert commands[0] in (ROOT / ".ci" / "run").read_text("utf-8")
