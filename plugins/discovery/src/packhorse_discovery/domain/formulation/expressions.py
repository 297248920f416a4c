"""The restricted expressions: parsed by `ast`, worked out by an evaluator of our own, never by Python's.

An expression is worked out twice: over variables, which gives sums and
conditions for an engine, and over the values of an answer, which verifies it.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from attrs import define, field, frozen

from packhorse_discovery.domain.formulation import arithmetic as a
from packhorse_discovery.domain.formulation import global_constraints
from packhorse_discovery.domain.formulation.fault import ExpressionError, no_such
from packhorse_discovery.domain.formulation.terms import (
    Condition,
    Element,
    Every,
    Key,
    Linear,
    Some,
    negated,
)

MAX_TEXT = 4_000
MAX_STEPS = 2_000_000
"""How many parts of one expression are worked out at most, loops included: some seconds."""

_TIME_OF_DAY = re.compile(r"(?<![\w:.'\"])([01]?\d|2[0-4]):([0-5]\d)(?![\w:'\"])")

Value = Any
"""int, Fraction, str, bool, tuple, list of values, `Linear`, a condition, or a `Table` by its name."""


@frozen(eq=False)
class Table:
    """Values by key; ``dimensions`` are the members of each set that it is over, ``over`` their names."""

    name: str
    over: tuple[str, ...]
    dimensions: tuple[Sequence[Value], ...]
    cells: Mapping[Key, Value]


def parsed(text: str) -> ast.expr:
    """The tree of an expression; ``x[i] <= 5 for i in I`` needs no brackets.

    Raises:
        ExpressionError: it is no expression.
    """
    if len(text) > MAX_TEXT:
        raise ExpressionError(f"is longer than {MAX_TEXT:,} characters; split it into several rules")
    if hit := _TIME_OF_DAY.search(text):
        hour, minute = (int(part) for part in hit.groups())
        written = f"{hour} * 60" + (f" + {minute}" if minute else "")
        raise ExpressionError(f"holds the time of day {hit.group()}; write it as minutes since midnight: {written}")
    try:
        return ast.parse(f"(\n{text.strip()}\n)", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as exc:
        place = f" near column {exc.offset}" if isinstance(exc, SyntaxError) and exc.offset else ""
        hint = "; write == for equality" if "=" in text.replace("==", "").replace("<=", "").replace(">=", "") else ""
        raise ExpressionError(f"is no expression{place}: {getattr(exc, 'msg', exc)}{hint}") from exc


@define
class Evaluator:
    """Works out expressions over ``names``: sets as lists, single values, and tables."""

    names: Mapping[str, Value]
    tolerance: Fraction = Fraction(0)
    used: set[str] = field(factory=set)
    _steps: int = 0

    def condition(self, tree: ast.expr) -> Condition:
        """A rule's condition; a loop over conditions means all of them."""
        value = self._guarded(lambda: self.value(tree, {}))
        return every(map(a.as_condition, value)) if isinstance(value, list) else a.as_condition(value)

    def sum(self, tree: ast.expr) -> Linear:
        """A goal's sum."""
        return a.as_sum(self._guarded(lambda: self.value(tree, {})))

    def constant(self, tree: ast.expr) -> Value:
        """Any value without a variable in it."""
        return self._guarded(lambda: self.value(tree, {}))

    def _guarded(self, work: Callable[[], Value]) -> Value:
        self._steps = 0
        try:
            return work()
        except RecursionError as exc:
            raise ExpressionError("is nested too deeply; split it into several rules") from exc
        except (TypeError, ValueError, OverflowError) as exc:
            raise exc if isinstance(exc, ExpressionError) else ExpressionError(str(exc)) from exc

    def value(self, node: ast.expr, loop: Mapping[str, Value]) -> Value:
        """The value of one node; ``loop`` are the names of the loops around it."""
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise ExpressionError(f"has more than {MAX_STEPS:,} parts once its loops are written out")
        match node:
            case ast.Constant():
                return self._literal(node.value)
            case ast.Name():
                return self._name(node.id, loop)
            case ast.Tuple() | ast.List():
                found = [self.value(each, loop) for each in node.elts]
                return tuple(found) if isinstance(node, ast.Tuple) else found
            case ast.Subscript():
                return self._subscript(node, loop)
            case ast.BinOp():
                return self._arithmetic(node, loop)
            case ast.UnaryOp():
                return self._unary(node, loop)
            case ast.Compare():
                return self._compare(node, loop)
            case ast.BoolOp():
                items = (a.as_condition(self.value(each, loop)) for each in node.values)
                return every(items) if isinstance(node.op, ast.And) else some(items)
            case ast.IfExp():
                return self.value(node.body if self._test(node.test, loop) else node.orelse, loop)
            case ast.GeneratorExp() | ast.ListComp():
                return [self.value(node.elt, inner) for inner in self._loops(node.generators, loop)]
            case ast.Call():
                return self._call(node, loop)
        raise ExpressionError(
            f"may not contain {_ARTICLES.get(type(node).__name__, type(node).__name__)}; "
            "see the form for what an expression may hold"
        )

    def _literal(self, value: object) -> Value:
        if isinstance(value, bool | int | str):
            return value
        if isinstance(value, float):
            return Fraction(repr(value))
        raise ExpressionError(f"may not contain {value!r}")

    def _name(self, name: str, loop: Mapping[str, Value]) -> Value:
        if name in loop:
            return loop[name]
        if name not in self.names:
            raise ExpressionError(no_such("name", name, [*loop, *self.names]))
        self.used.add(name)
        found = self.names[name]
        if isinstance(found, Table) and not found.over:
            return found.cells[()]
        return found

    def _subscript(self, node: ast.Subscript, loop: Mapping[str, Value]) -> Value:
        base = self.value(node.value, loop)
        if isinstance(node.slice, ast.Slice):
            raise ExpressionError("may not contain a slice")
        index = self.value(node.slice, loop)
        if isinstance(base, tuple | list):
            at = a.plain(index)
            if at is None or at != int(at) or not -len(base) <= at < len(base):
                raise ExpressionError(f"{ast.unparse(node)} is off the end of {a.words_of(base)}")
            return base[int(at)]
        if not isinstance(base, Table):
            raise ExpressionError(f"{ast.unparse(node.value)} has no index")
        return self._cell(base, _flat(index))

    def _cell(self, table: Table, key: tuple[Value, ...]) -> Value:
        if any(isinstance(part, Linear) and part.coefficients for part in key):
            return self._element(table, key)
        plain = tuple(_member(part) for part in key)
        if plain in table.cells:
            return table.cells[plain]
        shape = ", ".join(table.over)
        written = f"{table.name}[{', '.join(map(str, plain))}]"
        widths = [len(members[0]) if members and isinstance(members[0], tuple) else 1 for members in table.dimensions]
        if sum(widths) != len(plain):
            raise ExpressionError(f"{written} needs {table.name}[{shape}]")
        at = 0
        for name, members, width in zip(table.over, table.dimensions, widths, strict=True):
            part = plain[at] if width == 1 else plain[at : at + width]
            at += width
            if part not in members:
                if isinstance(part, str):
                    raise ExpressionError(f"{written}: {no_such('member of ' + name, part, members)}")
                break
        raise ExpressionError(f"{written} is not there: the index is not in {shape}; guard it with 'if'")

    def _element(self, table: Table, key: tuple[Value, ...]) -> Value:
        at = next(number for number, part in enumerate(key) if isinstance(part, Linear) and part.coefficients)
        members = table.dimensions[at] if len(table.dimensions) == len(key) else ()
        if any(isinstance(part, Linear) and part.coefficients for part in key[at + 1 :]):
            raise ExpressionError(f"{table.name} has two variables as index; it takes one")
        if not members or list(members) != list(range(int(members[0]), int(members[0]) + len(members))):
            raise ExpressionError(
                f"{table.name} has a variable as index; its set must be numbers without gaps, like 1..6"
            )
        items = [a.as_sum(self._cell(table, (*key[:at], member, *key[at + 1 :]))) for member in members]
        units = {each.unit for each in items}
        unit = units.pop() if len(units) == 1 else None
        return Linear({Element(items, key[at], members[0]): Fraction(1)}, Fraction(0), unit)

    def _arithmetic(self, node: ast.BinOp, loop: Mapping[str, Value]) -> Value:
        left, right = self.value(node.left, loop), self.value(node.right, loop)
        match node.op:
            case ast.Add():
                if isinstance(left, list) and isinstance(right, list):
                    return [*left, *right]
                return a.added([left, right])
            case ast.Sub():
                if isinstance(left, list) and isinstance(right, list):
                    return [each for each in left if each not in right]
                return a.subtracted(left, right)
            case ast.Mult():
                return a.multiplied(left, right)
            case ast.Div():
                return a.divided(left, right)
            case ast.Pow():
                return a.raised(left, right)
            case ast.FloorDiv() | ast.Mod():
                return a.whole_part("//" if isinstance(node.op, ast.FloorDiv) else "%", left, right)
        raise ExpressionError(f"may not contain the operator in {ast.unparse(node)}")

    def _unary(self, node: ast.UnaryOp, loop: Mapping[str, Value]) -> Value:
        value = self.value(node.operand, loop)
        match node.op:
            case ast.USub():
                return a.multiplied(value, -1)
            case ast.UAdd():
                return value
            case ast.Not():
                return negated(a.as_condition(value))
        raise ExpressionError("may not contain ~")

    def _compare(self, node: ast.Compare, loop: Mapping[str, Value]) -> Condition:
        values = [self.value(each, loop) for each in (node.left, *node.comparators)]
        return every(self._compared(op, *pair) for op, pair in zip(node.ops, pairwise(values), strict=True))

    def _compared(self, operator: ast.cmpop, left: Value, right: Value) -> Condition:
        if isinstance(operator, ast.In | ast.NotIn):
            if not isinstance(right, list | tuple):
                raise ExpressionError("uses 'in' with something that is no set or list")
            if isinstance(left, Linear) and left.coefficients:
                found = some(a.related("==", left, each, tolerance=self.tolerance) for each in right)
            else:
                found = _member(left) in right
            return found if isinstance(operator, ast.In) else negated(found)
        symbol = _OPERATORS.get(type(operator))
        if symbol is None:
            raise ExpressionError("may not contain 'is'; write ==")
        return a.related(symbol, left, right, tolerance=self.tolerance)

    def _test(self, node: ast.expr, loop: Mapping[str, Value]) -> bool:
        found = self.value(node, loop)
        if isinstance(found, bool):
            return found
        if a.plain(found) in (0, 1):
            return bool(a.plain(found))
        raise ExpressionError("the condition of 'if' may not hold a variable; use implies(...)")

    def _loops(self, loops: Sequence[ast.comprehension], outer: Mapping[str, Value]) -> Iterator[Mapping[str, Value]]:
        if not loops:
            yield outer
            return
        first, *rest = loops
        members = self.value(first.iter, outer)
        if isinstance(members, Table) and len(members.over) == 1:
            members = list(members.dimensions[0])
        if not isinstance(members, list | tuple):
            raise ExpressionError(f"loops over {ast.unparse(first.iter)}, which is no set")
        for member in members:
            inner = {**outer, **self._bound(first.target, member)}
            if all(self._test(each, inner) for each in first.ifs):
                yield from self._loops(rest, inner)

    def _bound(self, target: ast.expr, member: Value) -> Mapping[str, Value]:
        if isinstance(target, ast.Name):
            if target.id in self.names:
                raise ExpressionError(f"the loop name {target.id} is taken by the formulation; choose another")
            return {target.id: member}
        if not isinstance(target, ast.Tuple) or not isinstance(member, tuple) or len(member) != len(target.elts):
            raise ExpressionError(f"cannot take {a.words_of(member)} apart into {ast.unparse(target)}")
        return {name: part for each, part in zip(target.elts, member, strict=True)
                for name, part in self._bound(each, part).items()}  # fmt: skip

    def _call(self, node: ast.Call, loop: Mapping[str, Value]) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in _FUNCTIONS or node.keywords:
            what = "names for arguments" if node.keywords else ast.unparse(node.func)
            raise ExpressionError(no_such("function", what, _FUNCTIONS))
        given = [self.value(each, loop) for each in node.args]
        for each in given:
            if isinstance(each, Table):
                raise ExpressionError(f"{name}({each.name}) needs {each.name}[{', '.join(each.over)}]")
        return _FUNCTIONS[name](given)


def every(items: Iterable[Condition]) -> Condition:
    """All of these, constants folded."""
    left: list[Condition] = []
    for each in items:
        if each is False:
            return False
        if each is not True:
            left.append(each)
    return left[0] if len(left) == 1 else (Every(left) if left else True)


def some(items: Iterable[Condition]) -> Condition:
    """At least one of these, constants folded."""
    left: list[Condition] = []
    for each in items:
        if each is True:
            return True
        if each is not False:
            left.append(each)
    return left[0] if len(left) == 1 else (Some(left) if left else False)


def _flat(index: Value) -> tuple[Value, ...]:
    return tuple(part for each in index for part in _flat(each)) if isinstance(index, tuple) else (index,)


def _member(value: Value) -> Value:
    """A value as a member of a set: whole numbers are plain."""
    if isinstance(value, tuple):
        return tuple(map(_member, value))
    number = a.plain(value)
    if number is None:
        return value
    return int(number) if number == int(number) else Fraction(number)


def _items(given: Sequence[Value]) -> Sequence[Value]:
    """The arguments of sum, min and their like: one list, or several values."""
    return given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given


def _exactly(name: str, given: Sequence[Value], count: int) -> Sequence[Value]:
    if len(given) != count:
        raise ExpressionError(f"{name} takes {count} argument{'s' * (count > 1)}, not {len(given)}")
    return given


def _implies(given: Sequence[Value]) -> Condition:
    premise, conclusion = (a.as_condition(each) for each in _exactly("implies", given, 2))
    return some([negated(premise), conclusion])


def _iff(given: Sequence[Value]) -> Condition:
    one, other = (a.as_condition(each) for each in _exactly("iff", given, 2))
    return every([some([negated(one), other]), some([negated(other), one])])


def _range(given: Sequence[Value]) -> list[int]:
    ends = [a.plain(each) for each in given]
    if not 1 <= len(ends) <= 3 or any(end is None or end != int(end) for end in ends):
        raise ExpressionError("range takes one to three whole constants")
    found = range(*(int(end) for end in ends if end is not None))
    if len(found) > MAX_STEPS:
        raise ExpressionError("range is too long")
    return list(found)


def _len(given: Sequence[Value]) -> int:
    (one,) = _exactly("len", given, 1)
    if not isinstance(one, list | tuple):
        raise ExpressionError("len takes a set or a list")
    return len(one)


_OPERATORS: Mapping[type[ast.cmpop], str] = {
    ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="
}  # fmt: skip
_ARTICLES = {
    "Attribute": "a dot between names", "Lambda": "a lambda", "DictComp": "a dictionary", "Dict": "a dictionary",
    "SetComp": "braces", "Set": "braces", "JoinedStr": "an f-string", "NamedExpr": ":=", "Starred": "a star",
    "Await": "await", "Yield": "yield",
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[[Sequence[Value]], Value]] = {
    "sum": lambda given: a.added(_items(given)),
    "all": lambda given: every(a.as_condition(each) for each in _items(given)),
    "any": lambda given: some(a.as_condition(each) for each in _items(given)),
    "count": lambda given: a.added(a.as_sum(a.as_condition(each)) for each in _items(given)),
    "min": lambda given: a.extreme("min", _items(given)),
    "max": lambda given: a.extreme("max", _items(given)),
    "abs": lambda given: a.extreme("abs", _exactly("abs", given, 1)),
    "len": _len,
    "range": _range,
    "floor": lambda given: a.rounded("floor", *_exactly("floor", given, 1)),
    "ceil": lambda given: a.rounded("ceil", *_exactly("ceil", given, 1)),
    "implies": _implies,
    "iff": _iff,
    **{name: global_constraints.maker(name) for name in global_constraints.NAMES},
}
FUNCTIONS = tuple(_FUNCTIONS)
