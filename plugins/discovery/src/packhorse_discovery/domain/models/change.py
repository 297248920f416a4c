"""What if: a model with one thing changed."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Literal, get_args

from attrs import evolve, field, frozen, validators

from packhorse_discovery.domain.models.clock import COUNTED, Clock, name_of
from packhorse_discovery.domain.models.goals import LARGEST
from packhorse_discovery.domain.models.model import Link, Mode, Model, Resource, Setup, Task, Wait
from packhorse_discovery.domain.models.source import Amount, Source

ChangeKind = Literal["speed", "capacity", "duration", "due", "open"]

MOST_TICKS = 2**22
"""Ticks of horizon up to which a model is given a finer clock."""

_PARTS = (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60)


def _decimal(value: Fraction | float) -> Fraction:
    """The number that was meant by a float: to a millionth."""
    return Fraction(value).limit_denominator(10**6)


@frozen
class Change:
    """One thing to try.

    ``speed`` makes the resource ``name`` ``value`` times as fast;
    ``capacity`` gives it ``value`` units; ``open`` lets it work at all hours
    (``value`` is not looked at). ``duration`` makes every step called
    ``name`` (or the one task ``job: step``) take ``value`` minutes; ``due``
    moves the due date of the job ``name`` to ``value`` minutes after the
    start.
    """

    kind: ChangeKind = field(validator=validators.in_(get_args(ChangeKind)))
    name: str
    value: Fraction = field(default=Fraction(1), converter=_decimal, validator=validators.ge(Fraction(0)))

    @property
    def words(self) -> str:
        """The change as a clause."""
        shown = f"{float(self.value):g}"
        match self.kind:
            case "speed":
                return f"{self.name} works {shown} times as fast"
            case "capacity":
                return f"there are {shown} of {self.name}"
            case "duration":
                return f"{self.name} takes {shown} minutes"
            case "due":
                return f"{self.name} is due {shown} minutes after the start"
            case "open":
                return f"{self.name} works at all hours"


def changed(model: Model, change: Change) -> Model:
    """``model`` with ``change``; its clock is finer where a changed duration would not fit the old one.

    Raises:
        ValueError: nothing has that name (the message lists what there is), or the value makes no sense for it.
    """
    match change.kind:
        case "speed":
            return _faster(model, _resource(model, change.name), change)
        case "duration":
            return _lasting(model, change)
        case "due":
            return _due(model, change)
        case "capacity":
            if change.value.denominator != 1:
                raise ValueError("capacity must be a whole number")
            amount = Amount(int(change.value), _tried(change))
            return _with_resource(model, change, lambda resource: evolve(resource, capacity=amount))
        case "open":
            return _with_resource(model, change, lambda resource: evolve(resource, closed=()))


def finer(model: Model, parts: int) -> Model:
    """The same problem with each tick divided into ``parts``; ``Clock.seconds`` must be a multiple of it."""
    if parts == 1:
        return model
    clock = model.clock
    if clock.name in COUNTED or clock.seconds % parts:
        raise ValueError(f"a tick of one {clock.name} cannot be divided into {parts}")

    def grown(amount: Amount) -> Amount:
        return Amount(amount.value * parts, amount.source)

    def mode(old: Mode) -> Mode:
        return evolve(old, ticks=grown(old.ticks), starts=tuple(each * parts for each in old.starts))

    def resource(old: Resource) -> Resource:
        closed = tuple(evolve(each, start=each.start * parts, end=each.end * parts) for each in old.closed)
        setups = tuple(Setup(each.before, each.after, grown(each.ticks)) for each in old.setups)
        return evolve(old, closed=closed, setups=setups, cleaning=old.cleaning and grown(old.cleaning))

    def link(old: Link) -> Link:
        return evolve(old, lag=grown(old.lag))

    def wait(old: Wait) -> Wait:
        return evolve(old, limit=grown(old.limit))

    seconds = clock.seconds // parts
    return evolve(
        model,
        clock=Clock(seconds, name_of(seconds), clock.error_seconds, clock.origin, clock.week),
        jobs=tuple(
            evolve(job, release=job.release and grown(job.release), due=job.due and grown(job.due))
            for job in model.jobs
        ),
        tasks=tuple(evolve(task, modes=tuple(mode(each) for each in task.modes)) for task in model.tasks),
        resources=tuple(resource(each) for each in model.resources),
        links=tuple(link(each) for each in model.links),
        waits=tuple(wait(each) for each in model.waits),
        spreads=tuple(evolve(each, ticks=each.ticks * parts) for each in model.spreads),
        horizon=grown(model.horizon),
    )


def _faster(model: Model, index: int, change: Change) -> Model:
    if not change.value:
        raise ValueError("speed must be above 0: 2 is twice as fast")

    def touched(mode: Mode) -> bool:
        return any(use.resource == index for use in mode.uses)

    wanted = [mode.ticks.value / change.value for task in model.tasks for mode in task.modes if touched(mode)]
    model = finer(model, _parts(model, wanted))

    def quick(mode: Mode) -> Mode:
        if not touched(mode):
            return mode
        ticks = max(ceil(mode.ticks.value / change.value), 1)
        return evolve(mode, ticks=Amount(ticks, mode.ticks.source.with_assumption(f"tried: {change.words}")))

    return _with_modes(model, lambda task, mode: quick(mode))


def _lasting(model: Model, change: Change) -> Model:
    wanted = change.name.casefold()
    found = {
        index
        for index, task in enumerate(model.tasks)
        if wanted in {task.step.casefold(), model.label(index).casefold()}
    }
    if not found:
        raise ValueError(f"no step has that name: there are {_listed([task.step for task in model.tasks])}")
    if not change.value:
        raise ValueError("duration must be above 0 minutes")
    model = finer(model, _parts(model, [change.value * 60 / model.clock.seconds]))
    ticks = Amount(max(ceil(change.value * 60 / model.clock.seconds), 1), _tried(change))
    return _with_modes(model, lambda task, mode: evolve(mode, ticks=ticks) if task in found else mode)


def _due(model: Model, change: Change) -> Model:
    wanted = change.name.casefold()
    found = [index for index, job in enumerate(model.jobs) if job.name.casefold() == wanted]
    found = found or [
        index for index, job in enumerate(model.jobs) if job.due and job.name.casefold().rpartition(" (")[0] == wanted
    ]
    if not found:
        raise ValueError(f"no job has that name: there are {_listed([job.name for job in model.jobs])}")
    model = finer(model, _parts(model, [change.value * 60 / model.clock.seconds]))
    due = Amount(int(change.value * 60 / model.clock.seconds), _tried(change))
    jobs = tuple(evolve(job, due=due) if index in found else job for index, job in enumerate(model.jobs))
    return evolve(model, jobs=jobs)


def _parts(model: Model, wanted: list[Fraction]) -> int:
    """Into how many a tick is divided so that ``wanted`` are whole, or as nearly as a readable clock allows."""
    clock = model.clock
    if clock.name in COUNTED:
        return 1
    allowed = [n for n in _PARTS if clock.seconds % n == 0 and model.horizon.value * n <= MOST_TICKS]
    whole = [n for n in allowed if all((each * n).denominator == 1 for each in wanted)]
    return min(whole, default=max(allowed, default=1))


def _with_modes(model: Model, make: Callable[[int, Mode], Mode]) -> Model:
    def task(index: int, old: Task) -> Task:
        return evolve(old, modes=tuple(make(index, mode) for mode in old.modes))

    tasks = tuple(task(index, old) for index, old in enumerate(model.tasks))
    more = sum(max(m.ticks.value for m in task.modes) for task in tasks)
    more -= sum(max(m.ticks.value for m in task.modes) for task in model.tasks)
    horizon = Amount(model.horizon.value + max(more, 0), model.horizon.source)
    if horizon.value > LARGEST:
        raise ValueError(f"the schedule would be longer than {LARGEST} ticks of one {model.clock.name}")
    return evolve(model, tasks=tasks, horizon=horizon)


def _with_resource(model: Model, change: Change, make: Callable[[Resource], Resource]) -> Model:
    index = _resource(model, change.name)
    resources = list(model.resources)
    resources[index] = make(resources[index])
    return evolve(model, resources=tuple(resources))


def _resource(model: Model, name: str) -> int:
    for index, resource in enumerate(model.resources):
        if resource.name.casefold() == name.casefold():
            return index
    raise ValueError(f"no resource has that name: there are {_listed([each.name for each in model.resources])}")


def _tried(change: Change) -> Source:
    return Source(assumption=f"tried: {change.words}")


def _listed(names: list[str]) -> str:
    every = list(dict.fromkeys(name for name in names if name))
    more = f" and {len(every) - 20} more" if len(every) > 20 else ""
    return ", ".join(every[:20]) + more
