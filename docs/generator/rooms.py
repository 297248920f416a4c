"""Pictures of the rooms of the host and of a pack, from what their modules really import."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKS = ("circadian", "discovery", "locator", "pai", "scheduling")

HOST: Mapping[str, str] = {
    "cli: commands": "__main__ cli",
    "testing: for authors of packs": "testing",
    "http: serving over HTTP": "http",
    "stdio: serving over pipes": "stdio",
    "console: pages for people": "console",
    "publish: bundles, registry, new packs": "publish",
    "search: finding a tool": "search",
    "metrics: figures for Prometheus": "metrics",
    "client: asking other servers": "client",
    "wire: the protocol": "wire",
    "compose: packs and settings put together": "compose",
    "door: a call is judged, limited and run": "door",
    "audit: the record": "audit",
    "tokens: who is calling": "tokens",
    "job_tools: jobs for every client": "job_tools",
    "mounts: tools of other servers": "mounts",
    "login: signing people in": "login",
    "jobs: long-running work": "jobs",
    "settings": "settings",
    "present: skills": "present",
    "schema: arguments and answers": "schema",
    "observe: logs": "observe",
    "traces: spans of calls": "traces",
    "terminal: options and answers of commands": "terminal",
    "contract: what packs write with": "__init__ contract",
    "store: SQLite and PostgreSQL": "store",
    "errors": "errors",
}
"""The host's rooms, and the modules in each; a module in none of them stops the generator."""

PACK: Mapping[str, str] = {
    "hooks": "pack",
    "tools, resources, prompts, commands, guards": "commands guards prompts resources tools",
    "convert, service, jobs": "convert jobs service",
    "search, solver": "search solver",
    "models": "models",
    "store": "store",
    "domain": "domain errors",
}


@cache
def host_picture() -> str:
    """The host's rooms as a Mermaid flow chart, packs above them."""
    source = ROOT / "core" / "src" / "packhorse"
    rooms = _rooms(HOST, source)
    edges = _between(rooms, _imports("packhorse", source))
    contract = next(room for room in HOST if room.startswith("contract"))
    used = {(pack, rooms[name]) for pack in PACKS for name in _used_by(pack)}
    lines = [f'  {_key(room)}["{room}"]' for room in HOST]
    lines.append(f'  packs(["packs: {", ".join(PACKS)}"])')
    above = {room for _, room in used} - {contract}
    lines += [f"  {_key(one)} --> {_key(other)}" for one, other in _reduced(edges)]
    lines.append(f"  packs ==> {_key(contract)}")
    lines += [f"  packs -.-> {_key(room)}" for room in HOST if room in above]
    return _chart(lines)


@cache
def pack_picture() -> str:
    """The rooms of a pack, with how many of the house's packs have each."""
    edges: set[tuple[str, str]] = set()
    having: dict[str, set[str]] = {room: set() for room in PACK}
    for pack in PACKS:
        source = _source_of(pack)
        rooms = {name: room for room, names in PACK.items() for name in names.split()}
        for name in (_name(path, source) for path in source.rglob("*.py")):
            if name in rooms:
                having[rooms[name]].add(pack)
        edges |= _between(rooms, _imports(f"packhorse_{pack}", source))
    lines = [f'  {_key(room)}["{room}<br/><small>{_count(len(having[room]))}</small>"]' for room in PACK]
    lines += [f"  {_key(one)} --> {_key(other)}" for one, other in _reduced(edges)]
    return _chart(lines)


def _count(number: int) -> str:
    return f"in all {len(PACKS)} packs" if number == len(PACKS) else f"in {number} of {len(PACKS)} packs"


def _chart(lines: Iterable[str]) -> str:
    return "```mermaid\nflowchart TD\n" + "\n".join(lines) + "\n```"


def _rooms(table: Mapping[str, str], source: Path) -> dict[str, str]:
    rooms = {name: room for room, names in table.items() for name in names.split()}
    homeless = sorted({_name(path, source) for path in source.rglob("*.py")} - set(rooms))
    if homeless:
        raise SystemExit(f"docs/generator/rooms.py gives no room to: {', '.join(homeless)}")
    return rooms


def _name(path: Path, source: Path) -> str:
    """A module by its name below the package."""
    first = path.relative_to(source).parts[0]
    return first.removesuffix(".py")


def _source_of(pack: str) -> Path:
    return ROOT / "plugins" / pack / "src" / f"packhorse_{pack}"


def _imports(package: str, source: Path) -> set[tuple[str, str]]:
    """Which module imports which, inside functions included; imports for types alone left out."""
    found: set[tuple[str, str]] = set()
    for path in source.rglob("*.py"):
        for target in _targets(ast.parse(path.read_text("utf-8"))):
            parts = target.split(".")
            if parts[0] == package and len(parts) > 1:
                found.add((_name(path, source), parts[1]))
    return found


def _used_by(pack: str) -> set[str]:
    """The modules of the host that a pack imports: most of them by way of its one public name."""
    names = {
        target.split(".")[1] if "." in target else "__init__"
        for path in _source_of(pack).rglob("*.py")
        for target in _targets(ast.parse(path.read_text("utf-8")), whole=True)
        if target.split(".")[0] == "packhorse"
    }
    return {name for name in names if name in {one for names in HOST.values() for one in names.split()}}


def _targets(tree: ast.AST, *, whole: bool = False) -> Iterator[str]:
    """The modules that code imports, ``from a import b`` as ``a.b`` unless ``whole``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr) or (isinstance(node, ast.If) and _for_types(node.test)):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            below = "." in node.module or whole
            yield from [node.module] if below else (f"{node.module}.{alias.name}" for alias in node.names)
        yield from _targets(node, whole=whole)


def _for_types(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return name == "TYPE_CHECKING"


def _between(rooms: Mapping[str, str], imports: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    named = ((rooms.get(one), rooms.get(other)) for one, other in imports)
    return {(one, other) for one, other in named if one and other and one != other}


def _reduced(edges: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Without those that follow from two others; where rooms import one another, both ways are kept."""
    kept = set(edges)
    after: dict[str, set[str]] = {}
    for one, other in kept:
        after.setdefault(one, set()).add(other)

    def reaches(start: str, end: str, without: tuple[str, str]) -> bool:
        seen, waiting = {start}, [start]
        while waiting:
            here = waiting.pop()
            for there in after.get(here, ()):
                if (here, there) != without and there not in seen:
                    if there == end:
                        return True
                    seen.add(there)
                    waiting.append(there)
        return False

    for edge in sorted(kept):
        if reaches(*edge, edge):
            kept.discard(edge)
            after[edge[0]].discard(edge[1])
    return sorted(kept)


def _key(room: str) -> str:
    return "".join(letter for letter in room if letter.isalpha())
