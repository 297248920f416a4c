"""Orders as people tell them (``promises.json``): how many, and the hours until each is due, from empty to sure."""

import json
from pathlib import Path
from typing import Any

import pytest

from packhorse_discovery.domain.promises import promised
from packhorse_discovery.domain.quantities import parse
from packhorse_discovery.domain.tellings import told_orders

TOLD: list[dict[str, Any]] = json.loads((Path(__file__).parent / "promises.json").read_text("utf-8"))


@pytest.mark.parametrize("told", TOLD, ids=lambda one: one["said"][:40])
def test_orders_have_the_number_and_the_time_that_were_told(told: dict[str, Any]) -> None:
    found = told_orders(told["said"])

    assert [
        [parse(one.amount).low if one.amount else None, (parse(one.when).typical_minutes or 0) / 60] for one in found
    ] == told["orders"]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("My daughter is fetching the apricot jam in 4 hours, that's two pans. Plums, 3 pans, in 6 hours.", 2),
        ("Pale ale for the wedding barn up the valley, three brews of it, they want that in a fortnight.", 1),
    ],
)
def test_a_long_telling_has_a_short_name(said: str, names: int) -> None:
    found = promised(said)

    assert len(found) == names
    assert all(len(one.name.split()) <= 3 for one in found)


@pytest.mark.parametrize("piece", ["in 3 days we owe 4 boxes, ", "due in 3 days ", "4 boxes, that's two. "])
def test_a_long_answer_ends(piece: str) -> None:
    assert promised(piece * 1000) is not None
