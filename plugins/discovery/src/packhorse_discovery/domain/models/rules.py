"""The statements of a model that a schedule must keep, each in the interview's words.

When no schedule keeps them all, some of these clash; `solver.explain` finds
out which.
"""

from typing import Literal

from attrs import frozen

from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.domain.models.source import Source

RuleKind = Literal[
    "due", "release", "wait",
    "capacity", "closed", "starts", "spread", "blocking",
    "setup", "cleaning", "link", "same-order",
    "duration", "occurrences",
]  # fmt: skip

GIVES_WAY: tuple[frozenset[RuleKind], ...] = (
    frozenset({"due", "wait", "release"}),
    frozenset({"capacity", "closed", "starts", "spread", "blocking", "same-order"}),
    frozenset({"setup", "cleaning", "link"}),
    frozenset({"duration", "occurrences"}),
)
"""Which rule gives way first when some must: a promised date or pause, then hours and numbers of machines, and the
order of the process, set-up and cleaning times after them, and what is to be done last of all. A choice of this
program, which each answer shows."""


@frozen
class Rule:
    """One statement: ``index`` is that of the job, link, wait, resource or task it is about.

    ``starts`` and ``occurrences`` are about all tasks of a job.
    """

    kind: RuleKind
    index: int
    words: str
    source: Source

    @property
    def reluctance(self) -> int:
        """0 for what gives way first."""
        return next(level for level, kinds in enumerate(GIVES_WAY) if self.kind in kinds)


def rules(model: Model) -> tuple[Rule, ...]:
    """Every statement that a schedule of ``model`` must keep, in a fixed order."""
    of_order = (*_of_links(model), *_of_spreads(model))
    return (*_of_jobs(model), *_of_waits(model), *_of_resources(model), *_of_tasks(model), *of_order)


def _of_jobs(model: Model) -> list[Rule]:
    found = []
    for index, job in enumerate(model.jobs):
        name = job.name or "The work"
        if job.due is not None and job.strict:
            words = f"{name} must be finished by {model.clock.at(job.due.value)}"
            found.append(Rule("due", index, words, job.due.source))
        if job.release is not None and job.release.value:
            words = f"{name} cannot start before {model.clock.at(job.release.value)}"
            found.append(Rule("release", index, words, job.release.source))
    return found


def _of_waits(model: Model) -> list[Rule]:
    found = []
    for index, wait in enumerate(model.waits):
        limit = wait.limit.value
        words = (
            f"{model.label(wait.task)} must start within {model.clock.lasting(limit)} of the step before it"
            if limit
            else f"{model.label(wait.task)} must start as soon as the step before it ends"
        )
        found.append(Rule("wait", index, words, wait.limit.source))
    return found


def _of_resources(model: Model) -> list[Rule]:
    found = []
    for index, resource in enumerate(model.resources):
        count = resource.capacity.value
        if not resource.sequenced:
            words = f"there is only 1 {resource.name}" if count == 1 else f"there are only {count} of {resource.name}"
            found.append(Rule("capacity", index, words, resource.capacity.source))
        if resource.closed:
            source = resource.closed[0].source
            found.append(Rule("closed", index, f"{resource.name} does not work outside its hours", source))
        if resource.cleaning is not None:
            words = f"{resource.name} needs {model.clock.lasting(resource.cleaning.value)} of cleaning between two jobs"
            found.append(Rule("cleaning", index, words, resource.cleaning.source))
        if resource.setups:
            source = resource.setups[0].ticks.source
            found.append(Rule("setup", index, f"{resource.name} needs its changeover times", source))
    return found


def _of_tasks(model: Model) -> list[Rule]:
    found: dict[tuple[RuleKind, int], Rule] = {}
    for index, task in enumerate(model.tasks):
        mode = next((mode for mode in task.modes if mode.starts), None)
        if mode is not None:
            words = f"{model.jobs[task.job].name} may only start at the times named for it"
            found.setdefault(("starts", task.job), Rule("starts", task.job, words, mode.starts_source))
        if task.holds:
            words = f"{model.label(index)} keeps its place until {model.label(task.holds[0])} starts"
            found["blocking", index] = Rule("blocking", index, words, task.holds_source)
        rule = _happening(model, index)
        found.setdefault((rule.kind, rule.index), rule)
    return list(found.values())


def _happening(model: Model, index: int) -> Rule:
    """What there is to do: how long a task takes, or in a timetable how often an event takes place."""
    task = model.tasks[index]
    if model.target != "timetabling":
        shortest = min(task.modes, key=lambda mode: mode.ticks.value).ticks
        lasting = model.clock.lasting(shortest.value)
        return Rule("duration", index, f"{model.label(index)} takes {lasting}", shortest.source)
    times = model.tasks_of(task.job)
    job = model.jobs[task.job]
    words = f"{job.name} takes place {'once' if len(times) == 1 else f'{len(times)} times'}"
    return Rule("occurrences", task.job, words, job.source)


def _of_spreads(model: Model) -> list[Rule]:
    found = []
    for index, spread in enumerate(model.spreads):
        name, most = model.jobs[model.tasks[spread.tasks[0]].job].name, spread.most.value
        words = f"{name} takes place at most {'once' if most == 1 else f'{most} times'} a day"
        found.append(Rule("spread", index, words, spread.most.source))
    return found


def _of_links(model: Model) -> list[Rule]:
    verbs = {"end-start": "comes after", "start-start": "starts after the start of", "end-end": "ends after the end of"}
    found = []
    for index, link in enumerate(model.links):
        if link.alike:
            continue
        lag = f" by at least {model.clock.lasting(link.lag.value)}" if link.lag.value else ""
        words = f"{model.label(link.after)} {verbs[link.relation]} {model.label(link.before)}{lag}"
        found.append(Rule("link", index, words, link.source))
    if model.stages:
        found.append(Rule("same-order", 0, "the jobs pass every step in one and the same order", model.stages_source))
    return found
