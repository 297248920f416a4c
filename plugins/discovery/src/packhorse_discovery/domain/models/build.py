"""From what an interview established to a scheduling model: through a draft in seconds to ticks.

The same `Scr` gives the same model, and so the same bytes of program.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from fractions import Fraction

from attrs import evolve, fields, frozen, has

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import OUTSIDE, Scr
from packhorse_discovery.domain.case.units import UNNAMED_TIME, family_of
from packhorse_discovery.domain.models.clock import Clock, Grain, grain
from packhorse_discovery.domain.models.draft import Draft, Piece, Tie, commissions, moment, start_of
from packhorse_discovery.domain.models.gather import gather
from packhorse_discovery.domain.models.goals import LARGEST, NO_GOAL, aims, whole, with_dates
from packhorse_discovery.domain.models.hours import Hours, of_the_place, with_hours
from packhorse_discovery.domain.models.kept import left_over
from packhorse_discovery.domain.models.model import (
    MOST_TASKS,
    Job,
    Link,
    Mode,
    Model,
    Resource,
    Setup,
    Target,
    Task,
    Unmodelled,
    Use,
    Wait,
)
from packhorse_discovery.domain.models.source import Amount, Book, Lack, NotBuildableError, Source
from packhorse_discovery.domain.models.span import UNNAMED_SECONDS, Day, Span, UnclearError, source_of
from packhorse_discovery.domain.models.stations import (
    ANY,
    UNCOUNTED,
    Changing,
    Places,
    Stations,
    applies,
    between,
    changings,
    cleanings,
)
from packhorse_discovery.domain.models.timetable import timetable


@frozen
class Setting:
    """What holds for the whole: the start (and whether it was said), hours, length of a day, set-ups.

    ``unnamed`` says that all times are in a unit of which nobody said how long it is.
    """

    start: datetime | None
    dated: bool
    hours: Hours | None
    day: Day | None
    changes: tuple[Changing, ...]
    cleaned: Mapping[str, Span]
    unnamed: bool = False


def assemble(draft: Draft, stations: Stations, made: Setting) -> Model:
    """The model of a draft that lacks nothing.

    Raises:
        NotBuildableError: a date or a working hour cannot be read.
    """
    book, hours = draft.book, made.hours
    dates = [_dates(draft, number, made) for number in range(len(draft.jobs))]
    book.settle()
    tick = _tick(draft, dates, made)
    jobs = _jobs(draft, dates, tick)
    goals = aims(draft.scr, jobs, book)
    counted = any(goal.kind == "changeovers" for goal in goals)
    tasks = [_task(draft, piece, tick) for piece in draft.pieces]
    resources = tuple(_resource(stations, index, tasks, tick, made, counted) for index in range(len(stations.listed)))
    lengths = [way.span.seconds for piece in draft.pieces for way in piece.ways]
    model = Model(
        target=_target(draft, tasks, resources),
        title=_title(draft),
        jobs=with_dates(jobs, goals),
        tasks=tuple(tasks),
        resources=resources,
        links=tuple(_link(tie, tick) for tie in draft.ties),
        goals=goals,
        horizon=Amount(1),  # the hours decide: with_hours sets it
        waits=tuple(Wait(pause.task, pause.after, _ticks(pause.limit, tick)) for pause in draft.pauses),
        stages=_stages(draft, tasks, resources),
        stages_source=source_of(draft.scr.permutation) if draft.scr.permutation is not None else Source(),
        clock=_clock(tick, lengths, made),
    )
    model = with_hours(model, stations, hours, tick, book)
    if model.horizon.value > LARGEST:
        book.lack(f"durations that fit one schedule: all together are more than {LARGEST} times {tick.name}")
    book.settle()
    return evolve(model, notes=tuple(book.notes))


def _tick(draft: Draft, dates: list[tuple[Span | None, Span | None]], made: Setting) -> Grain:
    lengths = [way.span.seconds for piece in draft.pieces for way in piece.ways]
    lengths += [each.span.seconds for each in made.changes]
    lengths += [each.seconds for each in made.cleaned.values()]
    others = [tie.lag.seconds for tie in draft.ties if tie.lag is not None]
    others += [pause.limit.seconds for pause in draft.pauses]
    others += [each.seconds for pair in dates for each in pair if each is not None]
    others += list(made.hours.instants()) if made.hours is not None else []
    if made.start is not None:
        others.append(Fraction(made.start.hour * 3600 + made.start.minute * 60 + made.start.second))
    return Grain(UNNAMED_SECONDS, UNNAMED_TIME, fits=True) if made.unnamed else grain(lengths, others)


def _link(tie: Tie, tick: Grain) -> Link:
    if tie.lag is None:
        return Link(tie.before, tie.after, tie.relation, source=tie.source, alike=tie.alike)
    return Link(tie.before, tie.after, tie.relation, _ticks(tie.lag, tick), tie.source)


def _clock(tick: Grain, lengths: Iterable[Fraction], made: Setting) -> Clock:
    if made.start is None:
        return tick.clock(lengths)
    if not made.dated:
        return tick.clock(lengths, week=True)
    return tick.clock(lengths, made.start.isoformat(sep=" ", timespec="minutes"))


def _dates(draft: Draft, number: int, made: Setting) -> tuple[Span | None, Span | None]:
    order = draft.jobs[number].order
    found: list[Span | None] = []
    last = draft.jobs[number].copy == draft.jobs[number].copies  # the batches of an order end one after the other
    told = (("release", order.release if order else None), ("due", order.due if order and last else None))
    for what, fact in told:
        try:
            found.append(moment(fact, made.start, made.day, last=what == "due") if fact is not None else None)
        except UnclearError as exc:
            draft.book.lack(f"the {what} date of {draft.jobs[number].name} ({exc})", "data/orders")
            found.append(None)
    return found[0], found[1]


def _jobs(draft: Draft, dates: list[tuple[Span | None, Span | None]], tick: Grain) -> list[Job]:
    orders = [job.order for job in draft.jobs]
    given = [
        Fraction(repr(float(order.priority.value))) if order is not None and order.priority is not None else Fraction(1)
        for order in orders
    ]
    given = [each if each > 0 else Fraction(1) for each in given]
    weights = whole(given)
    found = []
    for commission, order, (release, due), weight, share in zip(draft.jobs, orders, dates, weights, given, strict=True):
        job = Job(commission.name)
        source = source_of(order.priority) if order is not None and order.priority is not None else job.weight.source
        if weight != share:
            source = source.with_assumption(f"{float(share):g} brought to whole numbers with the others")
        job = evolve(job, weight=Amount(weight, source))
        if release is not None:
            early = release.seconds <= 0
            words = "it is there from the start on" if early else ""
            ticks = 0 if early else -int(-release.seconds // tick.seconds)
            job = evolve(job, release=Amount(ticks, release.source.with_assumption(words)))
        if due is not None:
            job = evolve(job, due=Amount(int(due.seconds // tick.seconds), due.source))
        found.append(job)
    return found


def _task(draft: Draft, piece: Piece, tick: Grain) -> Task:
    modes = tuple(
        Mode(_ticks(way.span, tick), tuple(Use(station, amount) for station, amount in way.uses)) for way in piece.ways
    )
    family = draft.jobs[piece.job].family
    return Task(piece.job, piece.step, modes, family, holds=piece.holds, holds_source=piece.holds_source)


def _ticks(given: Span, tick: Grain) -> Amount:
    ticks = tick.ticks(given.seconds)
    source = given.source
    if ticks * tick.seconds != given.seconds:
        source = source.with_assumption(f"{float(given.seconds / 60):g} minutes rounded to {ticks} x {tick.name}")
    return Amount(ticks, source)


def _resource(stations: Stations, index: int, tasks: list[Task], tick: Grain, made: Setting, counted: bool) -> Resource:
    station = stations.listed[index]
    users = [task for task in tasks if any(use.resource == index for mode in task.modes for use in mode.uses)]
    families = list(dict.fromkeys(task.family for task in users if task.family))
    changes = between(made.changes, station.id, families) if len(users) > 1 else []
    several = any(use.amount.value > 1 for task in users for mode in task.modes for use in mode.uses)
    cleaned = made.cleaned.get(station.id) or (None if station.own else made.cleaned.get(ANY))
    cleaning = _ticks(cleaned, tick) if cleaned is not None and len(users) > 1 else None
    if station.capacity.value != 1 or several:
        if users and (changes or counted):
            stations.book.note(f"changeovers of {station.name} are not modelled, since it is a pool")
        return Resource(station.name, station.capacity, cleaning=cleaning)
    setups = tuple(Setup(before, after, _ticks(lasting, tick)) for before, after, lasting in changes)
    sequenced = bool(setups) or (counted and len(users) > 1)
    return Resource(station.name, station.capacity, (), setups, sequenced, cleaning)


def _title(draft: Draft) -> str:
    product = draft.scr.product
    return f"{product.value} ({draft.scr.project})" if product is not None else draft.scr.project


def _target(draft: Draft, tasks: list[Task], resources: tuple[Resource, ...]) -> Target:
    used = {use.resource for task in tasks for mode in task.modes for use in mode.uses}
    choice = any(len(task.modes) > 1 for task in tasks) or any(resources[each].capacity.value > 1 for each in used)
    kind = draft.scr.problem_type.value if draft.scr.problem_type is not None else None
    routes = {job.plan.id for job in draft.jobs}
    if kind is None:
        draft.book.note("the kind of problem was not said, so the plans alone decide")
    if kind == "PROJECT-SCHEDULING":
        return "rcpsp"
    if kind == "SINGLE-MACHINE" and len(used) == 1 and not choice:
        return "single-machine"
    if len(draft.jobs) == 1 and draft.jobs[0].order is None and kind in {None, "FLOW-SHOP"}:
        return "residence-time"
    if kind == "JOB-SHOP" or len(routes) > 1:
        return "flexible-job-shop" if choice else "job-shop"
    return "flexible-flow-shop" if choice else "flow-shop"


def _stages(draft: Draft, tasks: list[Task], resources: tuple[Resource, ...]) -> tuple[tuple[int, ...], ...]:
    """The stages of a permutation flow shop, where the interview says that no job overtakes another.

    A step that needs nothing holds nobody up: there is no place in which one job could stand behind another.
    """
    permutation = draft.scr.permutation
    if permutation is None or not permutation.value or len(draft.jobs) < 2:
        return ()
    routes = [[piece.step_id for piece in draft.pieces if piece.job == number] for number in range(len(draft.jobs))]
    single = all(len(task.modes) == 1 for task in tasks) and all(each.capacity.value == 1 for each in resources)
    if not single or any(route != routes[0] for route in routes):
        draft.book.note("that no job overtakes another is not modelled: not every job passes the same single machines")
        return ()
    width = len(routes[0])
    stages = (tuple(job * width + stage for job in range(len(routes))) for stage in range(width))
    return tuple(stage for stage in stages if any(mode.uses for task in stage for mode in tasks[task].modes))


_PLACES: dict[str, Places] = {"PROJECT-SCHEDULING": "none", "SINGLE-MACHINE": "one", "JOB-SHOP": "said"}


def build(scr: Scr) -> Model:
    """The model of ``scr``, with what it assumes and what it does not hold.

    Raises:
        NotBuildableError: something is missing or cannot be read; its ``lacks`` name every such thing.
    """
    model = _built(scr)
    unmodelled = tuple(Unmodelled(fact.value, source_of(fact)) for fact in scr.unmodelled)
    model = evolve(model, unmodelled=unmodelled, notes=(*_assumed(model), *model.notes))
    return evolve(model, unmodelled=left_over(model))


def _assumed(model: Model) -> list[str]:
    """What nobody said and the model takes: its goal, and the capacities of the resources that something uses."""
    used = [each for index, each in enumerate(model.resources) if any(model.users(index))]
    found = []
    for start, words in ((UNCOUNTED, "since nobody said how many there are"), ("", "one job at a time in each place")):
        names = [
            each.name
            for each in used
            if each.capacity.source.question is None and each.capacity.source.assumption.startswith(start)
        ]
        used = [each for each in used if each.name not in names]
        if names:
            found.append(f"capacity 1, assumed {words}: {', '.join(names)}")
    if [one.source.assumption for one in model.goals] == [NO_GOAL]:
        found.append("what makes a plan better was not said, or cannot be used: to be finished early is assumed")
    return found


def _built(scr: Scr) -> Model:
    book = Book()
    kind = scr.problem_type.value if scr.problem_type is not None else None
    if kind is not None and kind in OUTSIDE:
        raise NotBuildableError((Lack(f"a kind of problem that is built in. {OUTSIDE[kind].rstrip('.')}"),))
    _remarks(scr, book)
    if kind == "TIMETABLING" or (kind is None and scr.events and not scr.plans):
        return timetable(scr, book)
    if not scr.plans:
        book.lack("the steps of the work", "process/flow-shop", "/subprocesses")
    draft = Draft(scr, book, jobs=commissions(scr, book))
    start, dated = start_of(scr, book)
    unnamed = _unnamed(scr, book, start)
    book.settle()
    strict = scr.overnight is not None and not scr.overnight.value
    windows = of_the_place(scr.windows, [each.id for each in scr.resources], book)
    hours = Hours(windows, start, strict) if start is not None and windows else None
    try:
        day = hours.day() if hours is not None else None
    except UnclearError as exc:
        book.lack(f"working hours that can be read: {exc}", "resources/calendar-and-maintenance")
        day = None
    changes = changings(scr, book, day)
    counted = any(goal.kind.value == "changeovers" for goal in scr.goals)
    split = {each.id for each in scr.resources if counted or applies(changes, each.id)}
    stations = Stations(scr, book, frozenset(split - _shared(scr)))
    wanted = sum(len(job.plan.steps) for job in draft.jobs)
    if wanted > MOST_TASKS:
        book.lack(
            f"a part of the orders: all of them are {wanted} tasks, and a model holds {MOST_TASKS}", "data/orders"
        )
        book.settle()
    gather(draft, stations, day, places=_PLACES.get(kind or "", "own"))
    book.settle()
    return assemble(draft, stations, Setting(start, dated, hours, day, changes, cleanings(scr, book, day), unnamed))


def _unnamed(scr: Scr, book: Book, start: datetime | None) -> bool:
    """Whether all times are in units of no said length."""
    units = {each.unit for each in _quantities(scr) if family_of(each.unit) == "time"}
    if UNNAMED_TIME in units and (len(units) > 1 or start is not None):
        book.lack("how long a time unit is, since other times have a length")
    return UNNAMED_TIME in units


def _quantities(value: object) -> Iterator[Quantity]:
    if isinstance(value, Quantity):
        yield value
    elif isinstance(value, tuple | Mapping):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _quantities(each)
    elif has(kind := type(value)):
        for one in fields(kind):
            yield from _quantities(getattr(value, one.name))


def _shared(scr: Scr) -> set[str]:
    """Resources of which some step needs several units at once: they stay pools."""
    return {name for plan in scr.plans for step in plan.steps for name, fact in step.demand.items() if fact.value > 1}


def _remarks(scr: Scr, book: Book) -> None:
    for conflict in scr.conflicts:
        book.note(f"an open conflict of the interview: {conflict}")
    unknown = [each.path.strip("/").replace("/", " ").replace("-", " ") for each in scr.gaps if each.state == "unknown"]
    if unknown:
        book.note(f"asked and not known, so not part of the model: {', '.join(unknown)}")
    if scr.cyclical is not None and scr.cyclical.value:
        book.note("one round is scheduled; that the work is cyclical is not part of the model")
