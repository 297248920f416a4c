"""Running a benchmark file through model, printer and solver."""

import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TypedDict

from packhorse_discovery.domain.models.benchmark import Instance, read
from packhorse_discovery.domain.models.minizinc import print_minizinc
from packhorse_discovery.solver.solve import solve


class Result(TypedDict):
    """What one instance gave. ``seconds`` is wall time of solving; ``best`` the published makespan."""

    objective: int | None
    bound: int | None
    proved: bool
    seconds: float
    status: str
    cpu_seconds: float
    best: int | None
    program_bytes: int


def bench(
    file: Path,
    *,
    seconds: float = 60.0,
    seed: int = 1,
    workers: int | None = None,
    only: Collection[str] = (),
    each: Callable[[str, Result], None] | None = None,
) -> dict[str, Result]:
    """The result of every instance of ``file`` (of those named by ``only``), each within ``seconds``.

    ``workers`` is by default the number of processors. ``each`` is told of
    every instance as it ends.

    Raises:
        ValueError: the file cannot be read, is no benchmark file, or has no instance of a name in ``only``.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise ValueError(f"{file.name} cannot be read as text") from exc
    instances = read(text)
    known = {instance.name for instance in instances}
    if strange := sorted(set(only) - known):
        raise ValueError(f"no instance {', '.join(strange)}: the file has {', '.join(sorted(known))}")
    found = {}
    for instance in instances:
        if only and instance.name not in only:
            continue
        found[instance.name] = _run(instance, seconds, seed, workers or os.cpu_count() or 1)
        if each is not None:
            each(instance.name, found[instance.name])
    return found


def _run(instance: Instance, seconds: float, seed: int, workers: int) -> Result:
    program = print_minizinc(instance.model)
    solved = solve(instance.model, seconds=seconds, seed=seed, workers=workers)
    return {
        "objective": solved.objective,
        "bound": solved.bound,
        "proved": solved.proved,
        "seconds": round(solved.seconds, 3),
        "status": solved.status,
        "cpu_seconds": round(solved.cpu_seconds, 3),
        "best": instance.best,
        "program_bytes": len(program.encode()),
    }
