"""Solving a ward's question: the domain's outcome, or a refusal in words."""

from collections.abc import Callable

from packhorse_scheduling.domain.wards.question import Ward
from packhorse_scheduling.domain.wards.search import Outcome
from packhorse_scheduling.errors import not_generated

Told = Callable[[int | None, int], None]


def silent(objective: int | None, bound: int) -> None:
    """Tell nobody."""


def never() -> bool:
    """Nobody calls it off."""
    return False


def solved(
    ward: Ward,
    cpu_seconds: float,
    *,
    seed: int,
    told: Told = silent,
    cancelled: Callable[[], bool] = never,
) -> Outcome:
    """The best roster of a ward within so many processor seconds.

    Raises:
        UserError: a person's own limits and days off leave no lawful pattern.
    """
    from packhorse_scheduling.domain.shifts.state import NoPatternError
    from packhorse_scheduling.domain.wards.search import solve

    try:
        return solve(ward, cpu_seconds, seed=seed, told=told, cancelled=cancelled)
    except NoPatternError as exc:
        raise not_generated(
            f"There is no roster: the limits and days off of {exc.person} allow no pattern at all. Ease the least"
            f" hours, the run lengths or the days off of {exc.person}.",
            person=exc.person,
        ) from exc
