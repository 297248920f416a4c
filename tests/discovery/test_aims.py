"""What people want of a schedule (``aims.json``), and what they say does not matter."""

import json
from pathlib import Path
from typing import Any

import pytest

from packhorse_discovery.domain.coercion import coerce
from packhorse_discovery.service.library import library

TOLD: list[dict[str, Any]] = json.loads((Path(__file__).parent / "aims.json").read_text("utf-8"))


@pytest.mark.parametrize("told", TOLD, ids=lambda one: one["said"][:40])
def test_the_first_aim_is_the_one_that_was_told(told: dict[str, Any]) -> None:
    eads = library().get("optimality/goals")
    assert eads is not None
    field = next(one for one in eads.leaves if one.name == "objectives")
    found = coerce(field, told["said"])

    assert (found.value[0] if found is not None else None) == told["first"]
