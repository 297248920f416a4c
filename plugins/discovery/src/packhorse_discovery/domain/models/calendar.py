"""Working hours put into a model, and how long its schedule may become."""

from attrs import evolve

from packhorse_discovery.domain.models.book import Book
from packhorse_discovery.domain.models.grain import Grain
from packhorse_discovery.domain.models.hours import WEEK, Hours, Stretch, longest_open
from packhorse_discovery.domain.models.model import Closed, Mode, Model, Task
from packhorse_discovery.domain.models.source import Amount, Source
from packhorse_discovery.domain.models.span import UnclearError
from packhorse_discovery.domain.models.stations import Stations

LONGEST = 520 * WEEK
"""Seconds (ten years) within which all tasks one after the other must fit; else the hours leave no room for them."""

_LOOSE = "all tasks one after the other, with every set-up and pause"
_WITHIN = f"{_LOOSE}, within working hours"


def with_hours(model: Model, stations: Stations, hours: Hours | None, tick: Grain, book: Book) -> Model:
    """``model`` with its closures and a horizon.

    A task that is longer than any opening of the hours that hold for everyone
    runs on through closures, which is noted with its duration; hours told of
    a resource itself are kept, even if nothing fits into them.
    """
    loose = _loose(model)
    if hours is None:
        return evolve(model, horizon=Amount(loose, Source(assumption=_LOOSE)))
    until = 2 * WEEK + 2 * loose * tick.seconds
    while True:
        try:
            closed = [hours.closed(station.id, until) for station in stations.listed]
        except UnclearError as exc:
            book.lack(f"working hours that can be read: {exc}", "resources/calendar-and-maintenance")
            return model
        found = _closed(_running_on(model, stations, hours, closed, until, tick), closed, tick)
        end = _last_end(found, until // tick.seconds)
        if end is not None or until > LONGEST:
            break
        until *= 2
    if end is None:
        end = min(until, 4 * WEEK + 4 * loose * tick.seconds) // tick.seconds
    if model.waits:
        end = 2 * end
    resources = tuple(
        evolve(each, closed=tuple(shut for shut in each.closed if shut.start < end)) for each in found.resources
    )
    return evolve(found, resources=resources, horizon=Amount(max(end, 1), Source(assumption=_WITHIN)))


def _loose(model: Model) -> int:
    setups = [max((each.ticks.value for each in resource.setups), default=0) for resource in model.resources]
    total = sum(
        max(mode.ticks.value + sum(setups[use.resource] for use in mode.uses) for mode in task.modes)
        for task in model.tasks
    )
    total += sum(link.lag.value for link in model.links)
    return max(total + max((job.release.value for job in model.jobs if job.release is not None), default=0), 1)


def _running_on(
    model: Model, stations: Stations, hours: Hours, closed: list[list[Stretch]], until: int, tick: Grain
) -> Model:
    openings = [longest_open(each, until) for each in closed]

    def too_long(mode: Mode, resource: int) -> bool:
        return mode.ticks.value * tick.seconds > openings[resource] and not hours.own(stations.listed[resource].id)

    def long(task: Task) -> bool:
        return all(any(too_long(mode, use.resource) for use in mode.uses) for mode in task.modes)

    def noted(mode: Mode) -> Mode:
        words = "longer than any working day, so it runs on outside working hours"
        return evolve(mode, ticks=Amount(mode.ticks.value, mode.ticks.source.with_assumption(words)))

    tasks = tuple(
        evolve(task, runs_on=True, modes=tuple(noted(mode) for mode in task.modes)) if long(task) else task
        for task in model.tasks
    )
    return evolve(model, tasks=tasks)


def _closed(model: Model, closed: list[list[Stretch]], tick: Grain) -> Model:
    """Closures in ticks, rounded so that nothing happens in closed time."""
    resources = []
    for resource, pieces in zip(model.resources, closed, strict=True):
        shut = tuple(
            Closed(piece.start // tick.seconds, -(-piece.end // tick.seconds), piece.source) for piece in pieces
        )
        resources.append(evolve(resource, closed=shut))
    return evolve(model, resources=tuple(resources))


def _last_end(model: Model, until: int) -> int | None:
    """When the last task ends if all are done one after the other in open time; None if that exceeds ``until``."""
    setup = max((each.ticks.value for resource in model.resources for each in resource.setups), default=0)
    end = max((job.release.value for job in model.jobs if job.release is not None), default=0)
    lag = max((link.lag.value for link in model.links), default=0)
    for index in _in_order(model):
        task = model.tasks[index]
        ends = [_end(model, task, mode, end + setup + lag) for mode in task.modes]
        end = min(ends)
        if end > until:
            return None
    return end + lag


def _end(model: Model, task: Task, mode: Mode, start: int) -> int:
    length = 1 if task.runs_on else mode.ticks.value
    shut = sorted((each.start, each.end) for use in mode.uses for each in model.resources[use.resource].closed)
    for from_, to in shut:
        if start < to and from_ < start + length:
            start = to
    return start + mode.ticks.value


def _in_order(model: Model) -> list[int]:
    """The tasks, each after what it waits for; those in a circle come last."""
    before: dict[int, set[int]] = {index: set() for index in range(len(model.tasks))}
    for link in model.links:
        before[link.after].add(link.before)
    found: list[int] = []
    ready = [index for index, waits in before.items() if not waits]
    while ready:
        index = ready.pop(0)
        found.append(index)
        for other, waits in before.items():
            if index in waits:
                waits.remove(index)
                if not waits:
                    ready.append(other)
    return found + sorted(set(before) - set(found))
