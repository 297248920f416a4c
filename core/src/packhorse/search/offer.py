"""``search_tools``: the tools that fit what somebody wants, of those that this caller may see.

Tools are ranked by SQLite's full-text search, with a weight for each field.

Two words that stand side by side in both count once more, as a pair (Metzler and Croft 2005, "A Markov random
field model for term dependencies", section 4). A word that no tool has is read as the nearest word that one has.
Weights, stop words and stems were chosen by measurement (see `benchmarks/tools.py`): the words that a pack writes
for its tools matter far more than the engine.
"""

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import Annotated, Any

from cachetools import LRUCache
from pydantic import Field

from packhorse.contract.content import Reply, Text
from packhorse.contract.context import Context
from packhorse.contract.offers import Tool
from packhorse.contract.packs import Offered
from packhorse.door.entrances import SEARCH, entrance_for
from packhorse.errors import UserError

WEIGHTS = {"name": 4.0, "title": 2.0, "description": 1.0, "parameters": 0.3, "words": 3.0}
PAIR = 0.2
"""What a pair of neighbouring words counts, beside the words themselves."""

MOST_WORDS = 64
"""Words of a query that are looked at."""

SHORTEST_RESPELT, LEAST_ALIKE = 6, 0.8
"""Letters of a word that may be a misspelling, and how like a known word it is: one letter of six is wrong."""

# Function words alone: "who", "why" and "what now" tell one tool from another.
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by can could do does for from has have i in is it its me my of on or that the this to"
        " was we with would you your",
    )
)
_TABLE = (
    "CREATE VIRTUAL TABLE tools USING fts5(name, title, description, parameters, words, tokenize='porter unicode61')"
)
_ROW = "INSERT INTO tools (rowid, name, title, description, parameters, words) VALUES (?, ?, ?, ?, ?, ?)"
_SCORES = "SELECT rowid, -bm25(tools, ?, ?, ?, ?, ?) FROM tools WHERE tools MATCH ?"
_KNOWN = "SELECT 1 FROM tools WHERE tools MATCH ? LIMIT 1"


class Index:
    """The tools of one caller."""

    def __init__(self, tools: Sequence[Offered]) -> None:
        self._names = [tool.name for tool in tools]
        self._lock = Lock()
        self._rows = sqlite3.connect(":memory:", check_same_thread=False)
        self._rows.execute(_TABLE)
        self._rows.executemany(_ROW, map(_row, range(len(tools)), tools))

    def ranked(self, query: str, most: int) -> list[str]:
        """The names of the tools that fit best, best first; none where no word of the query fits any."""
        with self._lock:
            words = [self._known(word) for word in re.findall(r"\w+", query)[:MOST_WORDS]]
            scores = self._scores(word for word in words if word not in STOP_WORDS)
            pairs = self._scores(" ".join(pair) for pair in pairwise(words) if not STOP_WORDS.issuperset(pair))
        for place, score in pairs.items():
            scores[place] = scores.get(place, 0) + PAIR * score
        best = sorted(scores, key=lambda place: (-scores[place], place))
        return [self._names[place] for place in best[:most]]

    def _scores(self, phrases: Iterable[str]) -> dict[int, float]:
        """By place, the score of each tool that has one of the phrases."""
        match = " OR ".join(f'"{phrase}"' for phrase in dict.fromkeys(phrases))
        return dict(self._rows.execute(_SCORES, (*WEIGHTS.values(), match)).fetchall()) if match else {}

    def _known(self, word: str) -> str:
        """The word as it is looked for. A name, written with a capital, is no misspelling."""
        if (
            len(word) >= SHORTEST_RESPELT
            and word.islower()
            and not self._rows.execute(_KNOWN, (f'"{word}"',)).fetchone()
        ):
            return next(iter(get_close_matches(word, self._vocabulary, n=1, cutoff=LEAST_ALIKE)), word)
        return word.lower()

    @cached_property
    def _vocabulary(self) -> list[str]:
        texts = self._rows.execute("SELECT name || ' ' || title || ' ' || description || ' ' || words FROM tools")
        words = {word for (text,) in texts for word in re.findall(r"\w+", text.lower())}
        return sorted(word for word in words if len(word) >= SHORTEST_RESPELT - 1)


def _row(place: int, tool: Offered) -> tuple[int, str, str, str, str, str]:
    parameters = _apart(" ".join(tool.input_schema.get("properties", {})))
    return place, _apart(tool.name), tool.title or "", tool.description, parameters, tool.words


def _apart(names: str) -> str:
    """Names with their words apart, and as they stand."""
    return f"{names} {re.sub(r'(?<=[a-z0-9])(?=[A-Z])', ' ', names).replace('_', ' ').replace('-', ' ')}"


MOST = 5
"""Tools in one answer."""

MOST_NAMES = 5
"""Tools whose full schemas are given at a time."""

MOST_CALLERS = 16
"""Sets of tools whose index is kept: callers of one role have one."""

DEEPEST = 2
"""Objects within objects that are spelt out; deeper ones are ``{...}``."""

MOST_CHOICES = 12
"""Values of a choice that are spelt out."""

_KINDS = {"string": "text", "integer": "int", "boolean": "bool", "null": "null", "object": "{...}", "array": "[...]"}

Query = Annotated[str, Field(max_length=500, description="What is wanted, in words.")]
Names = Annotated[list[str], Field(max_length=MOST_NAMES, description="Instead: tools whose full schema to show.")]


def search_tool() -> Tool:
    """The tool, with the indexes that it keeps."""
    kept: LRUCache[tuple[str, ...], _Tools] = LRUCache(MOST_CALLERS)

    def search_tools(ctx: Context, query: Query = "", names: Names = []) -> Reply[dict[str, Any]]:  # noqa: B006
        """Find tools by what is wanted; each comes with its arguments and with what to call it by."""
        seen = [tool for tool in ctx.offered() if tool.name != SEARCH]
        key = tuple(tool.name for tool in seen)
        tools = kept.get(key) or _Tools(seen)
        kept[key] = tools
        return tools.named(names) if names else tools.fitting(query)

    return Tool(fn=search_tools, public=True, read_only=True, idempotent=True)


class _Tools:
    """Those of one caller."""

    def __init__(self, tools: Sequence[Offered]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._index = Index(tools)

    def fitting(self, query: str) -> Reply[dict[str, Any]]:
        found = [self._tools[name] for name in self._index.ranked(query, MOST)]
        if not found:
            by_pack: dict[str, list[str]] = {}
            for tool in self._tools.values():
                by_pack.setdefault(tool.pack, []).append(tool.name)
            packs = [f"{pack}: {', '.join(names[:3])} ({len(names)})" for pack, names in by_pack.items()]
            summary = "No tool fits these words. Try others. The packs here, each with its first tools and how many:"
            return _said({"summary": summary, "packs": packs}, [summary, *packs])
        summary = f"{len(found)} tools, the best first. `?` may be left out; after -> stands what to call it by."
        lines = [_line(tool) for tool in found]
        return _said({"summary": summary, "tools": lines}, [summary, *lines])

    def named(self, names: Sequence[str]) -> Reply[dict[str, Any]]:
        if unknown := [name for name in names if name not in self._tools]:
            raise UserError(
                f"There is no tool {unknown[0]!r} for this caller; search with `query`.", code="UNKNOWN_TOOL"
            )
        shown = [
            {
                "name": tool.name,
                "description": tool.description,
                "inputSchema": tool.input_schema,
                "call_by": _entrance_of(tool),
            }
            for tool in map(self._tools.__getitem__, names)
        ]
        return Reply({"summary": f"{len(shown)} in full.", "tools": shown})


def _line(tool: Offered) -> str:
    about = tool.description.partition("\n\n")[0].replace("\n", " ")
    return f"{signature(tool.name, tool.input_schema)} -> {_entrance_of(tool)}\n{about}"


def _entrance_of(tool: Offered) -> str:
    return entrance_for(read_only=tool.read_only, destructive=tool.destructive).name


def _said(data: Mapping[str, Any], lines: Sequence[str]) -> Reply[dict[str, Any]]:
    return Reply(dict(data), (Text("\n".join(lines)),), in_words=True)


def signature(name: str, schema: Mapping[str, Any]) -> str:
    """A tool's arguments in a line: ``request_swap(swap_type: ONE_TO_ONE|ABSORB, block_ids: [uuid], note?: text)``.

    ``?`` marks what may be left out, ``=`` what then holds, ``|`` a choice.
    """
    return f"{name}({_fields(schema, schema, 0)})"


def _fields(node: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> str:
    required = node.get("required", ())
    return ", ".join(
        f"{name}{'' if name in required else '?'}: {_kind(field, root, depth)}{_default(field)}"
        for name, field in node.get("properties", {}).items()
    )


def _default(field: Any) -> str:
    default = field.get("default") if isinstance(field, Mapping) else None
    if default in (None, "") or isinstance(default, dict | list):
        return ""
    return f"={str(default).lower() if isinstance(default, bool) else default}"


def _kind(node: Any, root: Mapping[str, Any], depth: int) -> str:
    if not isinstance(node, Mapping):
        return "any"
    reference = node.get("$ref")
    if isinstance(reference, str):
        return _kind(root.get("$defs", {}).get(reference.rpartition("/")[2], {}), root, depth)
    if "enum" in node or "const" in node:
        values = node.get("enum", [node.get("const")])
        more = "|..." if len(values) > MOST_CHOICES else ""
        return "|".join(map(str, values[:MOST_CHOICES])) + more
    arms = node.get("anyOf") or node.get("oneOf")
    if arms:
        kinds = dict.fromkeys(_kind(arm, root, depth) for arm in arms)
        kinds.pop("null", None)
        return "|".join(kinds)
    if node.get("properties"):
        return f"{{{_fields(node, root, depth + 1)}}}" if depth < DEEPEST else "{...}"
    if "items" in node:
        return f"[{_kind(node['items'], root, depth)}]"
    if node.get("format") in ("date", "date-time", "uuid", "time"):
        return str(node["format"])
    kind = node.get("type", "any")
    return _KINDS.get(kind, kind) if isinstance(kind, str) else "|".join(_KINDS.get(one, one) for one in kind)
