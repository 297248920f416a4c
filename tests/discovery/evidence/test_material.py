"""The material is well formed: what it expects can be read, and adds up."""

import datetime as dt
import json
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
TABLES = json.loads((HERE / "tables.json").read_text())
JOB_SHOPS = json.loads((HERE / "jobshop_tables.json").read_text())
INFEASIBLE = json.loads((HERE / "infeasible.json").read_text())
SHARED = HERE.parents[3] / "shared" / "discovery" / "modelling" / "optmath_job_shops.json"
CARDS = {path.stem: json.loads(path.read_text()) for path in sorted((HERE / "cards").glob("*.json"))}


def test_there_are_forty_hours_tables_and_forty_dates_of_different_styles():
    assert len({entry["style"] for entry in TABLES["hours"]}) == 40
    assert len({(entry["text"], entry["interview_day"], entry.get("start_day")) for entry in TABLES["dates"]}) == 40


@pytest.mark.parametrize("entry", TABLES["hours"], ids=lambda entry: entry["id"])
def test_an_hours_table_expects_rows_or_a_question(entry):
    assert ("rows" in entry) != entry.get("ask", False)
    for row in entry.get("rows", []):
        assert row["days"]
        assert set(row["days"]) <= set(WEEKDAYS)
        assert all(re.fullmatch(r"([01]\d|2[0-4]):[0-5]\d", row[key]) for key in ("start", "end"))


@pytest.mark.parametrize("entry", TABLES["dates"], ids=lambda entry: entry["id"])
def test_a_date_expects_a_day_or_a_question(entry):
    assert ("expected" in entry) != entry.get("ask", False)
    if "expected" in entry:
        assert dt.date.fromisoformat(entry["expected"][:10]) > dt.date.fromisoformat(entry["interview_day"])


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_a_card_has_what_its_player_and_its_judge_need(card):
    assert set(card) >= {"opening", "voice", "truth", "facts", "answer"}
    assert card["truth"]["rules"]
    assert {fact["value"] for fact in card["facts"] if fact["fact"] == "rule"} == {
        rule["rule"] for rule in card["truth"]["rules"]
    }
    for job in card["truth"].get("jobs", []):
        durations = [step["duration"] for step in job["steps"]]
        abouts = [f"{job['job']}: {step['step']}" for step in job["steps"]]
        stated = {f["about"]: f["value"] for f in card["facts"] if f["fact"] == "duration"}
        assert [stated[about] for about in abouts] == durations


def test_every_job_shop_has_a_table_or_says_what_it_lacks():
    if not SHARED.exists():
        pytest.skip(f"{SHARED} is absent")
    entries = JOB_SHOPS["complete"] + JOB_SHOPS["incomplete"]
    assert sorted(e["id"] for e in entries) == sorted(problem["id"] for problem in json.loads(SHARED.read_text()))
    for entry in JOB_SHOPS["complete"]:
        cells = [row.strip("| ").split(" | ") for row in entry["table"].splitlines()[2:]]
        assert all(len(row) == 4 and all(row) for row in cells)
    assert all(entry["lacks"] for entry in JOB_SHOPS["incomplete"])


@pytest.mark.parametrize("case", INFEASIBLE, ids=lambda case: case["id"])
def test_a_conflict_points_at_facts_of_its_case(case):
    assert case["conflict"]
    assert not set(case["conflict"]) & set(case["background"])
    for pointer in case["conflict"] + case["background"]:
        node = case["refinement"]
        for key in pointer.split("/")[1:]:
            node = node[int(key)] if isinstance(node, list) else node[key]
        assert node not in (None, [], "")


def test_there_are_twenty_infeasible_cases():
    assert len({case["title"] for case in INFEASIBLE}) == 20
