"""Fixtures of the circadian tests."""

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from packhorse_circadian import convert
from packhorse_circadian.models import AdaptationPlan, PlanQuestion
from packhorse_circadian.service import JetLagDesk

sys.path.insert(0, str(Path(__file__).parent))

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "circadian"

FLIGHT_TO_TOKYO = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "Asia/Tokyo",
    "departure_datetime": "2026-02-15T11:30",
    "arrival_datetime": "2026-02-16T15:45",
}


def on_its_way(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments of what_now or replan: those of the trip as its line, stretches as FROM/TO."""
    trip = {name: value for name, value in arguments.items() if name in PlanQuestion.model_fields and name != "detail"}
    rest = {name: value for name, value in arguments.items() if name not in trip}
    for name in ("slept", "bright_light"):
        if rest.get(name):
            rest[name] = [f"{stretch['start']}/{stretch['end']}" for stretch in rest[name]]
    question = PlanQuestion.model_validate_json(json.dumps(trip), strict=True)
    return {"trip": convert.line_from(question), **rest}


@pytest.fixture
def flight() -> Callable[..., dict[str, Any]]:
    """Valid arguments for a plan, with what the test is about overridden."""

    def build(**changed: Any) -> dict[str, Any]:
        return {**FLIGHT_TO_TOKYO, **changed}

    return build


@pytest.fixture
def planned() -> Callable[..., AdaptationPlan]:
    """The plan for a flight, asked for long before it; ``now`` is another present instant."""

    def ask(*, now: datetime = datetime(2026, 1, 1, tzinfo=UTC), **changed: Any) -> AdaptationPlan:
        return _planned(json.dumps({**FLIGHT_TO_TOKYO, **changed}), now)

    return ask


@cache
def _planned(arguments: str, now: datetime) -> AdaptationPlan:
    question = PlanQuestion.model_validate_json(arguments, strict=True)
    plan = JetLagDesk(lambda: now).plan(convert.trip_from(question))
    return convert.adaptation_plan_from(plan, asked_prep_days=question.prep_days)


@pytest.fixture(scope="session")
def scenarios() -> list[dict[str, Any]]:
    """The shared table of trips and what they must give."""
    table = SHARED / "scenarios.json"
    if not table.exists():
        pytest.skip(f"no {table.name} beside the checkout")
    found: list[dict[str, Any]] = json.loads(table.read_text())["scenarios"]
    return found
