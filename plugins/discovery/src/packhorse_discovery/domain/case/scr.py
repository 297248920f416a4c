"""What the interviews of one project have established: the aggregated schema-conforming response.

This is what a model is built from. Every value is a `Fact`: the value, the
question it came from and what had to be assumed. A list that nobody was asked
about is empty; a value that nobody gave is None. Ids are those of the
interview (lower case, hyphens) and every reference names an id that exists,
unless ``gaps`` or ``conflicts`` says otherwise.
"""

from collections.abc import Mapping
from typing import Generic, Literal, TypeVar

from attrs import Factory, frozen

from packhorse_discovery.domain.case.quantity import Quantity

T = TypeVar("T")

ProblemType = Literal[
    "FLOW-SHOP",
    "JOB-SHOP",
    "SINGLE-MACHINE",
    "PROJECT-SCHEDULING",
    "TIMETABLING",
    "NONE-OF-THESE",
    "NOTHING-TO-CHOOSE",
]
OUTSIDE: Mapping[str, str] = {
    "NONE-OF-THESE": "The problem is of no built-in kind: write it as a formulation with solve_formulation, which "
    "needs what is chosen, every limit with its numbers, and what is best, in the person's words.",
    "NOTHING-TO-CHOOSE": "Nothing is chosen in this problem, so there is nothing to model: forecasts and simulations "
    "are not made here. Say so to the person.",
}
"""Kinds for which there is no schema to pursue and no model to build, and what to do instead."""
GoalKind = Literal["makespan", "tardiness", "weighted-tardiness", "number-late", "changeovers", "utilisation"]
Flow = Literal["whole-batch", "individuals-from-batch"]


@frozen
class Fact(Generic[T]):
    """A value with where it came from.

    ``question_id`` is the question whose answer gave it (None where it was
    imported or derived). ``eads_id`` and ``path`` say where it stands in the
    structure of that schema (``process/flow-shop``,
    ``/subprocesses/mash/duration``). ``assumption`` is what was taken for
    granted in reading it, in words fit for a comment in a model; empty when
    the value was said just so. ``said`` is the answer's own wording, shortened.
    """

    value: T
    question_id: str | None = None
    eads_id: str = ""
    path: str = ""
    assumption: str = ""
    said: str = ""


@frozen
class Step:
    """A step of work that is not divided further.

    ``duration`` is how long one batch (or, with `Quantity.per`, one part) of
    any product takes; ``durations`` holds the products or jobs, by id, for
    which it differs. ``after`` names steps of the same plan that must have
    ended before this one starts; with ``order_assumed`` nobody said so and the
    order of listing was taken. ``resources`` are all needed at once;
    ``alternatives`` are resources of which any one will do. ``demand`` is how
    many units of a resource are needed, 1 where it is absent. ``max_wait`` is
    the longest pause allowed before this step starts, after its predecessors;
    ``no_wait`` allows none, for ``no_wait_for`` alone where products are named;
    with ``blocks`` the step keeps what it occupies until the steps after it start.
    ``free`` is a step that was said to occupy nothing: it is done by hand, or it waits.
    """

    id: str
    name: Fact[str]
    duration: Fact[Quantity] | None = None
    durations: Mapping[str, Fact[Quantity]] = Factory(dict)
    after: tuple[Fact[str], ...] = ()
    order_assumed: bool = False
    resources: tuple[Fact[str], ...] = ()
    alternatives: tuple[Fact[str], ...] = ()
    demand: Mapping[str, Fact[float]] = Factory(dict)
    optional: Fact[bool] | None = None
    flow: Fact[Flow] | None = None
    setup: Fact[Quantity] | None = None
    max_wait: Fact[Quantity] | None = None
    no_wait: Fact[Quantity] | None = None
    no_wait_for: tuple[Fact[str], ...] = ()
    blocks: Fact[bool] | None = None
    free: bool = False


@frozen
class Plan:
    """A way of making something: the only one (flow shop, project), one of a few, or one job's own.

    ``steps`` are in the order in which they were listed. ``group`` is what
    changeovers go by, where it is not the product: a material, a colour.
    """

    id: str
    name: Fact[str]
    steps: tuple[Step, ...] = ()
    group: Fact[str] | None = None


@frozen
class Order:
    """A job to schedule.

    ``plan`` is the id of its `Plan` (None: the only one there is);
    ``product`` the key into `Step.durations` and `Changeover`. ``release`` and
    ``due`` are instants as ISO 8601 text (a date, or date and time, local), or
    quantities of time counted from the start of the schedule. ``priority`` is
    a weight, larger is more urgent.
    """

    id: str
    name: Fact[str]
    product: Fact[str] | None = None
    plan: Fact[str] | None = None
    quantity: Fact[Quantity] | None = None
    release: Fact[str | Quantity] | None = None
    due: Fact[str | Quantity] | None = None
    priority: Fact[float] | None = None


@frozen
class Resource:
    """A machine, a place, a kind of worker. ``count`` is how many alike there are (None: not said).

    ``capacity`` is how much one of them takes at a time, where that was said.
    """

    id: str
    name: Fact[str]
    kind: Fact[str] | None = None
    count: Fact[float] | None = None
    capacity: Fact[Quantity] | None = None


@frozen
class Window:
    """When a resource works, or does not.

    ``resource`` is an id, or ``*`` for all of them. A weekly window has
    ``days`` (``Monday`` ...) and clock times ``start`` and ``end``
    (``08:00``); a single closure has ISO 8601 dates or date-times in
    ``start`` and ``end`` and no days. ``working`` is False for maintenance and
    closures. ``since`` and ``until`` are the first and the last date on which
    a weekly window holds, where it does not always.
    """

    resource: Fact[str]
    start: Fact[str]
    end: Fact[str]
    days: tuple[Fact[str], ...] = ()
    working: bool = True
    since: Fact[str] | None = None
    until: Fact[str] | None = None


@frozen
class Changeover:
    """Time to go from one product (or family) to another; ``*`` is any. ``resource`` None: wherever it happens."""

    before: Fact[str]
    after: Fact[str]
    duration: Fact[Quantity]
    resource: Fact[str] | None = None


@frozen
class Cleaning:
    """Time that a resource is cleaned or reset between any two jobs, whatever they are."""

    resource: Fact[str]
    duration: Fact[Quantity]


@frozen
class Precedence:
    """One order goes before another (``after`` None: before every other; ``before`` "any": after every other), by id.

    Where ``at`` names a step or a resource, they start there in this order;
    else the first is finished before the other starts.
    """

    before: Fact[str]
    after: Fact[str] | None = None
    at: Fact[str] | None = None


@frozen
class Capability:
    """A resource that can do a step (``step`` an id), and, where it differs, how long it then takes."""

    resource: Fact[str]
    step: Fact[str]
    duration: Fact[Quantity] | None = None


@frozen
class Goal:
    """What a good schedule achieves. ``rank`` 1 comes first."""

    kind: Fact[GoalKind]
    rank: int


@frozen
class Event:
    """A kind of event to place in slots.

    ``needs`` are the constituents (room type, instructor, equipment) by name
    with how many of each; ``slots`` the ids of the timeslots allowed;
    ``occurrences`` how many times it happens within the timetable, ``per_day``
    how many times at most on one day.
    """

    id: str
    name: Fact[str]
    needs: Mapping[str, Fact[float]] = Factory(dict)
    slots: tuple[Fact[str], ...] = ()
    occurrences: Fact[float] | None = None
    per_day: Fact[float] | None = None


@frozen
class Timeslot:
    """A kind of slot: each of ``periods`` (``09:00-09:50``) on each of ``days``."""

    id: str
    name: Fact[str]
    days: tuple[Fact[str], ...] = ()
    periods: tuple[Fact[str], ...] = ()


@frozen
class Gap:
    """A value that is not known: ``state`` is why (never asked, or what was answered).

    One that is not required is a gap only where somebody said that they do not know it.
    """

    eads_id: str
    path: str
    state: Literal["missing", "unknown", "varies", "deferred"]
    question_id: str | None = None


@frozen
class Scr:
    """Everything known of one project, at one version of it.

    The version grows with every change. ``conflicts`` are the open ones, a
    sentence each, in the interview's words. ``origin`` is the instant that
    quantities in `Order.release` and `Order.due` and windows count from, as
    ISO 8601 text, where it was said. ``unmodelled`` are the rules that no
    model holds, each in the interview's words. ``overnight`` is whether work that has
    begun may go on outside the hours; False binds every step to them.
    """

    project: str
    version: int = 0
    product: Fact[str] | None = None
    challenges: tuple[Fact[str], ...] = ()
    problem_type: Fact[ProblemType] | None = None
    continuous: Fact[bool] | None = None
    cyclical: Fact[bool] | None = None
    permutation: Fact[bool] | None = None
    plans: tuple[Plan, ...] = ()
    orders: tuple[Order, ...] = ()
    resources: tuple[Resource, ...] = ()
    windows: tuple[Window, ...] = ()
    changeovers: tuple[Changeover, ...] = ()
    cleanings: tuple[Cleaning, ...] = ()
    precedences: tuple[Precedence, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    goals: tuple[Goal, ...] = ()
    unmodelled: tuple[Fact[str], ...] = ()
    events: tuple[Event, ...] = ()
    timeslots: tuple[Timeslot, ...] = ()
    gaps: tuple[Gap, ...] = ()
    conflicts: tuple[str, ...] = ()
    origin: Fact[str] | None = None
    overnight: Fact[bool] | None = None
