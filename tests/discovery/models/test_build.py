"""What an interview established becomes a model, with nothing made up."""

import pytest
from attrs import evolve
from eight_models import (
    BAKING,
    INTERVIEWS,
    OPEN_EIGHT_TO_FOUR,
    WEEKDAYS,
    fact,
    flow,
    goals,
    model_of,
    order,
    plan,
    pool,
    step,
    time,
)
from hypothesis import given
from hypothesis import strategies as st

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import (
    Capability,
    Changeover,
    Fact,
    Gap,
    Goal,
    Precedence,
    Resource,
    Scr,
    Step,
    Window,
)
from packhorse_discovery.domain.models.build import build
from packhorse_discovery.domain.models.minizinc import print_minizinc
from packhorse_discovery.domain.models.model import TARGETS
from packhorse_discovery.domain.models.source import NotBuildableError

MIX, PROVE, BAKE = BAKING.steps


def baking(*steps, **more):
    return build(flow(plans=(plan("bread", *steps),), **more))


@pytest.mark.parametrize("target", INTERVIEWS)
def test_each_kind_of_interview_gives_its_target(target):
    assert model_of(target).target == target


def test_the_interviews_cover_all_eight_targets():
    assert tuple(INTERVIEWS) == TARGETS


@pytest.mark.parametrize("target", INTERVIEWS)
def test_the_same_facts_give_the_same_bytes(target):
    assert print_minizinc(build(INTERVIEWS[target])) == print_minizinc(build(evolve(INTERVIEWS[target])))


@pytest.mark.parametrize("target", INTERVIEWS)
def test_every_number_has_a_question_or_an_assumption(target):
    model = model_of(target)

    amounts = [mode.ticks for task in model.tasks for mode in task.modes]
    amounts += [use.amount for task in model.tasks for mode in task.modes for use in mode.uses]
    amounts += [each.capacity for each in model.resources] + [model.horizon]
    assert all(each.source.question or each.source.assumption for each in amounts)


def test_a_plan_without_orders_is_one_job_whose_least_time_is_asked():
    model = build(flow(orders=()))

    assert (model.target, len(model.jobs), model.jobs[0].name) == ("residence-time", 1, "")
    assert [model.label(index) for index in range(3)] == ["mix", "prove", "bake"]


def test_a_machine_of_unknown_number_is_one_and_that_is_said():
    model = build(flow(resources=()))

    assert {each.capacity.value for each in model.resources} == {1}
    assert "nobody said how many of oven" in model.resources[2].capacity.source.assumption


def test_a_step_without_a_machine_has_a_place_of_its_own_except_in_a_project():
    alone = plan("bread", step("mix", time(20)), step("bake", time(40), "mix"))

    shop = build(flow(plans=(alone,), resources=()))
    project = build(flow(plans=(alone,), resources=(), problem_type=fact("PROJECT-SCHEDULING")))

    assert [each.name for each in shop.resources] == ["mix", "bake"]
    assert "place of its own" in shop.resources[0].capacity.source.assumption
    assert [mode.uses for task in project.tasks for mode in task.modes] == [()] * 6


def test_a_step_takes_the_duration_of_the_product():
    rye = evolve(BAKE, durations={"rye": time(60, question="q6")})

    model = baking(MIX, PROVE, rye)

    assert {
        model.jobs[task.job].name: task.modes[0].ticks.value * 5 for task in model.tasks if task.step == "bake"
    } == {
        "rye": 60,
        "spelt": 40,
        "rolls": 40,
    }


def sorts(**minutes):
    """A step of baking that takes each product another time."""
    return Step("bake", fact("bake"), durations={name: time(lasting) for name, lasting in minutes.items()})


def test_a_product_is_known_by_its_words_where_steps_take_each_another_time():
    orders = (order("o1", product=fact("rye-loaves")), order("o2", product=fact("roll")))
    model = baking(sorts(rye=40, rolls=20), orders=orders)
    assert [mode.ticks.value * model.clock.seconds // 60 for task in model.tasks for mode in task.modes] == [40, 20]


def test_a_product_without_a_time_of_its_own_is_asked_about_by_name():
    with pytest.raises(NotBuildableError, match="how long bake of cakes takes"):
        baking(sorts(rye=40), orders=(order("cakes", product=fact("cake")),))


def test_without_orders_there_is_one_job_for_each_product_that_a_step_tells_apart():
    model = baking(sorts(rye=40, rolls=20), orders=())
    assert [job.name for job in model.jobs] == ["rye", "rolls"]
    assert model.target == "flow-shop"
    assert "one batch of each product is scheduled, since no orders were named" in model.notes


def test_a_duration_that_goes_by_no_quantity_is_the_same_for_any_and_says_so():
    loaves = order("rye", quantity=Fact(Quantity("100", 100, 100), "q7"))

    ticks = baking(MIX, PROVE, BAKE, orders=(loaves,)).tasks[2].modes[0].ticks

    assert ticks.value * 300 == 40 * 60
    assert "the same for any quantity" in ticks.source.assumption


def test_an_order_of_batches_is_a_job_for_each_and_due_with_the_last():
    due = Fact(Quantity("8 hours", 8, 8, unit="hour"), "q6")

    model = baking(MIX, PROVE, BAKE, orders=(order("rye", quantity=Fact(Quantity("3 loads", 3, 3), "q7"), due=due),))

    assert [job.name for job in model.jobs] == ["rye (1 of 3)", "rye (2 of 3)", "rye (3 of 3)"]
    assert [job.due is not None for job in model.jobs] == [False, False, True]
    assert len(model.tasks) == 9
    numbered = [(link.before, link.after) for link in model.links if link.relation == "start-start"]
    assert numbered == [(0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 8)]


def test_an_order_of_very_many_batches_stays_one_job():
    model = baking(MIX, PROVE, BAKE, orders=(order("rye", quantity=Fact(Quantity("500 lots", 500, 500), "q7")),))

    assert [job.name for job in model.jobs] == ["rye"]


def test_a_step_that_occupies_nothing_uses_no_resource():
    model = baking(MIX, evolve(PROVE, resources=(), free=True), BAKE)

    assert [len(model.tasks[each].modes[0].uses) for each in range(3)] == [1, 0, 1]


def test_a_set_up_comes_on_top():
    model = baking(MIX, PROVE, evolve(BAKE, setup=time(10)))

    assert model.tasks[2].modes[0].ticks.value * model.clock.seconds == 50 * 60
    assert "with set-up" in model.tasks[2].modes[0].ticks.source.assumption


def test_pieces_that_pass_on_singly_overlap():
    loaves = order("rye", quantity=Fact(Quantity("20", 20, 20)))
    single = evolve(MIX, flow=fact("individuals-from-batch"))

    model = baking(single, PROVE, BAKE, orders=(loaves,))

    assert [(link.relation, link.lag.value * model.clock.seconds) for link in model.links[:2]] == [
        ("start-start", 60),
        ("end-end", 75 * 60 // 20),
    ]


def test_pieces_of_unknown_number_do_not_overlap_and_that_is_said():
    model = baking(evolve(MIX, flow=fact("individuals-from-batch")), PROVE, BAKE)

    assert model.links[0].relation == "end-start"
    assert any("waits for the whole batch of mix" in each for each in model.notes)


def test_the_order_of_listing_is_marked_as_assumed():
    model = baking(MIX, evolve(PROVE, order_assumed=True), BAKE)

    assert "the order of the list" in model.links[0].source.assumption
    assert not model.links[1].source.assumption


def test_machines_that_can_do_a_step_become_ways_of_doing_it():
    model = model_of("flexible-job-shop")

    ways = [
        [(model.resources[mode.uses[0].resource].name, mode.ticks.value * model.clock.seconds) for mode in task.modes]
        for task in model.tasks[:1]
    ]
    assert ways == [[("old lathe", 45 * 60), ("new lathe", 30 * 60)]]


def test_a_capability_said_twice_is_one_way_of_doing_it():
    lathe = Capability(fact("lathe"), fact("turn"))
    turning = plan("part", Step("turn", fact("turn"), time(30)))

    model = build(Scr("x", problem_type=fact("JOB-SHOP"), plans=(turning,), capabilities=(lathe, lathe)))

    assert len(model.tasks[0].modes) == 1


def test_machines_alike_are_told_apart_where_changeovers_matter():
    change = Changeover(fact("rye"), fact("*"), time(15), fact("prover"))

    model = build(flow(resources=(pool("mixer", 1), pool("prover", 2), pool("oven", 1)), changeovers=(change,)))

    assert [each.name for each in model.resources] == ["mixer", "prover 1", "prover 2", "oven"]
    assert [(each.before, each.after) for each in model.resources[1].setups] == [("rye", "spelt"), ("rye", "rolls")]
    assert not model.resources[0].sequenced


def test_of_several_set_ups_the_most_particular_holds():
    painted = model_of("single-machine").resources[0]

    assert painted.setup("black", "white").value * 5 == 15
    assert painted.setup("white", "black").value * 5 == 5
    assert painted.setup("white", "white") is None


def test_dates_are_wishes_when_a_goal_speaks_of_lateness_and_orders_when_none_does():
    due = (order("rye", due=fact("2026-03-03")),)
    start = fact("2026-03-02")

    strict = build(flow(orders=due, origin=start)).jobs[0]
    wished = build(flow(orders=due, origin=start, goals=goals("tardiness"))).jobs[0]

    assert (strict.strict, wished.strict) == (True, False)
    assert "no goal speaks of lateness" in strict.due.source.assumption
    assert strict.due.value * 300 == 2 * 86400
    assert "last moment" in wished.due.source.assumption


def test_a_goal_about_lateness_without_any_date_is_left_out_aloud():
    model = build(flow(goals=goals("tardiness", "makespan")))

    assert [goal.kind for goal in model.goals] == ["makespan"]
    assert any("tardiness is left out" in each for each in model.notes)


def test_priorities_become_whole_weights_in_proportion():
    orders = (
        order("rye", due=time(90), priority=fact(1.5)),
        order("spelt", due=time(90), priority=fact(0.5)),
        order("rolls", due=time(90)),
    )

    model = build(flow(orders=orders, goals=goals("weighted-tardiness")))

    assert [job.weight.value for job in model.jobs] == [3, 1, 2]


def test_ranks_that_were_skipped_close_up():
    wished = (Goal(fact("makespan"), 2), Goal(fact("utilisation"), 5))

    assert [goal.rank for goal in build(flow(goals=wished)).goals] == [1, 2]


def test_weekly_hours_close_every_machine_and_long_steps_run_on():
    long = evolve(PROVE, duration=time(20, unit="hour"))

    model = baking(MIX, long, BAKE, windows=(OPEN_EIGHT_TO_FOUR,), orders=())

    assert model.clock.week
    assert model.clock.at(model.resources[0].closed[0].end) == "Monday 08:00"
    assert [task.runs_on for task in model.tasks] == [False, True, False]
    assert "runs on outside working hours" in model.tasks[1].modes[0].ticks.source.assumption
    assert any("Monday at midnight" in each for each in model.notes)


def test_hours_of_one_machine_are_kept_even_if_its_task_is_longer():
    own = Window(fact("prover"), fact("08:00"), fact("09:00"), WEEKDAYS)

    assert [task.runs_on for task in baking(MIX, PROVE, BAKE, windows=(own,), orders=()).tasks] == [False] * 3


def test_shifts_are_as_long_as_the_hours_say():
    model = baking(MIX, evolve(PROVE, duration=time(2, unit="shift")), BAKE, windows=(OPEN_EIGHT_TO_FOUR,), orders=())

    assert model.tasks[1].modes[0].ticks.value * model.clock.seconds == 16 * 3600


def test_a_rule_that_no_model_holds_stands_beside_it():
    rule = fact("the child goes first", "q7-1")

    model = build(flow(unmodelled=(evolve(rule, said="she always goes first"),)))

    assert model.not_kept == (
        'Not in this schedule: (1) the child goes first (question q7-1: "she always goes first").'
    )
    assert "% Not in this schedule: (1) the child goes first" in print_minizinc(model)


def test_what_the_model_leaves_out_is_noted():
    oven = Resource("oven", fact("oven"), count=fact(1.0), capacity=Fact(Quantity("6 trays", 6, 6, unit="tray")))

    model = build(flow(resources=(oven,), unmodelled=(fact("no baking at night"),), conflicts=("two ovens or one?",)))

    assert [each.split(":")[0] for each in model.notes] == [
        "capacity 1, assumed since nobody said how many there are",
        "what makes a plan better was not said, or cannot be used",
        "an open conflict of the interview",
        "the capacity of oven is not part of the model",
    ]


def test_an_oven_that_takes_several_jobs_is_a_pool():
    oven = Resource("oven", fact("oven"), count=fact(2.0), capacity=Fact(Quantity("3 batches", 3, 3, unit="batch")))

    assert build(flow(resources=(oven,))).resources[0].capacity.value == 6


def test_an_oven_that_takes_one_at_a_time_needs_no_note():
    oven = Resource("oven", fact("oven"), count=fact(1.0), capacity=Fact(Quantity("1", 1, 1)))

    model = build(flow(resources=(oven,)))

    assert model.resources[0].capacity.value == 1
    assert not any("the capacity of oven" in each for each in model.notes)


def test_a_step_that_needs_nothing_has_no_order_to_keep():
    resting = plan(
        "bread",
        step("mix", time(20), resource="mixer"),
        step("rest", time(60), "mix", free=True),
        step("bake", time(40), "rest", resource="oven"),
    )

    model = build(flow(plans=(resting,), permutation=fact(True), resources=(pool("mixer", 1), pool("oven", 1))))

    assert model.stages == ((0, 3, 6), (2, 5, 8))


def test_no_overtaking_gives_stages_only_where_all_pass_the_same_single_machines():
    assert model_of("flow-shop").stages == ((0, 3, 6), (1, 4, 7), (2, 5, 8))
    pooled = build(flow(permutation=fact(True), resources=(pool("prover", 2),)))
    assert pooled.stages == ()
    assert any("overtakes" in each for each in pooled.notes)


@given(st.permutations(["mix", "prove", "bake"]), st.lists(st.integers(1, 600), min_size=3, max_size=3))
def test_any_chain_of_steps_is_kept_in_its_order(names, minutes):
    steps = [
        step(name, time(lasting), *([names[number - 1]] if number else []))
        for number, (name, lasting) in enumerate(zip(names, minutes, strict=True))
    ]

    model = build(flow(plans=(plan("x", *steps),), orders=(), resources=()))

    assert [task.step for task in model.tasks] == names
    assert [task.modes[0].ticks.value * model.clock.seconds for task in model.tasks] == [60 * each for each in minutes]
    assert model.horizon.value * model.clock.seconds == 60 * sum(minutes)


def test_each_resource_has_its_own_changeovers():
    delivery = plan("delivery", step("drop", time(5), resource="van 1"))
    other = plan("other", step("unload", time(5), resource="van 2"))
    changes = tuple(
        Changeover(fact("x"), fact("y"), time(minutes), fact(van)) for van, minutes in (("van 1", 10), ("van 2", 20))
    )
    orders = tuple(
        order(f"{product} by {name}", product=fact(product), plan=fact(name))
        for name in ("delivery", "other")
        for product in ("x", "y")
    )

    model = build(flow(plans=(delivery, other), orders=orders, resources=(), changeovers=changes))

    gaps = {each.name: each.setup("x", "y").value * model.clock.seconds // 60 for each in model.resources}
    assert gaps == {"van 1": 10, "van 2": 20}


def test_an_order_that_goes_before_one_that_is_not_there_is_asked_about():
    with pytest.raises(NotBuildableError, match="which order goes before which: buns is none of the orders"):
        build(flow(precedences=(Precedence(fact("buns")),)))


def test_a_step_that_blocks_and_has_nothing_after_it_is_said_to_leave_at_its_end():
    model = baking(MIX, PROVE, evolve(BAKE, blocks=fact(True)))

    assert "bake leaves its place at its end, since no step waits for the whole of it" in model.notes


def ways(fixed, others):
    """The resources that each way of doing a step takes."""
    baked = evolve(BAKE, after=(), resources=tuple(map(fact, fixed)), alternatives=tuple(map(fact, others)))
    model = baking(baked, resources=())
    names = [each.name for each in model.resources]
    return [[names[use.resource] for use in mode.uses] for mode in model.tasks[0].modes]


@pytest.mark.parametrize(
    ("fixed", "others", "found"),
    [
        (["theatre 1"], ["theatre 2"], [["theatre 1"], ["theatre 2"]]),
        (["theatre 1"], ["theatre 1", "theatre 2"], [["theatre 1"], ["theatre 2"]]),
        (["theatre 1"], ["theatre 2", "theatre 3"], [["theatre 1"], ["theatre 2"], ["theatre 3"]]),
        (["theatre 1"], ["big hall"], [["theatre 1"], ["big hall"]]),
        (["baker"], ["oven 1", "oven 2"], [["baker", "oven 1"], ["baker", "oven 2"]]),
        ([], ["theatre 2"], [["theatre 2"]]),
    ],
)
def test_an_alternative_to_the_one_resource_of_a_step_stands_in_place_of_it(fixed, others, found):
    assert ways(fixed, others) == found


def test_an_alternative_beside_several_resources_is_asked_about():
    with pytest.raises(NotBuildableError, match="which of baker and oven 1 oven 2 may stand in for, in bake"):
        ways(["baker", "oven 1"], ["oven 2"])


def test_what_was_asked_and_is_not_known_is_noted_once():
    gaps = tuple(Gap("process/flow-shop", f"/subprocesses/{each}/max-wait", "unknown") for each in ("prove", "bake"))

    assert [each for each in build(flow(gaps=gaps)).notes if each.startswith("asked")] == [
        "asked and not known, so not part of the model: subprocesses prove max wait, subprocesses bake max wait"
    ]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("Rye always goes first", True),
        ("rye's the dark one and it always goes first", True),
        ("spelt goes first", False),
        ("rye never goes first", False),
        ("rye goes first and the apprentice watches", False),
        ("rye goes first in the morning", False),
    ],
)
def test_a_rule_that_an_order_goes_first_is_kept_where_every_other_order_waits_for_it(words, kept):
    model = build(flow(unmodelled=(fact(words),), precedences=(Precedence(fact("rye"), fact("any"), fact("bake")),)))

    assert [each.words for each in model.unmodelled] == ([] if kept else [words])


def test_a_rule_that_an_order_goes_first_is_not_kept_where_nothing_waits_for_it():
    model = build(flow(unmodelled=(fact("rye always goes first"),)))

    assert [each.words for each in model.unmodelled] == ["rye always goes first"]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("the gear is turned on lathe 2 only", True),
        ("gear only on lathe 1", False),
        ("gear and shaft only on lathe 2", False),
        ("gear not only on lathe 2", False),
        ("gear only on lathe 2 at night", False),
    ],
)
def test_a_rule_about_one_machine_only_is_kept_where_its_orders_have_no_other_way(words, kept):
    either = Step("turn", fact("turn"), time(30), alternatives=(fact("lathe 1"), fact("lathe 2")))
    plans = (plan("gear", step("turn", time(30), resource="lathe 2")), plan("shaft", either))
    made = flow(
        problem_type=fact("JOB-SHOP"), plans=plans, orders=(), resources=(pool("lathe 1", 1), pool("lathe 2", 1))
    )
    model = build(evolve(made, unmodelled=(fact(words),)))

    assert [each.words for each in model.unmodelled] == ([] if kept else [words])
