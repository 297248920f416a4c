"""What is wrong with a call's arguments, in words that name the field, the limit and the next step."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from packhorse.errors import UserError

INVALID_ARGUMENTS = "INVALID_ARGUMENTS"

# pydantic's error type -> (JSON Schema keyword, name of the limit in the error's context)
_KEYWORDS: Mapping[str, tuple[str, str | None]] = {
    "missing": ("required", None),
    "extra_forbidden": ("additionalProperties", None),
    "string_too_long": ("maxLength", "max_length"),
    "string_too_short": ("minLength", "min_length"),
    "string_pattern_mismatch": ("pattern", "pattern"),
    "greater_than": ("exclusiveMinimum", "gt"),
    "greater_than_equal": ("minimum", "ge"),
    "less_than": ("exclusiveMaximum", "lt"),
    "less_than_equal": ("maximum", "le"),
    "multiple_of": ("multipleOf", "multiple_of"),
    "enum": ("enum", "expected"),
    "literal_error": ("enum", "expected"),
    "too_long": ("maxItems", "max_length"),
    "too_short": ("minItems", "min_length"),
    "value_error": ("value", None),
    "assertion_error": ("value", None),
}

_LIMITS = {
    "maxLength": "is too long: at most {limit} characters",
    "minLength": "is too short: at least {limit} characters",
    "maxItems": "has too many items: at most {limit}",
    "minItems": "has too few items: at least {limit}",
    "minimum": "must be at least {limit}",
    "maximum": "must be at most {limit}",
    "exclusiveMinimum": "must be above {limit}",
    "exclusiveMaximum": "must be below {limit}",
    "multipleOf": "must be a multiple of {limit}",
}

_TYPE_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: ``field`` is a dotted path, empty for the arguments as a whole."""

    field: str
    keyword: str
    message: str


def from_pydantic(errors: Iterable[Mapping[str, Any]], schema: Mapping[str, Any]) -> list[Fault]:
    """Faults from pydantic's list of errors; a field with several alternatives is named once."""
    found: dict[str, Fault] = {}
    for error in errors:
        path = _path_in(schema, error["loc"])
        field = ".".join(path)
        kind = error["type"]
        keyword, limit_name = _KEYWORDS.get(kind, ("type", None))
        context = error.get("ctx") or {}
        if keyword == "value":
            found.setdefault(field, Fault(field, keyword, f"{_named(field)}: {context.get('error', error['msg'])}"))
            continue
        limit = context.get(limit_name) if limit_name else None
        fault = _fault(path, keyword, limit, schema)
        found.setdefault(field, fault)
    return list(found.values())


def from_jsonschema(errors: Iterable[Any], schema: Mapping[str, Any]) -> list[Fault]:
    """Faults from jsonschema's errors, by the keyword that failed."""
    found: dict[str, Fault] = {}
    for error in errors:
        path = [str(part) for part in error.absolute_path]
        if error.validator == "required":
            for name in error.validator_value:
                if name not in error.instance:
                    found.setdefault(".".join([*path, name]), _fault([*path, name], "required", None, schema))
            continue
        if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
            known = error.schema.get("properties", {})
            for name in error.instance:
                if name not in known:
                    found.setdefault(
                        ".".join([*path, _short(name)]),
                        _fault([*path, _short(name)], "additionalProperties", None, schema),
                    )
            continue
        found.setdefault(".".join(path), _fault(path, error.validator, error.validator_value, schema))
    return list(found.values())


def refusal(faults: Sequence[Fault], codes: Mapping[str, str]) -> UserError:
    """One refusal that names every fault; ``codes`` is the tool's own table of codes."""
    coded = [(fault, code_for(fault, codes)) for fault in faults]
    return UserError(
        " ".join(fault.message for fault in faults),
        code=coded[0][1],
        details={"faults": [{"field": f.field, "code": code, "message": f.message} for f, code in coded]},
    )


def code_for(fault: Fault, codes: Mapping[str, str]) -> str:
    """The pack's code for a fault: by field and keyword, by field, by keyword, else the host's."""
    for key in (f"{fault.field}.{fault.keyword}", fault.field, fault.keyword):
        if key in codes:
            return codes[key]
    return INVALID_ARGUMENTS


def _fault(path: Sequence[str], keyword: str, limit: Any, schema: Mapping[str, Any]) -> Fault:
    field = ".".join(path)
    return Fault(field, keyword, _sentence(field, keyword, limit, _schema_at(schema, path), schema, path))


def _sentence(
    field: str, keyword: str, limit: Any, here: Mapping[str, Any], schema: Mapping[str, Any], path: Sequence[str]
) -> str:
    named = _named(field)
    if keyword in _LIMITS:
        return f"{named} {_LIMITS[keyword].format(limit=limit)}."
    match keyword:
        case "required":
            return f"{named} is required{_hint(here)}."
        case "additionalProperties":
            parent = _schema_at(schema, path[:-1])
            names = ", ".join(f"`{name}`" for name in parent.get("properties", {}))
            return f"{named} is not known here: " + (f"give only {names}." if names else "it takes no arguments.")
        case "enum" | "const":
            choices = here.get("enum", [here["const"]] if "const" in here else None)
            words = ", ".join(json.dumps(choice) for choice in choices) if choices else str(limit)
            return f"{named} must be one of: {words}."
        case "pattern":
            described = f": {here['description'].rstrip('.')}" if "description" in here else ""
            return f"{named} is not written as it should be{described}{_hint(here)}."
        case "type":
            return f"{named} must be {_type_words(here)}{_hint(here)}."
        case _:
            return f"{named} {'does' if field else 'do'} not fit the schema of this tool (`{keyword}`)."


def _named(field: str) -> str:
    return f"`{field}`" if field else "The arguments"


def _hint(here: Mapping[str, Any]) -> str:
    examples = here.get("examples")
    return f", for example {json.dumps(examples[0], ensure_ascii=False)}" if examples else ""


def _type_words(here: Mapping[str, Any]) -> str:
    kinds = here.get("type")
    if kinds is None:
        branches = here.get("anyOf") or here.get("oneOf") or ()
        kinds = [branch.get("type", "object") for branch in branches if isinstance(branch, Mapping)]
    listed = [kinds] if isinstance(kinds, str) else list(kinds or ())
    words = list(dict.fromkeys(_TYPE_WORDS.get(str(kind), str(kind)) for kind in listed))
    return " or ".join(words) if words else "of another kind"


def _short(name: object) -> str:
    text = re.sub(r"[^\w .-]", "?", str(name))
    return text if len(text) <= 32 else text[:31] + "…"


def _path_in(schema: Mapping[str, Any], location: Iterable[Any]) -> list[str]:
    """A path that keeps field names and list positions and drops pydantic's names of union branches."""
    path: list[str] = []
    parts = list(location)
    for index, part in enumerate(parts):
        if isinstance(part, int):
            path.append(str(part))
            continue
        here = _schema_at(schema, path)
        known = part in here.get("properties", {}) or any(
            part in _resolve(branch, schema).get("properties", {})
            for branch in [*here.get("anyOf", ()), *here.get("oneOf", ())]
        )
        if known:
            path.append(part)
        elif index == len(parts) - 1 and ("properties" in here or not path):
            path.append(_short(part))
    return path


def _schema_at(schema: Mapping[str, Any], path: Sequence[str]) -> Mapping[str, Any]:
    here = _resolve(schema, schema)
    for part in path:
        branches = [here, *(_resolve(branch, schema) for branch in [*here.get("anyOf", ()), *here.get("oneOf", ())])]
        for branch in branches:
            if part in branch.get("properties", {}):
                here = _resolve(branch["properties"][part], schema)
                break
            if part.isdigit() and isinstance(branch.get("items"), Mapping):
                here = _resolve(branch["items"], schema)
                break
        else:
            return {}
    return here


def _resolve(node: Any, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(node, Mapping):
        return {}
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/$defs/"):
        target = schema.get("$defs", {}).get(reference.removeprefix("#/$defs/"), {})
        return {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return node
