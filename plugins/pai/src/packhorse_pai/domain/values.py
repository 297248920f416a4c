"""Which values of an argument's schema clauses can hold for: none, some or all. Quiet where it cannot know."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from attrs import frozen

from packhorse_pai.domain.grants import MINE, Clause, equal
from packhorse_pai.domain.words import number

_TYPES = frozenset({"string", "number", "boolean", "object"})
_PLAIN = ("equals", "in", "most", "short", "free")
"""Clauses that a value alone decides."""


@frozen
class Values:
    """What an argument may be by its schema, and the kinds of ids that a run can see or make (None: not known)."""

    types: frozenset[str] = _TYPES
    listed: tuple[Any, ...] | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    longest: int | None = None
    seen: frozenset[str] | None = None
    made: frozenset[str] | None = None

    @classmethod
    def of(cls, about: Any, root: Any, seen: frozenset[str] | None, made: frozenset[str] | None) -> "Values":
        """The values of a property; of a list each element is meant, since rules are asked of each."""
        schema = _resolved(about, root)
        listed = schema.get("enum", [schema["const"]] if "const" in schema else None)
        kinds = schema.get("type", ())
        kinds = {kinds} if isinstance(kinds, str) else set(kinds)
        types = {"number" if kind == "integer" else kind for kind in kinds - {"null", "array"}}
        if types == {"boolean"} and listed is None:
            listed = [True, False]
        longest = schema.get("maxLength")
        return cls(
            frozenset(types) or _TYPES,
            tuple(value for value in listed if value is not None) if listed is not None else None,
            number(schema.get("minimum")),
            number(schema.get("maximum")),
            longest if isinstance(longest, int) else None,
            seen,
            made,
        )

    def has(self, value: Any) -> bool:
        """Whether the schema allows a value."""
        if self.listed is not None and not any(equal(one, value) for one in self.listed):
            return False
        amount = number(value)
        if amount is not None:
            low, high = self.low is None or amount >= self.low, self.high is None or amount <= self.high
            return "number" in self.types and low and high
        if isinstance(value, str):
            return "string" in self.types and (self.longest is None or len(value) <= self.longest)
        return ("boolean" if isinstance(value, bool) else "object") in self.types


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
    return bool(way) and all(_covers(clause, values) for clause in way)


def implies(wide: Sequence[Clause], narrow: Sequence[Clause]) -> bool:
    """Whether each clause of ``wide`` holds where those of ``narrow`` do."""
    return all(clause.kind == "free" or any(_follows(clause, given) for given in narrow) for clause in wide)


def _candidates(way: Sequence[Clause], values: Values) -> list[Any] | None:
    """All values that could hold, where clauses or schema list them."""
    for clause in way:
        if clause.kind == "equals":
            return [clause.about]
        if clause.kind == "in":
            return list(clause.about)
    return list(values.listed) if values.listed is not None else None


def _may(clause: Clause, value: Any, values: Values) -> bool:
    if clause.kind in _PLAIN:
        return _holds(clause, value)
    kind = "boolean" if isinstance(value, bool) else "number" if number(value) is not None else "string"
    return _may_type(clause, kind if isinstance(value, str | int | float) else "object", values)


def _may_type(clause: Clause, kind: str, values: Values) -> bool:
    match clause.kind:
        case "most":
            bound, low = number(clause.about), values.low
            return kind == "number" and bound is not None and bound >= 0 and (low is None or low <= bound)
        case "short":
            return bool(clause.about >= (1 if kind == "number" else 2 if kind == "object" else 0))
        case "named":
            return kind in ("string", "number")
        case "mine":
            return kind == "string" and clause.about in MINE
        case "anchored" | "made":
            known = values.seen if clause.kind == "anchored" else values.made
            is_known = known is None or clause.about is None or str(clause.about).removeprefix("id:") in known
            return kind in ("string", "number") and is_known
        case "seen":
            return kind in ("string", "number")
        case "quoted" | "dated" | "grounded":
            return kind == "string"
        case _:
            return True


def _holds(clause: Clause, value: Any) -> bool:
    """A clause that a value alone decides."""
    match clause.kind:
        case "equals":
            return equal(clause.about, value)
        case "in":
            return any(equal(one, value) for one in clause.about)
        case "most":
            amount, bound = number(value), number(clause.about)
            return amount is not None and bound is not None and 0 <= amount <= bound
        case "short":
            return bool(len(value if isinstance(value, str) else json.dumps(value)) <= clause.about)
        case _:
            return True


def _covers(clause: Clause, values: Values) -> bool:
    if clause.kind not in _PLAIN:
        return False
    if values.listed is not None:
        return all(_holds(clause, value) for value in values.listed)
    if clause.kind == "most":
        low, high, bound = values.low, values.high, number(clause.about)
        numbers = values.types == {"number"} and low is not None and low >= 0
        return numbers and high is not None and bound is not None and high <= bound
    if clause.kind == "short":
        return values.types == {"string"} and values.longest is not None and values.longest <= clause.about
    return clause.kind == "free"


def _follows(clause: Clause, given: Clause) -> bool:
    if clause == given:
        return True
    if clause.kind in _PLAIN and given.kind in ("equals", "in"):
        return all(_holds(clause, value) for value in ([given.about] if given.kind == "equals" else given.about))
    return clause.kind == given.kind and clause.kind in ("most", "short") and bool(clause.about >= given.about)


def _resolved(about: Any, root: Any) -> Mapping[str, Any]:
    if not isinstance(about, Mapping):
        return {}
    if "$ref" in about and isinstance(root, Mapping):
        return _resolved(root.get("$defs", {}).get(str(about["$ref"]).rsplit("/", 1)[-1]), {})
    options = [one for one in about.get("anyOf", ()) if isinstance(one, Mapping) and one.get("type") != "null"]
    if options:
        return _resolved(options[0], root) if len(options) == 1 else {}
    if about.get("type") == "array":
        return _resolved(about.get("items"), root)
    return about
