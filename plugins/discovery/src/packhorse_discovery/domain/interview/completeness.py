"""How much of a schema has been answered, required value by required value."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from packhorse_discovery.domain.interview.structure import State, Structure
from packhorse_discovery.domain.schema.eads import ANY_DATE, Block, Eads, Field, Path, is_moment, path_from, written

WORTH: Mapping[State, float] = {
    "answered": 1.0,
    "not_applicable": 1.0,
    "varies": 1.0,
    "unknown": 0.5,
    "deferred": 0.0,
    "cleared": 0.0,
}
"""What each state counts towards completeness: "I don't know" is half an answer, "later" none."""


@frozen
class Slot:
    """A required value: where, for which field, and how it stands (None: never answered)."""

    path: str
    field: Field
    state: State | None

    @property
    def worth(self) -> float:
        """What it counts, from 0 to 1."""
        return WORTH[self.state] if self.state else 0.0


@frozen
class Standing:
    """Where a structure stands against its schema."""

    slots: tuple[Slot, ...]

    @property
    def completeness(self) -> float:
        """From 0 to 1, each required value alike; 1 where nothing is required."""
        if not self.slots:
            return 1.0
        return round(sum(slot.worth for slot in self.slots) / len(self.slots), 4)

    @property
    def completed(self) -> tuple[str, ...]:
        """Paths of the values that need nothing more."""
        return tuple(slot.path for slot in self.slots if slot.worth == 1.0)

    @property
    def remaining(self) -> tuple[str, ...]:
        """Paths of the required values still open, "unknown" and "later" among them."""
        return tuple(slot.path for slot in self.slots if slot.worth < 1.0)


def standing(eads: Eads, structure: Structure) -> Standing:
    """Every required value of ``eads`` in ``structure``; a list without rows counts once for each column."""
    return Standing(tuple(slot for block in eads.blocks for slot in slots(block, eads, structure)))


def slots(block: Block, eads: Eads, structure: Structure) -> Iterator[Slot]:
    """The required values of one block."""
    wanted = [one for one in block.fields if one.required and one.mode in {"ask", "infer"}]
    table = eads.field(block.path) if block.path else None
    if table is None:
        for one in wanted:
            if applies(one, eads, structure, ()):
                yield _slot(one.path, one, structure)
        return
    if not applies(table, eads, structure, ()):
        return
    rows = structure.rows(block.path)
    if not table.required:
        yield from _of_rows(rows, wanted, eads, structure)
        return
    outer = structure.rows(block.parents[-1][0]) if block.parents else [()]
    bare = [row for row in outer if not any(one[: len(row)] == row for one in rows)]
    for parent in bare:
        path = (*parent, *block.path[len(parent) :])
        state = structure.state(written(path))
        for one in wanted:
            yield Slot(written((*path, "*", *one.path[len(block.path) + 1 :])), one, state)
    if not outer:
        for one in wanted:
            yield Slot(written(one.path), one, structure.state(written(block.path)))
    yield from _of_rows(rows, wanted, eads, structure)


def _of_rows(rows: Sequence[Path], wanted: Sequence[Field], eads: Eads, structure: Structure) -> Iterator[Slot]:
    """The required values of the rows that are there; a list that may be left out has to be whole where it is not."""
    for row in rows:
        for one in wanted:
            if applies(one, eads, structure, row):
                yield _slot((*row, *one.path[len(row) :]), one, structure)


def applies(field: Field, eads: Eads, structure: Structure, row: Path) -> bool:
    """Whether the condition of ``field`` holds, in its own row or at the top; one not yet answered does not hold."""
    if not field.when:
        return True
    if field.when == ANY_DATE:
        return any(_names_date(path, eads, structure) for path in structure.marks)
    if field.when.startswith("!"):
        return not any(structure.get((*row, name)) for name in field.when[1:].split("|"))
    name, equals, wanted = field.when.partition("=")
    value = structure.get((*row, name)) if row else None
    if value is None:
        value = structure.get((name,))
    return str(value).casefold() == wanted.strip().casefold() if equals else bool(value)


def _names_date(path: str, eads: Eads, structure: Structure) -> bool:
    """Whether a date or weekdays stand at ``path``, or a date that waits for the start; no time from the start does."""
    field, value = eads.field_at(path_from(path)), structure.get(path)
    if field is None or field.name == "origin":
        return False
    waits = field.dated and structure.state(path) == "deferred"
    return waits or (field.weekdays and bool(value)) or (field.dated and is_moment(value))


def _slot(path: Path, field: Field, structure: Structure) -> Slot:
    text = written(path)
    return Slot(text, field, structure.state(text))
