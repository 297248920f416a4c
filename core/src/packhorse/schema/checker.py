"""Asking a JSON Schema itself, where pydantic does not enforce all of it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any


class Checker:
    """Checks values against one schema. It fetches nothing, and a ``pattern`` means what ECMA-262 says.

    jsonschema is loaded with the first value, unless it is needed to know that
    the schema is valid.

    Raises:
        ValueError: saying what is wrong with the schema, a reference or a pattern in it.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = dict(schema)
        if not plainly_valid(self._schema):
            _ = self._validator

    def faults(self, value: Any) -> Iterator[Any]:
        """Jsonschema's errors, one by one."""
        faults: Iterator[Any] = self._validator.iter_errors(value)
        return faults

    def is_valid(self, value: Any) -> bool:
        """Whether the schema accepts ``value``."""
        return next(self.faults(value), None) is None

    def validate(self, value: Any) -> None:
        """Raise jsonschema's ``ValidationError`` where the schema refuses ``value``."""
        self._validator.validate(value)

    @cached_property
    def _validator(self) -> Any:
        return _validator_of(self._schema)


# --- is it a schema? ---


def plainly_valid(schema: Any) -> bool:
    """Whether ``schema`` is a valid JSON Schema 2020-12 of the common keywords, whose patterns and references work.

    False says only that this is not plain to see. The metaschema takes a
    hundred times as long to say.
    """
    definitions = schema.get("$defs") if isinstance(schema, dict) else None
    names = definitions.keys() if isinstance(definitions, dict) else ()
    waiting: list[Any] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, bool):
            continue
        if not isinstance(node, dict):
            return False
        for keyword, value in node.items():
            if keyword in _SCHEMA:
                waiting.append(value)
            elif keyword in _SCHEMAS:
                if not isinstance(value, list) or not value:
                    return False
                waiting += value
            elif keyword in _NAMED_SCHEMAS:
                if not isinstance(value, dict):
                    return False
                waiting += value.values()
            elif keyword == "$ref":
                if not (isinstance(value, str) and _DEFINITION.fullmatch(value) and value[8:] in names):
                    return False
            elif not (str(keyword).startswith("x-") or (keyword in _VALUES and _VALUES[keyword](value))):
                return False
    return True


def _is_pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and compiled(value) is not None
    except re.error:
        return False


def _is_type(value: Any) -> bool:
    return (value in _TYPES) if isinstance(value, str) else (bool(value) and _is_list_of_names(value, _TYPES))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_list_of_names(value: Any, among: frozenset[str] | None = None) -> bool:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        return False
    return len(set(value)) == len(value) and (among is None or among.issuperset(value))


_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


_DEFINITION = re.compile(r"#/\$defs/[\w.-]+")
_SCHEMA = frozenset({"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"})
_SCHEMAS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_NAMED_SCHEMAS = frozenset({"properties", "$defs", "dependentSchemas"})
_VALUES: Mapping[str, Callable[[Any], bool]] = {
    "type": _is_type,
    "pattern": _is_pattern,
    "required": _is_list_of_names,
    **dict.fromkeys(("description", "title", "format"), _is_text),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("enum", "examples"), lambda value: isinstance(value, list)),
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly", "deprecated"), lambda value: isinstance(value, bool)),
    **dict.fromkeys(("const", "default", "discriminator"), lambda _: True),
}


# --- jsonschema, loaded when it is needed ---


def _validator_of(schema: Mapping[str, Any]) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY

    def look_at(resource: Any, resolver: Any) -> None:
        node = resource.contents
        if isinstance(node, Mapping):
            for keyword in ("$ref", "$dynamicRef"):
                if keyword in node:
                    resolver.lookup(node[keyword])
            for pattern in (node.get("pattern"), *node.get("patternProperties", ())):
                if pattern is not None:
                    compiled(pattern)
        for inner in resource.subresources():
            look_at(inner, resolver.in_subresource(inner))

    try:
        wrong = best_match(Draft202012Validator(_metaschema()).iter_errors(schema))
        if wrong is not None:
            raise ValueError(f"it is not a valid JSON Schema 2020-12: {wrong.message}")
        resource = DRAFT202012.create_resource(schema)
        root = EMPTY_REGISTRY.with_resource(resource.id() or "", resource).crawl().resolver_with_root(resource)
        look_at(resource, root)
    except Unresolvable as exc:
        raise ValueError(f"its reference {exc.ref!r} leads nowhere") from exc
    except re.error as exc:
        raise ValueError(f"its pattern {exc.pattern!r} cannot be read: {exc.msg}") from exc
    return _dialect()(schema, registry=EMPTY_REGISTRY)


@lru_cache(maxsize=1)
def _dialect() -> Any:
    """Jsonschema's validator of 2020-12, with patterns of ECMA-262."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def check_pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[Any]:
        if isinstance(instance, str) and not compiled(pattern).search(instance):
            yield ValidationError("pattern")

    return extend(Draft202012Validator, {"pattern": check_pattern})


@lru_cache(maxsize=1)
def _metaschema() -> dict[str, Any]:
    """The metaschema of JSON Schema 2020-12 with its seven vocabularies in one document.

    As published, each is a document of its own, joined by references that are
    looked up at every step: checking by them takes five times as long.
    """
    from jsonschema_specifications import REGISTRY

    base = "https://json-schema.org/draft/2020-12/"
    main = REGISTRY.contents(base + "schema")
    whole: dict[str, Any] = {"type": main["type"], "properties": {}, "$defs": {}}
    for part in (*(REGISTRY.contents(base + one["$ref"]) for one in main["allOf"]), main):
        text = json.dumps({key: part[key] for key in ("properties", "$defs") if key in part})
        text = text.replace('"$dynamicRef": "#meta"', '"$ref": "#"')
        for key, named in json.loads(re.sub(r'"meta/[a-z-]+#/', '"#/', text)).items():
            whole[key] |= named
    return whole


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    r"""A pattern of JSON Schema for Python's engine.

    ECMA-262 differs where it matters: ``$`` is the very end, never before a
    last line break, and ``\d`` and ``\w`` are ASCII.

    Raises:
        re.error: the pattern uses what Python's engine lacks, such as ``\p{L}``.
    """
    made: list[str] = []
    in_class = False
    for part in re.findall(r"\\.|\(\?<(?![=!])|.", pattern, re.DOTALL):
        if part in (r"\d", r"\w"):
            listed = "0-9" if part == r"\d" else "0-9A-Za-z_"
            made.append(listed if in_class else f"[{listed}]")
        elif part in (r"\D", r"\W") and not in_class:
            made.append("[^0-9]" if part == r"\D" else "[^0-9A-Za-z_]")
        elif part == "$" and not in_class:
            made.append(r"\Z")
        elif part == "(?<" and not in_class:
            made.append("(?P<")
        elif part == "[" and in_class:
            made.append(r"\[")
        else:
            in_class = part == "[" or (in_class and part != "]")
            made.append(part)
    return re.compile("".join(made))
