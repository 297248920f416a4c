"""The pack as a client meets it: a year of eight weeks made, published, read, judged and questioned."""

from datetime import UTC, datetime

import pytest

from cpr_checker import breaches, impossible_cells, shortages
from packhorse.contract.principal import Principal
from packhorse.testing import deployment_for
from packhorse_scheduling import models, pack
from packhorse_scheduling.domain.roster.roster import assignment_id_of
from wire import NOW, call, desk_in, read

pytestmark = pytest.mark.anyio


async def test_a_generated_schedule_is_lawful_by_an_independent_reading(served, small):
    _, desk, made = served
    cells = desk.current().schedule.cells
    assert breaches(small, cells) == []
    assert shortages(small, cells) == []
    assert impossible_cells(small, cells) == []
    assert made["statistics"]["compliance_status"] == "COMPLIANT"
    assert made["validation_results"] == {"is_valid": True, "violations": []}
    assert all(stage["stage_gap"] <= 0.005 for stage in made["stages"])


async def test_a_generated_schedule_is_no_empty_one(served, small):
    _, desk, made = served
    assert made["statistics"]["utilization_rate"] > 0.6
    by_person = {person.key: 0 for person in small.people}
    for cell in desk.current().schedule.cells:
        by_person[cell[0]] += 1
    assert min(by_person.values()) > 10


async def test_the_published_schedule_is_read_in_the_specification_s_shape(served, small):
    deployment, desk, _ = served
    page = await read(deployment, "schedule://current")
    assert page["academic_year"] == "2026-2027"
    assert page["total_blocks"] == 56
    assert page["metadata"]["total_assignments"] == len(page["assignments"]) == len(desk.current().schedule.cells)
    row = page["assignments"][0]
    assert set(row) == {
        "id", "person_id", "person_name", "person_role", "block_id", "block_date", "block_session", "rotation_id",
        "rotation_name", "hours",
    }  # fmt: skip
    assert max(row["hours"] for row in page["assignments"]) <= 12


async def test_blocks_are_two_a_day_with_their_ids(served, small):
    page = await read(served[0], "schedule://blocks")
    assert page["total_blocks"] == len(page["blocks"]) == 56
    assert {block["typical_hours"] for block in page["blocks"]} == {0.0, 4.0}
    fourth = [block for block in page["blocks"] if block["date"] == "2026-07-03"]
    assert [block["is_holiday"] for block in fourth] == [True, True]  # Independence Day, observed


async def test_somebody_s_own_page_is_theirs_and_nobody_else_s(served, small):
    deployment, _, _ = served
    person = small.people[0]
    page = await read(deployment, f"schedule://person/{person.id}")
    assert page["person"]["name"] == person.name
    assert page["compliance"]["is_compliant"] is True
    assert page["statistics"]["total_hours"] == sum(row["hours"] for row in page["assignments"])
    stranger = Principal("human", subject="somebody", roles=frozenset({"RESIDENT"}))
    with pytest.raises(Exception, match="only their own"):
        await read(deployment, f"schedule://person/{person.id}", stranger)


async def test_a_validation_says_so_in_words_and_can_be_read_back(served):
    deployment, _, made = served
    reply = await call(deployment, "validate_schedule", {"schedule_id": made["schedule_id"]})
    assert reply.structured_content["is_valid"] is True
    assert reply.content[0].text.startswith("The schedule is valid: no violations")
    uri = str(reply.content[1].resource.uri)
    assert uri.startswith("validation://result/")
    assert await read(deployment, uri) == reply.structured_content


async def test_a_result_belongs_to_who_asked_and_to_planners(served):
    deployment, _, made = served
    reply = await call(deployment, "validate_schedule", {"schedule_id": made["schedule_id"]})
    stranger = Principal("human", subject="somebody", roles=frozenset({"FACULTY"}))
    with pytest.raises(Exception, match="person who asked"):
        await read(deployment, str(reply.content[1].resource.uri), stranger)


async def test_a_swap_the_tool_calls_feasible_leaves_a_lawful_roster(served, small):
    deployment, desk, _ = served
    opened = desk.current()
    tried = 0
    for person, day, half, _ in opened.schedule.cells[:400:7]:
        asked = {
            "swap_type": "ABSORB",
            "requester_id": next(p.id for p in small.people if p.key == person),
            "block_ids": [next(b.id for b in small.year.blocks if (b.day, b.session) == (day, ("AM", "PM")[half]))],
        }
        reply = (await call(deployment, "check_swap_feasibility", asked)).structured_content
        if not reply["is_feasible"]:
            assert reply["blocking_reasons"]
            continue
        taker = reply["suggestions"][0]["candidate_id"]
        one = await call(deployment, "check_swap_feasibility", {**asked, "target_person_id": taker})
        assert one.structured_content["is_feasible"]
        tried += 1
        if tried == 3:
            break
    assert tried


@pytest.mark.parametrize(
    ("changed", "code", "says"),
    [
        pytest.param({"target_person_id": None}, "VALIDATION_ERROR", "required for ONE_TO_ONE", id="no target"),
        pytest.param({"target_person_id": "self"}, "VALIDATION_ERROR", "must be another person", id="with oneself"),
        pytest.param({"requester_id": "nobody"}, "NOT_FOUND", "no person", id="an unknown person"),
        pytest.param({"block_ids": ["nobody"]}, "NOT_FOUND", "no block", id="an unknown block"),
    ],
)
async def test_a_swap_is_refused(served, small, changed, code, says):
    people = {"self": small.people[0].id, "nobody": "00000000-0000-5000-8000-000000000000"}
    asked = {
        "swap_type": "ONE_TO_ONE",
        "requester_id": small.people[0].id,
        "target_person_id": small.people[1].id,
        "block_ids": [small.year.blocks[0].id],
    }
    for key, value in changed.items():
        asked[key] = [people[v] for v in value] if isinstance(value, list) else people.get(value, value)
    asked = {key: value for key, value in asked.items() if value is not None}
    reply = await call(served[0], "check_swap_feasibility", asked)
    assert reply.is_error
    assert reply.meta["packhorse/error"]["code"] == code
    assert says in reply.content[0].text


async def test_a_block_that_has_passed_cannot_be_swapped(tmp_path, served, small):
    _, desk, _ = served
    person, day, half, _ = desk.current().schedule.cells[0]
    later = deployment_for(
        data_dir=tmp_path,
        clock=lambda: datetime(2026, 12, 1, tzinfo=UTC),
        scheduling=pack,
    )
    shelf = desk_in(tmp_path)
    shelf.import_programme(small)
    with shelf.rosters() as rosters, desk.rosters() as source:
        newest = rosters.newest_programme()
        from attrs import evolve

        rosters.save_schedule(evolve(source.published(), programme=newest[0]))
    block = next(b for b in small.year.blocks if (b.day, b.session) == (day, ("AM", "PM")[half]))
    asked = {
        "swap_type": "ABSORB",
        "requester_id": next(p.id for p in small.people if p.key == person),
        "block_ids": [block.id],
    }
    reply = await call(later, "check_swap_feasibility", asked)
    assert reply.structured_content["is_feasible"] is False
    assert "has passed" in reply.structured_content["blocking_reasons"][0]


async def test_contingency_names_people_whose_loss_is_felt(served, small):
    reply = await call(served[0], "analyze_contingency", {})
    body = reply.structured_content
    worst = body["n_minus_1_result"]["critical_persons"][0]
    assert worst["affected_blocks"] > 0
    assert 0 < worst["impact_score"] <= 1
    assert "(N-2)." in reply.content[0].text


async def test_an_unpublished_roster_is_not_there_and_is_said_so(tmp_path):
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
    reply = await call(deployment, "validate_schedule", {})
    assert reply.is_error
    error = reply.meta["packhorse/error"]
    assert (error["code"], error["jsonrpc_code"]) == ("NOT_FOUND", -32002)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        pytest.param({"start_date": "2026-07-20", "end_date": "2026-07-02"}, "before `start_date`", id="reversed"),
        pytest.param({"end_date": "2046-07-02"}, "outside the programme", id="twenty years"),
        pytest.param({"academic_year": "2030-2031"}, "the year of the imported programme", id="another year"),
        pytest.param({"start_date": "2026-02-31"}, "not a date that exists", id="not a date"),
    ],
)
async def test_generation_is_refused_and_nothing_stored(tmp_path, small, changed, says):
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)
    desk = desk_in(tmp_path)
    desk.import_programme(small)
    asked = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2026-07-28", **changed}
    reply = await call(deployment, "generate_schedule", asked)
    assert reply.is_error
    assert says in reply.content[0].text
    with desk.rosters() as rosters:
        assert rosters.next_version() == 1


async def test_what_is_not_there_is_named_in_the_details(served):
    nobody = "00000000-0000-5000-8000-000000000000"
    reply = await call(served[0], "validate_schedule", {"schedule_id": nobody})
    assert reply.meta["packhorse/error"]["details"] == {"resource_type": "schedule", "resource_id": nobody}


PLANNERS = {"COORDINATOR", "ADMIN"}
EVERYBODY = PLANNERS | {"FACULTY", "RESIDENT", "RN", "LPN", "MSA"}
ROLES = {
    "validate_schedule": PLANNERS,
    "check_swap_feasibility": PLANNERS | {"FACULTY"},
    "analyze_contingency": PLANNERS,
    "suggest_resolution": PLANNERS,
    "generate_schedule": PLANNERS,
    "solve_roster": PLANNERS,
    "publish_schedule": PLANNERS,
    "snapshot_schedule": PLANNERS,
    "repair_schedule": PLANNERS,
    "execute_swap": PLANNERS,
    "detect_conflicts": PLANNERS,
    "analyze_swap_candidates": PLANNERS,
    "run_contingency_analysis": PLANNERS,
    "check_utilization_threshold": PLANNERS,
    "get_defense_level": PLANNERS,
    "get_static_fallbacks": PLANNERS,
    "analyze_hub_centrality": PLANNERS,
    "execute_sacrifice_hierarchy": PLANNERS,
    "check_swaps_feasibility": PLANNERS | {"FACULTY"},
    "optimize_rotation_balance": PLANNERS,
    "generate_coverage_report": PLANNERS,
    "simulate_scenario": PLANNERS,
    "get_backup_call_pool": PLANNERS,
    "show_health": PLANNERS,
    "show_roster": EVERYBODY,
    "find_person": EVERYBODY,
    "rag_search": EVERYBODY,
    "record_leave": EVERYBODY,
    "explain_assignment": EVERYBODY,
    "change_rotation": PLANNERS,
    "compare_versions": PLANNERS,
    "request_swap": EVERYBODY,
    "respond_swap": EVERYBODY,
    "list_requests": EVERYBODY,
    "rank_wishes": EVERYBODY,
    "answer_request": PLANNERS,
    "change_assignment": EVERYBODY,
    "calendar_address": EVERYBODY,
    "withdraw_request": EVERYBODY,
}
"""The specification's table, and below it our own tools' (where everybody: for themselves)."""
LIMITS = {"validate_schedule": "30/hour", "analyze_contingency": "10/hour", "generate_schedule": "1 per 5 minutes"}


def test_roles_and_limits_are_the_specification_s(served):
    tools = {name: entry.offer for name, entry in served[0].catalogue.tools.items() if not name.startswith("job_")}
    assert {name: set(tool.roles) for name, tool in tools.items()} == ROLES
    assert {name: tool.limit for name, tool in tools.items() if tool.limit} == LIMITS


def test_an_assignment_s_id_is_from_person_and_block_alone():
    first, again = (assignment_id_of("R01", datetime(2026, 7, 1, tzinfo=UTC).date(), half) for half in (0, 0))
    assert first == again
    assert models.VALIDATION["required"][0] == "is_valid"
