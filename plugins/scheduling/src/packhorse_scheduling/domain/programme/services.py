"""What there is to do: services with clock times, and the rotations that group them."""

from collections.abc import Mapping
from typing import Literal, get_args

from attrs import field, frozen

from packhorse_scheduling.domain.programme.calendar import DAY, HALF_DAY, name_id
from packhorse_scheduling.domain.programme.people import EVERY_PGY, Person, Role

Kind = Literal["clinic", "inpatient", "procedure", "call", "night_float", "education", "admin"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@frozen
class Span:
    """Clock times within one block, in minutes after midnight; ``end`` is exclusive."""

    start: int
    end: int = field()

    @end.validator
    def _within(self, attribute: object, value: int) -> None:
        lowest = 0 if self.start < HALF_DAY else HALF_DAY
        if not lowest <= self.start < value <= lowest + HALF_DAY:
            raise ValueError("a span lies within 00:00 to 12:00 or within 12:00 to 24:00")

    @property
    def minutes(self) -> int:
        """At most 720."""
        return self.end - self.start


@frozen
class Service:
    """One kind of work.

    ``am`` and ``pm`` are its clock times (None: not done then). An
    ``overnight`` service is a night in two halves: PM of one day and AM of the
    next, by one person. ``transition`` marks hand-over and teaching, which may
    lie in the four hours after 24. ``supervised`` residents need faculty on the
    same service in the same half-day. Without ``demand`` a service of kind
    education or admin fills otherwise free half-days.
    """

    code: str
    name: str
    kind: Kind = field()
    am: Span | None = field(default=None)
    pm: Span | None = field(default=None)
    roles: frozenset[Role] = frozenset({"RESIDENT", "FACULTY"})
    pgy: frozenset[int] = EVERY_PGY
    credentials: frozenset[str] = frozenset()
    credential_roles: frozenset[Role] = frozenset({"FACULTY"})
    supervised: bool = False
    overnight: bool = False
    transition: bool = False

    @kind.validator
    def _known(self, attribute: object, value: str) -> None:
        if value not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}")

    @am.validator
    def _morning(self, attribute: object, value: Span | None) -> None:
        if value is not None and value.end > HALF_DAY:
            raise ValueError("am lies within 00:00 to 12:00")

    @pm.validator
    def _afternoon(self, attribute: object, value: Span | None) -> None:
        if value is not None and not HALF_DAY <= value.start < value.end <= DAY:
            raise ValueError("pm lies within 12:00 to 24:00")
        if self.overnight and (value is None or self.am is None):
            raise ValueError("a night has both a pm and an am half")

    @property
    def id(self) -> str:
        """Stable: from the code."""
        return name_id("service", self.code)

    @property
    def fills(self) -> bool:
        """Whether it may fill half-days that nothing else needs."""
        return self.kind in ("education", "admin")

    def span(self, session: int) -> Span | None:
        """Clock times in the morning (0) or afternoon (1)."""
        return self.pm if session else self.am

    def suits(self, person: Person) -> bool:
        """Whether role and year of training allow it; credentials are asked by day."""
        return person.role in self.roles and (person.pgy is None or person.pgy in self.pgy)

    def needs(self, person: Person) -> frozenset[str]:
        """The credentials that this person must hold for it."""
        return self.credentials if person.role in self.credential_roles else frozenset()


@frozen
class Rotation:
    """What a resident does for four weeks: ``services`` of which the first is the main one.

    ``least`` residents must be present (on the rotation and not on leave) each
    day, and at most ``most`` be on it. ``required`` is how many four-week
    periods of it a year of training must have, and ``most_a_year`` how many it
    may have, by PGY; ``leave`` says whether its residents may take more than
    ``LEAVE_FREE_DAYS`` of leave.
    """

    code: str
    name: str
    services: tuple[str, ...]
    least: int = 0
    most: int = 99
    pgy: frozenset[int] = EVERY_PGY
    required: Mapping[int, int] = field(factory=dict, hash=False)
    leave: bool = True
    most_a_year: Mapping[int, int] = field(factory=dict, hash=False)

    def asked_of(self, person: Person, units: int, here: int) -> tuple[int, int]:
        """The least and most units of it for this person, who is ``here`` for some of a plan's units; a year has 13.

        With units done elsewhere the whole plan is asked, and they count; without, as much of it as the person has.
        """
        units = units if person.rotations_done else here
        most = self.most_a_year.get(person.pgy or 0)
        least = self.required.get(person.pgy or 0, 0) * units // 13
        return least, units if most is None else -(-most * units // 13)


LEAVE_FREE_DAYS = 3
"""Short leave, such as a conference, that any rotation can bear. A choice of ours; the presence rows decide."""
