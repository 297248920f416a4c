"""Of all repairs with the fewest changes, one with whole days on the wards, by who is there the day before or after."""

from ortools.sat.python import cp_model

from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.rules.posting import Terms, Var
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.search import TURNS, Effort, Found, run

UNITS = 0.5
"""The solver's deterministic units: what is better and not found by then is left."""
COST = (1, 2)
"""Of a stay that begins in the morning, and in the afternoon."""


def whole_days(model: "Model", before: "Grid", found: "Found", effort: Effort) -> "Grid | None":
    """The roster of least cost in a solved model in which the stays on wards are the fewest; None where none is found.

    It has no more half-days other than ``before`` than the roster found.

    A stay is a run of half-days of one person on one service: one that is cut
    in two costs another, and most where a day is cut.
    """
    breaks = _begun(model)
    if not breaks or found.grid is None:
        return None
    cost = cp_model.LinearExpr.weighted_sum([v for v, _ in model.costs], [w for _, w in model.costs])
    model.cp.add(cost <= round(found.cost))
    differing, most = _differing(model, before, found.grid)
    model.cp.add(cp_model.LinearExpr.weighted_sum([v for v, _ in differing], [w for _, w in differing]) <= most)
    model.cp.minimize(cp_model.LinearExpr.weighted_sum([v for v, _ in breaks], [w for _, w in breaks]))
    model.hint(found.grid)
    ran = run(model.cp, effort, UNITS, turns=TURNS[:1])
    return model.filled(ran.solver) if ran.solved else None


def _differing(model: "Model", before: "Grid", after: "Grid") -> "tuple[Terms, int]":
    """What sums to the open half-days that are other than before, less a constant; and that sum for a roster."""
    terms: Terms = []
    total = 0
    for p in model.persons:
        for d in range(model.first, model.last + 1):
            for h in (0, 1):
                was, now, options = int(before[p, d, h]), int(after[p, d, h]), model.cell(p, d, h)
                if was in options:
                    terms.append((options[was], -1))
                    total -= now == was
                elif was < 0:
                    terms += [(v, 1) for v in options.values()]
                    total += bool(options) and now >= 0
    return terms, total


def _begun(model: "Model") -> "Terms":
    """A cost for each half-day that begins a stay."""
    kernel, found = model.kernel, list["tuple[Var, int]"]()
    services = kernel.programme.services
    wards = [s for s, one in enumerate(services) if one.kind == "inpatient" and not one.overnight]
    halves = [(d, h) for d in range(model.first, min(model.last + 1, kernel.D - 1) + 1) for h in (0, 1)]
    for p in model.persons:
        for s in wards:
            before: Var | bool = model.value(p, model.first - 1, 1) == s if model.first else False
            for d, h in halves:
                value = model.value(p, d, h)
                now: Var | bool = model.cell(p, d, h).get(s, False) if value is None else value == s
                found += [(v, weight * COST[h]) for v, weight in _rise(model, before, now)]
                before = now
    return found


def _rise(model: "Model", before: "Var | bool", now: "Var | bool") -> "Terms":
    if now is False or before is True:
        return []
    if before is False:
        return [] if now is True else [(now, 1)]
    if now is True:
        return [(before, -1)]
    rise = model.cp.new_bool_var("")
    model.cp.add(now - before <= rise)
    return [(rise, 1)]
