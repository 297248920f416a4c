"""A shift-scheduling problem: who may work which shift on which day, and what a roster costs.

The rules are those of the Curtois and Qu benchmark set (schedulingbenchmarks.org): one shift a day at most; limits of a
person are hard; requests and cover are soft. Days count from 0.
"""

from collections.abc import Mapping

from attrs import field, frozen

REST = -1
"""The cell of a day without a shift."""

Roster = tuple[tuple[int, ...], ...]
"""For each person in order, for each day: the shift's index, or `REST`."""


@frozen
class Shift:
    """A kind of duty. ``minutes`` is its length; a shift in ``not_next`` must not be worked on the day after it."""

    id: str
    minutes: int
    not_next: frozenset[str] = frozenset()


@frozen
class Person:
    """Somebody and the limits of their contract, all hard.

    Minutes and weekends are over the whole horizon; a weekend counts when its Saturday or its Sunday is worked.
    ``most_of`` limits how often each shift may be worked. Runs of work and of rest are in days; the least lengths do
    not hold for runs that touch the first or last day.
    """

    id: str
    most_of: Mapping[str, int]
    most_minutes: int
    least_minutes: int
    most_run: int
    least_run: int
    least_rest: int
    most_weekends: int
    days_off: frozenset[int] = frozenset()


@frozen
class Request:
    """A wish to work (``wanted``) or not to work one shift; ``weight`` is what it costs to refuse it."""

    person: str
    day: int
    shift: str
    weight: int
    wanted: bool


@frozen
class Cover:
    """How many are needed for a shift of a day, and what each one too few or too many costs."""

    day: int
    shift: str
    required: int
    under: int
    over: int


@frozen
class Problem:
    """One instance: ``days`` is the horizon, ``weekday`` that of day 0 (0 is Monday)."""

    days: int
    shifts: tuple[Shift, ...]
    people: tuple[Person, ...]
    requests: tuple[Request, ...] = field(default=())
    covers: tuple[Cover, ...] = field(default=())
    weekday: int = 0

    @property
    def cells(self) -> int:
        """People times days times shifts: how large it is."""
        return self.days * len(self.people) * len(self.shifts)

    def named(self, roster: Roster) -> dict[str, list[str]]:
        """The roster in ids: for each person a shift id, or "" for rest, for each day."""
        ids = [shift.id for shift in self.shifts]
        return {
            person.id: [ids[k] if k != REST else "" for k in row]
            for person, row in zip(self.people, roster, strict=True)
        }
