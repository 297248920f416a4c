"""What a run has seen in typed fields of its tools' answers: records with their names, and plain values.

Free text inside an answer is never looked at: its author would choose
what an agent may touch.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from packhorse_pai.domain.words import same

ID, NAME = "x-packhorse-id", "x-packhorse-name"
"""Marks of an output schema: the kind of thing that a field is the id of; a field that names the thing."""

PERSON = "x-packhorse-person"
"""Mark of an input schema, or of an argument in it, that a tool takes from people alone."""
_CAPITAL = re.compile(r"[A-Z][a-z]+")
_NAMES = ("name", "title", "subject", "filename")
MOST = 5000
"""Records and values of one run."""
MOST_DEPTH = 8
"""Levels of a schema that are looked through for ids: a schema may refer to itself."""


@frozen
class Record:
    """One thing: its kind, empty where nothing tells it, its id as text, and what it is called."""

    kind: str
    id: str
    names: tuple[str, ...] = ()
    marked: bool = True
    """Whether the schema says what it is the id of, and not its field's name alone."""
    inside: bool = False
    """Whether it stands inside something else of the answer."""
    field: str = ""
    """Where it stands, if its field's name alone says what it is."""


@define
class Seen:
    """What one run tree has seen. Grows with each answer, and never forgets within the run."""

    records: dict[tuple[str, str], frozenset[str]] = field(factory=dict)
    made: set[tuple[str, str]] = field(factory=set)
    values: set[str] = field(factory=set)

    def feed(
        self,
        output: Any,
        schema: Mapping[str, Any] | None,
        *,
        made: bool = False,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        """Take in an answer. ``made``: the call, with the arguments ``given``, created what it answers.

        An id that only its field's name tells counts as made where it stands alone at the top, and where the call gave
        neither it nor an argument of that name: that is the thing which the call was about.
        """
        if schema is None:
            return
        known = frozenset(_values_in(given))
        names = {name for name, value in (given or {}).items() if value is not None}
        for record in records_in(output, schema, schema):
            is_new = record.marked or not (record.inside or record.id in known or record.field in names)
            self.add([record], made=made and is_new)

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


def kind_named(key: str) -> str | None:
    """``swap`` of ``swap_id``, ``swap_ids`` and ``source_swap_id``; None for another name."""
    return key.rsplit("_", 1)[0].rsplit("_", 1)[-1] if key.endswith(("_id", "_ids")) else None


def records_in(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], *, inside: bool = False
) -> Iterator[Record]:
    """The things in an answer, as its schema types them.

    What a thing is called stands in the object whose own id it is; beside any other id only a name of the same
    beginning counts, as ``person_name`` beside ``person_id``: else a title that somebody wrote would name a person.
    """
    schema = _resolved(schema, root)
    if isinstance(value, list | tuple):
        inner = schema.get("items")
        if isinstance(inner, Mapping):
            for item in value:
                yield from records_in(item, inner, root, inside=True)
        return
    properties = schema.get("properties")
    if not isinstance(value, Mapping) or not isinstance(properties, Mapping):
        return
    names = tuple(
        _unmarked(value[key])
        for key, about in properties.items()
        if isinstance(value.get(key), str) and _is_name(key, about)
    )
    own = _last_word(str(schema.get("title", "")))
    for key, about in properties.items():
        found, marked, kind = value.get(key), _kind_of(key, about, schema, root), kind_named(key)
        if isinstance(marked, str) and _is_id(found):
            if marked:
                yield Record(marked, str(found), names, inside=inside)
            else:
                yield Record("", str(found), marked=False, inside=inside, field=key)
        elif kind is not None and _is_id(found):
            name = value.get(f"{key.removesuffix('_id')}_name")
            called = names if own and kind == own else (_unmarked(name),) if isinstance(name, str) else ()
            called = called if key.endswith("_id") else ()  # a field of several ids names none of them
            yield Record(kind, str(found), called, marked=False, inside=inside, field=key)
        elif kind is not None and isinstance(found, list):
            yield from (Record(kind, str(one), marked=False, inside=inside, field=key) for one in found if _is_id(one))
        elif isinstance(found, Mapping | list | tuple):
            yield from records_in(found, about, root, inside=True)


def _unmarked(name: str) -> str:
    """A name without the marks « » that a tool puts around somebody else's text."""
    return name.removeprefix("«").removesuffix("»")


def _values_in(given: Any) -> Iterator[str]:
    """Every text and number that arguments hold, as text."""
    if isinstance(given, Mapping | list | tuple):
        for one in given.values() if isinstance(given, Mapping) else given:
            yield from _values_in(one)
    elif _is_id(given):
        yield str(given)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


@frozen
class Kinds:
    """Kinds of things whose ids a run can see, those it can see with a name, and those it can make; None: not known."""

    seen: frozenset[str] | None = None
    named: frozenset[str] | None = None
    made: frozenset[str] | None = None

    @classmethod
    def of(cls, answers: Iterable[tuple[Mapping[str, Any] | None, bool, Collection[str]]]) -> "Kinds":
        """By the schemas of answers, each with whether its tool only reads, and the arguments that it must be given."""
        seen, named, made = set[str](), set[str](), set[str]()
        for schema, read_only, given in answers:
            for kind, place, is_named in _kinds_in(schema or {}, schema or {}, 0):
                seen.add(kind)
                named |= {kind} if is_named else set()
                made |= {kind} if not read_only and (place is None or (place and place not in given)) else set()
        return cls(frozenset(seen), frozenset(named), frozenset(made))


UNKNOWN = Kinds()
"""Where no host is at hand."""


def _kinds_in(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Iterator[tuple[str, str | None, bool]]:
    """Each kind, the field whose name alone says it (empty below the top), and whether a name may stand beside it."""
    schema = _resolved(schema, root)
    if depth > MOST_DEPTH:
        return
    if isinstance(inner := schema.get("items"), Mapping):
        yield from _kinds_in(inner, root, depth + 1)
    properties, own = schema.get("properties", {}), _last_word(str(schema.get("title", "")))
    names = any(_is_name(key, about) for key, about in properties.items())
    for key, about in properties.items():
        marked = _kind_of(key, about, schema, root)
        if isinstance(marked, str):
            yield (marked, None, names) if marked else ("", "" if depth else key, False)
        elif (kind := kind_named(key)) is not None:
            is_named = names if own and kind == own else f"{key.removesuffix('_id')}_name" in properties
            yield kind, "" if depth else key, is_named and key.endswith("_id")
        yield from _kinds_in(about, root, depth + 1)


def _is_name(key: str, about: Mapping[str, Any]) -> bool:
    return about.get(NAME) is True or key in _NAMES


def _kind_of(key: str, about: Mapping[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Of what kind of thing a field is the id, empty where nothing tells; None where it is no id."""
    kind = _resolved(about, root).get(ID)
    return _last_word(str(schema.get("title", ""))) if kind is None and key in ("id", "id_") else kind


def _last_word(title: str) -> str:
    """``event`` of a schema called CalendarEvent: the kind of thing whose id stands in it."""
    found = _CAPITAL.findall(title)
    return found[-1].lower() if found else ""


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a schema refers to, or is unless it is null, with its own marks."""
    options = [one for key in ("anyOf", "oneOf") for one in schema.get(key) or () if one.get("type") != "null"]
    if len(options) == 1:
        marks = {key: schema[key] for key in (ID, NAME) if key in schema}
        return {**_resolved(options[0], root), **marks}
    name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    found = root.get("$defs", {}).get(name) if name else None
    return found if isinstance(found, Mapping) else schema
