"""A search that is ended leaves its roster up to the last block, and says up to which day and why."""

import json
import os
import signal
from datetime import timedelta

import pytest
from attrs import evolve

from packhorse import UserError
from packhorse.jobs import Running
from packhorse.testing import connected, deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.solve.wishes import Aims
from packhorse_scheduling.tools import generation
from wire import NOW, desk_in

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture(scope="module")
def pool(programme):
    """Six weeks of the sample's people, without rotations."""
    year = Year(programme.year.start, programme.year.start + timedelta(days=41))
    leaves = tuple(leave for leave in programme.leaves if leave.start in year and leave.end in year)
    wishes = tuple(wish for wish in programme.preferences if wish.day in year)
    return evolve(programme, year=year, leaves=leaves, preferences=wishes, rotations=())


def asked(programme, **changed):
    year = programme.year
    return {"academic_year": "2026-2027", "start_date": f"{year.start}", "end_date": f"{year.end}", **changed}


def made(desk, programme, **changed):
    year = programme.year
    return desk.generate(
        start=year.start, end=year.end, mode="FULL", aims=Aims(), enforce=True, locked=(), by="somebody", **changed
    )


def lawful_up_to(opened, last):
    return not [one for one in opened.violations() if one.blocks and opened.kernel.date_of(one.last) <= last]


@pytest.mark.drill
def test_a_kill_after_any_block_leaves_the_roster_up_to_it_and_a_second_run_finishes_it(tmp_path, pool, monkeypatch):
    desk = desk_in(tmp_path)
    desk.import_programme(pool)
    name = desk.host.new_id()
    for blocks in (1, 2):
        child = os.fork()
        if child == 0:

            def at_block(done, total, words, blocks=blocks):
                if words.startswith(f"block {blocks} of"):
                    os.kill(os.getpid(), signal.SIGKILL)

            made(desk_in(tmp_path), pool, schedule_id=name, progress=at_block)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert status == signal.SIGKILL
        left = desk_in(tmp_path).opened(name)
        until = pool.year.start + timedelta(days=14 * blocks - 1)
        assert (left.schedule.until, left.schedule.compliance) == (until, "UNKNOWN")
        assert max(day for _, day, _, _ in left.schedule.cells) - until <= timedelta(days=1)  # a night ends a day later
        assert lawful_up_to(left, until)
    monkeypatch.setattr(Running, "host", desk.host)
    body = generation.run(Running(name, lambda said: None, dict), asked=asked(pool), by="somebody")
    whole = desk_in(tmp_path).opened(body["schedule_id"])
    assert (whole.schedule.id, whole.schedule.until, whole.schedule.compliance) == (name, None, "COMPLIANT")


def test_a_search_that_is_cancelled_says_which_draft_it_leaves_and_that_cannot_be_published(tmp_path, pool):
    desk = desk_in(tmp_path)
    desk.import_programme(pool)
    seen = []
    with pytest.raises(UserError, match="cancelled") as refused:
        made(desk, pool, progress=lambda done, total, words: seen.append(words),
             cancelled=lambda: any(words.startswith("block 1") for words in seen))  # fmt: skip
    until = pool.year.start + timedelta(days=13)
    assert f"until {until}" in refused.value.message
    name = refused.value.message.split("draft ")[1].split(".")[0]
    assert desk.opened(name).schedule.until == until
    with pytest.raises(UserError, match="cannot be published"):
        desk.publish(name, "coordinator")


@pytest.mark.drill
async def test_a_job_cancelled_at_the_wire_shows_on_its_page_up_to_which_day_its_draft_goes(tmp_path, programme):
    pytest.importorskip("dbos", reason="the part packhorse[jobs] is not installed")
    year = evolve(programme, rotations=())
    desk = desk_in(tmp_path)
    desk.import_programme(year)
    deployment = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack)

    async with connected(deployment) as client:

        async def page():
            return json.loads((await client.read_resource(started["status_url"])).contents[0].text)

        started = (await client.call_tool("generate_schedule", asked(year))).structured_content
        while "block" not in (await page())["progress"]["current_step"]:
            await client.call_tool("job_result", {"job_id": started["job_id"], "wait_seconds": 1})
        await client.call_tool("job_cancel", {"job_id": started["job_id"]})
        await client.call_tool("job_result", {"job_id": started["job_id"], "wait_seconds": 30})
        stands = await page()
    left = desk_in(tmp_path).opened(started["job_id"])
    assert stands["status"] == "FAILED"
    assert stands["schedule_id"] == started["job_id"]
    assert f"until {left.schedule.until} is kept as draft {started['job_id']}" in stands["progress"]["current_step"]
    assert lawful_up_to(left, left.schedule.until)
