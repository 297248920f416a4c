"""A programme starts in the middle of its year: from an imported roster of what was, or with nothing known before."""

from datetime import UTC, date, datetime, timedelta

import pytest

from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.insight.workload import workloads
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.service.imports import import_roster
from wire import call, code_of, desk_in, done, read

pytestmark = pytest.mark.anyio
TODAY = date(2026, 7, 13)
ASKED = {"academic_year": "2026-2027", "start_date": "2026-07-13", "end_date": "2026-07-28", "async": False}


@pytest.fixture
def begun(tmp_path, small):
    """A deployment on a day in the middle of the programme, with nothing published."""
    desk = desk_in(tmp_path)
    desk.import_programme(small)
    return on_the_day(tmp_path), desk


def on_the_day(folder):
    """A deployment of its own has generate_schedule's one call in five minutes."""
    now = datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)
    return deployment_for(data_dir=folder, clock=lambda: now, scheduling=pack)


async def test_a_roster_of_what_was_is_imported_and_published_and_the_rest_is_made_behind_it(begun, served):
    deployment, desk = begun
    was = [cell for cell in served[1].current().schedule.cells if cell[1] < TODAY]
    draft = import_roster(desk, was, None)
    published = await done(deployment, "publish_schedule", {"schedule_id": draft.schedule.id})
    assert published["compliance_status"] == "COMPLIANT"
    made = await done(deployment, "generate_schedule", ASKED)
    assert made["statistics"]["utilization_rate"] > 0.6
    await done(deployment, "publish_schedule", {"schedule_id": made["schedule_id"]})
    now = desk.current()
    assert {cell for cell in now.schedule.cells if cell[1] < TODAY} == set(was)
    assert [one for one in now.violations() if one.blocks and one.first >= now.kernel.day_of(TODAY)] == []


async def test_from_a_stated_date_nothing_before_is_made_up_and_every_figure_starts_there(begun):
    deployment, desk = begun
    made = await done(deployment, "generate_schedule", {**ASKED, "start_date": "2026-07-15"})
    await done(deployment, "publish_schedule", {"schedule_id": made["schedule_id"]})
    opened = desk.current()
    first = date(2026, 7, 15)
    assert min(cell[1] for cell in opened.schedule.cells) == first
    weeks = (await read(deployment, "analytics://trends"))["weeks"]
    assert [week["week_start"] for week in weeks] == ["2026-07-20"]
    load = await read(deployment, "analytics://workload")
    assert load["time_period"]["start_date"] == str(first)
    days = (opened.programme.year.end - first).days + 1
    for one in workloads(opened.kernel, opened.grid):
        assert one.weekly == pytest.approx(one.total * 7 / days)
    present = 2 * int((~opened.kernel.away[:, opened.kernel.day_of(first) :]).sum())
    assert made["statistics"]["utilization_rate"] == pytest.approx(len(opened.schedule.cells) / present, abs=1e-4)


async def test_a_part_in_the_middle_of_the_year_is_refused_with_a_step_that_works(begun, tmp_path):
    deployment, desk = begun
    reply = await call(deployment, "generate_schedule", {**ASKED, "start_date": "2026-07-15", "end_date": "2026-07-22"})
    assert code_of(reply) == "VALIDATION_ERROR"
    words = reply.content[0].text
    assert "import that roster first" in words
    end = desk.programme()[1].year.end
    assert f"from 2026-07-15 to {end}" in words
    await done(on_the_day(tmp_path), "generate_schedule", {**ASKED, "start_date": "2026-07-15", "end_date": str(end)})


async def test_a_roster_in_force_is_not_cut_short_by_a_draft_that_ends_early(in_force):
    at, desk = in_force
    opened = desk.current()
    cut = import_roster(desk, [cell for cell in opened.schedule.cells if cell[1] < TODAY + timedelta(days=3)], None)
    assert isinstance(cut, Opened)
    assert code_of(await call(at(), "publish_schedule", {"schedule_id": cut.schedule.id})) == "CONSTRAINT_VIOLATION"
