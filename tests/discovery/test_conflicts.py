"""Contradictions: each kind is found where it is seeded, and none where people agree."""

import json
from pathlib import Path
from typing import Any

import pytest

from packhorse_discovery.domain.case.aggregate import aggregate
from packhorse_discovery.domain.case.conflicts import detect
from packhorse_discovery.domain.case.established import Established
from packhorse_discovery.domain.interview.merging import Proposal, merge
from packhorse_discovery.domain.interview.questions import next_question
from packhorse_discovery.domain.interview.structure import Mark, Structure, UnfitError, flattened
from packhorse_discovery.domain.reading.plain import read
from packhorse_discovery.service.library import library

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "discovery"


def pursued(eads_id: str, **data: Any) -> Established:
    eads = library().get(eads_id)
    proposals = [Proposal(path, value) for path, value in flattened(data, eads)]
    structure, _ = merge(Structure(), proposals, eads, mark=Mark(question_id="q1-1"))
    return Established(eads, structure)


def q(words: str, units: str = "") -> dict[str, str]:
    return {"value-string": words, "units": units}


def step(name: str, minutes: str = "10", **more: Any) -> dict[str, Any]:
    return {"process-id": name, "duration": q(minutes, "minutes"), "resources": ["oven"], **more}


SHOP = [step("mix"), step("bake", "40")]
CAL = "resources/calendar-and-maintenance"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (
            "type-mismatch",
            [
                pursued("process/scheduling-problem-type", **{"principal-problem-type": "JOB-SHOP"}),
                pursued("process/flow-shop", subprocesses=SHOP),
            ],
        ),
        (
            "precedence-cycle",
            [pursued("process/flow-shop", subprocesses=[step("mix", after=["bake"]), step("bake", after=["mix"])])],
        ),
        ("dangling-reference", [pursued("process/flow-shop", subprocesses=[step("bake", after=["knead"])])]),
        (
            "dangling-reference",
            [
                pursued("process/flow-shop", subprocesses=SHOP),
                pursued("resources/inventory", resources=[{"resource-id": "mixer", "count": 1}]),
            ],
        ),
        (
            "no-capacity",
            [
                pursued("process/flow-shop", subprocesses=SHOP),
                pursued("resources/inventory", resources=[{"resource-id": "oven", "count": 0}]),
            ],
        ),
        (
            "calendar-too-short",
            [
                pursued("process/flow-shop", subprocesses=[step("bake", "600")]),
                pursued(
                    CAL,
                    **{"working-hours": [{"resource": "oven", "days": ["Monday"], "start": "08:00", "end": "12:00"}]},
                ),
            ],
        ),
        (
            "due-too-early",
            [
                pursued("process/flow-shop", subprocesses=SHOP),
                pursued("data/orders", orders=[{"order-id": "A", "product": "rye", "due": "30 minutes"}]),
            ],
        ),
        (
            "due-too-early",
            [
                pursued(
                    "data/orders",
                    orders=[{"order-id": "A", "product": "rye", "due": "2026-05-01", "release": "2026-05-04"}],
                )
            ],
        ),
        ("range-inverted", [pursued("process/flow-shop", subprocesses=[step("bake", "50-40")])]),
        (
            "differs-between-schemas",
            [
                pursued("process/flow-shop", subprocesses=SHOP),
                pursued(
                    "process/job-shop--classifiable",
                    **{"job-level-processes": [{"process-id": "rye", "subprocesses": [step("bake", "90")]}]},
                ),
            ],
        ),
    ],
    ids=[
        "type-mismatch", "precedence-cycle", "unknown-step", "unknown-resource", "no-capacity", "calendar-too-short",
        "due-before-possible", "due-before-release", "range-inverted", "differs-between-schemas",
    ],
)  # fmt: skip
def test_a_seeded_contradiction_is_found_and_is_the_only_one(kind: str, said: list[Established]) -> None:
    found = detect(aggregate("p", said), said)

    assert [one.kind for one in found] == [kind]
    assert all(one.statements and one.suggestion for one in found)


def test_steps_longer_than_the_whole_are_found() -> None:
    original = _originals().get("process/flow-shop")
    if original is None:
        pytest.skip("no original schemas beside the checkout")
    data = {"process-id": "bread", "duration": q("30", "minutes"), "subprocesses": SHOP}
    structure, _ = merge(Structure(), [Proposal(p, v) for p, v in flattened(data, original)], original, mark=Mark())
    said = [Established(original, structure)]

    assert [one.kind for one in detect(aggregate("p", said), said)] == ["parts-exceed-whole"]


def test_a_duration_that_nobody_knows_is_found() -> None:
    eads = library().get("process/flow-shop")
    proposals = [
        Proposal("/subprocesses/bake/resources", ["oven"]),
        Proposal("/subprocesses/bake/duration", state="unknown"),
    ]
    structure, _ = merge(Structure(), proposals, eads, mark=Mark())
    said = [Established(eads, structure)]

    assert [one.kind for one in detect(aggregate("p", said), said)] == ["required-unknown"]


def test_the_same_contradiction_has_the_same_name() -> None:
    said = [pursued("process/flow-shop", subprocesses=[step("bake", after=["knead"])])]

    assert detect(aggregate("p", said), said)[0].id == detect(aggregate("p", said), said)[0].id


REPORTS = [
    "aerospace-fasteners", "air-conditioners", "artificial-joints", "ball-bearings-old", "craft-beer",
    "hydraulic-cylinders", "industrial-wire-ropes", "residential-water-heaters",
]  # fmt: skip


@pytest.mark.parametrize("report", REPORTS)
def test_nothing_is_reported_of_an_interview_whose_parts_agree(report: str) -> None:
    file = SHARED / "interviews" / f"{report}.json"
    if not file.exists():
        pytest.skip(f"no {file.name} beside the checkout")
    said = [one for ascr in json.loads(file.read_text())["ascrs"] if (one := _pursued_report(ascr)) is not None]

    assert said
    assert [one.sentence for one in detect(aggregate(report, said), said)] == []


TOPICS = {
    "Process: Warm Up": "process/warm-up-with-challenges",
    "Process: Scheduling Problem Type": "process/scheduling-problem-type",
    "Process: Flow Shop": "process/flow-shop",
    "Process: Job Shop": "process/job-shop",
    "Process: Job Shop Classifiable": "process/job-shop--classifiable",
    "Resources: Warm Up": "resources/inventory",
    "Resources: Basic Inventory": "resources/inventory",
    "Resources: Availability And Maintenance": "resources/calendar-and-maintenance",
    "Data: Warm Up": "data/areas-of-inquiry",
    "Optimality: Warm Up": "optimality/goals",
}


@pytest.mark.parametrize("report", REPORTS)
def test_nothing_is_reported_of_what_the_people_of_an_interview_said(report: str) -> None:
    file = SHARED / "interviews" / f"{report}.json"
    if not file.exists():
        pytest.skip(f"no {file.name} beside the checkout")
    known: dict[str, Structure] = {}
    for number, turn in enumerate(json.loads(file.read_text())["qa"]):
        eads = library().get(TOPICS.get(turn.get("topic"), ""))
        if eads is None:
            continue
        before = known.get(eads.id, Structure())
        question = next_question(eads, before) or next_question(eads, Structure())
        proposals = read(question, turn["answer"], eads, before).proposals
        known[eads.id], _ = merge(before, proposals, eads, mark=Mark(question_id=f"q{number}"))
    said = [Established(library().get(eads_id), structure) for eads_id, structure in known.items()]

    assert said
    assert [one.sentence for one in detect(aggregate(report, said), said)] == []


def _pursued_report(ascr: dict[str, Any]) -> Established | None:
    """What an interview's structure holds of the fields that the original schema of its id has."""
    eads = _originals().get(ascr["eads_id"].replace("job-shop-classifiable", "job-shop--classifiable"))
    if eads is None or not isinstance(ascr["data_structure"], dict):
        return None
    kept = {key: value for key, value in ascr["data_structure"].items() if any(f.path[0] == key for f in eads.fields)}
    try:
        proposals = [Proposal(path, value) for path, value in flattened(_known(kept, eads), eads)]
    except UnfitError:
        return None
    structure, _ = merge(Structure(), proposals, eads, mark=Mark())
    return Established(eads, structure)


def _known(data: dict[str, Any], eads: Any) -> dict[str, Any]:
    """Without the properties that an interviewer invented on the way."""

    def kept(node: Any, path: tuple[str, ...]) -> Any:
        if isinstance(node, list) and any(f.path == path and f.kind == "table" for f in eads.fields):
            return [kept(one, (*path, "*")) for one in node]
        if isinstance(node, dict) and not any(f.path == path for f in eads.fields):
            below = {k: (*path, k) for k in node}
            return {k: kept(node[k], p) for k, p in below.items() if any(f.path[: len(p)] == p for f in eads.fields)}
        return node

    return kept(data, ())


def _originals() -> dict[str, Any]:
    from packhorse_discovery.service.library import parse

    found = {}
    for file in sorted(SHARED.glob("eads/*.json"), key=lambda one: one.name.partition("__")[2]):
        eads = parse(file.read_text(), file.name, "file")
        found[eads.id] = eads
    return found
