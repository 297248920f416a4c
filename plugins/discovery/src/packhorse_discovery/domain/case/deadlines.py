"""Orders that cannot be ready when they are due."""

from collections.abc import Iterator

from packhorse_discovery.domain.case.conflict import Conflict
from packhorse_discovery.domain.case.plan_conflicts import least_of, shortest, span_words
from packhorse_discovery.domain.case.quantity import MINUTES, Quantity
from packhorse_discovery.domain.case.scr import Order, Plan, Scr
from packhorse_discovery.domain.models.span import lots


def deadlines(scr: Scr) -> Iterator[Conflict]:
    """Orders that are due before they can begin, or before their steps can be over."""
    for order in scr.orders:
        plan = next((one for one in scr.plans if order.plan is None or one.id == order.plan.value), None)
        due, release = order.due, order.release
        if due is None:
            continue
        if isinstance(due.value, str) and release is not None and isinstance(release.value, str):
            timed = {len(due.value), len(release.value)} & {len("08:30")}  # of which the days are not known
            if not timed and due.value < release.value:
                yield Conflict(
                    "due-too-early",
                    (due.path, release.path),
                    (f"{order.name.value} is due {due.value}", f"it cannot start before {release.value}"),
                    "Correct one of the two dates.",
                )
        elif isinstance(due.value, Quantity) and plan is not None:
            limit = due.value.high
            least = max((each for each in (shortest(plan), _load(scr, order, plan)) if each is not None), default=None)
            factor = MINUTES.get(due.value.unit)
            if limit is not None and factor and least is not None and least > limit * factor:
                yield Conflict(
                    "due-too-early",
                    (due.path,),
                    (
                        f"{order.name.value} is due after {due.value.text}",
                        f"its steps take at least {span_words(least)}",
                    ),
                    "Is the due time later, or a step shorter?",
                )


def _load(scr: Scr, order: Order, plan: Plan) -> float | None:
    """The least minutes in which the busiest resource does all batches of an order; None where nothing is known of it.

    A resource that takes several at a time, and a step of a batch, bind nothing.
    """
    many = lots(order.quantity)
    if any(step.flow is not None for step in plan.steps):
        return None
    counts = {one.id: one.count.value for one in scr.resources if one.count is not None and one.capacity is None}
    loads = [
        many * least_of(step) / counts[fact.value]
        for step in plan.steps
        for fact in step.resources
        if counts.get(fact.value) and not step.alternatives
    ]
    return max(loads, default=None)
