"""What goals are worth at most, and how several become one number."""

from attrs import frozen

from packhorse_discovery.domain.models.model import Goal, GoalKind, Model

LARGEST = 2**30
"""The largest objective that a printed program holds: several MiniZinc solvers count in 32 bits."""

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
