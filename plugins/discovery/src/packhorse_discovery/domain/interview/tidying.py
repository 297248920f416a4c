"""A refinement in the form of its schema: what is written in another way is put right, what has no place comes back."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from attrs import Factory, frozen

from packhorse_discovery.domain.interview.structure import State, row_id
from packhorse_discovery.domain.interview.validation import fits
from packhorse_discovery.domain.schema.eads import Eads, Field, Path, slug, written

_NOTES = frozenset({"quote", "derived"})
_SPAN = re.compile(r"^\s*(\d[\d.]*(?:\s*-\s*\d[\d.]*)?)\s*([^\W\d][^\d]*?)\s*$")
_MARKS = frozenset({"EADS-id", "DS-id", "exhausted?"})
_STATES: Mapping[str, State] = {
    "unknown": "unknown", "not known": "unknown", "later": "deferred", "varies": "varies",
}  # fmt: skip
"""What may stand in place of a value."""


@frozen
class Misfit:
    """A value that its schema has no place for: where, what, and what there is."""

    path: str
    value: Any
    words: str


@frozen
class Tidied:
    """A refinement that fits its schema, and what did not.

    ``states`` are the paths said to be unknown, varying or for later, ``nulls`` those given as null: both are left out.
    """

    refinement: dict[str, Any]
    misfits: list[Misfit] = Factory(list)
    states: dict[str, State] = Factory(dict)
    nulls: list[str] = Factory(list)


def tidied(refinement: Mapping[str, Any], eads: Eads) -> Tidied:
    """``refinement`` with "20 minutes" as a quantity, one word as a list of one, a choice by its label or in capitals.

    A field that the schema does not have, a value of another kind and a row
    without its key are left out and named, each with what would fit.
    """
    found = Tidied({})
    found.refinement.update(_object(refinement, (), eads, found))
    return found


def _object(node: Mapping[str, Any], path: Path, eads: Eads, found: Tidied) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in node.items():
        inner = (*path, name)
        template = eads.template(inner)
        if name in _NOTES or (not path and name in _MARKS):
            kept[name] = value
        elif (field := eads.field(template)) is not None:
            made = _field(value, field, inner, eads, found)
            if made is not _NONE:
                kept[name] = made
        elif any(one.path[: len(template)] == template for one in eads.fields):
            kept[name] = _object(value, inner, eads, found) if isinstance(value, Mapping) else value
        else:
            found.misfits.append(Misfit(written(inner), value, _unknown(name, template[:-1], eads)))
    return kept


_NONE = object()


def _field(value: Any, field: Field, path: Path, eads: Eads, found: Tidied) -> Any:
    if value is None:
        found.nulls.append(written(path))
        return _NONE
    if value in ("none", []):
        return value
    if (state := _declared(value)) is not None and not any(one.value == value for one in field.choices):
        found.states[written(path)] = state
        return _NONE
    if field.kind == "table":
        rows = value if isinstance(value, list) else [value]
        kept = [_row(one, field, path, eads, found) for one in rows]
        return [one for one in kept if one is not None]
    made = fitting(value, field)
    if wrong := fits(field, made):
        found.misfits.append(Misfit(written(path), value, wrong))
        return _NONE
    return made


def _row(one: Any, field: Field, path: Path, eads: Eads, found: Tidied) -> dict[str, Any] | None:
    keys = (field.key or "name").split("+")
    row = dict(one) if isinstance(one, Mapping) else {keys[0]: one}
    lacks = [key for key in eads.needed_keys(field.path) if not row.get(key)]
    if lacks:
        found.misfits.append(Misfit(written(path), one, f"every row needs its {' and '.join(lacks)}"))
        return None
    if state := next((each for key in keys if (each := _declared(row.get(key))) is not None), None):
        found.states[written(path)] = state  # rows that nobody can name
        return None
    inner = [each["quote"] for each in row.values() if isinstance(each, Mapping) and "quote" in each]
    if inner and "quote" not in row:
        row["quote"] = inner[0]  # what is quoted for a value is quoted for its row
    return _object(row, (*path, row_id(row, field)), eads, found)


def _declared(value: Any) -> State | None:
    """What stands in place of a value: that it is unknown, varies or comes later."""
    bare = value.get("value-string", value.get("value")) if isinstance(value, Mapping) else value
    bare = bare[0] if isinstance(bare, list) and len(bare) == 1 else bare
    return _STATES.get(bare.strip().casefold()) if isinstance(bare, str) else None


def fitting(value: Any, field: Field) -> Any:
    """``value`` as its field is written, where it is only written in another way."""
    if field.kind == "quantity" and isinstance(value, str | int | float) and not isinstance(value, bool):
        span = _SPAN.match(str(value))
        return {"value-string": span[1], "units": span[2]} if span else {"value-string": str(value)}
    if field.kind == "quantity" and isinstance(value, Mapping):
        number = value.get("value-string", value.get("value"))
        rest = {name: each for name, each in value.items() if name not in {"value", "value-string", "quote"}}
        if isinstance(number, int | float) and not isinstance(number, bool):
            number = f"{number:g}"
        whole = fitting(number, field) if isinstance(number, str) and "units" not in value else {"value-string": number}
        return {**whole, **rest}
    if field.kind == "yesno" and isinstance(value, str):
        return {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().casefold(), value)
    if field.kind in {"list", "choices"} and isinstance(value, str):
        value = [value]
    if field.kind == "text" and isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g}"
    if field.kind == "number" and isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return value
        return int(number) if number.is_integer() else number
    if field.kind == "choice" and isinstance(value, str):
        return _chosen(value, field)
    if field.kind == "choices" and isinstance(value, list):
        return [_chosen(one, field) if isinstance(one, str) else one for one in value]
    return value


def _chosen(word: str, field: Field) -> str:
    ways = {slug(way): one.value for one in field.choices for way in (one.value, one.label, *one.aliases)}
    return ways.get(slug(word), word)


def _unknown(name: str, at: Path, eads: Eads) -> str:
    there = list(
        dict.fromkeys(one.path[len(at)] for one in eads.fields if one.path[: len(at)] == at and len(one.path) > len(at))
    )
    near = get_close_matches(name, there, n=1)
    return f"there is no such field{f'; did you mean {near[0]!r}?' if near else '.'} Fields: {', '.join(there)}"
