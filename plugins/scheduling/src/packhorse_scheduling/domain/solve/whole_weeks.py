"""Attendings stay for whole weeks while a roster is made better: Monday to Friday, or a weekend, moves as one."""

from collections import defaultdict

import numpy as np
from ortools.sat.python import cp_model

from packhorse_scheduling.domain.roster.arrays import Bools
from packhorse_scheduling.domain.rules.posting import Var
from packhorse_scheduling.domain.rules.supervision import FACULTY
from packhorse_scheduling.domain.solve.model import Model

SATURDAY, WEEK = 5, 7


def whole_weeks(model: "Model") -> None:
    """Give every week and weekend of a ward to one of the faculty as a whole, or leave it as it stands.

    A part that somebody is held in, or that begins or ends outside the model's
    days, stays as it is; where that cannot be (who had it is away), its
    half-days are given one by one.
    """
    kernel = model.kernel
    teachers = [p for p in model.persons if kernel.group[p] == FACULTY]
    for s, service in enumerate(kernel.programme.services) if teachers else ():
        if service.kind != "inpatient" or service.overnight:
            continue
        parts: dict[tuple[int, bool], list[int]] = defaultdict(list)
        for d in range(max(model.first - WEEK, kernel.tail), min(model.last + WEEK, kernel.D - 1) + 1):
            if (kernel.least[FACULTY, s, d] > 0).all():
                weekday = kernel.date_of(d).weekday()
                parts[d - weekday, weekday >= SATURDAY].append(d)
        for days in parts.values():
            inside = [d for d in days if model.first <= d <= model.last]
            if inside:
                _one_part(model, teachers, s, inside, open_to_all=len(inside) == len(days))


def _one_part(model: "Model", teachers: list[int], s: int, days: list[int], *, open_to_all: bool) -> None:
    there: Bools = model.grid[np.ix_(teachers, days)] == s
    cells = {(n, d, h): model.cell(p, d, h).get(s) for n, p in enumerate(teachers) for d in days for h in (0, 1)}
    held = any(model.value(p, d, h) == s for p in teachers for d in days for h in (0, 1))
    patterns: list[Bools] = []
    if open_to_all and not held:
        for n in range(len(teachers)):
            if all(cells[n, d, h] is not None for d in days for h in (0, 1)):
                alone = np.zeros_like(there)
                alone[n] = True
                patterns.append(alone)
    as_it_is = all(
        cells[n, days[i], h] is not None or model.value(teachers[n], days[i], h) == s
        for n, i, h in np.argwhere(there).tolist()
    )
    if as_it_is and not any(np.array_equal(there, pattern) for pattern in patterns):
        patterns.append(there)
    if not patterns:
        return
    chosen: list[Var] = [model.cp.new_bool_var("") for _ in patterns]
    model.cp.add_exactly_one(chosen)
    for (n, d, h), literal in cells.items():
        if literal is not None:
            meant = [v for v, pattern in zip(chosen, patterns, strict=True) if pattern[n, days.index(d), h]]
            model.cp.add(cp_model.LinearExpr.sum(meant) == literal)
