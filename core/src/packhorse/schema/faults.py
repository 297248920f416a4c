"""What is wrong with a call's arguments, in words that name the field, the limit and the next step."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from jsonschema_rs import ValidationError, ValidationErrorKind
from pydantic_core.core_schema import ErrorType

from packhorse.errors import UserError
from packhorse.schema.places import alternatives, cut, path_in, schema_at, short
from packhorse.schema.wording import NAMED_AT_MOST, named_as, own_words, sentence

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


def from_schema(errors: Iterable[ValidationError], schema: Mapping[str, Any], given: Any) -> list[Fault]:
    """Faults from what the schema itself refuses of ``given``, by the keyword that failed."""
    found: dict[str, Fault] = {}
    for error in errors:
        for one in _telling(error):
            for fault in _from_schema(one, schema, given):
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
        " ".join([*_once(fault for fault, _ in named), *more]),
        code=coded[0][1],
        details={"faults": [{"field": f.field, "code": code, "message": f.message} for f, code in named]},
    )


def _once(faults: Iterable[Fault]) -> Iterator[str]:
    """Their messages; which names are known is said with the first that is not."""
    told = set[str]()
    for fault in faults:
        head, _, known = fault.message.partition(": ")
        yield f"{head}." if fault.keyword == "additionalProperties" and known in told else fault.message
        told.add(known)


def code_for(fault: Fault, codes: Mapping[str, str]) -> str:
    """The pack's code for a fault: by field and keyword, by field, by keyword, else the host's.

    The code of a field is that of a wrong value: what is missing has none.
    """
    of_value = () if fault.keyword == "required" else (fault.field,)
    for key in (f"{fault.field}.{fault.keyword}", *of_value, fault.keyword):
        if key in codes:
            return codes[key]
    return INVALID_ARGUMENTS


# --- reading what pydantic says ---


def _from_pydantic(error: Mapping[str, Any], schema: Mapping[str, Any]) -> Fault:
    kind, context = error["type"], error.get("ctx") or {}
    location = error["loc"]
    # A pack's PydanticCustomError speaks for itself; pydantic's own, for addresses, does not.
    is_own = kind not in _KEYWORDS and kind not in _PYDANTICS and not kind.startswith("ip_v")
    keyword, limit_name = ("value", None) if is_own else _KEYWORDS.get(kind, ("type", None))
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
        return Fault(field, keyword, own_words(field, cut(said, _LONGEST_WORDS)))
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


# --- reading what the schema refuses ---


def _telling(error: ValidationError) -> Iterator[ValidationError]:
    """The errors inside ``error`` that say most: those of the alternative that fits best, or itself."""
    branches = [branch for branch in getattr(error.kind, "context", ()) if branch]

    def of_another_kind(inner: ValidationError) -> bool:
        return inner.instance_path == error.instance_path and inner.kind.name in ("type", "const", "enum")

    fitting = [branch for branch in branches if not any(of_another_kind(inner) for inner in branch)]
    if not fitting or all(inner.kind.name == "required" for branch in fitting for inner in branch):
        yield error
        return
    for inner in min(fitting, key=len):
        yield from _telling(inner)


def _from_schema(error: ValidationError, schema: Mapping[str, Any], given: Any) -> Iterator[Fault]:
    path = [short(part) for part in error.instance_path]
    keyword, here = error.kind.name, _around(error, schema)
    limit = here.get(keyword)

    def fault(names: Sequence[str], keyword: str) -> Fault:
        field = ".".join([*path, *names])
        declared = schema_at(schema, [*path, *names])
        if not names:
            declared = {**declared, **here}
        parent = here if names else schema_at(schema, path[:-1])
        return Fault(field, keyword, sentence(field, keyword, limit, declared, parent, schema))

    match error.kind:
        case ValidationErrorKind.Required(property=name):
            yield fault([name], keyword)
        case ValidationErrorKind.AdditionalProperties(unexpected=names):
            for name in names:
                yield fault([short(name)], keyword)
        case _ if keyword == "falseSchema" and error.schema_path[-1:] == ["additionalProperties"]:
            for part in error.instance_path:
                given = given[part]
            for name in given:
                yield fault([short(name)], "additionalProperties")
        case _ if keyword in ("anyOf", "oneOf"):
            branches = [branch for branch in limit or () if isinstance(branch, Mapping)]
            wanted = dict.fromkeys(
                " with ".join(f"`{name}`" for name in branch["required"])
                for branch in branches
                if branch.get("required")
            )
            field = ".".join(path)
            if wanted:
                count = "exactly one" if keyword == "oneOf" else "at least one"
                begin = f"{named_as(field)} must have" if field else "Give"
                yield Fault(field, keyword, f"{begin} {count} of: {', '.join(wanted)}.")
            else:
                yield Fault(field, keyword, sentence(field, "type", None, {keyword: limit or ()}, {}, schema))
        case _:
            yield fault([], keyword)


def _around(error: ValidationError, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a schema that holds the keyword that failed."""
    here: Any = schema
    for part in error.schema_path[:-1]:
        here = here[int(part)] if isinstance(here, list) else here.get(str(part), {})
    return here if isinstance(here, Mapping) else {}


def _above(fields: Iterable[str]) -> set[str]:
    """Every field that another of ``fields`` lies within."""
    return {field[:at] for field in fields for at, sign in enumerate(field) if sign == "." and at}
