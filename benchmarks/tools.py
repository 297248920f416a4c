"""What the tools of the five packs cost a language model, and how well they are found.

    python benchmarks/tools.py tokens                   by tool, pack, role and mode
    python benchmarks/tools.py search                   sentences of users, by this index and by FastMCP's
    python benchmarks/tools.py search --others          and those of other authors, which nobody who writes words reads
    python benchmarks/tools.py answers                  a sample answer of every tool

A token is one of the o200k vocabulary over compact JSON of name, description and input schema (``pip install
bpe-openai``); without it, 4.3 characters. FastMCP's index is used where fastmcp is installed. ``search`` reads
sentences beside this file, and, where they are, others and foreign tools in ``../shared/tools``. A sentence is found
where one of its tools is among the first five; sentences whose tools are all absent are left out, and counted.
"""

import argparse
import json
import logging
import statistics
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
from mcp_types import Implementation

from packhorse import Principal
from packhorse.contract.packs import Offered
from packhorse.contract.principal import LOCAL
from packhorse.search.offer import Index
from packhorse.settings import ServerSettings
from packhorse.testing import connected, deployment_for

PACKS = ("circadian", "discovery", "locator", "pai", "scheduling")
ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "tools"
OWN = {
    "ours": Path(__file__).with_name("tool_sentences.json"),
    "ours, later": Path(__file__).with_name("tool_sentences_later.json"),
}
CLAUDE_CODE = {"client_info": Implementation(name="claude-code", version="1")}
ROLES = {
    "coordinator": Principal("human", "c", frozenset({"COORDINATOR"})),
    "resident": Principal("human", "r", frozenset({"RESIDENT"})),
    "faculty": Principal("human", "f", frozenset({"FACULTY"})),
    "advocate": Principal("human", "a", frozenset({"ADVOCATE"})),
}
GOALS = {"all packs": 12_500, "a pack": 3_000, "scheduling": 3_800, "worst tool": 500, "search at start": 600}


@cache
def counter() -> Callable[[str], int]:
    """Counts the tokens of a text."""
    if find_spec("bpe_openai") is None:
        return lambda text: round(len(text) / 4.3)
    import bpe_openai

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        encoding = bpe_openai.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text))


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def modules() -> dict[str, Any]:
    from importlib import import_module

    return {name: import_module(f"packhorse_{name}.pack") for name in PACKS}


def deployment(packs: Sequence[str] = PACKS, **server: Any) -> Any:
    folder = Path(tempfile.mkdtemp(prefix="packhorse-tools-"))
    chosen = {name: module for name, module in modules().items() if name in packs}
    return deployment_for(data_dir=folder, server=ServerSettings(**server), **chosen)


async def listed(served: Any, principal: Any = LOCAL, client: Mapping[str, Any] | None = None) -> tuple[dict, str]:
    """By name, the tools that a client is listed; and its instructions."""
    async with connected(served, protocol="2025-11-25", principal=principal, **(client or {})) as opened:
        tools = (await opened.list_tools()).tools
        return {tool.name: tool for tool in tools}, opened.instructions or ""


def weight(tool: Any) -> int:
    shown = {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
    return counter()(compact(shown))


# --- tokens ---


async def show_tokens() -> None:
    served = deployment()
    normal, instructions = await listed(served)
    of = {name: entry.pack for name, entry in served.catalogue.tools.items()}
    weights = {name: weight(tool) for name, tool in normal.items()}
    print("| what | tools | tokens | goal |\n|---|---|---|---|")
    print(f"| all packs, normal level | {len(normal)} | {sum(weights.values()):,} | {GOALS['all packs']:,} |")
    everything, _ = await listed(deployment(level="expert"), client=CLAUDE_CODE)
    print(f"| the same with experts' tools and search words | {len(everything)} |", end="")
    print(f" {sum(map(weight, everything.values())):,} | 16,000 |")
    full, _ = await listed(deployment(level="expert", schemas="full"))
    print(f"| the same, schemas in full, no words | {len(full)} | {sum(map(weight, full.values())):,} | |")
    for pack in (*PACKS, "packhorse"):
        own = [weights[name] for name in normal if of[name] == pack]
        goal = GOALS["scheduling"] if pack == "scheduling" else GOALS["a pack"]
        print(f"| {pack} | {len(own)} | {sum(own):,} | {goal:,} |")
    for role, principal in ROLES.items():
        seen, _ = await listed(deployment(), principal=principal)
        print(f"| {role}, all packs | {len(seen)} | {sum(map(weight, seen.values())):,} | |")
    alone, _ = await listed(deployment(["scheduling"]), principal=ROLES["resident"])
    count = sum(of[name] == "scheduling" for name in alone)
    print(f"| resident, scheduling | {count} | {sum(map(weight, alone.values())):,} | 12 tools |")
    searching, said = await listed(deployment(tools="search"))
    start = sum(map(weight, searching.values())) + counter()(said)
    print(f"| search at start, instructions included | {len(searching)} | {start:,} | {GOALS['search at start']:,} |")
    worst = max(weights, key=weights.__getitem__)
    print(f"| worst tool: {worst} | | {weights[worst]:,} | {GOALS['worst tool']:,} |")
    print(f"| median tool | | {statistics.median(weights.values()):,.0f} | |")
    print(f"| instructions of all packs | | {counter()(instructions):,} | |\n")
    print("| tool | pack | tokens |\n|---|---|---|")
    for name, tokens in sorted(weights.items(), key=lambda row: -row[1]):
        print(f"| {name} | {of[name]} | {tokens:,} |")
    experts = [name for name, entry in served.catalogue.tools.items() if entry.offer.level == "expert"]
    print(f"\nexpert: {', '.join(experts)}")


# --- search ---


def foreign() -> list[Offered]:
    if not (SHARED / "foreign.json").exists():
        return []
    return [
        plain(f"{tool['server']}__{tool['tool']}", tool["description"], tool.get("inputSchema"))
        for tool in json.loads((SHARED / "foreign.json").read_text("utf-8"))["tools"]
    ]


def plain(name: str, description: str | None, schema: Mapping[str, Any] | None) -> Offered:
    return Offered(name, description or "", schema or {}, False, False, "")


def fastmcp_index(tools: Sequence[Offered]) -> Callable[[str], list[str]] | None:
    if find_spec("fastmcp") is None:
        return None
    from fastmcp.server.transforms.search.base import _extract_searchable_text
    from fastmcp.server.transforms.search.bm25 import _BM25Index

    index = _BM25Index()
    index.build(
        [
            _extract_searchable_text(
                SimpleNamespace(name=tool.name, description=tool.description, parameters=tool.input_schema)
            )
            for tool in tools
        ]
    )
    return lambda query: [tools[place].name for place in index.query(query, 5)]


def hits(sentences: Sequence[Any], known: set[str], ranked: Callable[[str], list[str]]) -> tuple[float, float, int]:
    """hit@1, hit@5, and of how many sentences."""
    first = five = counted = 0
    for sentence, wanted in sentences:
        if not known & set(wanted):
            continue
        counted += 1
        found = ranked(sentence)
        first += bool(found[:1] and found[0] in wanted)
        five += bool(set(found) & set(wanted))
    return (first / counted, five / counted, counted) if counted else (0.0, 0.0, 0)


async def show_search(others_too: bool = False) -> None:
    served = deployment()
    shown, _ = await listed(served, client=CLAUDE_CODE)
    as_listed = [plain(name, tool.description, tool.input_schema) for name, tool in shown.items()]
    bare = [plain(name, tool.description, tool.input_schema) for name, tool in (await listed(served))[0].items()]
    ours = list(served.dispatcher.offered(LOCAL))
    strangers = foreign()
    sets = {name: json.loads(path.read_text("utf-8")) for name, path in OWN.items()}
    if others_too and (SHARED / "sentences.json").exists():
        sets["of another author"] = json.loads((SHARED / "sentences.json").read_text("utf-8"))
    print(f"{len(as_listed)} tools listed, {len(ours)} found; {len(strangers)} foreign ones")
    print("| index | tools | sentences | counted | hit@1 | hit@5 |\n|---|---|---|---|---|---|")
    for name, sentences in sets.items():
        for others in ([], strangers) if strangers else ([],):
            rows: Iterator[tuple[str, Any, Sequence[Offered]]] = iter(
                (
                    ("FastMCP's, no words", fastmcp_index([*bare, *others]), bare),
                    ("FastMCP's, words in descriptions", fastmcp_index([*as_listed, *others]), as_listed),
                    ("packhorse's", partial(Index([*ours, *others]).ranked, most=5), ours),
                )
            )
            for label, ranked, known in rows:
                if ranked is None:
                    print(f"| {label} | fastmcp is not installed | {name} | | | |")
                    continue
                one, five, counted = hits(sentences, {tool.name for tool in known}, ranked)
                total = len(known) + len(others)
                print(f"| {label} | {total} | {name} ({len(sentences)}) | {counted} | {one:.2f} | {five:.2f} |")
    costs = []
    async with connected(deployment(tools="search")) as client:
        for sentences in sets.values():
            for sentence, _ in sentences:
                reply = await client.call_tool("search_tools", {"query": sentence})
                costs.append(counter()(reply.content[0].text))
    costs.sort()
    print(
        f"\nan answer of search_tools: median {costs[len(costs) // 2]}, p95 {costs[int(len(costs) * 0.95)]}, ", end=""
    )
    print(f"worst {costs[-1]} tokens")


# --- answers ---


def show_answers() -> None:
    """The larger channel of each sample answer; of scheduling, on a year of sixty people."""
    sys.path[:0] = [str(ROOT / "tests" / "scheduling"), str(ROOT)]
    from tests.contract.sample_answers import MORE, answers

    import roster_large
    import scheduling_sizes
    from packhorse.testing import fixed_clock

    rows = []
    for pack in MORE:
        for tool, text, structured in anyio.run(answers, pack):
            size = max(counter()(text), counter()(compact(structured)) if structured is not None else 0)
            rows.append((size, tool, "refused" if structured is None else ""))
    with tempfile.TemporaryDirectory() as folder:
        desk = roster_large.in_force(Path(folder))
        clock = fixed_clock(f"{scheduling_sizes.MONDAY}T12:00:00Z")
        served = deployment_for(data_dir=Path(folder), clock=clock, scheduling=modules()["scheduling"])
        for tool, text, data, _ in anyio.run(scheduling_sizes.answers, served, desk):
            if "://" not in tool:
                rows.append((max(text, data), tool, "specified" if scheduling_sizes.is_specified(tool) else ""))
    print("| tool | tokens of the larger channel | |\n|---|---|---|")
    for tokens, name, note in sorted(rows, reverse=True):
        print(f"| {name} | {tokens:,} | {note} |")
    print(f"| median of {len(rows)} | {statistics.median(tokens for tokens, *_ in rows):,.0f} | |")
    without = set(deployment().catalogue.tools) - {name.partition(" ")[0] for _, name, _ in rows}
    print(f"\nwithout a sample answer: {', '.join(sorted(without))}")


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["tokens", "search", "answers"])
    parser.add_argument("--others", action="store_true", help="sentences of other authors too")
    asked = parser.parse_args(sys.argv[1:])
    if asked.what == "answers":
        show_answers()
    else:
        anyio.run(show_tokens if asked.what == "tokens" else partial(show_search, asked.others))
