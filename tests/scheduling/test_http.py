"""The roster over real HTTP: many readers at once, and the endpoints of the specification's appendix B."""

import json
import re

import anyio
import httpx2
import pytest
from attrs import evolve
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from live_http import bearing, deployed, serving
from spec_schemas import SPECIFICATION
from test_specification import check
from wire import desk_in

pytestmark = pytest.mark.anyio

NOBODY = "00000000-0000-5000-8000-000000000000"


@pytest.fixture(scope="module")
def desk(tmp_path_factory, served, small):
    folder = tmp_path_factory.mktemp("http")
    desk = desk_in(folder)
    people = tuple(evolve(person, subject=f"sub-{person.key}") for person in small.people)
    made = desk.import_programme(evolve(small, people=people))
    with desk.rosters() as rosters:
        rosters.save_schedule(evolve(served[1].current().schedule, programme=made, parent=None, status="published"))
    return folder, desk


@pytest.fixture(scope="module")
def address(desk):
    with serving(deployed(desk[0], own={"public_url": "https://roster.example.org"})) as found:
        yield found


@pytest.fixture(scope="module")
def planner(address):
    with httpx2.Client(base_url=address, headers=bearing("COORDINATOR"), timeout=120) as client:
        yield client


async def test_a_hundred_readers_at_once_all_get_the_same_roster(address, desk):
    read: list[str] = []

    async def one(client):
        read.append((await client.read_resource("schedule://current")).contents[0].text)

    async with (
        httpx2.AsyncClient(headers=bearing("RESIDENT"), timeout=300, limits=httpx2.Limits(max_connections=100)) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode="2026-07-28") as client,
        anyio.create_task_group() as tasks,
    ):
        for _ in range(100):
            tasks.start_soon(one, client)
    assert len(read) == 100
    assert len(set(read)) == 1
    page = json.loads(read[0])
    assert page["metadata"]["total_assignments"] == len(desk[1].current().schedule.cells) > 500


def endpoints():
    if not SPECIFICATION.exists():
        pytest.skip(f"{SPECIFICATION} is not here")
    rows = re.findall(r"^\| `([^`]+)` \| (GET|POST) \| `([^`]+)` \|", SPECIFICATION.read_text(), flags=re.MULTILINE)
    return {name: (method, path) for name, method, path in rows}


def test_every_row_of_appendix_b_is_offered_at_its_path(desk):
    deployment = deployed(desk[0])
    offers = {**deployment.catalogue.tools, **deployment.catalogue.resources}
    assert len(endpoints()) == 11
    for name, (method, path) in endpoints().items():
        assert offers[name].offer.meta["packhorse/http"] == f"{method} {path}"


PAGES = {
    "schedules/current": "schedule://current",
    "schedules/person/{person}": "schedule://person/{id}",
    "resilience/health": "resilience://health",
    "analytics/fairness": "analytics://fairness",
    "analytics/workload": "analytics://workload",
}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_over_http_is_that_of_the_protocol(planner, small, path):
    answer = planner.get(f"/api/v1/mcp/{path.replace('{person}', small.people[0].id)}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.headers["cache-control"] == "no-store"
    check(answer.json(), PAGES[path], "Response Schema")


def test_blocks_over_http(planner, small):
    assert planner.get("/api/v1/mcp/blocks").json()["total_blocks"] == len(small.year.blocks)


def test_tools_over_http_answer_as_over_the_protocol(planner, small):
    block = small.year.blocks[20].id
    people = [person for person in small.people if person.role == "RESIDENT"]
    calls = {
        "schedules/validate": ("validate_schedule", {}),
        "swaps/check-feasibility": (
            "check_swap_feasibility",
            {"swap_type": "ONE_TO_ONE", "requester_id": people[0].id, "target_person_id": people[1].id,
             "block_ids": [block]},
        ),
        "resilience/analyze-contingency": ("analyze_contingency", {"analysis_type": "N_MINUS_1"}),
        "conflicts/suggest-resolution": (
            "suggest_resolution", {"conflict_type": "UNDERSTAFFED", "affected_blocks": [block]},
        ),
    }  # fmt: skip
    for path, (tool, arguments) in calls.items():
        answer = planner.post(f"/api/v1/mcp/{path}", json=arguments)
        assert answer.status_code == 200, answer.text
        check(answer.json(), tool, "Output Schema")


def test_a_generation_over_http_is_done_within_the_request_where_it_is_asked_to(planner):
    asked = {
        "academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2026-07-28",
        "generation_mode": "PARTIAL", "async": False,
    }  # fmt: skip
    answer = planner.post("/api/v1/mcp/schedules/generate", json=asked)
    assert answer.status_code == 200, answer.text
    check(answer.json(), "generate_schedule", "Output Schema (Sync Mode - Completed)")
    again = planner.post("/api/v1/mcp/schedules/generate", json=asked)
    assert again.status_code == 429
    assert 0 < int(again.headers["retry-after"]) <= 300
    assert again.json()["error"]["code"] == -32029


@pytest.mark.parametrize(
    ("method", "path", "role", "body", "status", "code"),
    [
        pytest.param("POST", "schedules/validate", "RN", {}, 403, -32001, id="another role"),
        pytest.param("GET", "analytics/fairness", "RESIDENT", None, 403, -32001, id="another role's page"),
        pytest.param("GET", f"schedules/person/{NOBODY}", "RESIDENT", None, 403, -32001, id="somebody else"),
        pytest.param("GET", f"schedules/person/{NOBODY}", "ADMIN", None, 404, -32002, id="nobody"),
        pytest.param("GET", "schedules/person/..%2f..", "ADMIN", None, 404, None, id="out of the folder"),
        pytest.param("POST", "schedules/validate", "ADMIN", {"schedule_id": NOBODY}, 404, -32002, id="no schedule"),
        pytest.param("POST", "schedules/validate", "ADMIN", {"rules": []}, 422, -32602, id="a wrong argument"),
        pytest.param("POST", "schedules/validate", "ADMIN", [], 422, -32602, id="no object"),
        pytest.param("GET", "schedules/generation/jobs/x", "ADMIN", None, 404, -32002, id="no job"),
        pytest.param("GET", "schedules/validate", "ADMIN", None, 405, None, id="another method"),
        pytest.param("GET", "nothing/here", "ADMIN", None, 404, None, id="no such path"),
    ],
)
def test_a_refusal_over_http_has_the_status_and_the_code(address, method, path, role, body, status, code):
    headers = bearing(role, sub=f"r-{role}")
    answer = httpx2.request(method, f"{address}/api/v1/mcp/{path}", headers=headers, json=body, timeout=60)
    assert answer.status_code == status, answer.text
    if code is not None:
        error = answer.json()["error"]
        assert error["code"] == code
        assert set(error["data"]) >= {"error_type", "details", "timestamp", "request_id"}


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer x.y.z"}, bearing("ADMIN", secret="no secret of this server, but long")]
)
def test_who_does_not_sign_in_is_told_where(address, headers):
    answer = httpx2.get(f"{address}/api/v1/mcp/schedules/current", headers=headers, timeout=60)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["error"]["code"] in (-32000, -32001)


@pytest.mark.parametrize(
    ("headers", "content", "status"),
    [
        pytest.param({"Content-Type": "text/plain"}, b"{}", 415, id="no JSON"),
        pytest.param({"Content-Type": "application/json"}, b"{", 400, id="half an object"),
        pytest.param({"Content-Type": "application/json"}, b'{"a": 1, "a": 2}', 400, id="one key twice"),
        pytest.param({"Content-Type": "application/json", "Origin": "https://evil.example"}, b"{}", 403, id="a page"),
        pytest.param({"Content-Type": "application/json", "Host": "evil.example"}, b"{}", 421, id="another host"),
    ],
)
def test_the_gate_stands_before_plain_http_too(address, headers, content, status):
    answer = httpx2.post(
        f"{address}/api/v1/mcp/schedules/validate", headers={**bearing("ADMIN"), **headers}, content=content, timeout=60
    )
    assert answer.status_code == status


def test_a_resident_fetches_their_own_page_over_http(address, small):
    person = small.people[0]
    mine = bearing("RESIDENT", sub=f"sub-{person.key}")
    answer = httpx2.get(f"{address}/api/v1/mcp/schedules/person/{person.id}", headers=mine, timeout=60)
    assert answer.status_code == 200
    assert answer.json()["person"]["id"] == person.id
