"""What a schema weighs once a host has slimmed it: the form that is published, while the full one goes on judging.

The steps: one example where nothing else shows the form; "X or null" with the
default null becomes X; long patterns go where a format says the same; lengths,
closed objects, empty lists and the type beside an enumeration go; defaults of
objects that their fields repeat go; a definition used once stands in its place, and none is left that nothing uses.
"""

import json
from typing import Any

LONGEST_PATTERN = 24
DROPPED = ("title", "maxLength", "minLength", "$schema")


def slim(schema: dict[str, Any]) -> dict[str, Any]:
    """The slimmed form of an input schema."""
    made = _slim(schema, root=True)
    definitions = made.pop("$defs", {})
    definitions = {name: _placed(one, definitions) for name, one in definitions.items()}
    text = json.dumps(made) + json.dumps(definitions)
    once = {name for name in definitions if text.count(f'"#/$defs/{name}"') <= 1}
    made = _placed(made, {name: definitions[name] for name in once})
    left = {name: one for name, one in definitions.items() if name not in once}
    left = {name: _placed(one, {key: definitions[key] for key in once}) for name, one in left.items()}
    return {**made, "$defs": left} if left else made


def _slim(node: Any, *, root: bool = False, names: bool = False) -> Any:
    if isinstance(node, list):
        return [_slim(one) for one in node]
    if not isinstance(node, dict):
        return node
    if names:
        return {key: _slim(one) for key, one in node.items()}
    found = {
        key: _slim(one, names=key in ("properties", "$defs", "patternProperties"))
        if key not in ("default", "enum", "const", "examples")
        else one
        for key, one in node.items()
        if key not in DROPPED
    }
    arms = found.get("anyOf")
    if isinstance(arms, list) and len(arms) == 2 and {"type": "null"} in arms and found.get("default", 0) is None:
        kept = next(one for one in arms if one != {"type": "null"})
        del found["anyOf"], found["default"]
        found = {**kept, **found}
    return _bare(found, root=root)


def _bare(found: dict[str, Any], *, root: bool) -> dict[str, Any]:
    if found.get("default", 0) in (None, [], {}) or isinstance(found.get("default"), dict):
        found.pop("default", None)
    if len(str(found.get("pattern", ""))) > LONGEST_PATTERN:
        del found["pattern"]
    if found.get("minItems") in (0, 1):
        del found["minItems"]
    if found.get("additionalProperties") is False:
        del found["additionalProperties"]
    if found.get("required") == []:
        del found["required"]
    if "enum" in found or "const" in found:
        found.pop("type", None)
    shown = [one for one in found.pop("examples", []) if one not in (None, [])]
    told = {"enum", "default", "format", "const"} & set(found) or found.get("type") in ("boolean", "object") or root
    if shown and not told:
        found["examples"] = shown[:1]
    if root:
        found.pop("description", None)
    return found


def _placed(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_placed(one, definitions) for one in node]
    if not isinstance(node, dict):
        return node
    name = str(node.get("$ref", "")).removeprefix("#/$defs/")
    if name in definitions:
        rest = {key: one for key, one in node.items() if key != "$ref"}
        return {**_placed(definitions[name], definitions), **rest}
    return {key: _placed(one, definitions) for key, one in node.items()}
