"""The statements of a model that a schedule must keep, each in the interview's words.

When no schedule keeps them all, some of these clash; `solver.explain` finds
out which.
"""

from typing import Literal

from attrs import frozen

from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.domain.models.source import Source

RuleKind = Literal["due", "release", "wait", "capacity", "closed", "starts", "setup", "link"]

GIVES_WAY: tuple[frozenset[RuleKind], ...] = (
    frozenset({"due", "wait", "release"}),
    frozenset({"capacity", "closed", "starts"}),
    frozenset({"setup", "link"}),
)
"""Which rule gives way first when some must: a promised date or pause, then hours and numbers of machines, and the
order of the process and set-up times only when nothing else helps. A choice of this program, told with each answer."""


@frozen
class Rule:
    """One statement: ``index`` is that of the job, link, wait, resource or task it is about."""

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
    return (*_of_jobs(model), *_of_waits(model), *_of_resources(model), *_of_tasks(model), *_of_links(model))


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
        if resource.setups:
            source = resource.setups[0].ticks.source
            found.append(Rule("setup", index, f"{resource.name} needs its changeover times", source))
    return found


def _of_tasks(model: Model) -> list[Rule]:
    found = []
    for index, task in enumerate(model.tasks):
        mode = next((mode for mode in task.modes if mode.starts), None)
        if mode is not None:
            words = f"{model.label(index)} may only start at the times named for it"
            found.append(Rule("starts", index, words, mode.starts_source))
    return found


def _of_links(model: Model) -> list[Rule]:
    verbs = {"end-start": "comes after", "start-start": "starts after the start of", "end-end": "ends after the end of"}
    found = []
    for index, link in enumerate(model.links):
        lag = f" by at least {model.clock.lasting(link.lag.value)}" if link.lag.value else ""
        words = f"{model.label(link.after)} {verbs[link.relation]} {model.label(link.before)}{lag}"
        found.append(Rule("link", index, words, link.source))
    return found
