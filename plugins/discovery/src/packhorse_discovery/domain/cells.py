"""One cell of an answer: which row it is of, and what it says as a value."""

import json
from collections.abc import Mapping, Sequence

from packhorse_discovery.domain import binding, coercion, segments
from packhorse_discovery.domain.eads import Block, Field, Path, slug, written
from packhorse_discovery.domain.merging import Proposal
from packhorse_discovery.domain.structure import Structure


def row_at(name: str, block: Block, structure: Structure, parents: Sequence[str]) -> Path | None:
    """The concrete path of the row called ``name``: one that is there, or a new one under the parent that is named."""
    outer: Path = ()
    for depth, (path, key) in enumerate(block.parents):
        base = (*outer, *path[len(outer) :])
        rows = structure.get(base)
        known = {row: str(values.get(key, row)) for row, values in rows.items()} if isinstance(rows, Mapping) else {}
        said = coercion.name_of(parents[depth]) if depth < len(parents) else ""
        if said:
            found = binding.row_for(said, known) or slug(said)
        elif len(known) == 1:
            found = next(iter(known))
        else:
            return None
        outer = (*base, found)
    base = (*outer, *block.path[len(outer) :])
    rows = structure.get(base)
    known = (
        {row: str(values.get(block.key, row)) for row, values in rows.items() if isinstance(values, Mapping)}
        if isinstance(rows, Mapping)
        else {}
    )
    return (*base, binding.row_for(name, known) or slug(name))


def coerced(field: Field, text: str, *, header: str = "") -> coercion.Coerced | None:
    """What ``text`` says about ``field``; a value of any kind may be written as JSON, a list as bullets."""
    if field.kind == "any":
        try:
            return coercion.Coerced(json.loads(text))
        except ValueError:
            return coercion.coerce(Field(field.path, "text"), text)
    if field.kind == "list" and (bulleted := segments.items(text)) and len(bulleted) >= 2:
        return coercion.Coerced([item.label for item in bulleted if item.depth == 0])
    return coercion.coerce(field, text, header=header)


def proposal(path: Path, read_value: coercion.Coerced, said: str) -> Proposal:
    """A reading as a proposal for ``path``."""
    return Proposal(written(path), read_value.value, read_value.state, read_value.confidence, said.strip())
