"""What a model cannot be."""

import pytest
from attrs import evolve
from eight_models import model_of

from packhorse_discovery.domain.models.model import Closed, Goal, Link, Mode, Resource, Setup, Use, Wait
from packhorse_discovery.domain.models.source import LONGEST_SAID, Amount, Source, one_line

FLOW = model_of("flow-shop")
ONE = Amount(1)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        pytest.param(lambda: evolve(FLOW, tasks=()), "at least one task", id="nothing to do"),
        pytest.param(lambda: evolve(FLOW, links=(Link(0, 99),)), "not there", id="a link to nowhere"),
        pytest.param(lambda: evolve(FLOW, waits=(Wait(99, (0,), ONE),)), "not there", id="a wait of nothing"),
        pytest.param(lambda: evolve(FLOW, stages=((0, 1),)), "one task per job", id="a stage too narrow"),
        pytest.param(lambda: evolve(FLOW, jobs=FLOW.jobs[:1], stages=()), "there is no job", id="a job missing"),
        pytest.param(lambda: evolve(FLOW, resources=(), stages=()), "only those there are", id="a machine missing"),
        pytest.param(lambda: evolve(FLOW, goals=(Goal("tardiness"),)), "due date", id="lateness without dates"),
        pytest.param(lambda: evolve(FLOW, goals=(Goal("makespan"),) * 2), "once", id="a goal twice"),
        pytest.param(lambda: Mode(Amount(0), (Use(0, ONE),)), "at least one tick", id="work in no time"),
        pytest.param(lambda: Mode(Amount(-1)), "must not be negative", id="a negative duration"),
        pytest.param(lambda: Use(0, Amount(0)), "at least 1", id="using nothing"),
        pytest.param(lambda: Closed(5, 5), "after its start", id="an empty closure"),
        pytest.param(lambda: Resource("pool", Amount(2), sequenced=True), "not on a pool", id="a sequenced pool"),
        pytest.param(
            lambda: Resource("one", ONE, setups=(Setup("a", "b", ONE),)), "a sequenced one", id="set-ups out of order"
        ),
    ],
)
def test_nonsense_is_refused(make, why):
    with pytest.raises(ValueError, match=why):
        make()


def test_a_source_is_one_line_and_short():
    long = Source("q1", "line one\nline two\x00 " + "x" * 500, "taken as said")

    assert "\n" not in long.words
    assert long.words.startswith('question q1: "line one line two x')
    assert long.words.endswith("; assumed: taken as said")
    assert len(one_line("y" * 500)) == LONGEST_SAID


def test_a_number_nobody_gave_says_so():
    assert Source().words == "derived from the other answers"


def test_assumptions_gather_without_repetition():
    assert Source("q1", assumption="a").with_assumption("b", "", "a").assumption == "a; b"
