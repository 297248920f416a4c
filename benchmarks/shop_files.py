"""Benchmark files as models.

Two formats are read: ``packhorse-jobshop/1`` (``machines_matrix[j][k]`` is the
machine of operation k of job j, ``duration_matrix`` alike) and
``packhorse-permflowshop/1`` (``processing_times[machine][job]``).
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from packhorse_discovery.domain.models.clock import Clock
from packhorse_discovery.domain.models.model import Goal, Job, Link, Mode, Model, Resource, Task, Use
from packhorse_discovery.domain.models.source import Amount, Source, assumed

_ONE_AT_A_TIME = assumed(1, "a machine does one operation at a time")
_ONE_UNIT = assumed(1, "an operation occupies its machine alone")
_MAKESPAN = Goal("makespan", source=Source(assumption="the benchmark is about the makespan"))


@frozen
class Instance:
    """A benchmark problem. ``best`` is the published makespan, None where the file has none."""

    name: str
    model: Model
    best: int | None


def read(text: str) -> tuple[Instance, ...]:
    """The instances of a benchmark file, in its order.

    Raises:
        ValueError: it is not JSON, its ``format`` is not one of the two, or an instance is not well formed; the
            message names the instance.
    """
    try:
        content = json.loads(text)
    except json.JSONDecodeError as exc:
        raise ValueError(f"not JSON: line {exc.lineno}, column {exc.colno}") from exc
    make = _FORMATS.get(str(content.get("format"))) if isinstance(content, dict) else None
    if make is None:
        raise ValueError(f"format must be one of {', '.join(_FORMATS)}")
    instances = content.get("instances")
    if not isinstance(instances, dict) or not instances:
        raise ValueError("instances must be an object with at least one instance")
    return tuple(_instance(name, raw, make) for name, raw in instances.items())


def job_shop(name: str, machines: list[list[int]], ticks: list[list[int]]) -> Model:
    """A classical job shop: job j visits ``machines[j]`` in order, for ``ticks[j]``."""
    if len(machines) != len(ticks) or any(len(a) != len(b) for a, b in zip(machines, ticks, strict=True)):
        raise ValueError("machines and durations differ in shape")
    tasks: list[Task] = []
    links: list[Link] = []
    for job, (route, times) in enumerate(zip(machines, ticks, strict=True)):
        for position, (machine, each) in enumerate(zip(route, times, strict=True)):
            source = Source(said=f"{name}, duration_matrix[{job}][{position}]")
            if position:
                links.append(Link(len(tasks) - 1, len(tasks), source=Source(said=f"{name}, order of job {job + 1}")))
            tasks.append(
                Task(job, f"operation {position + 1}", (Mode(Amount(each, source), (Use(machine, _ONE_UNIT),)),))
            )
    return _model("job-shop", name, tasks, links, jobs=len(machines), machines=1 + max(max(each) for each in machines))


def permutation_flow_shop(name: str, ticks: list[list[int]]) -> Model:
    """A permutation flow shop: every job visits machine 0, 1, ... for ``ticks[machine][job]``, in one common order."""
    count = len(ticks[0])
    if any(len(row) != count for row in ticks):
        raise ValueError("every machine needs a time for every job")
    tasks: list[Task] = []
    links: list[Link] = []
    for job in range(count):
        for machine, row in enumerate(ticks):
            source = Source(said=f"{name}, processing_times[{machine}][{job}]")
            if machine:
                links.append(Link(len(tasks) - 1, len(tasks), source=Source(said=f"{name}, order of machines")))
            tasks.append(
                Task(job, f"machine {machine + 1}", (Mode(Amount(row[job], source), (Use(machine, _ONE_UNIT),)),))
            )
    stages = tuple(tuple(job * len(ticks) + machine for job in range(count)) for machine in range(len(ticks)))
    return _model("flow-shop", name, tasks, links, jobs=count, machines=len(ticks), stages=stages)


def _model(
    target: Any,
    name: str,
    tasks: list[Task],
    links: list[Link],
    *,
    jobs: int,
    machines: int,
    stages: tuple[tuple[int, ...], ...] = (),
) -> Model:
    total = sum(task.modes[0].ticks.value for task in tasks)
    return Model(
        target=target,
        title=name,
        jobs=tuple(Job(f"job {number + 1}") for number in range(jobs)),
        tasks=tuple(tasks),
        resources=tuple(Resource(f"machine {number + 1}", _ONE_AT_A_TIME) for number in range(machines)),
        links=tuple(links),
        goals=(_MAKESPAN,),
        horizon=assumed(total, "all operations one after the other"),
        stages=stages,
        clock=Clock(60, "time unit"),
    )


def _instance(name: str, raw: Any, make: "Callable[[str, Mapping[str, Any]], Model]") -> Instance:
    best = None
    try:
        model = make(name, raw)
        for key in ("optimum", "makespan_best_known"):
            best = best if raw.get(key) is None else int(raw[key])
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as exc:
        raise ValueError(f"instance {name[:40]} is not well formed ({type(exc).__name__})") from exc
    return Instance(name, model, best)


_FORMATS: dict[str, Callable[[str, Mapping[str, Any]], Model]] = {
    "packhorse-jobshop/1": lambda name, raw: job_shop(name, raw["machines_matrix"], raw["duration_matrix"]),
    "packhorse-permflowshop/1": lambda name, raw: permutation_flow_shop(name, raw["processing_times"]),
}
