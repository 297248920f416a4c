"""A form made from a tool's schema, and the arguments in what it sends.

The form only tells kinds of fields apart: the schema judges what was typed,
at the door, as it judges every call.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from packhorse.schema.places import resolved
from packhorse.schema.strict_json import strictly

Kind = Literal["text", "long", "number", "choice", "yes_no", "date", "json"]

ARGUMENT = "argument."
"""Put before an argument's name: other fields of the form have none such."""

SHORT = 200
"""Characters of a text that one line holds."""

_TYPES: Mapping[str, Kind] = {"string": "text", "integer": "number", "number": "number", "boolean": "yes_no"}


@dataclass(frozen=True, slots=True)
class Field:
    """One argument as a field; ``value`` is what stands in it."""

    name: str
    kind: Kind
    required: bool
    words: str = ""
    choices: tuple[str, ...] = ()
    step: str = "any"
    least: str = ""
    most: str = ""
    empty: str = ""
    value: str = ""
    fault: str = ""

    @property
    def options(self) -> list[tuple[str, str]]:
        """What one may choose: each as it is sent, and as it is shown."""
        return [("true", "yes"), ("false", "no")] if self.kind == "yes_no" else [(one, one) for one in self.choices]

    @property
    def id(self) -> str:
        return f"{ARGUMENT}{self.name}"


def fields(
    schema: Mapping[str, Any], typed: Mapping[str, str] | None = None, faults: Mapping[str, str] | None = None
) -> list[Field]:
    """The fields of a schema's properties, those that must be filled in first."""
    required = set(schema.get("required", ()))
    typed, faults = typed or {}, faults or {}
    made = [
        _field(schema, name, one, name in required, typed.get(f"{ARGUMENT}{name}", ""), faults.get(name, ""))
        for name, one in schema.get("properties", {}).items()
    ]
    return sorted(made, key=lambda field: not field.required)


def filled(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, str]:
    """What a form holds for given arguments, as `fields` takes it."""
    kinds = {field.name: field.kind for field in fields(schema)}
    return {
        f"{ARGUMENT}{name}": value if isinstance(value, str) and kinds.get(name) != "json" else _text(value)
        for name, value in arguments.items()
    }


def arguments(schema: Mapping[str, Any], form: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The arguments in a form, and by field what cannot be read of it. What is empty and not required is left out."""
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for field in fields(schema):
        text = form.get(field.id, "").replace("\r\n", "\n")
        if text == "" and not (field.required and field.kind in ("text", "long")):
            continue
        if field.kind in ("text", "long", "date"):
            values[field.name] = text
        elif field.kind == "choice":
            known = {_text(value): value for value in _choices(resolved(schema, schema["properties"][field.name]))}
            values[field.name] = known.get(text, text)
        else:
            fault, value = strictly(text)
            if fault is None:
                values[field.name] = value
            elif field.kind == "json":
                faults[field.name] = f"This is not JSON: {fault.removeprefix('Parse error: ')}."
            else:
                values[field.name] = text  # the schema says what it must be
    return values, faults


def _field(
    schema: Mapping[str, Any], name: str, given: Mapping[str, Any], required: bool, value: str, fault: str
) -> Field:
    one = resolved(schema, given)
    choices = _choices(one)
    kind = _kind(one, choices)
    limits = {
        "least": _text(one.get("minimum", "")) if kind == "number" else "",
        "most": _text(one.get("maximum", "")) if kind == "number" else "",
    }
    default = given.get("default", one.get("default"))
    return Field(
        name,
        kind,
        required,
        words=str(given.get("description") or one.get("description") or ""),
        choices=tuple(_text(choice) for choice in choices),
        step="1" if one.get("type") == "integer" else "any",
        empty="" if default is None else _text(default),
        value=value,
        fault=fault,
        **limits,
    )


def _kind(one: Mapping[str, Any], choices: Sequence[Any]) -> Kind:
    if choices:
        return "choice"
    name = one.get("type")
    if not isinstance(name, str):
        return "json"
    if name == "string":
        if one.get("format") == "date":
            return "date"
        return "text" if one.get("maxLength", SHORT) <= SHORT else "long"
    return _TYPES.get(name, "json")


def _choices(one: Mapping[str, Any]) -> list[Any]:
    return [one["const"]] if "const" in one else list(one.get("enum", ()))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
