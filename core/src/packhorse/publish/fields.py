"""A pack's settings as the fields of a form: what a person is asked for before the pack can start."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

Kind = Literal["text", "number", "boolean", "file", "folder"]

_KINDS: Mapping[str, Kind] = {"number": "number", "integer": "number", "boolean": "boolean"}
_FORMATS: Mapping[str, Kind] = {"file-path": "file", "directory-path": "folder"}
_JSON = ("object", "array")


@dataclass(frozen=True, slots=True)
class Field:
    """One setting. ``several`` says that it takes a list; ``least`` and ``most`` are inclusive.

    A secret has no default here, whatever the pack has.
    """

    key: str
    variable: str
    title: str
    description: str
    kind: Kind = "text"
    several: bool = False
    secret: bool = False
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None


def fields_of(pack: str, model: type[BaseModel] | None) -> tuple[Field, ...]:
    """The fields of a pack's settings model, in its order; none without a model.

    A value that is no text, number, truth or list of those is asked for as
    JSON text: that is what the pack's environment variable takes.
    """
    if model is None:
        return ()
    schema = model.model_json_schema()
    required = schema.get("required", ())
    return tuple(
        _field(pack, key, _resolved(node, schema), key in required)
        for key, node in schema.get("properties", {}).items()
    )


def _field(pack: str, key: str, node: Mapping[str, Any], required: bool) -> Field:
    several = node.get("type") == "array" and node.get("items", {}).get("type") not in (None, *_JSON)
    one = node["items"] if several else node
    title = str(node.get("title") or key.replace("_", " ").capitalize())
    choices = tuple(str(choice) for choice in one.get("enum", ()))
    said = str(node.get("description") or f"{title}.")
    if choices:
        said += f" One of: {', '.join(choices)}."
    if one.get("type") in _JSON or ("type" not in one and not choices):
        said += " As JSON."
    secret = one.get("format") == "password"
    default = None if secret else node.get("default")
    return Field(
        key=key,
        variable=f"PACKHORSE_PACKS_{pack.upper().replace('-', '_')}_{key.upper()}",
        title=title,
        description=said,
        kind=_KINDS.get(one.get("type", ""), _FORMATS.get(one.get("format", ""), "text")),
        several=several,
        secret=secret,
        required=required,
        default=default if default not in ([], {}) else None,
        choices=choices,
        least=one.get("minimum", one.get("exclusiveMinimum")),
        most=one.get("maximum", one.get("exclusiveMaximum")),
    )


def _resolved(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A property's schema with its reference followed, and the branch that it has beside null taken."""
    reference = node.get("$ref")
    if isinstance(reference, str):
        target = schema.get("$defs", {}).get(reference.removeprefix("#/$defs/"), {})
        return {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    branches = [branch for branch in node.get("anyOf", ()) if branch.get("type") != "null"]
    if len(branches) == 1:
        return {**_resolved(branches[0], schema), **{key: value for key, value in node.items() if key != "anyOf"}}
    return node
