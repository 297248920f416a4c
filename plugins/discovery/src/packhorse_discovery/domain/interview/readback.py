"""What was understood, as a sentence to read back: "brewing: 2 hours, kettle; cooling: 1 hour"."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.case.units import unit_of
from packhorse_discovery.domain.schema.eads import Eads, slug

LONGEST = 1200
"""Characters; what is longer ends in how much is left out."""


def read_back(established: Mapping[str, Any], library: Iterable[Eads]) -> str:
    """``established``, parts of structures as they are rendered, in words; empty where there is nothing.

    A row is called by its key; quantities keep their unit; a choice is said as the person was asked for it.
    """
    fields = [field for eads in library for field in eads.fields]
    keys = {field.path[-1]: field.key or "" for field in fields if field.kind == "table"}
    labels = {one.value: one.label.partition(":")[0] for field in fields for one in field.choices}
    parts = [words for name, value in established.items() for words in _Words(keys, labels).of(name, value)]
    text, left = "", 0
    for part in parts:
        if len(text) + len(part) > LONGEST:
            left += 1
        else:
            text = f"{text}; {part}" if text else part
    return f"{text}; and {left} more" if left else text


def read_otherwise(established: Any, given: Any) -> Any:
    """What of ``established`` was not handed in so in ``given``: a row with its first value; None where all was."""
    if isinstance(established, Mapping) and "value-string" not in established:
        known = given if isinstance(given, Mapping) else {}
        found = {name: read_otherwise(one, known.get(name)) for name, one in established.items()}
        return {name: one for name, one in found.items() if one is not None} or None
    if isinstance(established, list) and established and all(isinstance(one, Mapping) for one in established):
        rows = [_row_otherwise(one, given if isinstance(given, list) else []) for one in established]
        return [one for one in rows if one is not None] or None
    return None if _plain(established) == _plain(given) else established


def _row_otherwise(row: Mapping[str, Any], given: list[Any]) -> Mapping[str, Any] | None:
    (first, name), *_ = row.items()
    named = [one if isinstance(one, Mapping) else {first: one} for one in given]
    alike = [one for one in named if _plain(one.get(first)) == _plain(name)]
    left = (read_otherwise(row, one) for one in alike)
    best = min(left, key=lambda one: len(one or ()), default=row)
    return {first: name, **best} if best else None


def _plain(value: Any) -> Any:
    """A value in one spelling, to compare by."""
    if isinstance(value, Mapping):
        words = f"{value.get('value-string', value.get('val', ''))} {value.get('units', '')}"
        return " ".join(words.casefold().split())
    if isinstance(value, list):
        return sorted(_plain(one) for one in value)
    return " ".join(str(value).casefold().split())


@frozen
class _Words:
    """How rows are called and choices said."""

    keys: Mapping[str, str]
    labels: Mapping[str, str]

    def of(self, name: str, value: Any) -> list[str]:
        """A value with its name; the rows of a table one by one."""
        if name == "rules" and isinstance(value, list):
            return [f"rule: {row.get('rule', '')}" for row in value]
        if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
            return [self._row(one, self.keys.get(name, "")) for one in value]
        return [f"{_label(name)}: {said}"] if (said := self._said(value)) else []

    def _row(self, row: Mapping[str, Any], key: str) -> str:
        keys = [name for name in key.split("+") if row.get(name)] or list(row)[:1]
        keys = keys if keys[:2] == ["from", "to"] else keys[:1]
        called = " to ".join(self._said(row[name]) for name in keys)
        rest = [words for name, value in row.items() if name not in keys for words in self._told(name, value, called)]
        return f"{called}: {', '.join(rest)}" if rest else called

    def _told(self, name: str, value: Any, called: str) -> list[str]:
        """A field of a row, named where its value alone would not say what it is."""
        if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
            inner = [self._row(one, self.keys.get(name, "")).replace(": ", " ", 1) for one in value]
            return [f"{'' if name in _PLAIN else _label(name) + ' '}({'; '.join(inner)})"]
        said = self._said(value)
        if not said or slug(said) == slug(called):
            return []
        return [said if name in _PLAIN else f"{_label(name)} {said}"]

    def _said(self, value: Any) -> str:
        if isinstance(value, Mapping):
            if "value-string" in value:
                words, units = str(value["value-string"]), str(value.get("units", ""))
                return words if not units or _has_unit(words, units) else f"{words} {units}"
            return ", ".join(f"{_label(name)} {said}" for name, inner in value.items() if (said := self._said(inner)))
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return ", ".join(self._said(one) for one in value)
        return self.labels.get(str(value), str(value)) if value is not None else ""


_PLAIN = frozenset({"duration", "durations", "resources", "product", "quantity", "days"})
"""Fields whose values say themselves what they are."""


def _has_unit(words: str, units: str) -> bool:
    """Whether ``words`` end with the unit already, maybe in another spelling."""
    return words.rstrip().casefold().endswith(units.casefold()) or _unit(words) == _unit(units) != ""


def _unit(words: str) -> str:
    """The unit at the end of ``words``, in one spelling; empty where there is none."""
    last = re.search(r"[^\W\d]+$", words.strip())
    return unit_of(last[0]) if last else ""


def _label(name: str) -> str:
    return name.replace("-", " ").rstrip("?")
