"""JSON Schemas: as they are published, and whether pydantic alone enforces them."""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

_VERBATIM = frozenset({"default", "examples", "const", "enum", "discriminator"})
_OF_NAMES = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
# Below these a schema speaks of part of an object: to close it would forbid the other part.
_PARTIAL = frozenset({"if", "then", "else", "not", "allOf", "dependentSchemas"})


class JsonSchema(GenerateJsonSchema):
    """Pydantic's own, which makes a serializer for each default: plain values are their own JSON without one."""

    def encode_default(self, dft: Any) -> Any:
        """The default as JSON."""
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
        key: value if key in _VERBATIM else _walk(value, closed and key not in _PARTIAL, names=key in _OF_NAMES)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }
    if closed and made.get("type") == "object" and isinstance(made.get("properties"), dict):
        made["additionalProperties"] = False
    return made


# --- does pydantic refuse all that its schema refuses? ---

# Kinds of pydantic's core schema that do, when strict, and where the schemas inside them are.
_FAITHFUL: Mapping[str, tuple[str, ...]] = {
    "any": (),
    "bool": (),
    "dataclass": ("schema",),
    "dataclass-args": ("fields",),
    "dataclass-field": ("schema",),
    "date": (),
    "datetime": (),
    "default": ("schema",),
    "definition-ref": (),
    "definitions": ("schema", "definitions"),
    "dict": ("values_schema",),
    "enum": (),
    "float": (),
    "function-after": ("schema",),
    "int": (),
    "json-or-python": ("json_schema",),
    "lax-or-strict": ("strict_schema",),
    "list": ("items_schema",),
    "literal": (),
    "model": ("schema",),
    "model-field": ("schema",),
    "model-fields": ("fields",),
    "none": (),
    "nullable": ("schema",),
    "str": (),
    "tagged-union": ("choices",),
    "time": (),
    "timedelta": (),
    "tuple": ("items_schema",),
    "typed-dict": ("fields",),
    "typed-dict-field": ("schema",),
    "union": ("choices",),
    "uuid": (),
}
_WORDS = frozenset({"description", "examples", "title", "deprecated", "format"})  # of these none is asserted
_REWRITES = ("strip_whitespace", "to_lower", "to_upper", "coerce_numbers_to_str")


def enforced(core: Any) -> bool:
    """Whether pydantic, when strict, refuses everything that the JSON Schema of ``core`` refuses.

    It does for the ordinary types. It does not where 1 passes for true (enums
    and literals other than text), where something rewrites what arrived before
    it is measured, or where a keyword was added to the schema by hand: there
    the schema itself has to be asked too.
    """
    if isinstance(core, tuple):  # a union's choice with its label
        core = core[0]
    kind = core.get("type")
    lax = core.get("strict") is False and kind != "tagged-union"  # which pydantic itself marks so
    if kind not in _FAITHFUL or lax or not _plainly_published(core):
        return False
    config = core.get("config") or {}
    if any(core.get(name) or config.get(f"str_{name}") or config.get(name) for name in _REWRITES):
        return False
    if not _faithful_in_itself(kind, core):
        return False
    return all(enforced(inner) for key in _FAITHFUL[kind] for inner in _inside(core.get(key)))


def _faithful_in_itself(kind: str, core: Mapping[str, Any]) -> bool:
    match kind:
        case "enum":
            own_rule = core["cls"]._missing_.__func__ is not Enum._missing_.__func__  # type: ignore[attr-defined]
            return not own_rule and all(isinstance(member.value, str) for member in core["members"])
        case "literal":
            return all(isinstance(value, str | None) for value in core["expected"])
        case "tagged-union":
            return isinstance(core["discriminator"], str) and all(isinstance(tag, str) for tag in core["choices"])
        case "float":
            return "multiple_of" not in core
        case "str":
            # \d and \w are ASCII in a JSON Schema and Unicode in pydantic's engine.
            return not re.search(r"\\[dDwWbB]", str(core.get("pattern", "")))
        case "dict":
            keys = core.get("keys_schema", {"type": "any"})
            return keys.get("type") in ("any", "str") and len(keys) == 1
        case "model":
            return not core.get("custom_init") and "json_schema_extra" not in core["cls"].model_config
        case "model-field" | "dataclass-field" | "typed-dict-field":
            return isinstance(core.get("validation_alias"), str | None)
    return True


def _plainly_published(core: Mapping[str, Any]) -> bool:
    metadata = core.get("metadata") or {}
    extra = metadata.get("pydantic_js_extra")
    if metadata.get("pydantic_js_annotation_functions") or callable(extra):
        return False
    if core.get("type") != "enum" and any(
        getattr(fn, "__qualname__", "") != "BaseModel.__get_pydantic_json_schema__"
        for fn in metadata.get("pydantic_js_functions", ())
    ):
        return False
    return all(key.startswith("x-") or key in _WORDS for key in extra or ())


def _inside(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    if "type" in value and isinstance(value["type"], str):
        return [value]
    return list(value.values())


# --- does pydantic write what it reads? ---

_WRITTEN_OTHERWISE = frozenset({"serialization", "computed_fields", "serialization_alias", "serialization_exclude"})


def written_as_read(core: Any) -> bool:
    """Whether the JSON Schema of ``core`` is the same for writing as for reading, but for what must be there.

    False where that is not plain to see: then the two have to be compared.
    """
    return not any(node.get(key) for node in _nodes(core) for key in _WRITTEN_OTHERWISE)


def publishable(core: Any) -> bool:
    """Whether ``core`` is known to have a JSON Schema, for reading and for writing, without making it."""
    return enforced(core) and all(
        str(written.get("type")).startswith(("function-", "computed-")) and enforced(written.get("return_schema", _ANY))
        for node in _nodes(core)
        for written in (node.get("serialization"), *node.get("computed_fields", ()))
        if written
    )


_ANY = {"type": "any"}


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
