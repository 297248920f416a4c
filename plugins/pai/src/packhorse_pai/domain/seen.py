"""What a run has seen in typed fields of its tools' answers: records with their names, and plain values.

Free text inside an answer is never looked at: its author would choose
what an agent may touch.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from packhorse_pai.domain.words import same

ID, NAME = "x-packhorse-id", "x-packhorse-name"
"""Marks of an output schema: the kind of thing that a field is the id of; a field that names the thing."""

_CAPITAL = re.compile(r"[A-Z][a-z]+")
_NAMES = ("name", "title", "subject", "filename")
MOST = 5000
"""Records and values of one run."""
MOST_DEPTH = 8
"""Levels of a schema that are looked through for ids: a schema may refer to itself."""


@frozen
class Record:
    """One thing: its kind, its id as text, and what it is called."""

    kind: str
    id: str
    names: tuple[str, ...] = ()


@define
class Seen:
    """What one run tree has seen. Grows with each answer, and never forgets within the run."""

    records: dict[tuple[str, str], frozenset[str]] = field(factory=dict)
    made: set[tuple[str, str]] = field(factory=set)
    values: set[str] = field(factory=set)

    def feed(self, output: Any, schema: Mapping[str, Any] | None, *, made: bool = False) -> None:
        """Take in an answer; ``made`` where the call created what it answers."""
        if schema is not None:
            self.add(list(records_in(output, schema, schema)), made=made)

    def add(self, records: list[Record], *, made: bool = False) -> None:
        """Take in records."""
        for record in records[: max(0, MOST - len(self.records))]:
            key = (record.kind, record.id)
            self.records[key] = self.records.get(key, frozenset()) | {same(name) for name in record.names if name}
            self.values.add(record.id)
            if made:
                self.made.add(key)

    def dumped(self) -> dict[str, Any]:
        """As plain JSON."""
        return {"records": [[*key, sorted(names)] for key, names in self.records.items()], "made": sorted(self.made)}

    @classmethod
    def loaded(cls, data: Mapping[str, Any] | None) -> "Seen":
        """From plain JSON."""
        seen = cls()
        for kind, key, names in (data or {}).get("records", ()):
            seen.add([Record(kind, key, tuple(names))])
        seen.made = {(kind, key) for kind, key in (data or {}).get("made", ())}
        return seen


def records_in(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Record]:
    """The things in an answer, as its schema types them."""
    schema = _resolved(schema, root)
    if isinstance(value, list | tuple):
        inner = schema.get("items")
        if isinstance(inner, Mapping):
            for item in value:
                yield from records_in(item, inner, root)
        return
    properties = schema.get("properties")
    if not isinstance(value, Mapping) or not isinstance(properties, Mapping):
        return
    names = tuple(
        str(value[key])
        for key, about in properties.items()
        if isinstance(value.get(key), str) and (about.get(NAME) is True or key in _NAMES)
    )
    for key, about in properties.items():
        found, kind = value.get(key), _kind_of(key, about, schema, root)
        if isinstance(kind, str) and isinstance(found, str | int) and not isinstance(found, bool):
            yield Record(kind, str(found), names)
        elif isinstance(found, Mapping | list | tuple):
            yield from records_in(found, about, root)


def kinds_in(schema: Mapping[str, Any] | None) -> frozenset[str]:
    """The kinds of things whose ids an answer of this schema may hold."""
    return frozenset(_kinds_in(schema, schema, 0)) if schema is not None else frozenset()


def _kinds_in(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Iterator[str]:
    schema = _resolved(schema, root)
    if depth > MOST_DEPTH:
        return
    if isinstance(inner := schema.get("items"), Mapping):
        yield from _kinds_in(inner, root, depth + 1)
    for key, about in schema.get("properties", {}).items():
        kind = _kind_of(key, about, schema, root)
        if isinstance(kind, str):
            yield kind
        else:
            yield from _kinds_in(about, root, depth + 1)


def _kind_of(key: str, about: Mapping[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Of what kind of thing a field is the id; None where it is no id."""
    kind = _resolved(about, root).get(ID)
    return _last_word(str(schema.get("title", ""))) if kind is None and key in ("id", "id_") else kind


def _last_word(title: str) -> str | None:
    """``event`` of a schema called CalendarEvent: the kind of thing whose id stands in it."""
    found = _CAPITAL.findall(title)
    return found[-1].lower() if found else None


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    found = root.get("$defs", {}).get(name) if name else None
    return found if isinstance(found, Mapping) else schema
