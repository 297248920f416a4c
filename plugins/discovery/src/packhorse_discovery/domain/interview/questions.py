"""The next question: what is missing, asked together where one table can hold it."""

from collections.abc import Sequence
from typing import Literal, cast

from attrs import evolve, frozen

from packhorse_discovery.domain.interview.completeness import Slot, applies, slots
from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.schema.eads import Block, Eads, Field, Path, path_from, written

WireKind = Literal["text", "table", "choice"]
Finer = Literal["opening", "text", "yesno", "number", "quantity", "choice", "choices", "list", "names", "table", "form"]

ATTEMPTS = 3
"""How often the same values are asked for before the interview moves on."""
SHOWN_ROWS = 40
NAMED_ROWS = 6
"""Up to how many rows are called by their names in a question."""
FIRST = 2.0
"""From this weight on, a single value is asked for alone and before the others: they depend on it."""


@frozen
class Question:
    """One question: its words, the values it is after, and what it costs.

    ``paths`` are the template paths of the fields, ``rows`` the concrete rows
    of a list that it completes. ``template`` is a Markdown table to fill in.
    ``why`` says what the answer is for.
    """

    text: str
    kind: WireKind
    finer: Finer
    block: Path
    paths: tuple[str, ...]
    rows: tuple[str, ...] = ()
    template: str = ""
    help: str = ""
    why: str = ""
    cost: float = 0.0

    @property
    def signature(self) -> str:
        """What it asks for, whatever its words: asked again, it is the same."""
        return f"{self.finer}|{written(self.block)}|{','.join(self.paths)}|{','.join(self.rows)}"


def next_question(
    eads: Eads, structure: Structure, *, asked: Sequence[str] = (), topic: str = "", cost: float | None = None
) -> Question | None:
    """What to ask now; None when every required value is answered, or was asked for often enough.

    ``asked`` holds the signatures of the questions so far. Same state, same question.
    """
    price = eads.budget.per_question if cost is None else cost
    if not asked and eads.opening and (question := _opening(eads, structure, topic, price)):
        return question
    for late in (False, True):
        best: tuple[float, Question] | None = None
        for block in eads.blocks:
            question = _for_block(block, eads, structure, topic, price, late=late)
            if question is not None and question.signature in asked:
                question = evolve(question, text=question.text.removesuffix(f" {_also(eads, question)}"))
            if question is None or asked.count(question.signature) >= ATTEMPTS:
                continue
            weight = max((one.weight for one in block.fields if written(one.path) in question.paths), default=1.0)
            if best is None or weight > best[0]:
                best = (weight, question)
        if best:
            return best[1]
    return None


def plan(eads: Eads) -> list[Question]:
    """Every question that ``eads`` would ask of somebody who answers each in full, in order: a preview."""
    empty = Structure()
    found: list[Question] = []
    if eads.opening and (opening := _opening(eads, empty, "", eads.budget.per_question)):
        found.append(opening)
    for late in (False, True):
        for block in eads.blocks:
            question = _for_block(block, eads, empty, "", eads.budget.per_question, late=late, preview=True)
            if question is not None:
                found.append(question)
            if question is not None and not block.path and (more := _rest(block, eads, question, late=late)):
                found.append(more)
    return found


def _rest(block: Block, eads: Eads, first: Question, *, late: bool) -> Question | None:
    """The question for the single values that a weighty one is asked before."""
    mode = "infer" if late else "ask"
    left = [one for one in slots(block, eads, Structure()) if one.field.mode == mode and one.path not in first.paths]
    return _for_values(block, eads, left, "", eads.budget.per_question) if left else None


def _opening(eads: Eads, structure: Structure, topic: str, cost: float) -> Question | None:
    wanted = [one for block in eads.blocks for one in block.fields if one.mode in {"ask", "infer"}]
    tables = [block for block in eads.blocks if block.path]
    return Question(
        text=eads.opening.replace("TOPIC", topic.replace("-", " ") or "this"),
        kind="text",
        finer="opening",
        block=(),
        paths=tuple(written(one.path) for one in wanted),
        template=template_for(tables[0], eads, structure, tables[0].fields, []) if tables else "",
        why=f"It opens {eads.title}: {first_sentence(eads.objective)}",
        cost=cost,
    )


def _also(eads: Eads, question: Question) -> str:
    """What a question about a list goes on to ask the first time alone."""
    table = eads.field(question.block)
    return table.also if table is not None else ""


def _for_block(
    block: Block, eads: Eads, structure: Structure, topic: str, cost: float, *, late: bool, preview: bool = False
) -> Question | None:
    mode = "infer" if late else "ask"
    open_slots = [
        slot
        for slot in slots(block, eads, structure)
        if (slot.state in {None, "cleared"} or (late and slot.state == "deferred"))
        and (slot.field.mode == mode or late)
    ]
    if preview:
        open_slots = [slot for slot in open_slots if slot.field.mode == mode]
    if not open_slots:
        return None
    if not block.path:
        return _for_values(block, eads, open_slots, topic, cost)
    return _for_list(block, eads, structure, open_slots, topic, cost)


def _for_values(block: Block, eads: Eads, open_slots: list[Slot], topic: str, cost: float) -> Question:
    first = [slot for slot in open_slots if slot.field.weight >= FIRST]
    fields = [slot.field for slot in first or open_slots]
    why = f"{eads.title} needs {_and([one.label for one in fields])}."
    if len(fields) == 1:
        one = fields[0]
        kind: WireKind = "choice" if one.kind in {"choice", "choices", "yesno"} else "text"
        finer = cast("Finer", "text" if one.kind in {"any", "table"} else one.kind)
        return Question(
            text=asking(one, topic), kind=kind, finer=finer, block=(), paths=(written(one.path),),
            help=hint(one), why=why, cost=cost,
        )  # fmt: skip
    lines = ["| item | your answer |", "| --- | --- |", *(f"| {one.label} | |" for one in fields)]
    asked = "\n".join(f"{place}. {asking(one, topic)}" for place, one in enumerate(fields, 1))
    return Question(
        text=f"A few things together; number your answers or fill in the table.\n{asked}",
        kind="table",
        finer="form",
        block=(),
        paths=tuple(written(one.path) for one in fields),
        template="\n".join(lines),
        help=" ".join(hint(one) for one in fields if hint(one)),
        why=why,
        cost=cost,
    )


def _for_list(
    block: Block, eads: Eads, structure: Structure, open_slots: list[Slot], topic: str, cost: float
) -> Question:
    table = eads.field(block.path)
    rows = structure.rows(block.path)
    columns = [one for one in block.fields if (one.mode == "ask" and one.kind != "any") or one.name in block.keys]
    noun = block.noun
    bare = any(
        "*" in path_from(slot.path)[len(slot.field.table) :][:1] or slot.path.endswith("*") for slot in open_slots
    )
    if not rows or (bare and block.parents and all("*" in slot.path.split("/") for slot in open_slots)):
        asked = table.question if table and table.question else f"Which {noun} are there? Please list them."
        asked = f"{asked} {table.also}" if table and table.also else asked
        return Question(
            text=asked.replace("TOPIC", topic.replace("-", " ") or "this"),
            kind="table",
            finer="names",
            block=block.path,
            paths=tuple(written(one.path) for one in columns),
            template=template_for(
                block, eads, structure, columns, structure.rows(block.parents[-1][0]) if block.parents else []
            ),
            help=" ".join(hint(one) for one in columns if hint(one)),
            why=f"{eads.title} is about its {noun}.",
            cost=cost,
        )
    missing_rows = list(dict.fromkeys(path_from(slot.path)[: len(block.path) + 1] for slot in open_slots))
    fields = list(dict.fromkeys(slot.field for slot in open_slots))
    optional = [
        one
        for one in block.fields
        if not one.required and one.mode == "ask" and one.kind != "any" and one not in fields
        and applies(one, eads, structure, ())
        and not any(structure.state(written((*row, *one.path[len(row) :]))) for row in missing_rows)
    ]  # fmt: skip
    asked_fields = [*fields, *optional]
    names = _and([one.label for one in asked_fields])
    return Question(
        text=f"For {_called(missing_rows, rows, noun, structure, block)}, please complete: {names}.",
        kind="table",
        finer="table",
        block=block.path,
        paths=tuple(written(one.path) for one in asked_fields),
        rows=tuple(written(row) for row in missing_rows),
        template=template_for(block, eads, structure, [*_keys(block), *asked_fields], missing_rows or rows),
        help=" ".join(hint(one) for one in asked_fields if hint(one)),
        why=f"A schedule needs {_and([one.label for one in fields])} of every one.",
        cost=cost,
    )


def _called(missing: Sequence[Path], rows: Sequence[Path], noun: str, structure: Structure, block: Block) -> str:
    """The rows that a question is about: by name where they are some of several, else all of them."""
    if len(missing) == len(rows) or len(missing) > NAMED_ROWS:
        return f"each of the {noun}"
    keyed = [(path, key.partition("+")[0]) for path, key in (*block.parents, (block.path, block.key or "name"))]
    return "; ".join(
        ", ".join(_shown(structure.get((*row[: len(path) + 1], key))) for path, key in keyed) for row in missing
    )


def template_for(block: Block, eads: Eads, structure: Structure, fields: Sequence[Field], rows: Sequence[Path]) -> str:
    """A Markdown table with a column a field, and what is known filled in."""
    keyed = [one for one in fields if one.name in block.keys]
    ordered = [*keyed, *(one for one in fields if one.name not in block.keys)]
    parents = [_parent_label(path) for path, _ in block.parents]
    headers = [*parents, *(one.label for one in ordered)]
    lines = ["| " + " | ".join(headers) + " |", "| " + " | ".join("---" for _ in headers) + " |"]
    for row in rows[:SHOWN_ROWS]:
        outer = [_shown(structure.get((*row[: len(path) + 1], key))) for path, key in block.parents]
        whole = len(row) > len(block.path)
        cells = [_shown(structure.get((*row, *one.path[len(row) :]))) if whole else "" for one in ordered]
        lines.append("| " + " | ".join([*outer, *cells]) + " |")
    if not rows:
        lines.append("| " + " | ".join("" for _ in headers) + " |")
    return "\n".join(lines)


def asking(field: Field, topic: str = "") -> str:
    """The words for one value alone."""
    if field.question:
        return field.question.replace("TOPIC", topic.replace("-", " ") or "this")
    label = field.label
    if field.kind == "yesno":
        return f"Is this so: {label}? Yes or no."
    if field.kind in {"choice", "choices"}:
        return f"Which {label} fits{' (one or more)' if field.kind == 'choices' else ' best'}?"
    if field.kind == "list":
        return f"Which {label} are there? Please list them."
    if field.kind == "quantity":
        return f"What is the {label}, with its unit?"
    return f"What is the {label}?"


def hint(field: Field) -> str:
    """The choices, where there are any."""
    if not field.choices or "(a)" in field.question:
        return ""
    return f"{field.label}: " + "; ".join(f"({chr(97 + i)}) {one.label}" for i, one in enumerate(field.choices)) + "."


def first_sentence(text: str) -> str:
    """The first sentence of an objective."""
    flat = " ".join(text.split())
    end = flat.find(". ")
    return flat[: end + 1] if 0 < end < 240 else flat[:240]


def _keys(block: Block) -> list[Field]:
    return [one for one in block.fields if one.name in block.keys]


def _parent_label(path: Path) -> str:
    word = path[-1].replace("-", " ")
    return word[:-2] if word.endswith("sses") else word.rstrip("s")


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict) and "value-string" in value:
        words, units = str(value["value-string"]), str(value.get("units", ""))
        return words if not units or units in words or any(ch.isalpha() for ch in words) else f"{words} {units}"
    if isinstance(value, list):
        return "; ".join(_shown(one.get("item-id") if isinstance(one, dict) else one) for one in value)
    return str(value).replace("|", "/").replace("\n", " ")


def _and(words: Sequence[str]) -> str:
    words = list(dict.fromkeys(words))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"
