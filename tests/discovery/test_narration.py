"""Steps told in running text, in lists and in tables (``narrations.json``), and what is left open of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from packhorse_discovery.domain.answers import read
from packhorse_discovery.domain.merging import merge
from packhorse_discovery.domain.quantities import parse
from packhorse_discovery.domain.quantity import MINUTES
from packhorse_discovery.domain.questions import next_question
from packhorse_discovery.domain.structure import Mark, Structure, rendered
from packhorse_discovery.service.library import library

NARRATIONS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "narrations.json").read_text("utf-8"))
SHOP = library().get("process/flow-shop")


def told(answer: str) -> list[dict[str, Any]]:
    question = next_question(SHOP, Structure())
    structure, _, _ = merge(Structure(), read(question, answer, SHOP, Structure()).proposals, SHOP, mark=Mark())
    steps: list[dict[str, Any]] = rendered(structure, SHOP).get("subprocesses", [])
    return steps


def minutes(step: dict[str, Any]) -> list[float] | None:
    """The ends of a step's time; None where it is open."""
    if "duration" not in step:
        return None
    found = parse(step["duration"]["value-string"], step["duration"]["units"])
    assert found.low is not None
    assert found.high is not None
    return [round(end * MINUTES[found.unit], 3) for end in (found.low, found.high)]


@pytest.mark.parametrize("narration", NARRATIONS, ids=lambda one: one["said"][:40])
def test_steps_are_read_however_they_are_told(narration: dict[str, Any]) -> None:
    steps = told(narration["said"])

    assert [[*(minutes(one) or []), one.get("resources", [])] for one in steps] == narration["steps"]


@pytest.mark.parametrize(
    ("answer", "times"),
    [
        ("Baking takes 40 minutes in the small oven or 55 in the big one.", [None]),
        ("Drying takes 2 hours in summer and 4 hours in winter on the rack.", [None]),
        ("Grinding, 20 minutes for steel, 35 for titanium, on the grinder.", [None]),
        ("Sanding is 10 minutes per side, two sides, on the sander.", [None]),
        ("Painting takes two coats, 20 minutes each, in the booth.", [None]),
        ("Cutting takes five minutes a board and we do six boards, on the saw.", [None]),
        ("Cutting and sewing take 20 and 45 minutes at the bench.", [None]),
        ("Cutting, sewing and pressing take 20, 45 and 10 minutes.", [None, None, None]),
        ("Cutting 20, drilling 15, milling 40.", [None, None, None]),
        ("Mixing: 20 (mixer). Baking: 2 h (oven). Cooling: 30 (rack).", [None, [120, 120], None]),
        (
            "Sawing: 15 min (saw). Then baking: 1 h (oven). Then cooling takes 3 on the rack.",
            [[15, 15], [60, 60], None],
        ),
    ],
)
def test_a_time_that_is_not_one_sure_number_stays_open(answer: str, times: list[list[float] | None]) -> None:
    assert [minutes(one) for one in told(answer)] == times


@pytest.mark.parametrize(
    "aside",
    [
        "We change the blade every 50 hours.",
        "The saw is 10 years old.",
        "I have been doing this for thirty years.",
        "The shift is 8 hours.",
        "Lunch is 30 minutes.",
        "Between sawing and gluing there must be no more than 30 minutes.",
        "It used to take forty minutes.",
        "My uncle had two weeks for it.",
    ],
)
def test_times_that_are_not_of_work_make_no_step(aside: str) -> None:
    steps = told(f"Sawing takes 15 minutes on the saw. {aside} Gluing takes 25 minutes on the press.")

    assert [(minutes(one), one["resources"]) for one in steps] == [([15, 15], ["saw"]), ([25, 25], ["press"])]


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        (
            "You begin with melting in the pot, 40 minutes. When they're hard I do the trimming, 5 minutes.",
            ["melting", "trimming"],
        ),
        (
            "Stoning I do sitting down at the table, 20 minutes, and the boiling at the end in the kettle, 50.",
            ["Stoning", "boiling"],
        ),
        ("You've got your soaking in the vat, six hours. Trimming's on the wheel, an hour.", ["soaking", "Trimming"]),
        (
            "- The blanks get sheared on the shear (8 min)\n- And assembly on the bench: 40 minutes",
            ["sheared", "assembly"],
        ),
        (
            "In the first step, beans are roasted in the roaster, 12 minutes. Second, grinding, the mill, 8 minutes.",
            ["roasted", "grinding"],
        ),
    ],
)
def test_a_name_is_the_work_alone(answer: str, names: list[str]) -> None:
    assert [one["process-id"] for one in told(answer)] == names


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        ("Cooking takes 35 minutes. We do that in the kettle.", [["kettle"]]),
        ("Scouring one hour, dyeing 2 hours, rinsing 40 minutes, all three in the jigger.", [["jigger"]] * 3),
        ("Everything is done at the long bench: cutting 20 minutes, sewing 45 minutes.", [["long bench"]] * 2),
        ("Water fills the tank, 20 minutes.", [[]]),
        (
            "The press brake bends them, 20 minutes. Tom strips it at the stand, he needs 5 minutes.",
            [["press brake"], ["stand"]],
        ),
        ("Case making is done by nobody else but Hilde, 50 minutes.", [["Hilde"]]),
        ("Marking takes 50 minutes and must be done by Friday.", [[]]),
        ("Bend it on the form, 10 minutes, by my brother's stove if need be.", [["form"]]),
        (
            "Leave it 12 hours on the rack, then sand it for 20 minutes on the bench, and turn it.",
            [["rack"], ["bench"]],
        ),
        (
            "My sister packs, 20 minutes. Then my uncle Karl loads the van at the dock, 10 minutes.",
            [["sister"], ["dock"]],
        ),
        ("Ana washes, 25 minutes, Bea irons, 40 minutes, Cleo folds, 15 minutes.", [["Ana"], ["Bea"], ["Cleo"]]),
        ("Paint dries, 2 hours. Glue sets, 1 hour.", [[], []]),
    ],
)
def test_who_or_what_is_taken_is_read_or_left_open(answer: str, places: list[list[str]]) -> None:
    assert [one.get("resources", []) for one in told(answer)] == places


def test_work_of_the_same_name_that_comes_again_is_a_step_of_its_own() -> None:
    steps = told(
        "First fermentation: 7 days, open vat. Pressing: 3 hours, press. Second fermentation: 14 days, closed tank."
    )

    assert [(minutes(one), one["resources"]) for one in steps] == [
        ([10080, 10080], ["open vat"]),
        ([180, 180], ["press"]),
        ([20160, 20160], ["closed tank"]),
    ]


def test_a_time_put_right_in_the_next_sentence_is_the_one_that_counts() -> None:
    assert [minutes(one) for one in told("Cutting is 20 minutes at the saw. I was wrong, it's 25.")] == [[25, 25]]


def test_what_says_when_is_no_place() -> None:
    steps = told("The wrapping at the very end is done by Elsie, my granddaughter, she needs a quarter of an hour.")

    assert [one["resources"] for one in steps] == [["Elsie"]]


def test_a_column_that_only_counts_the_rows_names_no_step() -> None:
    steps = told(
        "| No. | Where | What | min |\n|---|---|---|---|\n| 10 | sink | Washing | 15 |\n| 20 | oven | Drying | 40 |"
    )

    assert [(one["process-id"], minutes(one), one["resources"]) for one in steps] == [
        ("Washing", [15, 15], ["sink"]),
        ("Drying", [40, 40], ["oven"]),
    ]


def test_two_orders_of_the_same_columns_are_the_same_steps() -> None:
    name_first = told("cut to size, saw, 12 min\nplane the faces, planer, 18 min\nsand, wide belt sander, 25 min")
    machine_first = told("saw, cut to size, 12 min\nplaner, plane the faces, 18 min\nwide belt sander, sand, 25 min")

    assert machine_first == name_first
    assert [one["resources"] for one in name_first] == [["saw"], ["planer"], ["wide belt sander"]]


def test_a_clock_time_is_no_number_of_minutes() -> None:
    steps = told("All in minutes. Sawing 15, saw. Each load goes in at 22:00 and comes out at 04:00.")

    assert [minutes(one) for one in steps] == [[15, 15]]
