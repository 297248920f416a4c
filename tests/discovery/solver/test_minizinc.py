"""Printed programs are run by the real MiniZinc: one on the path, else the npm package where it is installed."""

import os

import pytest
from eight_models import INTERVIEWS, OPEN_EIGHT_TO_FOUR, PARTS, flow, goals, model_of, order, time
from schedule_checker import faults

from packhorse_discovery.domain.models.build import build
from packhorse_discovery.solver.minizinc import MiniZincError, compile_with_minizinc, installed, solve_with_minizinc
from packhorse_discovery.solver.solve import solve

SOLVERS = ("chuffed", "gecode")
SIZES = ("ft06", "ft10", "la06", "ta001")
MORE = ("la01", "la02", "la03", "la16", "abz5", "orb01", "ta01", "ta002", "ta003", "ta004", "ta005")

CLOSING = flow(windows=(OPEN_EIGHT_TO_FOUR,), orders=flow().orders[:2])
IDLING = flow(goals=goals("utilisation", "makespan"))
LATE = flow(
    orders=(order("rye", due=time(100)), order("spelt", due=time(110), release=time(10))),
    goals=goals("number-late", "tardiness"),
)
OTHERS = {"working hours": CLOSING, "idle time": IDLING, "lateness": LATE, **PARTS}


@pytest.mark.parametrize("target", INTERVIEWS)
def test_real_minizinc_finds_the_optimum_of_every_target(minizinc, target):
    model = model_of(target)
    ours = solve(model)

    theirs = solve_with_minizinc(model, minizinc, solver="chuffed")

    assert theirs.proved
    assert faults(model, theirs.schedule) == []
    assert theirs.goals == ours.goals


@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_real_minizinc_finds_the_same_optimum_with(minizinc, what, solver):
    model = build(OTHERS[what])

    theirs = solve_with_minizinc(model, minizinc, solver=solver)

    assert (theirs.proved, theirs.goals) == (True, solve(model).goals)
    assert faults(model, theirs.schedule) == []


def test_real_minizinc_proves_ft06(minizinc, instances):
    theirs = solve_with_minizinc(instances["ft06"].model, minizinc, solver="chuffed")

    assert (theirs.status, theirs.objective) == ("optimal", 55)
    assert faults(instances["ft06"].model, theirs.schedule) == []


@pytest.mark.parametrize("name", [*SIZES, *MORE])
def test_real_minizinc_compiles_the_program_of_the_benchmark(minizinc, instances, name):
    if name in MORE and not os.environ.get("PACKHORSE_EVERY_PROGRAM"):
        pytest.skip("one of each size is enough: set PACKHORSE_EVERY_PROGRAM for all of them")

    compile_with_minizinc(instances[name].model, minizinc, solver="gecode")


def test_what_does_not_compile_is_told_in_its_own_words(minizinc, instances):
    with pytest.raises(MiniZincError, match="nosuch"):
        compile_with_minizinc(instances["ft06"].model, minizinc, solver="nosuch")


def test_real_minizinc_agrees_that_a_model_has_no_schedule(minizinc):
    late = flow(orders=(order("rye", due=time(30)),))

    assert solve_with_minizinc(build(late), minizinc, solver="gecode").status == "infeasible"


def test_what_minizinc_refuses_is_told_in_its_own_words(minizinc):
    with pytest.raises(MiniZincError, match="nosuch"):
        solve_with_minizinc(model_of("residence-time"), minizinc, solver="nosuch")


def test_without_minizinc_on_the_path_there_is_none(tmp_path):
    assert installed(str(tmp_path)) is None
