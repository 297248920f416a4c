"""Which values of an argument's schema clauses can hold for: none, some or all. Quiet where it cannot know."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from attrs import frozen

from packhorse_pai.domain.grants import MINE, PLAIN, Clause, Verdict, World, equal, holds
from packhorse_pai.domain.seen import UNKNOWN, Kinds
from packhorse_pai.domain.widths import has_room_for, width
from packhorse_pai.domain.words import Words, number, same

_TYPES = frozenset({"string", "number", "boolean", "object"})
_MOST_LISTED = 200
"""Whole numbers between two bounds are looked at one by one up to so many."""
_FORMATS = {
    "date": r"^\d{4}-\d\d-\d\d$",
    "time": r"^\d\d:\d\d[^@]*$",
    "date-time": r"^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d[^@]*$",
    "uuid": r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
    "email": r"@",
}
"""What a text of a format must look like: less than the format asks, so that lint is quiet where it is not sure."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DAYS, _NO_DAYS = ("2024-02-29", "2026-01-31", "2026-12-01"), ("2026-00-10", "2026-13-01", "2026-01-32")
_TIMES = ("", "T08:30", " 08:30", "T08:30:00", "T08:30:00Z")
_SHORTEST_ADDRESS = 3
"""Letters of ``a@b``."""
_SHORT_OF_LINKS = 7
"""A number of so many digits is no account's."""


@frozen
class Values:
    """What an argument may be by its schema, and the kinds of things whose ids a run can see or make."""

    types: frozenset[str] = _TYPES
    listed: tuple[Any, ...] | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    open_low: bool = False
    """Whether the lowest number itself is left out; of whole numbers none is."""
    open_high: bool = False
    whole: bool = False
    shortest: int = 0
    longest: int | None = None
    pattern: str | None = None
    """A regular expression that a text must meet, its own or that of its format."""
    empty: bool = False
    """Whether an element of a list may be null, for which no clause about a value holds."""
    is_day: bool = False
    """Whether a text that begins as a day does must be one of the calendar."""
    kinds: Kinds = UNKNOWN

    @classmethod
    def of(cls, about: Any, root: Any, kinds: Kinds = UNKNOWN) -> "Values":
        """The values of a property; of a list each element is meant, since rules are asked of each."""
        schema = _resolved(about, root)
        type_ = schema.get("type", ())
        said = {type_} if isinstance(type_, str) else set(type_)
        types = frozenset("number" if kind == "integer" else kind for kind in said - {"null", "array"})
        unsaid = frozenset[str]() if said == {"null"} else _TYPES
        whole = "integer" in said and "number" not in said
        low, open_low = _bound(schema, "minimum", "exclusiveMinimum", max)
        high, open_high = _bound(schema, "maximum", "exclusiveMaximum", min)
        if whole:
            low = None if low is None else Decimal(math.floor(low) + 1 if open_low else math.ceil(low))
            high = None if high is None else Decimal(math.ceil(high) - 1 if open_high else math.floor(high))
            open_low = open_high = False
        listed = schema.get("enum", [schema["const"]] if "const" in schema else None)
        if listed is None and types == {"boolean"}:
            listed = [True, False]
        if listed is None and types == {"number"} and whole and low is not None and high is not None:
            listed = range(int(low), int(high) + 1) if high - low < _MOST_LISTED else None
        form = _format(schema)
        pattern = schema.get("pattern", form)
        pattern = pattern if isinstance(pattern, str) else None
        is_day = form is not None and schema["format"] in ("date", "date-time")
        shortest, longest = _lengths(schema, pattern)
        return cls(
            types or unsaid,
            tuple(value for value in listed if value is not None) if listed is not None else None,
            low,
            high,
            open_low,
            open_high,
            whole,
            shortest,
            longest,
            pattern,
            _may_be_null_inside(about),
            is_day or _spells_day(pattern),
            kinds,
        )

    def has(self, value: Any) -> bool:
        """Whether the schema allows a value."""
        if self.listed is not None and not any(equal(one, value) for one in self.listed):
            return False
        amount = number(value)
        if amount is not None:
            above = self.low is None or (amount > self.low if self.open_low else amount >= self.low)
            below = self.high is None or (amount < self.high if self.open_high else amount <= self.high)
            whole = not self.whole or amount == int(amount)
            return "number" in self.types and whole and above and below
        if isinstance(value, str):
            fits = self.shortest <= len(value) and (self.longest is None or len(value) <= self.longest)
            is_read = self.pattern is None or _meets(self.pattern, value)
            return "string" in self.types and fits and is_read and not (self.is_day and _is_no_day(value))
        return ("boolean" if isinstance(value, bool) else "object") in self.types

    def some_at_most(self, bound: Decimal) -> bool:
        """Whether a number that is allowed lies between 0 and a bound."""
        low, high = Decimal(0), Decimal(math.floor(bound)) if self.whole else bound
        is_open = False
        if self.low is not None and self.low >= low:
            low, is_open = self.low, self.open_low
        if self.high is not None and self.high <= high:
            high, is_open = self.high, is_open or self.open_high
        return low < high or (low == high and not is_open)

    def all_at_most(self, bound: Decimal) -> bool:
        """Whether every value is a number from 0 to a bound."""
        low, high = self.low, self.high
        return self.types == {"number"} and low is not None and low >= 0 and high is not None and high <= bound

    def lengths(self, kind: str) -> tuple[int, int | None]:
        """The fewest and the most letters of the values of one type, as JSON where they are no texts."""
        if kind == "string":
            return self.shortest, self.longest
        if kind == "number" and self.whole and self.low is not None and self.high is not None:
            ends = [len(str(int(self.low))), len(str(int(self.high)))]
            return 1 if self.low <= 0 <= self.high else min(ends), max(ends)
        return (4, 5) if kind == "boolean" else (1 if kind == "number" else 2, None)


def is_possible(way: Sequence[Clause], values: Values) -> bool:
    """Whether an alternative can hold for some value."""
    if not way:
        return False
    known = _candidates(way, values)
    if known is not None:
        return any(values.has(value) and all(_may(clause, value, values) for clause in way) for value in known)
    return any(all(_may_type(clause, kind, values) for clause in way) for kind in values.types)


def covers_all(way: Sequence[Clause], values: Values) -> bool:
    """Whether an alternative holds for every value, whatever the mission says."""
    return bool(way) and all(covers(clause, values) for clause in way)


def cover_together(ways: Iterable[Sequence[Clause]], values: Values) -> bool:
    """Whether of each value that the schema lists some alternative holds, whatever the mission says."""
    plain = [way for way in ways if way and all(clause.kind in PLAIN for clause in way)]
    return (
        bool(values.listed)
        and not values.empty
        and all(any(all(_holds(clause, value) for clause in way) for way in plain) for value in values.listed or ())
    )


def covers(clause: Clause, values: Values) -> bool:
    """Whether a clause holds for every value, whatever the mission says."""
    if clause.kind == "free":
        return True
    if clause.kind not in PLAIN | {"links"} or values.empty:
        return False
    if values.listed is not None:
        return all(_holds(clause, value) for value in values.listed)
    match clause.kind:
        case "most":
            bound = number(clause.about)
            return bound is not None and values.all_at_most(bound)
        case "short":
            longest = [values.lengths(kind)[1] for kind in values.types]
            return all(most is not None and most <= clause.about for most in longest)
        case "links":
            few = values.whole and (values.lengths("number")[1] or math.inf) <= _SHORT_OF_LINKS
            return values.types <= {"boolean", "number"} and ("number" not in values.types or few)
        case _:
            return False


def implies(wide: Sequence[Clause], narrow: Sequence[Clause]) -> bool:
    """Whether each clause of ``wide`` holds where those of ``narrow`` do."""
    return all(clause.kind == "free" or any(follows(clause, given) for given in narrow) for clause in wide)


def _candidates(way: Sequence[Clause], values: Values) -> list[Any] | None:
    """All values that could hold, where clauses or schema list them."""
    for clause in way:
        if clause.kind == "equals":
            return [clause.about]
        if clause.kind == "in":
            return list(clause.about)
    return list(values.listed) if values.listed is not None else None


def _may(clause: Clause, value: Any, values: Values) -> bool:
    if clause.kind in PLAIN:
        return _holds(clause, value)
    if clause.kind in ("named", "quoted") and isinstance(value, str) and (not value or value != value.strip()):
        return False
    if clause.kind == "mine" and not (isinstance(value, str) and "@" in same(value)):
        return False
    kind = "boolean" if isinstance(value, bool) else "number" if number(value) is not None else "string"
    return _may_type(clause, kind if isinstance(value, str | int | float) else "object", values)


def _may_type(clause: Clause, kind: str, values: Values) -> bool:
    match clause.kind:
        case "most":
            bound = number(clause.about)
            return kind == "number" and bound is not None and values.some_at_most(bound)
        case "short":
            return bool(clause.about >= values.lengths(kind)[0])
        case "named":
            return kind in ("string", "number")
        case "mine":
            return kind == "string" and clause.about in MINE and _may_be_address(values)
        case "anchored" | "made" | "seen":
            known = {"anchored": values.kinds.named, "made": values.kinds.made}.get(clause.kind, values.kinds.seen)
            wanted = _kind_of(clause)
            is_known = known is None or (bool(known) if wanted is None else wanted in known)
            return kind in ("string", "number") and is_known
        case "quoted" | "dated" | "grounded":
            return kind == "string"
        case _:
            return True


def _may_be_address(values: Values) -> bool:
    """Whether a text may be an e-mail address, by its length and by the letters that its pattern has room for."""
    if values.longest is not None and values.longest < _SHORTEST_ADDRESS:
        return False
    return values.pattern is None or has_room_for("@", values.pattern)


_SILENT = World(Words(""), by_person=True)
"""A mission that says nothing: by it no address may be linked."""


def _holds(clause: Clause, value: Any) -> bool:
    """A clause that a value alone decides; links of a value in which there are none."""
    return holds(clause, value, _SILENT) is Verdict.ALLOW


def follows(clause: Clause, given: Clause) -> bool:
    """Whether a clause holds wherever another does."""
    if clause.kind in PLAIN | {"links"} and given.kind in ("equals", "in"):
        return all(_holds(clause, value) for value in ([given.about] if given.kind == "equals" else given.about))
    match clause.kind, given.kind:
        case ("named", "quoted") | ("seen", "anchored" | "made"):  # a thing that was made was answered, and so seen
            return True
        case ("made", "made"):
            return clause.about is None or _kind_of(clause) == _kind_of(given)
        case ("anchored", "anchored"):
            return _kind_of(clause) == _kind_of(given)
        case ("most", "most") | ("short", "short"):
            return bool(clause.about >= given.about)
        case _:
            return clause == given


def _kind_of(clause: Clause) -> str | None:
    return None if clause.about is None else str(clause.about).removeprefix("id:")


def _format(schema: Mapping[str, Any]) -> str | None:
    """What a text of the schema's format looks like; unknown where its bounds leave room for texts of another length.

    A format is a note, which many servers do not ask for; bounds that do not fit it say that this one does not.
    """
    pattern = _FORMATS.get(str(schema.get("format")))
    known = width(pattern) if pattern is not None else None
    if (
        known is not None
        and known[0] == known[1]
        and (schema.get("minLength", known[0]) < known[0] or schema.get("maxLength", known[1]) > known[1])
    ):
        return None
    return pattern


def _lengths(schema: Mapping[str, Any], pattern: str | None) -> tuple[int, int | None]:
    """The fewest and the most letters of a text, by its bounds and by its pattern where that is about all of it."""
    shortest, longest = schema.get("minLength"), schema.get("maxLength")
    least, most = shortest if isinstance(shortest, int) else 0, longest if isinstance(longest, int) else None
    if pattern is not None and (known := width(pattern)) is not None:
        least = max(least, known[0])
        most = min((end for end in (most, known[1]) if end is not None), default=None)
    return least, most


def _meets(pattern: str, value: str) -> bool:
    """Whether a text, in capitals or not, meets a pattern: clauses compare texts without regard to that."""
    try:
        return any(re.search(pattern, text) for text in (value, value.upper(), value.lower(), value.title()))
    except re.error:  # a pattern of another dialect
        return True


@lru_cache
def _spells_day(pattern: str | None) -> bool:
    """Whether a pattern takes days, with a time or without, and no numbers that no month or day has."""
    try:
        found = re.compile(pattern) if pattern is not None else None
    except re.error:
        return False
    return found is not None and any(
        all(found.search(day + time) for day in _DAYS) and not any(found.search(day + time) for day in _NO_DAYS)
        for time in _TIMES
    )


def _is_no_day(text: str) -> bool:
    """Whether a text begins as a day does, and is none of the calendar."""
    try:
        return _DAY.match(text) is not None and not date.fromisoformat(text[:10])
    except ValueError:
        return True


def _bound(schema: Mapping[str, Any], closed: str, opened: str, stricter: Any) -> tuple[Decimal | None, bool]:
    """The bound of a number, and whether it is itself left out; of two the one that leaves less."""
    with_it, without = number(schema.get(closed)), number(schema.get(opened))
    if with_it is None or without is None:
        return (with_it, False) if without is None else (without, True)
    return (with_it, False) if stricter(with_it, without) != without else (without, True)


def _may_be_null_inside(about: Any, *, inside: bool = False) -> bool:
    """Whether the schema of a list lets an element be null, as far as it says so without a reference."""
    if not isinstance(about, Mapping):
        return False
    kinds = about.get("type", ())
    null = inside and (kinds == "null" or "null" in kinds or None in about.get("enum", ()))
    options = any(_may_be_null_inside(one, inside=inside) for one in about.get("anyOf", ()))
    return null or options or _may_be_null_inside(about.get("items"), inside=True)


def _resolved(about: Any, root: Any) -> Mapping[str, Any]:
    if not isinstance(about, Mapping):
        return {}
    if "$ref" in about and isinstance(root, Mapping):
        return _resolved(root.get("$defs", {}).get(str(about["$ref"]).rsplit("/", 1)[-1]), {})
    options = [one for one in about.get("anyOf", ()) if isinstance(one, Mapping) and one.get("type") != "null"]
    if options:
        beside = {key: value for key, value in about.items() if key != "anyOf"}
        if {str(one.get("type")) for one in options} == {"integer", "number"}:
            return {"type": "number", **beside} if all(len(one) == 1 for one in options) else {}
        return {**beside, **_resolved(options[0], root)} if len(options) == 1 else {}
    if about.get("type") == "array":
        return _resolved(about.get("items"), root)
    return about
