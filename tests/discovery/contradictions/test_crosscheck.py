"""What one answer says against what the others established."""

import pytest

from packhorse_discovery.domain.contradictions.crosscheck import crosscheck
from packhorse_discovery.domain.contradictions.refinements import unsaid
from packhorse_discovery.domain.contradictions.said import Said, standing
from packhorse_discovery.domain.merging import Proposal, merge
from packhorse_discovery.domain.pursued import Pursued
from packhorse_discovery.domain.structure import Mark, Structure
from packhorse_discovery.service.library import library


def flow(**minutes: int) -> Pursued:
    """A flow shop with steps of so many minutes."""
    told = []
    for name, lasting in minutes.items():
        told.append(Proposal(f"/subprocesses/{name}/process-id", name, said=name))
        span = {"value-string": str(lasting), "units": "minutes"}
        told.append(Proposal(f"/subprocesses/{name}/duration", span, said=f"{name} {lasting} minutes"))
    eads = library().get("process/flow-shop")
    assert eads is not None
    structure, _, _ = merge(Structure(), told, eads, mark=Mark(question_id="q1", source="user"))
    return Pursued(eads, structure)


STEPS = flow(washing=50, drying=40)


@pytest.mark.parametrize(
    ("now", "kind"),
    [
        ("Drying takes 55 minutes.", "value-differs"),
        ("Drying takes 40 minutes.", None),
        ("Washing takes exactly twice as long as drying.", "value-differs"),
        ("Drying takes longer than washing.", "value-differs"),
        ("Washing takes longer than drying.", None),
        ("All steps together take 75 minutes.", "parts-exceed-whole"),
        ("All steps together take 90 minutes.", None),
        ("If we had a faster dryer drying would take 10 minutes.", None),
        ("My cousin in Leeds, in his shop drying takes 10 minutes.", None),
        ("I was wrong, drying takes 55 minutes.", None),
    ],
)
def test_times_are_held_against_the_steps(now: str, kind: str | None) -> None:
    found = crosscheck(Said("q2", now), [], [STEPS])

    assert [one.kind for one in found] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("before", "now", "clash"),
    [
        ("The hotel ordered 6 lots of curtains.", "The hotel order is 8 lots.", True),
        ("The hotel ordered 6 lots of curtains.", "The 6 lots for the hotel are easy.", False),
        ("The hotel ordered 6 lots of curtains.", "The theatre order is 8 lots.", False),
        ("The hotel ordered 6 lots of curtains.", "The hotel has a second order, 8 lots.", False),
        ("The kiln holds 24 tiles at a time.", "The kiln takes 16 tiles at a time.", True),
        ("The kiln holds 24 tiles at a time.", "The small kiln is new. It takes an hour.", False),
        ("Soldering comes after marking.", "Marking can only start when soldering is finished.", True),
        ("Printing takes 10 minutes a shirt. One press.", "So the press prints 12 shirts an hour.", True),
        ("Printing takes 10 minutes a shirt. One press.", "So the press prints 6 shirts an hour.", False),
    ],
)
def test_answers_are_held_against_one_another(before: str, now: str, clash: bool) -> None:
    assert bool(crosscheck(Said("q2", now), [Said("q1", before)], [])) is clash


def test_what_was_taken_back_stands_no_longer() -> None:
    last = "I told you three looms, that's wrong: two."
    told = [Said("q1", "Three looms."), Said("q2", "Two mills."), Said("q3", last)]

    assert [one.question for one in standing(told)] == ["q2", "q3"]


@pytest.mark.parametrize(
    ("text", "minutes", "expected"),
    [
        ("The dough stands in the cabinet for 90 minutes.", "19", "90 minutes"),
        ("The dough stands in the cabinet for 90 minutes.", "90", ""),
        ("The dough stands in the cabinet for an hour and a half.", "90", ""),
        ("Proving takes twice as long as mixing, mixing is 20 minutes.", "40", ""),
        ("We prove it as long as it needs.", "40", ""),
    ],
)
def test_a_refinement_is_held_against_the_words(text: str, minutes: str, expected: str) -> None:
    assert unsaid({"value-string": minutes, "units": "minutes"}, "proving", text) == expected
