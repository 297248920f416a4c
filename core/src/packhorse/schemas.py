"""JSON Schemas as they are published: no generated titles, an object at the root."""

from typing import Any

_VERBATIM = frozenset({"default", "examples", "const", "enum"})
_OF_NAMES = frozenset({"properties", "$defs", "patternProperties"})


def published(schema: dict[str, Any], *, closed: bool) -> dict[str, Any]:
    """``schema`` without pydantic's titles and with the root inlined.

    ``closed`` refuses unknown names at every depth, as a tool's arguments do.
    """
    made: dict[str, Any] = _walk(_inlined(schema), closed)
    if closed:
        made.setdefault("type", "object")
        made.setdefault("properties", {})
        made["additionalProperties"] = False
    return made


def is_object(schema: dict[str, Any]) -> bool:
    """Whether every value of ``schema`` is a JSON object."""
    return _inlined(schema).get("type") == "object"


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:
    # pydantic writes a recursive model as a bare $ref; handshake-era clients demand an object at the root.
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    root = schema["$defs"][reference.removeprefix("#/$defs/")]
    return {**root, **{key: value for key, value in schema.items() if key != "$ref"}}


def _walk(node: Any, closed: bool, *, names: bool = False) -> Any:
    """``names`` marks a mapping whose keys are names of the pack's own, not keywords."""
    if isinstance(node, list):
        return [_walk(item, closed) for item in node]
    if not isinstance(node, dict):
        return node
    if names:
        return {name: _walk(value, closed) for name, value in node.items()}
    made = {
        key: value if key in _VERBATIM else _walk(value, closed, names=key in _OF_NAMES)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }
    if closed and isinstance(made.get("properties"), dict):
        made.setdefault("additionalProperties", False)
    return made
