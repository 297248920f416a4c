"""Rosters that are made keep every rule, by an independent reading; impossible ones are explained."""

from datetime import timedelta
from random import Random

import numpy as np
import pytest
from attrs import evolve

from cpr_checker import breaches, impossible_cells
from packhorse_scheduling.domain.change.repair import repair
from packhorse_scheduling.domain.insight.explain import explain, is_possible
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.guards import guarded
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.year import DRAFTED, Draft, StoppedError, YearSolver
from roster_conflicts import KINDS
from roster_factories import MONDAY, faculty, programme, resident
from roster_repairs import fewest_changes

pytestmark = pytest.mark.slow

QUICK = Effort()


def solve_all(kernel, **changed):
    grid, fixed = start_of(kernel)
    return YearSolver(kernel, grid, fixed, 0, kernel.D - 1, effort=QUICK, **changed).solve()


def _enough():
    return (*(resident(f"R{n}") for n in range(3)), faculty(), faculty("F2"))


def test_two_blocks_break_no_window_where_they_meet(kernel, draft):
    year = evolve(kernel.programme.year, end=kernel.date_of(55))
    cells = [cell for cell in kernel.cells_of(draft.grid) if cell[1] in year]
    whole = evolve(kernel.programme, year=year)
    assert len(cells) > 1000
    assert breaches(whole, cells) == []
    assert impossible_cells(whole, cells) == []


def test_every_block_is_solved_to_its_gap(draft):
    assert max(stage.gap for stage in draft.stages) <= 0.005


def test_a_lock_is_kept():
    made = programme(28, locks=(Lock("R1", MONDAY, "AM", "DAY"), Lock("R2", MONDAY, "PM", None)))
    found = solve_all(Kernel(made))
    assert isinstance(found, Draft)
    kernel = Kernel(made)
    assert found.grid[0, 0, 0] == kernel.service_of["DAY"]
    assert found.grid[1, 0, 1] < 0


def test_what_cannot_be_met_is_left_short_by_the_least():
    demand = Demand("DAY", "RESIDENT", 3, 4, sessions=("AM",), start=MONDAY, end=MONDAY)
    kernel = Kernel(programme(28, demands=(demand,)))
    found = solve_all(kernel, shortfalls=True)
    assert isinstance(found, Draft)
    assert found.shortfall == 1  # two residents, three asked for


def test_every_step_is_told_and_the_first_draft_among_them():
    heard = []
    made = programme(35, demands=(Demand("DAY", "RESIDENT", 1, 2),), people=_enough())
    found = solve_all(Kernel(made), rounds=1, progress=lambda *told: heard.append(told))
    assert isinstance(found, Draft)
    assert [done for done, _, _ in heard] == list(range(1, heard[-1][1] + 1))
    assert heard[[words for *_, words in heard].index(DRAFTED) - 1][2].startswith("block")


def test_generation_stops_when_told_to(kernel):
    with pytest.raises(StoppedError):
        solve_all(kernel, cancelled=lambda: True)


@pytest.mark.parametrize("rotations", [True, False], ids=["on rotations", "without rotations"])
def test_an_equal_question_gives_an_equal_roster(rotations):
    """The solver's work is counted, never the clock's seconds: so it is the same beside whatever else runs."""
    made = sample(Shape(residents=6, faculty=4, seed=3))
    made = made if rotations else evolve(made, rotations=())

    def once():
        kernel = Kernel(made)
        found = YearSolver(kernel, *start_of(kernel), kernel.tail, kernel.tail + 55, shortfalls=True, rounds=1).solve()
        assert isinstance(found, Draft)
        return found.grid

    assert np.array_equal(once(), once())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_impossible_programme_is_explained_by_a_minimal_conflict_and_a_way_out(kind):
    made, last = kind(Random(1))
    kernel = Kernel(made)
    assert made.faults() == []
    found = explain(kernel, 0, last)
    assert found is not None
    there = guarded(kernel, found.first, found.last)
    conflict = set(found.conflict)
    assert not is_possible(there, without=there.guards.keys() - conflict)
    for member in conflict:
        assert is_possible(there, without=there.guards.keys() - conflict | {member})
    assert found.ways
    whole = guarded(kernel, 0, last)
    for way in found.ways:
        assert way
        assert all(member.weight is not None for member in way)
        assert is_possible(whole, without=way)


@pytest.mark.parametrize("days", [4, 27], ids=["of a working week", "of every day"])
def test_leave_that_is_given_up_counts_as_days_present_again(days):
    """One resident, needed every working day: without the leave there is a roster, and nothing more has to go."""
    away = Leave("R1", MONDAY, MONDAY + timedelta(days=days))
    needed = Demand("DAY", "RESIDENT", 1, 1, weekdays=frozenset(range(5)))
    made = programme(28, (resident("R1"), faculty("F1")), (needed,), leaves=(away,))
    found = explain(Kernel(made), 0, 27)
    assert [member.code for member in found.ways[0]] == ["LEAVE_RULE"]
    free = Kernel(evolve(made, leaves=()))
    grid, fixed = start_of(free)
    assert isinstance(YearSolver(free, grid, fixed, 0, 27, effort=Effort()).solve(), Draft)


def test_days_that_have_a_roster_have_no_conflict(kernel):
    assert explain(Kernel(programme(14)), 0, 13) is None


@pytest.mark.parametrize(("who", "first"), [(1, 30), (13, 30), (4, 22), (17, 37)])
def test_an_absence_is_repaired_near_the_fewest_changes_and_locked_cells_stay(kernel, draft, who, first):
    person = kernel.programme.people[who].key
    start, end = kernel.date_of(first), kernel.date_of(first + 4)
    others = tuple(leave for leave in kernel.programme.leaves if leave.person != person)
    ill = Kernel(evolve(kernel.programme, leaves=(*others, Leave(person, start, end, "sick"))))
    locked = np.zeros(draft.grid.shape, bool)
    locked[2] = True
    found = repair(ill, draft.grid, [(who, first, first + 4)], today=first - 2, locked=locked)
    assert found is not None
    assert (found.grid[who, first : first + 5] < 0).all()
    assert (found.grid[2] == draft.grid[2]).all()
    assert found.shortfall == 0
    wrong = [v for rule in ill.rules for v in rule.check(found.grid) if v.blocks and v.last < 56]
    assert [v.rule for v in wrong] == []
    least = fewest_changes(
        ill.programme, kernel.cells_of(draft.grid), person, start, end, {kernel.programme.people[2].key}
    )
    assert len(found.changed) <= 1.5 * least
