"""Each list of the code is complete in the documentation: whatever is added to it must appear there."""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click
import pluggy
import pytest

import packhorse
from desk import ROOT
from packhorse import settings, testing
from packhorse.cli import cli
from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.contract import hookspecs, offers
from packhorse.errors import HOST_CODES

DOCS = ROOT / "docs"
SOURCE = ROOT / "core" / "src" / "packhorse"


@dataclass(frozen=True)
class Listed:
    """A list of the code, and how each of its names stands on a page."""

    page: Path
    names: Mapping[str, str]

    def missing(self, text: str) -> list[str]:
        """The names that are not on the page."""
        lines = f"\n{text}"
        return [name for name, form in self.names.items() if f"\n{form}" not in lines]


def headings(level: int, names: Iterable[str]) -> dict[str, str]:
    return {name: f"{'#' * level} {name}" for name in names}


def rows(names: Iterable[str]) -> dict[str, str]:
    return {name: f"| `{name}` |" for name in names}


def hooks() -> list[str]:
    manager = pluggy.PluginManager("packhorse")
    manager.add_hookspecs(hookspecs)
    return [name for name, caller in vars(manager.hook).items() if getattr(caller, "spec", None)]


def commands(command: click.Command, path: str) -> list[str]:
    if not isinstance(command, click.Group):
        return [path]
    context = click.Context(command)
    below = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [path, *(found for name, sub in below if sub for found in commands(sub, f"{path} {name}"))]


def fields_of(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


def house() -> list[str]:
    return sorted(folder.name for folder in (ROOT / "plugins").iterdir() if (folder / "pyproject.toml").exists())


@cache
def catalogue():
    return compose(settings.Settings(), packs.choose(packs.find(), house())).catalogue


def offered() -> dict[str, str]:
    return {**headings(3, catalogue().tools), **rows(catalogue().resources), **rows(catalogue().prompts)}


def host_codes() -> set[str]:
    """The refusal codes that the host itself gives to callers of tools."""
    rooms = ("audit", "door", "errors", "http", "jobs", "schema", "stdio", "wire")
    text = "\n".join(file.read_text("utf-8") for room in rooms for file in (SOURCE / room).glob("*.py"))
    found = set(re.findall(r"code(?:: str)? ?= ?\"([A-Z_]{3,})\"", text)) | {"INVALID_ARGUMENTS"}
    assert found <= HOST_CODES
    return {*HOST_CODES}


REFERENCE = DOCS / "reference"
LISTS = {
    "hooks": lambda: Listed(REFERENCE / "hooks.md", headings(2, hooks())),
    "names that packhorse exports": lambda: Listed(REFERENCE / "offers.md", headings(3, packhorse.__all__)),
    "names of jobs that packs import": lambda: Listed(REFERENCE / "offers.md", headings(3, ["Work", "Running"])),
    "fields of Tool": lambda: Listed(REFERENCE / "offers.md", rows(fields_of(offers.Tool))),
    "fields of Resource": lambda: Listed(REFERENCE / "offers.md", rows(fields_of(offers.Resource))),
    "fields of Pack": lambda: Listed(REFERENCE / "offers.md", rows(fields_of(packhorse.Pack))),
    "tests of the contract": lambda: Listed(
        REFERENCE / "offers.md",
        {name: f"- `{name}`" for name in vars(testing.PackContract) if name.startswith("test_")},
    ),
    "settings": lambda: Listed(
        REFERENCE / "settings.md",
        rows(
            [
                *(key for model in settings.HOSTS_OWN_TABLES.values() for key in model.model_fields),
                *settings.IssuerSettings.model_fields,
                *(key for key in settings.PackTable.model_fields if key != "own"),
            ]
        ),
    ),
    "keys of the whole configuration": lambda: Listed(
        DOCS / "serving.md", {name: name for name in settings.ServerSettings.model_fields if name not in _COMMENTED}
    ),
    "keys of it without a default": lambda: Listed(DOCS / "serving.md", {name: f"# {name} = " for name in _COMMENTED}),
    "commands": lambda: Listed(REFERENCE / "commands.md", headings(2, commands(cli, "packhorse"))),
    "packs": lambda: Listed(REFERENCE / "packs.md", headings(2, house())),
    "tools, resources and prompts": lambda: Listed(REFERENCE / "packs.md", offered()),
    "packs in README": lambda: Listed(ROOT / "README.md", {name: f"| [{name}](" for name in house()}),
    "codes of refusals": lambda: Listed(DOCS / "errors.md", {code: f"| `{code}` |" for code in host_codes()}),
}
_COMMENTED = [name for name, field in settings.ServerSettings.model_fields.items() if field.default is None]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_complete(name):
    listed = LISTS[name]()
    assert listed.names
    assert listed.missing(listed.page.read_text("utf-8")) == []


@pytest.mark.parametrize("name", LISTS)
def test_a_name_that_is_left_out_is_missed(name):
    listed = LISTS[name]()
    text = listed.page.read_text("utf-8")
    for left_out, form in listed.names.items():
        without = "\n".join(line for line in text.splitlines() if not line.startswith(form))
        assert left_out in listed.missing(without)


@pytest.mark.parametrize("pack", house())
def test_the_readme_of_a_pack_names_each_of_its_tools(pack):
    readme = (ROOT / "plugins" / pack / "README.md").read_text("utf-8")
    assert [name for name, tool in catalogue().tools.items() if tool.pack == pack and f"`{name}`" not in readme] == []
