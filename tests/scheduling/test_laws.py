"""Laws that hold for any small programme: the solver and the validator read the rules alike."""

import os
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cpr_checker import breaches, impossible_cells, shortages
from packhorse_scheduling.domain.change import swaps
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Preference
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.periods import DutyPeriods
from packhorse_scheduling.domain.solve.model import SHORT_REST_COST, Model
from packhorse_scheduling.domain.solve.search import Effort, cost_of
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.year import Draft, YearSolver
from roster_factories import MONDAY, faculty, programme, resident

pytestmark = pytest.mark.slow

DAYS = 10
EXAMPLES = int(os.environ.get("PACKHORSE_LAW_EXAMPLES", "6"))
EFFORT = Effort()
few = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
days = st.integers(0, DAYS - 1)


@st.composite
def programmes(draw):
    """Four residents, two faculty, ten days: demands, leave and wishes of any kind, not always possible."""
    people = (
        *(resident(f"R{n}", n % 3 + 1, credentials={"X": None} if n % 2 else {}) for n in range(1, 5)),
        faculty("F1", credentials={"X": None}),
        faculty("F2"),
    )
    demands = []
    for service in draw(st.lists(st.sampled_from(["DAY", "LONG", "SEEN", "SKILL"]), unique=True, max_size=3)):
        least = draw(st.integers(0, 2))
        demands.append(Demand(service, "RESIDENT", least, least + draw(st.integers(0, 2))))
        if service in ("SEEN", "SKILL"):
            demands.append(Demand(service, "FACULTY", draw(st.integers(0, 1)), 2))
    night = draw(st.sampled_from([None, "CALL", "NIGHT"]))
    if night:
        first = draw(st.integers(0, 5))
        last = first + draw(st.integers(0, 3))
        for session, later in (("PM", 0), ("AM", 1)):
            begin, end = (MONDAY + timedelta(days=d + later) for d in (first, last))
            demands.append(Demand(night, "RESIDENT", 1, 1, sessions=(session,), start=begin, end=end))
    leaves = tuple(
        Leave(key, MONDAY + timedelta(days=d), MONDAY + timedelta(days=min(DAYS - 1, d + draw(st.integers(0, 3)))))
        for key, d in draw(st.dictionaries(st.sampled_from(["R1", "R2", "F2"]), days, max_size=2)).items()
    )
    wishes = tuple(
        Preference(f"R{draw(st.integers(1, 4))}", MONDAY + timedelta(days=d)) for d in draw(st.lists(days, max_size=3))
    )
    return programme(DAYS, people, demands, leaves=leaves, preferences=wishes)


def solved(kernel):
    grid, fixed = start_of(kernel)
    return YearSolver(kernel, grid, fixed, 0, DAYS - 1, effort=EFFORT).solve()


def errors(kernel, grid):
    return [violation.rule for rule in kernel.rules for violation in rule.check(grid) if violation.blocks]


@few
@given(programmes())
def test_whatever_the_solver_gives_the_validator_and_the_independent_reading_pass(made):
    kernel = Kernel(made)
    found = solved(kernel)
    if not isinstance(found, Draft):
        return
    cells = kernel.cells_of(found.grid)
    assert errors(kernel, found.grid) == []
    assert breaches(made, cells) + shortages(made, cells) + impossible_cells(made, cells) == []


@few
@given(programmes(), st.lists(st.tuples(st.integers(0, 5), days, st.integers(0, 1), st.integers(-1, 6)), max_size=4))
def test_the_solver_takes_a_changed_roster_just_when_the_validator_does(made, changes):
    kernel = Kernel(made)
    found = solved(kernel)
    if not isinstance(found, Draft):
        return
    changed = found.grid.copy()
    for p, d, h, s in changes:
        changed[p, d, h] = s
    assert accepted(kernel, found.grid)
    assert accepted(kernel, changed) == (errors(kernel, changed) == [])


def accepted(kernel, grid):
    """Whether the whole roster is a solution of the solver's own model of all the days."""
    model = Model(kernel, kernel.empty(), range(kernel.P), 0, DAYS - 1, DAYS - 1)
    model.post()
    cells = ((p, d, h) for p in range(kernel.P) for d in range(DAYS) for h in (0, 1) if grid[p, d, h] != FREE)
    if any(int(grid[at]) not in model.cell(*at) for at in cells):
        return False  # the model has no such choice: role, credential, leave, or nobody asked for it
    chosen = {}
    for at in ((p, d, h) for p in range(kernel.P) for d in range(DAYS) for h in (0, 1)):
        for s, literal in model.cell(*at).items():
            if chosen.setdefault(literal.index, grid[at] == s) != (grid[at] == s):
                return False  # the two halves of a night are one literal: a torn one cannot be said
    return cost_of(model, grid, EFFORT) is not None


@few
@given(programmes(), st.integers(0, 3), st.integers(0, 3), days, st.integers(0, 1), st.booleans())
def test_a_swap_rolled_back_leaves_the_roster_and_every_sum_as_they_were(made, one, other, d, h, absorb):
    kernel = Kernel(made)
    found = solved(kernel)
    if not isinstance(found, Draft) or one == other or found.grid[one, d, h] == FREE:
        return
    board = kernel.board(found.grid)
    counts, units, slacks = board.count, board.units, [board.slack(rule) for rule in kernel.windows]
    kept = [np.array(table).copy() for table in (counts, units, *slacks)]
    cells = (swaps.absorb if absorb else swaps.exchange)(board, one, other, [(d, h)])
    back = [(p, day, half, int(found.grid[p, day, half])) for p, day, half, _ in cells]
    board.apply(cells)
    board.apply(back)
    assert np.array_equal(board.grid, found.grid)
    again = (board.count, board.units, *(board.slack(rule) for rule in kernel.windows))
    assert all(np.array_equal(was, np.array(now)) for was, now in zip(kept, again, strict=True))


@st.composite
def weeks(draw):
    """Ten days of one resident, nights whole, whatever the rules say."""
    kernel = Kernel(programme(DAYS, (resident("R1"),)))
    nights, by_day = ([s for s in range(kernel.S) if kernel.overnight[s] == night and kernel.wanted[0, s].all()]
                      for night in (True, False))  # fmt: skip
    grid = kernel.empty()
    for d in range(DAYS):
        begun = grid[0, d - 1, 1] if d else FREE
        grid[0, d, 0] = begun if kernel.overnight[begun] else draw(st.sampled_from([FREE, *by_day]))
        grid[0, d, 1] = draw(st.sampled_from([FREE, *by_day, *nights] if d < DAYS - 1 else [FREE, *by_day]))
    return kernel, grid


@settings(few, max_examples=20 * EXAMPLES)
@given(weeks())
def test_the_model_bars_the_duty_periods_that_the_validator_condemns_and_each_short_rest_costs_once(made):
    kernel, grid = made
    (rule,) = [rule for rule in kernel.rules if isinstance(rule, DutyPeriods)]
    found = rule.check(grid)
    model = Model(kernel, grid, [0], 0, DAYS - 1, DAYS - 1)
    rule.post(model)
    model.cp.minimize(sum(weight * var for var, weight in model.costs))
    lawful = not any(violation.rule != "8_HOUR_REST_RULE" for violation in found)
    assert cost_of(model, grid, EFFORT) == (SHORT_REST_COST * len(found) if lawful else None)
