"""What if: one thing of a model changed."""

from fractions import Fraction

import pytest
from eight_models import model_of

from packhorse_discovery.domain.models.change import Change, changed, finer
from packhorse_discovery.domain.models.model import Model


def seconds(model: Model, step: str) -> set[int]:
    return {mode.ticks.value * model.clock.seconds for task in model.tasks if task.step == step for mode in task.modes}


def test_a_faster_machine_takes_less_and_the_clock_gets_finer_where_it_must():
    model = changed(model_of("flow-shop"), Change("speed", "Prover", 2))

    assert seconds(model, "prove") == {75 * 60 // 2}
    assert seconds(model, "mix") == {20 * 60}
    assert model.clock.name == "150 seconds"
    assert "tried: Prover works 2 times as fast" in model.tasks[1].modes[0].ticks.source.words


def test_a_clock_as_it_is_stays_when_it_fits():
    assert changed(model_of("flow-shop"), Change("speed", "mixer", 2)).clock.name == "5 minutes"


def test_a_step_takes_the_minutes_given_in_every_job_or_in_one():
    every = changed(model_of("flow-shop"), Change("duration", "bake", 50))
    one = changed(model_of("flow-shop"), Change("duration", "rye: bake", 50))

    assert seconds(every, "bake") == {3000}
    assert seconds(one, "bake") == {2400, 3000}


def test_a_due_date_moves():
    model = changed(model_of("single-machine"), Change("due", "gate", 45))

    assert model.jobs[1].due.value * model.clock.seconds == 45 * 60


def test_a_pool_grows_and_closed_hours_open():
    model = model_of("flexible-flow-shop")

    assert changed(model, Change("capacity", "prover", 3)).resources[1].capacity.value == 3
    assert changed(model, Change("open", "prover")).resources[1].closed == ()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param(Change("speed", "kiln", 2), "mixer, prover, oven", id="no such machine"),
        pytest.param(Change("duration", "knead", 2), "mix, prove, bake", id="no such step"),
        pytest.param(Change("due", "scone", 2), "rye, spelt, rolls", id="no such job"),
        pytest.param(Change("speed", "oven", 0), "above 0", id="no speed"),
        pytest.param(Change("duration", "bake", 0), "above 0", id="no time"),
        pytest.param(Change("capacity", "oven", Fraction(1, 2)), "whole number", id="half a machine"),
    ],
)
def test_a_change_that_fits_nothing_is_refused_with_what_there_is(change, why):
    with pytest.raises(ValueError, match=why):
        changed(model_of("flow-shop"), change)


def test_a_change_of_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="kind"):
        Change("colour", "oven", 2)


def test_a_change_that_makes_the_schedule_endless_is_refused():
    with pytest.raises(ValueError, match="longer than"):
        changed(model_of("flow-shop"), Change("duration", "bake", 10**12))


def test_a_float_means_the_decimal_that_was_typed():
    assert Change("speed", "oven", 1.1).value == Fraction(11, 10)


def test_a_finer_clock_is_the_same_problem():
    model = model_of("single-machine")

    found = finer(model, 5)

    assert found.clock.seconds * 5 == model.clock.seconds
    assert found.tasks[0].modes[0].ticks.value == 5 * model.tasks[0].modes[0].ticks.value
    assert [each.ticks.value for each in found.resources[0].setups] == [
        5 * each.ticks.value for each in model.resources[0].setups
    ]
    assert found.horizon.value == 5 * model.horizon.value
