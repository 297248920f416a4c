"""``search_tools``: the tools that fit what somebody wants, of those that this caller may see."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from cachetools import LRUCache
from pydantic import Field

from packhorse.contract.content import Reply, Text
from packhorse.contract.context import Context
from packhorse.contract.offers import Offered, Tool
from packhorse.door.entrances import SEARCH, entrance_for
from packhorse.errors import UserError
from packhorse.search.index import Index

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
