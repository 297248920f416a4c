"""Six distributions of one version; each wheel is whole."""

import email
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.settings import ServerSettings, Settings

ROOT = Path(__file__).resolve().parents[2]
PACKS = ("circadian", "discovery", "locator", "pai", "scheduling")
LICENCES = {"packhorse-locator": "Apache-2.0 AND CC-BY-SA-4.0 AND MIT"}
"""Of a distribution that ships data under a licence of their own."""
MEMBERS = {"packhorse": ROOT / "core", **{f"packhorse-{name}": ROOT / "plugins" / name for name in PACKS}}


def manifest(name):
    return tomllib.loads((MEMBERS[name] / "pyproject.toml").read_text("utf-8"))["project"]


def test_all_six_have_one_version_and_packs_ask_for_this_minor_of_the_core():
    version = manifest("packhorse")["version"]
    major, minor, _ = version.split(".")
    for name in MEMBERS:
        assert manifest(name)["version"] == version
        if name != "packhorse":
            asked = [Requirement(line) for line in manifest(name)["dependencies"]]
            (core,) = [one for one in asked if one.name == "packhorse"]  # with whatever extras it needs
            assert core.specifier == SpecifierSet(f">={major}.{minor},<{major}.{int(minor) + 1}")


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_that_starts_jobs_brings_what_jobs_need(tmp_path, name):
    settings = Settings(server=ServerSettings(data_dir=tmp_path, packs=(name,)))
    tools = compose(settings, packs.find()).catalogue.tools.values()
    required = [Requirement(line) for line in manifest(f"packhorse-{name}")["dependencies"]]
    extras = {extra for one in required if one.name == "packhorse" for extra in one.extras}

    assert ("jobs" in extras) is any(tool.offer.job for tool in tools if tool.pack == name)


def test_packs_depend_on_the_core_and_never_on_one_another():
    for name in MEMBERS:
        own = [line for line in manifest(name)["dependencies"] if line.startswith("packhorse")]
        assert len(own) == (0 if name == "packhorse" else 1), f"{name}: {own}"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    uv = shutil.which("uv")
    assert uv, "uv builds the wheels; the workspace environment installs it with tox-uv"
    for member in MEMBERS.values():
        subprocess.run([uv, "build", "--wheel", "--quiet", "--out-dir", str(folder), str(member)], check=True)
    return {wheel.name.split("-")[0].replace("_", "-"): wheel for wheel in folder.glob("*.whl")}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_wheel_carries_types_licence_readme_and_entry_point(wheels, name):
    with zipfile.ZipFile(wheels[name]) as wheel:
        files = wheel.namelist()
        module = name.replace("-", "_")
        assert f"{module}/py.typed" in files
        for licence in manifest(name)["license-files"]:
            assert any(file.endswith(f"licenses/{licence}") for file in files)
        metadata = email.message_from_bytes(wheel.read(next(f for f in files if f.endswith("/METADATA"))))
        assert metadata["License-Expression"] == LICENCES.get(name, "Apache-2.0")
        assert metadata.get_payload().startswith(f"# {name}")
        points = wheel.read(next(file for file in files if file.endswith("/entry_points.txt"))).decode()
    if name == "packhorse":
        assert "packhorse = packhorse.cli:main" in points
    else:
        assert f"{name.removeprefix('packhorse-')} = {module}.pack" in points


def test_every_source_file_is_in_its_wheel(wheels):
    for name, member in MEMBERS.items():
        with zipfile.ZipFile(wheels[name]) as wheel:
            inside = set(wheel.namelist())
        source = member / "src"
        for file in source.rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                assert file.relative_to(source).as_posix() in inside


@pytest.mark.parametrize("name", [name for name in MEMBERS if name != "packhorse"])
def test_the_wheel_of_each_pack_carries_its_skills(wheels, name):
    folder = f"{name.replace('-', '_')}/skills/"
    with zipfile.ZipFile(wheels[name]) as wheel:
        inside = [file.removeprefix(folder) for file in wheel.namelist() if file.startswith(folder) and file[-1] != "/"]
    source = MEMBERS[name] / "src" / folder
    assert sorted(inside) == sorted(file.relative_to(source).as_posix() for file in source.rglob("*") if file.is_file())
    assert any(file.endswith("/SKILL.md") for file in inside)
