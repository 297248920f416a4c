"""Finding the place in a schema that a path in the arguments leads to."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any


def path_in(schema: Mapping[str, Any], location: Iterable[Any]) -> list[str]:
    """A path that keeps field names, keys and list positions and drops pydantic's names of union branches."""
    path: list[str] = []
    for part in location:
        if isinstance(part, int):
            path.append(str(part))
            continue
        here = schema_at(schema, path)
        if any(part in node.get("properties", {}) for node in alternatives(here, schema)):
            path.append(part)
        elif isinstance(here.get("additionalProperties"), Mapping) and part != "[key]":
            path.append(short(part))
    return path


def schema_at(schema: Mapping[str, Any], path: Sequence[str]) -> Mapping[str, Any]:
    """The schema of what ``path`` leads to; empty where it leads nowhere."""
    here = _resolve(schema, schema)
    for part in path:
        below = [_resolve(found, schema) for node in alternatives(here, schema) for found in _below(node, part)]
        here = below[0] if len(below) == 1 else {"anyOf": below} if below else {}
    return here


def _below(node: Mapping[str, Any], part: str) -> Iterator[Mapping[str, Any]]:
    inner = node.get("properties", {}).get(part, node.get("additionalProperties"))
    if isinstance(inner, Mapping):
        yield inner
    if part.isdecimal():
        first = node.get("prefixItems", ())
        item = first[int(part)] if int(part) < len(first) else node.get("items")
        if isinstance(item, Mapping):
            yield item


def alternatives(here: Mapping[str, Any], schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A schema and, where it offers alternatives, each of them, whatever they are nested in."""
    branches = [_resolve(branch, schema) for branch in [*here.get("anyOf", ()), *here.get("oneOf", ())]]
    return [here, *(node for branch in branches for node in alternatives(branch, schema))]


def _resolve(node: Any, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if not isinstance(node, Mapping):
        return {}
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        return {**_at(schema, reference), **{key: value for key, value in node.items() if key != "$ref"}}
    return node


def resolved(schema: Mapping[str, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A property without its references, and of one that may be null what it is otherwise."""
    one = given
    for _ in range(8):  # references to references end somewhere, unless the schema is a stranger's
        if "$ref" in one:
            one = _resolve(one, schema)
            continue
        arms = [arm for arm in _arms(one) if arm.get("type") != "null"]
        if len(arms) == 1:
            one = {**arms[0], **{key: value for key, value in one.items() if key not in ("anyOf", "oneOf", "allOf")}}
            continue
        kinds = one.get("type")
        if isinstance(kinds, list) and len(rest := [kind for kind in kinds if kind != "null"]) == 1:
            one = {**one, "type": rest[0]}
        break
    return one


def _arms(one: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(one.get(key), list):
            yield from (arm for arm in one[key] if isinstance(arm, Mapping))


def _at(schema: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    found: Any = schema
    for step in reference.removeprefix("#/").split("/"):
        found = found.get(step.replace("~1", "/").replace("~0", "~"), {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) else {}


def cut(text: str, length: int) -> str:
    """Text that is no longer than ``length``."""
    return text if len(text) <= length else text[: length - 1] + "…"


def short(name: object) -> str:
    """A name from outside, fit to be repeated: plain and short."""
    return cut(re.sub(r"[^\w .-]", "?", str(name)), 32)
