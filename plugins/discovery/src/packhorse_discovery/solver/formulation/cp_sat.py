"""Formulations of whole variables in OR-tools CP-SAT."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite, lcm
from typing import Any

from ortools.sat.python import cp_model

from packhorse_discovery.domain.formulation.form import Formulation, Rule
from packhorse_discovery.domain.formulation.terms import Atom, Element, Extreme, Global, Linear, Product
from packhorse_discovery.solver.formulation.bounds import Span
from packhorse_discovery.solver.formulation.encoding import (
    CannotEncodeError,
    Column,
    Encoding,
    Outcome,
    Terms,
    denominator,
)

_LARGEST = 2**50
"""Sums beyond this are left to the linear engine: CP-SAT's own limit is 2**63 for a whole constraint."""


class CpSatEncoding(Encoding):
    """A CP-SAT model; every coefficient is made whole by the least common denominator of its constraint."""

    def __init__(self, formulation: Formulation, rules: Sequence[Rule], goal: Linear | None) -> None:
        self.model = cp_model.CpModel()
        self.scale = Fraction(1)
        super().__init__(formulation, rules, goal)

    def _variable(self, label: str, span: Span, *, whole: bool) -> Any:
        low, high = span
        if low is None or high is None:
            raise CannotEncodeError(f"{label} has no bounds")
        if low > high:
            self.model.add_bool_or([])
            return self.model.new_int_var(int(high), int(high), label)
        return self.model.new_int_var(int(low), int(high), label)

    def relate(self, terms: Terms, constant: Fraction, operator: str, when: Column | None) -> None:
        total, _ = self._whole(terms, constant)
        made = self.model.add(total <= 0 if operator == "<=" else total == 0)
        if when is not None:
            made.only_enforce_if(when.variable)

    def optimise(self, terms: Terms, constant: Fraction) -> None:
        total, self.scale = self._whole(terms, constant)
        self.model.minimize(total)

    def nonlinear(self, atom: Atom, direction: int) -> tuple[Column, Fraction]:
        match atom:
            case Product(left, right):
                one, first = self._exact(left)
                other, second = self._exact(right)
                ends = [x * y for x in self._ends(left, first) for y in self._ends(right, second)]
                column = self.new("", (min(ends), max(ends)), whole=True)
                self.model.add_multiplication_equality(column.variable, [one, other])
                return column, 1 / (first * second)
            case Extreme(kind, items):
                scale = Fraction(denominator(*items))
                sums = [self._exact(each, scale)[0] for each in items]
                spans = [self._ends(each, scale) for each in items]
                choose = max if kind == "max" else min
                column = self.new("", (choose(low for low, _ in spans), choose(high for _, high in spans)), whole=True)
                (self.model.add_max_equality if kind == "max" else self.model.add_min_equality)(column.variable, sums)
                return column, 1 / scale
            case Element(items, index, first_member):
                scale = Fraction(denominator(*items))
                sums = [self._exact(each, scale)[0] for each in items]
                spans = [self._ends(each, scale) for each in items]
                at, factor = self._exact(index)
                if factor != 1:
                    raise CannotEncodeError("has an index that is not whole")
                column = self.new("", (min(low for low, _ in spans), max(high for _, high in spans)), whole=True)
                self.model.add_element(at - first_member, sums, column.variable)
                return column, 1 / scale
        raise CannotEncodeError(f"holds {type(atom).__name__}")

    def constrain(self, rule: Global) -> None:
        match rule.kind:
            case "all_different":
                scale = self._scale([row[0] for row in rule.rows])
                self.model.add_all_different([self._exact(row[0], scale)[0] for row in rule.rows])  # type: ignore[arg-type]
            case "no_overlap":
                self.model.add_no_overlap(self._intervals(rule, Fraction(self._scale_of_times(rule)), optional=True))
            case "cumulative":
                assert rule.capacity is not None  # noqa: S101 -- as it is built
                demands = [row[2] for row in rule.rows]
                scale = self._scale([*demands, rule.capacity])
                self.model.add_cumulative(
                    self._intervals(rule, Fraction(self._scale_of_times(rule)), optional=False),
                    [self._exact(each, scale)[0] for each in demands],  # type: ignore[arg-type]
                    self._exact(rule.capacity, scale)[0],
                )
            case "circuit":
                nodes: dict[Any, int] = {}
                arcs = []
                for start, end, used in rule.rows:
                    column, factor = self._exact(used)  # type: ignore[arg-type]
                    if factor != 1:
                        raise CannotEncodeError("circuit takes bool variables as the third value of a row")
                    ends = [nodes.setdefault(each, len(nodes)) for each in (start, end)]
                    arcs.append((*ends, self._as_bool(column)))
                self.model.add_circuit(arcs)

    def _intervals(self, rule: Global, scale: Fraction, *, optional: bool) -> list[Any]:
        made = []
        for row in rule.rows:
            start, length = (self._exact(each, scale)[0] for each in row[:2])  # type: ignore[arg-type]
            if optional and len(row) > 2:
                present = self._as_bool(self._exact(row[2])[0])  # type: ignore[arg-type]
                made.append(self.model.new_optional_interval_var(start, length, start + length, present, ""))
            else:
                made.append(self.model.new_interval_var(start, length, start + length, ""))
        return made

    def _scale_of_times(self, rule: Global) -> Fraction:
        return self._scale([each for row in rule.rows for each in row[:2]])

    def _scale(self, sums: Sequence[Any]) -> Fraction:
        return Fraction(denominator(*sums))

    def _as_bool(self, column: Any) -> Any:
        """A 0/1 variable where CP-SAT wants a literal; sums and constants get a variable of their own."""
        if isinstance(column, cp_model.IntVar):
            return column
        made = self.model.new_bool_var("")
        self.model.add(made == column)
        return made

    def _exact(self, total: Linear, scale: Fraction | None = None) -> tuple[Any, Fraction]:
        terms, constant = self.flat(total, 0)
        return self._whole(terms, constant, scale)

    def _ends(self, total: Linear, scale: Fraction) -> tuple[Fraction, Fraction]:
        low, high = self.span(*self.flat(total, 0))
        assert low is not None and high is not None  # noqa: S101, PT018 -- every whole variable has bounds
        return low * scale, high * scale

    def _whole(self, terms: Terms, constant: Fraction, scale: Fraction | None = None) -> tuple[Any, Fraction]:
        if scale is None:
            scale = Fraction(lcm(*(number.denominator for number in terms.values()), constant.denominator))
        else:  # the factors of nonlinear parts may need more
            more = lcm(*((number * scale).denominator for number in terms.values()))
            if more != 1:
                raise CannotEncodeError("nests divisions in max, min, abs or a global constraint; multiply them out")
        size = sum((abs(number) * max(map(abs, self._finite(each))) for each, number in terms.items()), abs(constant))
        if size * scale > _LARGEST:
            raise CannotEncodeError("has numbers too large for exact whole arithmetic; declare a lower high")
        columns, numbers = [each.variable for each in terms], [int(number * scale) for number in terms.values()]
        total = cp_model.LinearExpr.weighted_sum(columns, numbers) + int(constant * scale)
        return (columns[0] if numbers == [1] and constant == 0 else total), scale

    def _finite(self, column: Column) -> tuple[Fraction, Fraction]:
        low, high = column.span
        return low or Fraction(0), high or Fraction(0)


def solve(encoding: CpSatEncoding, seconds: float, seed: int) -> Outcome:
    """The best answer found in this time by one thread."""
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(seconds, 0.01)
    solver.parameters.random_seed = seed
    solver.parameters.num_workers = 1
    outcome = solver.solve(encoding.model)
    if outcome == cp_model.MODEL_INVALID:
        raise CannotEncodeError("has numbers too large for exact whole arithmetic; declare a lower high")
    if outcome not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return ("infeasible" if outcome == cp_model.INFEASIBLE else "unknown"), {}, None
    values = {variable: Fraction(solver.value(column.variable)) for variable, column in encoding.columns.items()}
    found = solver.best_objective_bound
    bound = Fraction(round(found)) / encoding.scale if encoding.formulation.goal and isfinite(found) else None
    return ("optimal" if outcome == cp_model.OPTIMAL else "feasible"), values, bound
