"""``packhorse registry``: an entry that the registry's published schema takes."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft7Validator
from tests.core import tides

from packhorse.compose.packs import core_version
from packhorse.errors import UserError
from packhorse.publish.about import about
from packhorse.publish.commands import registry
from packhorse.publish.registry import Download, entry, name_for, unproved

SCHEMA = json.loads((Path(__file__).parent / "golden" / "server.schema.json").read_text("utf-8"))
SCRIPT = "\n[console_scripts]\npackhorse-tides = packhorse.cli:main\n"
URL = "https://github.com/ada/tides/releases/download/1.2/packhorse-tides-1.2.mcpb"


@pytest.fixture(autouse=True)
def _fresh():
    with tides.forgotten():
        yield


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def put(**about_it):
        tides.put(tmp_path, **about_it)
        return about("tides")

    return put


def valid(made):
    Draft7Validator.check_schema(SCHEMA)
    Draft7Validator(SCHEMA, format_checker=Draft7Validator.FORMAT_CHECKER).validate(made)
    return made


def test_the_entry_says_what_the_packs_own_metadata_says(put):
    made = valid(entry(put(script=SCRIPT), "io.github.ada/tides"))

    (package,) = made.pop("packages")
    variables = {variable["name"].removeprefix("PACKHORSE_PACKS_TIDES_"): variable
                 for variable in package.pop("environmentVariables")}  # fmt: skip
    assert made == {
        "$schema": SCHEMA["$id"],
        "name": "io.github.ada/tides",
        "title": "Tides",
        "description": "When the water comes.",
        "version": "1.2",
        "websiteUrl": "https://tides.example.org",
        "repository": {"url": "https://github.com/ada/tides", "source": "github"},
    }
    assert package == {
        "registryType": "pypi",
        "identifier": "packhorse-tides",
        "version": "1.2",
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "packageArguments": [{"type": "positional", "value": word} for word in ("serve", "tides", "--transport=stdio")],
    }
    assert list(variables) == ["HARBOUR", "KEY", "TABLE", "ARCHIVE", "METRES", "UNIT", "DAYLIGHT", "PORTS"]
    assert variables["KEY"]["isSecret"]
    assert "default" not in variables["KEY"]
    assert (variables["METRES"]["format"], variables["METRES"]["default"]) == ("number", "2.5")
    assert (variables["DAYLIGHT"]["format"], variables["DAYLIGHT"]["default"]) == ("boolean", "true")
    assert variables["UNIT"]["choices"] == ["m", "ft"]
    assert variables["TABLE"]["format"] == "filepath"
    assert "as JSON" in variables["PORTS"]["description"]


def test_a_pack_without_a_script_of_its_name_is_started_by_the_host_with_the_pack_beside_it(put):
    (package,) = valid(entry(put(), "io.github.ada/tides"))["packages"]

    assert (package["identifier"], package["version"]) == ("packhorse", core_version())
    assert package["runtimeArguments"] == [{"type": "named", "name": "--with", "value": "packhorse-tides==1.2"}]


def test_a_setting_that_must_be_given_is_required(put):
    (package,) = valid(entry(put(required=True), "io.github.ada/tides"))["packages"]

    assert package["environmentVariables"][0]["isRequired"]


def test_a_long_description_is_cut_to_what_the_schema_takes(put):
    said = valid(entry(put(summary="water " * 40), "io.github.ada/tides"))["description"]

    assert len(said) == 100
    assert said.endswith("…")


def test_a_bundle_is_an_entry_with_its_address_and_hash(put):
    made = valid(entry(put(), "io.github.ada/tides", download=Download(URL, b"bundle")))

    assert made["packages"] == [
        {
            "registryType": "mcpb",
            "identifier": URL,
            "version": "1.2",
            "fileSha256": sha256(b"bundle").hexdigest(),
            "transport": {"type": "stdio"},
        }
    ]


def test_a_server_on_the_web_is_listed_with_its_address(put):
    made = valid(entry(put(), "io.github.ada/tides", remote="https://tides.example.org/mcp"))

    assert made["remotes"] == [{"type": "streamable-http", "url": "https://tides.example.org/mcp"}]


@pytest.mark.parametrize("url", ["http://tides.example.org/mcp", "tides", "https:///mcp", "https://a b/"])
def test_an_address_that_is_not_https_is_refused(put, url):
    facts = put()
    with pytest.raises(UserError, match="--remote"):
        entry(facts, "io.github.ada/tides", remote=url)


@pytest.mark.parametrize(
    ("given", "readme", "name"),
    [
        pytest.param("org.example/tides", "mcp-name: io.github.eve/tides", "org.example/tides", id="as given"),
        pytest.param(None, "mcp-name: org.example/sea", "org.example/sea", id="as the README claims"),
        pytest.param(None, "", "io.github.ada/packhorse-tides", id="from the repository"),
    ],
)
def test_the_name_is_the_one_given_else_claimed_else_that_of_the_repository(put, given, readme, name):
    assert name_for(put(readme=readme), given) == name


@pytest.mark.parametrize("name", ["tides", "io.github.ada/tides/two", "io.github.ada/", "a b/c", f"a/{'b' * 199}"])
def test_a_name_that_the_registry_would_not_take_is_refused_with_the_form(put, name):
    facts = put()
    with pytest.raises(UserError, match=r"io\.github\.USER/packhorse-tides"):
        name_for(facts, name)


@pytest.mark.parametrize(
    ("script", "readme", "missing"),
    [
        pytest.param("", "", "README must hold .* as published. To start packhorse-tides itself", id="no script"),
        pytest.param(SCRIPT, "", "README of packhorse-tides", id="no line"),
        pytest.param(SCRIPT, "mcp-name: a.b/other", "README of packhorse-tides", id="another's line"),
        pytest.param(SCRIPT, "mcp-name: a.b/tides", None, id="all there"),
    ],
)
def test_what_the_registry_would_refuse_is_said_beforehand(put, script, readme, missing):
    said = unproved(put(script=script, readme=readme), "a.b/tides")

    if missing is None:
        assert said is None
    else:
        assert re.search(missing, said)


def test_the_command_prints_the_entry_alone_on_standard_output(put):
    put()
    result = CliRunner().invoke(registry, ["tides"], catch_exceptions=False)

    assert valid(json.loads(result.stdout))["name"] == "io.github.ada/packhorse-tides"
    assert "mcp-name: io.github.ada/packhorse-tides" in result.stderr


def test_a_bundle_without_its_address_is_refused_with_both_options(put, tmp_path):
    put()
    (tmp_path / "tides.mcpb").write_bytes(b"bundle")
    result = CliRunner().invoke(registry, ["tides", "--bundle", str(tmp_path / "tides.mcpb")])

    assert result.exit_code == 2
    assert "--bundle-url" in result.stderr
