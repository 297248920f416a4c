"""The intermediate model: jobs made of tasks, resources, and what a good schedule achieves.

One shape holds all eight targets; `Model.target` says which one it is. Time
is counted in whole ticks from 0, the start of the schedule; `Clock` says what
a tick is. Indices point into the tuples of the same model, from 0.
"""

from collections.abc import Iterator
from typing import Literal, get_args

from attrs import Attribute, field, frozen, validators

from packhorse_discovery.domain.models.clock import Clock
from packhorse_discovery.domain.models.source import Amount, Source

Target = Literal[
    "residence-time",
    "flow-shop",
    "flexible-flow-shop",
    "job-shop",
    "flexible-job-shop",
    "single-machine",
    "rcpsp",
    "timetabling",
]
TARGETS: tuple[Target, ...] = get_args(Target)
GoalKind = Literal["makespan", "tardiness", "weighted-tardiness", "number-late", "changeovers", "utilisation"]
DUE_GOALS: frozenset[GoalKind] = frozenset({"tardiness", "weighted-tardiness", "number-late"})
Relation = Literal["end-start", "start-start", "end-end"]


MOST_TASKS = 5000
"""Tasks that one model holds: with more, no solver named here answers in the time of a conversation."""


def _not_negative(_: object, attribute: "Attribute[Amount]", value: Amount) -> None:
    if value.value < 0:
        raise ValueError(f"{attribute.name} must not be negative, and is {value.value}")


def _positive(_: object, attribute: "Attribute[Amount]", value: Amount) -> None:
    if value.value < 1:
        raise ValueError(f"{attribute.name} must be at least 1, and is {value.value}")


@frozen
class Closed:
    """A resource does nothing from ``start`` to before ``end``, in ticks."""

    start: int = field(validator=validators.ge(0))
    end: int = field()
    source: Source = field(factory=Source)

    @end.validator
    def _after_start(self, _: "Attribute[int]", value: int) -> None:
        if value <= self.start:
            raise ValueError("a closure must end after its start")


@frozen
class Setup:
    """Ticks between two tasks of these families on one resource, when the second follows the first at once."""

    before: str
    after: str
    ticks: Amount = field(validator=_not_negative)


@frozen
class Resource:
    """Something that tasks occupy; ``capacity`` is how many units there are at a time.

    With ``sequenced``, the order of its tasks matters (set-ups or the counting
    of changeovers), and its capacity is 1. ``cleaning`` are the ticks between
    any two jobs on one unit; where a set-up is needed as well, the longer of
    both counts.
    """

    name: str
    capacity: Amount = field(validator=_not_negative)
    closed: tuple[Closed, ...] = ()
    setups: tuple[Setup, ...] = ()
    sequenced: bool = False
    cleaning: Amount | None = None

    def __attrs_post_init__(self) -> None:
        if self.sequenced and self.capacity.value != 1:
            raise ValueError(f"{self.name}: changeovers are modelled on single machines, not on a pool")
        if self.setups and not self.sequenced:
            raise ValueError(f"{self.name}: a resource with set-up times is a sequenced one")

    def setup(self, before: str | None, after: str | None) -> Amount | None:
        """Ticks from one family to the next; None where no set-up was told, which takes no time."""
        if before is None or after is None:
            return None
        return next((each.ticks for each in self.setups if each.before == before and each.after == after), None)


@frozen
class Use:
    """``amount`` units of a resource, for as long as the task lasts."""

    resource: int
    amount: Amount = field(validator=_positive)


@frozen
class Mode:
    """One way of doing a task. ``starts`` are the only ticks at which it may start (empty: any).

    Only a milestone, which uses nothing, takes no time at all.
    """

    ticks: Amount = field(validator=_not_negative)
    uses: tuple[Use, ...] = ()
    starts: tuple[int, ...] = ()
    starts_source: Source = field(factory=Source)

    def __attrs_post_init__(self) -> None:
        if self.uses and not self.ticks.value:
            raise ValueError("a task that occupies a resource takes at least one tick")


@frozen
class Task:
    """One step of one job, done without a break in one of its ``modes``.

    ``family`` is what set-ups go by. With ``runs_on`` it only has to start in
    open time, and then goes on through closures. It keeps what it occupies
    until the last of the tasks in ``holds`` starts (blocking); none: until its
    own end.
    """

    job: int
    step: str
    modes: tuple[Mode, ...] = field(validator=validators.min_len(1))
    family: str | None = None
    runs_on: bool = False
    holds: tuple[int, ...] = ()
    holds_source: Source = field(factory=Source)


@frozen
class Job:
    """What is to be delivered. ``strict`` says that ``due`` must be kept; else lateness is only counted.

    ``source`` says where it was asked for; of an event, how often it takes place.
    """

    name: str
    release: Amount | None = None
    due: Amount | None = None
    strict: bool = False
    weight: Amount = field(factory=lambda: Amount(1, Source(assumption="no priority was named, so it counts as 1")))
    source: Source = field(factory=Source)


@frozen
class Link:
    """``after`` waits for ``before``: from the end or start of the one to that of the other, at least ``lag`` ticks.

    With ``alike`` the two could change places: the link is no statement, it only spares a search.
    """

    before: int
    after: int
    relation: Relation = "end-start"
    lag: Amount = field(factory=lambda: Amount(0, Source(assumption="no time is needed in between")))
    source: Source = field(factory=Source)
    alike: bool = False


@frozen
class Wait:
    """``task`` starts at most ``limit`` ticks after the last of ``after`` has ended."""

    task: int
    after: tuple[int, ...] = field(validator=validators.min_len(1))
    limit: Amount = field(validator=_not_negative)


@frozen
class Spread:
    """Of ``tasks``, at most ``most`` start on one day; a day is ``ticks`` long, the first one begins at tick 0."""

    tasks: tuple[int, ...] = field(validator=validators.min_len(1))
    most: Amount = field(validator=_positive)
    ticks: int = field(validator=validators.ge(1))


@frozen
class Unmodelled:
    """A rule of the interview that the model does not hold, in its words."""

    words: str
    source: Source = field(factory=Source)


@frozen
class Goal:
    """Something to minimise. Rank 1 comes first; equal ranks are added, each times its weight.

    ``utilisation`` minimises the idle time of the resources between the first
    and the last task on each.
    """

    kind: GoalKind
    rank: int = field(default=1, validator=validators.ge(1))
    weight: int = field(default=1, validator=validators.ge(1))
    source: Source = field(factory=Source)


@frozen
class Model:
    """A whole scheduling problem.

    ``stages`` is set for a permutation flow shop: each stage lists one task
    per job, and the jobs pass every stage in one and the same order, as
    ``stages_source`` says.
    ``notes`` are assumptions about the whole; ``unmodelled`` is what a schedule
    of this model need not keep, though it was said. ``horizon`` is a number of ticks
    within which an optimal schedule ends.
    """

    target: Target
    title: str
    jobs: tuple[Job, ...]
    tasks: tuple[Task, ...]
    resources: tuple[Resource, ...]
    links: tuple[Link, ...]
    goals: tuple[Goal, ...] = field(validator=validators.min_len(1))
    horizon: Amount = field(validator=_positive)
    waits: tuple[Wait, ...] = ()
    spreads: tuple[Spread, ...] = ()
    unmodelled: tuple[Unmodelled, ...] = ()
    stages: tuple[tuple[int, ...], ...] = ()
    stages_source: Source = field(factory=Source)
    clock: Clock = field(factory=Clock)
    notes: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        if not self.tasks:
            raise ValueError("a model needs at least one task")
        _check_indices(self)

    @property
    def flexible(self) -> bool:
        """Whether any task can be done in more than one way."""
        return any(len(task.modes) > 1 for task in self.tasks)

    @property
    def ranks(self) -> tuple[tuple[Goal, ...], ...]:
        """The goals by rank, the first rank first."""
        numbers = sorted({goal.rank for goal in self.goals})
        return tuple(tuple(goal for goal in self.goals if goal.rank == number) for number in numbers)

    def tasks_of(self, job: int) -> tuple[int, ...]:
        """The tasks of a job, in order."""
        return tuple(index for index, task in enumerate(self.tasks) if task.job == job)

    def users(self, resource: int) -> Iterator[tuple[int, int, Use]]:
        """Each (task, mode, use) that may occupy ``resource``."""
        for index, task in enumerate(self.tasks):
            for number, mode in enumerate(task.modes):
                for use in mode.uses:
                    if use.resource == resource:
                        yield index, number, use

    def cleaning(self, task: int, resource: int) -> int:
        """Ticks of cleaning after a task: none where its job stays on the resource for the next step."""
        cleaning = self.resources[resource].cleaning
        stays = any(any(use.resource == resource for use in mode.uses) for mode in self._next_modes(task))
        return 0 if cleaning is None or stays else cleaning.value

    def _next_modes(self, task: int) -> Iterator[Mode]:
        return (mode for each in self.tasks[task].holds for mode in self.tasks[each].modes)

    @property
    def not_kept(self) -> str:
        """A sentence on what a schedule of this model need not keep; empty where it keeps all that was said."""
        rules = "; ".join(
            f"({number}) {each.words} ({each.source.words})" for number, each in enumerate(self.unmodelled, 1)
        )
        return f"Not in this schedule: {rules}." if rules else ""

    def label(self, task: int) -> str:
        """A task in the words of the interview: the job, then the step."""
        name = self.jobs[self.tasks[task].job].name
        return f"{name}: {self.tasks[task].step}" if name else self.tasks[task].step


def _check_indices(model: Model) -> None:
    tasks, jobs, resources = range(len(model.tasks)), range(len(model.jobs)), range(len(model.resources))
    for task in model.tasks:
        if task.job not in jobs:
            raise ValueError(f"{task.step}: there is no job {task.job}")
        for mode in task.modes:
            named = [use.resource for use in mode.uses]
            if len(set(named)) < len(named) or any(each not in resources for each in named):
                raise ValueError(f"{task.step}: a mode names each resource once, and only those there are")
    used = [index for link in model.links for index in (link.before, link.after)]
    used += [index for wait in model.waits for index in (wait.task, *wait.after)]
    used += [index for stage in model.stages for index in stage]
    used += [index for spread in model.spreads for index in spread.tasks]
    used += [index for task in model.tasks for index in task.holds]
    if any(index not in tasks for index in used):
        raise ValueError("a link, wait, stage, spread or held resource names a task that is not there")
    if {task.job for task in model.tasks} != set(jobs):
        raise ValueError("every job needs at least one task")
    if any(len(stage) != len(model.jobs) for stage in model.stages):
        raise ValueError("every stage of a permutation flow shop has one task per job")
    if len({goal.kind for goal in model.goals}) < len(model.goals):
        raise ValueError("each kind of goal stands once")
    if any(goal.kind in DUE_GOALS for goal in model.goals) and all(job.due is None for job in model.jobs):
        raise ValueError("a goal about lateness needs at least one due date")
