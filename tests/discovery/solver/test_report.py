"""What is said first of a schedule: what is late, which rules it keeps, where work waits."""

import pytest
from eight_models import fact, flow, goals, order, plan, pool, step, time

from packhorse_discovery.domain.case.scr import Fact
from packhorse_discovery.domain.models.build import build
from packhorse_discovery.solver.as_good import closer, tie
from packhorse_discovery.solver.report import as_kept, late_orders, lateness, long_waits
from packhorse_discovery.solver.solve import solve
from packhorse_discovery.solver.solved import goal_values, schedule_from


def due(minutes):
    return Fact(time(minutes).value, "q5", said=f"{minutes} minutes")


ONE_STEP = {
    "plans": (plan("bread", step("bake", time(40), resource="oven")),),
    "resources": (pool("oven", 1),),
    "goals": goals("tardiness"),
}


def ovenful(*dues, **more):
    orders = tuple(order(f"order {number}", due=due(minutes)) for number, minutes in enumerate(dues, 1))
    return build(flow(**{**ONE_STEP, "orders": orders, **more}))


def rule(words):
    return fact(words, "q9")


def test_late_orders_are_named_the_latest_first_with_by_how_much():
    model = ovenful(40, 50, 60)
    assert late_orders(model, solve(model, seconds=60).schedule) == (
        "Late: order 3 by 1 h (due 1 h after the start); order 2 by 30 min (due 50 min after the start)."
    )


def test_that_nothing_is_late_is_said_only_where_something_is_due():
    kept = ovenful(60, 90)
    free = build(flow(**{**ONE_STEP, "goals": ()}))
    assert late_orders(kept, solve(kept, seconds=60).schedule) == "Nothing is late."
    assert late_orders(free, solve(free, seconds=60).schedule) == ""


def test_a_schedule_that_is_as_good_with_another_order_late_is_told():
    model = ovenful(40, 40)
    solved = solve(model, seconds=60)
    (late,) = lateness(model, solved.schedule)
    words = tie(model, solved, seconds=60)

    assert "ask which order may be late" in words
    assert words.endswith(f"late in that one: {model.jobs[1 - late].name} by 40 min (due 40 min after the start).")


@pytest.mark.parametrize("dues", [(40, 60), (40, 80)], ids=["no other is as good", "nothing is late"])
def test_nothing_is_told_of_ties_where_there_is_none(dues):
    model = ovenful(*dues)
    assert tie(model, solve(model, seconds=60), seconds=60) == ""


LATENESS = ["no sort late", "every order must be ready in time", "nothing may ever be late", "order 1 is never late"]


@pytest.mark.parametrize("words", LATENESS)
def test_a_rule_against_lateness_is_no_longer_listed_when_nothing_is_late(words):
    model = ovenful(60, 90, unmodelled=(rule(words), rule("the apprentice is never alone")))
    assert [each.words for each in model.unmodelled] == [words, "the apprentice is never alone"]

    told = as_kept(model, solve(model, seconds=60).schedule)

    assert [each.words for each in told.unmodelled] == ["the apprentice is never alone"]


@pytest.mark.parametrize("words", LATENESS)
def test_a_rule_against_lateness_stands_where_something_is_late(words):
    model = ovenful(40, 50, unmodelled=(rule(words),))
    assert as_kept(model, solve(model, seconds=60).schedule).unmodelled == model.unmodelled != ()


@pytest.mark.parametrize(
    ("words", "product"),
    [("no sort late", "bread"), ("every ticket in time", "tickets"), ("all tickets on time", "print tickets")],
)
def test_due_dates_that_must_be_kept_hold_the_rule_before_anything_is_solved(words, product):
    assert ovenful(60, 90, goals=(), product=fact(product, "q1"), unmodelled=(rule(words),)).unmodelled == ()


def test_a_rule_about_others_than_the_product_stays_beside_due_dates_that_must_be_kept():
    model = ovenful(60, 90, goals=(), product=fact("tickets", "q1"), unmodelled=(rule("every driver in time"),))
    assert [each.words for each in model.unmodelled] == ["every driver in time"]


@pytest.mark.parametrize(
    "words", ["nobody works late on Fridays", "the late shift never bakes", "never late on the van"]
)
def test_a_rule_that_says_more_than_that_nothing_is_late_stays(words):
    model = ovenful(60, 90, unmodelled=(rule(words),))
    assert as_kept(model, solve(model, seconds=60).schedule).unmodelled != ()


def test_a_pause_longer_than_the_steps_around_it_is_said_unless_a_wait_was_allowed():
    two = (step("mix", time(10), resource="mixer"), step("bake", time(40), "mix", resource="oven"))
    allowed = (two[0], step("bake", time(40), "mix", resource="oven", max_wait=time(90)))
    orders = (order("rye"), order("spelt"))
    for steps, words in (
        (two, "Long waits that nobody asked for: spelt: mix, then 1 h 10 min until bake."),
        (allowed, ""),
    ):
        model = build(flow(plans=(plan("bread", *steps),), orders=orders))
        starts = {"rye: mix": 0, "spelt: mix": 1, "rye: bake": 1, "spelt: bake": 9}
        placed = schedule_from(model, [starts[model.label(task)] for task in range(4)], [0] * 4)
        assert model.clock.name == "10 minutes"
        assert long_waits(model, placed) == words


def test_of_schedules_equally_good_one_is_given_in_which_nothing_waits_without_need():
    two = (step("mix", time(10), resource="mixer"), step("bake", time(60), "mix", resource="oven"))
    orders = tuple(order(f"order {number}") for number in range(5))
    model = build(flow(plans=(plan("bread", *two),), orders=orders, resources=(pool("mixer", 1), pool("oven", 1))))

    first = solve(model, seconds=60)
    found = closer(model, first, seconds=60)

    assert found.goals == first.goals == goal_values(model, found.schedule)
    assert found.schedule is not None
    assert long_waits(model, found.schedule) == ""


def test_a_job_that_the_goal_does_not_press_is_done_as_early_as_it_can_be():
    two = (step("mix", time(20), resource="mixer"), step("bake", time(40), "mix", resource="oven"))
    plans = (plan("cheese", step("ripen", time(300), resource="cellar")), plan("bread", *two))
    orders = (order("one", product=fact("cheese")), order("two", product=fact("bread")))
    found_in = (pool("cellar", 1), pool("mixer", 1), pool("oven", 1))
    model = build(flow(plans=plans, orders=orders, resources=found_in))

    found = closer(model, solve(model, seconds=60), seconds=60)

    assert found.schedule is not None
    ends = {
        model.label(task): found.schedule.clock.lasting(each.end) for task, each in enumerate(found.schedule.placed)
    }
    assert ends == {"one: ripen": "5 h", "two: mix": "20 min", "two: bake": "1 h"}
