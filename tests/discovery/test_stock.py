"""What people say they have, and how many of each (``stock.json``): numbers and nouns in whichever order."""

import json
from pathlib import Path
from typing import Any

import pytest

from packhorse_discovery.domain.binding import stems
from packhorse_discovery.domain.stock import things

TOLD: list[dict[str, Any]] = json.loads((Path(__file__).parent / "stock.json").read_text("utf-8"))


def counts(said: str, known: tuple[str, ...]) -> dict[str, int | None]:
    return {stems(one.label): int(one.rest.split()[0]) if one.rest else None for one in things(said, known)}


@pytest.mark.parametrize("told", TOLD, ids=lambda one: one["said"][:40])
def test_things_are_counted_as_they_are_told(told: dict[str, Any]) -> None:
    assert counts(told["said"], tuple(told["known"])) == {stems(name): many for name, many in told["counts"].items()}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("- 1x each: imager, etcher\n- 2x each: press, drill\n- tester: 2 (a third one is on loan)", [1, 1, 2, 2, 2]),
        ("- kiln: 1\n- inspector: 1 (Priya)", [1, 1]),
        ("Tanks we have six. Mill, kettle and cooler, from these we have only one piece each.", [6, 1, 1, 1]),
        ("One each of the other two, that is the scanner and the oven. Mills: three.", [1, 1, 3]),
    ],
)
def test_one_number_for_several_things_is_each_one_s(said: str, expected: list[int]) -> None:
    assert [int(one.rest.split()[0]) for one in things(said)] == expected


def test_a_total_of_machines_and_one_beside_them_fits_one_of_each() -> None:
    assert counts("Three machines and Marit. One of each.", ("saw", "lathe", "drill", "Marit")) == {
        stems(name): 1 for name in ("saw", "lathe", "drill", "Marit")
    }


@pytest.mark.parametrize("said", ["Saws and lathes: two.", "Two or three saws.", "Up to four saws.", "A few saws."])
def test_a_number_that_is_not_sure_is_left_open(said: str) -> None:
    assert not any(one.rest for one in things(said, ("saw", "lathe")))


def test_what_is_sorted_under_headings_is_named_without_the_headings() -> None:
    told = "- **Cutting**\n  - band saws\n  - cold saws (2)\n- **Handling**\n  - forklifts + pallet jacks (3)"

    assert [one.label for one in things(told)] == ["band saws", "cold saws", "forklifts", "pallet jacks"]


@pytest.mark.parametrize("piece", ["kiln ", "two kilns and a wheel, ", "one each of kilns, ", "of the ", "x2 "])
def test_a_long_answer_ends(piece: str) -> None:
    assert things(piece * 2000, ("kiln", "glaze table by the window")) is not None
