"""A formulation as written, checked and made ready."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar, get_args

from attrs import define, field

from packhorse_discovery.domain.formulation import arithmetic as a
from packhorse_discovery.domain.formulation import units
from packhorse_discovery.domain.formulation.expressions import FUNCTIONS, Evaluator, Table, parsed
from packhorse_discovery.domain.formulation.fault import ExpressionError, Fault, FormulationError, no_such
from packhorse_discovery.domain.formulation.form import (
    DEFAULT_HIGH,
    Block,
    Datum,
    Formulation,
    Goal,
    Rule,
    Sense,
    exact,
    label,
    presses,
    variables_named,
)
from packhorse_discovery.domain.formulation.terms import (
    Key,
    Kind,
    Linear,
    Variable,
    variables_in,
)

MAX_CELLS = 20_000
"""How many variables or values one formulation may hold."""
_Part = TypeVar("_Part")
_PARTS = ("sets", "data", "vars", "rules", "minimize", "maximize", "ignored")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_RANGE = re.compile(r"(.+?)\.\.(.+)")
_EXAMPLES = {
    "sets": '{"B": ["beam", "truss"], "T": "1..6"}',
    "data": '{"glue": {"over": "B", "values": [5, 8], "unit": "glue/bridge"}}',
    "vars": '{"n": {"over": "B", "type": "int"}}',
    "rules": '{"glue": "sum(glue[b]*n[b] for b in B) <= stock"}',
}


def read(document: Mapping[str, Any]) -> Formulation:
    """The formulation in a document.

    Raises:
        FormulationError: every fault found, each with its part and its remedy.
    """
    reader = _Reader()
    found = reader.formulation(document)
    if reader.faults or found is None:
        raise FormulationError(reader.faults)
    return found


@define
class _Reader:
    faults: list[Fault] = field(factory=list)
    evaluator: Evaluator = field(factory=lambda: Evaluator({}))
    names: dict[str, Any] = field(factory=dict)
    set_texts: dict[str, str] = field(factory=dict)

    def formulation(self, document: Mapping[str, Any]) -> Formulation | None:
        self.evaluator = Evaluator(self.names)
        for part in document:
            if part not in _PARTS:
                self.faults.append(Fault("formulation", no_such("part", part, _PARTS)))
        sections = {part: self._section(document, part) for part in ("sets", "data", "vars", "rules")}
        if not sections["vars"]:
            self.faults.append(Fault("vars", "is empty. Name at least one variable for the solver to decide"))
        data: dict[str, Datum] = {}
        scalars = {
            name for name, body in sections["data"].items() if not (isinstance(body, Mapping) and "over" in body)
        }
        for name in sections["data"]:
            if name in scalars and not _is_formula(sections["data"][name]):
                self._datum_into(data, name, sections["data"][name])
        for name, body in sections["sets"].items():
            self._try(f"set {name}", self._set, name, body)
        sets = {name: self.names[name] for name in sections["sets"] if name in self.names}
        for name in sections["data"]:
            if name not in data and not any(fault.where == f"data {name}" for fault in self.faults):
                self._datum_into(data, name, sections["data"][name])
        blocks: dict[str, Block] = {}
        for name, body in sections["vars"].items():
            if (block := self._try(f"var {name}", self._block, name, body)) is not None:
                blocks[name] = block
        if self.faults:  # a rule over a part that is not there would only repeat its fault
            return None
        rules: list[Rule] = []
        for name, body in sections["rules"].items():
            if (rule := self._try(f"rule {name}", self._rule, name, body)) is not None:
                rules.append(rule)
        goal = self._goal(document, rules)
        self._unused(sets, data, blocks)
        return Formulation(sets, self.set_texts, data, blocks, rules, goal, self._ignored(document.get("ignored", {})))

    def _section(self, document: Mapping[str, Any], part: str) -> Mapping[str, Any]:
        found = document.get(part, {})
        if isinstance(found, Mapping):
            return found
        self.faults.append(Fault(part, f"is an object of names, such as {_EXAMPLES[part]}"))
        return {}

    def _try(self, where: str, read: Callable[..., _Part], *given: Any) -> _Part | None:
        try:
            return read(*given)
        except ExpressionError as exc:
            lost = [fault.where.split()[-1] for fault in self.faults]
            if not any(
                str(exc).startswith((f"there is no name {each!r};", f"there is no set {each!r};")) for each in lost
            ):
                self.faults.append(Fault(where, str(exc)))  # a part that another's fault left out is told once
            return None

    def _datum_into(self, data: dict[str, Datum], name: str, body: Any) -> None:
        if (datum := self._try(f"data {name}", self._datum, name, body)) is not None:
            data[name] = datum

    def _take(self, name: str, value: Any) -> None:
        if not _NAME.fullmatch(name):
            raise ExpressionError("its name must be letters, digits and _, beginning with a letter")
        if name in FUNCTIONS or name in ("in", "and", "or", "not", "if", "else", "for", "True", "False", "None", "is"):
            raise ExpressionError("its name is a word of the expressions; choose another")
        if name in self.names:
            raise ExpressionError("its name is taken twice; choose another")
        self.names[name] = value

    def _set(self, name: str, body: Any) -> None:
        if isinstance(body, str):
            self.set_texts[name] = body
            ends = _RANGE.fullmatch(body)
            if ends:
                low, high = (self._whole(end) for end in ends.groups())
                body = list(range(low, high + 1)) if high - low < MAX_CELLS else None
            else:
                body = self.evaluator.constant(parsed(body))
        if not isinstance(body, list | tuple):
            raise ExpressionError('is a list of members, a range like "1..6", or an expression that gives a list')
        members = [_member_of(each) for each in body]
        if not members:
            raise ExpressionError("is empty")
        if len(members) > MAX_CELLS:
            raise ExpressionError(f"has more than {MAX_CELLS:,} members")
        if len(set(members)) != len(members):
            twice = next(each for each in members if members.count(each) > 1)
            raise ExpressionError(f"lists {twice} twice")
        if len({len(each) if isinstance(each, tuple) else 0 for each in members}) > 1:
            raise ExpressionError("mixes single members and pairs")
        self._take(name, members)

    def _whole(self, text: str) -> int:
        number = a.plain(self.evaluator.constant(parsed(text)))
        if number is None or number != int(number):
            raise ExpressionError(f"{text.strip()} is no whole number")
        return int(number)

    def _over(self, body: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[Sequence[Any], ...]]:
        over = body.get("over", [])
        over = (over,) if isinstance(over, str) else tuple(over)
        for each in over:
            if not isinstance(self.names.get(each), list):
                raise ExpressionError(no_such("set", each, [n for n, v in self.names.items() if isinstance(v, list)]))
        dimensions = tuple(self.names[each] for each in over)
        size = 1
        for members in dimensions:
            size *= len(members)
        if size > MAX_CELLS:
            raise ExpressionError(f"has {size:,} cells; {MAX_CELLS:,} are the most")
        return over, dimensions

    def _datum(self, name: str, body: Any) -> Datum:
        if not isinstance(body, Mapping):
            body = {"value": body}
        _only(body, ("over", "value", "values", "unit", "quote"))
        over, dimensions = self._over(body)
        values = body.get("values", body.get("value"))
        if values is None:
            raise ExpressionError('has no value: give "value", or "over" and "values"')
        formulas: list[str] = []
        if over and isinstance(values, str):
            formulas.append(values)
            values = _lists(self.evaluator.constant(parsed(values)))
        unit, whole = units.unit_of(str(body.get("unit", ""))), bool(formulas)
        given = dict(_cells(values, over, dimensions))
        cells = {key: self._number(value, unit, formulas) for key, value in given.items()}
        table = Table(name, over, dimensions, cells)
        self._take(name, table)
        worked_out = frozenset(key for key, value in given.items() if whole or isinstance(value, str))
        quote = str(body.get("quote", ""))
        return Datum(name, table, str(body.get("unit", "")), quote, tuple(formulas), worked_out)

    def _number(self, value: Any, unit: units.Unit, formulas: list[str]) -> Any:
        if isinstance(value, str):
            formulas.append(value)
            value = self.evaluator.constant(parsed(value))
        number = exact(value)
        if number is None:
            raise ExpressionError(f"holds {value!r}, which is no number")
        return Linear(constant=number, unit=unit)

    def _block(self, name: str, body: Any) -> Block:
        if isinstance(body, str):
            body = {"type": body}
        if not isinstance(body, Mapping):
            raise ExpressionError('is an object like {"over": "B", "type": "int", "high": 50}')
        _only(body, ("over", "type", "low", "high", "unit"))
        kind = body.get("type", "real")
        if kind not in get_args(Kind):
            raise ExpressionError(no_such("type", kind, get_args(Kind)))
        over, dimensions = self._over(body)
        texts: list[str] = []
        low = self._bound(body.get("low", 0), over, texts)
        high = self._bound(body.get("high"), over, texts)
        unit = units.unit_of(str(body.get("unit", ""))) if "unit" in body or kind != "bool" else units.BARE
        cells: dict[Key, Linear] = {}
        for members in product(*dimensions):
            key = tuple(part for each in members for part in (each if isinstance(each, tuple) else (each,)))
            ends = [end.get(key) if isinstance(end, Mapping) else end for end in (low, high)]
            cells[key] = Linear({_variable(name, key, kind, *ends): Fraction(1)}, Fraction(0), unit)
        table = Table(name, over, dimensions, cells)
        self._take(name, table)
        return Block(name, kind, str(body.get("unit", "")), table, tuple(texts))

    def _bound(self, body: Any, over: tuple[str, ...], texts: list[str]) -> Any:
        """A number, None for no bound, or a number by key."""
        if body is None:
            return None
        if isinstance(body, str):
            texts.append(body)
            found = self.evaluator.constant(parsed(body))
            if isinstance(found, Table):
                if found.over != over:
                    raise ExpressionError(f"has the bound {body}, which is over {', '.join(found.over)}")
                return {key: cell.constant for key, cell in found.cells.items()}
            body = a.plain(found)
        else:
            texts.append(str(body))
        number = exact(body)
        if number is None:
            raise ExpressionError(f"has a bound that is no number: {texts[-1]}")
        return number

    def _rule(self, name: str, body: Any) -> Rule:
        if not isinstance(body, Mapping):
            body = {"rule": body}
        _only(body, ("rule", "quote"))
        text = body.get("rule")
        if not isinstance(text, str):
            raise ExpressionError('is an expression, or {"rule": expression, "quote": words}')
        tree = parsed(text)
        condition = self.evaluator.condition(tree)
        if condition is True and not variables_named(tree, self.names):
            raise ExpressionError("holds no variable, so it decides nothing")
        if condition is False:
            raise ExpressionError("can never hold, whatever the variables are")
        return Rule(name, text, str(body.get("quote", "")), tree, condition)

    def _goal(self, document: Mapping[str, Any], rules: Sequence[Rule]) -> Goal | None:
        given = [sense for sense in get_args(Sense) if sense in document]
        if len(given) > 1:
            self.faults.append(Fault("goal", "is both minimized and maximized; keep one, and make the other a rule"))
        return self._try("goal", self._one_goal, given[0], document[given[0]], rules) if given else None

    def _one_goal(self, sense: Sense, text: Any, rules: Sequence[Rule]) -> Goal:
        if not isinstance(text, str):
            raise ExpressionError("is one expression")
        tree = parsed(text)
        total = self.evaluator.sum(tree)
        if not variables_in(total):
            raise ExpressionError("holds no variable, so every answer is as good")
        if not presses(total, sense, [rule.condition for rule in rules]):
            end = "small" if sense == "minimize" else "large"
            raise ExpressionError(
                f"nothing keeps its variables from being as {end} as their bounds; a rule lacks or runs the wrong way"
            )
        return Goal(sense, text, tree, total)

    def _unused(self, sets: Mapping[str, Any], data: Mapping[str, Datum], blocks: Mapping[str, Block]) -> None:
        tables = [part.table for part in data.values()] + [part.table for part in blocks.values()]
        over = {name for table in tables for name in table.over}
        for kind, names in (("data", data), ("var", blocks), ("set", sets)):
            for name in names:
                if name not in self.evaluator.used and name not in over:
                    self.faults.append(
                        Fault(f"{kind} {name}", "is used by no rule and not by the goal; use it or leave it out")
                    )

    def _ignored(self, body: Any) -> Mapping[str, str]:
        if isinstance(body, list | tuple):
            return {str(each): "" for each in body}
        return {str(number): str(why) for number, why in body.items()} if isinstance(body, Mapping) else {}


def _variable(name: str, key: Key, kind: Kind, low: Fraction | None, high: Fraction | None) -> Variable:
    if kind == "bool":
        return Variable(name, key, kind, Fraction(0), Fraction(1))
    if low is not None and high is not None and low > high:
        raise ExpressionError(f"has low {a.words_of(low)} above high {a.words_of(high)}")
    if kind == "int":
        low = -DEFAULT_HIGH if low is None else low
        high = DEFAULT_HIGH if high is None else high
    return Variable(name, key, kind, low, high)


def _cells(values: Any, over: Sequence[str], dimensions: Sequence[Sequence[Any]]) -> Iterator[tuple[Key, Any]]:
    if not dimensions:
        if isinstance(values, list | tuple | Mapping):
            raise ExpressionError('has several values; say over which set: "over": "B"')
        yield (), values
        return
    name, members = over[0], dimensions[0]
    labels = {label(member): member for member in members}
    if isinstance(values, Mapping):
        for key in values:
            if key.replace(" ", "") not in {each.replace(" ", "") for each in labels}:
                raise ExpressionError(no_such(f"member of {name}", key, labels))
        if len(values) != len(members):
            lacking = [each for each in labels if each not in values]
            raise ExpressionError(f"has no value for {', '.join(lacking[:5])} of {name}")
        squeezed = {each.replace(" ", ""): member for each, member in labels.items()}
        pairs = [(squeezed[key.replace(" ", "")], value) for key, value in values.items()]
    elif isinstance(values, list | tuple):
        if len(values) != len(members):
            raise ExpressionError(f"has {len(values)} values for {len(members)} members of {name}")
        pairs = list(zip(members, values, strict=True))
    else:
        raise ExpressionError(f"has one value for the {len(members)} members of {name}; list them, or leave out over")
    for member, value in pairs:
        key = member if isinstance(member, tuple) else (member,)
        for rest, cell in _cells(value, over[1:], dimensions[1:]):
            yield (*key, *rest), cell


def _lists(value: Any) -> Any:
    return [_lists(each) for each in value] if isinstance(value, list | tuple) else value


def _member_of(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_member_of(each) for each in value)
    if isinstance(value, str):
        return value
    number = exact(value)
    if number is None:
        raise ExpressionError(f"has the member {value!r}; members are words, numbers, or lists of these")
    return int(number) if number == int(number) else number


def _is_formula(body: Any) -> bool:
    value = body.get("value") if isinstance(body, Mapping) else body
    return isinstance(value, str)


def _only(body: Mapping[str, Any], allowed: Sequence[str]) -> None:
    for name in body:
        if name not in allowed:
            raise ExpressionError(no_such("field", name, allowed))
