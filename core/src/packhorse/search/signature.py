"""A tool's arguments in a line: ``request_swap(swap_type: ONE_TO_ONE|ABSORB, block_ids: [uuid], note?: text)``."""

from collections.abc import Mapping
from typing import Any

DEEPEST = 2
"""Objects within objects that are spelt out; deeper ones are ``{...}``."""

MOST_CHOICES = 12
"""Values of a choice that are spelt out."""

_KINDS = {"string": "text", "integer": "int", "boolean": "bool", "null": "null", "object": "{...}", "array": "[...]"}


def signature(name: str, schema: Mapping[str, Any]) -> str:
    """``?`` marks what may be left out, ``=`` what then holds, ``|`` a choice."""
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
