"""Nights, weekends and holidays of a year: as even as can be, lawful, kept where they stand, and let go at need."""

from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse_scheduling.domain.programme.requests import Demand, Leave, Preference
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.roster.duties import Duties, duties
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.model import Model
from packhorse_scheduling.domain.solve.search import Effort, solve
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.turns import nobody, settle
from packhorse_scheduling.domain.solve.wishes import Aims, Tally, wish
from packhorse_scheduling.domain.solve.year import Draft, YearSolver
from roster_factories import MONDAY, faculty, programme, resident

NIGHTLY = Demand("CALL", "RESIDENT", 1, 1)
PEOPLE = tuple(resident(f"R{n}") for n in range(1, 8))


def turns_of(kernel, aims=None, first=0):
    allowed = np.ones((kernel.P, kernel.S, kernel.D), bool)
    days = first, kernel.D - 1
    return settle(kernel, *start_of(kernel), allowed, days, Effort(), aims or Aims(), lambda: False)


def counts(kernel, grid):
    return duties(kernel, grid, 0, kernel.D - 1)


def test_calls_of_equals_differ_by_one_at_most():
    kernel = Kernel(programme(56, PEOPLE, (NIGHTLY,)))
    mine = counts(kernel, turns_of(kernel).grid).nights
    assert mine.sum() == 56
    assert max(mine) - min(mine) <= 1


def test_what_is_carried_from_years_before_is_paid_back():
    kernel = Kernel(programme(56, PEOPLE, (NIGHTLY,)))
    zero = np.zeros(kernel.P, np.int32)
    carried = Duties(np.array([0, 0, 0, 0, 0, 0, 4]), zero, zero)
    mine = counts(kernel, turns_of(kernel, Aims(carried=carried)).grid).nights
    assert max(mine + carried.nights) - min(mine + carried.nights) <= 1
    assert mine[6] <= 5


def test_a_person_long_away_is_not_expected_to_make_up_for_it():
    leave = Leave(
        "R1", Kernel(programme(120, PEOPLE)).date_of(0), Kernel(programme(120, PEOPLE)).date_of(59), "medical"
    )
    kernel = Kernel(programme(120, PEOPLE, (NIGHTLY,), leaves=(leave,)))
    mine = counts(kernel, turns_of(kernel).grid).nights
    assert mine.sum() == 120
    assert 8 <= mine[0] <= 11  # half of what the others have
    assert max(mine[1:]) - min(mine[1:]) <= 1


def test_who_has_a_saturday_has_the_sunday():
    ward = Demand("DAY", "RESIDENT", 1, 2)
    kernel = Kernel(programme(56, PEOPLE, (ward,)))
    grid = turns_of(kernel, Aims(target_utilization=0.6)).grid
    saturdays = [d for d in range(kernel.D) if kernel.date_of(d).weekday() == 5]
    for d in saturdays:
        assert np.array_equal(grid[:, d], grid[:, d + 1])
        assert (grid[:, d, 0] == kernel.service_of["DAY"]).sum() == 1


def test_turns_in_force_stand_and_only_those_of_the_absent_move():
    kernel = Kernel(programme(56, PEOPLE, (NIGHTLY,)))
    before = turns_of(kernel).grid
    away = next(p for p in range(kernel.P) if (before[p, 20:24, 1] >= 0).any())
    leave = Leave(PEOPLE[away].key, kernel.date_of(20), kernel.date_of(23))
    again = Kernel(programme(56, PEOPLE, (NIGHTLY,), leaves=(leave,)))
    after = turns_of(again, Aims(was=before)).grid
    moved = np.argwhere((before[:, :, 1] >= 0) & (after[:, :, 1] != before[:, :, 1])).tolist()
    assert {p for p, _ in moved} == {away}
    assert all(19 <= d <= 23 for _, d in moved)


def test_turns_are_let_go_for_some_days_with_both_halves_of_their_nights():
    kernel = Kernel(programme(56, PEOPLE, (NIGHTLY,)))
    settled = turns_of(kernel)
    left = settled.without(7, 13)
    assert (left.grid[:, 6, 1] >= 0).sum() == 1
    assert (left.grid[:, 7, 0] >= 0).sum() == 1  # the end of the night before
    assert (left.grid[:, 7:14, 1] < 0).all()
    assert (left.grid[:, 14, 0] < 0).all()
    assert (left.grid[:, 14, 1] >= 0).sum() == 1


def test_a_target_that_weekdays_cannot_reach_brings_more_people_in_on_weekends():
    ward = Demand("DAY", "RESIDENT", 1, 3)
    kernel = Kernel(programme(56, PEOPLE, (ward,)))
    least = counts(kernel, turns_of(kernel, Aims(target_utilization=0.6)).grid).weekends
    more = counts(kernel, turns_of(kernel, Aims(target_utilization=0.75)).grid).weekends
    assert least.sum() == 8
    assert 14 <= more.sum() <= 16
    assert max(more) - min(more) <= 1


def test_a_night_is_not_put_after_a_clinic_nor_a_days_duty_soon_after_a_night():
    people = tuple(resident(f"R{n}") for n in range(1, 7))
    clinic = Demand("SEEN", "RESIDENT", 1, 2, weekdays=frozenset(range(5)), holidays=False)
    teacher = Demand("SEEN", "FACULTY", 1, 1, weekdays=frozenset(range(5)), holidays=False)
    calls = (
        Demand("CALL", "RESIDENT", 1, 1, weekdays=frozenset({4}), sessions=("PM",)),
        Demand("CALL", "RESIDENT", 1, 1, weekdays=frozenset({5}), sessions=("AM",)),
    )
    made = programme(28, (*people, *(faculty(f"F{n}") for n in (1, 2))), (clinic, teacher, *calls))
    kernel = Kernel(made)
    found = YearSolver(kernel, *start_of(kernel), 0, kernel.D - 1, effort=Effort(), budget=0).solve()
    assert isinstance(found, Draft)
    for p, d in np.argwhere(kernel.overnight[found.grid[:, :, 1]]).tolist():
        assert found.grid[p, d, 0] != kernel.service_of["SEEN"]
        assert (found.grid[p, d + 2] < 0).all()


def test_turns_of_one_span_make_good_what_the_span_before_left_uneven():
    kernel = Kernel(programme(140, PEOPLE, (NIGHTLY,)))
    grid = turns_of(kernel).grid
    for weeks in (8, 16, 20):
        nights = (grid[:, : kernel.tail + 7 * weeks, 1] >= 0).sum(axis=1)
        assert nights.sum() == 7 * weeks
        assert max(nights) - min(nights) <= 1
    assert np.array_equal(grid[:, :-1, 1], grid[:, 1:, 0])  # no night is cut where two spans meet


def test_a_programme_without_nights_or_weekends_has_no_turns():
    weekdays = Demand("DAY", "RESIDENT", 1, 2, weekdays=frozenset(range(5)), holidays=False)
    kernel = Kernel(programme(28, PEOPLE, (weekdays,)))
    assert (turns_of(kernel).grid == nobody(kernel).grid).all()


@settings(max_examples=8, deadline=None)
@given(order=st.permutations(range(6)), names=st.permutations(["A", "B", "C", "D", "E", "F"]))
def test_renaming_and_reordering_people_leaves_the_objective_equal(order, names):
    """Half-days with every cost, solved to proof; turns, where they are proved in their time."""
    people = tuple(resident(f"R{n}", pgy=n % 2 + 1) for n in range(6))
    renamed = {one.key: name for one, name in zip(people, names, strict=True)}
    leave = Leave("R2", MONDAY + timedelta(days=3), MONDAY + timedelta(days=5))
    wish = Preference("R4", MONDAY + timedelta(days=1), avoid=True, weight=2)
    demands = (NIGHTLY, Demand("DAY", "RESIDENT", 1, 2))
    made = programme(10, people, demands, leaves=(leave,), preferences=(wish,))
    other = evolve(
        made,
        people=tuple(evolve(people[n], key=renamed[people[n].key], email=f"{n}@example.org") for n in order),
        leaves=(evolve(leave, person=renamed["R2"]),),
        preferences=(evolve(wish, person=renamed["R4"]),),
    )
    found = [_costs(Kernel(one)) for one in (made, other)]
    turns, half_days = zip(*found, strict=True)
    assert [gap for gap, _ in half_days] == [0, 0]
    assert half_days[0][1] == pytest.approx(half_days[1][1])
    if [gap for gap, _ in turns] == [0, 0]:
        assert turns[0][1] == pytest.approx(turns[1][1])


def _costs(kernel):
    """Gap and cost of the turns, and of the half-days by themselves."""
    effort = Effort(gap=0, units=20)
    turns = turns_of(kernel)
    model = Model(kernel, *start_of(kernel)[:1], list(range(kernel.P)), 0, kernel.D - 1, kernel.D - 1)
    model.post()
    wish(model, Aims(), Tally(kernel), np.full((kernel.P, kernel.D), -1, np.int32))
    half_days = solve(model, effort)
    return [(turns.gap, turns.cost), (half_days.gap, half_days.cost)]


@pytest.mark.slow
def test_a_year_of_the_sample_is_lawful_and_even():
    kernel = Kernel(sample(Shape(residents=16, faculty=8, seed=2)))
    found = YearSolver(kernel, *start_of(kernel), 0, kernel.D - 1, effort=Effort(), budget=0).solve()
    assert isinstance(found, Draft)
    assert found.shortfall == 0
    assert not [one for rule in kernel.rules for one in rule.check(found.grid) if one.blocks]
    mine = counts(kernel, found.grid)
    residents = np.array([person.role == "RESIDENT" for person in kernel.programme.people])
    assert np.ptp(mine.nights[residents]) <= 1
    assert np.ptp(mine.holidays[residents]) <= 2
    assert mine.weekends[residents].std() <= 1
