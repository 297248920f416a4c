"""Schedules of small models: right, optimal, repeatable, stoppable."""

import itertools
import threading

import pytest
from attrs import evolve
from eight_models import INTERVIEWS, OPEN_EIGHT_TO_FOUR, PARTS, fact, flow, goals, model_of, order, time
from hypothesis import given, settings
from hypothesis import strategies as st
from schedule_checker import faults, values

from packhorse_discovery.domain.models.build import build
from packhorse_discovery.domain.models.model import (
    Closed,
    Goal,
    Job,
    Link,
    Mode,
    Model,
    Resource,
    Setup,
    Spread,
    Task,
    Use,
    Wait,
)
from packhorse_discovery.domain.models.source import Amount
from packhorse_discovery.solver.solve import solve
from packhorse_discovery.solver.solved import schedule_from

OPTIMA = {
    "residence-time": {"makespan": 27},
    "flow-shop": {"makespan": 57},
    "flexible-flow-shop": {"makespan": 43},
    "job-shop": {"makespan": 11},
    "flexible-job-shop": {"makespan": 18},
    "single-machine": {"weighted_tardiness": 3, "changeovers": 1, "makespan": 11},
    "rcpsp": {"makespan": 10},
    "timetabling": {"makespan": 210},
}


@pytest.mark.parametrize("target", INTERVIEWS)
def test_every_target_is_solved_to_the_optimum_that_minizinc_finds_too(target):
    model = model_of(target)

    solved = solve(model)

    assert (solved.status, solved.proved, solved.goals) == ("optimal", True, OPTIMA[target])
    assert faults(model, solved.schedule) == []


# Ticks of five or ten minutes, of which days have slots of an hour; each is MiniZinc's optimum too.
OPTIMA_WITH_PARTS = {
    "one order before all others": {"makespan": 69},
    "one order first at a step": {"tardiness": 15},
    "no wait": {"makespan": 57},
    "blocking": {"makespan": 12},
    "blocking in a pool": {"makespan": 16},
    "cleaning of a machine": {"makespan": 63},
    "cleaning of a pool, the child first": {"makespan": 32},
    "cleaning or the longer set-up": {"makespan": 64},
    "blocking of alternatives": {"makespan": 22},
    "spread over days": {"makespan": 58},
}


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_model_is_kept_by_its_best_schedule(part):
    model = build(PARTS[part])

    solved = solve(model)

    assert (solved.status, solved.goals) == ("optimal", OPTIMA_WITH_PARTS[part])
    assert faults(model, solved.schedule) == []


@st.composite
def crowded_models(draw):
    """Two jobs of two steps on two machines, with blocking, cleaning, precedence between jobs and a spread."""
    tasks = [
        Task(
            number // 2,
            f"step {number}",
            (Mode(Amount(draw(st.integers(1, 2))), (Use(draw(st.integers(0, 1)), Amount(1)),)),),
            holds=(number + 1,) if number % 2 == 0 and draw(st.booleans()) else (),
        )
        for number in range(4)
    ]
    machines = tuple(
        Resource(f"machine {number}", Amount(1), cleaning=draw(st.sampled_from([None, Amount(1), Amount(2)])))
        for number in range(2)
    )
    links = [Link(0, 1), Link(2, 3), *draw(st.sampled_from([[], [Link(2, 0, "start-start")], [Link(3, 0)]]))]
    spreads = draw(st.sampled_from([(), (Spread((0, 2), Amount(1), 3),)]))
    jobs = (Job("job 0"), Job("job 1"))
    goals_ = (Goal("makespan"),)
    return Model("job-shop", "crowded", jobs, tuple(tasks), machines, tuple(links), goals_, Amount(24), spreads=spreads)


@settings(max_examples=10, deadline=None)
@given(crowded_models())
def test_no_starts_that_keep_blocking_cleaning_and_precedence_end_earlier(model):
    lasts = [task.modes[0].ticks.value for task in model.tasks]

    solved = solve(model)

    assert faults(model, solved.schedule) == []
    for starts in itertools.product(*(range(solved.objective - each) for each in lasts)):
        ordered = starts[0] + lasts[0] <= starts[1] and starts[2] + lasts[2] <= starts[3]
        assert not ordered or faults(model, schedule_from(model, starts, [0] * 4))


def _closed(start, ticks):
    return Closed(start, start + ticks)


@st.composite
def small_models(draw):
    """Up to five tasks with everything a model can have that a list schedule can respect."""
    amount = Amount
    resources = tuple(
        Resource(
            f"machine {number}",
            amount(draw(st.integers(1, 2))),
            tuple(
                Closed(start, start + draw(st.integers(1, 3)))
                for start in draw(st.sets(st.integers(0, 12), max_size=1))
            ),
        )
        for number in range(2)
    )
    tasks, links = [], []
    jobs = draw(st.integers(1, 3))
    for job in range(jobs):
        for position in range(draw(st.integers(1, 2))):
            modes = tuple(
                Mode(amount(draw(st.integers(1, 4))), (Use(draw(st.integers(0, 1)), amount(1)),))
                for _ in range(draw(st.integers(1, 2)))
            )
            if position:
                links.append(Link(len(tasks) - 1, len(tasks), lag=amount(draw(st.integers(0, 2)))))
            tasks.append(Task(job, f"step {position}", modes))
    kind = draw(st.sampled_from(["makespan", "tardiness", "weighted-tardiness", "number-late"]))
    made = tuple(
        Job(
            f"job {job}",
            amount(draw(st.integers(0, 3))),
            amount(draw(st.integers(1, 8))),
            weight=amount(draw(st.integers(1, 3))),
        )
        for job in range(jobs)
    )
    return Model("flexible-job-shop", "random", made, tuple(tasks), resources, tuple(links), (Goal(kind),), amount(60))


def best_by_trying_everything(model):
    """The best value over all orders and ways: each task, in that order, as early as it can be.

    Such schedules contain an optimal one for goals that never gain by delay.
    """
    best = None
    ways = [range(len(task.modes)) for task in model.tasks]
    for order_ in itertools.permutations(range(len(model.tasks))):
        place = {task: number for number, task in enumerate(order_)}
        if any(place[link.before] > place[link.after] for link in model.links):
            continue
        for modes in itertools.product(*ways):
            value = _value(model, order_, modes)
            best = value if best is None else min(best, value)
    return best


def _value(model, order_, modes):
    used, ends, finish = set(), {}, [0] * len(model.jobs)
    for index in order_:
        task, mode = model.tasks[index], model.tasks[index].modes[modes[index]]
        start = model.jobs[task.job].release.value
        start = max([start, *(ends[link.before] + link.lag.value for link in model.links if link.after == index)])
        resource = mode.uses[0].resource
        machine = model.resources[resource]
        while True:
            ticks = range(start, start + mode.ticks.value)
            shut = any(each.start <= tick < each.end for tick in ticks for each in machine.closed)
            full = any(
                sum(1 for r, t, _ in used if (r, t) == (resource, tick)) >= machine.capacity.value for tick in ticks
            )
            if not shut and not full:
                break
            start += 1
        used |= {(resource, tick, index) for tick in ticks}
        ends[index] = start + mode.ticks.value
        finish[task.job] = max(finish[task.job], ends[index])
    late = [max(0, end - job.due.value) for end, job in zip(finish, model.jobs, strict=True)]
    return {
        "makespan": max(finish),
        "tardiness": sum(late),
        "weighted-tardiness": sum(job.weight.value * by for job, by in zip(model.jobs, late, strict=True)),
        "number-late": sum(1 for by in late if by),
    }[model.goals[0].kind]


@settings(max_examples=100, deadline=None)
@given(small_models())
def test_no_schedule_is_better_and_the_one_given_is_right(model):
    solved = solve(model)

    assert solved.objective == best_by_trying_everything(model)
    assert faults(model, solved.schedule) == []
    assert {name: values(model, solved.schedule)[name] for name in solved.goals} == solved.goals


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=5), st.lists(st.integers(0, 6), min_size=9, max_size=9))
def test_set_ups_are_those_of_the_best_sequence(families, ticks):
    setups = tuple(Setup(one, other, Amount(ticks.pop())) for one, other in itertools.product("abc", repeat=2))
    between = {(each.before, each.after): each.ticks.value for each in setups}
    machine = Resource("booth", Amount(1), (), setups, sequenced=True)
    tasks = tuple(Task(n, "spray", (Mode(Amount(2), (Use(0, Amount(1)),)),), each) for n, each in enumerate(families))
    jobs = tuple(Job(f"job {number}") for number in range(len(families)))
    model = Model("single-machine", "booth", jobs, tasks, (machine,), (), (Goal("makespan"),), Amount(100))

    solved = solve(model)

    assert solved.objective == 2 * len(families) + min(
        sum(between[pair] for pair in itertools.pairwise(each)) for each in itertools.permutations(families)
    )
    assert faults(model, solved.schedule) == []


def test_a_step_that_may_not_wait_starts_when_the_one_before_ends():
    model = model_of("residence-time")
    crowded = evolve(
        model,
        resources=(model.resources[0], evolve(model.resources[1], closed=(Closed(0, 10),)), model.resources[2]),
        waits=(Wait(1, (0,), Amount(0)),),
        horizon=Amount(60),
    )

    placed = solve(crowded).schedule.placed

    assert (placed[0].start, placed[0].end, placed[1].start) == (6, 10, 10)


def test_work_keeps_to_opening_hours_and_a_long_step_runs_through_the_night():
    scr = flow(windows=(OPEN_EIGHT_TO_FOUR,), origin=fact("2026-03-02"), orders=())
    mix, prove, bake = scr.plans[0].steps
    long = evolve(scr.plans[0], steps=(mix, evolve(prove, duration=time(20, unit="hour")), bake))
    model = build(evolve(scr, plans=(long,)))

    solved = solve(model)

    assert faults(model, solved.schedule) == []
    assert model.clock.at(solved.objective) == "2026-03-03 08:40"
    assert solved.schedule.placed[1].end - solved.schedule.placed[1].start == 20 * 3600 // model.clock.seconds


def test_an_order_that_was_due_before_the_start_is_late_from_then_on():
    overdue = order("rye", due=fact("2026-02-28T00:00"))
    model = build(flow(orders=(overdue,), origin=fact("2026-03-02"), goals=goals("tardiness")))

    solved = solve(model)

    assert solved.goals["tardiness"] * model.clock.seconds == 2 * 86400 + 135 * 60
    assert faults(model, solved.schedule) == []


def test_later_ranks_are_optimised_without_harm_to_the_first():
    orders = (order("rye", due=time(100)), order("spelt", due=time(400)))
    first = solve(build(flow(orders=(order("rye"), order("spelt")))))
    wished = build(flow(orders=orders, goals=goals("makespan", "tardiness")))

    both = solve(wished)

    assert both.goals["makespan"] == first.goals["makespan"]
    assert both.goals["tardiness"] <= values(wished, first.schedule)["tardiness"]
    assert both.proved


def test_the_same_seed_gives_the_same_schedule():
    model = model_of("flexible-flow-shop")

    assert solve(model, seed=3).schedule == solve(model, seed=3).schedule


def test_a_search_that_is_cancelled_keeps_its_best_schedule(instances):
    asked = threading.Event()

    def cancelled():
        asked.set()
        return True

    solved = solve(instances["ta01"].model, seconds=60, cancelled=cancelled)

    assert asked.is_set()
    assert solved.status == "cancelled"
    assert solved.schedule is None or faults(instances["ta01"].model, solved.schedule) == []


def test_progress_tells_of_better_and_better_schedules(instances):
    told = []

    solve(instances["la02"].model, progress=told.append)

    assert told
    assert [each.objective for each in told] == sorted((each.objective for each in told), reverse=True)
    assert all(each.bound <= each.objective for each in told)
    assert told[-1].objective == 655


def test_too_little_time_is_said_to_be_that(instances):
    solved = solve(instances["ta01"].model, seconds=0.001)

    assert solved.status in {"unknown", "feasible"}
    assert not solved.proved


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"workers": 0}], ids=["no time", "no workers"])
def test_limits_that_allow_nothing_are_refused(limits):
    with pytest.raises(ValueError, match="must be"):
        solve(model_of("residence-time"), **limits)
