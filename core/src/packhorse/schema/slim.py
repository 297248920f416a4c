"""The published form of a schema: what helps to fill it in, without what only a checker reads.

Calls are judged by the full schema, so that nothing is lost here. The slim form
accepts whatever the full one accepts, but for a null that stands for "left out".
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

LONGEST_PATTERN = 24
"""Characters. Longer patterns cost a model more to read than the form does in words (o200k: 1.6 characters a token)."""

UNLISTED = "x-unlisted"
"""Marks an argument that may be left out and that few need: accepted, and not listed. Words beside it name it."""

_UNSEEN = frozenset({"title", "$schema", "maxLength", "minLength", "discriminator"})
_OF_ANSWERS = frozenset({"description", "examples", "default", "pattern"})
_DATA = frozenset({"default", "enum", "const", "examples"})
_OF_NAMES = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
# Below these a wider schema refuses more, not less: they stay as they are.
_DENYING = frozenset({"not", "if", "contains"})
_REFERENCE = "#/$defs/"

_LETTERS = {"YYYY-MM-DD": "2026-01-31", "HH:MM": "08:30"}
"""How words write a form, and a text of that form."""

# Of each format, texts that it has and texts that it lacks (RFC 3339, section 5.6; RFC 9562, section 4).
_FORMS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "date": (("2026-01-31", "1999-12-01"), ("2026-01-31T08:30:00Z", "20260131", "")),
    "date-time": (
        ("2026-01-31T08:30:00Z", "2026-01-31T08:30:00+02:00"),
        ("2026-01-31T08:30", "2026-01-31T08:30:00", "2026-01-31", ""),
    ),
    "uuid": (
        ("123e4567-e89b-42d3-a456-426614174000",),
        ("123e4567e89b42d3a456426614174000", "123e4567-e89b-42d3-a456", ""),
    ),
}


def slim(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The slim form of an input schema."""
    if _denies_a_definition(schema):
        return dict(schema)
    made = _shared(_slimmed(schema))
    for key in ("description", "examples"):  # the tool's own description says what the arguments are for
        made.pop(key, None)
    return made


def slim_answer(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The slim form of an output schema: names, kinds and what must be there."""
    if _denies_a_definition(schema):
        return dict(schema)
    return _shared(_slimmed(schema, _OF_ANSWERS))


# --- one node ---


def _slimmed(node: Any, dropped: frozenset[str] = frozenset()) -> Any:
    """``node`` without what the slim form leaves out; ``dropped`` names further keywords."""
    if isinstance(node, list):
        return [_slimmed(item, dropped) for item in node]
    if not isinstance(node, Mapping):
        return node
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key in _UNSEEN or key in dropped:
            continue
        if key == "properties" and isinstance(value, Mapping):
            made[key] = _arguments(value, frozenset(node.get("required", ())), dropped)
        elif key in _OF_NAMES and isinstance(value, Mapping):
            made[key] = {name: _slimmed(inner, dropped) for name, inner in value.items()}
        elif key in _DATA or key in _DENYING or (key == "oneOf" and "anyOf" in node):
            made[key] = value
        else:
            # An arm that says less may hold what another holds: one of them is enough.
            made["anyOf" if key == "oneOf" else key] = _slimmed(value, dropped)
    _drop_null(made)
    _drop_lengths(made)
    _keep_one_example(made)
    return made


def _arguments(
    properties: Mapping[str, Any], required: Collection[str], dropped: frozenset[str]
) -> dict[str, dict[str, Any]]:
    """Those that are listed. Of several with one long pattern the first alone keeps an example of it."""
    made = {}
    shown: set[str] = set()
    for name, argument in properties.items():
        if isinstance(argument, Mapping) and argument.get(UNLISTED) and name not in required:
            continue
        made[name] = _slimmed(argument, dropped)
        pattern = argument.get("pattern", "") if isinstance(argument, Mapping) else ""
        if len(pattern) > LONGEST_PATTERN:
            if pattern in shown:
                made[name].pop("examples", None)
            shown.add(pattern)
    return made


def _drop_null(node: dict[str, Any]) -> None:
    """An argument that may be left out needs no null to say so."""
    if node.get("default", ...) in (None, [], {}):
        left_out = node.pop("default") is None
        arms = node.get("anyOf")
        if left_out and isinstance(arms, list) and {"type": "null"} in arms:
            kept = [arm for arm in arms if arm != {"type": "null"}]
            node["anyOf"] = kept
    arms = node.get("anyOf")
    if isinstance(arms, list):
        distinct = [arm for place, arm in enumerate(arms) if arm not in arms[:place]]
        node["anyOf"] = distinct
        if len(distinct) == 1 and isinstance(distinct[0], dict):
            del node["anyOf"]
            for key, value in distinct[0].items():
                node.setdefault(key, value)


def _drop_lengths(node: dict[str, Any]) -> None:
    pattern = node.get("pattern")
    if isinstance(pattern, str) and len(pattern) > LONGEST_PATTERN:
        del node["pattern"]
        form, choices = _form_of(pattern), _choices_of(pattern)
        if form is not None:
            node.setdefault("format", form)
        if choices and node.get("type") == "string":
            node.setdefault("enum", choices)
    if node.get("minItems") in (0, 1):
        del node["minItems"]
    if node.get("additionalProperties") is False:
        del node["additionalProperties"]
    if node.get("required") == []:
        del node["required"]
    if ("enum" in node or "const" in node) and isinstance(node.get("type"), str):
        del node["type"]


def _keep_one_example(node: dict[str, Any]) -> None:
    examples = node.get("examples")
    if not isinstance(examples, list):
        return
    words = node.get("description", "")
    shown = (
        any(key in node for key in ("enum", "const", "default", "format"))
        or any(letters in words for letters in _LETTERS)
        or node.get("type") in ("boolean", "object")
    )
    useful = [] if shown else [example for example in examples if example not in (None, [])]
    if useful:
        node["examples"] = useful[:1]
    else:
        del node["examples"]


def _form_of(pattern: str) -> str | None:
    """The format that a pattern spells out, if it accepts what the format has and refuses what it lacks."""
    try:
        compiled = re.compile(pattern)
    except re.error:
        return None
    for form, (has, lacks) in _FORMS.items():
        if all(compiled.search(text) for text in has) and not any(compiled.search(text) for text in lacks):
            return form
    return None


def _choices_of(pattern: str) -> list[str]:
    """The words of a pattern that lists them, such as ``^(full|brief)$``."""
    found = re.fullmatch(r"\^\(((?:[A-Za-z0-9_-]+\|)+[A-Za-z0-9_-]+)\)\$", pattern)
    return found[1].split("|") if found else []


# --- the whole ---


def _shared(schema: dict[str, Any]) -> dict[str, Any]:
    """A definition that is used once stands where it is used; one that nothing uses goes; a repeated default goes."""
    definitions: dict[str, Any] = schema.get("$defs", {})
    whole = {key: value for key, value in schema.items() if key != "$defs"}
    uses = _uses([whole, *definitions.values()])
    recursive = {name for name in definitions if name in _reached(definitions[name], definitions)}
    inline = {name: definition for name, definition in definitions.items() if uses[name] == 1 and name not in recursive}

    def placed(node: Any) -> Any:
        if isinstance(node, list):
            return [placed(item) for item in node]
        if not isinstance(node, dict):
            return node
        name = _name_of(node)
        if name in inline:
            beside = {key: value for key, value in node.items() if key != "$ref"}
            return placed({**inline[name], **beside})
        return _without_repeated_default(
            {key: value if key in _DATA else placed(value) for key, value in node.items()}, definitions
        )

    made: dict[str, Any] = placed(whole)
    left = {name: placed(definition) for name, definition in definitions.items() if name not in inline}
    used = _uses([made])
    for name in list(left):
        if used[name]:
            used.update(_reached(left[name], left))
    kept = {name: definition for name, definition in left.items() if used[name]}
    return {**made, "$defs": kept} if kept else made


def _without_repeated_default(node: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """An object's default says nothing where its fields have the same defaults."""
    default = node.get("default")
    if not isinstance(default, dict):
        return node
    fields = node.get("properties") or definitions.get(_name_of(node), {}).get("properties", {})
    if all(name in fields and value in (fields[name].get("default"), None, [], {}) for name, value in default.items()):
        return {key: value for key, value in node.items() if key != "default"}
    return node


def _name_of(node: Mapping[str, Any]) -> str:
    reference = node.get("$ref")
    return reference.removeprefix(_REFERENCE) if isinstance(reference, str) else ""


def _uses(nodes: list[Any]) -> Counter[str]:
    text = json.dumps(nodes)
    return Counter(re.findall(rf'"\$ref": "{re.escape(_REFERENCE)}([^"]+)"', text))


def _reached(node: Any, definitions: Mapping[str, Any]) -> Counter[str]:
    """The definitions that ``node`` leads to."""
    reached: Counter[str] = Counter()
    waiting = [*_uses([node])]
    while waiting:
        name = waiting.pop()
        if not reached[name]:
            reached[name] += 1
            waiting += _uses([definitions.get(name)])
    return reached


def _denies_a_definition(schema: Mapping[str, Any]) -> bool:
    """Whether a definition stands below a keyword that would refuse more for a wider one."""
    waiting: list[Any] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            if _uses([node[key] for key in _DENYING if key in node]):
                return True
            waiting += [value for key, value in node.items() if key not in _DATA]
        elif isinstance(node, list):
            waiting += node
    return False
