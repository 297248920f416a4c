"""The form of a refinement in few words: {"steps": [{"process-id": "text*", "duration": "quantity"}]}."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from packhorse_discovery.domain.schema.eads import Eads, Field


def form_of(eads: Eads, left_out: Collection[str] = ()) -> dict[str, Any]:
    """What a refinement of ``eads`` may hold, every field in its place; no top-level name in ``left_out``."""
    root: dict[str, Any] = {}
    for field in eads.fields:
        if field.path[0] in left_out:
            continue
        node: Any = root
        for part in field.path[:-1]:
            node = node[0] if part == "*" else node.setdefault(part, {})
        node[field.name] = _shape(
            field, needed=field.required or (bool(field.table) and field.name in eads.needed_keys(field.table))
        )
    return root


def _shape(field: Field, *, needed: bool) -> Any:
    star = "*" if needed and field.table else ""
    plain: Mapping[str, str] = {
        "yesno": "true|false",
        "number": "number",
        "text": "date" if field.dated else "text",
        "quantity": "quantity",
        "choice": "|".join(one.value for one in field.choices),
    }
    match field.kind:
        case "table":
            return [{}]
        case "list":
            return ["Monday" if field.weekdays else f"text{star}"]
        case "choices":
            return ["|".join(one.value for one in field.choices)]
        case "any":
            return "any"
    return plain[field.kind] + star


def homes(words: str, library: Iterable[Eads]) -> str:
    """The field that may hold a rule said in ``words``, with its schema: by a cue of the rules that models keep."""
    cue = next((name for name, pattern in _CUES.items() if pattern.search(words)), "")
    found = (f"{eads.id} /{'/'.join(one.path)}" for eads in library for one in eads.fields if one.path[-1] == cue)
    return next(found, "")


_CUES = {
    "no-wait?": re.compile(
        r"\b(?:no(?:t)? wait|without (?:a )?(?:wait|pause)|straight (?:after|into)|immediately)", re.I
    ),
    "precedences": re.compile(r"\b(?:goes|go|comes?|is|are) (?:always )?(?:the )?(?:first|before)\b", re.I),
    "cleaning": re.compile(r"\b(?:clean|wash|rins|flush)", re.I),
    "blocks?": re.compile(r"\bstays? (?:in|on|where) .{0,40}\buntil\b", re.I),
}
"""How people say the rules that a field can hold; the first version kept them in words."""
