"""The order of jobs in a permutation flow shop: as short as any, by trying them all."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse_discovery.solver.permutation import best_order, starts_of, times_of
from packhorse_discovery.solver.solve import solve
from shop_files import job_shop, permutation_flow_shop

TIMES = st.integers(1, 4).flatmap(
    lambda machines: st.lists(st.lists(st.integers(1, 9), min_size=machines, max_size=machines), min_size=2, max_size=5)
)


def makespan(times: list[list[int]], jobs: tuple[int, ...]) -> int:
    front = [0] * len(times[0])
    for job in jobs:
        ready = 0
        for machine, lasting in enumerate(times[job]):
            ready = front[machine] = max(front[machine], ready) + lasting
    return front[-1]


@settings(deadline=None, max_examples=60)
@given(TIMES)
def test_no_order_is_shorter(times: list[list[int]]) -> None:
    found = best_order(times, seconds=60)

    assert found.proved
    assert sorted(found.jobs) == list(range(len(times)))
    assert found.makespan == makespan(times, found.jobs)
    assert found.makespan == min(makespan(times, jobs) for jobs in permutations(range(len(times))))


def test_the_schedule_is_the_order_found() -> None:
    model = permutation_flow_shop("three jobs", [[3, 2, 4], [1, 5, 2]])  # by machine
    times = times_of(model)
    assert times == [[3, 1], [2, 5], [4, 2]]
    found = best_order(times, seconds=60)
    solved = solve(model)

    assert (solved.status, solved.objective, solved.bound) == ("optimal", found.makespan, found.makespan)
    assert solved.schedule is not None
    assert [one.start for one in solved.schedule.placed] == starts_of(model, times, found.jobs)
    assert solved.schedule.end == found.makespan


def test_another_kind_of_model_is_none() -> None:
    assert times_of(job_shop("two jobs", [[0, 1], [1, 0]], [[2, 3], [4, 1]])) is None


@pytest.mark.parametrize("stopped", [True, False])
def test_who_stops_it_gets_the_best_order_so_far(stopped: bool) -> None:
    heard: list[int] = []
    times = [[(7 * job + 3 * machine) % 11 + 1 for machine in range(5)] for job in range(12)]
    found = best_order(
        times, seconds=60 if stopped else 0, better=lambda now, _: heard.append(now), cancelled=lambda: stopped
    )

    assert found.makespan == heard[-1]
    assert found.makespan == makespan(times, found.jobs)
