"""The roster against its rotation plan, the plan against the curriculum: warnings, for a programme may bend both."""

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import define, field

from packhorse_scheduling.domain.roster.arrays import Arrays, Bools, Grid
from packhorse_scheduling.domain.roster.plan import (
    TEAM,
    UNIT_DAYS,
    UNITS,
    YEARS,
    own_by_unit,
    units_from_first,
    units_of,
)
from packhorse_scheduling.domain.rules.board import Board, Changes
from packhorse_scheduling.domain.rules.codes import CURRICULUM, ROTATION
from packhorse_scheduling.domain.rules.posting import Posting
from packhorse_scheduling.domain.rules.violation import Violation


@define(slots=False, eq=False)
class OnRotation:
    """A half-day of a service that the person's rotation does not hold. A night belongs to its evening's rotation."""

    kernel: "Arrays"
    codes: tuple[str, ...] = (ROTATION,)
    _holds: "Bools" = field(init=False)

    def __attrs_post_init__(self) -> None:
        kernel = self.kernel
        rotations = kernel.programme.rotations
        self._holds = np.zeros((len(rotations) + 1, kernel.S + 1), bool)
        for k, rotation in enumerate(rotations):
            self._holds[k, [kernel.service_of[code] for code in rotation.services]] = True
        self._holds[-1, :] = True  # nobody's rotation
        self._holds[:, -1] = True  # FREE

    def off(self, p: int, d: int, h: int, s: int) -> bool:
        """Whether this service in this half-day lies off the person's rotation."""
        return not self._holds[self._number(p, d, h, s), s]

    def _number(self, p: int, d: int, h: int, s: int) -> int:
        kernel = self.kernel
        eve = d - 1 if h == 0 and d > kernel.tail and kernel.overnight[s] else d
        return int(kernel.rotation[p, eve])

    def check(self, grid: "Grid") -> list[Violation]:
        if not self.kernel.plan:
            return []
        off = ~self._holds[self.kernel.rotation[:, :, None], grid]
        night = self.kernel.overnight[grid[:, :, 0]]
        off[:, :, 0] |= night  # looked at again below: the evening before decides
        off[:, : self.kernel.tail] = False
        return [
            self._violation(p, d, h, s)
            for p, d, h in np.argwhere(off).tolist()
            if self.off(p, d, h, s := int(grid[p, d, h]))
        ]

    def _violation(self, p: int, d: int, h: int, s: int) -> Violation:
        extra = {"rotation": self._number(p, d, h, s)}
        return Violation(
            ROTATION, "WARNING", "institution", d, d, 1, 0, "half-days off the rotation", p, s, h, extra=extra
        )

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        if not self.kernel.plan:
            return []
        return [self._violation(p, d, h, s) for p, d, h, s in changes.cells if s >= 0 and self.off(p, d, h, s)]

    def post(self, model: "Posting") -> None:
        """The solver holds rotations by the choices it is given, see `solve.rotations`."""


@define(slots=False, eq=False)
class Curriculum:
    """What the plan owes: units of each rotation a year, the year of training, and enough and not too many on it."""

    kernel: "Arrays"
    codes: tuple[str, ...] = (CURRICULUM,)

    def check(self, grid: "Grid") -> list[Violation]:
        if not self.kernel.plan or not self.kernel.programme.rotations:
            return []
        return [*self._people(), *self._teams()]

    def _people(self) -> Iterator[Violation]:
        kernel = self.kernel
        units = len(units_of(kernel.programme.year))
        first, last = kernel.tail, kernel.D - 1
        own = own_by_unit(kernel.programme, kernel.rotation[:, kernel.tail :])
        for p, person in enumerate(kernel.programme.people):
            mine = kernel.rotation[p, kernel.tail :]
            if person.role != "RESIDENT" or (mine < 0).all():
                continue
            here = units_from_first(kernel.programme.year, mine)
            for k, rotation in enumerate(kernel.programme.rotations):
                days = np.flatnonzero(mine == k)
                done = int(int((own[p] == k).sum()) / UNIT_DAYS + 0.5) + person.rotations_done.get(rotation.code, 0)
                least, most = rotation.asked_of(person, units, here)
                extra = {"rotation": k}
                if not least <= done <= most:
                    limit = least if done < least else most
                    yield _warning(first, last, done, limit, UNITS, p, extra)
                if len(days) and person.pgy not in rotation.pgy:
                    low, high = int(days[0]) + first, int(days[-1]) + first
                    yield _warning(low, high, person.pgy or 0, 0, YEARS, p, extra)

    def _teams(self) -> Iterator[Violation]:
        kernel = self.kernel
        planned = (kernel.rotation >= 0).any(axis=0)
        for k, rotation in enumerate(kernel.programme.rotations):
            on = kernel.rotation == k
            present, all_on = (on & ~kernel.away).sum(axis=0), on.sum(axis=0)
            extra = {"rotation": k}
            for low, high in _runs((present < rotation.least) & planned):
                yield _warning(low, high, int(present[low : high + 1].min()), rotation.least, TEAM, None, extra)
            for low, high in _runs((all_on > rotation.most) & planned):
                yield _warning(low, high, int(all_on[low : high + 1].max()), rotation.most, TEAM, None, extra)

    def hurts(self, board: "Board", changes: "Changes") -> Sequence[Violation]:
        """Half-days do not change the plan."""
        return ()

    def post(self, model: "Posting") -> None:
        """Held by the grid of rotations, see `solve.rotations`."""


def _warning(
    first: int, last: int, value: float, limit: float, unit: str, p: int | None, extra: dict[str, int]
) -> Violation:
    return Violation(CURRICULUM, "WARNING", "institution", first, last, value, limit, unit, p, extra=extra)


def _runs(mask: "Bools") -> list[tuple[int, int]]:
    """First and last of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(low), int(end) - 1) for low, end in edges.reshape(-1, 2)]
