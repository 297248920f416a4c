"""The generated pages say what the code says, and one that does not is found."""

import re
import runpy
import shutil
import sys
from types import ModuleType

import generate
import pytest
from generator.packs import pack_chapter
from generator.schemas import kind
from pydantic import BaseModel, Field

from desk import ROOT
from packhorse import Example, Pack, Prompt, Resource, Tool, hookimpl
from packhorse.testing import deployment_for

DOCS = ROOT / "docs"


@pytest.fixture
def copied(tmp_path):
    """A copy of the pages, to be spoiled."""
    folder = tmp_path / "docs"
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "generator"))
    return folder


def test_the_generated_pages_are_what_the_code_says(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(DOCS / "generate.py"), run_name="__main__")
    assert (ended.value.code, *capsys.readouterr()) == (0, "", "")


def test_each_page_that_is_spoiled_is_found_and_mended(copied, capsys):
    assert generate.stale(copied) == {}
    pages = generate.wanted(copied)
    written = {"hooks", "offers", "settings", "commands", "packs", "first-pack", "serving", "architecture"}
    assert written == {p.stem for p in pages}
    for page, text in pages.items():
        page.write_text(_spoiled(text), "utf-8")

    assert generate.main(["--check"], copied) == 1
    said = capsys.readouterr().out
    assert [page.name for page in pages if f"{page.name} is stale" not in said] == []
    assert generate.main([], copied) == 0
    assert generate.stale(copied) == {}
    assert {page: page.read_text("utf-8") for page in pages} == pages


def _spoiled(text):
    """A page with one letter lost: in its first included file or generated part, else at its end."""
    marked = re.search(r"<!-- (?:include|generated): \S+ -->\n```\w+\n", text)
    place = marked.end() if marked else len(text) - 2
    return text[:place] + text[place + 1 :]


def test_a_page_that_is_not_there_is_stale(copied):
    (copied / "reference" / "hooks.md").unlink()
    assert [page.name for page in generate.stale(copied)] == ["hooks.md"]


def test_the_tutorials_code_is_the_examples_own():
    page = (DOCS / "first-pack.md").read_text("utf-8")
    shown = dict(re.findall(r"<!-- include: (\S+) -->\n```\w+\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))
    folder = ROOT / "examples" / "packhorse-moon"
    files = [file for file in folder.iterdir() if file.suffix in (".py", ".toml")]
    assert shown == {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in files}


class Ledger(BaseModel):
    """Settings of the seeded pack."""

    currency: str = Field("EUR", description="What prices are in.")


class Order(BaseModel):
    """One order."""

    number: int = Field(ge=1)
    lines: list[str] = Field(max_length=3)


def enter(order: Order, note: str | None = None) -> Order:
    """Enter an order into the ledger, and read it back."""
    return order


def wipe() -> None:
    """Wipe the ledger, for good."""


def ask(about: str) -> str:
    """Ask about an order."""
    return about


def test_a_packs_chapter_has_its_settings_tools_resources_and_prompts():
    module = ModuleType("ledger")
    module.pack = Pack("Ledger", settings=Ledger)
    module.register_tools = hookimpl(
        _named("register_tools", lambda: [
            Tool(
                fn=enter,
                title="Enter it",
                roles=["CLERK", "ADMIN"],
                refusals={"order.number": "BAD_NUMBER"},
                examples=[Example({}, refused="CLOSED"), Example({"order": {"number": 1, "lines": ["it's"]}})],
            ),
            Tool(fn=wipe, public=True, destructive=True),
        ])
    )  # fmt: skip
    module.register_resources = hookimpl(
        _named("register_resources", lambda: [Resource(uri="ledger://{page}", fn=lambda page: page, public=True)])
    )
    module.register_prompts = hookimpl(_named("register_prompts", lambda: [Prompt(fn=ask)]))
    chapter = pack_chapter(deployment_for(ledger=module).catalogue, "Keeps a ledger.")

    assert chapter.startswith("## ledger\n\nKeeps a ledger.\n\nSettings, under `[packs.ledger]`:")
    for line in (
        '| `currency` | text | `"EUR"` | What prices are in. |',
        "*Enter it* (for ADMIN, CLERK)",
        "| `order.number` | integer, at least 1 | **required** |  |",
        "| `order.lines` | list of text, at most 3 items | **required** |  |",
        "| `note` | text |  |  |",
        "| `BAD_NUMBER` | `order.number` |",
        "| `CLOSED` | arguments that do not fit together |",
        """$ packhorse call enter '{"order": {"number": 1, "lines": ["it'\\''s"]}}'""",
        "*wipe* (for everybody, destructive)",
        "It takes no arguments.",
        "| `ledger://{page}` | everybody |  |",
        "| `ask` | everybody where no authentication is configured | `about` |",
    ):
        assert line in chapter.splitlines()


def _named(name, function):
    function.__name__ = name
    return function


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "minLength": 1}, "text, at least 1 character"),
        ({"type": "string", "minLength": 1, "maxLength": 9}, "text, 1 to 9 characters"),
        ({"type": "integer", "minimum": 0, "maximum": 7}, "integer, 0 to 7"),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, "number, above 0, below 1"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}], "minimum": 0}, "number, at least 0"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "text"),
        ({"enum": ["a", 1]}, '`"a"` or `1`'),
        ({"const": True}, "`true`"),
        ({"type": "array"}, "list"),
        ({"type": "array", "items": {"$ref": "#/$defs/Day"}, "maxItems": 1}, "list of object, at most 1 item"),
        ({}, "anything"),
    ],
)
def test_a_schema_is_said_in_words(schema, words):
    assert kind(schema, {"$defs": {"Day": {"type": "object"}}}) == words
