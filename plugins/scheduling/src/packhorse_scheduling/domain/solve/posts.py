"""A frame for programmes without rotations: the service that is a resident's own in a week, made by the solver.

With every service open to everybody, wishes, fairness and target together leave
no block closed; inside posts all of them close. A post narrows what its week may
hold to the service itself, clinics, procedures, call and what fills. Whoever has
none that week may do everything.
"""

from datetime import timedelta

import numpy as np
from attrs import define, field, frozen
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.programme.people import ROLES
from packhorse_scheduling.domain.roster.arrays import Bools, Ints
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.search import Effort, run

WEEK = 7
SHORT, UNEQUAL = 100, 2
"""Costs of a place without a post, and of one turn more than who has fewest."""
NIGHTS_APART = 3
"""Weeks of which one at most is a night post."""
MOST_AWAY = 1
"""Days of leave in a week with a post."""
OPEN = ("clinic", "procedure", "call", "education", "admin")
"""Kinds of service that go with any post."""
DAYS, LOOK_AHEAD = 14, 3
"""Days of a block within posts, and of the next that are solved with it."""
_RESIDENT = ROLES.index("RESIDENT")


@frozen(eq=False)
class Posts:
    """``days[person, day]`` is the service that is the person's post, or -1."""

    kernel: "Kernel"
    days: "Ints"

    def narrow(self, allowed: "Bools") -> "Bools":
        """What is left of ``bool[P, S, D]``. A night belongs to its evening, as for rotations."""
        services = self.kernel.programme.services
        common = np.array([service.kind in OPEN for service in services])
        own = np.arange(self.kernel.S)[None, :, None] == self.days[:, None, :]
        mask: Bools = allowed & (own | common[None, :, None] | (self.days < 0)[:, None, :])
        return mask


def posts_of(kernel: "Kernel", effort: Effort) -> Posts:
    """The posts of all residents for every week of the programme; none where nothing asks for them."""
    model = _Model(kernel)
    days = np.full((kernel.P, kernel.D), -1, np.int32)
    if model.x:
        model.post()
        ran = run(model.cp, effort, effort.units)
        if ran.solved:
            for (p, w, s), v in model.x.items():
                if ran.solver.boolean_value(v):
                    days[p, model.weeks[w][0] : model.weeks[w][1]] = s
    return Posts(kernel, days)


@define(slots=False, eq=False)
class _Model:
    kernel: "Kernel"
    cp: cp_model.CpModel = field(factory=cp_model.CpModel, init=False)

    def __attrs_post_init__(self) -> None:
        kernel = self.kernel
        year = kernel.programme.year
        monday = year.start - timedelta(days=year.start.weekday())
        starts = range(kernel.day_of(monday), kernel.D, WEEK)
        self.weeks = [(max(kernel.tail, at), min(kernel.D, at + WEEK)) for at in starts]
        self.services = [
            s for s, service in enumerate(kernel.programme.services) if service.kind in ("inpatient", "night_float")
        ]
        self.residents = np.flatnonzero(kernel.group == _RESIDENT).tolist()
        self.need = {
            (w, s): n
            for w, (first, end) in enumerate(self.weeks)
            for s in self.services
            if (n := int(kernel.least[_RESIDENT, s, first:end].max()))
        }
        self.x = {
            (p, w, s): self.cp.new_bool_var("") for w, s in self.need for p in self.residents if self._can(p, w, s)
        }

    def _can(self, p: int, w: int, s: int) -> bool:
        first, end = self.weeks[w]
        kernel = self.kernel
        asked = kernel.least[_RESIDENT, s, first:end].any(axis=1)
        return bool(kernel.valid[p, s, first:end][asked].all() and kernel.away[p, first:end].sum() <= MOST_AWAY)

    def post(self) -> None:
        """Every place has its post, as far as people go; turns are equal, and nights apart."""
        costs: list[tuple[cp_model.IntVar, int]] = []
        for (w, s), need in self.need.items():
            short = self.cp.new_int_var(0, need, "")
            mine = [self.x[p, w, s] for p in self.residents if (p, w, s) in self.x]
            self.cp.add(cp_model.LinearExpr.sum([*mine, short]) == need)
            costs.append((short, SHORT))
        for p in self.residents:
            for w in range(len(self.weeks)):
                mine = [self.x[p, w, s] for s in self.services if (p, w, s) in self.x]
                if len(mine) > 1:
                    self.cp.add_at_most_one(mine)
            self._nights(p)
        for s in self.services:
            shares = {p: [v for (q, _, t), v in self.x.items() if q == p and t == s] for p in self.residents}
            shares = {p: mine for p, mine in shares.items() if mine}
            if len(shares) > 1:
                most, least = (self.cp.new_int_var(0, len(self.weeks), "") for _ in range(2))
                for mine in shares.values():
                    self.cp.add(cp_model.LinearExpr.sum(mine) <= most)
                    self.cp.add(cp_model.LinearExpr.sum(mine) >= least)
                costs += [(most, UNEQUAL), (least, -UNEQUAL)]
        self.cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in costs], [w for _, w in costs]))

    def _nights(self, p: int) -> None:
        night = [s for s in self.services if self.kernel.overnight[s]]
        for w in range(len(self.weeks)):
            mine = [self.x[p, v, s] for v in range(w, w + NIGHTS_APART) for s in night if (p, v, s) in self.x]
            if len(mine) > 1:
                self.cp.add_at_most_one(mine)
