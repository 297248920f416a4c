"""A model before its clock is chosen: jobs and tasks with times in seconds."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction

from attrs import define, evolve, field, frozen

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import Fact, Order, Plan, Scr
from packhorse_discovery.domain.interview.naming import row_for
from packhorse_discovery.domain.models.hours import clock_seconds, instant
from packhorse_discovery.domain.models.model import Relation
from packhorse_discovery.domain.models.source import Amount, Book, Source
from packhorse_discovery.domain.models.span import Day, Span, UnclearError, lots, source_of, span


@frozen
class Way:
    """A mode to be: how long, and (station index, units)."""

    span: Span
    uses: tuple[tuple[int, Amount], ...]


@define
class Piece:
    """A task to be."""

    job: int
    step_id: str
    step: str
    ways: tuple[Way, ...]
    holds: tuple[int, ...] = ()
    holds_source: Source = field(factory=Source)


@frozen
class Tie:
    """A link to be."""

    before: int
    after: int
    relation: Relation
    lag: Span | None
    source: Source
    alike: bool = False


@frozen
class Pause:
    """A wait to be."""

    task: int
    after: tuple[int, ...]
    limit: Span


@frozen
class Commission:
    """A job to be: an order with its plan, one batch of it, or a plan that nobody has ordered yet.

    ``copies`` is how many batches the order has, ``copy`` which of them this is, from 1.
    """

    name: str
    product: str
    plan: Plan
    order: Order | None
    copy: int = 1
    copies: int = 1

    @property
    def family(self) -> str:
        """What changeovers go by."""
        if self.plan.group is not None:
            return self.plan.group.value
        return self.product or self.name or self.plan.id


@define
class Draft:
    """Everything gathered so far."""

    scr: Scr
    book: Book = field(factory=Book)
    jobs: list[Commission] = field(factory=list)
    pieces: list[Piece] = field(factory=list)
    ties: list[Tie] = field(factory=list)
    pauses: list[Pause] = field(factory=list)


def commissions(scr: Scr, book: Book) -> list[Commission]:
    """The jobs: the orders, or where there are none each plan once."""
    plans = {plan.id: plan for plan in scr.plans}
    if not scr.orders:
        if len(scr.plans) != 1:
            return [Commission(plan.name.value, plan.id, plan, None) for plan in scr.plans]
        only = scr.plans[0]
        products = dict.fromkeys(key for step in only.steps if step.duration is None for key in step.durations)
        if products:
            book.note("one batch of each product is scheduled, since no orders were named")
        return [Commission(key.replace("-", " "), key, only, None) for key in products or [""]]
    found = []
    for order in scr.orders:
        product = order.product.value if order.product is not None else ""
        plan = _plan_of(order, product, plans)
        if plan is None:
            book.lack(f"how {order.name.value} is made: which of the plans it follows", order.name.eads_id)
            continue
        found += _batches(order, product, plan)
    return found


def _batches(order: Order, product: str, plan: Plan) -> list[Commission]:
    """An order as a job for each of its batches; as one where it is no batches, or a step says how many it takes."""
    together = any(step.flow is not None for step in plan.steps)
    copies = 1 if together else lots(order.quantity)
    if copies == 1:
        return [Commission(order.name.value, product, plan, order)]
    each = evolve(order, quantity=None)
    return [
        Commission(f"{order.name.value} ({copy} of {copies})", product, plan, each, copy, copies)
        for copy in range(1, copies + 1)
    ]


def _plan_of(order: Order, product: str, plans: Mapping[str, Plan]) -> Plan | None:
    """The plan that an order says it follows, or that is called as its product or as itself is."""
    if order.plan is not None:
        return plans.get(order.plan.value)
    if product in plans:
        return plans[product]
    if len(plans) == 1:
        return next(iter(plans.values()))
    names = {plan.id: str(plan.name.value) for plan in plans.values()}
    found = next((row for words in (product, order.name.value) if words and (row := row_for(words, names))), None)
    return plans[found] if found is not None else None


def start_of(scr: Scr, book: Book) -> tuple[datetime | None, bool]:
    """Tick 0 as an instant, and whether the interview said it. None where nothing goes by the calendar.

    Weekly hours alone need a weekday: the schedule is then taken to start on a
    Monday at midnight.
    """
    told = [fact for order in scr.orders for fact in (order.release, order.due) if fact is not None]
    dates = [fact for fact in told if isinstance(fact.value, str)]
    dated = [each for each in scr.windows if not each.days or each.since or each.until]
    try:
        if scr.origin is not None:
            return instant(scr.origin.value), True
        if dates or dated:
            book.lack("the date on which the schedule starts, since dates were named", "data/orders", "/origin")
        elif scr.windows:
            book.note("the schedule starts on a Monday at midnight, since no date was said")
            return datetime.fromisoformat("2001-01-01"), False
    except UnclearError as exc:
        book.lack(f"a start of the schedule that can be read: {exc}", "data/orders", "/origin")
    return None, False


def moment(fact: Fact[str | Quantity], start: datetime | None, day: Day | None, *, last: bool) -> Span:
    """An instant of an order as seconds from the start of the schedule; a date is its first moment or its ``last``.

    A time of day is the next such time: a release may be the start itself, what is due comes after it.

    Raises:
        UnclearError: it is no date, and no quantity of time.
    """
    value = fact.value
    if isinstance(value, Quantity):
        return span(Fact(value, fact.question_id, fact.eads_id, fact.path, fact.assumption, fact.said), day=day)
    if start is None:
        raise UnclearError("the date on which the schedule starts was not said")
    source = source_of(fact)
    if len(value.strip()) == len("08:30"):
        midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
        at = midnight + timedelta(seconds=clock_seconds(value))
        at += timedelta(days=at <= start if last else at < start)
        words = f"the next {value} after the start, since no day was said"
        return Span(Fraction((at - start).total_seconds()), source.with_assumption(words))
    seconds = Fraction((instant(value, end_of_day=last) - start).total_seconds())
    if len(value.strip()) == len("2026-01-01"):
        source = source.with_assumption(f"a date means its {'last' if last else 'first'} moment")
    return Span(seconds, source)
