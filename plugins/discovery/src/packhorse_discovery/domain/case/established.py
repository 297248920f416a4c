"""A pursuit as the aggregate reads it: values with where they came from."""

from collections.abc import Mapping
from typing import Any, cast

from attrs import evolve, frozen

from packhorse_discovery.domain.case import quantities
from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import (
    Fact,
)
from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.schema.eads import Eads, Path, path_from, slug, written


@frozen
class Established:
    """One schema with what its pursuit has filled in."""

    eads: Eads
    structure: Structure
    topic: str = ""

    @property
    def id(self) -> str:
        """The schema's id, with the topic."""
        return f"{self.eads.id}--{slug(self.topic)}" if self.topic else self.eads.id

    @property
    def carried(self) -> str:
        """What the mark of a value says that was carried over from here into another schema."""
        return f"as told in {self.id}"

    def names(self) -> list[str]:
        """What its rows are called."""
        keys = [path for path in self.structure.marks if self.eads.is_key(path_from(path))]
        return [value for path in keys if isinstance(value := self.structure.get(path), str)]

    def fact(self, path: Path, value: Any, assumption: str = "") -> Fact[Any]:
        """``value`` with the provenance of what stands at ``path``."""
        mark = self.structure.marks.get(written(path))
        if mark is not None and mark.confidence < 0.9 and not assumption:
            assumption = "concluded from the wording" if mark.source == "inferred" else "read from running text"
        return Fact(
            value,
            mark.question_id if mark else None,
            self.eads.id,
            written(path),
            assumption,
            mark.said if mark else "",
        )

    def get(self, *path: str) -> Fact[Any] | None:
        """The value at a path, as a fact; None where there is none."""
        value = self.structure.get(path)
        return None if value is None or value in ("", "none") else self.fact(path, value)

    def words(self, *path: str) -> Fact[str] | None:
        """The same, as text."""
        found = self.get(*path)
        return None if found is None else evolve(found, value=str(found.value))

    def quantity(self, *path: str) -> Fact[Quantity] | None:
        """The quantity at a path, read."""
        found = self.get(*path)
        if found is None:
            return None
        raw = found.value
        text, units = (raw.get("value-string", ""), raw.get("units", "")) if isinstance(raw, Mapping) else (raw, "")
        return evolve(found, value=quantities.parse(str(text), str(units)))

    def number(self, *path: str) -> Fact[float] | None:
        """The number at a path."""
        found = self.get(*path)
        return evolve(found, value=float(found.value)) if found and isinstance(found.value, int | float) else None

    def many(self, *path: str) -> tuple[Fact[str], ...]:
        """The list at a path, an item a fact."""
        found = self.get(*path)
        items = found.value if found and isinstance(found.value, list) else []
        names = [str(one.get("item-id", "")) if isinstance(one, Mapping) else str(one) for one in items]
        return tuple(evolve(cast("Fact[Any]", found), value=name) for name in names if name)

    def rows(self, *table: str) -> "list[Row]":
        """The rows of a list."""
        node = self.structure.get(table)
        return [Row(self, (*table, key)) for key in node] if isinstance(node, Mapping) else []


@frozen
class Row:
    """One row of a list of a pursuit; its values by the names of its columns."""

    of: Established
    path: Path

    @property
    def id(self) -> str:
        """What it is found by."""
        return self.path[-1]

    def called(self, key: str) -> Fact[str]:
        """Its name; its id where it has none."""
        return self.words(key) or self.of.fact(self.path, self.id)

    def get(self, name: str) -> Fact[Any] | None:
        """The value in a column."""
        return self.of.get(*self.path, name)

    def words(self, name: str) -> Fact[str] | None:
        """The same, as text."""
        return self.of.words(*self.path, name)

    def quantity(self, name: str) -> Fact[Quantity] | None:
        """The quantity in a column, read."""
        return self.of.quantity(*self.path, name)

    def number(self, name: str) -> Fact[float] | None:
        """The number in a column."""
        return self.of.number(*self.path, name)

    def many(self, name: str) -> tuple[Fact[str], ...]:
        """The list in a column, an item a fact."""
        return self.of.many(*self.path, name)

    def rows(self, name: str) -> "list[Row]":
        """The rows of a list inside it."""
        return self.of.rows(*self.path, name)


def rows_of(by_id: Mapping[str, Established], eads_id: str, table: str) -> list[Row]:
    """The rows of a list of one schema; none where it was not pursued."""
    return by_id[eads_id].rows(table) if eads_id in by_id else []
