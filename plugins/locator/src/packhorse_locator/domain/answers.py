"""What the desk found, before it is written down for a caller."""

from collections.abc import Sequence
from datetime import date

from attrs import evolve, frozen

from packhorse_locator.domain.facilities import Facility
from packhorse_locator.domain.people import Detainee, Stay

MOST_PEOPLE = 5
"""Records in one answer to a search for a person: enough to recognise one, too few to copy a registry."""

MOST_AT_FACILITY = 25
"""People listed at a facility, the newest bookings, for advocates alone."""


@frozen
class Likeness:
    """How alike the parts of two names are written, 0 to 1; None where one side lacks the part."""

    whole: float
    first: float | None
    middle: float | None
    last: float | None


@frozen
class Found:
    """A record that may have the searched name. ``confidence`` is of the name, not of the person."""

    person: Detainee
    facility: Facility | None
    confidence: float
    exact: bool
    reasons: tuple[str, ...]
    homonyms: int
    likeness: Likeness


@frozen
class SourceState:
    """A remote source's part in an answer: ``answered``, ``kept`` (from before) or ``missing``.

    ``as_of`` is the day that the source's own data describe.
    """

    name: str
    state: str
    as_of: date | None

    def beside(self, shown: Sequence[Detainee]) -> "SourceState":
        """The same, as ``kept`` where records that it gave for other questions are shown in its place."""
        days = [one.as_of for one in shown if one.source == self.name]
        return evolve(self, state="kept", as_of=min(days)) if self.state == "missing" and days else self


@frozen
class State:
    """The registry behind an answer. ``oldest`` is the oldest day that any of its sources describes."""

    data_version: str
    is_sample: bool
    is_behind: bool
    oldest: date | None
    stale_days: int | None


@frozen
class NameAnswer:
    """The answer to a search by name. ``one_part``: only a given name or only a surname was asked for."""

    found: tuple[Found, ...]
    considered: int
    ambiguous: bool
    one_part: bool
    channels: tuple[str, ...]
    state: State


@frozen
class Located:
    """A record found by its number, and where the person was before."""

    person: Detainee
    facility: Facility | None
    stays: tuple[tuple[Stay, Facility | None], ...]


@frozen
class NumberAnswer:
    """The answer to a search by A-number."""

    located: tuple[Located, ...]
    state: State


@frozen
class PlaceAnswer:
    """Facilities, how many people the registry has at each, and for advocates the newest of them."""

    facilities: tuple[Facility, ...]
    counts: dict[str, int]
    people: tuple[tuple[Detainee, Facility | None], ...] | None
    state: State
