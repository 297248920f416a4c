"""The JSON Schema of our documents, worked out from the domain's own classes, so that it cannot fall behind them."""

import types
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from packhorse_scheduling.domain.programme.programme import Programme

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PROGRAMME_ID = "urn:packhorse:scheduling:programme:1"
ROSTER_ID = "urn:packhorse:scheduling:roster:1"

_PLAIN: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    date: {"type": "string", "format": "date"},
    datetime: {"type": "string", "format": "date-time"},
}


def programme_schema() -> dict[str, Any]:
    """Of the document that ``sample`` and ``export --what programme`` write and ``import`` reads."""
    found: dict[str, Any] = {}
    root = _schema(Programme, found)
    return {
        "$schema": DIALECT,
        "$id": PROGRAMME_ID,
        "title": "A residency programme's year",
        **root,
        "$defs": dict(sorted(found.items())),
    }


def roster_schema() -> dict[str, Any]:
    """Of the document that ``export`` writes and ``import`` reads: one version of a roster."""
    day, text = _PLAIN[date], _PLAIN[str]
    row = {
        "type": "object",
        "required": ["block_date", "block_session", "person_key", "service_code"],
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "person_id": {"type": "string", "format": "uuid"},
            "person_key": text,
            "person_name": text,
            "person_role": text,
            "block_id": {"type": "string", "format": "uuid"},
            "block_date": day,
            "block_session": {"enum": ["AM", "PM"]},
            "rotation_id": {"type": "string", "format": "uuid"},
            "rotation_name": text,
            "service_code": text,
            "hours": {"type": "number", "minimum": 0, "maximum": 12},
        },
    }
    return {
        "$schema": DIALECT,
        "$id": ROSTER_ID,
        "title": "One version of a roster",
        "type": "object",
        "required": ["assignments"],
        "properties": {
            "schedule_id": {"type": "string", "format": "uuid"},
            "version": {"type": "integer", "minimum": 1},
            "status": {"enum": ["draft", "published", "superseded"]},
            "assignments": {"type": "array", "items": row},
            "rotation_plan": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["person_key", "first", "last", "rotation"],
                    "properties": {
                        "person_key": text,
                        "first": day,
                        "last": day,
                        "rotation": text | {"description": "A rotation's code; of an attending, the service's."},
                        "source": {"enum": ["locked", "solved", "manual"]},
                    },
                },
            },
        },
    }


def hints_of(kind: type) -> dict[str, Any]:
    """The types of an attrs class's own fields, by name, in order."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in attrs.fields(kind) if field.init}


def optional_of(kind: Any) -> tuple[Any, bool]:
    """The type without None, and whether None was one of its kinds."""
    if get_origin(kind) in (Union, types.UnionType):
        arms = [arm for arm in get_args(kind) if arm is not type(None)]
        if len(arms) == 1 and len(get_args(kind)) == 2:
            return arms[0], True
    return kind, False


def _schema(kind: Any, found: dict[str, Any]) -> dict[str, Any]:
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    origin, arms = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(arms)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(arm, found) for arm in arms]}
    if origin in (tuple, list):
        return {"type": "array", "items": _schema(arms[0], found)}
    if origin is frozenset:
        return {"type": "array", "items": _schema(arms[0], found), "uniqueItems": True}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(arms[1], found)}
    if attrs.has(kind):
        if kind.__name__ not in found:
            found[kind.__name__] = {}
            found[kind.__name__] = _object(kind, found)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    raise TypeError(f"no schema is known for {kind!r}")


def _object(kind: type, found: dict[str, Any]) -> dict[str, Any]:
    hints = hints_of(kind)
    required = [field.name for field in attrs.fields(kind) if field.init and field.default is attrs.NOTHING]
    made: dict[str, Any] = {
        "type": "object",
        "properties": {name: _schema(hint, found) for name, hint in hints.items()},
        "required": required,
        "additionalProperties": False,
    }
    words = (kind.__doc__ or "").strip().split("\n\n")[0]
    if words and not words.startswith("Method generated"):
        made["description"] = " ".join(words.split())
    return made
