"""A change is taken back alone, or with everything else that one question's answers established."""

import pytest
from hypothesis import given
from tests.discovery.proposals import EADS, proposals_made

from packhorse_discovery.domain.interview.merging import Proposal, merge
from packhorse_discovery.domain.interview.structure import Mark, Patch, Structure
from packhorse_discovery.domain.interview.undoing import last_undone, question_undone

FIRST, SECOND = Mark(question_id="q1-1", by="Ann"), Mark(question_id="q1-2", by="Ann")
BAKE = "/subprocesses/bake"
MINUTES = {"value-string": "40", "units": "minutes"}


def told(*answers: tuple[Mark, str, object]) -> tuple[Structure, list[Patch]]:
    structure, history = Structure(), []
    for mark, path, value in answers:
        structure, patches = merge(structure, [Proposal(BAKE + path, value)], EADS, mark=mark)
        history += patches
    return structure, history


@given(proposals_made, proposals_made)
def test_taking_back_the_latest_answer_restores_what_was_before_it(
    before: list[Proposal], after: list[Proposal]
) -> None:
    start, earlier = merge(Structure(), before, EADS, mark=FIRST)
    end, later = merge(start, after, EADS, mark=SECOND)
    undone = question_undone(end, [*earlier, *later], "q1-2", EADS)

    assert (undone.structure.values, undone.structure.marks) == (start.values, start.marks)
    assert undone.kept == ()


@given(proposals_made, proposals_made)
def test_an_answer_that_was_taken_back_has_nothing_more_to_take_back(
    before: list[Proposal], after: list[Proposal]
) -> None:
    start, earlier = merge(Structure(), before, EADS, mark=FIRST)
    end, later = merge(start, after, EADS, mark=SECOND)
    once = question_undone(end, [*earlier, *later], "q1-2", EADS)
    twice = question_undone(once.structure, [*earlier, *later, *once.patches], "q1-2", EADS)

    assert (twice.structure, twice.patches) == (once.structure, ())


def test_what_others_said_since_stays_and_is_named() -> None:
    structure, history = told((FIRST, "/duration", MINUTES), (SECOND, "/duration", {**MINUTES, "value-string": "50"}))
    undone = question_undone(structure, history, "q1-1", EADS)

    assert undone.structure.get(f"{BAKE}/duration")["value-string"] == "50"
    assert set(undone.kept) == {f"{BAKE}/duration", f"{BAKE}/process-id"}


def test_a_step_keeps_its_name_while_others_have_said_more_of_it() -> None:
    structure, history = told((FIRST, "/process-id", "bake"), (SECOND, "/duration", MINUTES))
    undone = question_undone(structure, history, "q1-1", EADS)

    assert (undone.patches, undone.kept) == ((), (f"{BAKE}/process-id",))


def test_a_correction_of_an_answer_goes_with_it() -> None:
    structure, history = told((FIRST, "/duration", MINUTES))
    path = f"{BAKE}/duration"
    corrected, more = merge(
        structure, [Proposal(path, {**MINUTES, "value-string": "45"})], EADS, mark=FIRST, correcting=True
    )
    undone = question_undone(corrected, [*history, *more], "q1-1", EADS)

    assert undone.structure == Structure()


def test_a_change_that_was_taken_back_is_made_again_by_taking_that_back() -> None:
    structure, history = told((FIRST, "/duration", MINUTES))
    path = f"{BAKE}/duration"
    once = last_undone(structure, history, path)
    assert once is not None
    again = last_undone(once.structure, [*history, *once.patches], path)
    assert again is not None

    assert once.structure.get(path) is None
    assert again.structure == structure


@pytest.mark.parametrize("path", ["/nowhere", ""])
def test_where_nothing_changed_there_is_nothing_to_take_back(path: str) -> None:
    structure, history = told((FIRST, "/duration", MINUTES))

    assert last_undone(structure, history, path) is None
