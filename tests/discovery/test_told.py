"""How people tell steps, what they have, and orders: many wordings of each, with what they mean (``told.json``)."""

import json
from pathlib import Path
from typing import Any

import pytest

from packhorse_discovery.domain.answers import read
from packhorse_discovery.domain.asides import waitings
from packhorse_discovery.domain.hours_told import hours, overnight
from packhorse_discovery.domain.merging import merge
from packhorse_discovery.domain.quantities import parse
from packhorse_discovery.domain.quantity import MINUTES
from packhorse_discovery.domain.questions import next_question, plan
from packhorse_discovery.domain.structure import Mark, Structure, rendered
from packhorse_discovery.service.library import library

TOLD: dict[str, list[dict[str, Any]]] = json.loads((Path(__file__).parent / "told.json").read_text("utf-8"))


def understood(eads_id: str, *answers: str) -> dict[str, Any]:
    """What a schema holds after these answers to its next questions."""
    eads, structure = library().get(eads_id), Structure()
    for answer in answers:
        question = next_question(eads, structure) or next_question(eads, Structure())
        structure, _, _ = merge(structure, read(question, answer, eads, structure).proposals, eads, mark=Mark())
    return rendered(structure, eads)


def in_minutes(said: dict[str, str]) -> list[float]:
    found = parse(said["value-string"], said["units"])
    assert found.low is not None
    assert found.high is not None
    return [round(end * MINUTES[found.unit], 3) for end in (found.low, found.high)]


@pytest.mark.parametrize("told", TOLD["steps"], ids=lambda one: one["said"][:40])
def test_steps_are_read_with_how_long_they_take_and_on_what(told: dict[str, Any]) -> None:
    steps = understood("process/flow-shop", told["said"])["subprocesses"]

    assert [[*in_minutes(one["duration"]), one.get("resources", [])] for one in steps] == told["steps"]


@pytest.mark.parametrize("told", TOLD["inventories"], ids=lambda one: one["said"][:40])
def test_things_are_counted(told: dict[str, Any]) -> None:
    found = understood("resources/inventory", told["said"])["resources"]

    assert [one.get("count") for one in found] == told["counts"]


@pytest.mark.parametrize("told", TOLD["orders"], ids=lambda one: one["said"][:40])
def test_orders_are_read_with_how_many_and_until_when(told: dict[str, Any]) -> None:
    orders = understood("data/orders", told["said"])["orders"]
    amounts = [parse(one["quantity"]["value-string"]).low if "quantity" in one else None for one in orders]
    due = [parse(one["due"]).typical_minutes for one in orders]

    assert [[many, (by or 0) / 60] for many, by in zip(amounts, due, strict=True)] == told["orders"]
    assert all(one["product"] for one in orders)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("We are open from 8 to 16.", [("all", 0, "08:00", "16:00")]),
        ("7am to 7pm every day", [("all", 7, "07:00", "19:00")]),
        ("We work Monday to Saturday, nine to six.", [("all", 6, "09:00", "18:00")]),
        ("8 to 5, Monday to Friday", [("all", 5, "08:00", "17:00")]),
        ("From ten at night to ten in the morning, every night.", [("all", 7, "22:00", "10:00")]),
        ("24 h, Mon-Fri", [("all", 5, "00:00", "24:00")]),
        ("Monday to Friday 7:30 to 16:00, we eat in turns.", [("all", 5, "07:30", "16:00")]),
        ("weekdays 6-14 and 14-22", [("all", 5, "06:00", "14:00"), ("all", 5, "14:00", "22:00")]),
        (
            "Mon-Fri 8am to 5pm for people, tanks run day and night",
            [("all", 5, "08:00", "17:00"), ("tanks", 7, "00:00", "24:00")],
        ),
        ("The kitchen's only ours from 5 till 9 in the morning.", [("all", 0, "05:00", "09:00")]),
        ("It takes 3 to 5 hours.", []),
    ],
)
def test_working_hours_are_read(said: str, expected: list[tuple[str, int, str, str]]) -> None:
    assert [(one.resource, len(one.days), one.start, one.end) for one in hours(said)] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("nothing runs overnight", False),
        ("At four the power's cut for the whole building.", False),
        ("we've to be out with the gas off", False),
        ("The oven runs through the night on its own.", True),
        ("We start at eight.", None),
    ],
)
def test_whether_work_goes_on_overnight_is_read(said: str, expected: bool | None) -> None:
    assert overnight(said) is expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "Painting comes after drying, and drying comes after sanding.",
            [("drying", "Painting"), ("sanding", "drying")],
        ),
        ("Colour grading starts when the sound mix is finished.", [("sound mix", "Colour grading")]),
        ("The sound mix needs the subtitles done.", [("subtitles", "sound mix")]),
        ("Grading has to be over before the subtitles can begin.", [("Grading", "subtitles")]),
        ("Assembly can't start until the paint is dry.", [("paint", "Assembly")]),
        ("Packing waits for labelling.", [("labelling", "Packing")]),
        ("Shot blasting comes first of all, that's clear.", []),
        ("Welding needs a welder.", []),
    ],
)
def test_what_waits_for_what_is_read(said: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.first, one.later) for one in waitings(said)] == expected


def test_a_total_is_of_the_whole_and_no_step() -> None:
    found = understood("process/flow-shop", "Washing 30 minutes, cutting 40 minutes. That is 70 minutes in total.")

    assert [one["process-id"] for one in found["subprocesses"]] == ["Washing", "cutting"]
    assert in_minutes(found["duration"]) == [70, 70]


def test_what_follows_a_colon_is_part_of_what_stands_before_it() -> None:
    found = understood("process/flow-shop", "Preparation takes 1 hour in all: washing 30 minutes, cutting 40 minutes.")
    parts = {one["process-id"]: one.get("part-of") for one in found["subprocesses"]}

    assert parts == {"Preparation": None, "washing": "Preparation", "cutting": "Preparation"}


def test_a_lower_and_an_upper_bound_make_a_range() -> None:
    eads, structure = library().get("process/flow-shop"), Structure()
    clashes = []
    for answer in ("Burn-in takes at least 3 hours.", "Burn-in takes at most 5 hours."):
        question = next_question(eads, structure) or next_question(eads, Structure())
        proposals = read(question, answer, eads, structure).proposals
        structure, _, met = merge(structure, proposals, eads, mark=Mark(question_id="q1"))
        clashes += met

    assert clashes == []
    assert in_minutes(rendered(structure, eads)["subprocesses"][0]["duration"]) == [180, 300]


@pytest.mark.parametrize("said", ["no", "No, nothing worth counting", "none", "No. Cleaning is inside the times."])
def test_a_no_to_which_there_are_means_that_there_are_none(said: str) -> None:
    eads = library().get("resources/calendar-and-maintenance")
    question = next(one for one in plan(eads) if "/changeovers/*/from" in one.paths)
    proposals = read(question, said, eads, Structure()).proposals

    assert [(one.path, one.state) for one in proposals] == [("/changeovers", "not_applicable")]
