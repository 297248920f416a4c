"""A table with a column for each step ("job | cutting time | sewing time") as one with a row for each step."""

from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.tables import Table
from packhorse_discovery.domain.reading.words import any_of, spelled, words_of
from packhorse_discovery.domain.schema.eads import Block, Field

_UNIT = r"(?:\(?\b(?P<unit>min(?:ute)?s?|h(?:ou)?rs?|h|days?)\b\)?)?"
_HEAD = any_of(rf"^(?P<step>.*?)\s*(?P<time>\b(?:time|duration|takes|lasts)\b)?\s*{_UNIT}\s*$")
_NO_STEP = spelled(
    "min max minimum maximum least most total start end due lead cycle setup set up changeover wait waiting earliest "
    "latest run processing overall from to average typical shortest longest average of in the"
)
"""Words of a heading that says which time is meant, and of no step."""
_NONE = frozenset({"", "-", "\u2013", "\u2014", "n/a", "none"})


def by_step(table: Table, block: Block) -> tuple[Table, list[str]] | None:
    """The table of ``block`` that a wide one says, and the headings left over; None where it is no wide one.

    Its rows are called by its first column; two or more others have a step for
    their heading, and how long that takes in their cells.
    """
    steps = _step_key(block)
    if steps is None or not any(one.name == "duration" and one.kind == "quantity" for one in block.fields):
        return None
    heads = {at: head for at in range(1, len(table.headers)) if (head := _step(table, at)) is not None}
    if len(heads) < 2:
        return None
    rows = [
        (row[0], step, f"{row[at]} {unit}".strip()) if steps == "own" else (step, row[0], f"{row[at]} {unit}".strip())
        for row in table.rows
        for at, (step, unit) in heads.items()
        if row[at].strip().casefold() not in _NONE
    ]
    headers = (block.parents[0][0][-1].replace("-", " "), _key(block).label, "duration")
    left = [head for at, head in enumerate(table.headers) if at and at not in heads and any(r[at] for r in table.rows)]
    return Table(headers, tuple(rows)), left


def _key(block: Block) -> Field:
    return next(one for one in block.fields if one.name == block.key)


def _step_key(block: Block) -> str | None:
    """Which of the two names of a row within a row is the step: its own, or the one of the row around it."""
    if len(block.parents) != 1 or block.key is None:
        return None
    own = "step" in _key(block).aliases
    return "own" if own else "above" if block.parents[0][1] == "process-id" else None


def _step(table: Table, at: int) -> tuple[str, str] | None:
    """The step that a column is about, and the unit of its cells where its heading has it; None where it is of none."""
    match = _HEAD.match(table.headers[at])
    if match is None or not match["step"] or _NO_STEP & {*words_of(match["step"]).texts}:
        return None
    cells = [row[at] for row in table.rows if row[at].strip().casefold() not in _NONE]
    found = [amounts(words_of(cell)) for cell in cells]
    timed = bool(cells) and all(len(one) == 1 and (one[0].family == "time" or not one[0].unit) for one in found)
    united = all(one and one[0].family == "time" and one[0].unit for one in found)
    unit = "" if united else match["unit"] or ""
    return (match["step"], unit) if timed and (united or unit) else None
