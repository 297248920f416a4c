"""The form of a refinement in few words: {"steps": [{"process-id": "text*", "duration": "quantity"}]}."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from packhorse_discovery.domain.schema.eads import Eads, Field, Path


def form_of(eads: Eads, left_out: Collection[str] = ()) -> dict[str, Any]:
    """What a refinement of ``eads`` may hold, every field in its place; no top-level name in ``left_out``."""
    root: dict[str, Any] = {}
    lists = {one.path for one in eads.fields if one.kind == "list"}
    instead = {path for one in lists if (path := _instead_of(eads.field(one))) in lists}
    for field in eads.fields:
        if field.path[0] in left_out:
            continue
        node: Any = root
        for part in field.path[:-1]:
            node = node[0] if part == "*" else node.setdefault(part, {})
        key = bool(field.table) and field.name in eads.needed_keys(field.table)
        shape = _shape(field, needed=key or (field.required and not field.when.startswith("!")))
        node[field.name] = f"{shape}: {field.note}" if field.note and isinstance(shape, str) else shape
        if field.path in instead:
            node[field.name] = ["text: any one of these will do"]
        elif field.kind == "list" and _instead_of(field) in instead:
            node[field.name] = ["text: all are needed at once"]
    return root


def _instead_of(field: Field | None) -> Path:
    """The field of the same row that may be given in place of ``field``; no path where there is none."""
    if field is None or not field.when.startswith("!"):
        return ()
    return (*field.path[:-1], field.when[1:].partition("|")[0])


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
    "precedences": re.compile(r"\b(?:goes|go|comes?|is|are) (?:always )?(?:the )?(?:first|last|before|after)\b", re.I),
    "cleaning": re.compile(r"\b(?:clean|wash|rins|flush)", re.I),
    "blocks?": re.compile(r"\bstays? (?:in|on|where) .{0,40}\buntil\b", re.I),
}
"""How people say the rules that a field can hold; the first version kept them in words."""
