"""Nurse rosters week by week, as the Second International Nurse Rostering Competition (INRC-II) defines them.

Source: Ceschia, Dang, De Causmaecker, Haspeslagh and Schaerf, "The second international nurse rostering competition",
Annals of Operations Research 274 (2019). Hard: one assignment a day, least cover, forbidden successions, skills. The
rest is soft, with the weights below. Days count from 0, Monday.
"""

from collections.abc import Mapping, Sequence

from attrs import frozen

DAYS = 7
OPTIMAL_COVER = 30
SAME_SHIFT_RUN = 15
WORK_RUN = 30
REST_RUN = 30
PREFERENCE = 10
WHOLE_WEEKEND = 30
ASSIGNMENTS = 20
WEEKENDS = 30
"""Weights of the soft rules, by unit: of the competition's paper, section 2."""

Span = tuple[int, int]
"""The least and the most."""
Duty = tuple[str, str]
"""A shift and the skill it is worked with."""
Plan = Mapping[str, Sequence[Duty | None]]
"""For each nurse the duty of each day of a week, None for rest."""


@frozen
class ShiftType:
    """A shift: how many days on end are wanted, and which shifts must not be worked on the next day."""

    id: str
    run: Span
    not_next: frozenset[str]


@frozen
class Contract:
    """Soft limits of a nurse over the whole horizon (assignments, weekends) and in runs of days."""

    assignments: Span
    work_run: Span
    rest_run: Span
    weekends: int
    whole_weekends: bool


@frozen
class Nurse:
    """Somebody with a contract and skills."""

    id: str
    contract: Contract
    skills: tuple[str, ...]


@frozen
class Scenario:
    """What all weeks have in common."""

    id: str
    weeks: int
    skills: tuple[str, ...]
    shifts: Mapping[str, ShiftType]
    nurses: Mapping[str, Nurse]


@frozen
class Past:
    """What a nurse brings from the weeks before: totals, and the runs in progress on Sunday evening.

    ``last`` is Sunday's shift (None: rest), ``same`` how many days on end it was, ``work`` and ``rest`` the days of
    work or of rest on end.
    """

    assignments: int
    weekends: int
    last: str | None
    same: int
    work: int
    rest: int


@frozen
class Week:
    """One week's demand: for each shift and skill the (least, optimal) cover of each day; and days asked off.

    A request is (nurse, shift or None for any, day).
    """

    cover: Mapping[Duty, tuple[Span, ...]]
    off: tuple[tuple[str, str | None, int], ...]


def after(past: Past, days: Sequence[Duty | None]) -> Past:
    """What the nurse brings to the next week, having worked this one."""
    last, same, work, rest = past.last, past.same, past.work, past.rest
    for duty in days:
        shift = None if duty is None else duty[0]
        same = same + 1 if shift is not None and shift == last else int(shift is not None)
        work, rest, last = (work + 1, 0, shift) if shift else (0, rest + 1, shift)
    return Past(
        past.assignments + sum(duty is not None for duty in days),
        past.weekends + (days[5] is not None or days[6] is not None),
        last,
        same,
        work,
        rest,
    )
