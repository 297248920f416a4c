"""A model as CP-SAT variables and constraints. OR-tools is imported by whoever calls `encode`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import define, field

from packhorse_discovery.domain.models.goals import bound, latest
from packhorse_discovery.domain.models.model import DUE_GOALS, Goal, Model
from packhorse_discovery.domain.models.rules import Rule, RuleKind

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Kept = Mapping[Rule, cp_model.IntVar]


@define
class Encoding:
    """The CP-SAT model of a scheduling model, with the variables that matter.

    ``present[t][m]`` says that task t is done in way m. ``slack`` has, for a
    rule that may be given up by degrees, by how much it is (ticks or units).
    """

    model: Model
    cp: cp_model.CpModel
    start: list[cp_model.IntVar] = field(factory=list)
    end: list[cp_model.LinearExprT] = field(factory=list)
    present: list[list[cp_model.IntVar]] = field(factory=list)
    finish: list[cp_model.IntVar] = field(factory=list)
    changeovers: list[cp_model.IntVar] = field(factory=list)
    goals: dict[str, cp_model.IntVar] = field(factory=dict)
    slack: dict[Rule, cp_model.IntVar] = field(factory=dict)


def encode(model: Model, kept: Kept | None = None, into: cp_model.CpModel | None = None) -> Encoding:
    """All constraints of ``model``, in a CP-SAT model of their own or added to ``into``.

    With ``kept``, literals of ``into``, each rule holds only where its literal
    is true, and gives way by a measured amount where it can; there are no
    goals then. Goals are not minimised here; each has a variable in ``goals``.
    """
    from ortools.sat.python import cp_model

    made = Encoding(model, cp_model.CpModel() if into is None else into)
    rules = {(rule.kind, rule.index): (rule, literal) for rule, literal in (kept or {}).items()}
    writer = _Writer(made, rules)
    writer.tasks()
    writer.links()
    writer.stages()
    writer.resources()
    writer.jobs()
    if kept is None:
        for goal in model.goals:
            made.goals[goal.kind] = writer.goal(goal)
    return made


@define
class _Writer:
    made: Encoding
    rules: Mapping[tuple[RuleKind, int], tuple[Rule, cp_model.IntVar]]

    def _if(self, kind: RuleKind, index: int) -> list[cp_model.IntVar]:
        """The literals under which a rule holds: none when it always does."""
        found = self.rules.get((kind, index))
        return [] if found is None else [found[1]]

    def _slack(self, kind: RuleKind, index: int, most: int) -> cp_model.IntVar | int:
        """By how much a rule gives way: 0 when it is kept."""
        found = self.rules.get((kind, index))
        if found is None:
            return 0
        rule, literal = found
        slack = self.made.cp.new_int_var(0, most, f"slack {kind} {index}")
        self.made.cp.add(slack == 0).only_enforce_if(literal)
        self.made.slack[rule] = slack
        return slack

    def tasks(self) -> None:
        made, cp, horizon = self.made, self.made.cp, self.made.model.horizon.value
        for index, task in enumerate(made.model.tasks):
            start = cp.new_int_var(0, horizon, f"start {index}")
            made.start.append(start)
            if len(task.modes) == 1:
                made.present.append([cp.new_constant(1)])
                made.end.append(start + task.modes[0].ticks.value)
            else:
                present = [cp.new_bool_var(f"way {index} {number}") for number in range(len(task.modes))]
                cp.add_exactly_one(present)
                made.present.append(present)
                end = cp.new_int_var(0, horizon, f"end {index}")
                for literal, mode in zip(present, task.modes, strict=True):
                    cp.add(end == start + mode.ticks.value).only_enforce_if(literal)
                made.end.append(end)
            cp.add(made.end[index] <= horizon)
            for literal, mode in zip(made.present[index], task.modes, strict=True):
                if mode.starts:
                    self._within(index, list(mode.starts), [literal, *self._if("starts", index)])

    def _within(self, task: int, ticks: list[int], literals: list[cp_model.IntVar]) -> None:
        from ortools.sat.python import cp_model

        domain = cp_model.Domain.from_values(ticks)
        self.made.cp.add_linear_expression_in_domain(self.made.start[task], domain).only_enforce_if(literals)

    def links(self) -> None:
        made, cp = self.made, self.made.cp
        for index, link in enumerate(made.model.links):
            before = made.start[link.before] if link.relation == "start-start" else made.end[link.before]
            after = made.end[link.after] if link.relation == "end-end" else made.start[link.after]
            cp.add(after >= before + link.lag.value).only_enforce_if(self._if("link", index))
        for index, wait in enumerate(made.model.waits):
            last = cp.new_int_var(0, made.model.horizon.value, f"last before {index}")
            cp.add_max_equality(last, [made.end[each] for each in wait.after])
            slack = self._slack("wait", index, made.model.horizon.value)
            cp.add(made.start[wait.task] <= last + wait.limit.value + slack)

    def stages(self) -> None:
        made, cp = self.made, self.made.cp
        jobs = range(len(made.model.jobs)) if made.model.stages else range(0)
        for first in jobs:
            for second in jobs[first + 1 :]:
                earlier = cp.new_bool_var(f"{first} before {second}")
                for stage in made.model.stages:
                    one, other = stage[first], stage[second]
                    cp.add(made.start[other] >= made.end[one]).only_enforce_if(earlier)
                    cp.add(made.start[one] >= made.end[other]).only_enforce_if(~earlier)

    def resources(self) -> None:
        model, made, cp = self.made.model, self.made, self.made.cp
        for index, resource in enumerate(model.resources):
            users = list(model.users(index))
            if not users:
                continue
            for task, mode, _ in users:
                self._open(index, task, mode)
            if resource.sequenced:
                self._sequence(index)
                continue
            intervals = [
                cp.new_optional_fixed_size_interval_var(
                    made.start[task],
                    model.tasks[task].modes[mode].ticks.value,
                    made.present[task][mode],
                    f"{task} {mode} on {index}",
                )
                for task, mode, _ in users
            ]
            amounts = [use.amount.value for _, _, use in users]
            slack = self._slack("capacity", index, sum(amounts))
            capacity = resource.capacity.value
            if isinstance(slack, int) and capacity == 1 and max(amounts) == 1:
                cp.add_no_overlap(intervals)
            else:
                cp.add_cumulative(intervals, amounts, capacity + slack)

    def _open(self, resource: int, task: int, mode: int) -> None:
        """Durations are fixed, so closed hours are ticks at which a task cannot start."""
        from ortools.sat.python import cp_model

        closed = self.made.model.resources[resource].closed
        if not closed:
            return
        ticks = 1 if self.made.model.tasks[task].runs_on else self.made.model.tasks[task].modes[mode].ticks.value
        shut = cp_model.Domain.from_intervals([[each.start - ticks + 1, each.end - 1] for each in closed])
        literals = [self.made.present[task][mode], *self._if("closed", resource)]
        self.made.cp.add_linear_expression_in_domain(self.made.start[task], shut.complement()).only_enforce_if(literals)

    def _sequence(self, index: int) -> None:
        """The order of tasks on one machine as a circuit, through a node that stands for before and after all."""
        model, made, cp = self.made.model, self.made, self.made.cp
        resource, users = model.resources[index], list(model.users(index))
        arcs: list[tuple[int, int, cp_model.LiteralT]] = [(0, 0, cp.new_bool_var(f"{index} unused"))]
        for a, (task, mode, _) in enumerate(users, start=1):
            arcs.append((a, a, ~made.present[task][mode]))
            arcs.append((0, a, cp.new_bool_var(f"{index} first {a}")))
            arcs.append((a, 0, cp.new_bool_var(f"{index} last {a}")))
            for b, (other, _, _) in enumerate(users, start=1):
                if a == b:
                    continue
                follows = cp.new_bool_var(f"{index} {a} then {b}")
                arcs.append((a, b, follows))
                families = model.tasks[task].family, model.tasks[other].family
                if families[0] != families[1]:
                    made.changeovers.append(follows)
                cp.add(made.start[other] >= made.end[task]).only_enforce_if(follows)
                setup = resource.setup(*families)
                if setup is not None and setup.value:
                    literals = [follows, *self._if("setup", index)]
                    cp.add(made.start[other] >= made.end[task] + setup.value).only_enforce_if(literals)
        cp.add_circuit(arcs)

    def jobs(self) -> None:
        made, cp, horizon = self.made, self.made.cp, self.made.model.horizon.value
        for index, job in enumerate(made.model.jobs):
            finish = cp.new_int_var(0, horizon, f"finish {index}")
            cp.add_max_equality(finish, [made.end[task] for task in made.model.tasks_of(index)])
            made.finish.append(finish)
            if job.release is not None and job.release.value:
                slack = self._slack("release", index, job.release.value)
                for task in made.model.tasks_of(index):
                    cp.add(made.start[task] >= job.release.value - slack)
            if job.due is not None and job.strict:
                cp.add(finish <= job.due.value + self._slack("due", index, latest(made.model, index)))

    def goal(self, goal: Goal) -> cp_model.IntVar:
        made, cp, model = self.made, self.made.cp, self.made.model
        value = cp.new_int_var(0, bound(model, goal.kind), goal.kind)
        if goal.kind in DUE_GOALS:
            cp.add(value == self._late(goal))
        elif goal.kind == "makespan":
            for finish in made.finish:
                cp.add(value >= finish)
        elif goal.kind == "changeovers":
            cp.add(value == sum(made.changeovers))
        else:
            cp.add(value == sum(self._idle(index) for index in range(len(model.resources))))
        return value

    def _late(self, goal: Goal) -> cp_model.LinearExprT:
        made, cp = self.made, self.made.cp
        terms: list[cp_model.LinearExprT] = []
        for index, (finish, job) in enumerate(zip(made.finish, made.model.jobs, strict=True)):
            if job.due is None:
                continue
            if goal.kind == "number-late":
                late = cp.new_bool_var(f"{job.name} is late")
                cp.add(finish <= job.due.value).only_enforce_if(~late)
                terms.append(late)
                continue
            by = cp.new_int_var(0, latest(made.model, index), f"{job.name} is late by")
            cp.add(by >= finish - job.due.value)
            terms.append(by * job.weight.value if goal.kind == "weighted-tardiness" else by)
        return sum(terms)

    def _idle(self, index: int) -> cp_model.LinearExprT:
        made, cp, model = self.made, self.made.cp, self.made.model
        from ortools.sat.python import cp_model

        users, horizon = list(model.users(index)), self.made.model.horizon.value
        if not users:
            return 0
        first, last = cp.new_int_var(0, horizon, f"first on {index}"), cp.new_int_var(0, horizon, f"last on {index}")
        work: list[cp_model.LinearExprT] = []
        for task, mode, use in users:
            present = made.present[task][mode]
            cp.add(first <= made.start[task]).only_enforce_if(present)
            cp.add(last >= made.end[task]).only_enforce_if(present)
            work.append(present * (use.amount.value * model.tasks[task].modes[mode].ticks.value))
        idle = cp.new_int_var(0, bound(model, "utilisation"), f"idle {index}")
        units = max(model.resources[index].capacity.value, 1)
        cp.add(idle + cp_model.LinearExpr.sum(work) == units * (last - first))
        return idle
