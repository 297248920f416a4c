"""Packs come and go one by one; a broken one is named and the rest serve."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKS = ("circadian", "discovery", "locator", "pai", "scheduling")


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """An environment of its own, with the five packs and a sixth that cannot be loaded."""
    folder = tmp_path_factory.mktemp("environment")
    uv = shutil.which("uv")
    assert uv, "uv makes the environment; the workspace environment installs it with tox-uv"
    subprocess.run([uv, "venv", "--quiet", "--python", "3.11", str(folder / "venv")], check=True)
    interpreter = folder / "venv" / "bin" / "python"
    broken = folder / "packhorse-torn"
    broken.mkdir()
    (broken / "pyproject.toml").write_text(
        '[project]\nname = "packhorse-torn"\nversion = "6.6.6"\n'
        '[project.entry-points.packhorse]\ntorn = "packhorse_torn"\n'
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
    )
    (broken / "packhorse_torn.py").write_text('raise RuntimeError("torn on purpose")\n')
    members = [ROOT / "core", *(ROOT / "plugins" / name for name in PACKS), broken]
    subprocess.run(
        [uv, "pip", "install", "--quiet", "--python", str(interpreter), *map(str, members)], check=True
    )  # fmt: skip
    return interpreter


def listed(python):
    run = subprocess.run([python, "-m", "packhorse", "packs", "--json"], capture_output=True, text=True, check=True)
    return {row["name"]: row for row in json.loads(run.stdout)}


def test_five_packs_are_listed_with_versions_and_a_broken_sixth_by_name_and_reason(python):
    rows = listed(python)
    assert set(rows) == {*PACKS, "torn"}
    for name in PACKS:
        assert rows[name]["status"] == "ok"
        assert rows[name]["version"] == "0.1.0"
    assert rows["torn"]["version"] == "6.6.6"
    assert rows["torn"]["reason"] == "RuntimeError: torn on purpose"


def test_the_rest_serve_beside_a_broken_pack(python):
    call = [
        python, "-m", "packhorse", "call", "calculate_phase_shift", "--json",
        json.dumps({"origin_timezone": "America/Los_Angeles", "destination_timezone": "Asia/Tokyo"}),
    ]  # fmt: skip
    run = subprocess.run(call, capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)["structured"]["optimal_direction"] == "delay"


def test_uninstalling_a_pack_changes_nothing_else(python):
    before = listed(python)
    subprocess.run(
        [shutil.which("uv"), "pip", "uninstall", "--quiet", "--python", python, "packhorse-locator"], check=True
    )
    after = listed(python)
    del before["locator"]
    assert after == before
