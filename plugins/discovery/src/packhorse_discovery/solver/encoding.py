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

    ``present[t][m]`` says that task t is done in way m; ``until[t]`` is when it
    leaves what it occupies. ``slack`` has, for a
    rule that may be given up by degrees, by how much it is (ticks or units).
    """

    model: Model
    cp: cp_model.CpModel
    start: list[cp_model.IntVar] = field(factory=list)
    end: list[cp_model.LinearExprT] = field(factory=list)
    until: list[cp_model.LinearExprT] = field(factory=list)
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
    at: dict[tuple[int, int], dict[int, cp_model.IntVar]] = field(factory=dict)
    placed: dict[tuple[int, int], cp_model.IntVar] = field(factory=dict)
    busy: dict[tuple[int, int], cp_model.IntVar] = field(factory=dict)
    rank: list[cp_model.IntVar] = field(factory=list)

    def _if(self, kind: RuleKind, index: int) -> list[cp_model.IntVar]:
        """The literals under which a rule holds: none when it always does."""
        found = self.rules.get((kind, index))
        return [] if found is None else [found[1]]

    def _happens(self, task: int) -> list[cp_model.IntVar]:
        """The literals under which an event takes place."""
        return self._if("occurrences", self.made.model.tasks[task].job)

    def _both(self, literal: cp_model.IntVar, others: list[cp_model.IntVar]) -> cp_model.IntVar:
        """A literal that is true when all are."""
        if not others:
            return literal
        both = self.made.cp.new_bool_var(f"{literal} and more")
        self.made.cp.add_bool_and([literal, *others]).only_enforce_if(both)
        self.made.cp.add_bool_or([both, ~literal, *(~each for each in others)])
        return both

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
            start, happens = cp.new_int_var(0, horizon, f"start {index}"), self._happens(index)
            made.start.append(start)
            lasts = self._if("duration", index)  # without it, a task takes no time
            if len(task.modes) == 1:
                ticks = task.modes[0].ticks.value
                made.present.append([cp.new_constant(1)])
                made.end.append(start + (ticks * lasts[0] if lasts else ticks))
            else:
                present = [cp.new_bool_var(f"way {index} {number}") for number in range(len(task.modes))]
                cp.add_exactly_one(present)
                made.present.append(present)
                end = cp.new_int_var(0, horizon, f"end {index}")
                cp.add(end >= start)
                for literal, mode in zip(present, task.modes, strict=True):
                    cp.add(end == start + mode.ticks.value).only_enforce_if([literal, *lasts])
                made.end.append(end)
            cp.add(made.end[index] <= horizon)
            for number, (literal, mode) in enumerate(zip(made.present[index], task.modes, strict=True)):
                self.busy[index, number] = self._both(literal, happens)
                if mode.starts:
                    self._within(index, number, [literal, *happens, *self._if("starts", task.job)])
        if self.rules:
            count = len(made.model.tasks)
            self.rank += [cp.new_int_var(0, count, f"rank {index}") for index in range(count)]
        made.until += made.end
        for index, task in enumerate(made.model.tasks):
            if task.holds:
                until = cp.new_int_var(0, horizon, f"until {index}")
                cp.add(until >= made.end[index])
                for each in task.holds:
                    cp.add(until >= made.start[each]).only_enforce_if(self._if("blocking", index))
                made.until[index] = until
        self._spread()

    def _spread(self) -> None:
        """Days on which too many tasks of one kind would start; in explanations a spread holds under its literal."""
        made, cp, model = self.made, self.made.cp, self.made.model
        for index, spread in enumerate(model.spreads):
            days = range(model.horizon.value // spread.ticks + 1)
            on: list[list[cp_model.IntVar]] = [[] for _ in days]
            for task in spread.tasks:
                chosen = [cp.new_bool_var(f"{task} on day {day}") for day in days]
                cp.add_exactly_one(chosen)
                for day, literal in zip(days, chosen, strict=True):
                    first = day * spread.ticks
                    cp.add_linear_constraint(made.start[task], first, first + spread.ticks - 1).only_enforce_if(literal)
                    on[day].append(literal)
            for chosen in on:
                literals = [*self._if("spread", index), *self._happens(spread.tasks[0])]
                cp.add(sum(chosen) <= spread.most.value).only_enforce_if(literals)

    def _within(self, task: int, mode: int, literals: list[cp_model.IntVar]) -> None:
        """A task starts at one of its ticks, each of which has a literal of its own."""
        made, cp = self.made, self.made.cp
        ticks = made.model.tasks[task].modes[mode].starts
        self.at[task, mode] = {tick: cp.new_bool_var(f"{task} {mode} at {tick}") for tick in ticks}
        self.placed[task, mode] = placed = cp.new_bool_var(f"{task} {mode} placed")
        for tick, literal in self.at[task, mode].items():
            cp.add(made.start[task] == tick).only_enforce_if(literal)
        cp.add(sum(self.at[task, mode].values()) == placed)
        cp.add_bool_or([placed, *(~each for each in literals)])
        cp.add_implication(placed, self.busy[task, mode])

    def links(self) -> None:
        made, cp = self.made, self.made.cp
        for index, link in enumerate(made.model.links):
            before = made.start[link.before] if link.relation == "start-start" else made.end[link.before]
            after = made.end[link.after] if link.relation == "end-end" else made.start[link.after]
            cp.add(after >= before + link.lag.value).only_enforce_if(self._if("link", index))
            if self.rules and link.relation == "end-start":  # a circle is one however short its tasks are
                cp.add(self.rank[link.after] > self.rank[link.before]).only_enforce_if(self._if("link", index))
        for index, wait in enumerate(made.model.waits):
            last = cp.new_int_var(0, made.model.horizon.value, f"last before {index}")
            cp.add_max_equality(last, [made.end[each] for each in wait.after])
            slack = self._slack("wait", index, made.model.horizon.value)
            cp.add(made.start[wait.task] <= last + wait.limit.value + slack)

    def stages(self) -> None:
        made, cp = self.made, self.made.cp
        jobs = range(len(made.model.jobs)) if made.model.stages else range(0)
        kept = self._if("same-order", 0)
        for first in jobs:
            for second in jobs[first + 1 :]:
                earlier = cp.new_bool_var(f"{first} before {second}")
                for stage in made.model.stages:
                    one, other = stage[first], stage[second]
                    cp.add(made.start[other] >= made.end[one]).only_enforce_if(earlier, *kept)
                    cp.add(made.start[one] >= made.end[other]).only_enforce_if(~earlier, *kept)

    def resources(self) -> None:
        model, cp = self.made.model, self.made.cp
        for index, resource in enumerate(model.resources):
            users = list(model.users(index))
            if not users:
                continue
            for task, mode, _ in users:
                self._open(index, task, mode)
            if resource.sequenced:
                self._sequence(index)
                continue
            intervals = [self._interval(index, task, mode) for task, mode, _ in users]
            amounts = [use.amount.value for _, _, use in users]
            slack = self._slack("capacity", index, sum(amounts))
            capacity = resource.capacity.value
            for task, mode, use in users if self.rules else ():
                cp.add(capacity + slack >= use.amount.value).only_enforce_if(self.busy[task, mode])
            if isinstance(slack, int) and capacity == 1 and max(amounts) == 1:
                cp.add_no_overlap(intervals)
            else:
                cp.add_cumulative(intervals, amounts, capacity + slack)
            self._pigeonholes(index, capacity + slack)

    def _pigeonholes(self, resource: int, capacity: cp_model.LinearExprT) -> None:
        """Where all tasks have slots, each slot holds so many: implied, but it shows at once that there are too few."""
        model, users = self.made.model, list(self.made.model.users(resource))
        if not all((task, mode) in self.at for task, mode, _ in users):
            return
        slots: set[tuple[int, int]] = set()
        for task, mode, _ in users:
            ticks = model.tasks[task].modes[mode].ticks.value
            slots |= {(start + ticks, start) for start in self.at[task, mode]}
        apart, last = 0, -1
        for end, start in sorted(slots):  # the most slots of which no two overlap: each that ends first
            if start >= last:
                apart, last = apart + 1, end
        placed = [use.amount.value * self.placed[task, mode] for task, mode, use in users]
        self.made.cp.add(sum(placed) <= capacity * apart)

    def _interval(self, resource: int, task: int, mode: int) -> cp_model.IntervalVar:
        """How long a task keeps a resource from others: with its cleaning, and until it leaves it."""
        made, cp = self.made, self.made.cp
        ticks, cleaning = made.model.tasks[task].modes[mode].ticks.value, made.model.cleaning(task, resource)
        start, present, name = made.start[task], self.busy[task, mode], f"{task} {mode} on {resource}"
        kept = self._if("cleaning", resource) if cleaning else []
        if not made.model.tasks[task].holds and not kept and not self._if("duration", task):
            return cp.new_optional_fixed_size_interval_var(start, ticks + cleaning, present, name)
        most = made.model.horizon.value + cleaning
        size, end = cp.new_int_var(0, most, f"size {name}"), cp.new_int_var(0, most, f"free {name}")
        cp.add(end >= made.until[task])
        cp.add(end >= made.until[task] + cleaning).only_enforce_if(kept)
        return cp.new_optional_interval_var(start, size, end, present, name)

    def _open(self, resource: int, task: int, mode: int) -> None:
        """Durations are fixed, so closed hours are ticks at which a task cannot start."""
        from ortools.sat.python import cp_model

        closed = self.made.model.resources[resource].closed
        if not closed:
            return
        ticks = 1 if self.made.model.tasks[task].runs_on else self.made.model.tasks[task].modes[mode].ticks.value
        lasts = self._if("duration", task)
        for length, when in ((ticks, lasts), *([(1, [])] if lasts else [])):
            shut = cp_model.Domain.from_intervals([[each.start - length + 1, each.end - 1] for each in closed])
            literals = [self.busy[task, mode], *self._if("closed", resource), *when]
            start = self.made.start[task]
            self.made.cp.add_linear_expression_in_domain(start, shut.complement()).only_enforce_if(literals)

    def _sequence(self, index: int) -> None:
        """The order of tasks on one machine as a circuit, through a node that stands for before and after all."""
        model, made, cp = self.made.model, self.made, self.made.cp
        resource, users = model.resources[index], list(model.users(index))
        arcs: list[tuple[int, int, cp_model.LiteralT]] = [(0, 0, cp.new_bool_var(f"{index} unused"))]
        for a, (task, mode, _) in enumerate(users, start=1):
            arcs.append((a, a, ~self.busy[task, mode]))
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
                cp.add(made.start[other] >= made.until[task]).only_enforce_if(follows)
                if cleaning := model.cleaning(task, index):
                    literals = [follows, *self._if("cleaning", index)]
                    cp.add(made.start[other] >= made.until[task] + cleaning).only_enforce_if(literals)
                setup = resource.setup(*families)
                if setup is not None and setup.value:
                    literals = [follows, *self._if("setup", index)]
                    cp.add(made.start[other] >= made.until[task] + setup.value).only_enforce_if(literals)
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
