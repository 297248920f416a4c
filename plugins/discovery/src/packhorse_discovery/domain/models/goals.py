"""The goals of a model: from the interview, what they are worth at most, and several as one number."""

from fractions import Fraction
from math import lcm

from attrs import evolve, frozen

from packhorse_discovery.domain.case.scr import Scr
from packhorse_discovery.domain.models.model import DUE_GOALS, Goal, GoalKind, Job, Model
from packhorse_discovery.domain.models.source import Amount, Book, Source
from packhorse_discovery.domain.models.span import source_of

LARGEST = 2**30
"""The largest objective that a printed program holds: several MiniZinc solvers count in 32 bits."""

NO_GOAL = "to be finished early, since no other goal can be used"
"""The assumption of the goal that is taken where the interview names none."""

NAMES: dict[GoalKind, str] = {
    "makespan": "makespan",
    "tardiness": "tardiness",
    "weighted-tardiness": "weighted_tardiness",
    "number-late": "number_late",
    "changeovers": "changeovers",
    "utilisation": "idle",
}
"""The variable of a printed program that holds a goal."""


def latest(model: Model, job: int) -> int:
    """By how many ticks a job can be late within the horizon; more than the horizon if it was due before the start."""
    due = model.jobs[job].due
    return 0 if due is None else max(model.horizon.value - due.value, 0)


def bound(model: Model, kind: GoalKind) -> int:
    """The largest value that a goal can have within the horizon."""
    horizon, jobs = model.horizon.value, model.jobs
    match kind:
        case "makespan":
            return horizon
        case "tardiness":
            return sum(latest(model, index) for index in range(len(jobs)))
        case "weighted-tardiness":
            return sum(job.weight.value * latest(model, index) for index, job in enumerate(jobs))
        case "number-late":
            return sum(job.due is not None for job in jobs)
        case "changeovers":
            return len(model.tasks)
        case "utilisation":
            return horizon * sum(max(resource.capacity.value, 1) for resource in model.resources)


@frozen
class Term:
    """A goal times a factor."""

    factor: int
    goal: Goal


def combined(model: Model) -> tuple[Term, ...] | None:
    """One sum whose minimum is the lexicographic optimum over the ranks; None where it would exceed `LARGEST`.

    Each rank weighs more than everything that the ranks after it can reach.
    """
    terms: list[Term] = []
    factor = 1
    for rank in reversed(model.ranks):
        terms[:0] = [Term(factor * goal.weight, goal) for goal in rank]
        factor *= 1 + sum(goal.weight * bound(model, goal.kind) for goal in rank)
    return tuple(terms) if factor <= LARGEST else None


def first_rank(model: Model) -> tuple[Term, ...]:
    """The goals of the first rank alone."""
    return tuple(Term(goal.weight, goal) for goal in model.ranks[0])


_FINEST_WEIGHT = 100
"""Weights are rounded to a hundredth: solvers count in whole numbers."""


def aims(scr: Scr, jobs: list[Job], book: Book) -> tuple[Goal, ...]:
    """The goals by rank; the makespan where the interview names none that can be used."""
    named = sorted(scr.goals, key=lambda goal: goal.rank)
    usable: dict[str, Goal] = {}
    dated = any(job.due is not None for job in jobs)
    ranks = sorted({goal.rank for goal in named})
    for goal in named:
        kind = goal.kind.value
        if kind in DUE_GOALS and not dated:
            book.note(f"the goal {kind} is left out, since no order has a due date")
        elif kind in usable:
            book.note(f"the goal {kind} was named twice: the first counts")
        else:
            usable[kind] = Goal(kind, 1 + ranks.index(goal.rank), source=source_of(goal.kind))
    if not usable:
        return (Goal("makespan", source=Source(assumption=NO_GOAL)),)
    return tuple(usable.values())


def with_dates(jobs: list[Job], goals: tuple[Goal, ...]) -> tuple[Job, ...]:
    """The jobs, with due dates kept strictly when no goal speaks of lateness."""
    if any(goal.kind in DUE_GOALS for goal in goals):
        return tuple(jobs)
    strict = "it must be kept, since no goal speaks of lateness"
    return tuple(
        job
        if job.due is None
        else evolve(job, strict=True, due=Amount(job.due.value, job.due.source.with_assumption(strict)))
        for job in jobs
    )


def whole(weights: list[Fraction]) -> list[int]:
    """Whole numbers in the same proportions, to a hundredth; at least 1 each."""
    rounded = [each.limit_denominator(_FINEST_WEIGHT) for each in weights]
    below = lcm(*(each.denominator for each in rounded)) if rounded else 1
    return [max(int(each * below), 1) for each in rounded]
