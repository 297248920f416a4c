"""The printed program, as text; the real MiniZinc runs it in the solver tests."""

import re

import pytest
from attrs import evolve
from eight_models import INTERVIEWS, OPEN_EIGHT_TO_FOUR, fact, flow, goals, model_of, order, time
from hypothesis import given
from hypothesis import strategies as st

from packhorse_discovery.domain.models.build import build
from packhorse_discovery.domain.models.goals import LARGEST, combined
from packhorse_discovery.domain.models.minizinc import print_minizinc
from packhorse_discovery.domain.models.model import Goal
from packhorse_discovery.domain.models.source import Amount, Source

EVERY = {
    **{target: model_of(target) for target in INTERVIEWS},
    "hours": build(flow(windows=(OPEN_EIGHT_TO_FOUR,))),
    "idle": build(flow(goals=goals("utilisation"))),
    "late": build(flow(orders=(order("rye", due=time(100)),), goals=goals("number-late", "weighted-tardiness"))),
}


@pytest.mark.parametrize("name", EVERY)
def test_a_program_asks_for_nothing_that_some_solver_lacks(name):
    text = print_minizinc(EVERY[name])

    assert "globals.mzn" not in text
    assert "::" not in re.sub(r'"[^"\n]*"|%.*', "", text)
    assert set(re.findall(r'include "(\w+)\.mzn"', text)) <= {"all_different", "cumulative", "disjunctive"}
    assert text.count("\nsolve minimize ") == 1


@pytest.mark.parametrize("name", EVERY)
def test_every_number_of_the_interview_stands_beside_its_source(name):
    text = print_minizinc(EVERY[name])

    for line in text.splitlines():
        if re.match(r"  -?\d+,(  |$)", line):
            assert "% " in line, line
        if re.match(r"int: \w+ = ", line):
            assert re.search(r"% .+(question|assumed|derived)", line), line


def test_a_duration_tells_its_question_its_words_and_its_assumption():
    text = print_minizinc(model_of("residence-time"))

    assert '15,  % 2 prove: question q2: "60-90 minute"; assumed: the middle of 60 to 90 minutes, 75' in text


@given(st.text(min_size=1, max_size=40))
def test_no_name_breaks_out_of_its_comment_or_string(name):
    scr = flow(orders=(evolve(order("rye"), name=fact(name)),), resources=())
    text = print_minizinc(build(scr))
    plain = print_minizinc(build(flow(orders=(order("rye"),), resources=())))

    def bare(program):
        return re.sub(r'("(?:\\.|[^"\\\n])*")|%[^\n]*', lambda found: '""' if found[1] else "", program)

    assert bare(text) == bare(plain)


def test_ranks_are_weighed_so_that_the_first_always_wins():
    model = model_of("single-machine")
    first, second, third = combined(model)

    assert third.factor == 1
    assert second.factor > third.factor * model.horizon.value
    assert first.factor > second.factor * len(model.tasks) + third.factor * model.horizon.value
    assert f"solve minimize {first.factor} * weighted_tardiness + {second.factor} * changeovers + makespan;" in (
        print_minizinc(model)
    )


def test_goals_too_large_together_leave_only_the_first_rank_and_say_so():
    model = evolve(
        model_of("flow-shop"),
        goals=(Goal("makespan", 1), Goal("utilisation", 2)),
        horizon=Amount(LARGEST // 4, Source(assumption="long")),
    )

    text = print_minizinc(model)

    assert combined(model) is None
    assert "solve minimize makespan;" in text
    assert "% Only the goals of the first rank" in text


def test_assumptions_about_the_whole_stand_at_the_top():
    text = print_minizinc(EVERY["hours"])

    assert text.startswith("% bakery\n% Target: flow-shop.")
    assert "% Assumed: the schedule starts on a Monday at midnight" in text.split("\n\n")[0]
