"""Whether the numbers, units and directions of a formulation are said: in the project's words, or derived from them."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from attrs import define, field, frozen

from packhorse_discovery.domain.formulation import cues, units
from packhorse_discovery.domain.formulation.arithmetic import words_of
from packhorse_discovery.domain.formulation.expressions import parsed
from packhorse_discovery.domain.formulation.fault import ExpressionError, Fault
from packhorse_discovery.domain.formulation.form import Datum, Formulation
from packhorse_discovery.domain.formulation.quotes import against_quote
from packhorse_discovery.domain.formulation.sentences import denied, not_used
from packhorse_discovery.domain.reading.numbers import Spoken, around, cleaned, positions, span_of_quote, spoken

FREE = frozenset({Fraction(0), Fraction(1)})
"""Numbers that need not be said."""

CONVERSIONS = frozenset(map(Fraction, (7, 12, 24, 60, 100, 365, 1000, 3600)))
"""Numbers that a derivation may use without their being said: of time, percent and thousands."""

_GENERAL_UNITS = frozenset({"unit", "piece", "item", "person", "point", "score", "money", "count", "cost", "share"})
_MEASURES = frozenset(
    {"second", "minute", "hour", "day", "week", "month", "year", "gram", "kilogram", "milligram", "tonne", "ton",
     "pound", "oz", "metre", "kilometre", "mile", "litre", "millilitre", "gallon", "dollar", "euro"}
)  # fmt: skip
_MAX_DIMENSIONS = 3
_ABOUT = 2
"""How many different used numbers make a text one that the formulation is about, whose every number must be used."""


@frozen
class Support:
    """What was found: faults stop a formulation; ``derived`` are formulas by name, ``notes`` are for the reader.

    ``not_used`` are the beginnings of sentences that nothing quotes or uses.
    """

    faults: tuple[Fault, ...]
    derived: Mapping[str, str]
    notes: tuple[str, ...]
    not_used: tuple[str, ...] = ()


def supported(formulation: Formulation, words: Sequence[str]) -> Support:
    """Check a formulation against the words of a project, piece by piece."""
    check = _Check(formulation, tuple(map(cleaned, words)))
    check.run()
    unused = not_used(formulation, check.words)
    return Support(tuple(check.faults), check.derived, tuple(check.notes), unused)


@define
class _Check:
    formulation: Formulation
    words: tuple[str, ...]
    faults: list[Fault] = field(factory=list)
    derived: dict[str, str] = field(factory=dict)
    notes: list[str] = field(factory=list)
    used: set[Fraction] = field(factory=set)

    def run(self) -> None:
        formulation = self.formulation
        for name, members in formulation.sets.items():
            self._members(name, members)
        for datum in formulation.data.values():
            self._datum(datum)
        for name, block in formulation.blocks.items():
            self._literals(f"var {name}", [text for text in block.texts if text != "0"], near=True)
            self._unit(f"var {name}", block.unit)
        for rule in formulation.rules:
            self._tree(f"rule {rule.name}", rule.tree)
        if formulation.goal:
            self._tree("goal", formulation.goal.tree)
        self.used.update(abs(number) for each in formulation.ignored for number in _numbers_in(each))
        self.used.update(Fraction(len(members)) for members in formulation.sets.values())
        self._directions()
        self._unused()

    def _said(self, value: Fraction, *, near: bool = False) -> bool:
        """Whether a number is in the words; with ``near``, also one beside it, as ends of ranges are."""
        wanted = {abs(value)} | ({abs(value - 1), abs(value + 1)} if near else set())
        found = {each for each in wanted if any(positions(each, spoken(text)) for text in self.words)}
        self.used |= found
        return bool(found) or abs(value) in FREE or any(value == len(each) for each in self.formulation.sets.values())

    def _members(self, name: str, members: Sequence[Any]) -> None:
        where = f"set {name}"
        self.used.update(abs(Fraction(part)) for each in members for part in _parts(each) if not isinstance(part, str))
        if name in self.formulation.set_texts:
            self._literals(where, [self.formulation.set_texts[name].replace("..", ",")], near=True)
            return
        numbers = [each for each in members if isinstance(each, int | Fraction)]
        if numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1))):
            return
        missing = [each for each in numbers if not self._said(Fraction(each))]
        if missing:
            self._not_said(where, missing)

    def _datum(self, datum: Datum) -> None:
        where = f"data {datum.name}"
        self._unit(where, datum.unit)
        texts = self.words
        if datum.quote:
            spans = [(text, span) for text in texts if (span := span_of_quote(datum.quote, text))]
            if not spans:
                self.faults.append(Fault(where, "has a quote that is not in the words; copy it word for word"))
                return
            texts = tuple(text[span[0] : span[1]] for text, span in spans)
            if not datum.formulas and (words := denied(datum, texts[0])):
                self.faults.append(Fault(where, f"{words}; take the number that its quote tells"))
                return
        if datum.formulas:
            self._literals(where, datum.formulas)
            self.derived[datum.name] = "; ".join(dict.fromkeys(datum.formulas))
        clocks = {value for text in self.words for each in spoken(text) if each.clock for value in each.values}
        worked_out = {cell.constant for key, cell in datum.table.cells.items() if key in datum.worked_out}
        self.used |= clocks & worked_out  # "half past nine", worked out as (9 + 0.5) * 60
        values = [cell.constant for key, cell in datum.table.cells.items() if key not in datum.worked_out]
        missing = [
            each
            for each in dict.fromkeys(values)
            if abs(each) not in FREE and not any(positions(each, spoken(text)) for text in texts)
        ]
        self.used.update(map(abs, values))
        if missing:
            self._not_said(where, missing)
            return
        self._measured(where, datum, values, texts)
        if (
            len(values) > 1
            and not datum.formulas
            and not any(_in_order(reading, texts) for reading in _readings(datum))
        ):
            self.faults.append(
                Fault(
                    where,
                    f"its values stand in the words in another order than {', '.join(map(words_of, values[:6]))}; "
                    "put members and values in the order of the words, or give the quote that has them in this one",
                )
            )

    def _measured(self, where: str, datum: Datum, values: Sequence[Fraction], texts: Sequence[str]) -> None:
        """A declared measure must not be another than the word after the number."""
        above = [name for name, power in units.unit_of(datum.unit) or () if power > 0]
        if len(above) != 1 or above[0] not in _MEASURES:
            return
        for value in values:
            after = [
                units.name_of(numbers[at].after)
                for text in texts
                for numbers in [spoken(text)]
                for at in positions(value, numbers)
            ]
            if after and all(name in _MEASURES and name != above[0] for name in after):
                words = f"is in {above[0]}, and the words say {words_of(value)} {after[0]}"
                self.faults.append(
                    Fault(where, f"{words}; take the unit of the words, or derive the value by a formula")
                )
                return

    def _unit(self, where: str, unit: str) -> None:
        said = {units.name_of(word) for text in self.words for word in re.findall(r"[A-Za-z]+|[$€£%]", text)}
        for word in units.words_of(unit):
            parts = [units.name_of(part) for part in re.split(r"[\s_-]+", word)]
            if not all(part in said or part in _GENERAL_UNITS for part in [*parts] if part):
                self.faults.append(Fault(where, f"has the unit {word}, which is not in the words; use theirs, or none"))

    def _literals(self, where: str, texts: Iterable[str], *, near: bool = False) -> None:
        for text in texts:
            try:
                tree = parsed(text)
            except ExpressionError:
                continue
            missing = [
                number
                for number, _ in _literals_of(tree)
                if not self._said(number, near=near) and number not in CONVERSIONS
            ]
            if missing:
                self._not_said(where, missing)

    def _tree(self, where: str, tree: ast.expr) -> None:
        missing = [
            number
            for number, place in _literals_of(tree)
            if place != "index" and not self._said(number, near=place == "filter")
        ]
        if missing:
            self._not_said(where, missing)

    def _not_said(self, where: str, missing: Sequence[Any]) -> None:
        numbers = ", ".join(words_of(each) for each in missing[:6])
        self.faults.append(
            Fault(where, f"{numbers} is not in the words; ask for it, or derive it by a formula over numbers that are")
        )

    def _directions(self) -> None:
        names: dict[str, Any] = {name: each.table for name, each in self.formulation.data.items()}
        names |= {name: each.table for name, each in self.formulation.blocks.items()}
        for rule in self.formulation.rules:
            if rule.quote and not any(span_of_quote(rule.quote, text) for text in self.words):
                self.faults.append(
                    Fault(f"rule {rule.name}", "has a quote that is not in the words; copy it word for word")
                )
            elif cue := cues.against_rule(rule, self.formulation, names, self.words):
                self.faults.append(
                    Fault(
                        f"rule {rule.name}",
                        f"runs against the words «{cue}»; turn the relation, or quote the words that say so",
                    )
                )
            elif rule.quote and (words := against_quote(rule, self.formulation, self.words)):
                self.faults.append(Fault(f"rule {rule.name}", f"{words}; quote the words that it keeps"))
            if "difference" in rule.quote.casefold() and "abs" not in rule.text:
                self.notes.append(f"rule {rule.name}: its quote speaks of a difference, and the rule has no abs")
        goal = self.formulation.goal
        if goal and (cue := cues.against_goal(goal, self.words)):
            self.faults.append(Fault("goal", f"{goal.sense}s, and the words say «{cue}»"))
        if any(re.search(r"for example|for instance|e\.g\.", text, re.IGNORECASE) for text in self.words):
            self.notes.append('The words give something only "for example": ask for the whole list where it matters.')

    def _unused(self) -> None:
        left: dict[str, str] = {}
        needed = min(_ABOUT, len(self.used - FREE))
        for text in self.words:
            numbers = spoken(text)
            if len({value for each in numbers for value in each.values & self.used} - FREE) < max(1, needed):
                continue
            for each in numbers:
                if each.must_use and not each.values & (self.used | FREE) and not self._ignored_by_parts(each, text):
                    left.setdefault(each.clock or words_of(each.value), around(text, each.start, each.end))
        if left:
            shown = "; ".join(f"{number} («{place}»)" for number, place in list(left.items())[:8])
            self.faults.append(
                Fault("words", f"say what nothing here uses: {shown}; use it, or name it under ignored with the reason")
            )

    def _ignored_by_parts(self, told: Spoken, text: str) -> bool:
        """Whether a time of day in words, such as "ten to nine", is ignored as its two numbers."""
        ignored = {value for each in self.formulation.ignored for value in _numbers_in(each)}
        parts = [one for word in text[told.start : told.end].split() for one in spoken(word) if one.must_use]
        return bool(told.clock and parts) and all(one.values & ignored for one in parts)


def _literals_of(tree: ast.expr) -> Iterator[tuple[Fraction, str]]:
    """Each number in an expression, and whether it stands in an index, a filter, or elsewhere ("")."""

    def walk(node: ast.AST, place: str) -> Iterator[tuple[Fraction, str]]:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            yield Fraction(repr(node.value)), place
        for name, child in ast.iter_fields(node):
            inside = place
            if (isinstance(node, ast.Subscript) and name == "slice") or (
                isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and name == "right"
            ):
                inside = "index"
            elif not place and (
                (isinstance(node, ast.comprehension) and name in ("ifs", "iter"))
                or (isinstance(node, ast.IfExp) and name == "test")
                or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range")
            ):
                inside = "filter"
            for each in child if isinstance(child, list) else [child]:
                if isinstance(each, ast.AST):
                    yield from walk(each, inside)

    return walk(tree, "")


def _parts(member: Any) -> Sequence[Any]:
    return [part for each in member for part in _parts(each)] if isinstance(member, tuple) else [member]


def _numbers_in(text: str) -> list[Fraction]:
    return [value for each in spoken(text) for value in each.values]


def _readings(datum: Datum) -> Iterator[list[Fraction]]:
    """The values in each order of the dimensions; of a symmetric table also one half of it."""
    cells = {key: cell.constant for key, cell in datum.table.cells.items()}
    yield list(cells.values())
    sizes = datum.table.dimensions
    if not 1 < len(sizes) <= _MAX_DIMENSIONS or any(isinstance(members[0], tuple) for members in sizes):
        return
    for order in permutations(range(len(sizes))):
        ranks = [{member: at for at, member in enumerate(members)} for members in sizes]
        keys = sorted(cells, key=lambda key: tuple(ranks[at][key[at]] for at in order))
        yield [cells[key] for key in keys]
        if (
            len(sizes) == 2
            and datum.table.over[0] == datum.table.over[1]
            and all(cells[k] == cells[k[::-1]] for k in keys)
        ):
            for half in (1, -1):
                yield [cells[k] for k in keys if half * (ranks[0][k[0]] - ranks[1][k[1]]) < 0]


def _in_order(values: Sequence[Fraction], texts: Sequence[str]) -> bool:
    """Whether the values can be met in one text one after the other; equal neighbours may share a place."""
    runs = [
        abs(each) for at, each in enumerate(values) if abs(each) not in FREE and (at == 0 or each != values[at - 1])
    ]
    return any(_met(runs, spoken(text)) for text in texts)


def _met(runs: Sequence[Fraction], numbers: Sequence[Spoken]) -> bool:
    rest = iter(numbers)
    return all(any(value in each.values for each in rest) for value in runs)
