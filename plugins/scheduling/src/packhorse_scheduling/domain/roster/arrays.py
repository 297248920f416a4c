"""The programme as dense arrays, and a roster as one array: what validator, solver and analytics all stand on.

A *grid* is ``int8[person, day, session]``: the number of the service in that
half-day, or `FREE`. Days include the tail: ``kernel.tail`` days (0, or up to
27) before the programme's first day, filled from its history. Day numbers in
this module and in `rules` and `solve` count from the tail's first day;
``day_of`` and ``date_of`` translate.

============================  =====================  =======================================================
attribute                     shape                  what
============================  =====================  =======================================================
``P, D, S``                   int                    people, days (tail included), services
``start, end, minutes``       int32[S+1, 2]          clock times in minutes of the day; the last row is FREE
``resident``                  bool[P]                persons whom the duty-hour limits bind
``runs``                      bool[P]                persons whom the limit of days in a row binds
``units``                     int32[P]               supervision units a resident takes (0 for others)
``teaches``                   bool[P]                persons who can supervise (faculty)
``group``                     int8[P]                the number of the person's role in ``people.ROLES``
``away``                      bool[P, D]             on binding leave
``eligible``                  bool[P, S]             role and year allow the service
``valid``                     bool[P, S, D]          eligible, and every needed credential is good that day
``open``                      bool[S, 2]             the service has clock times in that session
``least, most``               int16[G, S, D, 2]      demand per role; ``most`` is UNLIMITED without a demand
``actual, beyond``            dict, int32[P, D]      what was really worked, and the minutes that differ for it
============================  =====================  =======================================================

`rules.kernel.Kernel` adds the rules, which are built from these once.
"""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import cached_property

import numpy as np
import numpy.typing as npt
from attrs import define, field

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.programme.programme import Programme, days_of
from packhorse_scheduling.domain.programme.requests import Demand
from packhorse_scheduling.domain.roster.plan import Plan, by_day
from packhorse_scheduling.domain.roster.roster import Cell

Ints = npt.NDArray[np.int32]
Small = npt.NDArray[np.int16]
Bools = npt.NDArray[np.bool_]
Grid = npt.NDArray[np.int8]

FREE = -1
UNLIMITED = 32_000


@define(slots=False, eq=False, repr=False)
class Arrays:
    """One programme, ready to count; with ``plan``, the rotation plan that a version of its roster stands on."""

    programme: Programme
    plan: Plan = ()
    tail: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        programme = self.programme
        start = programme.year.start
        reach = programme.rules.average_days - 1
        oldest = min((row.day for row in programme.history), default=start)
        self.tail = min(reach, (start - oldest).days)
        self.P, self.D, self.S = len(programme.people), programme.year.days + self.tail, len(programme.services)
        self.first = start - timedelta(days=self.tail)
        self.person_of: Mapping[str, int] = {person.key: p for p, person in enumerate(programme.people)}
        self.person_by_id: Mapping[str, int] = {person.id: p for p, person in enumerate(programme.people)}
        self.service_of: Mapping[str, int] = {service.code: s for s, service in enumerate(programme.services)}
        self._clock()
        self._people()
        self._demands(programme.demands)

    def _clock(self) -> None:
        shape = (self.S + 1, 2)
        self.start: Ints = np.zeros(shape, np.int32)
        self.end: Ints = np.zeros(shape, np.int32)
        for s, service in enumerate(self.programme.services):
            for h in (0, 1):
                span = service.span(h)
                if span is not None:
                    self.start[s, h], self.end[s, h] = span.start, span.end
        self.minutes: Ints = self.end - self.start
        self.open: Bools = self.minutes[:-1] > 0
        services = self.programme.services
        self.transition: Bools = np.array([service.transition for service in services] + [False])
        self.overnight: Bools = np.array([service.overnight for service in services] + [False])
        self.supervised: Bools = np.array([service.supervised for service in services])
        self.fills: Bools = np.array([service.fills for service in services])

    def _people(self) -> None:
        people, services, rules = self.programme.people, self.programme.services, self.programme.rules
        self.group: Grid = np.array([ROLES.index(person.role) for person in people], np.int8)
        self.resident: Bools = np.array([person.role in rules.duty_roles for person in people])
        self.runs: Bools = np.array([person.role in rules.run_roles for person in people])
        self.teaches: Bools = np.array([person.role == "FACULTY" for person in people])
        self.units: Ints = np.array([rules.resident_units.get(p.pgy, 1) if p.pgy else 0 for p in people], np.int32)
        self.away: Bools = np.zeros((self.P, self.D), bool)
        for leave in self.programme.leaves:
            if leave.binds:
                days = days_of(leave, self.programme.year)
                self.away[self.person_of[leave.person], days.start + self.tail : days.stop + self.tail] = True
        self.eligible: Bools = np.array([[service.suits(person) for service in services] for person in people])
        self.valid: Bools = np.repeat(self.eligible[:, :, None], self.D, axis=2)
        for p, person in enumerate(people):
            for s, service in enumerate(services):
                for code in service.needs(person):
                    last = person.credentials.get(code)
                    if code not in person.credentials:
                        self.valid[p, s] = False
                    elif last is not None:
                        self.valid[p, s, max(0, self.day_of(last) + 1) :] = False

    def _demands(self, demands: Iterable[Demand]) -> None:
        shape = (len(ROLES), self.S, self.D, 2)
        self.least: Small = np.zeros(shape, np.int16)
        self.most: Small = np.full(shape, UNLIMITED, np.int16)
        dates = [self.date_of(d) for d in range(self.D)]
        weekday = np.array([day.weekday() for day in dates])
        holiday = np.array([day in self.programme.year.holidays for day in dates])
        self.weekend: Bools = weekday >= 5
        self.holiday: Bools = holiday
        asked = np.zeros(shape[:2], bool)
        for demand in demands:
            asked[ROLES.index(demand.role), self.service_of[demand.service]] = True
        # A service somebody asks for is done only when asked for; one that fills, on working days.
        self.most[asked] = 0
        fillers = np.flatnonzero(self.fills)
        self.most[:, fillers] = np.where(
            (weekday >= 5)[None, None, :, None] | holiday[None, None, :, None], 0, UNLIMITED
        )
        for demand in demands:
            g, s = ROLES.index(demand.role), self.service_of[demand.service]
            days = np.isin(weekday, list(demand.weekdays)) & (demand.holidays | ~holiday)
            days[: self.tail] = False
            if demand.start is not None:
                days[: max(0, self.day_of(demand.start))] = False
            if demand.end is not None:
                days[max(0, self.day_of(demand.end) + 1) :] = False
            for h in (int(session == "PM") for session in demand.sessions):
                self.least[g, s, days, h] = demand.minimum
                self.most[g, s, days, h] = min(demand.maximum, UNLIMITED)
        self.most *= self.open[None, :, None, :]

    def day_of(self, day: date) -> int:
        """The number of a date, the tail included."""
        return (day - self.first).days

    def date_of(self, day: int) -> date:
        """The date of a day number."""
        return self.first + timedelta(days=day)

    def empty(self) -> Grid:
        """A roster in which only the tail is filled."""
        grid = np.full((self.P, self.D, 2), FREE, np.int8)
        for row in self.programme.history:
            d = self.day_of(row.day)
            if 0 <= d < self.tail:
                grid[self.person_of[row.person], d, int(row.session == "PM")] = self.service_of[row.service]
        return grid

    def grid_of(self, cells: Iterable[Cell]) -> Grid:
        """The grid of these filled cells.

        Raises:
            KeyError: an unknown person or service.
        """
        grid = self.empty()
        for person, day, h, service in cells:
            grid[self.person_of[person], self.day_of(day), h] = self.service_of[service]
        return grid

    def cells_of(self, grid: Grid) -> list[Cell]:
        """The filled half-days of the programme's own days, by person and time."""
        people = [person.key for person in self.programme.people]
        codes = [service.code for service in self.programme.services]
        dates = [self.date_of(d) for d in range(self.D)]
        rows = np.argwhere(grid[:, self.tail :] != FREE).tolist()
        return [(people[p], dates[d + self.tail], h, codes[grid[p, d + self.tail, h]]) for p, d, h in rows]

    @cached_property
    def may(self) -> Bools:
        """``bool[P, S, D, 2]``: the person can do the service then: valid, present, and the service is open."""
        return self.valid[:, :, :, None] & ~self.away[:, None, :, None] & self.open[None, :, None, :]

    @cached_property
    def locked(self) -> Bools:
        """``bool[P, D, 2]``: the cells that the programme's locks hold."""
        held = np.zeros((self.P, self.D, 2), bool)
        for at in self.lock_at:
            held[at] = True
        return held

    @cached_property
    def lock_at(self) -> dict[tuple[int, int, int], int]:
        """The service (or `FREE`) that each locked cell is to have, by person, day and session."""
        return {
            (self.person_of[lock.person], self.day_of(lock.day), int(lock.session == "PM")): (
                FREE if lock.service is None else self.service_of[lock.service]
            )
            for lock in self.programme.locks
        }

    @cached_property
    def actual(self) -> dict[tuple[int, int, int], tuple[int, int, int]]:
        """What was really worked, by person, day and session: the service (or `FREE`), start and end in minutes."""
        found = {}
        for row in self.programme.actual_hours:
            s = FREE if row.service is None else self.service_of[row.service]
            h = int(row.session == "PM")
            start, end = (int(self.start[s, h]), int(self.end[s, h])) if row.hours is None else (
                row.hours.start, row.hours.end,
            )  # fmt: skip
            found[self.person_of[row.person], self.day_of(row.day), h] = s, start, end
        return found

    @cached_property
    def clocked(self) -> dict[int, list[tuple[int, int, int]]]:
        """Half-days that were really worked, by person: the half-day's number (two a day), start and end in minutes."""
        found: dict[int, list[tuple[int, int, int]]] = {}
        for (p, d, h), (s, start, end) in self.actual.items():
            if s != FREE:
                found.setdefault(p, []).append((2 * d + h, start, end))
        return found

    def worked(self, grid: Grid) -> Grid:
        """The roster as it was worked: actual half-days in the place of planned ones; itself where none is known."""
        if not self.actual:
            return grid
        found = grid.copy()
        for at, (s, _, _) in self.actual.items():
            found[at] = s
        return found

    @cached_property
    def beyond(self) -> Ints:
        """``int32[P, D]``: minutes really worked beyond the clock times of the services worked; negative for fewer."""
        found = np.zeros((self.P, self.D), np.int32)
        for (p, d, h), (s, start, end) in self.actual.items():
            found[p, d] += end - start - self.minutes[s, h]
        return found

    def collisions(self, grid: Grid) -> Bools:
        """``bool[P, D, 2]``: work on leave. A night is of its evening's day; what is on record as worked is none."""
        found: Bools = (grid >= 0) & self.away[:, :, None]
        night = self.overnight[grid[:, :, 0]]
        found[:, 0, 0] &= ~night[:, 0]
        found[:, 1:, 0] &= ~night[:, 1:] | self.away[:, :-1] | (grid[:, :-1, 1] != grid[:, 1:, 0])
        for at in self.actual:
            found[at] = False
        return found

    def duty_minutes(self, grid: Grid) -> Ints:
        """``int32[P, D]``: minutes of duty of everybody, day by day; of a roster as it was `worked`."""
        found: Ints = self.minutes[grid[:, :, 0], 0] + self.minutes[grid[:, :, 1], 1] + self.beyond
        return found

    @cached_property
    def rotation(self) -> Ints:
        """``int32[P, D]``: the rotation that each person is on, by its number in the programme, or -1."""
        found: Ints = np.full((self.P, self.D), -1, np.int32)
        found[:, self.tail :] = by_day(self.programme, self.plan)
        return found

    @cached_property
    def attending(self) -> Ints:
        """``int32[P, D]``: the service of which somebody is the attending by the plan, or -1."""
        found: Ints = np.full((self.P, self.D), -1, np.int32)
        for stay in self.plan:
            p, s = self.person_of.get(stay.person), self.service_of.get(stay.rotation)
            if p is not None and s is not None and self.programme.people[p].role == "FACULTY":
                found[p, max(0, self.day_of(stay.first)) : max(0, self.day_of(stay.last) + 1)] = s
        return found

    @cached_property
    def wanted(self) -> Bools:
        """``bool[P, S, D, 2]``: `may`, and the demand of the person's role leaves room for at least one."""
        return self.may & (self.most[self.group] > 0)


def counts(arrays: Arrays, grid: Grid, weights: Ints | None = None) -> Ints:
    """``int32[roles, services, days, 2]``: how many of each role are where, each person counted ``weights`` times."""
    shape = (len(ROLES), arrays.S, arrays.D, 2)
    person, day, half = np.nonzero(grid >= 0)
    service = grid[person, day, half].astype(np.int64)
    where = ((arrays.group[person] * arrays.S + service) * arrays.D + day) * 2 + half
    each = None if weights is None else weights[person]
    return np.bincount(where, each, minlength=int(np.prod(shape))).reshape(shape).astype(np.int32)
