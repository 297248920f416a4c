"""``packhorse bundle``: what is in the file, and that it starts from its own folder."""

import io
import json
import os
import platform
import shutil
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Annotated

import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pydantic import BaseModel, Field, SecretStr
from tests.core import tides

from packhorse.errors import PackError, UserError
from packhorse.publish.about import about, fields_of
from packhorse.publish.bundle import bundle, manifest, project, wheels_for
from packhorse.publish.commands import bundle as command
from packhorse.publish.wheels import archive, wheel_of

OURS = {"packhorse", "packhorse-tides"}


@pytest.fixture(autouse=True)
def _fresh():
    with tides.forgotten():
        yield


@pytest.fixture
def site(tmp_path, monkeypatch):
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


@pytest.fixture
def facts(site):
    tides.put(site)
    return about("tides")


def opened(content):
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert packed.testzip() is None
        return {name: packed.read(name) for name in packed.namelist()}


def test_the_manifest_says_what_the_packs_own_metadata_says(facts):
    made = manifest(facts)

    assert {key: value for key, value in made.items() if key not in ("user_config", "long_description")} == {
        "manifest_version": "0.4",
        "name": "packhorse-tides",
        "display_name": "Tides",
        "version": "1.2",
        "description": "When the water comes.",
        "author": {"name": "Ada Byron", "email": "ada@example.org"},
        "icon": "icon.png",
        "repository": {"type": "git", "url": "https://github.com/ada/tides"},
        "homepage": "https://tides.example.org",
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": [
                    "run", "--directory", "${__dirname}", "server.py",
                    "--list=PACKHORSE_PACKS_TIDES_PORTS", "${user_config.ports}",
                ],
                "env": {
                    f"PACKHORSE_PACKS_TIDES_{key.upper()}": f"${{user_config.{key}}}"
                    for key in ("harbour", "key", "table", "archive", "metres", "unit", "daylight")
                },
            },
        },
        "tools": [
            {
                "name": "tell_tides",
                "description": "Say what the settings of the tides are, one a line, for a test that looks at them.",
            }
        ],
        "tools_generated": True,
        "prompts_generated": True,
        "keywords": ["tide", "sea"],
        "license": "Apache-2.0",
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": ">=3.11 <3.15"}},
    }  # fmt: skip
    assert "When the water comes." in made["long_description"]


@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("harbour", {"type": "string", "title": "Harbour", "description": "Harbour.", "default": "Brest"}),
        ("key", {"type": "string", "title": "Key", "description": "Opens the almanac.", "sensitive": True}),
        ("table", {"type": "file", "title": "Table", "description": "A table of your own."}),
        ("archive", {"type": "directory", "title": "Archive", "description": "Archive."}),
        (
            "metres",
            {
                "type": "number", "title": "Metres", "description": "The quay's height.",
                "default": 2.5, "min": 0, "max": 20,
            },
        ),
        (
            "unit",
            {"type": "string", "title": "Unit", "description": "The unit of heights. One of: m, ft.", "default": "m"},
        ),
        ("daylight", {"type": "boolean", "title": "Daylight", "description": "Daylight.", "default": True}),
        ("ports", {"type": "string", "title": "Ports", "description": "Other ports to name.", "multiple": True}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_each_setting_is_asked_for_as_what_it_is(facts, key, asked):
    assert manifest(facts)["user_config"][key] == {"required": False, **asked}


def test_a_pack_that_needs_a_setting_has_it_required_and_lists_no_tools_beforehand(site):
    tides.put(site, required=True)
    made = manifest(about("tides"))

    assert made["user_config"]["harbour"]["required"]
    assert "default" not in made["user_config"]["harbour"]
    assert "tools" not in made


def test_a_secret_that_a_pack_has_a_default_for_is_handed_on_to_nobody():
    class Settings(BaseModel):
        key: SecretStr = SecretStr("low-water")
        code: Annotated[str, Field(json_schema_extra={"format": "password"})] = "low-water"

    assert [(field.secret, field.default) for field in fields_of("tides", Settings)] == [(True, None)] * 2


def test_an_author_can_be_given(facts):
    assert manifest(facts, "The harbour office")["author"] == {"name": "The harbour office"}


def test_our_wheels_are_in_the_bundle_and_are_what_its_project_installs(facts):
    wheels = wheels_for(facts)
    contents = opened(bundle(facts, wheels))
    asked = tomllib.loads(contents["pyproject.toml"].decode())

    sources = asked["tool"]["uv"]["sources"]
    assert set(sources) == {Requirement(line).name for line in asked["project"]["dependencies"]} == OURS
    assert {source["path"] for source in sources.values()} == {name for name in contents if name.startswith("wheels/")}


def test_the_same_pack_makes_the_same_bytes(facts):
    assert bundle(facts, wheels_for(facts)) == bundle(facts, wheels_for(facts))


def test_a_wheel_holds_what_was_installed_and_nothing_of_the_installer(facts):
    wheel = wheel_of(metadata.distribution("packhorse-tides"))

    assert wheel.name == "packhorse_tides-1.2-py3-none-any.whl"
    contents = opened(wheel.content)
    assert set(contents) == {
        "packhorse_tides.py",
        *(f"packhorse_tides-1.2.dist-info/{name}" for name in ("METADATA", "WHEEL", "entry_points.txt", "RECORD")),
    }
    rows = contents["packhorse_tides-1.2.dist-info/RECORD"].decode().splitlines()
    assert {row.split(",")[0] for row in rows} == set(contents)


def test_the_wheel_of_an_editable_pack_holds_its_modules_from_its_folder(site, tmp_path, monkeypatch):
    tides.put(site)
    source = tmp_path / "source"
    source.mkdir()
    (site / "packhorse_tides.py").rename(source / "packhorse_tides.py")
    info = site / "packhorse_tides-1.2.dist-info"
    (info / "direct_url.json").write_text('{"url": "file:///source", "dir_info": {"editable": true}}')
    record = (info / "RECORD").read_text().replace("packhorse_tides.py,", "packhorse_tides.pth,")
    (info / "RECORD").write_text(record)
    (site / "packhorse_tides.pth").write_text(str(source))
    monkeypatch.syspath_prepend(source)

    contents = opened(wheel_of(metadata.distribution("packhorse-tides")).content)

    assert contents["packhorse_tides.py"] == (source / "packhorse_tides.py").read_bytes()
    assert "packhorse_tides.pth" not in contents


def test_a_pack_that_lacks_one_of_its_files_is_refused_with_the_files_name(site):
    tides.put(site)
    (site / "packhorse_tides.py").unlink()

    with pytest.raises(PackError, match=r"packhorse_tides\.py.*Install it again"):
        wheel_of(metadata.distribution("packhorse-tides"))


def test_the_hosts_wheel_holds_its_modules_its_templates_and_no_caches():
    contents = opened(wheel_of(metadata.distribution("packhorse")).content)

    assert {"packhorse/__init__.py", "packhorse/py.typed", "packhorse/templates/bundle_server.txt"} <= set(contents)
    assert not [name for name in contents if "__pycache__" in name or name.endswith(".pth")]


def test_a_pack_with_compiled_parts_is_refused_by_its_wheels_name(site):
    tides.put(site, tag="cp311-cp311-linux_x86_64")

    with pytest.raises(PackError, match="cp311-cp311-linux_x86_64"):
        wheels_for(about("tides"))


def test_a_pack_whose_files_are_not_known_is_refused_with_the_cure(site):
    tides.put(site)
    (site / "packhorse_tides-1.2.dist-info" / "RECORD").unlink()

    with pytest.raises(PackError, match="--force-reinstall"):
        wheel_of(metadata.distribution("packhorse-tides"))


def test_a_pack_that_is_broken_is_refused_with_its_reason(site):
    tides.put(site)
    (site / "packhorse_tides.py").write_text("raise RuntimeError('low water')")

    with pytest.raises(PackError, match="low water"):
        about("tides")


def test_the_command_writes_the_file_and_says_what_it_asks_for(site, tmp_path):
    tides.put(site)
    file = tmp_path / "tides.mcpb"

    told = CliRunner().invoke(command, ["tides", "--output", str(file)], catch_exceptions=False).output

    assert json.loads(opened(file.read_bytes())["manifest.json"])["name"] == "packhorse-tides"
    assert "packhorse_tides-1.2-py3-none-any.whl" in told
    assert "harbour, key, table" in told


def test_a_file_that_cannot_be_written_is_refused_with_the_option(site, tmp_path):
    tides.put(site)

    with pytest.raises(UserError, match="--output"):
        CliRunner().invoke(command, ["tides", "--output", str(tmp_path)], catch_exceptions=False)


def needed(name, extras=frozenset(), seen=None):
    """Every installed distribution that this one needs here, itself included."""
    seen = {} if seen is None else seen
    key = (canonicalize_name(name), extras)
    if key not in seen:
        seen[key] = distribution = metadata.distribution(name)
        for line in distribution.requires or ():
            requirement = Requirement(line)
            if any(
                requirement.marker is None or requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)
            ):
                needed(requirement.name, frozenset(requirement.extras), seen)
    return {name for name, _ in seen}


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_bundle_starts_from_its_own_folder_without_an_index_that_knows_our_names(facts, tmp_path):
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        pytest.skip("uv is not here: it is what an app starts a bundle with")
    shelf = tmp_path / "others"  # other people's distributions: all that an index would have
    shelf.mkdir()
    for name in needed("packhorse") - OURS:
        wheel = wheel_of(metadata.distribution(name))
        (shelf / wheel.name).write_bytes(wheel.content)
    folder = tmp_path / "app" / "tides"
    contents = opened(bundle(facts, wheels_for(facts)))
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    # uv settles every platform and every Python at once; the shelf is of this machine alone.
    here = f"sys_platform == '{sys.platform}' and python_full_version == '{platform.python_version()}'"
    asked = contents["pyproject.toml"].decode()
    (folder / "pyproject.toml").write_text(
        asked.replace("package = false", f'package = false\nenvironments = ["{here}"]')
    )
    config = json.loads(contents["manifest.json"])["server"]["mcp_config"]
    given = {"harbour": "Saint-Malo", "metres": "3"}  # the others stay as the app leaves them: unfilled
    args = [str(folder) if word == "${__dirname}" else word for word in config["args"]]
    at = args.index("${user_config.ports}")
    args[at : at + 1] = ["Le Havre", "Dover"]
    env = {name: given.get(text[len("${user_config.") : -1], text) for name, text in config["env"].items()}
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        "UV_CACHE_DIR": str(tmp_path / "cache"),
        "UV_FIND_LINKS": str(shelf),
        "UV_LINK_MODE": "symlink",
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
    }
    server = StdioServerParameters(command=uv, args=args, env={**surroundings, **env})

    async with Client(stdio_client(server), mode="legacy") as client:
        reply = await client.call_tool("tell_tides", {})

    assert reply.structured_content == {"result": ["Saint-Malo", "Le Havre", "Dover", "3.0"]}
    found = next((folder / ".venv").rglob("packhorse/__init__.py"))
    assert found.is_relative_to(folder)


def test_an_archive_does_not_depend_on_the_order_of_its_files():
    assert archive({"b": b"2", "a": b"1"}) == archive({"a": b"1", "b": b"2"})


def test_a_project_is_named_after_the_distribution_and_is_no_package(facts):
    asked = tomllib.loads(project(facts, wheels_for(facts)))

    assert asked["project"]["name"] == "packhorse-tides-bundle"
    assert asked["tool"]["uv"]["package"] is False
