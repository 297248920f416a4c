"""INRC-II instances as questions of a ward: history is carried, and the engine's cost is the scorer's."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from inrc2_scorer import score
from packhorse_scheduling.convert.shifts.inrc2 import ward_from
from packhorse_scheduling.domain.wards.question import REST
from packhorse_scheduling.domain.wards.roster import Roster, count
from packhorse_scheduling.domain.wards.search import solve
from shift_instances import written

pytestmark = pytest.mark.slow

DATA = Path(__file__).resolve().parents[4] / "shared" / "benchmarks" / "shift_scheduling" / "inrc2"
beside = pytest.mark.skipif(not DATA.is_dir(), reason="../shared is absent")


def test_weeks_cost_what_the_scorer_says(tmp_path):
    folder = written(tmp_path / "tiny")
    ward = ward_from(folder, 0, [0, 1])
    outcome = solve(ward, 2)
    costs, broken = score(folder, 0, [0, 1], outcome.roster.named(ward), outcome.roster.skilled(ward))
    assert (sum(costs), broken) == (outcome.objective, [])
    assert 0 <= outcome.bound <= outcome.objective


@pytest.mark.parametrize("seed", range(20))
def test_any_plan_costs_what_the_scorer_says(tmp_path, seed):
    """Random plans, lawful or not: the two counts share no code."""
    folder, rng = written(tmp_path / "tiny"), Random(seed)
    ward = ward_from(folder, 0, [0, 1])
    shape = len(ward.people), ward.days
    duty, role = np.full(shape, REST, dtype=np.int16), np.full(shape, REST, dtype=np.int16)
    asked = {(one.day, one.shifts[0], one.skill) for one in ward.demands}
    for e, d in np.argwhere(duty < 0).tolist():
        shift = rng.randrange(len(ward.shifts))
        able = [s for s, skill in enumerate(ward.skills) if skill in ward.people[e].skills
                and (d, ward.shifts[shift].key, skill) in asked]  # fmt: skip
        if able and rng.random() < 0.65:
            duty[e, d], role[e, d] = shift, rng.choice(able)
    roster = Roster(duty, role)
    costs, _ = score(folder, 0, [0, 1], roster.named(ward), roster.skilled(ward))
    assert sum(costs) == count(ward, roster).cost


@beside
def test_weeks_that_leave_no_lawful_plan_are_planned_with_the_least_missing():
    """Sunday of week 3 binds so many nurses to nights that Monday of week 4 cannot be covered."""
    ward = ward_from(DATA / "n005w4", 0, [1, 2, 3, 4])
    outcome = solve(ward, 4)
    costs, broken = score(DATA / "n005w4", 0, [1, 2, 3, 4], outcome.roster.named(ward), outcome.roster.skilled(ward))
    assert sum(costs) == outcome.objective
    assert bool(broken) == bool(outcome.count.short) == (outcome.status == "short")
