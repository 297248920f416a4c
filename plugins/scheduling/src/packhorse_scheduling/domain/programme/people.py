"""Who can work, and with what credentials until when."""

from collections.abc import Mapping
from datetime import date
from typing import Literal, get_args

from attrs import field, frozen

from packhorse_scheduling.domain.programme.calendar import name_id

Role = Literal["FACULTY", "RESIDENT", "RN", "LPN", "MSA"]
ROLES: tuple[Role, ...] = get_args(Role)
HIGHEST_PGY = 7
"""Years of training that a programme can have: five of surgery and two of a fellowship. A server's setting may allow
fewer."""
EVERY_PGY = frozenset(range(1, HIGHEST_PGY + 1))


@frozen
class Person:
    """Somebody on the roster.

    ``key`` is the natural key (a staff number, or the address): the id is made
    from it. ``credentials`` maps a code to the last day it is good for (None:
    no end). ``rotations_done`` is how many four-week units of a rotation they
    had elsewhere, which count as units of this year's plan. ``subject`` is the
    verified ``sub`` of this person's sign-in. No birth date,
    social security number or medical detail has a place here.
    """

    key: str
    name: str
    role: Role = field()
    email: str
    pgy: int | None = field(default=None)
    credentials: Mapping[str, date | None] = field(factory=dict, hash=False)
    subject: str | None = None
    rotations_done: Mapping[str, int] = field(factory=dict, hash=False)

    @role.validator
    def _known(self, attribute: object, value: str) -> None:
        if value not in ROLES:
            raise ValueError(f"role must be one of {', '.join(ROLES)}")

    @pgy.validator
    def _fits(self, attribute: object, value: int | None) -> None:
        if self.role == "RESIDENT" and value not in EVERY_PGY:
            raise ValueError(f"a resident's pgy must be from 1 to {HIGHEST_PGY}")
        if self.role != "RESIDENT" and value is not None:
            raise ValueError("only residents have a pgy")

    @property
    def id(self) -> str:
        """Stable: from the natural key."""
        return name_id("person", self.key)

    def holds(self, code: str, day: date) -> bool:
        """Whether the credential is good on ``day``."""
        if code not in self.credentials:
            return False
        last = self.credentials[code]
        return last is None or day <= last
