"""What a governance file says: who may use which tool, who may spawn whom, and traits of agents.

Formats: Markdown tables and trees as the known matrix and spawn files write
them, our own TOML, and YAML or JSON mappings told apart by their shape. A
source claims; only compiling decides.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from packhorse_pai.domain.grants import Grant
from packhorse_pai.domain.names import Agent, Prose, Token, is_agent, is_tool, tokens

_WORD = re.compile(r"[A-Za-z0-9_/]{1,128}", re.ASCII)
_TOTAL = re.compile(r"\b(?:All|Total Agents:\*{0,2})\s+([0-9]{1,4})\b(?:\s+Agents\b)?")
_NO_TOOLS = ("Criticality", "Cannot function", "Direct")
TRAITS = ("tier", "model", "reports_to")


@frozen
class Precondition:
    """Facts that must hold of the version that a tool acts on.

    ``unless`` are facts of which any one lifts the others, such as that there is no schedule to back up yet.
    """

    facts: tuple[str, ...]
    unless: tuple[str, ...] = ()


@frozen
class FactRule:
    """A fact, and the tool whose validated output proves it.

    ``refusal`` is the code with which the tool says it instead, where it does;
    ``when`` a path that must be true there. It holds as long as the version of
    the data that the tool looked at. With ``provided`` the host itself calls the tool, as the person who started
    the run and with ``arguments``, when a call needs the fact and it does not hold.
    """

    kind: str
    tool: str
    refusal: str | None = None
    when: str | None = None
    provided: bool = False
    arguments: Mapping[str, str] = field(factory=dict, hash=False)


@frozen
class EventRule:
    """What makes a tool's validated output, or its refusal, an event that is reported upwards.

    ``path`` names a value in the output, which is an event when it is more
    than ``above`` or exactly ``equals``; ``refusal`` a code of the tool's own.
    """

    event: str
    tool: str
    path: str | None = None
    above: float | None = None
    equals: bool | str | float | None = None
    refusal: str | None = None


@frozen
class Source:
    """One file's claims, or one table's. An agent it does not name it says nothing about."""

    name: str
    uses: Mapping[str, frozenset[str]] = field(factory=dict, hash=False)
    spawns: Mapping[str, tuple[Token, ...]] = field(factory=dict, hash=False)
    traits: Mapping[str, Mapping[str, str]] = field(factory=dict, hash=False)
    needs: Mapping[str, frozenset[str]] = field(factory=dict, hash=False)
    delegates: Mapping[str, frozenset[str]] = field(factory=dict, hash=False)
    forbids: frozenset[tuple[str, str]] = frozenset()
    preconditions: Mapping[str, Precondition] = field(factory=dict, hash=False)
    facts: tuple[FactRule, ...] = ()
    events: tuple[EventRule, ...] = ()
    approvals: frozenset[str] = frozenset()
    observing: frozenset[str] = frozenset()
    """Tools that change nothing but their own stored answers: no approval is asked, and an audit may use them."""
    turns: Mapping[str, int] = field(factory=dict, hash=False)
    exposed: frozenset[str] | None = None
    claimed_agents: int | None = None
    switched_off: tuple[str, ...] = ()
    replaces: bool = False
    grants: Mapping[str, tuple[Grant, ...]] = field(factory=dict, hash=False)
    """By agent, what arguments its tools may have."""
    terminal_rows: bool = False
    """Whether its spawn table has rows for those who may spawn nobody, so that a missing row means something."""
    remarks: tuple[str, ...] = ()
    """What is written in it and has no effect, in words."""
    whole: bool = False
    """Whether it means to name every agent: then one it leaves out is worth a finding."""


def from_markdown(name: str, text: str) -> list[Source]:
    """A matrix or spawn file: each kind of table and tree in it is a source of its own."""
    needs: dict[str, set[str]] = {}
    spawns: dict[str, tuple[Token, ...]] = {}
    for header, rows in _tables(text):
        for agent, cell in _cells(header, rows, "Can Spawn"):
            spawns[agent] = tokens(cell)
        for agent, cell in _cells(header, rows, "MCP Needed"):
            needs.setdefault(agent, set()).add(cell.upper() if cell.upper() in _ANSWERS else cell)
    listed, groups = _trees(text)
    total = _TOTAL.search(text)
    found = []
    if needs:
        found.append(_summary(f"{name}: summary", needs, int(total[1]) if total else None))
    if listed:
        found.append(Source(f"{name}: listing", uses=listed))
    if groups:
        found.append(Source(f"{name}: tool groups", uses=_turned(groups)))
    if spawns:
        found.append(Source(name, spawns=spawns, whole=True))
    return found


def foreign(name: str, data: Mapping[str, Any]) -> list[Source]:
    """A file of another format; what fits no known shape is left out."""
    off = tuple(key for key in ("governance_enabled", "chain_of_command_enforcement") if data.get(key) is False)
    found = [Source(name, switched_off=off)] if off else []
    if isinstance(registry := data.get("agents"), Mapping):
        found.append(_registry(name, registry))
    for key, value in data.items():
        if key != "agents" and isinstance(value, Mapping) and value:
            found += _shaped(f"{name}: {key}", value)
    return found


def _registry(name: str, registry: Mapping[str, Any]) -> Source:
    uses, spawns, traits = {}, {}, {}
    for agent, about in registry.items():
        if not is_agent(agent) or not isinstance(about, Mapping):
            continue
        traits[agent] = {key: str(about[key]) for key in TRAITS if isinstance(about.get(key), str)}
        if isinstance(tools := about.get("tools_access"), list):
            uses[agent] = frozenset(tool for tool in tools if is_tool(tool))
        if isinstance(children := about.get("can_spawn"), list):
            spawns[agent] = tuple(_child(child) for child in children)
    return Source(name, uses=uses, spawns=spawns, traits=traits, whole=True)


def _child(name: object) -> Token:
    return Agent(name) if isinstance(name, str) and is_agent(name) else Prose(str(name)[:80])


def _shaped(name: str, table: Mapping[Any, Any]) -> list[Source]:
    """A table told apart by what stands in its keys and lists."""
    if all(isinstance(value, int) for value in table.values()):
        return [Source(name, turns={str(key): value for key, value in table.items()})] if "turns" in name else []
    lists = {key: value for key, value in table.items() if isinstance(value, list)}
    if len(lists) != len(table):
        return []
    entries = [entry for value in lists.values() for entry in value]
    agents = [key for key in lists if is_agent(key)]
    tools = [key for key in lists if is_tool(key)]
    if len(agents) == len(lists) and entries and all(is_agent(entry) for entry in entries):
        rows = {key: tuple[Token, ...](Agent(child) for child in lists[key]) for key in agents}
        return [Source(name, spawns=rows, terminal_rows=not all(rows.values()))]
    if len(agents) == len(lists) and all(is_tool(entry) for entry in entries):
        return [Source(name, uses={key: frozenset(lists[key]) for key in agents})]
    if len(tools) == len(lists) and entries and all(is_agent(entry) for entry in entries):
        return [Source(name, uses=_turned({key: set(lists[key]) for key in tools}))]
    if len(tools) == len(lists) and all(is_tool(entry) for entry in entries):
        approvals = frozenset(key for key in tools if "requires_approval" in lists[key])
        needs = {key: Precondition(tuple(fact for fact in lists[key] if fact != "requires_approval")) for key in tools}
        return [Source(name, preconditions=needs, approvals=approvals)]
    return []


def _turned(groups: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    uses: dict[str, set[str]] = {}
    for tool, agents in groups.items():
        for agent in agents:
            uses.setdefault(agent, set()).add(tool)
    return {agent: frozenset(tools) for agent, tools in uses.items()}


def _cells(header: list[str], rows: list[list[str]], title: str) -> Iterator[tuple[str, str]]:
    """Each agent of a table, and what stands in its row under a title."""
    column = next((index for index, cell in enumerate(header) if index and cell.startswith(title)), None)
    for row in rows if column is not None else ():
        if column is not None and len(row) > column and is_agent(row[0]):
            yield row[0], row[column]


_ANSWERS = frozenset({"YES", "NO", "NONE", "MAYBE", ""})


def _summary(name: str, needs: Mapping[str, set[str]], claimed: int | None) -> Source:
    """What a column ``MCP Needed`` says: a no takes every tool, tools are those that the agent may use."""
    uses: dict[str, frozenset[str]] = {}
    remarks = []
    for agent, cells in needs.items():
        for cell in sorted(cells):
            names = [word.strip("`") for word in re.split(r"[,;\s]+", cell)]
            if cell in ("NO", "NONE") and len(cells) == 1:
                uses[agent] = frozenset()
            elif cell not in _ANSWERS and not all(map(is_tool, names)):
                words = f"{cell[:60]!r} is neither yes, no, maybe nor a list of tools, so it is not read"
                remarks.append(f"MCP Needed of {agent}: {words}")
            elif cell not in _ANSWERS and len(cells) == 1:
                uses[agent] = frozenset(names)
    said = {agent: frozenset(cells) for agent, cells in needs.items()}
    return Source(name, uses=uses, needs=said, claimed_agents=claimed, whole=True, remarks=tuple(remarks))


def _tables(text: str) -> Iterator[tuple[list[str], list[list[str]]]]:
    header: list[str] | None = None
    rows: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        stripped = line.strip()
        if stripped.startswith("|") and stripped.endswith("|"):
            cells = [cell.strip().strip("*").strip() for cell in stripped[1:-1].split("|")]
            if header is None:
                header = cells
            elif not all(set(cell) <= set(":- ") for cell in cells):
                rows.append(cells)
        elif header is not None:
            yield header, rows
            header, rows = None, []


def _trees(text: str) -> tuple[dict[str, frozenset[str]], dict[str, set[str]]]:
    """Code blocks that list an agent's tools as a tree, and those that list a tool's agents behind an arrow."""
    listed: dict[str, set[str]] = {}
    groups: dict[str, set[str]] = {}
    agent = tool = None
    lists_tools = fenced = False
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith("```"):
            fenced, agent, tool = not fenced, None, None
        elif not fenced:
            continue
        elif is_agent(stripped) and not (tool is not None and line[0].isspace()):
            agent, tool, lists_tools = stripped, None, False
            listed.setdefault(agent, set())
        elif "→" in line:
            left, right = line.split("→", 1)
            agent, tool = None, left.strip() if is_tool(left.strip()) else None
            if tool:
                groups.setdefault(tool, set()).update(_agents(right))
        elif not stripped:
            agent = tool = None
        elif tool is not None:
            groups[tool].update(_agents(line))
        elif agent is not None:
            body = stripped.lstrip("│├└─ ")
            if stripped[0] in "├└":
                label, _, body = body.partition(":")
                lists_tools = not any(word in label for word in _NO_TOOLS)
            if lists_tools:
                listed[agent].update(word for word in _WORD.findall(body) if is_tool(word) and "_" in word)
    return {agent: frozenset(tools) for agent, tools in listed.items() if tools}, groups


def _agents(words: str) -> list[str]:
    return [word for word in _WORD.findall(words) if is_agent(word)]
