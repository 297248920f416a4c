"""The shared table of trips, computed independently of this code."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from packhorse import UserError
from packhorse_circadian import convert
from packhorse_circadian.models import PhaseShiftQuestion, PlanQuestion
from packhorse_circadian.service import JetLagDesk

DESK = JetLagDesk(lambda: datetime(2026, 1, 1, tzinfo=UTC))


def phase_shift(arguments: dict[str, Any]) -> dict[str, Any]:
    question = PhaseShiftQuestion.model_validate_json(json.dumps(arguments), strict=True)
    return convert.phase_shift_from(DESK.shift(*convert.journey_from(question))).model_dump()


def plan(arguments: dict[str, Any]) -> dict[str, Any]:
    question = PlanQuestion.model_validate_json(json.dumps(arguments), strict=True)
    made = DESK.plan(convert.trip_from(question))
    return convert.adaptation_plan_from(made, asked_prep_days=question.prep_days).model_dump()


def test_every_phase_shift_comes_out_as_in_the_table(scenarios: list[dict[str, Any]]) -> None:
    cases = [
        case for case in scenarios if case["tool"] == "calculate_phase_shift" and not case["expected"].get("error")
    ]
    same = ("raw_shift_hours", "raw_direction", "optimal_shift_hours", "optimal_direction")

    assert cases
    for case in cases:
        found, expected = phase_shift(case["input"]), case["expected"]
        assert {key: found[key] for key in same} == {key: expected[key] for key in same}, case["id"]
        assert found["estimated_days"] == expected["estimated_days_seed_example_rule"], case["id"]
        if not expected["difficulty_in_gap"]:
            assert found["difficulty"] == expected["difficulty_landed_rule"], case["id"]


def test_every_plan_starts_and_shifts_as_in_the_table(scenarios: list[dict[str, Any]]) -> None:
    cases = [case for case in scenarios if case["expected"].get("flight_valid")]

    assert cases
    for case in cases:
        found, expected = plan(case["input"]), case["expected"]
        assert found["days"][0]["date"] == expected["first_day"], case["id"]
        for key in ("shift_hours", "shift_direction", "prep_days"):
            assert found["summary"][key] == expected[key], case["id"]


def test_everything_the_table_calls_wrong_is_refused(scenarios: list[dict[str, Any]]) -> None:
    cases = [
        case for case in scenarios if case["expected"].get("error") or case["expected"].get("flight_valid") is False
    ]

    assert cases
    for case in cases:
        ask = plan if case["tool"] == "get_adaptation_plan" else phase_shift
        with pytest.raises(UserError) as refused:
            ask(case["input"])
        assert refused.value.jsonrpc_code == -32602, case["id"]
