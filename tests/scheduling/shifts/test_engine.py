"""The engine: what it prices, proves and finds, by objective and bound; nothing is timed."""

from itertools import count, product
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ortools.linear_solver import pywraplp

from curtois_scorer import score
from packhorse import UserError
from packhorse_scheduling.convert.shifts.curtois import ward_from
from packhorse_scheduling.domain.shifts import master, tuning
from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.shifts.compact import whole
from packhorse_scheduling.domain.shifts.dive import Dive
from packhorse_scheduling.domain.shifts.engine import solve
from packhorse_scheduling.domain.shifts.master import Master
from packhorse_scheduling.domain.shifts.mix import Mixer
from packhorse_scheduling.domain.shifts.moves import BLIND, PRICED, Moves
from packhorse_scheduling.domain.shifts.neighbourhoods import Neighbourhoods
from packhorse_scheduling.domain.shifts.partial import Partial
from packhorse_scheduling.domain.shifts.pricing import Pricer
from packhorse_scheduling.domain.shifts.problem import Cover, Person, Problem, Request, Shift
from packhorse_scheduling.domain.shifts.relaxed import Relaxed
from packhorse_scheduling.domain.shifts.state import State
from packhorse_scheduling.domain.shifts.tables import Tables
from packhorse_scheduling.domain.shifts.turns import Turns
from packhorse_scheduling.domain.shifts.windows import Windows
from packhorse_scheduling.domain.wards.patterns import as_problem
from packhorse_scheduling.service.shifts import solved
from shift_instances import SMALL

pytestmark = pytest.mark.slow

DATA = Path(__file__).resolve().parents[4] / "shared" / "benchmarks" / "shift_scheduling" / "curtois"
beside = pytest.mark.skipif(not DATA.is_dir(), reason="../shared is absent")


def problem_from(text):
    """The instance as the problem of its patterns."""
    return as_problem(ward_from(text))


def ticking(step=1.0):
    """A clock that goes on by ``step`` whenever it is read: the same search on every machine."""
    ticks = count()
    return lambda: next(ticks) * step


def checked(text, outcome):
    """The outcome, judged by the independent scorer."""
    cost, broken = score(text, problem_from(text).named(outcome.roster))
    assert broken == []
    assert cost == outcome.objective
    assert 0 <= outcome.bound <= outcome.objective
    return outcome


@st.composite
def small_problems(draw):
    """One or two people on 6 to 8 days with any limits: small enough to try every pattern."""
    days = draw(st.integers(6, 8))
    shifts = (
        Shift("a", 480, frozenset()),
        Shift("b", draw(st.sampled_from([480, 600, 720])), frozenset(draw(st.sampled_from([(), ("a",)])))),
    )
    people = []
    for name in ("P", "Q")[: draw(st.integers(1, 2))]:
        least_run = draw(st.integers(1, 3))
        least = draw(st.integers(0, 4)) * 480
        people.append(
            Person(
                name,
                {"a": draw(st.integers(0, 6)), "b": draw(st.integers(0, 4))},
                least + draw(st.integers(0, 4)) * 300,
                least,
                draw(st.integers(least_run, 5)),
                least_run,
                draw(st.integers(1, 3)),
                draw(st.integers(0, 2)),
                frozenset(draw(st.sets(st.integers(0, days - 1), max_size=2))),
            )
        )
    cells = st.tuples(st.sampled_from(people), st.integers(0, days - 1), st.sampled_from(shifts), st.integers(1, 9))
    requests = tuple(
        Request(person.id, day, shift.id, weight, wanted)
        for (person, day, shift, weight), wanted in draw(st.lists(st.tuples(cells, st.booleans()), max_size=8))
    )
    covers = tuple(
        Cover(day, shift.id, draw(st.integers(0, 2)), draw(st.integers(0, 9)), draw(st.integers(0, 3)))
        for day in range(days)
        for shift in shifts
    )
    return Problem(days, shifts, tuple(people), requests, covers)


def lawful_patterns(tables, e):
    for row in product((-1, 0, 1), repeat=tables.H):
        grid = np.array(row, dtype=np.int8)
        if not tables.broken(e, grid):
            yield grid


@settings(max_examples=25, deadline=None, derandomize=True)
@given(small_problems())
def test_pricing_finds_the_cheapest_lawful_pattern_of_each_person(problem):
    tables = Tables(problem)
    cost = np.where(tables.banned, 1e7, tables.wish)
    priced = Pricer(tables).price(cost, np.arange(tables.E))
    for e in range(tables.E):
        days = np.arange(tables.H)
        values = [cost[e, days[row >= 0], row[row >= 0]].sum() for row in lawful_patterns(tables, e)]
        if not values:
            assert priced.least[e] >= 1e6 or not priced.lawful[e]
            continue
        assert priced.least[e] <= min(values) + 1e-6
        if priced.lawful[e]:
            row = priced.grid[e]
            assert not tables.broken(e, row)
            assert cost[e, days[row >= 0], row[row >= 0]].sum() == pytest.approx(min(values))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(small_problems())
def test_quick_pricing_gives_lawful_patterns_and_bounds_below_them(problem):
    tables = Tables(problem)
    pricer = Pricer(tables)
    pricer.limit = 1
    cost = np.where(tables.banned, 1e7, tables.wish)
    everybody = np.arange(tables.E)
    exact = Pricer(tables).price(cost, everybody)
    for _ in range(3):
        pricer.price(cost, everybody)
    pricer.harden(60)
    priced = pricer.price(cost, everybody, quick=True)
    for e in np.flatnonzero(priced.lawful & exact.lawful & (exact.least < 1e6)).tolist():
        row = priced.grid[e]
        days = np.flatnonzero(row >= 0)
        assert not tables.broken(e, row)
        assert priced.least[e] <= exact.least[e] + 1e-6
        assert cost[e, days, row[days]].sum() >= exact.least[e] - 1e-6


@settings(max_examples=15, deadline=None, derandomize=True)
@given(small_problems())
def test_the_relaxed_bound_is_below_the_optimum_of_the_whole_model(problem):
    tables = Tables(problem)
    best = whole(tables).solve(20)
    if best.infeasible:
        return
    assert best.optimal
    assert tables.objective(best.grid) == pytest.approx(best.bound)
    assert not any(tables.broken(e, best.grid[e]) for e in range(tables.E))
    state = State(tables, Budget(60, ticking()), 1, lambda objective, bound: None)
    Relaxed(state).run(Budget(60, ticking()))
    assert state.bound <= round(best.bound)


def test_a_small_instance_is_solved_to_the_proven_optimum():
    outcome = checked(SMALL, solve(problem_from(SMALL), 30))
    tables = Tables(problem_from(SMALL))
    exact = whole(tables).solve(60)
    assert exact.optimal
    assert outcome.status == "optimal"
    assert (outcome.objective, outcome.bound, outcome.gap) == (round(exact.bound), outcome.objective, 0)


@beside
@pytest.mark.parametrize(("number", "best"), [(1, 607), (3, 1001)])
def test_published_small_instances_are_proven_optimal(number, best):
    text = (DATA / f"Instance{number}.txt").read_text()
    outcome = checked(text, solve(problem_from(text), 60))
    assert (outcome.objective, outcome.bound, outcome.status) == (best, best, "optimal")


@beside
@pytest.mark.parametrize(("number", "least"), [(5, 1141), (7, 1054)])
def test_column_generation_proves_the_published_bounds(number, least):
    text = (DATA / f"Instance{number}.txt").read_text()
    told = []
    stop = lambda: bool(told) and told[-1][1] >= least  # noqa: E731 - a watch on what was told
    outcome = solve(problem_from(text), 300, told=lambda *said: told.append(said), cancelled=stop)
    assert checked(text, outcome).bound >= least
    assert [bound for _, bound in told] == sorted(bound for _, bound in told)


@beside
def test_twelve_weeks_have_a_roster_at_once():
    text = (DATA / "Instance19.txt").read_text()
    checked(text, solve(problem_from(text), 0.0))


def test_a_year_has_a_roster_and_a_bound():
    days = 364
    head = SMALL[: SMALL.index("SECTION_DAYS_OFF")].replace("\n14\n", f"\n{days}\n").replace("L=3", "L=60")
    head = head.replace("=14", "=364").replace("4320,2880", "112320,96000").replace("2400,960", "60000,24000")
    head = head.replace(",5,2,2,1", ",5,2,2,30").replace(",4,1,2,2", ",4,1,2,30")
    text = head + "SECTION_COVER\n" + "".join(f"{day},E,2,100,1\n{day},L,3,100,1\n" for day in range(days))
    outcome = checked(text, solve(problem_from(text), 40, clock=ticking()))
    assert outcome.bound > 0


@pytest.mark.parametrize(
    "improve",
    [
        lambda state: Neighbourhoods(state).run(Budget(40, ticking())),
        lambda state: Moves(state).run(Budget(200, ticking()), BLIND),
        lambda state: Moves(state).run(Budget(200, ticking()), PRICED),
        lambda state: Moves(state).run(Budget(200, ticking()), PRICED, state.greedy()),
        lambda state: Partial(state, Mixer(state)).run(Budget(200, ticking())),
        lambda state: Windows(state).run(Budget(200, ticking())),
    ],
    ids=["neighbourhoods", "moves", "eased moves", "eased moves from elsewhere", "dives about some", "windows"],
)
@pytest.mark.parametrize("seed", [3, 4])
def test_improving_never_makes_a_roster_worse_or_unlawful(improve, seed):
    tables = Tables(problem_from(SMALL))
    state = State(tables, Budget(200, ticking()), seed, lambda objective, bound: None)
    state.found(state.greedy())
    before = state.objective
    improve(state)
    assert state.objective <= before
    assert state.objective == tables.objective(state.best)
    assert not any(tables.broken(e, state.best[e]) for e in range(tables.E))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(small_problems(), st.data())
def test_of_a_window_the_cheapest_days_that_are_lawful_beside_the_others_are_found(problem, data):
    tables = Tables(problem)
    patterns = [list(lawful_patterns(tables, e)) for e in range(tables.E)]
    assume(all(patterns))
    grid = np.array([data.draw(st.sampled_from(those)) for those in patterns])
    start = data.draw(st.integers(0, tables.H - 3))
    first, last = tables.with_weekends(start, data.draw(st.integers(start + 3, tables.H)))
    part = tables.part(grid, first, last)
    state = State(part, Budget(200, ticking()), 6, lambda objective, bound: None)
    cost = state.wish + data.draw(st.integers(0, 20)) * state.rng.uniform(-1, 1, (part.H, part.K)).round(2)
    priced = state.pricer.price(cost, state.everybody)
    days, outside = np.arange(part.H), np.r_[0:first, last : tables.H]

    def paid(e, row):
        return cost[e, days[row >= 0], row[row >= 0]].sum()

    for e, those in enumerate(patterns):
        values = [paid(e, row[first:last]) for row in those if (row[outside] == grid[e, outside]).all()]
        assert priced.least[e] <= min(values) + 1e-6
        if priced.lawful[e]:
            whole = grid[e].copy()
            whole[first:last] = priced.grid[e]
            assert not tables.broken(e, whole)
            assert paid(e, priced.grid[e]) == pytest.approx(min(values))


def test_a_linear_program_that_ends_without_an_answer_is_solved_again_with_what_was_closed_still_closed():
    tables = Tables(problem_from(SMALL))
    state = State(tables, Budget(200, ticking()), 6, lambda objective, bound: None)
    masters = [Master(tables, state.columns), Master(tables, state.columns)]
    numbers = [*state.columns.add_roster(state.greedy()), *state.columns.add_roster(state.greedy())]
    for one in masters:
        one.add(numbers)
        one.close([0])
    masters[1].lp.SetSolverSpecificParametersAsString("max_number_of_iterations: 1")
    (value, *_), (again, *_) = (one.solve() for one in masters)
    assert again == pytest.approx(value)
    assert masters[1].closed == {0}


def test_linear_programs_that_are_never_solved_leave_the_other_ways_to_a_roster(monkeypatch):
    made = pywraplp.Solver.CreateSolver

    def unable(name):
        solver = made(name)
        if name == "GLOP":
            solver.SetSolverSpecificParametersAsString("max_number_of_iterations: 1")
        return solver

    monkeypatch.setattr(pywraplp.Solver, "CreateSolver", staticmethod(unable))
    monkeypatch.setattr(master, "WARM", "max_number_of_iterations: 1")
    monkeypatch.setattr(tuning, "SMALL", 0)
    assert checked(SMALL, solve(problem_from(SMALL), 200, clock=ticking())).objective == 0


def with_wishes(seed):
    """The small instance with a wish of each person for each day."""
    problem, rng = problem_from(SMALL), np.random.default_rng(seed)
    wishes = tuple(
        Request(person.id, day, problem.shifts[rng.integers(2)].id, int(rng.integers(1, 9)), bool(rng.random() < 0.5))
        for person, day in product(problem.people, range(problem.days))
    )
    return evolve(problem, requests=wishes)


@pytest.mark.parametrize(("seed", "best"), [(7, 70), (11, 73), (18, 81), (22, 67), (24, 104)])
def test_a_dive_goes_back_where_what_it_fixed_leaves_no_roster_as_good_as_wanted(seed, best, monkeypatch):
    tables = Tables(with_wishes(seed))
    found = []
    for failures in (0, 5):
        monkeypatch.setattr(tuning, "FAILURES", failures)
        state = State(tables, Budget(3000, ticking()), 1, lambda objective, bound: None)
        state.found(state.greedy())
        master = Master(tables, state.columns)
        master.add(range(state.columns.count))
        dive = Dive(state, master, grain=4, most=best + 0.5)
        dive.settle(Budget(500, ticking()))
        found.append(dive.run(Budget(2000, ticking())))
        assert not master.closed
    assert found[0] is None
    assert tables.objective(found[1]) == best
    assert not any(tables.broken(e, found[1][e]) for e in range(tables.E))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_large_problem_has_the_best_of_several_rosters(seed, monkeypatch):
    monkeypatch.setattr(tuning, "SMALL", 0)
    monkeypatch.setattr(tuning, "LARGE", 0)
    seen = []
    outcome = solve(
        with_wishes(21), 1000, seed=seed, clock=ticking(), told=lambda objective, bound: seen.append((objective, bound))
    )
    objectives = [objective for objective, _ in seen if objective is not None]
    assert objectives == sorted(objectives, reverse=True)
    assert outcome.objective == objectives[-1]
    assert 108 < outcome.bound <= 115 <= outcome.objective < 120


def test_moves_count_what_each_pattern_changes():
    tables = Tables(problem_from(SMALL))
    state = State(tables, Budget(200, ticking()), 5, lambda objective, bound: None)
    state.found(state.greedy())
    moves, grid = Moves(state), state.best.copy()
    for e in range(tables.E):
        row = state.pattern(e, state.wish[e] + 7 * state.rng.random((tables.H, tables.K)))
        after = grid.copy()
        after[e] = row
        change = moves.change(e, row, grid, tables.cells(grid), moves.cover)
        assert change == tables.objective(after) - tables.objective(grid)
        grid = after


@given(seed=st.integers(0, 1000), share=st.floats(0.01, 1.0))
@settings(max_examples=30, deadline=None)
def test_an_eased_cover_is_the_price_of_all_patterns_and_a_share_of_the_rest(seed, share):
    tables = Tables(problem_from(SMALL))
    state = State(tables, Budget(200, ticking()), seed, lambda objective, bound: None)
    moves, grid = Moves(state), state.greedy()
    prices = np.clip(state.rng.uniform(-2, 50, (tables.H, tables.K)), -tables.over, tables.under)
    cover = moves.cover.eased(prices, share)

    def eased(roster):
        counts = tables.cells(roster)
        requests = sum(tables.requests_cost(e, roster[e]) for e in range(tables.E))
        missing = np.maximum(0, tables.required - counts)
        extra = np.maximum(0, counts - tables.required)
        beyond = (tables.under - prices) * missing + (tables.over + prices) * extra
        return requests - (prices * counts).sum() + share * beyond.sum()

    for e in range(tables.E):
        row = state.pattern(e, state.wish[e] + 7 * state.rng.random((tables.H, tables.K)))
        after = grid.copy()
        after[e] = row
        change = moves.change(e, row, grid, tables.cells(grid), cover)
        assert change == pytest.approx(eased(after) - eased(grid))
        grid = after


def test_turns_go_first_to_all_in_order_and_then_mostly_to_what_gains():
    tables = Tables(problem_from(SMALL))
    state = State(tables, Budget(10_000, ticking()), 1, lambda objective, bound: None)
    state.objective = 1_000_000
    turns, order = Turns(("idle", "useful")), []

    def gain():
        state.objective -= 1000

    for _ in range(40):
        name = turns.next(state.rng)
        order.append(name)
        turns.take(name, gain if name == "useful" else lambda: None, state, state.budget)
    assert order[:2] == ["idle", "useful"]
    assert order.count("useful") > 25
    assert "idle" in order[2:]


def test_a_cancelled_search_gives_what_it_has():
    outcome = solve(evolve(problem_from(SMALL)), 60, cancelled=lambda: True)
    assert checked(SMALL, outcome).status in ("feasible", "optimal")


def test_somebody_without_a_lawful_pattern_is_refused_by_name():
    text = SMALL.replace("C,E=14|L=0,4320,2880", "C,E=2|L=0,4320,2880")
    with pytest.raises(UserError, match="limits and days off of C") as refused:
        solved(ward_from(text), 10, seed=1)
    assert refused.value.code == "GENERATION_FAILED"
