"""Permutation flow shops: the best order of jobs by branch and bound from both ends.

A node fixes the first and the last jobs. Its bound is, over the machines, the
time until the fixed first jobs leave it, the work of all others on it, and the
time from there to the end of the fixed last jobs: the one-machine bound of
Lageweg, Lenstra and Rinnooy Kan, Operations Research 26 (1978) 53-67. It
branches at the end that leaves fewer children, and of two alike at the one
with the greater bounds: Gmys, Mezmaz, Melab and Tuyttens, European Journal of
Operational Research 284 (2020) 814-833. The first order is that of Nawaz,
Enscore and Ham, Omega 11 (1983) 91-95.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from attrs import frozen

from packhorse_discovery.domain.models.model import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Times = NDArray[np.int64]

_LOOK = 512
"""Nodes between two looks at the clock."""


@frozen
class Order:
    """The best order found (job numbers), its makespan in ticks, and whether none is better."""

    jobs: tuple[int, ...]
    makespan: int
    proved: bool


def times_of(model: Model) -> list[list[int]] | None:
    """``[job][stage]`` in ticks, where the model is a permutation flow shop and nothing else; else None."""
    stages, tasks = model.stages, model.tasks
    if not stages or [goal.kind for goal in model.goals] != ["makespan"] or model.waits:
        return None
    if any(task.holds for task in tasks) or any(each.cleaning is not None for each in model.resources):
        return None
    if any(job.release is not None or job.strict for job in model.jobs):
        return None
    if sorted(each for stage in stages for each in stage) != list(range(len(tasks))):
        return None
    machines = []
    for stage in stages:
        uses = {(use.resource, use.amount.value) for each in stage for mode in tasks[each].modes for use in mode.uses}
        plain = all(
            len(tasks[each].modes) == 1 and len(tasks[each].modes[0].uses) == 1 and not tasks[each].modes[0].starts
            for each in stage
        )
        if not plain or len(uses) != 1 or any(tasks[each].job != job for job, each in enumerate(stage)):
            return None
        machine, amount = uses.pop()
        resource = model.resources[machine]
        if amount != 1 or resource.capacity.value != 1 or resource.closed or resource.sequenced:
            return None
        machines.append(machine)
    wanted = {(one[job], other[job]) for one, other in pairwise(stages) for job in range(len(model.jobs))}
    links = {(link.before, link.after) for link in model.links if link.relation == "end-start" and not link.lag.value}
    if len(set(machines)) < len(machines) or links != wanted or len(links) < len(set(model.links)):
        return None
    return [[tasks[stage[job]].modes[0].ticks.value for stage in stages] for job in range(len(model.jobs))]


def starts_of(model: Model, times: list[list[int]], jobs: tuple[int, ...]) -> list[int]:
    """When each task starts if the jobs pass in this order, each as early as it can."""
    starts = [0] * len(model.tasks)
    front = [0] * len(model.stages)
    for job in jobs:
        ready = 0
        for stage, tasks in enumerate(model.stages):
            starts[tasks[job]] = max(front[stage], ready)
            ready = front[stage] = starts[tasks[job]] + times[job][stage]
    return starts


def best_order(
    times: list[list[int]],
    *,
    seconds: float,
    better: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Order:
    """The order with the least makespan, or the best found within ``seconds``.

    ``better`` is told of each better makespan, with the bound that is known
    from the start; ``cancelled`` is asked now and then.
    """
    import numpy as np

    until = time.monotonic() + seconds
    work = np.array(times, dtype=np.int64)
    first = _inserted(times)
    best, kept = _makespan(times, first), first
    least = int(
        _bounds(np.zeros(work.shape[1], np.int64), np.zeros(work.shape[1], np.int64), work, work.sum(0))[0].min()
    )
    if better is not None:
        better(best, least)
    nothing = np.zeros(work.shape[1], np.int64)
    stack: list[tuple[Times, Times, Times, Times, tuple[int, ...], tuple[int, ...]]] = [
        (nothing, nothing, np.arange(len(times)), work.sum(0), (), ())
    ]
    nodes = 0
    while stack:
        front, back, left, rest, head, tail = stack.pop()
        nodes += 1
        if nodes % _LOOK == 0 and (time.monotonic() > until or (cancelled is not None and cancelled())):
            return Order(tuple(kept), best, proved=False)
        own = work[left]
        ahead, after_front = _bounds(front, back, own, rest)
        behind, before_back = _bounds(back[::-1], front[::-1], own[:, ::-1], rest[::-1])
        if len(left) == 1:
            if ahead[0] < best:
                best, kept = int(ahead[0]), [*head, int(left[0]), *tail]
                if better is not None:
                    better(best, least)
            continue
        open_ahead, open_behind = ahead < best, behind < best
        count, other = int(open_ahead.sum()), int(open_behind.sum())
        forward = count < other or (count == other and ahead.sum() >= behind.sum())
        bounds, is_open = (ahead, open_ahead) if forward else (behind, open_behind)
        chosen = np.nonzero(is_open)[0]
        for place in chosen[np.argsort(-bounds[chosen], kind="stable")]:
            job, others = int(left[place]), np.delete(left, place)
            if forward:
                stack.append((after_front[place], back, others, rest - own[place], (*head, job), tail))
            else:
                stack.append((front, before_back[place][::-1], others, rest - own[place], head, (job, *tail)))
    return Order(tuple(kept), best, proved=True)


def _bounds(front: Times, back: Times, own: Times, rest: Times) -> tuple[Times, Times]:
    """For each job put next: the bound of the node, and when it would leave each machine."""
    import numpy as np

    leaves = np.empty_like(own)
    ready = np.zeros(len(own), np.int64)
    for machine in range(own.shape[1]):
        ready = np.maximum(ready, front[machine]) + own[:, machine]
        leaves[:, machine] = ready
    return (leaves + (rest - own) + back).max(axis=1), leaves


def _inserted(times: list[list[int]]) -> list[int]:
    """Jobs by falling work, each put where the makespan of those placed so far is least."""
    order: list[int] = []
    for job in sorted(range(len(times)), key=lambda one: (-sum(times[one]), one)):
        ways = [[*order[:place], job, *order[place:]] for place in range(len(order) + 1)]
        order = min(ways, key=lambda way: _makespan(times, way))
    return order


def _makespan(times: list[list[int]], jobs: list[int]) -> int:
    front = [0] * len(times[0])
    for job in jobs:
        ready = 0
        for machine, lasting in enumerate(times[job]):
            ready = front[machine] = max(front[machine], ready) + lasting
    return front[-1]
