"""The real MiniZinc, where one is on the path: an independent second opinion on a printed program."""

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from attrs import evolve

from packhorse_discovery.domain.models.goals import first_rank
from packhorse_discovery.domain.models.minizinc import print_minizinc
from packhorse_discovery.domain.models.model import Model
from packhorse_discovery.solver.solved import Solved, Status, goal_values, schedule_from

# Compiling and starting come on top of MiniZinc's own limit, which counts solving.
_GRACE_SECONDS = 60.0

# The solver that only compiles; MiniZinc compiles for none unless one is named.
_STANDARD = "org.minizinc.mzn-fzn"

_STATUSES: dict[str, Status] = {
    "OPTIMAL_SOLUTION": "optimal",
    "ALL_SOLUTIONS": "optimal",
    "SATISFIED": "feasible",
    "UNSATISFIABLE": "infeasible",
}


class MiniZincError(Exception):
    """MiniZinc refused the program or ended without an answer. The message has its own words, on one line."""


def installed(path: str | None = None) -> Path | None:
    """The ``minizinc`` on the search path (``path``: another one); None where there is none."""
    found = shutil.which("minizinc", path=path)
    return None if found is None else Path(found)


def solve_with_minizinc(model: Model, program: Path, *, seconds: float = 60.0, solver: str | None = None) -> Solved:
    """What MiniZinc finds for the printed program of ``model`` within ``seconds`` of solving.

    ``program`` is a ``minizinc`` as given by `installed`; ``solver`` the name
    of one of its solvers, its default where None. The values of the goals
    are computed anew from the schedule it gives.

    Raises:
        MiniZincError: it refuses the program, or gives no answer in time.
    """
    begun = time.monotonic()
    flags = ["--output-mode", "json", "--time-limit", str(round(seconds * 1000))]
    messages = _ran(model, program, flags, solver, seconds + _GRACE_SECONDS)
    return evolve(_solved(model, messages), seconds=time.monotonic() - begun)


def compile_with_minizinc(model: Model, program: Path, *, seconds: float = 60.0, solver: str | None = None) -> None:
    """Have MiniZinc check and compile the printed program of ``model`` for ``solver``, without solving it.

    Where ``solver`` is None it is compiled for MiniZinc's own standard library, which is there without any solver.

    Raises:
        MiniZincError: it refuses the program, or does not end in time.
    """
    _ran(model, program, ["--compile", "--output-fzn-to-stdout", "--no-output-ozn"], solver or _STANDARD, seconds)


def _ran(model: Model, program: Path, flags: list[str], solver: str | None, seconds: float) -> list[dict[str, Any]]:
    flags = ["--json-stream", *flags, *(["--solver", solver] if solver else []), "--input-from-stdin"]
    try:
        done = subprocess.run(  # noqa: S603  the program was found on the path; the arguments are ours
            [str(program), *flags],
            input=print_minizinc(model),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as exc:
        raise MiniZincError(f"no answer within {seconds:g} seconds") from exc
    messages = _messages(done.stdout)
    if errors := [each for each in messages if each.get("type") == "error"]:
        raise MiniZincError(" ".join(str(errors[0].get("message", "an error")).split()))
    if done.returncode:
        raise MiniZincError(f"ended with code {done.returncode}")
    return messages


def _messages(stream: str) -> list[dict[str, Any]]:
    found = []
    for line in stream.splitlines():
        if line.startswith("{"):
            message = json.loads(line)
            if isinstance(message, dict):
                found.append(message)
    return found


def _solved(model: Model, messages: list[dict[str, Any]]) -> Solved:
    solutions = [each["output"]["json"] for each in messages if each.get("type") == "solution"]
    said = next((each["status"] for each in reversed(messages) if each.get("type") == "status"), "UNKNOWN")
    status = _STATUSES.get(str(said), "feasible" if solutions else "unknown")
    if not solutions:
        return Solved(status, None, None, status == "infeasible", 0.0, None)
    last = solutions[-1]
    schedule = schedule_from(model, last["start"], _modes(model, last.get("chosen")))
    goals = goal_values(model, schedule)
    values = dict(zip((goal.kind for goal in model.goals), goals.values(), strict=True))
    objective = sum(term.factor * values[term.goal.kind] for term in first_rank(model))
    proved = status == "optimal"
    return Solved(status, objective, objective if proved else None, proved, 0.0, schedule, goals=goals)


def _modes(model: Model, chosen: list[bool] | None) -> list[int]:
    if chosen is None:
        return [0] * len(model.tasks)
    modes, first = [], 0
    for task in model.tasks:
        modes.append(chosen[first : first + len(task.modes)].index(True))
        first += len(task.modes)
    return modes
