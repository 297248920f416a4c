"""Bundles before the format's own tool: Anthropic's ``mcpb`` validates and packs each installed pack's."""

import io
import zipfile

import pytest

from harness import HarnessError, Node, install
from packhorse.compose import packs
from packhorse.publish.about import about
from packhorse.publish.bundle import bundle, wheels_for

PACKAGE, VERSION = "@anthropic-ai/mcpb", "2.1.2"


@pytest.fixture(scope="session")
def mcpb(tmp_path_factory):
    """Runs one command of the tool."""
    try:
        node = Node.from_wheel()
        script = install(node, PACKAGE, VERSION, tmp_path_factory.mktemp("mcpb"))
    except HarnessError as exc:
        pytest.skip(str(exc))
    return lambda *words: node.run(script.parent / "cli" / "cli.js", *map(str, words))


@pytest.fixture
def unpacked(tmp_path):
    """A pack's bundle in a folder."""

    def unpack(name):
        facts = about(name)
        with zipfile.ZipFile(io.BytesIO(bundle(facts, wheels_for(facts)))) as packed:
            packed.extractall(tmp_path / "bundle")
        return tmp_path / "bundle"

    return unpack


@pytest.mark.parametrize("name", [found.name for found in packs.find()])
def test_the_formats_own_tool_validates_and_packs_a_packs_bundle(mcpb, unpacked, name, tmp_path):
    folder = unpacked(name)
    validated = mcpb("validate", folder / "manifest.json")
    packed = mcpb("pack", folder, tmp_path / "packed.mcpb")

    assert validated.returncode == 0, validated.stdout + validated.stderr
    assert packed.returncode == 0, packed.stdout + packed.stderr
    with zipfile.ZipFile(tmp_path / "packed.mcpb") as made:
        assert set(made.namelist()) == {str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file()}


def test_the_tool_does_refuse_a_manifest_that_lacks_something(mcpb, tmp_path):
    (tmp_path / "manifest.json").write_text('{"manifest_version": "0.4", "name": "nothing"}')

    assert mcpb("validate", tmp_path / "manifest.json").returncode != 0
