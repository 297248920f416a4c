"""What keeps an interview from being a model is named, all of it at once."""

import pytest
from attrs import evolve
from eight_models import BAKING, WEEKDAYS, fact, flow, order, plan, step, time

from packhorse_discovery.domain.case.quantity import Quantity
from packhorse_discovery.domain.case.scr import Changeover, Fact, Scr, Window
from packhorse_discovery.domain.models.build import build
from packhorse_discovery.domain.models.source import NotBuildableError

MIX, PROVE, BAKE = BAKING.steps


@pytest.mark.parametrize(
    ("scr", "missing"),
    [
        pytest.param(Scr("x"), "the steps of the work", id="no plan"),
        pytest.param(
            flow(plans=(plan("bread", evolve(MIX, duration=None), PROVE, BAKE),)),
            "how long mix takes",
            id="no duration",
        ),
        pytest.param(
            flow(plans=(plan("bread", evolve(MIX, duration=Fact(Quantity("it varies"))), PROVE, BAKE),)),
            "how long mix takes (no number was given)",
            id="a duration in words",
        ),
        pytest.param(
            flow(plans=(plan("bread", evolve(MIX, duration=time(2, unit="shift")), PROVE, BAKE),)),
            "how long a shift is",
            id="shifts without hours",
        ),
        pytest.param(
            flow(plans=(plan("bread", step("bake", time(3), "knead")),)), "knead is no other step", id="an unknown step"
        ),
        pytest.param(
            flow(orders=(order("rye", due=fact("2026-03-03")),)), "the date on which the schedule starts", id="no start"
        ),
        pytest.param(
            flow(plans=(BAKING, evolve(BAKING, id="cake"))), "which of the plans it follows", id="one plan of two"
        ),
        pytest.param(
            flow(windows=(Window(fact("*"), fact("early"), fact("late"), WEEKDAYS),)), "working hours", id="vague hours"
        ),
        pytest.param(
            flow(changeovers=(Changeover(fact("*"), fact("*"), Fact(Quantity("a while"))),)),
            "the changeover from * to *",
            id="a vague changeover",
        ),
        pytest.param(
            flow(orders=tuple(order(f"order {number}") for number in range(1700))),
            "all of them are 5100 tasks, and a model holds 5000",
            id="too many orders",
        ),
        pytest.param(
            flow(plans=(plan("bread", step("age", time(1e9, unit="week"))),)), "durations that fit", id="endless work"
        ),
        pytest.param(flow(problem_type=fact("TIMETABLING")), "the events to place", id="a timetable without events"),
    ],
)
def test_what_is_missing_is_named_and_nothing_is_made_up(scr, missing):
    with pytest.raises(NotBuildableError) as refused:
        build(scr)

    assert any(missing in each.words for each in refused.value.lacks)


def test_everything_missing_is_named_at_once():
    empty = plan("bread", *(evolve(each, duration=None) for each in BAKING.steps))

    with pytest.raises(NotBuildableError) as refused:
        build(flow(plans=(empty,)))

    assert [each.words for each in refused.value.lacks] == [
        "how long mix takes",
        "how long prove takes",
        "how long bake takes",
    ]
