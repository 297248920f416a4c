"""JSON Schemas as they are published."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

_VERBATIM = frozenset({"default", "examples", "const", "enum", "discriminator"})
_OF_NAMES = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
# Pydantic writes the bounds of a union, such as int | float, by its own names for them.
_KEYWORDS = {
    "ge": "minimum",
    "le": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
# Below these a schema speaks of part of an object: to close it would forbid the other part.
_PARTIAL = frozenset({"if", "then", "else", "not", "allOf", "dependentSchemas"})


class JsonSchema(GenerateJsonSchema):
    """Pydantic's own, which makes a serializer for each default: plain values are their own JSON without one."""

    def encode_default(self, dft: Any) -> Any:
        return dft if dft is None or type(dft) in (str, int, bool) else super().encode_default(dft)


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
        _KEYWORDS.get(key, key): (
            value if key in _VERBATIM else _walk(value, closed and key not in _PARTIAL, names=key in _OF_NAMES)
        )
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }
    if closed and made.get("type") == "object" and isinstance(made.get("properties"), dict):
        made["additionalProperties"] = False
    return made


def publishable(core: Any) -> bool:
    """Whether ``core`` is known to have a JSON Schema, for reading and for writing, without making it."""
    return all(
        node["type"] in _PUBLISHABLE and not _is_published_by_hand(node)
        for node in _nodes(core)
        if isinstance(node.get("type"), str)
    )


def _is_published_by_hand(node: Mapping[str, Any]) -> bool:
    metadata = node.get("metadata") or {}
    if metadata.get("pydantic_js_annotation_functions") or callable(metadata.get("pydantic_js_extra")):
        return True
    return node["type"] != "enum" and any(
        getattr(fn, "__qualname__", "") != "BaseModel.__get_pydantic_json_schema__"
        for fn in metadata.get("pydantic_js_functions", ())
    )


# Kinds of pydantic's core schema that have a JSON Schema wherever what is inside them has one.
_PUBLISHABLE = frozenset(
    {
        *("any", "bool", "date", "datetime", "decimal", "enum", "float", "int", "literal", "none", "str", "time"),
        *("timedelta", "url", "uuid", "dict", "list", "set", "tuple", "nullable", "union", "tagged-union"),
        *("dataclass", "dataclass-args", "dataclass-field", "model", "model-field", "model-fields", "computed-field"),
        *("typed-dict", "typed-dict-field", "default", "definition-ref", "definitions", "json-or-python"),
        *("lax-or-strict", "function-after", "function-before", "function-wrap", "no-info", "with-info"),
    }
)


def left_out(core: Any) -> Iterator[str]:
    """The names of the fields that are read and never written (``exclude``)."""
    for node in _nodes(core):
        for name, field in node.get("fields", {}).items() if isinstance(node.get("fields"), dict) else ():
            if field.get("serialization_exclude"):
                yield field.get("validation_alias") or name


def _nodes(core: Any) -> Iterator[Mapping[str, Any]]:
    """Every mapping in a core schema; values that packs bring are no part of it."""
    waiting: list[Any] = [core]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting += [value for key, value in node.items() if key not in _BROUGHT]
        elif isinstance(node, list | tuple):
            waiting += node


_BROUGHT = frozenset({"metadata", "default", "expected", "members", "config"})
