"""A fault in a sentence: the field, the limit, and where it helps an example."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from packhorse.schema.checker import Checker
from packhorse.schema.places import alternatives

NAMED_AT_MOST = 40
"""How many faults one refusal names, and how many names one fault lists: beyond that nobody reads on."""
LONGEST_PATTERN = 60
"""Characters of a pattern that a refusal shows."""

_LIMITS = {
    "maxLength": "must have at most {limit} character{s}",
    "minLength": "must have at least {limit} character{s}",
    "maxItems": "must have at most {limit} item{s}",
    "minItems": "must have at least {limit} item{s}",
    "maxProperties": "must have at most {limit} name{s}",
    "minProperties": "must have at least {limit} name{s}",
    "minimum": "must be at least {limit}",
    "maximum": "must be at most {limit}",
    "exclusiveMinimum": "must be above {limit}",
    "exclusiveMaximum": "must be below {limit}",
    "multipleOf": "must be a multiple of {limit}",
    "uniqueItems": "must not have the same item twice",
}
_SHOWN = frozenset({"minLength", "minItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
"""The limits behind which an example helps."""

_ORDINARY = (
    "2026-02-15",
    "07:30",
    "2026-02-15T07:30",
    "2026-02-15T07:30:00Z",
    "2026-02-15T07:30/2026-02-15T15:30",
    "123e4567-e89b-42d3-a456-426614174000",
)
"""Values that show a form where the schema has no example: the first that the pattern accepts."""

_ZONE = "Europe/Paris"

_VERBS = frozenset({"must", "is", "are", "has", "have", "can", "cannot", "may", "needs", "does", "takes"})

_YEARS = range(1000, 3000)

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
    shown = [_example(node) for node in (here, *alternatives(here, schema))]
    example = next(filter(None, shown), "") or _example_in(parent, field.rpartition(".")[2])
    hint = f", for example {example}" if example else ""
    if keyword in _LIMITS:
        if keyword == "minLength" and limit == 1:
            return f"{named} must not be empty{f': write for example {example}' if example else ''}."
        shows = keyword in _SHOWN or "pattern" in here
        return f"{named} {_limit_words(keyword, limit, here, schema)}{hint if shows else ''}."
    match keyword:
        case "required":
            return f"{named} is required{hint}."
        case "additionalProperties":
            name = field.rpartition(".")[2]
            known = [key for key in _keys(parent, schema) if key != name]
            if name.strip() in known and name != name.strip():
                return f"There is a space before or after the name `{name}`: write `{name.strip()}`."
            return f"{_unknown(field)}: {f'use only {listed(known)}' if known else 'leave it out'}."
        case "enum" | "const":
            return f"{named} must be {_choices(keyword, limit, here, schema)}."
        case "pattern":
            return f"{named} {_form_words(str(limit), here, example)}."
        case "type" | "format":
            words = _kind_words(here, schema)
            if not example and (keys := _keys(here, schema)):
                hint = f", whose keys can be {listed(keys)}"
            return f"{named} must be {words}{'' if 'such as' in words else hint}."
        case _:
            return f"{named} {'does' if field else 'do'} not fit the schema of this tool (`{keyword}`)."


def own_words(field: str, words: str) -> str:
    """What a pack says of a field, as a sentence whose subject is the field."""
    words = words.rstrip(".")
    if not field:
        return f"{words[:1].upper()}{words[1:]}."
    return f"`{field}`{' ' if words.partition(' ')[0] in _VERBS else ': '}{words}."


def _unknown(field: str) -> str:
    holder, _, name = field.rpartition(".")
    if not name:
        return f"A field of `{holder}` has an empty name" if holder else "An argument has an empty name"
    return f"There is no {'field' if '.' in field else 'argument'} `{field}`"


def named_as(field: str) -> str:
    """How a sentence calls a field."""
    return f"`{field}`" if field else "The arguments"


def _limit_words(keyword: str, limit: Any, here: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    if keyword in ("minimum", "maximum"):
        for node in alternatives(here, schema):
            if "minimum" in node and "maximum" in node:
                return f"must be from {_number(node['minimum'])} to {_number(node['maximum'])}"
    return _LIMITS[keyword].format(limit=_number(limit), s="" if limit == 1 else "s")


def _number(limit: Any) -> str:
    return str(int(limit)) if isinstance(limit, float) and limit.is_integer() else str(limit)


def _form_words(pattern: str, here: Mapping[str, Any], example: str) -> str:
    example = example or _ordinary(pattern)
    if example:
        rule = f" (the pattern `{pattern}`)" if example.strip('"').isalpha() and len(pattern) <= LONGEST_PATTERN else ""
        return f"must be written like {example}{rule}{_years(pattern, example)}"
    if len(pattern) <= LONGEST_PATTERN:
        return f"must match the pattern `{pattern}`"
    if "description" in here:
        return f"must have this form: {here['description'].rstrip('.')}"
    return "is not in the required form"


def _ordinary(pattern: str) -> str:
    """An everyday value that a pattern accepts, if the pattern does not accept any word."""
    accepts = _accepting(pattern)
    if accepts("word"):  # a name of one to three parts is that of a time zone
        return json.dumps(_ZONE) if accepts(_ZONE) and not accepts("one/of/four/parts") else ""
    return next((json.dumps(value) for value in _ORDINARY if accepts(value)), "")


def _accepting(pattern: str) -> Callable[[str], bool]:
    try:
        return Checker({"pattern": pattern}).is_valid
    except ValueError:  # pydantic's own syntax of patterns is wider
        return lambda _: False


def _years(pattern: str, example: str) -> str:
    """The years that a pattern accepts, where the example begins with a year and not every year will do."""
    value = json.loads(example)
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d", value):
        return ""
    accepts = _accepting(pattern)
    fitting = [year for year in _YEARS if accepts(f"{year}{value[4:]}")]
    return f", with a year from {fitting[0]} to {fitting[-1]}" if 1 < len(fitting) < len(_YEARS) else ""


def _example(here: Mapping[str, Any]) -> str:
    """The first example that says how a value is written, else the default; null and an empty list say nothing."""
    shown = [value for value in (*here.get("examples", ()), here.get("default")) if value not in (None, [], {}, "")]
    shown = [value for value in shown if not isinstance(value, bool)]
    return json.dumps(shown[0], ensure_ascii=False) if shown else ""


def _example_in(parent: Mapping[str, Any], name: str) -> str:
    """What the first example of a list or an object has at this place."""
    whole = next((example for example in parent.get("examples", ()) if example), None)
    if isinstance(whole, list):
        return _example({"examples": whole})
    return _example({"examples": [whole.get(name)]}) if isinstance(whole, dict) else ""


def _keys(here: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(name for node in alternatives(here, schema) for name in node.get("properties", ())))


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
    words.sort(key=lambda one: " such as " in one)  # an example comes last
    return " or ".join(dict.fromkeys(words)) or "of another kind"
