"""Solve a formulation: choose the engine, verify its answer without it, and explain where there is none."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import evolve, frozen

from packhorse_discovery.domain.formulation.arithmetic import plain
from packhorse_discovery.domain.formulation.fault import Fault, FormulationError
from packhorse_discovery.domain.formulation.form import DEFAULT_HIGH, Formulation, Rule
from packhorse_discovery.domain.formulation.terms import Linear, Variable, scaled
from packhorse_discovery.solver.formulation.encoding import CannotEncodeError, Outcome, Status

TOLERANCE = Fraction(1, 1_000_000)
"""By how much, of its size, a rule over real variables may be missed: engines work to about 1e-7 of it."""


@frozen
class Answer:
    """What solving gave. ``values`` are there only where every rule was verified.

    ``objective`` is worked out from the values, ``bound`` is the engine's: no answer is better. ``conflict`` are the
    rules that cannot hold together; without any one of them the others can where ``minimal``.
    """

    status: Status
    engine: str
    values: Mapping[Variable, Fraction] | None = None
    objective: Fraction | None = None
    bound: Fraction | None = None
    conflict: tuple[Rule, ...] = ()
    minimal: bool = False
    at_default: tuple[str, ...] = ()
    seconds: float = 0.0


def solve(formulation: Formulation, *, seconds: float = 20.0, seed: int = 0) -> Answer:
    """The best answer found within ``seconds`` of wall time, one thread.

    Raises:
        FormulationError: no engine has a form for a rule, or the answer broke a rule when it was verified.
    """
    begun = time.monotonic()
    goal = _downwards(formulation)
    (status, values, bound), engine = _run(formulation, formulation.rules, goal, seconds, seed)
    if goal is not None and status in ("unknown", "unbounded", "infeasible") and engine != "CP-SAT":
        status = _settled(formulation, status, seconds - (time.monotonic() - begun), seed)
    answer = Answer(status, engine)
    if status == "infeasible":
        conflict, minimal = _conflict(formulation, begun + seconds, seed)
        answer = evolve(answer, conflict=conflict, minimal=minimal)
    elif values:
        answer = _verified(formulation, answer, values, bound)
    return evolve(answer, seconds=time.monotonic() - begun)


def verify(formulation: Formulation, values: Mapping[Variable, Fraction]) -> tuple[list[str], Fraction | None]:
    """What the values break, by name, and the goal worked out from them; no solver object takes part."""
    broken = [f"var {each.label}" for each, value in values.items() if not _within(each, value)]
    evaluator = formulation.evaluator(values, TOLERANCE)
    broken += [f"rule {rule.name}" for rule in formulation.rules if evaluator.condition(rule.tree) is not True]
    goal = formulation.goal
    total = plain(evaluator.sum(goal.tree)) if goal else None
    return broken, None if total is None else Fraction(total)


def _downwards(formulation: Formulation) -> Linear | None:
    goal = formulation.goal
    if goal is None:
        return None
    return goal.total if goal.sense == "minimize" else scaled(goal.total, Fraction(-1))


def _run(
    formulation: Formulation, rules: Sequence[Rule], goal: Linear | None, seconds: float, seed: int
) -> tuple[Outcome, str]:
    """What the engine gave with only ``rules`` kept, and its name."""
    from packhorse_discovery.solver.formulation import cp_sat, linear

    try:
        if any(each.kind == "real" for each in formulation.variables):
            return linear.solve(linear.LinearEncoding(formulation, rules, goal), seconds, seed), "SCIP"
        try:
            return cp_sat.solve(cp_sat.CpSatEncoding(formulation, rules, goal), seconds, seed), "CP-SAT"
        except CannotEncodeError as exact:  # numbers too large for whole arithmetic may still do in floating point
            try:
                encoding = linear.LinearEncoding(formulation, rules, goal)
            except CannotEncodeError:
                raise exact from None
            return linear.solve(encoding, seconds, seed), "SCIP"
    except CannotEncodeError as exc:
        where, _, words = str(exc).partition(": ")
        raise FormulationError([Fault(where, words) if words else Fault("formulation", where)]) from exc


def _settled(formulation: Formulation, status: Status, seconds: float, seed: int) -> Status:
    """An engine that says infeasible or unbounded may mean either: without a goal it is one of them."""
    (without, *_), _ = _run(formulation, formulation.rules, None, max(seconds, 1.0), seed)
    if without == "infeasible":
        return "infeasible"
    return "unbounded" if without == "optimal" and status in ("unbounded", "infeasible") else status


def _verified(
    formulation: Formulation, answer: Answer, values: dict[Variable, Fraction], bound: Fraction | None
) -> Answer:
    broken, objective = verify(formulation, values)
    if broken:
        raise FormulationError(
            [Fault(each, f"is broken by the answer that {answer.engine} gave, so it is withheld") for each in broken]
        )
    goal = formulation.goal
    if goal is None:
        return evolve(answer, status="satisfied", values=values)
    assumed = {
        each.label
        for each, value in values.items()
        if each.kind == "int" and abs(value) == DEFAULT_HIGH and each.high == DEFAULT_HIGH
    }
    if assumed:
        return evolve(answer, status="unbounded", at_default=tuple(sorted(assumed)))
    if bound is not None and goal.sense == "maximize":
        bound = -bound
    return evolve(answer, values=values, objective=objective, bound=bound)


def _within(variable: Variable, value: Fraction) -> bool:
    slack = TOLERANCE * max(Fraction(1), abs(value)) if variable.kind == "real" else Fraction(0)
    return (
        (variable.low is None or value >= variable.low - slack)
        and (variable.high is None or value <= variable.high + slack)
        and (variable.kind == "real" or value.denominator == 1)
    )


def _conflict(formulation: Formulation, until: float, seed: int) -> tuple[tuple[Rule, ...], bool]:
    """Rules that cannot hold together, by deletion (Chinneck, Feasibility and Infeasibility, 2008, section 6.2)."""
    kept = list(formulation.rules)
    minimal = True
    for rule in formulation.rules:
        left = until - time.monotonic()
        rest = [each for each in kept if each is not rule]
        status = _run(formulation, rest, None, max(left, 0.2), seed)[0][0] if left > 0 else "unknown"
        if status == "infeasible":
            kept = rest
        minimal = minimal and status != "unknown"
    return tuple(kept), minimal
