"""How much one roster differs from another, and what generation gave."""

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from packhorse_scheduling.domain.roster.arrays import Grid
    from packhorse_scheduling.domain.rules.opened import Opened
    from packhorse_scheduling.domain.rules.violation import Violation
    from packhorse_scheduling.domain.solve.year import Draft, Mode


@frozen
class Churn:
    """Half-days that differ from the version in force, of those filled in either, on the days made again; and whose.

    ``least`` is how many the least repair changes, where that is proved.
    """

    changed: int
    of: int
    people: int
    least: int | None = None


def churn(before: "Grid", after: "Grid", first: int, last: int) -> Churn:
    """What changed from one roster to another on these days."""
    was, now = before[:, first : last + 1], after[:, first : last + 1]
    differs = was != now
    filled = (was >= 0) | (now >= 0)
    return Churn(int(differs.sum()), int(filled.sum()), int(differs.any(axis=(1, 2)).sum()))


@frozen(eq=False)
class Beside:
    """The roster in force beside which days were made again, and how."""

    mode: "Mode"
    grid: "Grid"
    days: tuple[int, int]


@frozen(eq=False)
class Generated:
    """A new version, stored; ``draft`` is how it was made (None: long ago)."""

    opened: "Opened"
    draft: "Draft | None"
    violations: "tuple[Violation, ...]"
    churn: Churn | None = None
    beside: Beside | None = None
