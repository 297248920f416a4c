"""From proposals to patches: what is new, what repeats, what contradicts.

Lists grow, and keep their order; a single value is replaced by a newer one of
the same person, and both stand in the report; one that somebody else gave is
kept until the two are resolved.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from packhorse_discovery.domain import quantities
from packhorse_discovery.domain.binding import row_for
from packhorse_discovery.domain.eads import Eads, path_from, written
from packhorse_discovery.domain.quantity import MINUTES, Quantity
from packhorse_discovery.domain.structure import SAID, Mark, Patch, State, Structure
from packhorse_discovery.domain.units import factor


@frozen
class Proposal:
    """A value read from an answer: for which path, how sure, and the words it was read from."""

    path: str
    value: Any = None
    state: State = "answered"
    confidence: float = 1.0
    said: str = ""


@frozen
class Contradiction:
    """Two values for one path: what stood there (or the other reading), and what came."""

    path: str
    before: Any
    after: Any
    before_question: str | None
    after_question: str | None
    kept: str
    kind: str = "value-differs"


def merge(
    structure: Structure,
    proposals: Iterable[Proposal],
    eads: Eads,
    *,
    mark: Mark,
    correcting: bool = False,
) -> tuple[Structure, list[Patch], list[Contradiction]]:
    """The structure with ``proposals`` in it, the patches made, and the contradictions met.

    The same proposals twice change nothing the second time.
    """
    patches: list[Patch] = []
    clashes: list[Contradiction] = []
    for proposal in proposals:
        for one in (*_rows_for(structure, proposal, eads), proposal):
            own = evolve(mark, state=one.state, confidence=one.confidence, said=one.said[:SAID])
            made, clash = _patch(structure, one, eads, own, correcting=correcting)
            if clash:
                clashes.append(clash)
            if made:
                structure = structure.apply(made)
                patches.append(made)
    return structure, patches, clashes


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


def _patch(
    structure: Structure, proposal: Proposal, eads: Eads, mark: Mark, *, correcting: bool
) -> tuple[Patch | None, Contradiction | None]:
    if proposal.value is None and proposal.state == "answered":
        proposal, mark = evolve(proposal, state="not_applicable"), evolve(mark, state="not_applicable")
    old, old_mark = structure.get(proposal.path), structure.marks.get(proposal.path)
    if proposal.state != "answered":
        if old_mark is not None and old_mark.state == proposal.state:
            return None, None
        if old is not None and not correcting:
            return None, None  # "I don't know" takes nothing back
        return Patch(proposal.path, "state", old, mark, old, old_mark), None
    field = eads.field_at(path_from(proposal.path))
    new = proposal.value
    if field is not None and field.kind in {"list", "choices"} and isinstance(old, list) and not correcting:
        known = {_plain(item) for item in old}
        added = [item for item in new if _plain(item) not in known] if isinstance(new, list) else []
        new = [*old, *added]
        return (Patch(proposal.path, "set", new, mark, old, old_mark), None) if added else (None, None)
    if old is None or old_mark is None:
        return Patch(proposal.path, "set", new, mark, old, old_mark), None
    if same(old, new):
        return None, None
    if field is not None and table_key(eads, proposal.path) and _plain(old) != _plain(new) and not correcting:
        return None, None  # another spelling of a row's own name
    bounds = None if correcting else _bounds(old, new)
    if bounds is not None and bounds.inverted:
        wrong = Contradiction(
            proposal.path, old, new, old_mark.question_id, mark.question_id, "before", "range-inverted"
        )
        return None, wrong
    if bounds is not None:
        both = {"value-string": bounds.text, "units": f"{bounds.unit}s"}
        return Patch(proposal.path, "set", both, mark, old, old_mark), None
    if not correcting and (wider := _wider(old, new)) is not None:
        return (None, None) if wider is old else (Patch(proposal.path, "set", new, mark, old, old_mark), None)
    stated = old_mark.source in {"user", "assistant"} and mark.source in {"user", "assistant"}
    if not stated or correcting:
        weaker = mark.source == "inferred" and old_mark.source != "inferred" and not correcting
        return (None, None) if weaker else (Patch(proposal.path, "set", new, mark, old, old_mark), None)
    mine = old_mark.by == mark.by
    clash = Contradiction(
        proposal.path,
        old,
        new,
        old_mark.question_id,
        mark.question_id,
        "after" if mine else "before",
        "unit-differs" if _units_clash(old, new) else "value-differs",
    )
    return (Patch(proposal.path, "set", new, mark, old, old_mark) if mine else None), clash


def aligned(flat: Sequence[tuple[str, Any]], eads: Eads, known: Mapping[str, Proposal]) -> list[tuple[str, Any]]:
    """``flat`` with its rows named as ``known`` names them, where they mean the same: "curing" is "cure" then."""
    names: dict[tuple[str, ...], dict[str, str]] = {}
    for path in known:
        parts = path_from(path)
        for place, part in enumerate(eads.template(parts)):
            if part == "*":
                names.setdefault(parts[:place], {})[parts[place]] = parts[place].replace("-", " ")
    found = []
    for path, value in flat:
        named = list(path_from(path))
        for place, part in enumerate(eads.template(tuple(named))):
            rows = names.get(tuple(named[:place]), {}) if part == "*" else {}
            if rows and named[place] not in rows:
                named[place] = row_for(named[place].replace("-", " "), rows) or named[place]
        found.append((written(tuple(named)), value))
    return found


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
