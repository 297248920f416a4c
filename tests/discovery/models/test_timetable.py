"""Events in the slots of a week."""

import pytest
from attrs import evolve
from eight_models import INTERVIEWS, PARTS, fact, model_of

from packhorse_discovery.domain.case.scr import Event, Timeslot, Window
from packhorse_discovery.domain.models.build import build
from packhorse_discovery.domain.models.source import NotBuildableError
from packhorse_discovery.solver.solve import solve

SCHOOL = INTERVIEWS["timetabling"]


def test_slots_are_real_times_of_the_week():
    model = model_of("timetabling")

    drawing = model.tasks[2]
    assert [model.clock.at(tick) for tick in drawing.modes[0].starts] == ["Monday 09:30", "Tuesday 09:30"]
    assert drawing.modes[0].ticks.value * model.clock.seconds == 90 * 60


def test_an_event_without_slots_of_its_own_may_take_any_length():
    assert [mode.ticks.value for mode in model_of("timetabling").tasks[0].modes] == [5, 9]


def test_occurrences_follow_one_another():
    model = model_of("timetabling")

    assert [(link.before, link.after) for link in model.links] == [(0, 1)]
    assert model.label(1) == "logic: occurrence 2"


def test_what_an_event_needs_is_counted_in_the_inventory_or_taken_as_one():
    model = build(evolve(SCHOOL, resources=SCHOOL.resources[:1]))

    assert {each.name: each.capacity.value for each in model.resources} == {"room": 2, "Ada": 1}
    assert "nobody said how many of Ada" in model.resources[1].capacity.source.assumption


def test_periods_without_clock_times_are_numbered_and_that_is_said():
    kinds = (Timeslot("p", fact("p"), (fact("Mon"), fact("Tue")), (fact("first"), fact("second"))),)
    event = Event("logic", fact("logic"), {}, (fact("p"),), None)

    model = build(evolve(SCHOOL, events=(event,), timeslots=kinds))

    assert model.tasks[0].modes[0].starts == (0, 1, 2, 3)
    assert (model.clock.name, model.horizon.value) == ("slot", 4)
    assert any("the slots follow one another" in each for each in model.notes)
    assert any("logic happens once" in each for each in model.notes)


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        pytest.param({"events": ()}, "the events", id="no events"),
        pytest.param({"timeslots": ()}, "the timeslots", id="no slots"),
        pytest.param(
            {"events": (Event("x", fact("x"), {}, (fact("nights"),)),)}, "a timeslot for x", id="a slot nobody has"
        ),
        pytest.param(
            {"events": (Event("x", fact("x"), {}, (), fact(1e6)),)}, "a part of the events", id="too many occurrences"
        ),
        pytest.param(
            {"timeslots": (Timeslot("s", fact("s"), (fact("Mon"),), (fact("10:00-09:00"),)),)},
            "ends before it starts",
            id="a period in reverse",
        ),
    ],
)
def test_what_a_timetable_lacks_is_named(changes, missing):
    with pytest.raises(NotBuildableError) as refused:
        build(evolve(SCHOOL, **changes))

    assert any(missing in each.words for each in refused.value.lacks)


def test_events_keep_to_the_hours_of_whom_they_need():
    ada = Window(fact("Ada"), fact("10:00"), fact("12:00"), (fact("Monday"),))

    model = build(evolve(SCHOOL, events=SCHOOL.events[2:], windows=(ada,)))

    solved = solve(model)
    (talk,) = [each for each in solved.schedule.placed if each.job == "talk"]
    assert model.clock.at(talk.start) == "Monday 10:00"


def test_the_hours_of_somebody_whom_nobody_counted_are_kept_too():
    hours = Window(fact("ms-aydin"), fact("10:00"), fact("12:00"), (fact("Monday"),))
    lesson = Event("science", fact("science"), {"Ms Aydin": fact(1.0)}, (fact("short"),), fact(1.0))

    model = build(evolve(SCHOOL, events=(lesson,), windows=(hours,)))

    (placed,) = solve(model).schedule.placed
    assert model.clock.at(placed.start) == "Monday 10:00"


def test_an_event_that_is_spread_takes_place_so_often_a_day_at_most():
    model = build(PARTS["spread over days"])

    (spread,) = model.spreads
    assert (spread.most.value, spread.most.source.question, spread.ticks * model.clock.seconds) == (1, "q4", 86400)
