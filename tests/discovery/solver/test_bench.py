"""Benchmark files through model, printer and solver; FT10 and the flow shops are in ``benchmarks/discovery.py``."""

import pytest
from schedule_checker import faults

from packhorse_discovery.solver.bench import bench
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


def test_a_file_gives_a_result_by_instance(benchmark_file):
    told = []

    found = bench(benchmark_file("jobshop.json"), only=("ft06", "la01"), each=lambda name, result: told.append(name))

    assert told == ["ft06", "la01"]
    assert {name: (each["objective"], each["bound"], each["proved"]) for name, each in found.items()} == {
        "ft06": (55, 55, True),
        "la01": (666, 666, True),
    }
    assert set(found["ft06"]) >= {"objective", "bound", "proved", "seconds"}


def test_a_file_that_is_no_benchmark_is_refused_by_name(tmp_path, benchmark_file):
    other = tmp_path / "other.json"
    other.write_text("[]", encoding="utf-8")

    with pytest.raises(ValueError, match=r"nowhere\.json"):
        bench(tmp_path / "nowhere.json")
    with pytest.raises(ValueError, match="packhorse-jobshop/1"):
        bench(other)
    with pytest.raises(ValueError, match="ft99: the file has"):
        bench(benchmark_file("jobshop.json"), only=("ft99",))
