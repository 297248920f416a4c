"""Values with their annotations: ``{"val": ..., "comment": ...}`` and what our own format adds beside them."""

from collections.abc import Mapping
from typing import Any

RESERVED = frozenset({
    "type", "enum", "unit", "required", "mode", "key", "when", "weight", "aliases", "question", "also", "note",
    "examples",
})  # fmt: skip
"""What the packhorse-eads/1 format may write beside ``val`` and ``comment``."""


def is_annotated(node: Any) -> bool:
    """Whether ``node`` is a value with annotations, and not an object that has a property called ``val``.

    The pair must be exactly ``val`` or ``val`` and ``comment``, or carry only names that the format reserves.
    """
    return isinstance(node, Mapping) and "val" in node and set(node) - {"val", "comment"} <= RESERVED


def unwrap(node: Any) -> tuple[Any, Mapping[str, Any]]:
    """The value of ``node`` and its annotations (empty where it is bare)."""
    if is_annotated(node):
        return node["val"], {name: value for name, value in node.items() if name != "val"}
    return node, {}


def strip(node: Any) -> Any:
    """``node`` without annotations, at every depth; ``invented`` and stray ``comment`` are left out of objects."""
    value, _ = unwrap(node)
    if isinstance(value, Mapping):
        kept = {name: strip(inner) for name, inner in value.items() if name not in {"comment", "invented"}}
        return {name: inner for name, inner in kept.items() if inner is not None or value[name] is None}
    if isinstance(value, list | tuple):
        return [strip(item) for item in value]
    return value


def comments(node: Any, path: tuple[str, ...] = ()) -> dict[str, str]:
    """Every comment in ``node``, by the path of the value it stands on."""
    value, notes = unwrap(node)
    found = {"/" + "/".join(path): str(notes["comment"])} if notes.get("comment") else {}
    if isinstance(value, Mapping):
        for name, inner in value.items():
            found.update(comments(inner, (*path, name)))
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            found.update(comments(item, (*path, str(place))))
    return found
