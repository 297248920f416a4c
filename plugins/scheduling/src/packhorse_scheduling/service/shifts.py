"""Solving shift rosters of public formats: the domain's outcome, or a refusal in words."""

from collections.abc import Callable

from packhorse_scheduling.domain.shifts.engine import Outcome
from packhorse_scheduling.domain.shifts.nurse_weeks import Weeks
from packhorse_scheduling.domain.shifts.nurses import Past, Scenario, Week
from packhorse_scheduling.domain.shifts.problem import Problem
from packhorse_scheduling.errors import not_generated

Told = Callable[[int | None, int], None]
LEAST_SECONDS, MOST_SECONDS = 1, 3600
"""Limits of what may be asked for, in processor seconds."""


def silent(objective: int | None, bound: int) -> None:
    """Tell nobody."""


def never() -> bool:
    """Nobody calls it off."""
    return False


def solved(
    problem: "Problem",
    cpu_seconds: float,
    *,
    seed: int,
    told: Told = silent,
    cancelled: Callable[[], bool] = never,
) -> "Outcome":
    """The best roster of a shift-scheduling problem within so many processor seconds.

    Raises:
        UserError: a person's own limits and days off leave no lawful pattern.
    """
    from packhorse_scheduling.domain.shifts.engine import solve
    from packhorse_scheduling.domain.shifts.state import NoPatternError

    try:
        return solve(problem, cpu_seconds, seed=seed, told=told, cancelled=cancelled)
    except NoPatternError as exc:
        raise not_generated(
            f"There is no roster: the limits and days off of {exc.person} allow no pattern at all. Ease the least"
            " minutes, the run lengths or the days off of that line in SECTION_STAFF.",
            person=exc.person,
        ) from exc


def solved_weeks(
    scenario: "Scenario",
    past: "dict[str, Past]",
    weeks: "tuple[Week, ...]",
    cpu_seconds: float,
    *,
    before: int,
    seed: int,
    told: Told = silent,
    cancelled: Callable[[], bool] = never,
) -> "Weeks":
    """The best plans of weeks in sequence within so many processor seconds.

    Raises:
        UserError: no plan of a week was found in time.
    """
    from packhorse_scheduling.domain.shifts.nurse_weeks import NoWeekError, solve_weeks

    try:
        return solve_weeks(scenario, past, weeks, cpu_seconds, before=before, seed=seed, told=told, cancelled=cancelled)
    except NoWeekError as exc:
        raise not_generated(
            f"No plan was found for week {exc.number + 1} of the sequence within the time: give more --cpu-seconds.",
            week=exc.number + 1,
        ) from exc
