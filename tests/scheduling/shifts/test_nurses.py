"""Nurse weeks in sequence: history is carried, and the engine's cost is the scorer's."""

from pathlib import Path
from random import Random

import pytest

from inrc2_scorer import score
from packhorse_scheduling.convert.shifts.answers import table_from, weeks_from
from packhorse_scheduling.convert.shifts.inrc2 import folder_from
from packhorse_scheduling.domain.shifts.nurse_cost import week_cost
from packhorse_scheduling.domain.shifts.nurse_weeks import solve_weeks
from packhorse_scheduling.domain.shifts.nurses import after
from shift_instances import written

pytestmark = pytest.mark.slow

DATA = Path(__file__).resolve().parents[4] / "shared" / "benchmarks" / "shift_scheduling" / "inrc2"
beside = pytest.mark.skipif(not DATA.is_dir(), reason="../shared is absent")


def found(folder, weeks, seconds):
    read = folder_from(folder, 0, weeks)
    return solve_weeks(read.scenario, read.past, read.weeks, seconds, before=read.before)


def test_weeks_are_solved_in_sequence_and_cost_what_the_scorer_says(tmp_path):
    folder = written(tmp_path / "tiny")
    weeks = found(folder, [0, 1], 2)
    body = weeks_from(weeks)
    costs, broken = score(folder, 0, [0, 1], body["roster"], body["skills"])
    assert (costs, broken) == (body["week_costs"], [])
    assert body["objective"] == sum(costs)
    assert 0 <= body["bound"] <= body["objective"]
    assert "By week" in table_from(body)


@pytest.mark.parametrize("seed", range(20))
def test_any_plan_costs_what_the_scorer_says(tmp_path, seed):
    """Random plans, lawful or not: the two counts share no code."""
    folder, rng = written(tmp_path / "tiny"), Random(seed)
    read = folder_from(folder, 0, [0, 1])
    nurses = read.scenario.nurses.values()
    plans = [
        {
            nurse.id: [
                None if rng.random() < 0.35 else (rng.choice(list(read.scenario.shifts)), rng.choice(nurse.skills))
                for _ in range(7)
            ]
            for nurse in nurses
        }
        for _ in range(2)
    ]
    state, ours = dict(read.past), []
    for i, plan in enumerate(plans):
        ours.append(week_cost(read.scenario, read.weeks[i], state, plan, last=i == 1))
        state = {who: after(state[who], plan[who]) for who in state}

    def part(index):
        return {
            nurse.id: [duty[index] if duty else "" for plan in plans for duty in plan[nurse.id]] for nurse in nurses
        }

    costs, _ = score(folder, 0, [0, 1], part(0), part(1))
    assert costs == ours


@beside
def test_weeks_that_leave_no_lawful_plan_are_planned_with_the_least_missing():
    """Sunday of week 3 binds so many nurses to nights that Monday of week 4 cannot be covered."""
    weeks = found(DATA / "n005w4", [1, 2, 3, 4], 4)
    assert weeks.status == "short"
    assert weeks.short >= 1


@beside
def test_a_published_scenario_is_planned_and_what_it_lacks_is_said():
    """A lawful plan exists; whether it is found in so little time depends on the machine, and what is said must not."""
    weeks = found(DATA / "n005w4", [1, 2, 3, 3], 4)
    body = weeks_from(weeks)
    costs, broken = score(DATA / "n005w4", 0, [1, 2, 3, 3], body["roster"], body["skills"])
    assert costs == body["week_costs"]
    assert bool(broken) == bool(weeks.short) == (weeks.status == "short")
    assert 0 <= weeks.bound <= weeks.objective
