"""What is wrong with a call's arguments, in words that name the field, the limit and the next step."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic_core.core_schema import ErrorType

from packhorse.errors import UserError
from packhorse.schema.places import alternatives, cut, path_in, schema_at, short
from packhorse.schema.wording import NAMED_AT_MOST, listed, named_as, sentence

INVALID_ARGUMENTS = "INVALID_ARGUMENTS"


_LONGEST_WORDS = 300

# pydantic's error type -> (JSON Schema keyword, name of the limit in the error's context)
_KEYWORDS: Mapping[str, tuple[str, str | None]] = {
    "missing": ("required", None),
    "union_tag_not_found": ("required", None),
    "extra_forbidden": ("additionalProperties", None),
    "unexpected_keyword_argument": ("additionalProperties", None),
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
    "union_tag_invalid": ("enum", "expected_tags"),
    "too_long": ("maxItems", "max_length"),
    "too_short": ("minItems", "min_length"),
    "value_error": ("value", None),
    "assertion_error": ("value", None),
}

# What no keyword of the schema says, with names from the error's context.
_MEANINGS = {
    "date_past": "must lie in the past",
    "date_future": "must lie in the future",
    "datetime_past": "must lie in the past",
    "datetime_future": "must lie in the future",
    "timezone_aware": "must say its offset, such as Z or +02:00",
    "timezone_naive": "must have no offset",
    "decimal_max_digits": "must have at most {max_digits} digits",
    "decimal_max_places": "must have at most {decimal_places} digits after the point",
    "decimal_whole_digits": "must have at most {whole_digits} digits before the point",
}

_PYDANTICS = frozenset(get_args(ErrorType))


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
        fault = _from_pydantic(error, schema)
        known = found.get(fault.field)
        # Of several alternatives, the one whose kind was right says more than "another kind".
        if known is None or (known.keyword == "type" and fault.keyword != "type"):
            found[fault.field] = fault
    above = _above(found)
    return [fault for fault in found.values() if fault.keyword != "type" or fault.field not in above]


def from_jsonschema(errors: Iterable[Any], schema: Mapping[str, Any]) -> list[Fault]:
    """Faults from jsonschema's errors, by the keyword that failed."""
    found: dict[str, Fault] = {}
    for error in errors:
        for one in _telling(error):
            for fault in _from_jsonschema(one, schema):
                found.setdefault(fault.field, fault)
    return list(found.values())


def together(first: Sequence[Fault], second: Sequence[Fault]) -> list[Fault]:
    """``first``, and what ``second`` says of other fields."""
    named = {fault.field for fault in first}
    above = _above(named)
    return [
        *first,
        *(
            fault
            for fault in second
            if fault.field not in named and fault.field not in above and named.isdisjoint(_above([fault.field]))
        ),
    ]


def refusal(faults: Sequence[Fault], codes: Mapping[str, str]) -> UserError:
    """One refusal that names every fault; ``codes`` is the tool's own table of codes."""
    coded = [(fault, code_for(fault, codes)) for fault in faults]
    named = coded[:NAMED_AT_MOST]
    more = [f"There are {len(coded) - len(named)} more faults."] if len(coded) > len(named) else []
    return UserError(
        " ".join([*(fault.message for fault, _ in named), *more]),
        code=coded[0][1],
        details={"faults": [{"field": f.field, "code": code, "message": f.message} for f, code in named]},
    )


def code_for(fault: Fault, codes: Mapping[str, str]) -> str:
    """The pack's code for a fault: by field and keyword, by field, by keyword, else the host's."""
    for key in (f"{fault.field}.{fault.keyword}", fault.field, fault.keyword):
        if key in codes:
            return codes[key]
    return INVALID_ARGUMENTS


# --- reading what pydantic says ---


def _from_pydantic(error: Mapping[str, Any], schema: Mapping[str, Any]) -> Fault:
    kind, context = error["type"], error.get("ctx") or {}
    location = error["loc"]
    # A pack's PydanticCustomError speaks for itself; pydantic's own, for addresses, does not.
    own_words = kind not in _KEYWORDS and kind not in _PYDANTICS and not kind.startswith("ip_v")
    keyword, limit_name = ("value", None) if own_words else _KEYWORDS.get(kind, ("type", None))
    if keyword == "additionalProperties":
        path = [*path_in(schema, location[:-1]), short(location[-1])]
    else:
        path = path_in(schema, location)
    if kind.startswith("union_tag_"):
        path.append(str(context.get("discriminator", "")).strip("'"))
    field = ".".join(path)
    if keyword == "value" and _foreign(context.get("error")):
        keyword = "type"
    if keyword == "value":
        said = str(context.get("error", error["msg"])) or "is not valid"
        return Fault(field, keyword, f"{named_as(field)}: {cut(said, _LONGEST_WORDS)}")
    if kind in _MEANINGS:
        return Fault(field, "value", f"{named_as(field)} {_MEANINGS[kind].format(**context)}.")
    here = schema_at(schema, path)
    if keyword == "type" and not kind.endswith("_type") and any("format" in n for n in alternatives(here, schema)):
        keyword = "format"
    limit = context.get(limit_name) if limit_name else None
    return Fault(field, keyword, sentence(field, keyword, limit, here, schema_at(schema, path[:-1]), schema))


def _foreign(error: Any) -> bool:
    """Whether the standard library raised it: its words are for programmers, and repeat what was given."""
    known = type(error).__module__.partition(".")[0] in sys.stdlib_module_names
    return isinstance(error, Exception) and known and type(error) not in (ValueError, AssertionError)


# --- reading what jsonschema says ---


def _telling(error: Any) -> Iterator[Any]:
    """The errors inside ``error`` that say most: those of the alternative that fits best, or itself."""
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        yield error
        return
    branches: dict[Any, list[Any]] = defaultdict(list)
    for inner in error.context:
        branches[inner.schema_path[0]].append(inner)

    def of_another_kind(inner: Any) -> bool:
        return inner.absolute_path == error.absolute_path and inner.validator in ("type", "const", "enum")

    fitting = [branch for branch in branches.values() if not any(of_another_kind(inner) for inner in branch)]
    if not fitting or all(inner.validator == "required" for branch in fitting for inner in branch):
        yield error
        return
    for inner in min(fitting, key=len):
        yield from _telling(inner)


def _from_jsonschema(error: Any, schema: Mapping[str, Any]) -> Iterator[Fault]:
    path = path_in(schema, error.absolute_path)
    here, keyword, limit = error.schema, error.validator, error.validator_value

    def fault(names: Sequence[str], keyword: str, limit: Any, inside: Mapping[str, Any]) -> Fault:
        field = ".".join([*path, *names])
        declared = schema_at(schema, [*path, *names])
        if not names:
            declared = {**declared, **inside}
        parent = inside if names else schema_at(schema, path[:-1])
        return Fault(field, keyword, sentence(field, keyword, limit, declared, parent, schema))

    if keyword == "required":
        for name in limit:
            if name not in error.instance:
                yield fault([name], keyword, None, here)
    elif keyword == "dependentRequired":
        for name in {name for given in limit if given in error.instance for name in limit[given]}:
            if name not in error.instance:
                yield fault([name], "required", None, here)
    elif keyword == "additionalProperties" and isinstance(error.instance, Mapping):
        patterns = here.get("patternProperties", {})
        for name in error.instance:
            if name not in here.get("properties", {}) and not any(re.search(known, name) for known in patterns):
                yield fault([short(name)], keyword, None, here)
    elif keyword in ("anyOf", "oneOf"):
        wanted = [name for branch in limit if isinstance(branch, Mapping) for name in branch.get("required", ())]
        field = ".".join(path)
        if wanted:
            count = "one" if keyword == "oneOf" else "at least one"
            yield Fault(field, keyword, f"{named_as(field)} must have {count} of: {listed(dict.fromkeys(wanted))}.")
        else:
            yield Fault(field, keyword, sentence(field, "type", None, {keyword: limit}, {}, schema))
    else:
        yield fault([], keyword, limit, here)


def _above(fields: Iterable[str]) -> set[str]:
    """Every field that another of ``fields`` lies within."""
    return {field[:at] for field in fields for at, sign in enumerate(field) if sign == "." and at}
