"""Fields from an example: the example value fixes the kind, its comment the mode."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from packhorse_discovery.domain.schema.annotations import is_annotated, strip, unwrap
from packhorse_discovery.domain.schema.eads import Choice, Field, Kind, Mode, Path

_INFERRED = (
    r"do(?:n't| not) ask|without asking|you can (?:infer|figure)|based only on|you, the interviewer",
    r"extract(?:ed)? .{0,40}from|you should be able to infer|use (?:your )?background knowledge",
)
_INFER = re.compile("|".join(_INFERRED), re.IGNORECASE)
_SKIPPED = frozenset({"EADS-id", "DS-id", "invented", "exhausted?", "comment"})
_OFFERED = frozenset({"optional?", "subprocess-flow", "one-more-thing", "opportunistic?", "modifier"})
_ENUMERATED = re.compile(r"^\s*\d+\)\s*([A-Za-z][\w-]+)\s*:\s*(.*)$", re.MULTILINE)
_ID = re.compile(r"(?:^|-)(?:id|type)$")


def fields_of(example: Mapping[str, Any], *, strict: bool) -> tuple[Field, ...]:
    """The fields that ``example`` shows, lists before what is in them.

    ``strict`` is our own format, where what is required is written; in the
    originals it is what every sample item has.
    """
    return tuple(_walk_object(example, (), [example], strict=strict))


def _walk_object(node: Mapping[str, Any], path: Path, samples: Sequence[Any], *, strict: bool) -> Iterator[Field]:
    for name, raw in node.items():
        if name in _SKIPPED:
            continue
        in_all = all(name in sample for sample in samples)
        yield from _walk(raw, (*path, name), required=in_all, strict=strict)


def _walk(raw: Any, path: Path, *, required: bool, strict: bool) -> Iterator[Field]:
    value, notes = unwrap(raw)
    kind = notes.get("type") or _kind(value)
    if isinstance(value, Mapping) and kind not in {"quantity", "any"}:
        yield from _walk_object(value, path, [value], strict=strict)
        return
    help_text = str(notes.get("comment", ""))
    choices = _choices(notes.get("enum"), help_text)
    if choices and kind in {"text", "list"}:
        kind = "choice" if kind == "text" else "choices"
    if _recursive(path):
        kind, required = "any", False
    items = [unwrap(item)[0] for item in value] if isinstance(value, list) else []
    rows = [item for item in items if isinstance(item, Mapping)]
    yield Field(
        path=path,
        kind=kind,
        required=bool(notes.get("required", required and path[-1] not in _OFFERED)),
        mode=notes.get("mode") or _mode(path, help_text, strict=strict),
        example=strip(value),
        help=help_text,
        question=str(notes.get("question", "")),
        also=str(notes.get("also", "")),
        note=str(notes.get("note", "")),
        unit=str(notes.get("unit", "")),
        choices=choices,
        aliases=tuple(notes.get("aliases", ())),
        key=(notes.get("key") or _key(rows)) if kind == "table" else None,
        when=str(notes.get("when", "")),
        weight=float(notes.get("weight", 1.0)),
    )
    if kind == "table":
        yield from _columns(rows, (*path, "*"), strict=strict)


def _columns(rows: Sequence[Mapping[str, Any]], path: Path, *, strict: bool) -> Iterator[Field]:
    """The union of the properties of the sample items, each as first shown, annotated if any of them is."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    for name in names:
        if name in _SKIPPED:
            continue
        shown = [row[name] for row in rows if name in row]
        best = next((one for one in shown if is_annotated(one) and _telling(one)), None)
        best = best if best is not None else next((one for one in shown if _telling(one)), shown[0])
        required = len(shown) == len(rows) or (name == "duration" and not strict)
        yield from _walk(best, (*path, name), required=required, strict=strict)


def _telling(raw: Any) -> bool:
    value, _ = unwrap(raw)
    return value not in ("none", [], {}, None)


def _kind(value: Any) -> Kind:
    if isinstance(value, bool):
        return "yesno"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    if isinstance(value, Mapping):
        return "quantity" if "value-string" in value else "any"
    if isinstance(value, list):
        inner = [unwrap(item)[0] for item in value]
        objects = [item for item in inner if isinstance(item, Mapping)]
        # inputs and outputs may be names or objects with an item-id: both are a list of names
        if objects and not any("item-id" in item for item in objects) and len(objects) == len(inner):
            return "table"
        return "any" if any(isinstance(item, list) for item in inner) else "list"
    return "any"


def _recursive(path: Path) -> bool:
    names = [part for part in path if part != "*"]
    return names.count(path[-1]) > 1


def _mode(path: Path, help_text: str, *, strict: bool) -> Mode:
    if _recursive(path) or path[-1] in {"invented"}:
        return "optional"
    if path[-1] in _OFFERED and not strict:
        return "infer" if len(path) == 1 else "optional"
    if not strict and _INFER.search(help_text):
        return "infer"
    return "ask"


def _key(rows: Sequence[Mapping[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    for wanted in (lambda name: name.endswith("-id"), lambda name: name in {"id", "name"}, _ID.search):
        found = next((name for name in names if wanted(name)), None)
        if found:
            return found
    return names[0] if names else "name"


def _choices(enum: Any, help_text: str) -> tuple[Choice, ...]:
    if isinstance(enum, list):
        return tuple(
            Choice(str(one["value"]), str(one.get("label", one["value"])), tuple(one.get("aliases", ())))
            if isinstance(one, Mapping)
            else Choice(str(one), str(one).replace("-", " ").lower())
            for one in enum
        )
    named = _ENUMERATED.findall(help_text)
    if len(named) >= 3:
        return tuple(Choice(value, f"{value.replace('-', ' ').lower()}: {about.strip()}") for value, about in named)
    return ()
