"""Why no schedule exists, in the interview's words, and what would help.

The clash is an irreducible inconsistent subset found by deletion (Chinneck,
Feasibility and Infeasibility in Optimization, 2008, section 6.2), started
from the assumptions that CP-SAT itself reports. The relaxation gives up as
few rules as possible, the least reluctant first, each by as little as
possible; `rules.GIVES_WAY` is that order.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.domain.models.rules import GIVES_WAY, Rule, rules
from packhorse_discovery.solver.encoding import Encoding, encode
from packhorse_discovery.solver.solve import solver_with

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@frozen
class Yielded:
    """A rule given up: ``by`` ticks or units where it gives way by degrees, None where it falls away altogether."""

    rule: Rule
    by: int | None
    words: str


@frozen
class Explanation:
    """Whether and why a model has no schedule.

    ``feasible`` is None when the time ran out first. ``minimal`` says that
    without any one of ``clash`` the rest of it can be kept; ``cheapest`` that
    no smaller relaxation exists.
    """

    feasible: bool | None
    clash: tuple[Rule, ...] = ()
    minimal: bool = False
    relaxation: tuple[Yielded, ...] = ()
    cheapest: bool = False
    sentences: tuple[str, ...] = ()


def explain(model: Model, *, seconds: float = 30.0, seed: int = 0) -> Explanation:
    """Which statements of the interview cannot hold together, and the least change after which all can.

    ``seconds`` is wall time, one thread.
    """
    search = _Search(model, time.monotonic() + seconds, seed)
    feasible = search.can_hold(search.every)
    if feasible is None:
        return Explanation(None, sentences=("The time ran out before it was clear whether a schedule exists.",))
    if feasible:
        return Explanation(True, sentences=("A schedule exists that keeps every statement.",))
    clash, minimal = search.clash()
    relaxation, cheapest = search.relaxation()
    sentences = _sentences(clash, minimal, relaxation, cheapest)
    return Explanation(False, clash, minimal, relaxation, cheapest, sentences)


class _Search:
    def __init__(self, model: Model, until: float, seed: int) -> None:
        self.model, self.until, self.seed = model, until, seed
        self.every = rules(model)
        self.made, self.literal = self._encoded()
        self.core: list[Rule] = list(self.every)

    def _encoded(self) -> tuple[Encoding, dict[Rule, cp_model.IntVar]]:
        from ortools.sat.python import cp_model

        cp = cp_model.CpModel()
        literals = {rule: cp.new_bool_var(f"keep {rule.kind} {rule.index}") for rule in self.every}
        return encode(self.model, literals, cp), literals

    def _left(self) -> float:
        return self.until - time.monotonic()

    def can_hold(self, kept: Sequence[Rule]) -> bool | None:
        """Whether a schedule keeps these rules at least; None when the time ran out."""
        from ortools.sat.python import cp_model

        if self._left() <= 0:
            return None
        cp = self.made.cp
        cp.clear_assumptions()
        cp.add_assumptions([self.literal[rule] for rule in kept])
        solver = solver_with(self._left(), self.seed, 1)
        outcome = solver.solve(cp)
        if outcome == cp_model.INFEASIBLE:
            indices = set(solver.sufficient_assumptions_for_infeasibility())
            core = [rule for rule in kept if self.literal[rule].index in indices]
            self.core = core or list(kept)
            return False
        return True if outcome in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None

    def clash(self) -> tuple[tuple[Rule, ...], bool]:
        minimal = True
        needed: list[Rule] = []
        open_rules = sorted(self.core, key=lambda rule: -rule.reluctance)
        while open_rules:
            tried = open_rules.pop(0)
            holds = self.can_hold([*needed, *open_rules])
            if holds is False:
                core = set(self.core)
                open_rules = [rule for rule in open_rules if rule in core]
                continue
            minimal = minimal and holds is not None
            needed.append(tried)
        place = {rule: index for index, rule in enumerate(self.every)}
        return tuple(sorted(needed, key=place.__getitem__)), minimal

    def relaxation(self) -> tuple[tuple[Yielded, ...], bool]:
        made, literal, cp = self.made, self.literal, self.made.cp
        cp.clear_assumptions()
        given: list[cp_model.LinearExprT] = [
            sum(~literal[rule] for rule in self.every if rule.reluctance == level)
            for level in reversed(range(len(GIVES_WAY)))
        ]
        given.append(sum(slack for rule, slack in made.slack.items() if rule.kind == "capacity"))
        given.append(sum(slack for rule, slack in made.slack.items() if rule.kind != "capacity"))
        solver = None
        cheapest = True
        for goal in given:
            attempt, proved = self._minimised(goal)
            cheapest = cheapest and proved
            if attempt is None:
                break
            solver = attempt
        if solver is None:
            return (), False
        found = []
        for rule in self.every:
            if not solver.value(literal[rule]):
                by = solver.value(made.slack[rule]) if rule in made.slack else None
                if by != 0:
                    found.append(Yielded(rule, by, _yielding(self.model, rule, by)))
        return tuple(found), cheapest

    def _minimised(self, goal: cp_model.LinearExprT) -> tuple[cp_model.CpSolver | None, bool]:
        from ortools.sat.python import cp_model

        if self._left() <= 0:
            return None, False
        self.made.cp.minimize(goal)
        solver = solver_with(self._left(), self.seed, 1)
        outcome = solver.solve(self.made.cp)
        if outcome not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None, False
        self.made.cp.add(goal <= round(solver.objective_value))
        return solver, outcome == cp_model.OPTIMAL


_RELIEVED = {
    "closed": "works outside its hours",
    "cleaning": "needs no cleaning between jobs",
    "setup": "needs no changeover times",
}


def _yielding(model: Model, rule: Rule, by: int | None) -> str:
    longer = model.clock.lasting(by) if by else ""
    match rule.kind:
        case "due":
            job = model.jobs[rule.index]
            due = job.due.value if job.due is not None else 0
            return f"{job.name or 'the work'} is finished {longer} later, by {model.clock.at(due + (by or 0))}"
        case "release":
            return f"{model.jobs[rule.index].name or 'the work'} may start {longer} earlier"
        case "wait":
            return f"{model.label(model.waits[rule.index].task)} may wait {longer} longer"
        case "capacity":
            return f"{by} more of {model.resources[rule.index].name}"
        case "closed" | "cleaning" | "setup" as kind:
            return f"{model.resources[rule.index].name} {_RELIEVED[kind]}"
        case "blocking":
            return f"{model.label(rule.index)} can leave its place as soon as it ends"
        case "spread":
            event = model.jobs[model.tasks[model.spreads[rule.index].tasks[0]].job]
            return f"{event.name} may take place more often on one day"
        case "starts":
            return f"{model.jobs[rule.index].name} may start at other times"
        case "duration":
            return f"{model.label(rule.index)} takes less time"
        case "occurrences":
            return f"{model.jobs[rule.index].name} takes place less often"
        case "same-order":
            return "jobs may overtake one another"
        case "link":
            return f"not this order: {rule.words}"


def _sentences(clash: Sequence[Rule], minimal: bool, relaxation: Sequence[Yielded], cheapest: bool) -> tuple[str, ...]:
    if not clash:
        return ("No schedule exists, whatever is given up: the durations and the order of the work alone forbid it.",)
    intro = "No schedule can keep all of these:" if len(clash) > 1 else "No schedule can keep this:"
    lines = [intro, *(f"- {rule.words} ({rule.source.words})." for rule in clash)]
    if minimal and len(clash) > 1:
        lines.append("Without any one of them, the others of this list can be kept.")
    if relaxation:
        start = "The least change that helps" if cheapest else "A change that helps"
        lines.append(f"{start}: {'; '.join(each.words for each in relaxation)}.")
    return tuple(lines)
