"""What comes of solving a span of days."""

from typing import TYPE_CHECKING, Literal

from attrs import frozen

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Grid

StageName = Literal["rotations", "residents", "faculty", "together", "improvement"]


class StoppedError(Exception):
    """The caller asked to stop; nothing was made."""


@frozen
class Stage:
    """One solve that counted: what, which days, and its own gap (not one of the year)."""

    name: StageName
    first: int
    last: int
    gap: float
    shortfall: int = 0


@frozen(eq=False, repr=False)
class Draft:
    """A roster, and how it was found."""

    grid: "Grid"
    stages: tuple[Stage, ...]
    shortfall: int = 0


@frozen
class Impossible:
    """No roster: the stage that failed for good, and the days that were open to it."""

    stage: StageName
    first: int
    last: int


@frozen
class TooLong:
    """Neither a roster nor a proof of there being none within the effort allowed."""

    stage: StageName
    first: int
    last: int


Outcome = Draft | Impossible | TooLong
