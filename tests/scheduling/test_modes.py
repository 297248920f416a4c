"""The three modes of generation: what each keeps, and what each may change."""

from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve

from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock, Preference
from packhorse_scheduling.domain.programme.services import Rotation
from packhorse_scheduling.domain.roster.arrays import FREE, counts
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.wishes import Aims
from packhorse_scheduling.domain.solve.year import Draft, Impossible, YearSolver
from roster_factories import DAY, MONDAY, faculty, programme, resident

pytestmark = pytest.mark.slow

LAST = 13
WEEKDAYS = frozenset(range(5))


def made(**changed):
    people = (*(resident(f"R{n}") for n in range(1, 5)), faculty("F1"))
    return programme(
        LAST + 1, people, (Demand("DAY", "RESIDENT", 2, 3, weekdays=WEEKDAYS),), services=(DAY,), **changed
    )


def solved(kernel, mode="FULL", base=None, **changed):
    grid, fixed = start_of(kernel, base, mode)
    return YearSolver(kernel, grid, fixed, 0, LAST, effort=Effort(), mode=mode, **changed).solve()


def errors(kernel, grid):
    return [v.rule for rule in kernel.rules for v in rule.check(grid) if v.blocks]


@pytest.fixture(scope="module")
def roster():
    kernel = Kernel(made())
    found = solved(kernel)
    assert isinstance(found, Draft)
    return kernel, found.grid


def test_partial_fills_the_gaps_and_keeps_all_else(roster):
    kernel, grid = roster
    holed = grid.copy()
    holed[1, 2:5] = FREE
    found = solved(kernel, "PARTIAL", holed)
    assert isinstance(found, Draft)
    kept = holed != FREE
    assert np.array_equal(found.grid[kept], holed[kept])
    assert errors(kernel, found.grid) == []


def test_partial_gives_up_what_its_person_can_no_longer_do(roster):
    kernel, grid = roster
    away = Kernel(evolve(kernel.programme, leaves=(Leave("R1", MONDAY, MONDAY + timedelta(days=4)),)))
    found = solved(away, "PARTIAL", grid)
    assert isinstance(found, Draft)
    assert (found.grid[0, :5] == FREE).all()
    kept = grid != FREE
    kept[0, :5] = False
    assert np.array_equal(found.grid[kept], grid[kept])
    assert errors(away, found.grid) == []


def test_optimization_grants_a_wish_that_the_roster_had_passed_over(roster):
    kernel, grid = roster
    who, day = next((p, d) for p in range(4) for d in range(5) if (grid[p, d] != FREE).any())
    wish = Preference(kernel.programme.people[who].key, kernel.date_of(day), avoid=True, weight=3)
    wished = Kernel(evolve(kernel.programme, preferences=(wish,)))
    found = solved(wished, "OPTIMIZATION", grid, rounds=1)
    assert isinstance(found, Draft)
    assert (found.grid[who, day] == FREE).all()
    assert errors(wished, found.grid) == []
    assert {stage.name for stage in found.stages} == {"improvement"}


def test_optimization_changes_no_locked_cell_and_nothing_where_nothing_is_better(roster):
    kernel, grid = roster
    locks = tuple(
        Lock("R1", kernel.date_of(d), ("AM", "PM")[h], None if grid[0, d, h] < 0 else "DAY")
        for d in range(LAST + 1)
        for h in (0, 1)
        if grid[0, d, h] in (FREE, kernel.service_of["DAY"])
    )
    locked = Kernel(evolve(kernel.programme, locks=locks))
    once = solved(locked, "OPTIMIZATION", grid, rounds=1)
    assert np.array_equal(once.grid[0], grid[0])
    again = solved(locked, "OPTIMIZATION", once.grid, rounds=1)
    assert np.array_equal(again.grid, once.grid)
    assert again.stages == ()


def test_an_improved_year_is_no_worse_and_still_lawful(kernel, draft):
    year = evolve(kernel.programme.year, end=kernel.date_of(55))
    inside = tuple(wish for wish in kernel.programme.preferences if wish.day in year)
    leaves = tuple(leave for leave in kernel.programme.leaves if leave.start in year and leave.end in year)
    two = Kernel(evolve(kernel.programme, year=year, preferences=inside, leaves=leaves))
    base = draft.grid[:, :56]
    grid, fixed = start_of(two, base, "OPTIMIZATION")
    near = Effort(gap=0.05)  # to the last half percent each of the blocks would be searched ten times as long
    solver = YearSolver(two, grid, fixed, 0, 55, effort=near, mode="OPTIMIZATION", rounds=1)
    found = solver.solve()
    assert isinstance(found, Draft)
    assert errors(two, found.grid) == []
    assert (counts(two, found.grid) >= two.least).all()


def test_a_block_that_the_one_before_it_has_closed_is_opened_again():
    people = (resident("R1", credentials={"X": None}), resident("R2", credentials={"X": None}))
    end_of_first, days = MONDAY + timedelta(days=27), 56
    # R2 is away for a week: R1 works six days from the second block's first, so must be free on the first block's last.
    demands = (
        Demand("SKILL", "RESIDENT", 1, 1, start=end_of_first, end=end_of_first),
        Demand("SKILL", "RESIDENT", 1, 1, start=end_of_first + timedelta(days=1), end=end_of_first + timedelta(days=6)),
    )
    leaves = (Leave("R2", end_of_first + timedelta(days=1), end_of_first + timedelta(days=7)),)
    likes = (Preference("R1", end_of_first, avoid=False, weight=50), Preference("R2", end_of_first, weight=50))
    kernel = Kernel(programme(days, people, demands, leaves=leaves, preferences=likes))
    grid, fixed = start_of(kernel)
    # Without a look ahead the first block gives its last day to R1, who asked for it.
    solver = YearSolver(kernel, grid, fixed, 0, days - 1, effort=Effort())
    solver.look_ahead = 0
    found = solver.solve()
    assert isinstance(found, Draft)
    assert errors(kernel, found.grid) == []
    assert found.grid[1, 27].max() >= 0
    assert len({stage.first for stage in found.stages}) < len(found.stages)  # something was solved twice


def test_a_block_with_no_roster_whatever_came_before_is_refused_at_once():
    day = MONDAY + timedelta(days=30)
    demand = Demand("DAY", "RESIDENT", 3, 3, start=day, end=day)
    kernel = Kernel(programme(56, (resident("R1"), resident("R2")), (demand,)))
    grid, fixed = start_of(kernel)
    found = YearSolver(kernel, grid, fixed, 0, 55, effort=Effort()).solve()
    assert found == Impossible("together", 28, 41)  # two weeks: without rotations there are posts


@pytest.mark.parametrize("who", ["somebody new", "somebody whose leave is withdrawn"])
def test_days_that_are_made_again_give_work_to(who):
    """The roster in force has nothing of theirs to keep, so that nothing is changed by giving them their share."""
    people = tuple(resident(f"R{n}", credentials={"X": None}) for n in range(1, 6))
    changed = {
        "demands": (
            Demand("DAY", "RESIDENT", 2, 2, weekdays=WEEKDAYS),
            Demand("SKILL", "RESIDENT", 0, 4, weekdays=WEEKDAYS),
        ),
        "rotations": (Rotation("ALL", "Ward and procedures", ("DAY", "SKILL")),),
    }
    leave = (Leave("R4", MONDAY, MONDAY + timedelta(days=LAST)),)
    before = Kernel(programme(LAST + 1, people[:4], leaves=leave, **changed))
    roster = solved(before).grid
    joined = people[:4] if who != "somebody new" else (*people[:3], people[4])
    kernel = Kernel(programme(LAST + 1, joined, **changed))
    kept = np.ones(roster.shape, bool)
    kept[:, 7:] = False
    grid, fixed = start_of(kernel, roster, "FULL", kept)
    found = YearSolver(kernel, grid, fixed, 7, LAST, aims=Aims(was=roster), effort=Effort()).solve()
    assert isinstance(found, Draft)
    assert (found.grid[3, 7:] >= 0).sum() >= 8  # of a week's ten half-days
    assert np.array_equal(found.grid[:3, 7:], roster[:3, 7:])
