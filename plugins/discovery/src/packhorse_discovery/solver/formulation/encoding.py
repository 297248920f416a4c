"""Conditions and sums of a formulation, walked once for every engine; an engine supplies its few primitives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Literal

from attrs import frozen

from packhorse_discovery.domain.formulation.fault import ExpressionError
from packhorse_discovery.domain.formulation.form import Formulation, Rule
from packhorse_discovery.domain.formulation.terms import (
    Atom,
    Condition,
    Every,
    Global,
    Linear,
    Relation,
    Some,
    Truth,
    Variable,
    is_whole,
    negated,
    scaled,
)
from packhorse_discovery.solver.formulation.bounds import Span, propagated, span_of


@frozen(eq=False)
class Column:
    """A variable of the engine, with its name where it has one, and its span."""

    variable: Any
    label: str
    span: Span


Status = Literal["optimal", "satisfied", "feasible", "infeasible", "unbounded", "unknown"]
Outcome = tuple[Status, dict[Variable, Fraction], Fraction | None]
"""Status, the value of each variable, and what no answer is below; no values where there is no answer."""

Terms = dict[Column, Fraction]
"""Coefficients by variable of the engine."""


class CannotEncodeError(ValueError):
    """The engine has no form for this; the message names what and the remedy."""


class Encoding(ABC):
    """An engine's model under construction; ``goal`` is made as small as can be.

    ``when`` is a 0/1 variable of the engine: the rule binds where it is 1, and always where it is None.
    """

    def __init__(self, formulation: Formulation, rules: Sequence[Rule], goal: Linear | None) -> None:
        self.formulation = formulation
        self.columns: dict[Variable, Column] = {}
        self._atoms: dict[tuple[int, int], tuple[Column, Fraction]] = {}
        for variable, span in propagated(formulation.variables, [rule.condition for rule in rules]).items():
            self.columns[variable] = self.new(variable.label, span, whole=variable.kind != "real")
        for rule in rules:
            try:
                self.add(rule.condition)
            except (CannotEncodeError, ExpressionError, ValueError) as exc:
                raise CannotEncodeError(f"rule {rule.name}: {exc}") from exc
        if goal is not None:
            try:
                self.optimise(*self.flat(goal, 1))
            except ValueError as exc:
                raise CannotEncodeError(f"goal: {exc}") from exc

    @abstractmethod
    def _variable(self, label: str, span: Span, *, whole: bool) -> Any:
        """A new variable of the engine."""

    @abstractmethod
    def relate(self, terms: Terms, constant: Fraction, operator: str, when: Column | None) -> None:
        """``terms + constant`` is <= or == 0."""

    @abstractmethod
    def nonlinear(self, atom: Atom, direction: int) -> tuple[Column, Fraction]:
        """A variable, and the factor by which it gives the atom; an over-estimate will do where ``direction`` is 1."""

    @abstractmethod
    def constrain(self, rule: Global) -> None:
        """A global constraint, which always binds."""

    @abstractmethod
    def optimise(self, terms: Terms, constant: Fraction) -> None:
        """Make the sum as small as can be."""

    def new(self, label: str, span: Span, *, whole: bool) -> Column:
        """A new variable."""
        return Column(self._variable(label, span, whole=whole), label, span)

    def bit(self) -> Column:
        """A new 0/1 variable."""
        return self.new("", (Fraction(0), Fraction(1)), whole=True)

    def flat(self, total: Linear, direction: int) -> tuple[Terms, Fraction]:
        """A sum over the engine's variables; ``direction`` 1 where only its smallness matters, 0 where it is exact."""
        terms: Terms = {}
        for atom, number in total.coefficients.items():
            if isinstance(atom, Variable):
                column, factor = self.columns[atom], Fraction(1)
            else:
                sign = 0 if direction == 0 else (1 if number > 0 else -1)
                found = self._atoms.get((id(atom), sign)) or self._atoms.get((id(atom), 0))
                if found is None:
                    made = self.truth(atom, sign) if isinstance(atom, Truth) else self.nonlinear(atom, sign)
                    found = self._atoms[(id(atom), sign)] = made
                column, factor = found
            terms[column] = terms.get(column, Fraction(0)) + number * factor
        return terms, total.constant

    def add(self, condition: Condition, when: Column | None = None) -> None:
        """A condition, binding where ``when`` is 1."""
        match condition:
            case bool():
                if not condition:
                    self.relate({} if when is None else {when: Fraction(1)}, Fraction(when is None), "<=", None)
            case Every(items):
                for each in items:
                    self.add(each, when)
            case Some(items):
                terms = dict.fromkeys((self.literal(each) for each in items), Fraction(-1))
                self.relate(
                    {**terms, **({} if when is None else {when: Fraction(1)})}, Fraction(when is None), "<=", None
                )
            case Global():
                if when is not None:
                    raise CannotEncodeError(
                        f"{condition.kind} may not depend on a condition; give its rows a third value"
                    )
                self.constrain(condition)
            case Relation("!=", left):
                self.add(Some([Relation("<", left), Relation("<", scaled(left, Fraction(-1)))]), when)
            case Relation("<", left):
                self.add(Relation("<=", _below(left)), when)
            case Relation(operator, left):
                self.relate(*self.flat(left, 1 if operator == "<=" else 0), operator, when)

    def literal(self, condition: Condition) -> Column:
        """A 0/1 variable; where it is 1 the condition holds."""
        match condition:
            case Relation("<=", Linear(coefficients, constant)) if constant == 1 and len(coefficients) == 1:
                ((atom, number),) = coefficients.items()
                if isinstance(atom, Variable) and atom.kind == "bool" and number == -1:
                    return self.columns[atom]
        bit = self.bit()
        self.add(condition, bit)
        return bit

    def truth(self, atom: Truth, direction: int) -> tuple[Column, Fraction]:
        """A 0/1 variable that is 1 exactly where the condition holds; at least then, or at most, by ``direction``."""
        holds, fails = self.bit(), self.bit()
        self.relate({holds: Fraction(1), fails: Fraction(1)}, Fraction(-1), "==", None)
        if direction <= 0:
            self.add(atom.condition, holds)
        if direction >= 0:
            self.add(negated(atom.condition), fails)
        return holds, Fraction(1)

    def span(self, terms: Terms, constant: Fraction) -> Span:
        """Between which ends a sum lies."""
        return span_of([(column.span, number) for column, number in terms.items()], constant)


def denominator(*sums: Linear) -> int:
    """The least number by which all coefficients become whole."""
    return lcm(*(number.denominator for each in sums for number in (*each.coefficients.values(), each.constant)))


def _below(left: Linear) -> Linear:
    """What is <= 0 exactly where ``left`` is < 0."""
    if not is_whole(left):
        raise CannotEncodeError("is strict (< or >) on a real variable, where no best answer exists; write <= or >=")
    found = scaled(left, Fraction(denominator(left)))
    return Linear(found.coefficients, found.constant + 1)
