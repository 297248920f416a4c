"""Working hours and closures as seconds from the start of the schedule, put into a model."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from fractions import Fraction

from attrs import evolve, frozen

from packhorse_discovery.domain.case.scr import Window
from packhorse_discovery.domain.models.clock import Grain
from packhorse_discovery.domain.models.model import Closed, Mode, Model, Resource, Task
from packhorse_discovery.domain.models.source import Amount, Book, Source
from packhorse_discovery.domain.models.span import Day, UnclearError, source_of
from packhorse_discovery.domain.models.stations import Stations

DAY = 86_400
WEEK = 7 * DAY
EVERYONE = "*"

_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CLOCK = re.compile(r"^(\d{1,2}):(\d{2})$")


@frozen
class Stretch:
    """From ``start`` to before ``end``, in seconds from the start of the schedule."""

    start: int
    end: int
    source: Source


def instant(text: str, *, end_of_day: bool = False) -> datetime:
    """An ISO 8601 date or date-time, local; a date is its first moment, or the last with ``end_of_day``.

    Raises:
        UnclearError: it is neither.
    """
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError as exc:
        raise UnclearError(f"{text.strip()[:40]} is not an ISO 8601 date or date-time") from exc
    found = found.replace(tzinfo=None)
    return found + timedelta(days=1) if end_of_day and len(text.strip()) == len("2026-01-01") else found


def clock_seconds(text: str) -> int:
    """``08:30`` as seconds from midnight; ``24:00`` is the end of the day.

    Raises:
        UnclearError: it is not a time of day.
    """
    match = _CLOCK.match(text.strip())
    if match is None or int(match[1]) > 24 or int(match[2]) > 59:
        raise UnclearError(f"{text.strip()[:40]} is not a time of day like 08:30")
    return int(match[1]) * 3600 + int(match[2]) * 60


def weekday(text: str) -> int:
    """Monday is 0; names may be shortened to two letters or more.

    Raises:
        UnclearError: it is no day of the week.
    """
    wanted = text.strip().casefold()
    for number, name in enumerate(_NAMES):
        if len(wanted) >= 2 and name.startswith(wanted):
            return number
    raise UnclearError(f"{text.strip()[:40]} is not a day of the week")


def of_the_place(windows: Iterable[Window], known: Collection[str], book: Book) -> tuple[Window, ...]:
    """``windows`` with hours of a name that is no resource ("the bakery") as hours of everyone, which is noted.

    Where working hours are said of a resource or of everyone, such a name may be a person who binds nothing: its
    windows are left out then, which is noted too.
    """
    every = list(windows)
    strange = dict.fromkeys(one.resource.value for one in every if one.resource.value not in {*known, EVERYONE})
    some = any(one.working and one.resource.value not in strange for one in every)
    places = {one.resource.value for one in every if one.working and not some} & {*strange}
    for name in strange:
        what = "hold for the whole place" if name in places else "bind nothing"
        book.note(f"the hours of {name.replace('-', ' ')} {what}, since no resource is called so")
    whole = (evolve(one, resource=evolve(one.resource, value=EVERYONE)) if one.resource.value in places else one
             for one in every)  # fmt: skip
    return tuple(one for one in whole if one.resource.value not in strange)


@frozen
class Hours:
    """All windows of a project, counted from ``start``; with ``strict`` nothing goes on outside them."""

    windows: tuple[Window, ...]
    start: datetime
    strict: bool = False

    def closed(self, resource: str, until: int) -> list[Stretch]:
        """When ``resource`` does not work, up to ``until`` seconds, in order; hours of its own replace those of all.

        Raises:
            UnclearError: a window cannot be read.
        """
        every = [each for each in self.windows if each.resource.value in {resource, EVERYONE}]
        own = [each for each in every if each.working and each.resource.value == resource]
        working = own or [each for each in every if each.working]
        shut = [piece for each in every if not each.working for piece in self._pieces(each, until)]
        if working:
            opened = [piece for each in working for piece in self._pieces(each, until)]
            shut += _between(opened, until, source_of(working[0].start))
        return _merged(shut, until)

    def own(self, resource: str) -> bool:
        """Whether the resource is bound to its hours: it has windows of its own, or nothing runs outside them."""
        return self.strict or any(each.resource.value == resource for each in self.windows)

    def day(self) -> Day | None:
        """The length of a shift, where all weekly hours that hold for everyone have one length."""
        weekly = [each for each in self.windows if each.working and each.days and each.resource.value == EVERYONE]
        lengths = {length(each) for each in weekly}
        if len(lengths) != 1:
            return None
        seconds = lengths.pop()
        return Day(Fraction(seconds), f"{seconds / 3600:g} hours long, as the working hours are")

    def instants(self) -> Iterator[Fraction]:
        """Seconds from midnight at which windows begin and end: instants that should fall on a tick."""
        for each in self.windows:
            for text in (each.start.value, each.end.value):
                if each.days:
                    yield Fraction(clock_seconds(text))
                else:
                    found = instant(text)
                    yield Fraction(found.hour * 3600 + found.minute * 60 + found.second)

    def _pieces(self, window: Window, until: int) -> list[Stretch]:
        source = source_of(window.start)
        if not window.days:
            start = (instant(window.start.value) - self.start) // timedelta(seconds=1)
            end = (instant(window.end.value, end_of_day=True) - self.start) // timedelta(seconds=1)
            if end <= start:
                raise UnclearError(f"the window from {window.start.value[:40]} ends before it starts")
            return [Stretch(max(start, 0), end, source)] if end > 0 and start < until else []
        monday = self.start - timedelta(days=self.start.weekday())
        monday = monday.replace(hour=0, minute=0, second=0, microsecond=0)
        first = (monday - self.start) // timedelta(seconds=1)
        opens, lasts = clock_seconds(window.start.value), length(window)
        found = []
        for week in range(first - WEEK, until, WEEK):
            for day in sorted({weekday(each.value) for each in window.days}):
                start = week + day * DAY + opens
                if start + lasts > 0 and start < until and self._holds(window, start):
                    found.append(Stretch(max(start, 0), start + lasts, source))
        return found

    def _holds(self, window: Window, start: int) -> bool:
        """Whether weekly hours hold on the day on which a piece of them starts."""
        date = self.start + timedelta(seconds=start)
        after = window.since is None or date >= instant(window.since.value)
        return after and (window.until is None or date < instant(window.until.value, end_of_day=True))


def longest_open(closed: Sequence[Stretch], until: int) -> int:
    """Seconds of the longest stretch without a closure; one still open at ``until`` counts as it stands."""
    edges = [0, *(edge for each in closed for edge in (each.start, each.end)), until]
    return max((end - start for start, end in zip(edges[::2], edges[1::2], strict=True)), default=until)


def length(window: Window) -> int:
    """Seconds from the start of weekly hours to their end, which may be after midnight.

    Raises:
        UnclearError: one of them is no time of day.
    """
    opens, closes = clock_seconds(window.start.value), clock_seconds(window.end.value)
    return closes - opens if closes > opens else closes + DAY - opens


def _between(opened: list[Stretch], until: int, source: Source) -> list[Stretch]:
    found, last = [], 0
    for piece in _merged(opened, until):
        if piece.start > last:
            found.append(Stretch(last, piece.start, source))
        last = piece.end
    return [*found, Stretch(last, until, source)] if last < until else found


def _merged(pieces: list[Stretch], until: int) -> list[Stretch]:
    found: list[Stretch] = []
    for piece in sorted(pieces, key=lambda each: (each.start, each.end)):
        end = min(piece.end, until)
        if found and piece.start <= found[-1].end:
            found[-1] = Stretch(found[-1].start, max(found[-1].end, end), found[-1].source)
        else:
            found.append(Stretch(piece.start, end, piece.source))
    return found


LONGEST = 520 * WEEK
"""Seconds (ten years) within which all tasks one after the other must fit; else the hours leave no room for them."""

RUNS_ON = "goes on outside working hours, being longer than any working day"
_LOOSE = "all tasks one after the other, with every set-up and pause"
_WITHIN = f"{_LOOSE}, within working hours"


def with_hours(model: Model, stations: Stations, hours: Hours | None, tick: Grain, book: Book) -> Model:
    """``model`` with its closures and a horizon.

    A task that is longer than any opening of the hours that hold for everyone
    runs on through closures, which is noted with its duration; hours told of
    a resource itself are kept, even if nothing fits into them.
    """
    loose = _loose(model)
    if hours is None:
        return evolve(model, horizon=Amount(loose, Source(assumption=_LOOSE)))
    until = 2 * WEEK + 2 * loose * tick.seconds
    while True:
        try:
            closed = [hours.closed(station.id, until) for station in stations.listed]
        except UnclearError as exc:
            book.lack(f"working hours that can be read: {exc}", "resources/calendar-and-maintenance")
            return model
        found = with_closures(_running_on(model, stations, hours, closed, until, tick), closed, tick.seconds)
        end = _last_end(found, until // tick.seconds)
        if end is not None or until > LONGEST:
            break
        until *= 2
    if end is None:
        end = min(until, 4 * WEEK + 4 * loose * tick.seconds) // tick.seconds
    if model.waits:
        end = 2 * end
    on = dict.fromkeys(task.step for task in found.tasks if task.runs_on)
    if on:
        book.note(f"{RUNS_ON}: {', '.join(on)}")
    resources = tuple(
        evolve(each, closed=tuple(shut for shut in each.closed if shut.start < end)) for each in found.resources
    )
    return evolve(found, resources=resources, horizon=Amount(max(end, 1), Source(assumption=_WITHIN)))


def _loose(model: Model) -> int:
    setups = [_between_jobs(resource) for resource in model.resources]
    total = sum(
        max(mode.ticks.value + sum(setups[use.resource] for use in mode.uses) for mode in task.modes)
        for task in model.tasks
    )
    total += sum(link.lag.value for link in model.links)
    return max(total + max((job.release.value for job in model.jobs if job.release is not None), default=0), 1)


def _between_jobs(resource: Resource) -> int:
    cleaning = resource.cleaning.value if resource.cleaning is not None else 0
    return max((cleaning, *(each.ticks.value for each in resource.setups)))


def _running_on(
    model: Model, stations: Stations, hours: Hours, closed: list[list[Stretch]], until: int, tick: Grain
) -> Model:
    openings = [longest_open(each, until) for each in closed]

    def too_long(mode: Mode, resource: int) -> bool:
        return mode.ticks.value * tick.seconds > openings[resource] and not hours.own(stations.listed[resource].id)

    def long(task: Task) -> bool:
        return all(any(too_long(mode, use.resource) for use in mode.uses) for mode in task.modes)

    def noted(mode: Mode) -> Mode:
        words = "longer than any working day, so it runs on outside working hours"
        return evolve(mode, ticks=Amount(mode.ticks.value, mode.ticks.source.with_assumption(words)))

    tasks = tuple(
        evolve(task, runs_on=True, modes=tuple(noted(mode) for mode in task.modes)) if long(task) else task
        for task in model.tasks
    )
    return evolve(model, tasks=tasks)


def with_closures(model: Model, closed: Sequence[Sequence[Stretch]], seconds: int) -> Model:
    """Closures of each resource in ticks of so many seconds, rounded so that nothing happens in closed time."""
    resources = []
    for resource, pieces in zip(model.resources, closed, strict=True):
        shut = tuple(Closed(piece.start // seconds, -(-piece.end // seconds), piece.source) for piece in pieces)
        resources.append(evolve(resource, closed=shut))
    return evolve(model, resources=tuple(resources))


def _last_end(model: Model, until: int) -> int | None:
    """When the last task ends if all are done one after the other in open time; None if that exceeds ``until``."""
    setup = max((_between_jobs(resource) for resource in model.resources), default=0)
    end = max((job.release.value for job in model.jobs if job.release is not None), default=0)
    lag = max((link.lag.value for link in model.links), default=0)
    for index in _in_order(model):
        task = model.tasks[index]
        ends = [_end(model, task, mode, end + setup + lag) for mode in task.modes]
        end = min(ends)
        if end > until:
            return None
    return end + lag


def _end(model: Model, task: Task, mode: Mode, start: int) -> int:
    length = 1 if task.runs_on else mode.ticks.value
    shut = sorted((each.start, each.end) for use in mode.uses for each in model.resources[use.resource].closed)
    for from_, to in shut:
        if start < to and from_ < start + length:
            start = to
    return start + mode.ticks.value


def _in_order(model: Model) -> list[int]:
    """The tasks, each after what it waits for; those in a circle come last."""
    before: dict[int, set[int]] = {index: set() for index in range(len(model.tasks))}
    for link in model.links:
        before[link.after].add(link.before)
    found: list[int] = []
    ready = [index for index, waits in before.items() if not waits]
    while ready:
        index = ready.pop(0)
        found.append(index)
        for other, waits in before.items():
            if index in waits:
                waits.remove(index)
                if not waits:
                    ready.append(other)
    return found + sorted(set(before) - set(found))
