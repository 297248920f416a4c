"""What a whole year needs of the host: room for its page, the specification's handle, and plain HTTP."""

import pytest
from attrs import evolve
from starlette.routing import Route

from packhorse.http.app import Service
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.sample import Shape, sample
from packhorse_scheduling.domain.roster.roster import Schedule
from test_specification import check
from wire import NOW, call, desk_in, read

pytestmark = pytest.mark.anyio


async def test_a_whole_year_can_be_read_by_default(tmp_path):
    deployment, desk = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack), desk_in(tmp_path)
    programme = sample(Shape())
    made = desk.import_programme(programme)
    cells = tuple(
        (person.key, block.day, int(block.session == "PM"), "CLINIC")
        for person in programme.people
        for block in programme.year.blocks
    )
    with desk.rosters() as rosters:
        rosters.save_schedule(Schedule(desk.host.new_id(), 1, made, "published", "VIOLATIONS", NOW(), None, cells))
    page = await read(deployment, "schedule://current")
    assert page["metadata"]["total_assignments"] == 20 * 730


async def test_a_job_is_answered_with_the_specification_s_handle(tmp_path, small):
    pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")
    deployment, desk = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack), desk_in(tmp_path)
    desk.import_programme(evolve(small))
    asked = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2026-07-28"}
    reply = await call(deployment, "generate_schedule", asked)
    body = reply.structured_content
    check(body, "generate_schedule", "Output Schema (Async Mode)")
    assert body["status_url"] == f"generation://job/{body['job_id']}"


def test_the_service_itself_answers_plain_http(tmp_path):
    service = Service(deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack))
    paths = {route.path for route in service.app._routed.routes if isinstance(route, Route)}
    assert "/api/v1/mcp/schedules/current" in paths
