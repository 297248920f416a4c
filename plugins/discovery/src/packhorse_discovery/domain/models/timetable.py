"""A timetable: events that happen at named times of the week."""

import re
from datetime import datetime
from fractions import Fraction

from attrs import frozen

from packhorse_discovery.domain.case.scr import Event, Scr, Timeslot
from packhorse_discovery.domain.models.clock import Clock, grain
from packhorse_discovery.domain.models.goals import aims
from packhorse_discovery.domain.models.hours import DAY, Hours, clock_seconds, weekday, with_closures
from packhorse_discovery.domain.models.model import MOST_TASKS, Job, Link, Mode, Model, Resource, Spread, Task, Use
from packhorse_discovery.domain.models.source import Amount, Book, Source, assumed
from packhorse_discovery.domain.models.span import UnclearError, source_of
from packhorse_discovery.domain.models.stations import Station, Stations, uncounted
from packhorse_discovery.domain.schema.eads import slug

_PERIOD = re.compile(r"^\s*(\d{1,2}:\d{2})\s*(?:-|\u2013|\u2014|to)\s*(\d{1,2}:\d{2})\s*$", re.IGNORECASE)


@frozen
class Slot:
    """One time of the week: seconds from Monday at midnight, or ordinal numbers where no clock times were given."""

    kind: str
    start: int
    end: int
    source: Source


def timetable(scr: Scr, book: Book) -> Model:
    """The model of a timetable: each occurrence of each event gets one of its slots.

    Slots are real times where every period has clock times, so slots that
    overlap compete for rooms and people; else they are numbered one after the
    other.
    """
    if not scr.events:
        book.lack("the events to place in a timetable", "process/timetabling", "/event-types")
    if not scr.timeslots:
        book.lack("the timeslots of the timetable", "process/timetabling", "/timeslots")
    slots, clocked = _slots(scr, book)
    stations = Stations(scr, book, frozenset())
    needs = list(dict.fromkeys(name for event in scr.events for name in sorted(event.needs)))
    places = {name: _station(scr, stations, name) for name in needs}
    tick = grain([Fraction(slot.end - slot.start) for slot in slots], [Fraction(slot.start) for slot in slots])
    seconds = tick.seconds if clocked else 1
    tasks: list[Task] = []
    links: list[Link] = []
    jobs: list[Job] = []
    spreads: list[Spread] = []
    day = DAY // seconds if clocked else max(len({each.value for kind in scr.timeslots for each in kind.periods}), 1)
    for event in scr.events:
        modes = _modes(event, slots, places, seconds, book)
        times = _occurrences(event, book)
        if len(tasks) + times > MOST_TASKS:
            book.lack(f"a part of the events: a model holds {MOST_TASKS} occurrences", "process/timetabling")
        book.settle()
        jobs.append(Job(event.name.value, source=source_of(event.occurrences or event.name)))
        for number in range(times):
            if number:
                same = Source(assumption="occurrences of one event are alike, so they are numbered in order of time")
                links.append(Link(len(tasks) - 1, len(tasks), source=same, alike=True))
            step = f"occurrence {number + 1}" if times > 1 else "the event"
            tasks.append(Task(len(jobs) - 1, step, modes))
        if event.per_day is not None and times > event.per_day.value:
            most = Amount(max(int(event.per_day.value), 1), source_of(event.per_day))
            spreads.append(Spread(tuple(range(len(tasks) - times, len(tasks))), most, day))
    book.settle()
    end = max(slot.end for slot in slots) // seconds
    model = Model(
        target="timetabling",
        title=scr.project,
        jobs=tuple(jobs),
        tasks=tuple(tasks),
        resources=tuple(Resource(each.name, each.capacity) for each in stations.listed),
        links=tuple(links),
        goals=aims(scr, jobs, book),
        horizon=assumed(end, "the end of the last slot of the week"),
        clock=Clock(seconds, tick.name, week=True) if clocked else Clock(60, "slot"),
        spreads=tuple(spreads),
        notes=tuple(book.notes),
    )
    if not clocked or not scr.windows:
        return model
    hours = Hours(tuple(each for each in scr.windows if each.days), datetime.fromisoformat("2001-01-01"), strict=True)
    return with_closures(model, [hours.closed(each.id, end * seconds) for each in stations.listed], seconds)


def _slots(scr: Scr, book: Book) -> tuple[list[Slot], bool]:
    clocked = all(_PERIOD.match(period.value) for kind in scr.timeslots for period in kind.periods)
    if not clocked:
        book.note("the slots follow one another in the order named, since not all of them have clock times")
        return _ordinal(scr), False
    found = []
    for kind in scr.timeslots:
        try:
            found += _clock_slots(kind)
        except UnclearError as exc:
            book.lack(f"timeslots that can be read: {exc}", "process/timetabling", "/timeslots")
    if found:
        book.note("tick 0 is Monday at midnight")
    return found, True


def _clock_slots(kind: Timeslot) -> list[Slot]:
    found = []
    for day in kind.days:
        for period in kind.periods:
            match = _PERIOD.match(period.value)
            if match is None:
                continue
            opens, closes = clock_seconds(match[1]), clock_seconds(match[2])
            if closes <= opens:
                raise UnclearError(f"the period {period.value[:40]} ends before it starts")
            base = weekday(day.value) * DAY
            found.append(Slot(kind.id, base + opens, base + closes, source_of(period)))
    return sorted(found, key=lambda slot: (slot.start, slot.end))


def _ordinal(scr: Scr) -> list[Slot]:
    """Slots numbered from 0, day by day where days are named; the same period of two kinds is one time."""
    days = list(dict.fromkeys(day.value for kind in scr.timeslots for day in kind.days)) or [""]
    periods = list(dict.fromkeys(period.value for kind in scr.timeslots for period in kind.periods)) or [""]
    found = []
    for kind in scr.timeslots:
        own_days = [day.value for day in kind.days] or days
        if not kind.days and not kind.periods:
            own_days = days[:1]
        for day in own_days:
            for period in [each.value for each in kind.periods] or periods[:1]:
                number = days.index(day) * len(periods) + periods.index(period)
                found.append(Slot(kind.id, number, number + 1, source_of(kind.name)))
    return sorted(found, key=lambda slot: (slot.start, slot.kind))


def _station(scr: Scr, stations: Stations, name: str) -> int:
    for index, station in enumerate(stations.listed):
        if name.casefold() in {station.id.casefold(), station.name.casefold()}:
            return index
    stations.listed.append(Station(slug(name), name, uncounted(name)))
    return len(stations.listed) - 1


def _modes(event: Event, slots: list[Slot], places: dict[str, int], seconds: int, book: Book) -> tuple[Mode, ...]:
    """One mode for each length of slot that the event may have."""
    allowed = {fact.value for fact in event.slots}
    mine = [slot for slot in slots if not allowed or slot.kind in allowed]
    if not mine:
        book.lack(f"a timeslot for {event.name.value}", event.name.eads_id, event.name.path)
        return ()
    uses = []
    for name in sorted(event.needs):
        fact = event.needs[name]
        uses.append(Use(places[name], Amount(max(int(fact.value), 1), source_of(fact))))
    source = source_of(event.slots[0]) if event.slots else Source(assumption="any slot will do")
    found = []
    for length in sorted({slot.end - slot.start for slot in mine}):
        starts = sorted({slot.start // seconds for slot in mine if slot.end - slot.start == length})
        period = next(slot.source for slot in mine if slot.end - slot.start == length)
        found.append(Mode(Amount(length // seconds, period), tuple(uses), tuple(starts), source))
    return tuple(found)


def _occurrences(event: Event, book: Book) -> int:
    if event.occurrences is None:
        book.note(f"{event.name.value} happens once, since nobody said how often")
        return 1
    return max(int(event.occurrences.value), 1)
