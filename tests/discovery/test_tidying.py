"""A refinement written in another way than its schema's is put right, and what has no place comes back."""

from typing import Any

import pytest

from packhorse_discovery.domain.interview.tidying import tidied
from packhorse_discovery.service.library import library

STEPS, ORDERS = (library().get(name) for name in ("process/flow-shop", "data/orders"))
KIND = library().get("process/scheduling-problem-type")
MINUTES = {"value-string": "20", "units": "minutes"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"duration": "20 minutes"}, {"duration": MINUTES}),
        ({"duration": {"value-string": 20, "units": "minutes"}}, {"duration": MINUTES}),
        ({"duration": {"value": "20 minutes"}}, {"duration": MINUTES}),
        ({"duration": {"value": "20 minutes", "quote": "twenty"}}, {"duration": MINUTES, "quote": "twenty"}),
        ({"resources": "oven"}, {"resources": ["oven"]}),
        ({"subprocess-flow": "Whole batch"}, {"subprocess-flow": "whole-batch"}),
    ],
)
def test_another_way_to_write_a_value_is_understood(written: dict[str, Any], meant: dict[str, Any]) -> None:
    assert STEPS is not None
    found = tidied({"subprocesses": [{"process-id": "bake", **written}]}, STEPS)

    assert found.misfits == []
    assert found.refinement == {"subprocesses": [{"process-id": "bake", **meant}]}


def test_a_choice_is_understood_by_its_label() -> None:
    assert KIND is not None
    found = tidied({"principal-problem-type": "flow shop"}, KIND)

    assert found.refinement == {"principal-problem-type": "FLOW-SHOP"}


@pytest.mark.parametrize(
    ("written", "path", "words"),
    [
        ({"orders": [{"order-id": "A", "dew": "5 days"}]}, "/orders/a/dew", "did you mean 'due'"),
        ({"orders": [{"product": "pens"}]}, "/orders", "every row needs its order-id"),
        ({"orders": [{"order-id": "A", "priority": "high"}]}, "/orders/a/priority", "must be a number"),
        ({"things": 3}, "/things", "Fields: orders, precedences, origin, rules"),
    ],
)
def test_what_has_no_place_comes_back_with_what_there_is(written: dict[str, Any], path: str, words: str) -> None:
    assert ORDERS is not None
    [misfit] = tidied(written, ORDERS).misfits

    assert misfit.path == path
    assert words in misfit.words
