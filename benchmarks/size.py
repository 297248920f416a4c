"""How large the core is, room by room, beside the packages that it is compared with: ``python benchmarks/size.py``.

Lines are physical lines of Python, docstrings, comments and blanks included. A
module has one importer where one other module of the package names it in an
import, wherever that import stands. A peer is counted where it is installed
beside this interpreter, and named as absent where it is not.
"""

import ast
import importlib.util
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "core" / "src" / "packhorse"
PATH_OF_A_CALL = ("contract", "compose", "schema", "door", "wire", "http", "stdio")
PEERS = ("pluggy", "starlette", "llm", "tox", "mcp")


def main() -> None:
    """Print the table."""
    rooms = lines_by_room(CORE)
    for room, lines in rooms.items():
        print(f"{room:28}{lines:>8,}")
    print(f"{'the path of a call':28}{sum(rooms[room] for room in PATH_OF_A_CALL):>8,}   {', '.join(PATH_OF_A_CALL)}")
    print(f"{'core':28}{sum(rooms.values()):>8,}   in {len(list(CORE.rglob('*.py')))} modules")
    print(f"{'modules with one importer':28}{sum(count == 1 for count in importers(CORE).values()):>8,}")
    print(f"{'tests/core':28}{sum(map(lines_of, (ROOT / 'tests' / 'core').rglob('*.py'))):>8,}")
    for peer in PEERS:
        found = importlib.util.find_spec(peer)
        if found is None or not found.submodule_search_locations:
            print(f"{peer:28}{'not installed':>8}")
            continue
        folder = Path(found.submodule_search_locations[0])
        counts = importers(folder)
        print(
            f"{peer:28}{sum(map(lines_of, folder.rglob('*.py'))):>8,}   in {len(counts)} modules,"
            f" {sum(count == 1 for count in counts.values())} with one importer"
        )


def lines_of(path: Path) -> int:
    """The physical lines of a file."""
    return len(path.read_text("utf-8").splitlines())


def lines_by_room(package: Path) -> Mapping[str, int]:
    """Lines of each folder of a package, and of its modules that stand in none."""
    rooms: Counter[str] = Counter()
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package).parts
        rooms[inside[0] if len(inside) > 1 else "(in no folder)"] += lines_of(path)
    return rooms


def importers(package: Path) -> Mapping[str, int]:
    """How many modules of a package import each of its modules; those that nobody imports have 0."""
    modules = {_name(path, package): path for path in package.rglob("*.py")}
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, path in modules.items():
        for target in _targets(path, name):
            imported = target
            while imported and imported not in modules:
                imported = imported.rpartition(".")[0]
            if imported and imported != name:
                found[imported].add(name)
    return {name: len(found[name]) for name in modules}


def _name(path: Path, package: Path) -> str:
    parts = [package.name, *path.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _targets(path: Path, name: str) -> Iterator[str]:
    own = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = own.split(".")[: len(own.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


if __name__ == "__main__":
    main()
