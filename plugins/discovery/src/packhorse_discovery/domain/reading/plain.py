"""What is read with no refinement: tables, lists, single values, yes or no, choices, and "I do not know"."""

import re
from collections.abc import Iterator, Sequence

from attrs import field, frozen
from rapidfuzz import fuzz

from packhorse_discovery.domain.interview.completeness import slots
from packhorse_discovery.domain.interview.merging import Proposal, distinct
from packhorse_discovery.domain.interview.naming import row_for
from packhorse_discovery.domain.interview.questions import Question
from packhorse_discovery.domain.interview.structure import Structure
from packhorse_discovery.domain.reading.amounts import amounts
from packhorse_discovery.domain.reading.cells import Cell, cell, state_of, yes_or_no
from packhorse_discovery.domain.reading.hours import hours_rows, spans_of
from packhorse_discovery.domain.reading.tables import Item, Table, items, plain, tables, upright
from packhorse_discovery.domain.reading.wide import by_step
from packhorse_discovery.domain.reading.words import words_of
from packhorse_discovery.domain.schema.eads import Block, Eads, Field, Path, path_from, slug, written

ALIKE = 80
"""From this likeness on a heading is a field's name (rapidfuzz token_set_ratio, per cent)."""
SHORT = 8
"""Words of an answer that may be a single value."""
_KEY_WORDS = "step process task operation activity name stage job order event resource type customer client item"
_SYNONYMS = {
    "duration": ("time", "how long", "takes", "length", "minutes", "hours"),
    "resources": ("equipment", "machine", "workstation", "station", "done on", "where", "needs"),
    "inputs": ("ingredients", "raw material"), "outputs": ("produces", "result"),
    "after": ("predecessor", "depends on", "follows"), "count": ("how many", "number", "quantity", "qty"),
    "capacity": ("holds", "size"), "due": ("deadline", "needed by", "promised"), "quantity": ("qty", "amount"),
}  # fmt: skip


@frozen
class NotRead:
    """A cell or a column that is of no field, or not of its kind."""

    path: str
    value: str
    why: str


@frozen
class Reading:
    """What was read, and what stands in the answer without a place. ``tabled`` says that it had a table."""

    proposals: tuple[Proposal, ...] = ()
    not_read: tuple[NotRead, ...] = ()
    tabled: bool = False


def read(question: Question, text: str, eads: Eads, structure: Structure, origin: str = "", today: str = "") -> Reading:
    """What ``text`` says in answer to ``question`` in a form that needs no understanding.

    ``origin`` is the date that relative dates count from, where it is known;
    ``today`` the one that the start itself counts from.
    """
    reader = _Plain(question, eads, structure, origin, today)
    found = tables(text)
    made = [one for table in found for one in reader.table(table)]
    listed = items(text)
    if not found and question.block and question.finer in {"names", "table"}:
        made = [one for item in listed for one in reader.item(item)]
    elif not found:
        made = list(reader.values(text))
    proposals, clashes = distinct(made)
    for one, other in clashes:
        reader.not_read.append(NotRead(one.path, other.said, f"another row of this name says {one.said.strip()!r}"))
    if not made and (state := state_of(text)) is not None:
        states = (Proposal(path, state=state, said=text) for path in reader.open_paths(state == "not_applicable"))
        return Reading(tuple(states))
    return Reading(tuple(proposals), tuple(reader.not_read), bool(found))


@frozen
class _Plain:
    question: Question
    eads: Eads
    structure: Structure
    origin: str
    today: str
    not_read: list[NotRead] = field(factory=list)

    # Tables

    def table(self, table: Table) -> Iterator[Proposal]:
        if self.question.finer == "form" and len(table.headers) == 2:
            yield from self._form([*((row[0], row[1]) for row in table.rows)])
            return
        spread = hours_rows(table) if any(block.hours for block in self.eads.blocks) else None
        table = spread or upright(table)
        ordered = sorted(self.eads.blocks, key=lambda block: block.path != self.question.block)
        wide = next((one for one in ((by_step(table, block), block) for block in ordered) if one[0] is not None), None)
        if wide is not None and wide[0] is not None:
            (table, left), block = wide[0], wide[1]
            ordered = [block]
            self.not_read.extend(NotRead("", head, "no field of this heading") for head in left)
        bound = [(columns(block, table), block) for block in ordered if block.path]
        best = max(bound, key=lambda one: len({*one[0], *_parents(one[1], table.headers, {**one[0]})}), default=None)
        if best is None or (len(best[0]) < 2 and self.question.block != best[1].path):
            return
        places, block = best
        parents = _parents(block, table.headers, places)
        other = [at for at in range(len(table.headers)) if at not in places]
        if block.hours and any(spans_of(row[at]) for row in table.rows for at in other):
            self.not_read.append(NotRead("", table.headers[other[0]], "hours in a column of another name: which hold?"))
            return
        for place, head in enumerate(table.headers):
            if place not in places and place not in parents and any(row[place] for row in table.rows):
                self.not_read.append(NotRead("", head, "no field of this heading"))
        for cells in table.rows:
            yield from self._row(
                block, {one: cells[at] for at, one in places.items()}, [cells[at] for at in parents], table, places
            )

    def _row(
        self, block: Block, said: dict[Field, str], parents: Sequence[str], table: Table, places: dict[int, Field]
    ) -> Iterator[Proposal]:  # fmt: skip
        keys = {one: cell(one, words, origin=self.origin) for one, words in said.items() if one.name in block.keys}
        spelt = {one.name: _key_words(found, said[one]) for one, found in keys.items() if said[one].strip()}
        name = " ".join(spelt[key] for key in block.keys if key in spelt)
        row = self._at(name, block, parents)
        if row is None or not all(spelt.get(key) for key in self.eads.needed_keys(block.path)):
            return
        if state_of(name) == "not_applicable" and parents:
            yield Proposal(written(row[:-1]))  # "spring break: none" has no constituents
            return
        heads = {one: table.headers[at] for at, one in places.items()}
        for one, words in sorted(said.items(), key=lambda each: each[0].name not in block.keys):
            path = (*row, *one.path[len(row) :])
            if one.name in block.keys and one.kind == "text" and not one.dated and not _timed(one):
                if self.structure.get(path) is None:
                    yield Proposal(written(path), _name(words), said=words)
            elif words.strip():
                yield from self._cell(path, one, words, heads[one])

    def _cell(self, path: Path, one: Field, words: str, head: str = "") -> Iterator[Proposal]:
        found = cell(one, words, header=head, origin=self._start(one))
        if found is None:
            kind = "a date, or a time from the start" if one.dated else "a time of day" if _timed(one) else one.kind
            self.not_read.append(NotRead(written(path), words, f"{one.label} wants {kind}"))
            return
        yield _proposal(path, found, words)

    def _at(self, name: str, block: Block, parents: Sequence[str]) -> Path | None:
        """The path of the row called ``name``: one that is there, or a new one under the parent that is named."""
        outer: Path = ()
        for depth, (path, key) in enumerate(block.parents):
            base = (*outer, *path[len(outer) :])
            known = self._known(base, key)
            said = _name(parents[depth]) if depth < len(parents) else ""
            if not said and len(known) != 1:
                return None
            outer = (*base, row_for(said, known) or slug(said) if said else next(iter(known)))
        base = (*outer, *block.path[len(outer) :])
        return (*base, row_for(name, self._known(base, block.key or "name")) or slug(name))

    def _known(self, base: Path, key: str) -> dict[str, str]:
        rows = self.structure.get(base)
        return {row: str(values.get(key, row)) for row, values in rows.items()} if isinstance(rows, dict) else {}

    # Lists

    def item(self, item: Item) -> Iterator[Proposal]:
        block = next((one for one in self.eads.blocks if one.path == self.question.block), None)
        if block is None or not item.name:
            return
        name, rest = _name(item.name), item.rest
        counted = amounts(words_of(name))
        number = next((one for one in block.fields if one.kind == "number" and one.required), None)
        parts = re.split(r",(?!\d{3})|;", rest) if rest else []
        if number is not None and len(counted) == 1 and counted[0].first == 0 and not counted[0].unit:
            words = words_of(name)
            start = words.words[counted[0].last].end
            name, parts = words.text[start:].strip(" x\u00d7"), [words.text[:start], *parts]
        row = self._at(name, block, [])
        key = next((one for one in block.fields if one.name == block.key), None)
        if row is None or key is None:
            return
        if self.structure.get((*row, key.name)) is None:
            yield Proposal(written((*row, key.name)), name, said=name)
        taken: set[str] = {key.name}
        for part in parts:
            yield from self._part(part.strip(), row, block, taken)

    def _part(self, part: str, row: Path, block: Block, taken: set[str]) -> Iterator[Proposal]:
        """One value of an item, for the first field that it fits exactly."""
        for one in sorted(block.fields, key=lambda each: not each.required):
            free = one.name not in taken and one.name not in block.keys
            if not free or one.mode == "never" or one.kind not in {"quantity", "number", "list", "text", "choice"}:
                continue
            words = (
                re.sub(r"^(?:on|in|at|by|with|due|using)\s+(?:the|a|an|our)?\s*", "", part)
                if one.kind != "quantity"
                else part
            )
            numbered = bool(re.search(r"\d", part)) or bool(amounts(words_of(part)))
            if one.kind in {"list", "text"} and not one.dated and (numbered or len(words.split()) > 4):
                continue
            found = cell(one, words, origin=self.origin)
            if found is not None and found.state == "answered":
                taken.add(one.name)
                yield _proposal((*row, *one.path[len(row) :]), found, part)
                return
        self.not_read.append(NotRead(written(row), part, "fits no field"))

    # Single values

    def values(self, text: str) -> Iterator[Proposal]:
        fields = [one for path in self.question.paths if (one := self.eads.field(path_from(path))) and not one.table]
        if self.question.finer == "form":
            yield from self._lines(text, fields)
        elif self.question.finer != "opening" and len(fields) == 1:
            one = fields[0]
            words = plain(text) if one.kind != "list" else text
            short = len(words.split()) <= SHORT or one.kind in {"list", "any", "choices"} or bool(items(text))
            listed = [item.name for item in items(text) if not item.rest] if one.kind == "list" else []
            found = Cell(listed) if listed else cell(one, words.rstrip("."), origin=self._start(one)) if short else None
            if found is not None:
                yield _proposal(one.path, found, text)

    def _start(self, one: Field) -> str:
        return self.today if one.name == "origin" else self.origin

    def _lines(self, text: str, fields: Sequence[Field]) -> Iterator[Proposal]:
        numbered = re.findall(
            r"(?:^|\s)\(?(\d{1,2})[.)]\s*(.+?)(?=\s\(?\d{1,2}[.)]\s|\Z)", " ".join(text.split()), re.DOTALL
        )
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        spoken = [part for part in re.split(r"\band\b|[.,;]", text) if part.strip()]
        if numbered and len(numbered) <= len(fields):
            pairs = [(fields[int(at) - 1], words) for at, words in numbered if 1 <= int(at) <= len(fields)]
        elif any(item.rest for item in items(text)):
            yield from self._form([(item.name, item.rest) for item in items(text)])
            return
        elif len(lines) == len(fields):
            pairs = list(zip(fields, lines, strict=True))
        elif len(spoken) == len(fields) and all(
            one.kind == "yesno" and yes_or_no(part) is not None for one, part in zip(fields, spoken, strict=True)
        ):
            pairs = list(zip(fields, spoken, strict=True))
        else:
            return
        for one, words in pairs:
            found = cell(one, plain(words).rstrip("."), origin=self.origin)
            if (
                found is None
                and one.kind == "yesno"
                and (answer := yes_or_no(re.split(r"[,.;]", words)[0])) is not None
            ):
                found = Cell(answer)
            if found is not None:
                yield _proposal(one.path, found, words)

    def _form(self, rows: Sequence[tuple[str, str]]) -> Iterator[Proposal]:
        fields = [one for path in self.question.paths if (one := self.eads.field(path_from(path))) and not one.table]
        for label, words in rows:
            named = max(fields, key=lambda one: likeness(one, label), default=None)
            if named is None or likeness(named, label) < ALIKE:
                self.not_read.append(NotRead("", label, "no field of this name"))
            elif words.strip():
                yield from self._cell(named.path, named, words)

    def open_paths(self, absent: bool) -> list[str]:
        """The values that were asked for and are still open."""
        block = next((one for one in self.eads.blocks if one.path == self.question.block), None)
        if block is None or (self.question.finer == "names" and block.parents):
            return []
        if self.question.finer == "names":
            return [written(block.path)] if absent or self.question.block else []
        wanted = set(self.question.paths)
        found = slots(block, self.eads, self.structure)
        return [one.path for one in found if one.state in {None, "deferred"} and written(one.field.path) in wanted]


def columns(block: Block, table: Table) -> dict[int, Field]:
    """The field of each column, by its place; the key of the list is the column that names it best, else the first."""
    scored = sorted(
        ((likeness(one, head), -place, place, one) for place, head in enumerate(table.headers) for one in block.fields),
        key=lambda each: each[:2], reverse=True,
    )  # fmt: skip
    found: dict[int, Field] = {}
    for points, _, place, one in scored:
        if points >= ALIKE and place not in found and one not in found.values():
            found[place] = one
    key = next((one for one in block.fields if one.name == block.keys[0]), None) if block.keys else None
    if key is not None and key not in found.values():
        free = [place for place in range(len(table.headers)) if place not in found]
        named = [at for at in free if any(word in table.headers[at].casefold().split() for word in _KEY_WORDS.split())]
        if named or free:
            found[(named or free)[0]] = key
    return found


def likeness(one: Field, head: str) -> float:
    """How well a heading fits a field, in per cent: 100 and more for its own name or an alias."""
    words = " ".join(re.sub(r"[^\w]+", " ", re.sub(r"\([^)]*\)", "", head).casefold()).split()) or head.casefold()
    if words in {one.label.casefold(), one.name.casefold().replace("-", " ").strip("? ")}:
        return 110.0
    names = (*one.aliases, *_SYNONYMS.get(one.name, ()))
    if words in {name.casefold() for name in names}:
        return 105.0
    best = max(float(fuzz.token_set_ratio(words, name.casefold())) for name in (one.label, *names))
    own = 1.0 if fuzz.token_set_ratio(words, one.label.casefold()) == 100 else 0.0  # "setup time" is a setup first
    return best if best < 100 else 100.0 + own - 0.1 * len(words)


def _parents(block: Block, headers: Sequence[str], taken: dict[int, Field]) -> list[int]:
    """The columns that name the lists around this one, outermost first."""
    free = [place for place in range(len(headers)) if place not in taken]
    found = []
    for path, _ in block.parents:
        label = path[-1].replace("-", " ")
        best = max(
            range(len(headers)),
            key=lambda at: fuzz.token_set_ratio(label.rstrip("s"), headers[at].casefold().rstrip("s")),
            default=None,
        )
        if best is not None and fuzz.token_set_ratio(label.rstrip("s"), headers[best].casefold().rstrip("s")) >= ALIKE:
            taken.pop(best, None)
            found.append(best)
        elif free:
            found.append(free[0])
    return found


def _key_words(found: Cell | None, text: str) -> str:
    """A cell as a part of its row's id: days and times as they are recorded, a name as it is written."""
    value = found.value if found is not None else None
    return " ".join(map(str, value)) if isinstance(value, list) else str(value) if _is_time(value) else _name(text)


def _is_time(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"\d{2}:\d{2}", value))


def _proposal(path: Path, found: Cell, words: str) -> Proposal:
    return Proposal(written(path), found.value, found.state, said=found.said or words.strip())


def _timed(one: Field) -> bool:
    return bool(re.fullmatch(r"\d{2}:\d{2}", str(one.example)))


def _name(text: str) -> str:
    """The name in a cell or item: without numbering and trailing punctuation."""
    return re.sub(r"^\s*(?:\(?\d{1,2}[.):]\s+|step \d{1,2}[.:]?\s+)", "", text, flags=re.I).strip(" .:*\t")
