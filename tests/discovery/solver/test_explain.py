"""Models without a schedule are explained, and relaxed as little as possible."""

from math import inf

import pytest
from attrs import evolve
from eight_models import OPEN_EIGHT_TO_FOUR, Window, fact, flow, goals, model_of, order, pool, step, time
from eight_models import plan as planned

from packhorse_discovery.domain.case.scr import Event, Scr, Timeslot
from packhorse_discovery.domain.models.build import build
from packhorse_discovery.domain.models.model import Closed, Wait
from packhorse_discovery.domain.models.rules import rules
from packhorse_discovery.domain.models.source import Amount, Source
from packhorse_discovery.solver.explain import _Search, explain
from packhorse_discovery.solver.solve import solve


def test_a_model_with_a_schedule_has_nothing_to_explain():
    found = explain(model_of("flow-shop"))

    assert (found.feasible, found.clash, found.relaxation) == (True, (), ())


def test_a_date_that_is_too_early_is_named_with_the_question_and_the_lateness():
    model = build(flow(orders=(order("rye", due=time(100, question="q7")), order("rolls"))))

    found = explain(model)

    assert solve(model).status == "infeasible"
    assert [(each.kind, each.index) for each in found.clash if each.kind == "due"] == [("due", 0)]
    assert found.minimal
    assert found.cheapest
    assert [each.words for each in found.relaxation] == ["rye is finished 35 min later, by 2 h 15 min after the start"]
    assert any("rye must be finished by 1 h 40 min after the start (question q7" in each for each in found.sentences)


def test_only_the_dates_that_clash_are_named():
    orders = (order("rye", due=time(140)), order("spelt", due=time(140)), order("rolls", due=time(1000)))

    found = explain(build(flow(orders=orders)))

    kinds = {(each.kind, each.index) for each in found.clash}
    assert {("due", 0), ("due", 1)} <= kinds
    assert ("due", 2) not in kinds
    assert [each.rule.kind for each in found.relaxation] == ["due"]


def test_one_order_at_every_machine_is_named_where_it_is_what_clashes():
    mixing = step("mix", None, resource="mixer", durations={"rye": time(10), "rolls": time(10)})
    baking = step("bake", None, "mix", resource="oven", durations={"rye": time(100), "rolls": time(2)})
    orders = (
        order("rye", product=fact("rye"), due=time(122)),
        order("rolls", product=fact("rolls"), release=time(10), due=time(22)),
    )
    shop = flow(plans=(planned("bread", mixing, baking),), orders=orders, resources=(pool("mixer", 1), pool("oven", 1)))

    found = explain(build(evolve(shop, permutation=fact(True, "q5"))))

    assert explain(build(shop)).feasible
    assert "same-order" in {each.kind for each in found.clash}
    assert any("one and the same order (question q5" in each for each in found.sentences)


def test_without_any_one_rule_of_a_clash_the_rest_can_be_kept():
    orders = (order("rye", due=time(140)), order("spelt", due=time(140)), order("rolls", due=time(900)))
    search = _Search(build(flow(orders=orders)), until=inf, seed=0)
    assert search.can_hold(search.every) is False
    search.core = list(search.every)  # as if the solver had named them all

    clash, minimal = search.clash()

    assert minimal
    assert len(clash) < len(search.every)
    assert search.can_hold(clash) is False
    assert [search.can_hold([each for each in clash if each != one]) for one in clash] == [True] * len(clash)


def test_a_step_that_needs_more_than_there_is_asks_for_more():
    house = planned("house", step("roof", time(2, unit="day"), resource="crew", demand={"crew": fact(3.0)}))
    model = build(Scr("house", problem_type=fact("PROJECT-SCHEDULING"), plans=(house,), resources=(pool("crew", 2),)))

    found = explain(model)

    assert [each.words for each in found.clash] == ["there are only 2 of crew"]
    assert [each.words for each in found.relaxation] == ["1 more of crew"]


def test_hours_of_a_machine_that_are_shorter_than_its_task_are_named():
    short = Window(fact("oven"), fact("08:00"), fact("08:30"), OPEN_EIGHT_TO_FOUR.days)

    found = explain(build(flow(windows=(short,), orders=())))

    assert [(each.kind, each.words) for each in found.clash] == [
        ("closed", "oven does not work outside its hours"),
        ("duration", "bake takes 40 min"),
    ]
    assert [each.words for each in found.relaxation] == ["oven works outside its hours"]


def test_a_circle_of_steps_is_named():
    steps = (step("glue", time(5), "press", free=True), step("press", time(5), "glue", free=True))

    found = explain(build(Scr("shop", problem_type=fact("JOB-SHOP"), plans=(planned("box", *steps),))))

    assert {each.words for each in found.clash} == {"glue comes after press", "press comes after glue"}
    assert len(found.relaxation) == 1


def test_a_pause_that_is_too_short_is_named_before_the_machine_is():
    model = evolve(model_of("residence-time"), waits=(Wait(1, (0,), Amount(0, Source("q8", "straight away"))),))
    shut = evolve(model.resources[0], closed=(Closed(4, 40),))
    late = evolve(model.resources[1], closed=(Closed(0, 20),))
    model = evolve(model, resources=(shut, late, model.resources[2]), horizon=Amount(100))
    early = evolve(model, resources=(evolve(shut, closed=(Closed(4, 101),)), late, model.resources[2]))

    assert explain(model).feasible
    found = explain(early)

    assert {each.kind for each in found.clash} == {"wait", "closed"}
    assert [each.words for each in found.relaxation] == ["prove may wait 1 h 20 min longer"]


def test_no_time_is_no_answer():
    assert explain(model_of("flow-shop"), seconds=0).feasible is None


@pytest.mark.parametrize("target", ["flow-shop", "single-machine", "timetabling", "rcpsp"])
def test_every_rule_has_words_and_a_source(target):
    found = rules(model_of(target))

    assert found
    assert len({(each.kind, each.index) for each in found}) == len(found)
    assert all(each.words and each.source.words for each in found)


def test_goals_about_lateness_make_dates_wishes():
    model = build(flow(orders=(order("rye", due=time(100)),), goals=goals("tardiness")))

    assert explain(model).feasible
    assert solve(model).goals == {"tardiness": 7}


def test_more_lessons_than_slots_are_seen_at_once_and_the_room_that_nobody_counted_is_named():
    lessons = tuple(Event(f"class {n}", fact(f"class {n}"), {"classroom": fact(1.0)}, (), fact(6.0)) for n in range(4))
    week = Timeslot(
        "hour", fact("hour"), OPEN_EIGHT_TO_FOUR.days, tuple(fact(f"{h:02}:00-{h:02}:50") for h in range(9, 13))
    )
    model = build(Scr("school", problem_type=fact("TIMETABLING"), events=lessons, timeslots=(week,)))

    found = explain(model)

    assert solve(model, seconds=20).status == "infeasible"
    assert any("only 1 classroom" in each and "nobody said how many" in each for each in found.sentences)
    assert "capacity 1, assumed since nobody said how many there are: classroom" in model.notes
