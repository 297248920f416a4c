"""Solving a ward's question, or an instance of a public format: a job, or within the call where there are none."""

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
    """Make the best shift roster of any ward, from its question, with a bound that no roster can beat."""
    from packhorse_scheduling.convert.wards.answers import summary_from

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
    if objective is None:
        return "no lawful roster yet"
    return f"the best roster so far costs {objective}; no lawful one costs less than {bound}"


def read(asked: dict[str, Any]) -> Any:
    """The ward that is asked about.

    Raises:
        UserError: the question or a text does not fit its format.
    """
    from packhorse_scheduling.convert.shifts.curtois import ward_from
    from packhorse_scheduling.convert.shifts.inrc2 import ward_from_texts
    from packhorse_scheduling.convert.wards.question import ward_of
    from packhorse_scheduling.errors import invalid

    ward, instance, history, weeks = (asked[name] for name in ("ward", "instance", "history", "weeks"))
    if (ward is None) == (instance is None):
        raise invalid("ward", "Give either `ward` or `instance`.")
    if ward is not None:
        if history is not None or weeks:
            raise invalid("history", "`history` and `weeks` can be given only with `instance`.")
        return ward_of(ward)
    if history is None and not weeks:
        return ward_from(instance)
    if history is None or not weeks:
        raise invalid("weeks", "An INRC-II instance needs both `history` and `weeks`.")
    return ward_from_texts(instance, history, weeks)


def solved_body(asked: dict[str, Any], told: Told, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Read, solve, and word what came of it."""
    from packhorse_scheduling.convert.wards.answers import outcome_from
    from packhorse_scheduling.service.shifts import solved

    ward = read(asked)
    return outcome_from(ward, solved(ward, asked["cpu_seconds"], seed=asked["seed"], told=told, cancelled=cancelled))
