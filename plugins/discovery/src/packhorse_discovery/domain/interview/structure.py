"""The structure that a pursuit fills: values by path, each with where it came from.

Inside, a list of objects is an object by the ids of its rows, so that every
value has one lasting path (``/subprocesses/mash/duration``); `rendered` gives
the form of the schema, with lists. All functions return new values.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from attrs import frozen

from packhorse_discovery.domain.schema.eads import Eads, Field, Path, path_from, slug, written

State = Literal["answered", "unknown", "varies", "deferred", "not_applicable", "cleared"]
Source = Literal["user", "assistant", "inferred", "import"]
Op = Literal["set", "remove", "state"]


class UnfitError(ValueError):
    """A structure that its schema does not describe; the message says where."""


SAID = 160
"""How many characters of an answer are kept beside a value."""


@frozen
class Mark:
    """Where a value came from, and how sure it is.

    ``basis`` is how the words give it: said, derived by the formula in
    ``said``, quoted, or out of a table. ``rival`` is another value that
    somebody gave for the same place: ``value``, ``question_id``, ``kind`` of
    the contradiction, and which of the two is in use (``kept``).
    """

    state: State = "answered"
    question_id: str | None = None
    source: Source = "user"
    by: str = ""
    confidence: float = 1.0
    said: str = ""
    basis: Literal["said", "derived", "quoted", "table"] = "said"
    rival: Mapping[str, Any] | None = None


@frozen
class Patch:
    """One change: what stood at ``path`` before and what stands there now, with its mark. Undone by its inverse."""

    path: str
    op: Op
    new: Any = None
    mark: Mark = Mark()
    old: Any = None
    old_mark: Mark | None = None


@frozen
class Structure:
    """Values and marks. ``values`` is nested by path; ``marks`` is flat, by written path."""

    values: Mapping[str, Any] = {}
    marks: Mapping[str, Mark] = {}

    def get(self, path: str | Path) -> Any:
        """What stands at a path; None where nothing does."""
        node: Any = self.values
        for part in path_from(path) if isinstance(path, str) else path:
            if not isinstance(node, Mapping) or part not in node:
                return None
            node = node[part]
        return node

    def rows(self, table: Path) -> list[Path]:
        """The concrete paths of the rows of a list at a template path."""
        found: list[Path] = [()]
        for part in (*table, "*"):
            if part == "*":
                found = [
                    (*path, key) for path in found if isinstance(self.get(path), Mapping) for key in self.get(path)
                ]
            else:
                found = [(*path, part) for path in found]
        return found

    def state(self, path: str) -> State | None:
        """Whether and how the value at ``path`` has been answered."""
        mark = self.marks.get(path)
        return mark.state if mark else None

    def apply(self, patch: Patch) -> "Structure":
        """This with one change made."""
        path = path_from(patch.path)
        marks = dict(self.marks)
        if patch.op == "remove":
            for known in [one for one in marks if one == patch.path or one.startswith(patch.path + "/")]:
                del marks[known]
            return Structure(_without(self.values, path), marks)
        marks[patch.path] = patch.mark
        if patch.op == "state":
            return Structure(self.values, marks)
        values = _without(self.values, path) if patch.new is None else _with(self.values, path, patch.new)
        return Structure(values, marks)

    def apply_all(self, patches: Iterable[Patch]) -> "Structure":
        """This with several changes made, in order."""
        changed = self
        for patch in patches:
            changed = changed.apply(patch)
        return changed

    def restored(self, path: str, value: Any, mark: Mark | None) -> "Structure":
        """This with what once stood at ``path``; nothing where ``mark`` is None."""
        marks = {known: one for known, one in self.marks.items() if known != path}
        if mark is not None:
            marks[path] = mark
        where = path_from(path)
        return Structure(_without(self.values, where) if value is None else _with(self.values, where, value), marks)


def rendered(structure: Structure, eads: Eads, *, complete: bool = False) -> dict[str, Any]:
    """The structure in the form of its schema: lists where the schema has lists, its id where ``complete``."""
    shown = _shown(structure.values, (), eads)
    return {"EADS-id": eads.id, **shown, "exhausted?": True} if complete else shown


def flattened(data: Mapping[str, Any], eads: Eads) -> Iterator[tuple[str, Any]]:
    """(path, value) of every value in a structure of the schema's form, as an assistant would write it.

    None stands for what is said not to exist: an empty list of objects, or "none".

    Raises:
        UnfitError: something stands where the schema has nothing, or is of another kind.
    """
    yield from _flat(data, (), eads)


def _flat(node: Any, path: Path, eads: Eads) -> Iterator[tuple[str, Any]]:
    field = eads.field_at(path) if path else None
    if field is not None and field.kind != "table":
        yield written(path), node
        return
    if field is not None:
        if node in ("none", []):  # the originals write "none" for a list without items
            yield written(path), None
            return
        if not isinstance(node, list):
            raise UnfitError(f"{written(path)} must be a list")
        keys = (field.key or "name").split("+")
        needed = eads.needed_keys(field.path)
        for item in node:
            row = item if isinstance(item, Mapping) else {keys[0]: item}
            if not all(row.get(key) for key in needed):
                raise UnfitError(f"every item of {written(path)} needs its {' and '.join(needed)}")
            yield from _flat(row, (*path, row_id(row, field)), eads)
        return
    if node == "none" and path:
        template = eads.template(path)
        for one in eads.leaves:
            if one.path[: len(template)] == template:
                yield written((*path, *one.path[len(path) :])), None
        return
    if not isinstance(node, Mapping):
        raise UnfitError(f"{written(path)} must be an object")
    for name, value in node.items():
        if not path and name in {"EADS-id", "DS-id", "exhausted?"}:
            continue
        inner = (*path, name)
        template = eads.template(inner)
        if not any(field.path[: len(template)] == template for field in eads.fields):
            here = dict.fromkeys(
                one.path[len(template) - 1] for one in eads.fields if one.path[: len(template) - 1] == template[:-1]
            )
            raise UnfitError(
                f"the schema has nothing called {name[:60]!r} at {written(path)}; it has {', '.join(here)}"
            )
        yield from _flat(value, inner, eads)


def path_of(place: Sequence[str | int], data: Any, eads: Eads) -> str:
    """The path of what stands at ``place`` (names, and numbers of items) in a structure of the schema's form."""
    path: Path = ()
    for part in place:
        data = data[part] if isinstance(part, int) or part in data else None
        if isinstance(part, str):
            path = (*path, part)
            continue
        field = eads.field_at(path)
        path = (*path, row_id(data, field) if field is not None and isinstance(data, Mapping) else str(part))
    return written(path)


def row_id(row: Mapping[str, Any], table: Field) -> str:
    """The id of an item of a list: its key, or keys, as words."""
    return slug(" ".join(_bare(row[key]) for key in (table.key or "name").split("+") if row.get(key)))


def _bare(value: Any) -> str:
    bare = value["val"] if isinstance(value, Mapping) and "val" in value else value
    return " ".join(str(each) for each in bare) if isinstance(bare, list) else str(bare)


def _shown(node: Any, path: Path, eads: Eads) -> Any:
    field = eads.field(path) if path else None
    if field is not None and field.kind != "table":
        return node
    if field is not None and isinstance(node, Mapping):
        return [_shown(row, (*path, "*"), eads) for row in node.values()]
    if isinstance(node, Mapping):
        return {name: _shown(value, (*path, name), eads) for name, value in node.items()}
    return node


def _with(node: Any, path: Path, value: Any) -> Mapping[str, Any]:
    here = dict(node) if isinstance(node, Mapping) else {}
    if not path:
        return value if isinstance(value, Mapping) else here
    here[path[0]] = value if len(path) == 1 else _with(here.get(path[0]), path[1:], value)
    return here


def _without(node: Any, path: Path) -> Mapping[str, Any]:
    if not isinstance(node, Mapping) or path[0] not in node:
        return node if isinstance(node, Mapping) else {}
    if len(path) == 1:
        return {name: value for name, value in node.items() if name != path[0]}
    inner = _without(node[path[0]], path[1:])
    if not inner:
        return {name: value for name, value in node.items() if name != path[0]}
    return {**node, path[0]: inner}
