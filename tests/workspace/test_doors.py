"""tox is the only front door, and every environment that should exist does."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PACKS = ("core", "circadian", "scheduling", "locator", "discovery", "pai")
SHARED = {
    "lint", "type", "layers", "docs", "contract", "workspace", "conformance", "bench", "views", "minizinc", "fuzz",
    "drills", "py312", "py313", "agentdojo",
}  # fmt: skip


def test_tox_has_an_environment_for_each_distribution_and_one_for_each_other_python():
    listed = subprocess.run(
        [sys.executable, "-m", "tox", "list", "--no-desc", "-q"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    solos = {f"solo-{name}" for name in PACKS}
    assert len(solos) == 6
    assert set(listed) == SHARED | solos


@pytest.fixture(scope="module")
def sections():
    shown = subprocess.run(
        [sys.executable, "-m", "tox", "config", "-k", "base_python", "commands", "deps", "-q"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return {block.split("]")[0]: block for block in shown.split("[testenv:")[1:]}


@pytest.mark.parametrize("name", PACKS)
def test_each_distribution_is_tested_alone_from_its_wheel(sections, name):
    block = sections[f"solo-{name}"]
    assert "tests/solo_wheels.py" in block
    assert f"pytest tests/{name}" in block
    assert "plugins/" not in block


@pytest.mark.parametrize(
    ("minor", "runs"), [("12", ["tests/contract"]), ("13", ["tests/contract", "tests/core -m '(wire or python)"])]
)
def test_each_other_python_runs_the_contract_of_every_pack_and_the_highest_the_wire(sections, minor, runs):
    block = sections[f"py3{minor}"]
    assert f"python3.{minor}" in block
    assert all(f"pytest {what}" in block for what in runs)
    assert all(f"plugins/{name}" in block for name in PACKS if name != "core")


def test_every_test_runs_in_some_environment(sections):
    """What the single environments leave out by a mark, another one runs."""
    commands = {name: block[block.index("commands") :] for name, block in sections.items()}
    assert "tests/contract/test_fuzz.py" in commands["fuzz"]
    assert not any("slow" in commands[f"solo-{name}"] for name in PACKS)
    files = (ROOT / "tests").glob("*/**/test_*.py")
    drilled = {
        file.relative_to(ROOT / "tests").parts[0] for file in files if "pytest.mark.drill" in file.read_text("utf-8")
    }
    assert {name for name in drilled if f"pytest tests/{name} -m drill" in commands["drills"]} == drilled


def test_continuous_integration_calls_the_readme_test_command():
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = [line for line in readme.splitlines() if ".venv/bin/tox run" in line]
    assert len(commands) == 1
    assert commands[0] in (ROOT / ".ci" / "run").read_text("utf-8")


def settings_of(path):
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


@pytest.mark.parametrize(
    "file", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda file: str(file.relative_to(ROOT))
)
def test_every_file_of_the_public_repository_is_one_yaml_mapping(file):
    assert isinstance(settings_of(file.relative_to(ROOT)), dict)


def test_the_public_repository_runs_what_the_readme_says_before_it_merges_and_before_it_releases():
    test, release = (settings_of(f".github/workflows/{name}.yml") for name in ("test", "release"))
    (tox,) = test["jobs"].values()
    assert [step["run"] for step in tox["steps"] if "run" in step] == [".ci/run"]
    assert {"push", "pull_request", "workflow_call"} <= set(test[True])  # YAML 1.1 reads the key "on" as true
    assert release["jobs"]["test"]["uses"] == "./.github/workflows/test.yml"
    assert (release["jobs"]["wheels"]["needs"], release["jobs"]["publish"]["needs"]) == ("test", "wheels")


def test_a_commit_is_checked_by_the_same_ruff_as_tox():
    (ruff,) = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["lint"]
    pinned = {repo["repo"].rpartition("/")[2]: repo["rev"] for repo in settings_of(".pre-commit-config.yaml")["repos"]}
    assert f"ruff=={pinned['ruff-pre-commit'].removeprefix('v')}" == ruff
