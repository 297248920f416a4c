"""The resources of a model to be, which of them a step can use, and set-up times on them."""

import re
from collections.abc import Sequence
from itertools import product
from math import ceil
from typing import Literal

from attrs import define, field, frozen

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import Fact, Resource, Scr, Step
from packhorse_discovery.domain.models.source import Amount, Book, Source, assumed
from packhorse_discovery.domain.models.span import Day, Span, UnclearError, source_of, span

_ONE_NEEDED = assumed(1, "one of it is needed at a time")
_JOBS = frozenset({"batch", "lot", "order", "job", "run", "load"})
UNCOUNTED = "one, since nobody said how many of"
_NUMBER = re.compile(r"[\s_-]*\d+$")
MOST_SPLIT = 20
"""Machines alike that are told apart where changeovers matter; more of them are a pool."""


Places = Literal["own", "one", "none", "said"]
"""Where a step happens that names no resource: at a place of its own, on the one machine there is, or nowhere.

``said``: which it is must be asked, since it decides who waits for whom.
"""


def uncounted(name: str) -> Amount:
    """The capacity of a resource that nobody counted."""
    return assumed(1, f"{UNCOUNTED} {name} there are")


@frozen
class Station:
    """A resource of the model to be. ``id`` is the interview's; ``own`` marks the place of a single step."""

    id: str
    name: str
    capacity: Amount
    own: bool = False


@frozen
class Choice:
    """Stations with units, all at once, and the capability whose duration holds then."""

    uses: tuple[tuple[int, Amount], ...]
    duration: Fact[Quantity] | None


@define
class Stations:
    """Stations are listed in the order in which they are first known: inventory, then places of steps."""

    scr: Scr
    book: Book
    split: frozenset[str]
    listed: list[Station] = field(factory=list)
    _of: dict[str, list[int]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for resource in self.scr.resources:
            self._inventory(resource)

    def choices(self, step: Step, places: Places) -> list[Choice]:
        """The ways in which a step can be staffed: at least one, in a fixed order."""
        able = [each for each in self.scr.capabilities if each.step.value == step.id]
        lasting = {each.resource.value: each.duration for each in able if each.duration is not None}
        fixed, free = self._needed(step)
        if not free and able and not fixed:
            free = list(dict.fromkeys(each.resource.value for each in able))
        if not fixed and not free and step.free:
            return [Choice((), None)]
        if not fixed and not free:
            return [Choice(((self._place(step, places), _ONE_NEEDED),) if places != "none" else (), None)]
        found = []
        for picked in [*free] if free else [None]:
            named = [*fixed, *([picked] if picked is not None and picked not in fixed else [])]
            duration = next((lasting[each] for each in reversed(named) if each in lasting), None)
            for stations in product(*(self._known(each) for each in named)):
                uses = tuple((station, self._demand(step, name)) for station, name in zip(stations, named, strict=True))
                found.append(Choice(uses, duration))
        return found

    def _needed(self, step: Step) -> tuple[list[str], list[str]]:
        """The resources that ``step`` needs all at once, and those of which any one will do besides.

        One alternative beside one resource stands in place of it, as does one that is called like it but for its
        number; beside several it may stand in place of any of them, which is asked.
        """
        free = list(dict.fromkeys(each.value for each in step.alternatives))
        fixed = [each.value for each in step.resources if each.value not in free]
        if (
            len(fixed) == 1
            and free
            and (len(free) == 1 or len({_NUMBER.sub("", each) for each in (*fixed, *free)}) == 1)
        ):
            return [], [*fixed, *free]
        if len(fixed) > 1 and len(free) == 1:
            other = step.alternatives[0]
            words = f"which of {' and '.join(fixed)} {free[0]} may stand in for, in {step.name.value}"
            self.book.lack(words, other.eads_id, other.path)
        return fixed, free

    def known_as(self, resource: str) -> tuple[int, ...]:
        """The stations of a resource of the interview; none where it has no such resource."""
        return tuple(self._of.get(resource, ()))

    def _demand(self, step: Step, resource: str) -> Amount:
        fact = step.demand.get(resource)
        if fact is None:
            return _ONE_NEEDED
        whole = ceil(fact.value)
        source = source_of(fact)
        if whole != fact.value:
            source = source.with_assumption(f"{fact.value:g} rounded up")
        return Amount(max(whole, 1), source)

    def _known(self, resource: str) -> list[int]:
        if resource not in self._of:
            unsaid = uncounted(resource)
            self._add(resource, Station(resource, resource, unsaid))
        return self._of[resource]

    def _place(self, step: Step, places: Places) -> int:
        if places == "one":
            known = [each.id for each in self.scr.resources] or ["the machine"]
            if len(known) > 1:
                self.book.lack(f"which of the machines does {step.name.value}", step.name.eads_id, step.name.path)
            return self._known(known[0])[0]
        key = f"place of {step.id}"
        if key not in self._of:
            name = step.name.value
            alone = assumed(1, f"{name} has a place of its own, which takes one job at a time")
            self._add(key, Station(step.id, name, alone, own=True))
        return self._of[key][0]

    def _inventory(self, resource: Resource) -> None:
        name = resource.name.value
        if resource.count is None:
            capacity = uncounted(name)
        else:
            whole = int(resource.count.value)
            source = source_of(resource.count)
            if whole != resource.count.value:
                source = source.with_assumption(f"{resource.count.value:g} rounded down")
            capacity = Amount(max(whole, 0), source)
        capacity = self._times_capacity(resource, name, capacity)
        if resource.id in self.split and 1 < capacity.value <= MOST_SPLIT:
            for number in range(1, capacity.value + 1):
                one = Amount(1, capacity.source.with_assumption("kept apart, since changeovers matter"))
                self._add(resource.id, Station(resource.id, f"{name} {number}", one))
            return
        self._add(resource.id, Station(resource.id, name, capacity))

    def _times_capacity(self, resource: Resource, name: str, count: Amount) -> Amount:
        if resource.capacity is None:
            return count
        each = resource.capacity.value
        one_alone = not each.unit and each.typical == 1
        if (each.unit in _JOBS or one_alone) and each.typical is not None and each.typical >= 1:
            said = source_of(resource.capacity)
            words = f"each takes {int(each.typical)} at a time ({said.words})"
            return Amount(count.value * int(each.typical), count.source.with_assumption(words))
        self.book.note(f"the capacity of {name} is not part of the model: {Source(said=each.text).words}")
        return count

    def _add(self, key: str, station: Station) -> None:
        self._of.setdefault(key, []).append(len(self.listed))
        self.listed.append(station)


ANY = "*"


@frozen
class Changing:
    """Time from one product to another, ``*`` being any; ``resource`` None means wherever it happens."""

    before: str
    after: str
    resource: str | None
    span: Span


def changings(scr: Scr, book: Book, day: Day | None) -> tuple[Changing, ...]:
    """All set-ups of the interview, in its order."""
    found = []
    for each in scr.changeovers:
        before, after = each.before.value, each.after.value
        try:
            lasting = span(each.duration, day=day)
        except UnclearError as exc:
            book.lack(f"the changeover from {before} to {after} ({exc})", each.duration.eads_id, each.duration.path)
            continue
        found.append(Changing(before, after, each.resource.value if each.resource is not None else None, lasting))
    return tuple(found)


def cleanings(scr: Scr, book: Book, day: Day | None) -> dict[str, Span]:
    """Cleaning between any two jobs, by resource; `ANY` is every one that the interview names."""
    found = {}
    for each in scr.cleanings:
        try:
            found[each.resource.value] = span(each.duration, day=day)
        except UnclearError as exc:
            words = f"how long cleaning {each.resource.value} takes ({exc})"
            book.lack(words, each.duration.eads_id, each.duration.path)
    return found


def applies(changes: Sequence[Changing], resource: str) -> bool:
    """Whether any set-up is about ``resource``."""
    return any(each.resource in {None, resource} for each in changes)


def between(changes: Sequence[Changing], resource: str, families: Sequence[str]) -> list[tuple[str, str, Span]]:
    """The set-up of each pair of ``families`` on ``resource``; the most particular statement counts.

    From a product to itself only what was said of just that holds, not ``*``.
    """
    found = []
    for before in families:
        for after in families:
            fitting = [each for each in changes if _fits(each, resource, before, after)]
            if fitting:
                best = max(fitting, key=lambda each: _particular(each, before, after))
                found.append((before, after, best.span))
    return found


def _fits(each: Changing, resource: str, before: str, after: str) -> bool:
    if each.resource not in {None, resource}:
        return False
    if before == after:
        return each.before == before and each.after == after
    return each.before in {before, ANY} and each.after in {after, ANY}


def _particular(each: Changing, before: str, after: str) -> tuple[int, bool, bool]:
    return (each.before == before) + (each.after == after), each.resource is not None, each.before == before
