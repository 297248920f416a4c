"""What solving gave: the schedule, how good it is, and what is known about that."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

from attrs import field, frozen

from packhorse_discovery.domain.models.clock import Clock
from packhorse_discovery.domain.models.goals import NAMES
from packhorse_discovery.domain.models.model import Model

Status = Literal["optimal", "feasible", "infeasible", "unknown", "cancelled"]


@frozen
class Placed:
    """A task in the schedule: ``start`` and ``end`` in ticks, the end exclusive; ``mode`` is the way chosen.

    ``uses`` are (resource index, units); ``free`` is for each of them the tick
    from which another job can have it, which may be later than the end.
    """

    task: int
    job: str
    step: str
    mode: int
    start: int
    end: int
    uses: tuple[tuple[int, int], ...]
    free: tuple[int, ...] = ()


@frozen
class Lane:
    """A resource as a row of the schedule: its units and when it is closed, in ticks."""

    name: str
    capacity: int
    closed: tuple[tuple[int, int], ...]


@frozen
class Schedule:
    """When everything happens. It stands alone: nothing else is needed to draw or export it."""

    placed: tuple[Placed, ...]
    lanes: tuple[Lane, ...]
    clock: Clock

    @property
    def end(self) -> int:
        """Ticks from the start to the end of the last task."""
        return max((each.end for each in self.placed), default=0)


@frozen
class Solved:
    """The outcome of solving.

    ``objective`` and ``bound`` are about the goals of the first rank; no
    schedule is better than ``bound``. ``proved`` says that the schedule is
    optimal over all ranks. ``goals`` has each goal's value by name. Status
    ``feasible`` is a schedule whose optimality is not proved; ``unknown``
    means that the time ran out before there was any. ``seconds`` is wall
    time, ``cpu_seconds`` processor time.
    """

    status: Status
    objective: int | None
    bound: int | None
    proved: bool
    seconds: float
    schedule: Schedule | None
    cpu_seconds: float = 0.0
    goals: Mapping[str, int] = field(factory=dict)
    notes: tuple[str, ...] = ()


@frozen
class Progress:
    """A better schedule was found while solving. ``seconds`` since the start; ``bound`` as in `Solved`."""

    seconds: float
    objective: int
    bound: int


def schedule_from(model: Model, starts: Sequence[int], modes: Sequence[int]) -> Schedule:
    """The schedule in which each task starts at its tick, in the way chosen for it."""
    placed = []
    for index, (task, start, number) in enumerate(zip(model.tasks, starts, modes, strict=True)):
        mode = task.modes[number]
        uses = tuple((use.resource, use.amount.value) for use in mode.uses)
        job, end = model.jobs[task.job].name, start + mode.ticks.value
        until = max([end, *(starts[each] for each in task.holds)])
        free = tuple(until + model.cleaning(index, resource) for resource, _ in uses)
        placed.append(Placed(index, job, task.step, number, start, end, uses, free))
    lanes = tuple(
        Lane(each.name, each.capacity.value, tuple((shut.start, shut.end) for shut in each.closed))
        for each in model.resources
    )
    return Schedule(tuple(placed), lanes, model.clock)


def goal_values(model: Model, schedule: Schedule) -> dict[str, int]:
    """The value of each goal of ``model`` in ``schedule``, by the name it has in a printed program."""
    finish = [max(schedule.placed[task].end for task in model.tasks_of(job)) for job in range(len(model.jobs))]
    late = [(job, end - job.due.value) for job, end in zip(model.jobs, finish, strict=True) if job.due is not None]
    found = {}
    for goal in model.goals:
        match goal.kind:
            case "makespan":
                value = max(finish)
            case "tardiness":
                value = sum(max(0, by) for _, by in late)
            case "weighted-tardiness":
                value = sum(job.weight.value * max(0, by) for job, by in late)
            case "number-late":
                value = sum(by > 0 for _, by in late)
            case "changeovers":
                value = sum(_changeovers(model, schedule, index) for index in range(len(model.resources)))
            case "utilisation":
                value = sum(_idle(schedule, index, lane) for index, lane in enumerate(schedule.lanes))
        found[NAMES[goal.kind]] = value
    return found


def _on(schedule: Schedule, resource: int) -> list[tuple[Placed, int]]:
    """What occupies a resource, with the units, by start."""
    found = [(each, units) for each in schedule.placed for index, units in each.uses if index == resource]
    return sorted(found, key=lambda pair: pair[0].start)


def _changeovers(model: Model, schedule: Schedule, resource: int) -> int:
    if not model.resources[resource].sequenced:
        return 0
    families = [model.tasks[each.task].family for each, _ in _on(schedule, resource)]
    return sum(one != other for one, other in pairwise(families))


def _idle(schedule: Schedule, resource: int, lane: Lane) -> int:
    found = _on(schedule, resource)
    if not found:
        return 0
    span = max(each.end for each, _ in found) - found[0][0].start
    return max(lane.capacity, 1) * span - sum((each.end - each.start) * units for each, units in found)
