"""A schedule of what is established: computed within the call, or by a durable job in a process of its own."""

import hashlib
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from attrs import asdict, frozen

from packhorse_discovery.domain.models.hours import RUNS_ON
from packhorse_discovery.domain.models.minizinc import print_minizinc
from packhorse_discovery.errors import refusal
from packhorse_discovery.service.cabinet import Cabinet
from packhorse_discovery.service.casefile import Casefile
from packhorse_discovery.service.modelling import Modeller, not_kept, outcome
from packhorse_discovery.solver.closer import closer
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
            "summary": _summary(told, solved),
            **outcome(solved, told),
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

    scheduler = Scheduler(Modeller(Casefile(Cabinet(running.host))))
    running.report_progress(0, seconds, "searching")
    return scheduler.solve(
        project_id, seconds=seconds, seed=seed, solver=solver, computed=IN_A_JOB, job=running.job_id, progress=told
    )


def found_minizinc() -> "Path":
    """The MiniZinc of this server.

    Raises:
        UserError: there is none on its path.
    """
    from packhorse_discovery.solver.minizinc import installed

    program = installed()
    if program is None:
        raise refusal(
            "SOLVER_UNAVAILABLE", "solver", "minizinc is not on the path of this server: use cp-sat, which always is"
        )
    return program


def _by_minizinc(model: "Model", seconds: float) -> "Solved":
    from packhorse_discovery.solver.minizinc import MiniZincError, solve_with_minizinc

    try:
        return solve_with_minizinc(model, found_minizinc(), seconds=seconds)
    except MiniZincError as exc:
        logger.exception("minizinc gave no answer")
        raise refusal(
            "SOLVER_FAILED", "solver", "minizinc ended without an answer; the operator finds why in the log: use cp-sat"
        ) from exc


def _summary(model: "Model", solved: "Solved") -> str:
    """The outcome in a few sentences: what was found, what it leaves out, what it assumes."""
    what = {
        "optimal": "The best schedule of what is modelled",
        "feasible": "A schedule, not proved to be the best",
        "infeasible": "No schedule can keep everything that was said: the explanation names what clashes",
        "unknown": "No schedule was found in the time given, and none was proved impossible",
        "cancelled": "The search was cancelled",
    }[solved.status]
    if solved.schedule is not None:
        what += f", which ends at {solved.schedule.clock.at(solved.schedule.end)}"
    told = [late_orders(model, solved.schedule), long_waits(model, solved.schedule)] if solved.schedule else ["", ""]
    assumed = [f"Of note: {each}." for each in model.notes if each.startswith(("capacity", RUNS_ON))]
    return " ".join(filter(None, [told[0], f"{what}.", model.not_kept, told[1], *assumed]))


def _chart(solved: "Solved") -> dict[str, Any]:
    from packhorse_discovery.solver.gantt import gantt

    if solved.schedule is None:
        return {}
    chart: dict[str, Any] = json.loads(json.dumps(asdict(gantt(solved))))  # as it is kept and read again
    return chart
