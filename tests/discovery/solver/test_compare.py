"""What if: the same problem with one thing changed, side by side."""

import pytest
from attrs import evolve
from eight_models import model_of
from schedule_checker import faults

from packhorse_discovery.domain.models.change import Change
from packhorse_discovery.solver.compare import compare


def test_a_faster_oven_shortens_the_day_and_the_answer_says_by_how_much():
    found = compare(model_of("flow-shop"), Change("speed", "prover", 2))

    assert found.before.goals == {"makespan": 57}
    assert faults(found.model, found.after.schedule) == []
    assert found.after.goals["makespan"] * found.model.clock.seconds < 57 * 300
    assert found.sentences[0] == "If prover works 2 times as fast:"
    assert "not 4 h 45 min" in found.sentences[1]


def test_what_changes_nothing_is_said_to_change_nothing():
    found = compare(model_of("flow-shop"), Change("capacity", "mixer", 1))

    assert found.sentences[1:] == ("The time from the start to the last end stays 4 h 45 min.",)


def test_a_plan_of_known_dates_says_when_all_is_done_and_counts_no_hours_from_midnight():
    model = model_of("flow-shop")
    model = evolve(model, clock=evolve(model.clock, origin="2026-12-02T00:00"))
    found = compare(model, Change("capacity", "mixer", 1))

    assert found.sentences[1:] == ("The last end stays 2026-12-02 04:45.",)


def test_a_change_that_leaves_no_schedule_is_told():
    found = compare(model_of("flow-shop"), Change("capacity", "mixer", 0))

    assert found.after.status == "infeasible"
    assert found.sentences[-1] == "now there is a schedule; then there is no schedule."


def test_a_change_of_something_unknown_is_refused_with_what_there_is():
    with pytest.raises(ValueError, match="mixer, prover, oven"):
        compare(model_of("flow-shop"), Change("speed", "kiln", 2))
