"""What a roster in force is worth where its days are made again: every half-day that changes costs."""

import numpy as np
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.model import Model

CHURN = 6
"""Per half-day that differs from the roster in force: two are dearer than a hard transition. With 0, 1,700 of 1,950
half-days of a made-up programme changed after two leaves; with 3, and with 20, the same four."""
SHARED = 2
"""Above a change: per half-day of service of somebody who has none yet, up to a share."""
AHEAD = 14
"""Days after the model's in which somebody who has just come has no service either."""


def keep(model: "Model", was: "Grid", churn: int) -> None:
    """Add a cost for every half-day that changes, and for work that who has just come does not share."""
    idle = _idle(model, was)
    for p in model.persons:
        if p not in idle:
            _changes(model, p, was, churn)
    if idle:
        _shared(model, idle, was, churn + SHARED)


def _changes(model: "Model", p: int, was: "Grid", churn: int) -> None:
    """A night counts by its evening alone: it is one decision.

    Nothing is to be kept of a day on which nobody is, nor of a week in which the
    roster in force has nothing for the person: they were away, or not yet there.
    Else whoever joins would stay idle, for a half-day given to them costs what a
    half-day under the target does. What stays costs nothing, so that the gap is
    relative to what changes and not to the whole roster.
    """
    overnight, stays = model.kernel.overnight, 0
    kept = _weeks_planned(model.kernel, was[p]) & (was != FREE).any(axis=(0, 2))
    for d, h, s, v in model.choices(p):
        before = int(was[p, d, h])
        if not kept[d] or (h == 0 and overnight[s]):
            continue
        if before == FREE:
            model.costs.append((v, churn))
        elif before == s:
            model.costs.append((v, -churn))
            stays += churn
    model.costs.append((model.cp.new_constant(1), stays))


def _weeks_planned(kernel: "Kernel", row: "Grid") -> "Bools":
    """``bool[D]``: the days of weeks (from Monday) in which a person has anything."""
    week = (np.arange(len(row)) + kernel.date_of(0).weekday()) // 7
    return np.asarray(np.bincount(week, (row != FREE).any(axis=1))[week] > 0)


def _idle(model: "Model", was: "Grid") -> list[int]:
    """Teachers to whom the roster in force gives nothing, these days and soon after, but what fills time."""
    kernel, days = model.kernel, slice(model.first, model.last + 1)
    mine = [p for p in model.persons if kernel.teaches[p] and not kernel.away[p, days].all()]
    return [p for p in mine if not _served(kernel, was[p, model.first : model.last + 1 + AHEAD]).any()]


def _served(kernel: "Kernel", cells: "Grid") -> "Bools":
    """Half-days of a service that somebody needs."""
    return np.array([*~kernel.fills, False])[cells]


def _shared(model: "Model", idle: list[int], was: "Grid", price: int) -> None:
    """A cost for each half-day of service that the idle have below a share, as the work is now by more people."""
    kernel, days = model.kernel, slice(model.first, model.last + 1)
    there = (~kernel.away[:, days]).sum(axis=1)
    for p in idle:
        alike = [q for q in np.flatnonzero(kernel.group == kernel.group[p]).tolist() if there[q]]
        literals = [v for _, _, s, v in model.choices(p) if not kernel.fills[s]]
        work = sum(int(_served(kernel, was[q, days]).sum()) for q in alike)
        goal = int(work * there[p] / sum(int(there[q]) for q in alike))
        if literals and goal:
            under = model.cp.new_int_var(0, goal, "")
            model.cp.add(cp_model.LinearExpr.sum(literals) + under >= goal)
            model.costs.append((under, price))
