"""JSON Schemas as tables for people: every name, its type with its limits, its default and its meaning."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from generator.markdown import table

Schema = Mapping[str, Any]

_WORDS = {"string": "text"}
_RANGES = (("minimum", "maximum", ""), ("minLength", "maxLength", "character"), ("minItems", "maxItems", "item"))


def keys_table(schema: Schema) -> str:
    """The keys of a settings table, with defaults as TOML writes them."""
    rows = [
        [f"`{key}`", kind(value, schema), _default(value), value.get("description", "")]
        for key, value in schema["properties"].items()
    ]
    return table(["key", "type", "default", "meaning"], rows)


def arguments_table(schema: Schema) -> str:
    """A tool's arguments, nested ones by their dotted names."""
    return table(["argument", "type", "default", "meaning"], _arguments(schema, schema, ""))


def answer_table(schema: Schema) -> str:
    """The fields of a tool's structured answer."""
    rows = []
    for name, value in schema.get("properties", {}).items():
        here = _resolved(value, schema)
        rows.append([f"`{name}`", kind(here, schema), here.get("description", "")])
    return table(["field", "type", "meaning"], rows)


def kind(schema: Schema, whole: Schema) -> str:
    """A type in words, with its limits."""
    schema = _resolved(schema, whole)
    if "anyOf" in schema:
        words = dict.fromkeys(kind(branch, whole) for branch in schema["anyOf"])
        if "number" in words:
            words.pop("integer", None)  # a number may be whole
        return " or ".join(word for word in words if word != "null") + _limits(schema)
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    word = str(schema.get("type", "anything"))
    items = schema.get("items")
    if word == "array":
        word = f"list of {kind(items, whole)}" if items else "list"
    return _WORDS.get(word, word) + _limits(schema)


def _arguments(schema: Schema, whole: Schema, before: str) -> Iterator[list[str]]:
    required = schema.get("required", [])
    for name, value in schema.get("properties", {}).items():
        here = _resolved(value, whole)
        default = "**required**" if name in required else _default(here)
        yield [f"`{before}{name}`", kind(here, whole), default, here.get("description", "")]
        for nested in _objects(here, whole):
            yield from _arguments(nested, whole, f"{before}{name}.")


def _objects(schema: Schema, whole: Schema) -> list[Schema]:
    branches = [schema, *(_resolved(branch, whole) for branch in schema.get("anyOf", ()))]
    if schema.get("items"):
        branches.append(_resolved(schema["items"], whole))
    return [branch for branch in branches if "properties" in branch]


def _resolved(schema: Schema, whole: Schema) -> Schema:
    reference = schema.get("$ref")
    return {**whole["$defs"][reference.rpartition("/")[2]], **schema} if reference else schema


def _default(schema: Schema) -> str:
    default = schema.get("default")
    return "" if default is None else f"`{json.dumps(default)}`"


def _limits(schema: Schema) -> str:
    said = []
    for low, high, unit in _RANGES:
        least, most = schema.get(low), schema.get(high)
        if least is not None and most is not None:
            said.append(f"{least} to {_counted(most, unit)}")
        elif least is not None:
            said.append(f"at least {_counted(least, unit)}")
        elif most is not None:
            said.append(f"at most {_counted(most, unit)}")
    said += [f"{word} {schema[key]}" for key, word in _EXCLUSIVE.items() if key in schema]
    return "".join(f", {words}" for words in said)


_EXCLUSIVE = {"exclusiveMinimum": "above", "exclusiveMaximum": "below"}


def _counted(number: float, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}" if unit else str(number)
