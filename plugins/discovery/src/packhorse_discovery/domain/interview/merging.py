"""From proposals to patches: what is new, what repeats, what contradicts.

Whoever answers a question again replaces what that answer gave. In other
answers lists grow, and keep their order; a single value is replaced by a newer
one of the same person; one that somebody else gave is kept until the two are
resolved. In both cases the mark holds the other value: a contradiction lasts
as long as it does.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from attrs import evolve, frozen

from packhorse_discovery.domain.case import quantities
from packhorse_discovery.domain.case.quantity import MINUTES, Quantity
from packhorse_discovery.domain.case.units import factor
from packhorse_discovery.domain.interview.naming import same_row
from packhorse_discovery.domain.interview.structure import SAID, Mark, Patch, State, Structure
from packhorse_discovery.domain.schema.eads import Eads, Path, path_from, written

_MOMENT = re.compile(r"^(?=.)(\d{4}-\d{2}-\d{2})?[T ]?(\d{2}:\d{2})?(?::00)?$")
"""A date, a time of day or both."""


@frozen
class Proposal:
    """A value read from an answer: for which path, how sure, and the words it was read from."""

    path: str
    value: Any = None
    state: State = "answered"
    confidence: float = 1.0
    said: str = ""
    basis: Literal["said", "derived", "quoted", "table"] = "said"


def merge(
    structure: Structure,
    proposals: Iterable[Proposal],
    eads: Eads,
    *,
    mark: Mark,
    correcting: bool = False,
) -> tuple[Structure, list[Patch]]:
    """The structure with ``proposals`` in it, and the patches made.

    The same proposals twice change nothing the second time.
    """
    patches: list[Patch] = []
    for proposal in proposals:
        for one in (*_rows_for(structure, proposal, eads), proposal):
            own = evolve(mark, state=one.state, confidence=one.confidence, said=one.said[:SAID], basis=one.basis)
            made = _patch(structure, one, eads, own, correcting=correcting)
            if made:
                structure = structure.apply(made)
                patches.append(made)
    return structure, patches


def distinct(proposals: Iterable[Proposal]) -> tuple[list[Proposal], list[tuple[Proposal, Proposal]]]:
    """The proposals of one answer, one for each path; and the pairs that differ in what they say of one path."""
    first: dict[str, Proposal] = {}
    clashes: dict[str, tuple[Proposal, Proposal]] = {}
    for one in proposals:
        other = first.setdefault(one.path, one)
        if other.state != one.state or not same(other.value, one.value):
            clashes.setdefault(one.path, (other, one))
    return [one for path, one in first.items() if path not in clashes], list(clashes.values())


def denied(proposals: Iterable[Proposal], structure: Structure, eads: Eads) -> list[Proposal]:
    """The proposals that say of a list that it has no rows, though it has some."""
    said = [one for one in proposals if one.value is None and one.state == "answered"]
    return [one for one in said if structure.rows(path_from(one.path)) and _is_table(eads, one.path)]


def _is_table(eads: Eads, path: str) -> bool:
    field = eads.field_at(path_from(path))
    return field is not None and field.kind == "table"


def _rows_for(structure: Structure, proposal: Proposal, eads: Eads) -> Iterable[Proposal]:
    """The key of a row that is mentioned for the first time, so that every row has its name."""
    path = path_from(proposal.path)
    template = eads.template(path)
    for place, part in enumerate(template):
        if part != "*":
            continue
        table = eads.field(template[:place])
        key_path = (*path[: place + 1], (table.key if table else None) or "name")
        if "+" not in key_path[-1] and structure.get(key_path) is None and key_path != path:
            yield Proposal(written(key_path), path[place].replace("-", " "))


def _patch(structure: Structure, proposal: Proposal, eads: Eads, mark: Mark, *, correcting: bool) -> Patch | None:
    if proposal.value is None and proposal.state == "answered":
        proposal, mark = evolve(proposal, state="not_applicable"), evolve(mark, state="not_applicable")
    old, old_mark = structure.get(proposal.path), structure.marks.get(proposal.path)
    if proposal.state != "answered":
        if (old_mark is not None and old_mark.state == proposal.state) or (old is not None and not correcting):
            return None  # "I don't know" takes nothing back
        return Patch(proposal.path, "state" if old is None else "set", None, mark, old, old_mark)
    again = old_mark is not None and (old_mark.question_id, old_mark.by) == (mark.question_id, mark.by)
    field = eads.field_at(path_from(proposal.path))
    new = proposal.value
    grows = field is not None and field.kind in {"list", "choices"} and new != []  # an empty one says that none is
    if grows and isinstance(old, list) and not (correcting or again):
        known = {_plain(item) for item in old}
        added = [item for item in new if _plain(item) not in known] if isinstance(new, list) else []
        return Patch(proposal.path, "set", [*old, *added], mark, old, old_mark) if added else None
    if old is None or old_mark is None:
        return Patch(proposal.path, "set", new, mark, old, old_mark)
    if same(old, new) and (not correcting or old_mark.rival is None):
        return None
    if correcting or again:
        return Patch(proposal.path, "set", new, mark, old, old_mark)
    if field is not None and table_key(eads, proposal.path):
        return None  # another spelling of a row's own name
    return _differing(proposal.path, (old, old_mark), (new, mark))


def _differing(path: str, before: tuple[Any, Mark], after: tuple[Any, Mark]) -> Patch | None:
    """Two answers that differ: a range they make together, the wider of two, or a contradiction."""
    (old, old_mark), (new, mark) = before, after
    bounds = _bounds(old, new)
    if bounds is not None and not bounds.inverted:
        both = {"value-string": bounds.text, "units": f"{bounds.unit}s"}
        return Patch(path, "set", both, mark, old, old_mark)
    if bounds is None and (wider := _wider(old, new)) is not None:
        return None if wider is old else Patch(path, "set", new, mark, old, old_mark)
    if (finer := _finer(old, new)) is not None:
        return None if finer is old else Patch(path, "set", new, mark, old, old_mark)
    if "inferred" in {old_mark.source, mark.source}:
        return None if mark.source == "inferred" else Patch(path, "set", new, mark, old, old_mark)
    kind = "range-inverted" if bounds is not None else "unit-differs" if _units_clash(old, new) else "value-differs"
    if old_mark.by == mark.by and bounds is None:
        rival = {"value": old, "question_id": old_mark.question_id, "kind": kind, "kept": "after"}
        return Patch(path, "set", new, evolve(mark, rival=rival), old, old_mark)
    rival = {"value": new, "question_id": mark.question_id, "kind": kind, "kept": "before"}
    if old_mark.rival is not None and same(old_mark.rival["value"], new):
        return None
    return Patch(path, "state", old, evolve(old_mark, rival=rival), old, old_mark)


def aligned(path: str, structure: Structure, eads: Eads) -> str:
    """``path`` with its rows called as ``structure`` calls them, where they mean the same: "curing" is "cure" then."""
    named = list(path_from(path))
    for place, part in enumerate(eads.template(tuple(named))):
        if part == "*":
            known = {row[-1]: _label(structure, row, eads) for row in _beside(structure, tuple(named[:place]))}
            named[place] = same_row(named[place].replace("-", " "), known) or named[place]
    return written(tuple(named))


def _beside(structure: Structure, table: Path) -> list[Path]:
    node = structure.get(table)
    return [(*table, row) for row in node] if isinstance(node, Mapping) else []


def _label(structure: Structure, row: Path, eads: Eads) -> str:
    """What a row is called: the values of its key, or its id."""
    table = eads.field_at(row[:-1])
    keys = (table.key if table and table.key else "name").split("+")
    words = [str(value) for key in keys if isinstance(value := structure.get((*row, key)), str | int)]
    return " ".join(words) or row[-1].replace("-", " ")


def table_key(eads: Eads, path: str) -> bool:
    """Whether ``path`` is the key of a list's row."""
    template = eads.template(path_from(path))
    if len(template) < 2 or template[-2] != "*":
        return False
    table = eads.field(template[:-2])
    return table is not None and template[-1] in (table.key or "").split("+")


def same(one: Any, other: Any) -> bool:
    """Whether two values say the same: quantities by what they mean, texts without case and space."""
    if isinstance(one, dict) and isinstance(other, dict) and "value-string" in one and "value-string" in other:
        first, second = (quantities.parse(str(q["value-string"]), str(q.get("units", ""))) for q in (one, other))
        into = factor(second.unit, first.unit)
        if first.low is None or into is None:
            return bool(_plain(one) == _plain(other))
        second = second.scaled(into)
        return _near(first.low, second.low) and _near(first.high, second.high)
    if isinstance(one, str) and isinstance(other, str) and _span(one) is not None and _span(one) == _span(other):
        return True  # "2 days", "48 hours"
    return bool(_plain(one) == _plain(other))


def _span(words: str) -> float | None:
    """The minutes of a text that is nothing but a span of time."""
    found = quantities.parse(words)
    bare = re.fullmatch(r"\s*[\d.]+\s*[a-z]+\s*", words, re.IGNORECASE)
    return found.low * MINUTES[found.unit] if bare and found.low is not None and found.unit in MINUTES else None


def _near(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= 1e-9 * max(1.0, abs(one), abs(other))


def _bounds(old: Any, new: Any) -> Quantity | None:
    """The range that "at least 3 hours" and "at most 5 hours" make together; None where they are no such pair."""
    if not (isinstance(old, dict) and isinstance(new, dict) and "value-string" in old and "value-string" in new):
        return None
    pair = [quantities.parse(str(q["value-string"]), str(q.get("units", ""))) for q in (old, new)]
    lower = next((one for one in pair if one.low is not None and one.high is None), None)
    upper = next((one for one in pair if one.high is not None and one.low is None), None)
    into = factor(lower.unit, upper.unit) if lower is not None and upper is not None else None
    if lower is None or upper is None or into is None or lower.low is None or upper.high is None:
        return None
    low, high = lower.low * into, upper.high
    return Quantity(f"{low:g}-{high:g}", min(low, high), max(low, high), unit=upper.unit, inverted=low > high)


def _wider(old: Any, new: Any) -> Any | None:
    """Of two quantities the range that contains the other: 25 minutes is one of 20 to 30; None where neither does."""
    if not (isinstance(old, dict) and isinstance(new, dict) and "value-string" in old and "value-string" in new):
        return None
    first, second = (quantities.parse(str(q["value-string"]), str(q.get("units", ""))) for q in (old, new))
    into = factor(second.unit, first.unit)
    if into is None or None in (first.low, first.high, second.low, second.high) or first.per != second.per:
        return None
    second = second.scaled(into)
    low, high, its_low, its_high = (end or 0.0 for end in (first.low, first.high, second.low, second.high))
    if low <= its_low and its_high <= high:
        return old
    return new if its_low <= low and high <= its_high else None


def _finer(old: Any, new: Any) -> Any | None:
    """Of two moments the one that has the date and the time, where the other is its date or its time alone."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return None
    parts = {one: match.groups() for one in (old, new) if (match := _MOMENT.match(one.strip()))}
    if len(parts) < 2:
        return None
    whole, part = (old, new) if all(parts[old]) else (new, old)
    if not all(parts[whole]) or all(parts[part]):
        return None
    return whole if all(mine in (None, its) for mine, its in zip(parts[part], parts[whole], strict=True)) else None


def _units_clash(one: Any, other: Any) -> bool:
    if not (isinstance(one, dict) and isinstance(other, dict) and "value-string" in one and "value-string" in other):
        return False
    first, second = (quantities.parse(str(q["value-string"]), str(q.get("units", ""))) for q in (one, other))
    return bool(first.unit and second.unit and factor(first.unit, second.unit) is None)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.casefold().replace("-", " ").split())
    if isinstance(value, dict):
        return tuple(sorted((key, _plain(inner)) for key, inner in value.items()))
    if isinstance(value, list):
        return tuple(_plain(item) for item in value)
    return value
