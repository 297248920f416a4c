"""What comes of solving a span of days."""

from typing import Literal

from attrs import frozen

from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.roster.plan import Plan
from packhorse_scheduling.domain.solve.rotations import GridFault

StageName = Literal["rotations", "residents", "faculty", "together", "improvement"]


class StoppedError(Exception):
    """The caller asked to stop; nothing was made."""


@frozen
class Stage:
    """One solve that counted: what, which days, and its own gap (not one of the year).

    A ``sketch`` is lawful and no more. Where people were solved in teams, the gap is the widest of any team's.
    """

    name: StageName
    first: int
    last: int
    gap: float
    shortfall: int = 0
    sketch: bool = False


@frozen(eq=False, repr=False)
class Draft:
    """A roster, the rotation plan it stands on, and how it was found; ``faults`` are what the plan could not keep."""

    grid: "Grid"
    stages: tuple[Stage, ...]
    shortfall: int = 0
    plan: Plan = ()
    faults: "tuple[GridFault, ...]" = ()


@frozen
class Impossible:
    """No roster: the stage that failed for good, the days open to it, and of rotations what stands against a grid."""

    stage: StageName
    first: int
    last: int
    faults: "tuple[GridFault, ...]" = ()


@frozen
class TooLong:
    """Neither a roster nor a proof of there being none within the effort allowed."""

    stage: StageName
    first: int
    last: int


Outcome = Draft | Impossible | TooLong
