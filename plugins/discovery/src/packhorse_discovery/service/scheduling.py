"""A schedule of what is established: computed within the call, or by a durable job in a process of its own."""

import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from attrs import asdict, frozen

from packhorse_discovery.domain.models.minizinc import print_minizinc
from packhorse_discovery.errors import refusal
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.modelling import Modeller, counted, not_kept, outcome
from packhorse_discovery.service.projects import Projects
from packhorse_discovery.solver.as_good import closer, tie
from packhorse_discovery.solver.gantt import LOOSE
from packhorse_discovery.solver.report import as_kept, late_orders, long_waits

if TYPE_CHECKING:
    from pathlib import Path

    from packhorse.jobs import Running, Work
    from packhorse_discovery.domain.models.model import Model
    from packhorse_discovery.solver.solved import Progress, Solved

logger = logging.getLogger("packhorse.discovery")

SolverName = Literal["cp-sat", "minizinc"]

INLINE_SECONDS = 60.0
"""How long a search may last within a call: the tool's own limit of 120 s leaves as much for the explanation."""

EXPLAIN_SECONDS = 20.0
"""How long is spent at most on why there is no schedule."""

MOST_BARS = 120
"""Bars of a chart that an answer holds; the whole is a resource."""

CLOSER_SECONDS = 10.0
"""How long is spent at most on a schedule as good in which less waits."""

_OVERHEAD_SECONDS = 120.0
"""What a job may take beyond its search: starting, compiling, explaining."""

IN_A_JOB = "by a job, in a process of its own"
IN_THE_CALL = "within the call: jobs need packhorse[jobs], which is not installed on this server"
AT_THE_TERMINAL = "within the command"


@frozen
class Scheduler:
    """Computes the schedule of a project and keeps it in the history."""

    modeller: Modeller

    def solve(
        self,
        project_id: str,
        *,
        seconds: float,
        seed: int,
        solver: SolverName = "cp-sat",
        computed: str = IN_THE_CALL,
        job: str = "",
        progress: "Callable[[Progress], None] | None" = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> dict[str, Any]:
        """The best schedule found, as a Gantt chart; when there is none, which statements cannot hold together.

        What a ``job`` has kept already is given again and not computed anew.
        """
        casefile = self.modeller.casefile
        if job and (kept := casefile.model_of(project_id, job)):
            return {"model_id": f"m{kept['number']}", "target": kept["target"], **kept["body"]}
        model = self.modeller.model(project_id)
        solved = _by_minizinc(model, seconds) if solver == "minizinc" else None
        if solved is None:
            from packhorse_discovery.solver.solve import solve

            solved = solve(model, seconds=seconds, seed=seed, progress=progress, cancelled=cancelled)
        reasons: list[str] = []
        if solved.status == "infeasible":
            from packhorse_discovery.solver.explain import explain

            reasons = list(explain(model, seconds=min(seconds, EXPLAIN_SECONDS), seed=seed).sentences)
        solved = closer(model, solved, seconds=min(seconds, CLOSER_SECONDS), seed=seed)
        told = as_kept(model, solved.schedule)
        body = {
            "summary": _summary(told, solved, tie(model, solved, seconds=min(seconds, CLOSER_SECONDS), seed=seed)),
            **outcome(solved, told),
            "seconds": round(solved.seconds, 3),
            "not_kept": not_kept(told),
            "notes": [*solved.notes, *model.notes],
            "solver": solver,
            "computed": computed,
            "explanation": reasons,
            "gantt": _chart(solved),
        }
        number = casefile.keep_model(project_id, model.target, print_minizinc(model), body, job=job)
        return {"model_id": f"m{number}", "target": model.target, **body}

    def order(self, project_id: str, *, seconds: float, seed: int, solver: SolverName = "cp-sat") -> "Work":
        """The job that computes the schedule; refused at once where there is no model, or no such solver.

        Asked for again in the same state it is the same job, until that has kept its schedule.
        """
        from packhorse.jobs import Work

        model = self.modeller.model(project_id)
        if solver == "minizinc":
            found_minizinc()
        last = self.modeller.casefile.last_model(project_id)
        started = self.modeller.casefile.started(project_id)
        state = [project_id, started, print_minizinc(model), seconds, seed, solver, last["number"] if last else 0]
        return Work(
            f"{__name__}:compute",
            {"project_id": project_id, "seconds": seconds, "seed": seed, "solver": solver},
            key=hashlib.sha256(json.dumps(state).encode()).hexdigest(),
            seconds=seconds + _OVERHEAD_SECONDS,
        )

    def chart(self, project_id: str) -> dict[str, Any]:
        """The Gantt chart of the last schedule."""
        run = self.modeller.casefile.last_model(project_id)
        chart = (run or {}).get("body", {}).get("gantt")
        if not chart:
            raise refusal("NO_SCHEDULE", "project_id", "has no schedule yet: call solve_model")
        found: dict[str, Any] = chart
        return found


def compute(running: "Running", project_id: str, seconds: float, seed: int, solver: SolverName) -> dict[str, Any]:
    """What the job does: solve what is established when it runs, and keep the result under the job's id."""

    def told(better: "Progress") -> None:
        words = f"a schedule of {better.objective}; none is below {better.bound}"
        running.report_progress(min(better.seconds, seconds), seconds, words)

    scheduler = Scheduler(Modeller(Casefile(Projects(running.host))))
    running.report_progress(0, seconds, "searching")
    found = scheduler.solve(
        project_id, seconds=seconds, seed=seed, solver=solver, computed=IN_A_JOB, job=running.job_id, progress=told
    )
    return in_brief(found)


def in_brief(found: Mapping[str, Any]) -> dict[str, Any]:
    """A solved schedule as it is answered: nothing that is empty, and of the chart each resource's work in a line."""
    chart = found["gantt"]
    told = {name: each for name, each in found.items() if name != "seconds" and each not in ([], {}, "", None)}
    if not chart:
        return told
    lines: dict[str, list[tuple[int, str]]] = {}
    for row in chart["rows"]:
        label = f"{row['resource']} {row['unit']}" if row["units"] > 1 and row["resource"] != LOOSE else row["resource"]
        lines.setdefault(label, []).extend((bar["start"], _bar(bar)) for bar in row["bars"])
    rows, left = [], MOST_BARS
    for resource, bars in lines.items():
        rows.append({"resource": resource, "bars": [words for _, words in sorted(bars)][: max(left, 0)]})
        left -= len(bars)
    brief = {name: chart[name] for name in ("origin", "end") if chart[name] is not None} | {"rows": rows}
    return told | {"gantt": brief | ({"left_out": -left} if left < 0 else {})}


def _bar(bar: Mapping[str, Any]) -> str:
    """A bar in words, its day once: "rolls, bake: 2026-12-02 02:55 to 03:15"."""
    day, _, time = bar["ends"].rpartition(" ")
    ends = time if day and bar["starts"].startswith(f"{day} ") else bar["ends"]
    return f"{bar['job']}, {bar['step']}: {bar['starts']} to {ends}"


def found_minizinc() -> "Path":
    """The MiniZinc of this server.

    Raises:
        UserError: there is none on its path.
    """
    from packhorse_discovery.solver.minizinc import installed

    program = installed()
    if program is None:
        raise refusal(
            "SOLVER_UNAVAILABLE", "solver", "cannot be minizinc, which is not installed on this server: use cp-sat"
        )
    return program


def _by_minizinc(model: "Model", seconds: float) -> "Solved":
    from packhorse_discovery.solver.minizinc import MiniZincError, solve_with_minizinc

    try:
        return solve_with_minizinc(model, found_minizinc(), seconds=seconds)
    except MiniZincError as exc:
        logger.exception("minizinc gave no answer")
        raise refusal(
            "SOLVER_FAILED",
            "solver",
            "stopped without an answer: use cp-sat. The operator finds the cause in the log",
        ) from exc


def _summary(model: "Model", solved: "Solved", tied: str) -> str:
    """The outcome in a few sentences: what is late and could be instead, what was found, what it leaves out."""
    what = {
        "optimal": "The best schedule of what is modelled",
        "feasible": "A schedule, not proved to be the best",
        "infeasible": "No schedule can keep everything that was said; the explanation names the rules that clash",
        "unknown": "No schedule was found in the time given; there may still be a schedule",
        "cancelled": "The search was cancelled",
    }[solved.status]
    if solved.schedule is not None:
        what += f", which ends at {solved.schedule.clock.at(solved.schedule.end)}"
    told = [late_orders(model, solved.schedule), long_waits(model, solved.schedule)] if solved.schedule else ["", ""]
    return " ".join(filter(None, [told[0], tied, f"{what}.", counted(model), told[1]]))


def _chart(solved: "Solved") -> dict[str, Any]:
    from packhorse_discovery.solver.gantt import gantt

    if solved.schedule is None:
        return {}
    chart: dict[str, Any] = json.loads(json.dumps(asdict(gantt(solved))))  # as it is kept and read again
    return chart
