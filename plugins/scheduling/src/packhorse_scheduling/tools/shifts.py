"""Solving an instance of a public shift-scheduling format: as a job, or within the call where there are no jobs."""

from collections.abc import Callable
from typing import Any

from packhorse import Context, Reply, Text
from packhorse.jobs import Running, Work
from packhorse_scheduling.models.shifts import SolveRosterQuestion
from packhorse_scheduling.tools.generation import has_jobs

Told = Callable[[int | None, int], None]

WALL_FOR_CPU = 10
"""Seconds that a job may last for each processor second asked for: a busy machine gives less than one."""


def solve_roster(question: SolveRosterQuestion, ctx: Context) -> Work | Reply[dict[str, Any]]:
    """Make the best shift roster of a public instance (Curtois or INRC-II texts), with a proven bound."""
    from packhorse_scheduling.convert.shifts.answers import summary_from

    asked = question.model_dump()
    read(asked)
    if has_jobs():
        return Work(
            "packhorse_scheduling.tools.shifts:run",
            {"asked": asked},
            seconds=WALL_FOR_CPU * question.cpu_seconds + 120,
        )

    def told(objective: int | None, bound: int) -> None:
        ctx.wait(ctx.report_progress, 0, None, progress_words(objective, bound))

    body = solved_body(asked, told, lambda: ctx.cancelled)
    return Reply(body, (Text(summary_from(body) + " This server has no background jobs, so the call waited for it."),))


def run(running: Running, *, asked: dict[str, Any]) -> dict[str, Any]:
    """The job."""
    return solved_body(
        asked, lambda objective, bound: running.report_progress(bound, objective, progress_words(objective, bound))
    )


def progress_words(objective: int | None, bound: int) -> str:
    """Incumbent and bound, for people."""
    found = "no roster yet" if objective is None else f"the best roster so far costs {objective}"
    return f"{found}; none costs less than {bound}"


def read(asked: dict[str, Any]) -> Any:
    """The instance as a domain value: of a Curtois text a problem, of INRC-II texts a folder.

    Raises:
        UserError: a text does not fit its format.
    """
    from packhorse_scheduling.convert.shifts.curtois import problem_from
    from packhorse_scheduling.convert.shifts.inrc2 import folder_from_texts
    from packhorse_scheduling.errors import invalid

    if asked["history"] is None and not asked["weeks"]:
        return problem_from(asked["instance"])
    if asked["history"] is None or not asked["weeks"]:
        raise invalid("weeks", "An INRC-II instance needs both history and weeks, beside the scenario in instance.")
    return folder_from_texts(asked["instance"], asked["history"], asked["weeks"])


def solved_body(asked: dict[str, Any], told: Told, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Read, solve, and say what came of it."""
    from packhorse_scheduling.convert.shifts.answers import outcome_from, weeks_from
    from packhorse_scheduling.domain.shifts.problem import Problem
    from packhorse_scheduling.service.shifts import solved, solved_weeks

    found = read(asked)
    seconds, seed = asked["cpu_seconds"], asked["seed"]
    if isinstance(found, Problem):
        return outcome_from(found, solved(found, seconds, seed=seed, told=told, cancelled=cancelled))
    return weeks_from(
        solved_weeks(
            found.scenario,
            dict(found.past),
            found.weeks,
            seconds,
            before=found.before,
            seed=seed,
            told=told,
            cancelled=cancelled,
        )
    )
