"""A published JSON Schema, read: what it accepts, and its combinations unfolded into plain alternatives.

Values are judged by `jsonschema`'s 2020-12 validator with one correction.
JSON Schema patterns are ECMA-262, where ``$`` is the very end and ``\\d`` is
ASCII; Python's ``$`` also stops before a last newline, and its ``\\d`` takes
the digits of every script.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

Schema = Mapping[str, Any] | bool
Flat = dict[str, Any]

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
IMPLIED = {"properties": "object", "required": "object", "items": "array", "pattern": "string", "format": "string"}

LOWER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems"})
UPPER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems"})
OTHER = frozenset({"type", "properties", "required", "additionalProperties", "items", "uniqueItems", "enum", "const"})
PLAIN = LOWER | UPPER | OTHER | frozenset({"pattern", "format", "multipleOf", "examples"})
COMBINING = frozenset({"$ref", "allOf", "anyOf", "oneOf", "if", "then", "else"})
NAMING = frozenset({"$schema", "$id", "$comment", "$defs", "definitions", "title", "description"})
ANNOTATIONS = NAMING | frozenset({"default", "deprecated", "readOnly", "writeOnly", "x-unlisted", "x-packhorse-person"})


class UnsupportedSchemaError(TypeError):
    """The schema says something that would be read wrongly: teach this module, or simplify the schema."""


def _ecma_pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not compiled(pattern).search(instance):
        yield ValidationError(f"does not match {pattern!r}")


EcmaValidator = extend(Draft202012Validator, {"pattern": _ecma_pattern})


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The Python pattern that means what ``pattern`` means in ECMA-262, for the part that both share."""
    tokens = re.findall(r"\\.|\[(?:\\.|[^\]\\])*\]|.", pattern, re.DOTALL)
    return re.compile("".join(r"\Z" if token == "$" else token for token in tokens), re.ASCII)


class Document:
    """One schema, with its references resolved in itself."""

    def __init__(self, root: Schema) -> None:
        EcmaValidator.check_schema(root)
        self.root = root
        self._validator = EcmaValidator(root)
        self._alternatives: dict[str, list[Flat]] = {}

    def accepts(self, schema: Schema, value: Any) -> bool:
        """Whether ``schema``, a part of the document, accepts ``value``."""
        return bool(self._validator.evolve(schema=schema).is_valid(value))

    def alternatives(self, schema: Schema) -> list[Flat]:
        """Schemas without combinations, of which an accepted value meets at least one.

        That is necessary and not sufficient (a refused ``if``, a second
        ``oneOf`` branch, a second ``pattern``): ask `accepts` as well.

        Raises:
            UnsupportedSchemaError: a keyword that is not known here.
        """
        key = json.dumps(schema, sort_keys=True)
        if key not in self._alternatives:
            self._alternatives[key] = self._unfolded(schema)
        return self._alternatives[key]

    def examples(self, schema: Schema) -> list[Any]:
        """The examples that ``schema`` gives, itself or in an alternative, and accepts."""
        given = [example for flat in self.alternatives(schema) for example in flat.get("examples", ())]
        return list({canonical(example): example for example in given if self.accepts(schema, example)}.values())

    def _unfolded(self, schema: Schema) -> list[Flat]:
        if isinstance(schema, bool):
            return [{}] if schema else []
        if unknown := schema.keys() - PLAIN - COMBINING - ANNOTATIONS:
            raise UnsupportedSchemaError(f"cannot read the keywords {', '.join(sorted(unknown))}")
        plain = {key: schema[key] for key in sorted(schema.keys() & PLAIN)}
        if "const" in plain:
            plain["enum"] = [plain.pop("const")]
        choices = [[plain]]
        if "$ref" in schema:
            choices.append(self.alternatives(self._resolved(schema["$ref"])))
        choices += [self.alternatives(part) for part in schema.get("allOf", ())]
        for branches in (schema.get("anyOf"), schema.get("oneOf")):
            if branches:
                choices.append([flat for branch in branches for flat in self.alternatives(branch)])
        if "if" in schema:
            held = _conjunctions(self.alternatives(schema["if"]), self.alternatives(schema.get("then", True)))
            choices.append(held + self.alternatives(schema.get("else", True)))
        flats: list[Flat] = [{}]
        for choice in choices:
            flats = _conjunctions(flats, choice)
        return flats

    def _resolved(self, reference: str) -> Schema:
        if reference != "#" and not reference.startswith("#/"):
            raise UnsupportedSchemaError(f"cannot follow {reference}: only pointers into the same document")
        node: Any = self.root
        for part in reference[1:].split("/")[1:]:
            node = node[part.replace("~1", "/").replace("~0", "~")]
        found: Schema = node
        return found


def canonical(value: Any) -> str:
    """One text for each JSON value, whatever the order of its keys; 1 and true differ."""
    return json.dumps(value, sort_keys=True)


def types_of(flat: Flat) -> list[str]:
    """The types that a plain schema allows; of one that names none, the type its keywords are about, or all."""
    named = flat.get("type")
    if named is None:
        return [IMPLIED[key] for key in IMPLIED if key in flat][:1] or list(TYPES)
    allowed = {named} if isinstance(named, str) else set(named)
    return [name for name in TYPES if name in allowed or (name == "integer" and "number" in allowed)]


def _conjunctions(left: list[Flat], right: list[Flat]) -> list[Flat]:
    return [both for pair in product(left, right) if (both := _conjunction(*pair)) is not None]


def _conjunction(a: Flat, b: Flat) -> Flat | None:
    """What meets both as far as the keywords can be joined; None where the types exclude it."""
    made = {**b, **a}
    for key in a.keys() & b.keys() & (LOWER | UPPER):
        made[key] = (max if key in LOWER else min)(a[key], b[key])
    if "type" in a and "type" in b:
        made["type"] = [name for name in types_of(a) if name in types_of(b)]
        if not made["type"]:
            return None
    if "enum" in a and "enum" in b:
        made["enum"] = [item for item in a["enum"] if canonical(item) in map(canonical, b["enum"])]
        if not made["enum"]:
            return None
    for key in ("required", "examples"):
        if key in a and key in b:
            made[key] = [*a[key], *(item for item in b[key] if item not in a[key])]
    if "properties" in a or "properties" in b:
        made["properties"] = _joined_properties(a, b)
    if False in (a.get("additionalProperties"), b.get("additionalProperties")):
        made["additionalProperties"] = False
    return made


def _joined_properties(a: Flat, b: Flat) -> dict[str, Schema]:
    """Each property under the rules of both; one that either side shuts out is False."""
    joined: dict[str, Schema] = {}
    for name in dict.fromkeys([*a.get("properties", {}), *b.get("properties", {})]):
        rules = [side.get("properties", {}).get(name, side.get("additionalProperties", True)) for side in (a, b)]
        rules = [rule for rule in rules if rule is not True]
        joined[name] = False if False in rules else {"allOf": rules} if len(rules) > 1 else (rules or [True])[0]
    return joined
