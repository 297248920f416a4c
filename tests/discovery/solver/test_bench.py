"""Benchmark files through the solver; FT10 and the flow shops are in ``benchmarks/discovery.py``."""

import pytest
from schedule_checker import faults

from packhorse_discovery.solver.solve import solve

OPTIMA = {"ft06": 55, "la01": 666, "la06": 926}


@pytest.mark.parametrize("name", OPTIMA)
def test_a_classical_job_shop_is_proved_optimal(instances, name):
    solved = solve(instances[name].model)

    assert (solved.status, solved.objective, solved.bound) == ("optimal", OPTIMA[name], OPTIMA[name])
    assert faults(instances[name].model, solved.schedule) == []


def test_a_permutation_flow_shop_has_one_order_at_every_machine(instances):
    model = instances["ta001"].model

    solved = solve(model, seconds=5)

    assert solved.schedule is not None
    assert faults(model, solved.schedule) == []
    assert solved.objective >= 1278
