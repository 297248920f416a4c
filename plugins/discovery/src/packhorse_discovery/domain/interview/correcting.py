"""A value put right by hand: changed, cleared, a row renamed with what refers to it, or removed."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from packhorse_discovery.domain.interview.merging import Proposal, merge
from packhorse_discovery.domain.interview.structure import Mark, Patch, Structure
from packhorse_discovery.domain.interview.validation import fits
from packhorse_discovery.domain.schema.eads import Eads, Path, path_from, written


class UnclearError(ValueError):
    """A correction that cannot be made: a code, the argument that is wrong, and why."""

    def __init__(self, code: str, what: str, words: str) -> None:
        super().__init__(words)
        self.code, self.what, self.words = code, what, words


def corrected(structure: Structure, eads: Eads, where: str, value: Any, mark: Mark) -> list[Patch]:
    """The changes that put ``value`` at ``where``; None removes a row, or clears a value.

    Raises:
        UnclearError: the path names nothing that is there, or the value does not fit.
    """
    path = path_from(where)
    template = eads.template(path)
    rows = [path[: at + 1] for at, part in enumerate(template) if part == "*"]
    missing = next((row for row in rows if structure.get(row) is None), None)
    field = eads.field(template)
    if missing is not None or (field is None and template[-1:] != ("*",)):
        raise UnclearError("PATH_UNKNOWN", "path", "names no value of this schema" + _near(where, structure, eads))
    if value is None and (template[-1:] == ("*",) or eads.is_key(path)):
        return _removed(structure, path if template[-1:] == ("*",) else path[:-1])
    if value is None and field is not None and field.kind == "table":
        return [patch for row in structure.rows(path) for patch in _removed(structure, row)]
    if field is None or field.kind == "table":
        raise UnclearError(
            "VALUE_UNFIT",
            "value",
            "cannot replace a row or a list: correct the values in it one by one, or remove it with null",
        )
    if value is None:
        old, old_mark = structure.get(path), structure.marks.get(where)
        if old is None and old_mark is None:
            return []
        cleared = Mark("cleared", mark.question_id, mark.source, mark.by)
        return [Patch(where, "set", None, cleared, old, old_mark)]
    if wrong := fits(field, value):
        raise UnclearError("VALUE_UNFIT", "value", wrong)
    return merge(structure, [Proposal(where, value)], eads, mark=mark, correcting=True)[1]


def _removed(structure: Structure, row: Path) -> list[Patch]:
    """The changes that take a row out: its values one by one, so that each can come back, then what is left."""
    inside = written(row) + "/"
    patches = [
        Patch(path, "remove", None, mark, structure.get(path), mark)
        for path, mark in structure.marks.items()
        if path.startswith(inside)
    ]
    left = structure.apply_all(patches).get(row)
    return patches if left is None else [*patches, Patch(written(row), "remove", None, Mark(), left, None)]


def renamed(structure: Structure, eads: Eads, old: str, new: str) -> list[Patch]:
    """The changes that let every reference to a row called ``old`` say ``new``."""
    return list(_renamed(structure, eads, old.casefold(), new))


def _renamed(structure: Structure, eads: Eads, old: str, new: str) -> Iterator[Patch]:
    for path, mark in structure.marks.items():
        field, value = eads.field_at(path_from(path)), structure.get(path)
        if field is None or field.choices or (eads.is_key(path_from(path)) and field.name.endswith("-id")):
            continue
        if isinstance(value, str) and value.casefold() == old:
            yield Patch(path, "set", new, mark, value, mark)
        elif isinstance(value, list) and any(_name(one).casefold() == old for one in value):
            changed = [_called(one, new) if _name(one).casefold() == old else one for one in value]
            yield Patch(path, "set", changed, mark, value, mark)


def _name(one: Any) -> str:
    return str(one.get("item-id", "") if isinstance(one, Mapping) else one)


def _called(one: Any, new: str) -> Any:
    return {**one, "item-id": new} if isinstance(one, Mapping) else new


def _near(where: str, structure: Structure, eads: Eads) -> str:
    """The paths like the one that was meant."""
    rows = [written(row) for field in eads.fields if field.kind == "table" for row in structure.rows(field.path)]
    every = [*structure.marks, *rows, *(written(field.path) for field in eads.leaves if not field.table)]
    close = get_close_matches(where.casefold(), every, n=4, cutoff=0.4) or rows[:4]
    return f". Similar paths: {', '.join(close)}" if close else ". No value is recorded in this schema yet"
