"""Merging, undoing, and what contradicts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discovery.proposals import EADS, proposal, proposals_made

from packhorse_discovery.domain.interview.merging import Proposal, aligned, merge
from packhorse_discovery.domain.interview.structure import Mark, Structure, rendered

ANN, BEN = Mark(question_id="q1-1", by="Ann"), Mark(question_id="q1-2", by="Ben")
AGAIN = Mark(question_id="q1-2", by="Ann")

_one_a_path = st.lists(proposal, max_size=8, unique_by=lambda one: one.path)


@given(_one_a_path)
def test_the_same_answer_twice_changes_nothing_the_second_time(proposals: list[Proposal]) -> None:
    once, _ = merge(Structure(), proposals, EADS, mark=ANN)
    twice, patches = merge(once, proposals, EADS, mark=ANN)

    assert (twice, patches) == (once, [])


@given(_one_a_path, st.randoms(use_true_random=False))
def test_the_order_of_different_keys_does_not_matter(proposals: list[Proposal], random) -> None:
    shuffled = list(proposals)
    random.shuffle(shuffled)
    one, _ = merge(Structure(), proposals, EADS, mark=ANN)
    other, _ = merge(Structure(), shuffled, EADS, mark=ANN)

    assert one == other


@given(proposals_made, proposals_made)
def test_undoing_every_change_restores_what_was(before: list[Proposal], after: list[Proposal]) -> None:
    start, _ = merge(Structure(), before, EADS, mark=ANN)
    end, patches = merge(start, after, EADS, mark=ANN)
    for patch in reversed(patches):
        end = end.restored(patch.path, patch.old, patch.old_mark)

    assert end.values == start.values
    assert end.marks == start.marks


@given(proposals_made)
def test_replaying_the_changes_gives_the_structure(proposals: list[Proposal]) -> None:
    whole, patches = merge(Structure(), proposals, EADS, mark=ANN)

    assert Structure().apply_all(patches) == whole


def test_lists_grow_and_keep_their_order() -> None:
    one, _ = merge(Structure(), [Proposal("/subprocesses/bake/resources", ["oven"])], EADS, mark=ANN)
    both, _ = merge(one, [Proposal("/subprocesses/bake/resources", ["baker", "Oven"])], EADS, mark=BEN)

    assert both.get("/subprocesses/bake/resources") == ["oven", "baker"]


@pytest.mark.parametrize(
    ("mark", "stands", "other"),
    [(AGAIN, "50", "40"), (BEN, "40", "50")],
    ids=["the-same-person-corrects", "another-person-does-not-overwrite"],
)
def test_two_values_for_one_thing_are_a_contradiction(mark: Mark, stands: str, other: str) -> None:
    path = "/subprocesses/bake/duration"
    one, _ = merge(Structure(), [Proposal(path, {"value-string": "40", "units": "minutes"})], EADS, mark=ANN)
    two, patches = merge(one, [Proposal(path, {"value-string": "50", "units": "minutes"})], EADS, mark=mark)
    rival = two.marks[path].rival

    assert two.get(path)["value-string"] == stands
    assert rival is not None
    assert rival["value"]["value-string"] == other
    assert two.restored(path, patches[-1].old, patches[-1].old_mark).marks[path].rival is None


def test_an_answer_given_again_replaces_what_it_gave() -> None:
    path = "/subprocesses/bake/duration"
    one, _ = merge(Structure(), [Proposal(path, {"value-string": "40", "units": "minutes"})], EADS, mark=ANN)
    two, _ = merge(one, [Proposal(path, {"value-string": "50", "units": "minutes"})], EADS, mark=ANN)

    assert (two.get(path)["value-string"], two.marks[path].rival) == ("50", None)


def test_a_row_named_in_another_form_is_the_same_row() -> None:
    one, _ = merge(Structure(), [Proposal("/subprocesses/curing/resources", ["oven"])], EADS, mark=ANN)

    assert aligned("/subprocesses/cure/duration", one, EADS) == "/subprocesses/curing/duration"
    assert aligned("/subprocesses/cure-twice/duration", one, EADS) == "/subprocesses/cure-twice/duration"


def test_the_same_duration_in_other_units_is_no_contradiction() -> None:
    path = "/subprocesses/bake/duration"
    one, _ = merge(Structure(), [Proposal(path, {"value-string": "90", "units": "minutes"})], EADS, mark=ANN)
    _, patches = merge(one, [Proposal(path, {"value-string": "1.5", "units": "hours"})], EADS, mark=BEN)

    assert patches == []


def test_not_knowing_takes_nothing_back() -> None:
    path = "/subprocesses/bake/duration"
    one, _ = merge(Structure(), [Proposal(path, {"value-string": "40", "units": "minutes"})], EADS, mark=ANN)
    two, _ = merge(one, [Proposal(path, state="unknown")], EADS, mark=ANN)

    assert two == one


def test_a_row_has_its_name_as_soon_as_anything_is_said_of_it() -> None:
    one, _ = merge(Structure(), [Proposal("/subprocesses/fine-sift/resources", ["sieve"])], EADS, mark=ANN)

    assert rendered(one, EADS) == {"subprocesses": [{"process-id": "fine sift", "resources": ["sieve"]}]}


def test_units_that_cannot_be_compared_are_told_apart_from_other_differences() -> None:
    path = "/subprocesses/bake/duration"
    one, _ = merge(Structure(), [Proposal(path, {"value-string": "2", "units": "hours"})], EADS, mark=ANN)
    units, _ = merge(one, [Proposal(path, {"value-string": "2", "units": "shifts"})], EADS, mark=BEN)
    values, _ = merge(one, [Proposal(path, {"value-string": "3", "units": "hours"})], EADS, mark=BEN)

    assert [(one.marks[path].rival or {})["kind"] for one in (units, values)] == ["unit-differs", "value-differs"]


@pytest.mark.parametrize(("mark", "stands"), [(ANN, []), (AGAIN, []), (BEN, ["oven"])])
def test_that_a_step_needs_nothing_is_not_lost_where_it_needed_something(mark: Mark, stands: list[str]) -> None:
    path = "/subprocesses/bake/resources"
    one, _ = merge(Structure(), [Proposal(path, ["oven"])], EADS, mark=ANN)
    two, patches = merge(one, [Proposal(path, [])], EADS, mark=mark)

    assert two.get(path) == stands
    assert len(patches) == 1
    assert mark is ANN or two.marks[path].rival is not None
