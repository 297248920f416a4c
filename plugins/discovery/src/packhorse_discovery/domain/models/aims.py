"""The goals of a model, from what the interview says about a good schedule."""

from fractions import Fraction
from math import lcm

from attrs import evolve

from packhorse_discovery.domain.models.book import Book
from packhorse_discovery.domain.models.model import DUE_GOALS, Goal, Job
from packhorse_discovery.domain.models.source import Amount, Source
from packhorse_discovery.domain.models.span import source_of
from packhorse_discovery.domain.scr import Scr

_FINEST_WEIGHT = 100
"""Weights are told apart to a hundredth: solvers count in whole numbers."""


def aims(scr: Scr, jobs: list[Job], book: Book) -> tuple[Goal, ...]:
    """The goals by rank; the makespan where the interview names none that can be used."""
    named = sorted(scr.goals, key=lambda goal: goal.rank)
    usable: dict[str, Goal] = {}
    dated = any(job.due is not None for job in jobs)
    weights = whole([Fraction(repr(float(goal.weight))) for goal in named])
    ranks = sorted({goal.rank for goal in named})
    for goal, weight in zip(named, weights, strict=True):
        kind = goal.kind.value
        if kind in DUE_GOALS and not dated:
            book.note(f"the goal {kind} is left out, since no order has a due date")
        elif kind in usable:
            book.note(f"the goal {kind} was named twice: the first counts")
        else:
            usable[kind] = Goal(kind, 1 + ranks.index(goal.rank), weight, source_of(goal.kind))
    if not usable:
        return (Goal("makespan", source=Source(assumption="to be finished early, since no other goal can be used")),)
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
