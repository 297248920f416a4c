"""A refinement as rows and leaves: what it claims, and of which row."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

from attrs import frozen

from packhorse_discovery.domain.case.units import family_of, unit_of
from packhorse_discovery.domain.reading.times import minutes
from packhorse_discovery.domain.reading.weekdays import DAYS
from packhorse_discovery.domain.reading.words import content

Kind = Literal["quantity", "count", "moment", "time", "days", "flag", "names", "rule", "key"]
Place = tuple[str | int, ...]
_MOMENT = re.compile(r"^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2})?)?$")
_SPAN = re.compile(r"^(\d+(?:\.\d+)?(?:\s*-\s*\d+(?:\.\d+)?)?)\s*([A-Za-z]+)$")
ABSENT = frozenset({"absences", "closures"})
"""Lists whose rows say when something is not there."""
_NOTES = frozenset({"quote", "derived"})


@frozen(eq=False)
class Row:
    """An item of a list: its path, the words it is called by, those of the row it stands in, and its quote.

    ``days`` are its days of the week, which tell it from others of its name; ``ends`` are the words of where a
    way begins and where it ends, if it is one.
    """

    path: Place
    name: str
    words: tuple[str, ...]
    above: tuple[str, ...] = ()
    quote: str = ""
    absent: bool = False
    days: tuple[str, ...] = ()
    ends: tuple[tuple[str, ...], ...] = ()

    @property
    def called(self) -> tuple[str, ...]:
        """Its words, and its days as one."""
        return (*self.words, *([" ".join(self.days)] if self.days else []))

    def told_from(self, other: "Row") -> str:
        """Its name; with the row above it where ``other`` is called the same."""
        return f"{self.name} ({' '.join(self.above)})" if self.name == other.name and self.above else self.name

    def same_name(self, other: "Row") -> bool:
        """Whether both are rows of one list and one name, told apart by their days alone."""
        return (self.table, self.words, self.above) == (other.table, other.words, other.above)

    @cached_property
    def table(self) -> tuple[str, ...]:
        """The list it is of, whatever row that stands in."""
        return tuple(part for part in self.path if isinstance(part, str))


@frozen(eq=False)
class Leaf:
    """A value that is claimed: ``number`` and ``unit`` of a quantity, ``derived`` its formula."""

    path: Place
    kind: Kind
    value: Any
    row: Row
    unit: str = ""
    derived: str = ""

    @property
    def name(self) -> str:
        """The field."""
        return str(next(part for part in reversed(self.path) if isinstance(part, str)))

    @property
    def field(self) -> tuple[str, ...]:
        """The field of whichever row."""
        return tuple(part for part in self.path if isinstance(part, str))


@frozen
class Refused:
    """A value that the words do not support: where, what, why, and the likeliest words."""

    path: Place
    value: Any
    why: str
    nearest: str = ""
    key: bool = False


Keys = Callable[[tuple[str, ...], Mapping[str, Any]], tuple[str, ...]]
"""The names of the fields that name a row of a list."""


def keys_by_name(table: tuple[str, ...], row: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields that name a row, by how they are called: an id, a name, a resource, from and to."""
    found = [name for name in row if name.endswith("-id") or name == "name"]
    found = found or [name for name in row if name in {"resource", "from-place", "to-place", "item"}]
    ends = [name for name in ("from", "to") if isinstance(row.get(name), str) and kind_of(name, row[name]) == "names"]
    return tuple(found or ends)


def kind_of(name: str, value: Any) -> Kind:
    """What kind of claim a value is."""
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "count"
    if isinstance(value, Mapping):
        return "quantity"
    if isinstance(value, list):
        return "days" if value and all(one in DAYS for one in value) else "names"
    if name == "rule":
        return "rule"
    text = str(value).strip()
    if _MOMENT.match(text):
        return "moment"
    if minutes(text) is not None:
        return "time"
    return "quantity" if span_of(text) else "names"


def span_of(text: str) -> tuple[str, str] | None:
    """The number and unit of "5 days"; None for other words."""
    match = _SPAN.match(text.strip())
    return (match[1], match[2]) if match and family_of(unit_of(match[2])) == "time" else None


def moment_of(text: str) -> tuple[str, str]:
    """The date and the time ("" where none) of an ISO 8601 text."""
    match = _MOMENT.match(text.strip())
    return (match[1], match[2] or "") if match else ("", "")


def without(node: Any, places: Collection[Place] = (), rows: Collection[Place] = (), at: Place = ()) -> Any:
    """A refinement without its notes, without the values at ``places`` and without ``rows``."""
    if isinstance(node, Mapping):
        notes = _NOTES if not (at and at[-2:-1] == ("rules",)) else frozenset()
        kept = {
            name: without(value, places, rows, (*at, name))
            for name, value in node.items()
            if name not in notes and (*at, name) not in places
        }
        return {name: value for name, value in kept.items() if value != [] or node[name] == []}
    if isinstance(node, list):
        return [without(one, places, rows, (*at, step)) for step, one in enumerate(node) if (*at, step) not in rows]
    return node


def leaves(refinement: Mapping[str, Any], keys: Keys = keys_by_name) -> tuple[list[Row], list[Leaf]]:
    """The rows and leaves of a refinement, in order."""
    rows: list[Row] = []
    top = Row((), "", (), quote=str(refinement.get("quote", "")))
    found = list(_walk(refinement, (), top, keys, rows))
    return rows, found


def _walk(node: Mapping[str, Any], path: Place, row: Row, keys: Keys, rows: list[Row]) -> Iterator[Leaf]:
    for name, value in node.items():
        if name in _NOTES or (path and isinstance(path[-1], int) and name in keys(row.table, node)):
            continue
        here = (*path, name)
        if (
            isinstance(value, list)
            and value
            and all(isinstance(one, Mapping) and "item-id" not in one for one in value)
        ):
            for at, item in enumerate(value):
                inner = _row(item, (*here, at), row, keys)
                rows.append(inner)
                yield from _keys(item, inner, keys)
                yield from _walk(item, inner.path, inner, keys, rows)
        elif isinstance(value, Mapping) and "value-string" not in value:
            part = Row(
                here, name, tuple(content(name.replace("-", " "))), row.words, str(value.get("quote", row.quote))
            )
            yield from _walk(value, here, part, keys, rows)
        elif value is not None and value not in ("", "none", []):
            yield _leaf(here, name, value, row, derived=str(node.get("derived", "")))


def _row(item: Mapping[str, Any], path: Place, above: Row, keys: Keys) -> Row:
    table = tuple(part for part in path if isinstance(part, str))
    named = [str(item[key]) for key in keys(table, item) if kind_of(key, item[key]) == "names" or key.endswith("-id")]
    words = [word for name in named for word in content(name.replace("_", " "))]
    days = [day for day in item.get("days", []) if day in DAYS] if isinstance(item.get("days"), list) else []
    absent = table[-1] in ABSENT or item.get("count") == 0
    parents = above.words if above.path and isinstance(above.path[-1], int) else ()
    return Row(
        path, " ".join(named), tuple(dict.fromkeys(words)), parents, str(item.get("quote", "")), absent,
        tuple(days),
        tuple(tuple(content(name)) for name in named) if len(named) == 2 else (),
    )  # fmt: skip


def _keys(item: Mapping[str, Any], row: Row, keys: Keys) -> Iterator[Leaf]:
    for key in keys(row.table, item):
        if item.get(key) is not None:
            kind = kind_of(key, item[key])
            named = kind == "names" or key.endswith(("-id", "name"))
            yield Leaf((*row.path, key), "key" if named else kind, item[key], row)


def _leaf(path: Place, name: str, value: Any, row: Row, derived: str) -> Leaf:
    kind = kind_of(name, value)
    if kind == "quantity" and isinstance(value, Mapping):
        return Leaf(
            path, kind, str(value.get("value-string", "")), row, str(value.get("units", "")),
            str(value.get("derived", "") or derived),
        )  # fmt: skip
    if kind == "quantity" and (span := span_of(str(value))):
        return Leaf(path, kind, span[0], row, span[1])
    return Leaf(path, kind, value, row, derived=derived if kind == "count" else "")
