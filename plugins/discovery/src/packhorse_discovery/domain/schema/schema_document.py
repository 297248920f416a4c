"""JSON Schema (2020-12) of the authoring format packhorse-eads/1."""

from collections.abc import Mapping
from typing import Any

_REQUIREMENT: Mapping[str, Any] = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {
            "type": "object",
            "required": ["eads"],
            "properties": {
                "eads": {"type": "string"},
                "path": {"type": "string"},
                "in": {"type": "array"},
                "why": {"type": "string"},
            },
            "additionalProperties": False,
        },
    ]
}
_ANNOTATED: Mapping[str, Any] = {
    "type": "object",
    "required": ["val"],
    "properties": {
        "val": {"$ref": "#/$defs/value"},
        "comment": {"type": "string"},
        "type": {"enum": ["text", "yesno", "number", "quantity", "choice", "list", "choices", "table", "any"]},
        "enum": {"type": "array", "minItems": 2},
        "unit": {"type": "string"},
        "required": {"type": "boolean"},
        "mode": {"enum": ["ask", "infer", "optional", "never"]},
        "key": {"type": "string"},
        "when": {"type": "string"},
        "weight": {"type": "number", "exclusiveMinimum": 0},
        "aliases": {"type": "array", "items": {"type": "string"}},
        "question": {"type": "string"},
        "also": {"type": "string"},
        "note": {"type": "string"},
        "examples": {"type": "array"},
    },
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "packhorse-eads/1",
    "type": "object",
    "required": ["format", "version", "title", "interview-objective", "EADS"],
    "properties": {
        "format": {"const": "packhorse-eads/1"},
        "version": {"type": "string", "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$"},
        "title": {"type": "string", "minLength": 1},
        "message-type": {"const": "EADS-INSTRUCTIONS"},
        "interviewer-agent": {"enum": ["process", "data", "resources", "optimality"]},
        "interview-objective": {"type": "string", "minLength": 1},
        "opening-question": {"type": "string"},
        "budget": {
            "type": "object",
            "properties": {
                "total": {"type": "number", "exclusiveMinimum": 0},
                "per-question": {"type": "number", "exclusiveMinimum": 0},
            },
            "additionalProperties": False,
        },
        "requires": {"type": "array", "items": _REQUIREMENT},
        "excludes": {"type": "array", "items": _REQUIREMENT},
        "topics-from": {"type": "string"},
        "generates": {"type": "array", "items": {"type": "string"}},
        "challenges": {"type": "array", "items": {"type": "string"}},
        "migrations": {"type": "array", "items": {"type": "object"}},
        "hooks": {"type": "string"},
        "overrides": {"type": "boolean"},
        "EADS": {
            "type": "object",
            "required": ["EADS-id"],
            "properties": {
                "EADS-id": {"type": "string", "pattern": "^(process|data|resources|optimality)/[a-z0-9-]+$"}
            },
            "additionalProperties": {"$ref": "#/$defs/value"},
        },
    },
    "additionalProperties": False,
    "$defs": {
        "value": {
            "anyOf": [
                {"$ref": "#/$defs/annotated"},
                {"type": ["string", "number", "boolean"]},
                {"type": "array", "items": {"$ref": "#/$defs/value"}},
                {
                    "type": "object",
                    "not": {"required": ["val"]},
                    "additionalProperties": {"$ref": "#/$defs/value"},
                },
            ]
        },
        "annotated": _ANNOTATED,
    },
}
"""A value may be bare or annotated at any depth; `EADS` holds the example structure."""
