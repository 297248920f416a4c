"""From an answer's text to proposals, without a language model."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from packhorse_discovery.domain import binding, coercion, inference, moments, quantities, segments
from packhorse_discovery.domain.around import NOTHING_AROUND, Around
from packhorse_discovery.domain.cells import coerced, proposal, row_at
from packhorse_discovery.domain.completeness import slots
from packhorse_discovery.domain.eads import Block, Eads, Field, path_from, written
from packhorse_discovery.domain.forms import by_the_way, from_form
from packhorse_discovery.domain.lists import from_list
from packhorse_discovery.domain.merging import Proposal
from packhorse_discovery.domain.questions import Question
from packhorse_discovery.domain.structure import State, Structure

SHORT = 120
"""An answer up to this many characters may be a non-answer ("we'd have to check") as a whole."""


@frozen
class Reading:
    """What was read: the proposals, and whether the answer addressed the question at all."""

    proposals: tuple[Proposal, ...] = ()
    responsive: bool = True
    declared: State | None = None


def read(question: Question, text: str, eads: Eads, structure: Structure, around: Around = NOTHING_AROUND) -> Reading:
    """Proposals for the values that ``question`` asked about, and for any others that its tables hold.

    ``around`` is what was established elsewhere: what "one of each" is one of.
    """
    proposals = list(_proposals(question, text, eads, structure, around))
    found = tuple(_unique(_named_by_product(proposals, eads, structure)))
    if found:
        return Reading(found)
    declared = coercion.state_of(text) if len(text.strip()) <= SHORT else None
    if (
        declared is None
        and question.finer == "names"
        and len(text.strip()) <= SHORT
        and coercion.yes_or_no(text) is False
    ):
        declared = "not_applicable"  # "which changeovers are there?" - "no, nothing worth counting"
    if declared is not None:
        states = tuple(Proposal(path, state=declared, said=text) for path in _open_paths(question, eads, structure))
        return Reading(states, declared=declared)
    return Reading(responsive=False)


def _proposals(question: Question, text: str, eads: Eads, structure: Structure, around: Around) -> Iterator[Proposal]:
    blocks = _blocks(question, eads)
    in_tables = list(_from_tables(text, question, blocks, eads, structure, around))
    yield from in_tables
    lists = [block for block in blocks if block.path]
    if not in_tables and lists and question.finer in {"opening", "names", "table"}:
        yield from from_list(text, lists[0], structure, around)
    values = [one for path in question.paths if (one := eads.field(path_from(path))) and not one.table]
    if question.finer == "opening":
        yield from _from_opening(text, values)
    elif question.finer == "form":
        yield from from_form(text, values)
    elif values:
        read_value = coerced(values[0], segments.plain(text) if values[0].kind != "list" else text)
        if read_value is not None:
            yield proposal(values[0].path, read_value, text)
    yield from _by_the_way(question, text, values, eads, structure)
    infers = [one for block in eads.blocks for one in block.fields if one.mode == "infer" and not one.table]
    for one in infers:
        if one not in values and structure.state(written(one.path)) is None:
            value = inference.infer(one, segments.plain(text))
            if value is not None:
                yield Proposal(written(one.path), value, confidence=0.6, said=text)


def _by_the_way(
    question: Question, text: str, values: Sequence[Field], eads: Eads, structure: Structure
) -> Iterator[Proposal]:
    """Single values that an answer to another question gives as well."""
    for one in eads.leaves:
        if one.kind != "choice" or one.table or one in values or one.mode == "infer":
            continue
        if (named := coercion.chosen_by_the_way(one.choices, text)) is not None:
            yield Proposal(written(one.path), named, confidence=0.7, said=text)
    if question.finer == "choice":
        for one in eads.leaves:
            wanted = one.kind == "yesno" and not one.table and one not in values
            if wanted and structure.state(written(one.path)) is None and (also := by_the_way(one, text)) is not None:
                yield proposal(one.path, also, text)


def _blocks(question: Question, eads: Eads) -> list[Block]:
    """The question's own block first; the others may be answered by the way, in a table."""
    own = [block for block in eads.blocks if block.path == question.block and block.path]
    return [*own, *(block for block in eads.blocks if block.path and block not in own)]


def _from_tables(
    text: str, question: Question, blocks: Sequence[Block], eads: Eads, structure: Structure, around: Around
) -> Iterator[Proposal]:
    now = moments.now_in(segments.prose(text)) or around.now
    for table in segments.tables(text):
        best: tuple[int, Block, dict[int, Field]] | None = None
        for block in blocks:
            bound = binding.columns(block, table.headers, binding.parents(block, table.headers))
            bound = _unnumbered(table, block, bound)
            bound |= _by_content(table, block, bound)
            if best is None or len(bound) > best[0]:
                best = (len(bound), block, bound)
        if best is None:
            continue
        _, block, bound = best
        if len(bound) < 2 and question.block != block.path:
            continue
        yield from _from_rows(table, block, bound, structure, now)


def _by_content(table: segments.Table, block: Block, bound: Mapping[int, Field]) -> dict[int, Field]:
    """The columns that no heading explains, by what stands in them.

    Spans of time are durations, or due times where there are no durations; of
    two kinds of words the ones beside the names are what a step is done on;
    the one column of whole numbers ("Cases", "Frames") is how many are
    ordered.
    """
    fields = {one.name: one for one in block.fields if one not in bound.values()}
    free = [place for place in range(len(table.headers)) if place not in bound]
    found: dict[int, Field] = {}

    def bind(name: str, places: list[int]) -> None:
        if name in fields and len(places) == 1:
            found[places[0]] = fields[name]
            free.remove(places[0])

    cells = {place: [row[place].strip() for row in table.rows if row[place].strip()] for place in free}
    numbered = [place for place in free if cells[place] == [str(number + 1) for number in range(len(table.rows))]]
    headed = {place: coercion.unit_in_header(table.headers[place]) for place in free}
    spans = [
        place
        for place in free
        if cells[place] and all(_is_span(cell) or _is_span(f"{cell} {headed[place]}") for cell in cells[place])
    ]
    bind("duration" if "duration" in fields else "due", spans)
    bind("due", [place for place in free if cells[place] and all(moments.find(cell) for cell in cells[place])])
    whole = [place for place in free if cells[place] and all(re.fullmatch(r"\d{1,5}", cell) for cell in cells[place])]
    counted = [place for place in whole if place not in numbered or place > 0]
    bind("count" if "count" in fields else "quantity", counted)
    if "duration" in {one.name for one in block.fields}:
        words = [place for place in free if cells[place] and not any(re.search(r"\d", cell) for cell in cells[place])]
        bind("resources", [place for place in words if max(len(cell.split()) for cell in cells[place]) <= 5])
    return found


def _unnumbered(table: segments.Table, block: Block, bound: Mapping[int, Field]) -> dict[int, Field]:
    """The columns, where the one taken for the names only counts the rows and one other column is of words."""
    key = next((place for place, one in bound.items() if one.name == block.key), None)
    if key is None or not all(
        re.fullmatch(
            r"\W*(?:(?:step|op|"
            r"no)\W*)?\d{1,4}\W*",
            row[key].strip(),
            re.IGNORECASE,
        )
        for row in table.rows
    ):
        return dict(bound)
    words = [
        place
        for place in range(len(table.headers))
        if place not in bound and all(re.search(r"[a-z]{2}", row[place], re.IGNORECASE) for row in table.rows)
    ]
    if len(words) != 1:
        return dict(bound)
    return {words[0]: bound[key], **{place: one for place, one in bound.items() if place != key}}


def _is_span(cell: str) -> bool:
    duration = quantities.first_duration(cell)
    return duration is not None and duration.low is not None and not moments.find(cell)


def _from_rows(
    table: segments.Table, block: Block, bound: Mapping[int, Field], structure: Structure, now: moments.Moment | None
) -> Iterator[Proposal]:
    key_columns = [place for key in block.keys for place, one in bound.items() if one.name == key] or [0]
    if len(key_columns) < len(block.keys):
        return
    parent_columns = binding.parents(block, table.headers)
    free = [place for place in range(len(table.headers)) if place not in bound]
    parent_columns = parent_columns or free[: len(block.parents)]
    for cells in table.rows:
        name = " ".join(coercion.name_of(cells[place]) for place in key_columns)
        parents = [cells[place] for place in parent_columns]
        if coercion.state_of(name) == "not_applicable" and parents and (row := row_at(name, block, structure, parents)):
            yield Proposal(written(row[:-1]), said=" ".join(cells))  # "spring break: none" has no constituents
            continue
        if not name or coercion.state_of(name):
            continue
        row = row_at(name, block, structure, parents)
        if row is None:
            continue
        for place in key_columns:
            said, one = coercion.name_of(cells[place]), bound.get(place)
            if one is not None and structure.get((*row, one.name)) is None:
                yield Proposal(written((*row, *one.path[len(row) :])), said, said=said)
        for place, one in bound.items():
            if place in key_columns:
                continue
            words = moments.due(cells[place], now) if one.name == "due" else cells[place]
            read_value = coerced(one, words, header=table.headers[place])
            if read_value is not None:
                yield proposal((*row, *one.path[len(row) :]), read_value, cells[place])


def _from_opening(text: str, values: Sequence[Field]) -> Iterator[Proposal]:
    """What an open answer lets one conclude; a field that is the only one asked takes the words themselves."""
    flat = segments.plain(text)
    asked = [one for one in values if one.mode == "ask"]
    for one in values:
        value = inference.infer(one, flat)
        if value is not None:
            yield Proposal(written(one.path), value, confidence=0.7, said=text)
        elif asked == [one] and one.kind in {"list", "text"}:
            read_value = coerced(one, text)
            if read_value is not None:
                yield proposal(one.path, read_value, text)


def _open_paths(question: Question, eads: Eads, structure: Structure) -> list[str]:
    block = next((one for one in eads.blocks if one.path == question.block), None)
    if block is None:
        return []
    if question.finer in {"names"}:
        return [written(block.path)] if not block.parents else []
    wanted = set(question.paths)
    return [
        slot.path
        for slot in slots(block, eads, structure)
        if slot.state in {None, "deferred"} and written(slot.field.path) in wanted
    ]


def _named_by_product(proposals: list[Proposal], eads: Eads, structure: Structure) -> Iterator[Proposal]:
    """The proposals; an order that is known by no number is of what it is called, where no product was said."""
    yield from proposals
    said = {one.path for one in proposals}
    for block in eads.blocks:
        product = next((one for one in block.fields if one.name == "product" and one.kind == "text"), None)
        if product is None or block.parents or len(block.keys) != 1:
            continue
        keys = [one for one in proposals if eads.template(path_from(one.path)) == (*block.path, "*", block.keys[0])]
        for one in keys:
            row = path_from(one.path)[:-1]
            path = written((*row, *product.path[len(row) :]))
            named = isinstance(one.value, str) and not re.search(r"\d", one.value)
            if named and path not in said and structure.state(path) is None:
                yield Proposal(path, one.value, confidence=0.8, said=one.said)


def _unique(proposals: Iterator[Proposal]) -> Iterator[Proposal]:
    """The first reading of each path."""
    seen: dict[str, Any] = {}
    for one in proposals:
        if one.path not in seen:
            seen[one.path] = one
            yield one
