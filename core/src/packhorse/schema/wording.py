"""A fault in a sentence: the field, the limit, and where it helps an example."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from packhorse.schema.places import alternatives

NAMED_AT_MOST = 40
"""How many faults one refusal names, and how many names one fault lists: beyond that nobody reads on."""

_LIMITS = {
    "maxLength": "is too long: at most {limit} character{s}",
    "minLength": "is too short: at least {limit} character{s}",
    "maxItems": "has too many items: at most {limit}",
    "minItems": "has too few items: at least {limit}",
    "maxProperties": "has too many names: at most {limit}",
    "minProperties": "has too few names: at least {limit}",
    "minimum": "must be at least {limit}",
    "maximum": "must be at most {limit}",
    "exclusiveMinimum": "must be above {limit}",
    "exclusiveMaximum": "must be below {limit}",
    "multipleOf": "must be a multiple of {limit}",
    "uniqueItems": "must not hold an item twice",
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

_FORMAT_WORDS = {
    "date": "a date such as 2026-01-31",
    "date-time": "an instant such as 2026-01-31T08:00:00Z",
    "time": "a time of day such as 08:30:00",
    "duration": "a duration such as PT1H30M",
    "uuid": "a UUID such as 123e4567-e89b-42d3-a456-426614174000",
    "uri": "a URL such as https://example.org",
    "ipv4": "an IPv4 address such as 192.0.2.1",
    "ipv6": "an IPv6 address such as 2001:db8::1",
    "email": "an e-mail address such as name@example.org",
}


def sentence(
    field: str, keyword: str, limit: Any, here: Mapping[str, Any], parent: Mapping[str, Any], schema: Mapping[str, Any]
) -> str:
    """One fault as a sentence. ``here`` is the schema of the field, ``parent`` that of what holds it."""
    named = named_as(field)
    if keyword in _LIMITS:
        limits = _LIMITS[keyword].format(limit=limit, s="" if limit == 1 else "s")
        return f"{named} {limits if field else limits.replace('has', 'have', 1)}{_hint(here)}."
    match keyword:
        case "required":
            return f"{named} is required{_hint(here)}."
        case "additionalProperties":
            known = dict.fromkeys(name for node in alternatives(parent, schema) for name in node.get("properties", ()))
            return f"{named} is not known here: {f'give only {listed(known)}' if known else 'nothing can be given'}."
        case "enum" | "const":
            return f"{named} must be {_choices(keyword, limit, here, schema)}."
        case "pattern":
            example = _example(here) or _example({"examples": next(iter(parent.get("examples", ())), None) or ()})
            if example:
                return f"{named} must be written like {example}."
            if "description" in here:
                return f"{named} is not in the required form. Its description: {here['description'].rstrip('.')}."
            if len(str(limit)) > 100:
                return f"{named} is not in the required form."
            return f"{named} must match the pattern `{limit}`."
        case "type" | "format":
            words = _kind_words(here, schema)
            return f"{named} must be {words}{'' if 'such as' in words else _hint(here)}."
        case _:
            return f"{named} {'does' if field else 'do'} not fit the schema of this tool (`{keyword}`)."


def named_as(field: str) -> str:
    """How a sentence calls a field."""
    return f"`{field}`" if field else "The arguments"


def _hint(here: Mapping[str, Any]) -> str:
    example = _example(here)
    return f", for example {example}" if example else ""


def _example(here: Mapping[str, Any]) -> str:
    """The first example that says how a value is written; null says nothing."""
    shown = [example for example in here.get("examples", ()) if example is not None]
    return json.dumps(shown[0], ensure_ascii=False) if shown else ""


def _choices(keyword: str, limit: Any, here: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    if isinstance(limit, list):
        choices = limit
    elif keyword == "const":
        choices = [limit]
    else:
        nodes = alternatives(here, schema)
        choices = [one for node in nodes for one in (node.get("enum") or ([node["const"]] if "const" in node else ()))]
    words = listed(choices, as_json=True) if choices else str(limit)
    return f"one of: {words}" if len(choices) != 1 else words


def listed(names: Iterable[Any], *, as_json: bool = False) -> str:
    """Names in a row, and how many more there are."""
    words = [json.dumps(name, ensure_ascii=False) if as_json else f"`{name}`" for name in names]
    more = [f"and {len(words) - NAMED_AT_MOST} more"] if len(words) > NAMED_AT_MOST else []
    return ", ".join([*words[:NAMED_AT_MOST], *more])


def _kind_words(here: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    words: list[str] = []
    for node in alternatives(here, schema):
        kinds = node.get("type", "object" if "properties" in node else ())
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            form = _FORMAT_WORDS.get(node.get("format", "")) if kind == "string" else None
            words.append(form or _TYPE_WORDS.get(kind, kind))
    return " or ".join(dict.fromkeys(words)) or "of another kind"
