"""The page about the packs of the house: what each offers, takes and refuses."""

import json
import tempfile
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

from generator.markdown import code, page, table
from generator.schemas import answer_table, arguments_table, keys_table

from packhorse import Prompt, Resource, Tool
from packhorse.compose import packs
from packhorse.compose.deployment import compose
from packhorse.door.catalogue import Catalogue, ToolEntry
from packhorse.settings import ServerSettings, Settings

ROOT = Path(__file__).resolve().parents[2]
_MARKS = ("read_only", "destructive", "idempotent", "open_world")


@cache
def packs_page() -> str:
    """Every pack of the house."""
    served = {name: catalogue_of(name) for name in house()}
    about = {name: _summary(catalogue) for name, catalogue in served.items()}
    rows = [[f"[{name}](#{name})", about[name], _tool_links(catalogue)] for name, catalogue in served.items()]
    chapters = [pack_chapter(catalogue, about[name]) for name, catalogue in served.items()]
    intro = (
        "Each is a distribution of its own, called `packhorse-` and its name. A tool refuses whatever its table does"
        " not allow: with the argument's own code where it has one, else with `INVALID_ARGUMENTS`. The host's codes are"
        " in [Errors](../errors.md#codes-of-refusals)."
    )
    return page("Packs", intro, table(["pack", "about", "tools"], rows), *chapters)


def house() -> list[str]:
    """The packs that this checkout holds, by the names of their entry points."""
    manifests = sorted((ROOT / "plugins").glob("*/pyproject.toml"))
    projects = [tomllib.loads(manifest.read_text("utf-8"))["project"] for manifest in manifests]
    return [name for project in projects for name in project["entry-points"]["packhorse"]]


def catalogue_of(name: str) -> Catalogue:
    """What one installed pack offers."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerSettings(data_dir=Path(folder), strict=True)
        return compose(Settings(server=server), packs.choose(packs.find(), [name])).catalogue


def pack_chapter(catalogue: Catalogue, summary: str) -> str:
    """What one pack offers, in its own chapter."""
    loaded = catalogue.packs[0]
    parts = [f"## {loaded.found.name}", summary]
    if loaded.pack.settings is not None:
        parts += [
            f"Settings, under `[packs.{loaded.found.name}]`:",
            keys_table(loaded.pack.settings.model_json_schema()),
        ]
    if not catalogue.entries:
        parts.append("In this version it is found and served, and offers no tools yet.")
    if loaded.pack.codes:
        codes = " ".join(f"`{code}`" for code in loaded.pack.codes.split())
        parts.append(f"Its tools refuse with these codes, and with the host's: {codes}")
    parts += [_tool(entry) for entry in catalogue.tools.values()]
    resources = [
        [f"`{uri}`", who(entry.offer), " ".join((entry.description or "").split())]
        for uri, entry in catalogue.resources.items()
    ]
    prompts = [
        [f"`{name}`", who(entry.offer), ", ".join(f"`{key}`" for key in entry.parameters.plain)]
        for name, entry in catalogue.prompts.items()
    ]
    parts += [table(["resource", "for", "about"], resources), table(["prompt", "for", "arguments"], prompts)]
    return "\n\n".join(part for part in parts if part)


def who(offer: Tool | Resource | Prompt) -> str:
    """Who may see and use an offer."""
    if offer.public:
        return "everybody"
    return ", ".join(sorted(offer.roles)) or "everybody where no authentication is configured"


def _summary(catalogue: Catalogue) -> str:
    return str(metadata.metadata(catalogue.packs[0].found.distribution)["Summary"] or "")


def _tool_links(catalogue: Catalogue) -> str:
    return ", ".join(f"[`{tool}`](#{tool})" for tool in catalogue.tools) or "none yet"


def _tool(entry: ToolEntry) -> str:
    offer = entry.offer
    about = ", ".join([f"for {who(offer)}", *(mark.replace("_", "-") for mark in _MARKS if getattr(offer, mark))])
    parts = [f"### {entry.name}", f"*{offer.title or entry.name}* ({about})", entry.description]
    arguments = arguments_table(entry.arguments.schema)
    parts += ["Arguments:", arguments] if arguments else ["It takes no arguments."]
    if entry.answers.schema is not None:
        parts += ["Answer:", answer_table(entry.answers.schema)]
    refusals = _refusals(entry)
    parts += ["Refusals:", refusals] if refusals else []
    call = _call(entry)
    parts += ["For example:", code(call, "console")] if call else []
    return "\n\n".join(parts)


def _refusals(entry: ToolEntry) -> str:
    codes: dict[str, list[str]] = {}
    for argument, said in entry.offer.refusals.items():
        codes.setdefault(said, []).append(f"`{argument}`")
    for example in entry.offer.examples:
        if example.refused is not None:
            codes.setdefault(example.refused, [])
    rows = [[f"`{said}`", ", ".join(about) or "arguments that do not fit together"] for said, about in codes.items()]
    return table(["code", "about"], rows)


def _call(entry: ToolEntry) -> str:
    """A call that answers, without its answer's details."""
    accepted = next((example for example in entry.offer.examples if example.refused is None), None)
    if accepted is None:
        return ""
    written = json.dumps(dict(accepted.arguments)).replace("'", "'\\''")
    return f"$ packhorse call {entry.name} '{written}'\n..."
