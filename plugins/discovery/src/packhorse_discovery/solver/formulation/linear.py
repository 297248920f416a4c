"""Formulations with real variables: GLOP where all are real, SCIP where some are whole, both in OR-tools.

Conditions become big-M rows (Williams, Model Building in Mathematical Programming, 5th ed., section 9.2) from the
bounds that are declared or follow from the rules, never from a large number of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

from packhorse_discovery.domain.formulation.arithmetic import is_bit
from packhorse_discovery.domain.formulation.form import Formulation, Rule
from packhorse_discovery.domain.formulation.terms import (
    Atom,
    Extreme,
    Global,
    Linear,
    Product,
    Variable,
    scaled,
)
from packhorse_discovery.solver.formulation.bounds import Span
from packhorse_discovery.solver.formulation.encoding import CannotEncodeError, Column, Encoding, Outcome, Terms

_GAP = 1e-9


class LinearEncoding(Encoding):
    """A linear or mixed-integer model."""

    def __init__(self, formulation: Formulation, rules: Sequence[Rule], goal: Linear | None) -> None:
        self.engine = pywraplp.Solver.CreateSolver("SCIP")
        super().__init__(formulation, rules, goal)

    def _variable(self, label: str, span: Span, *, whole: bool) -> Any:
        infinity = self.engine.infinity()
        low, high = (
            (-infinity if span[0] is None else float(span[0])),
            (infinity if span[1] is None else float(span[1])),
        )
        if low > high:
            self.engine.Constraint(1.0, 1.0)  # a row of nothing that is to be 1: no answer
            low = high
        return self.engine.IntVar(low, high, label) if whole else self.engine.NumVar(low, high, label)

    def relate(self, terms: Terms, constant: Fraction, operator: str, when: Column | None) -> None:
        infinity = self.engine.infinity()
        if when is not None:
            low, high = self.span(terms, constant)
            self._big_m(terms, constant, high, when)
            if operator == "==":
                opposite = {column: -number for column, number in terms.items()}
                self._big_m(opposite, -constant, None if low is None else -low, when)
            return
        row = self.engine.Constraint(-infinity if operator == "<=" else float(-constant), float(-constant))
        for column, number in terms.items():
            row.SetCoefficient(column.variable, float(number))

    def _big_m(self, terms: Terms, constant: Fraction, high: Fraction | None, when: Column) -> None:
        if high is None:
            open_ones = [
                column.label
                for column, number in terms.items()
                if column.span[1 if number > 0 else 0] is None and column.label
            ]
            raise CannotEncodeError(
                f"depends on a condition, for which {', '.join(open_ones[:3]) or 'its variables'} must be bounded: "
                "declare low and high"
            )
        if high > 0:
            self.relate({**terms, when: terms.get(when, Fraction(0)) + high}, constant - high, "<=", None)

    def optimise(self, terms: Terms, constant: Fraction) -> None:
        goal = self.engine.Objective()
        for column, number in terms.items():
            goal.SetCoefficient(column.variable, float(number))
        goal.SetOffset(float(constant))
        goal.SetMinimization()

    def nonlinear(self, atom: Atom, direction: int) -> tuple[Column, Fraction]:
        match atom:
            case Extreme(kind, items):
                return self._extreme(kind, items, direction), Fraction(1)
            case Product(left, right):
                return self._product(left, right), Fraction(1)
        raise CannotEncodeError(
            "has a variable as index beside real variables; make every variable int, or choose by bool variables"
        )

    def constrain(self, rule: Global) -> None:
        reals = [name for name, block in self.formulation.blocks.items() if block.kind == "real"]
        raise CannotEncodeError(
            f"uses {rule.kind} for whole variables, and {', '.join(reals[:3])} is real; make every variable int"
        )

    def _extreme(self, kind: str, items: Sequence[Linear], direction: int) -> Any:
        """Max and min from the side that the goal or rule presses on, else from both by choosing the binding item."""
        spans = [self.span(*self.flat(each, 0)) for each in items]
        sign = Fraction(1 if kind == "max" else -1)
        choose = max if kind == "max" else min
        ends = [
            None if any(span[side] is None for span in spans) else choose(span[side] for span in spans)  # type: ignore[type-var]
            for side in (0, 1)
        ]
        column = self.new("", (ends[0], ends[1]), whole=False)
        gaps = []
        for each in items:
            terms, constant = self.flat(scaled(each, sign), 0)
            terms[column] = terms.get(column, Fraction(0)) - sign
            self.relate(terms, constant, "<=", None)
            gaps.append(({key: -number for key, number in terms.items()}, -constant))
        if direction != sign:
            bits = []
            for terms, constant in gaps:
                bits.append(self.bit())
                self.relate(terms, constant, "<=", bits[-1])
            self.relate(dict.fromkeys(bits, Fraction(-1)), Fraction(1), "<=", None)
        return column

    def _product(self, left: Linear, right: Linear) -> Any:
        """A 0/1 variable times a bounded sum (McCormick, Math. Programming 10 (1976) 147, exact here)."""
        bit, other = (left, right) if is_bit(left) else (right, left)
        if not is_bit(bit):
            raise CannotEncodeError(
                "multiplies two int variables beside real ones; make one bool, or every variable int"
            )
        ((switch, _),) = self.flat(bit, 0)[0].items()
        terms, constant = self.flat(other, 0)
        low, high = self.span(terms, constant)
        if low is None or high is None:
            raise CannotEncodeError("multiplies a bool by a sum without bounds; declare low and high of its variables")
        column = self.new("", (min(low, Fraction(0)), max(high, Fraction(0))), whole=False)
        one = Fraction(1)
        self.relate({column: one, switch: -high}, Fraction(0), "<=", None)
        self.relate({column: -one, switch: low}, Fraction(0), "<=", None)
        for sign, end in ((one, low), (-one, high)):  # column <= other - low*(1 - switch), and the other way for high
            row = {key: -sign * number for key, number in terms.items()}
            row[column] = row.get(column, Fraction(0)) + sign
            row[switch] = row.get(switch, Fraction(0)) - sign * end
            self.relate(row, sign * (end - constant), "<=", None)
        return column


def solve(encoding: LinearEncoding, seconds: float, seed: int) -> Outcome:
    """The best answer found in this time by one thread."""
    engine = encoding.engine
    engine.SetTimeLimit(max(int(seconds * 1000), 10))
    engine.SetSolverSpecificParametersAsString(f"randomization/randomseedshift = {seed}\n")
    settings = pywraplp.MPSolverParameters()
    settings.SetDoubleParam(settings.RELATIVE_MIP_GAP, _GAP)
    outcome = engine.Solve(settings)
    if outcome == engine.INFEASIBLE:
        return "infeasible", {}, None
    if outcome == engine.UNBOUNDED:
        return "unbounded", {}, None
    if outcome not in (engine.OPTIMAL, engine.FEASIBLE):
        return "unknown", {}, None
    values = {
        variable: _value(variable, column.variable.solution_value()) for variable, column in encoding.columns.items()
    }
    found = engine.Objective().BestBound()
    bound = Fraction(found) if encoding.formulation.goal and isfinite(found) else None
    return ("optimal" if outcome == engine.OPTIMAL else "feasible"), values, bound


def _value(variable: Variable, number: float) -> Fraction:
    """The engine's number; whole where the variable is, and a simple fraction where it is one to 1e-9."""
    if variable.kind != "real":
        return Fraction(round(number))
    simple = Fraction(number).limit_denominator(10_000)
    return (
        simple
        if abs(simple - Fraction(number)) <= Fraction(1, 10**8) * max(Fraction(1), abs(simple))
        else Fraction(number)
    )
