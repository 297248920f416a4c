"""What a call would change, said beforehand; and a change that comes in between."""

from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve

from packhorse import Context, Tool, hookimpl
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.tools.offered import offered
from test_changes import resident, shelf, wanted  # noqa: F401  # a fixture
from wire import NOW, call, code_of, done

pytestmark = pytest.mark.anyio


async def ahead(ctx: Context, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Say what a call would do."""
    seen = await ctx.foresee(tool, arguments)
    return {"preview": seen.preview, "version": seen.version}


async def as_seen(ctx: Context, version: str, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make a call on a version."""
    return dict((await ctx.call_expecting(version, tool, arguments)).structured)


@pytest.fixture
def watched(shelf, tmp_path):  # noqa: F811
    module = ModuleType("probe")
    probes = [Tool(fn=ahead, roles=("COORDINATOR",), read_only=True), Tool(fn=as_seen, roles=("COORDINATOR",))]
    module.register_tools = hookimpl(lambda: probes)
    return deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack, probe=module), shelf[1]


async def agreed(deployment, desk):
    asked, parties = wanted(desk)
    swap = await done(deployment, "request_swap", asked)
    for key in parties:
        answer = {"swap_id": swap["swap_id"], "accept": True}
        assert not (await call(deployment, "respond_swap", answer, resident(key))).is_error
    people = {person.key: person.name for person in desk.current().programme.people}
    return {"swap_id": swap["swap_id"]}, [people[key] for key in parties]


def test_every_tool_that_changes_something_says_beforehand_what_and_on_which_version(watched):
    for tool in offered(watched[1]):
        assert tool.version is not None
        assert (tool.preview is None) == tool.read_only, tool.fn


async def test_a_swap_says_who_works_what_on_which_day_and_changes_nothing_until_it_is_carried_out(watched):
    deployment, desk = watched
    named, names = await agreed(deployment, desk)
    before = desk.current().schedule
    seen = await done(deployment, "ahead", {"tool": "execute_swap", "arguments": named})
    assert all(name in seen["preview"] for name in names), seen
    assert any(month in seen["preview"] for month in ("2026-06", "2026-07")), seen
    assert desk.current().schedule == before
    assert f"v{before.version}" in seen["version"]


async def test_what_was_looked_at_on_a_version_is_stale_once_another_is_in_force(watched):
    deployment, desk = watched
    named, _ = await agreed(deployment, desk)
    seen = await done(deployment, "ahead", {"tool": "execute_swap", "arguments": named})
    kept = await done(deployment, "snapshot_schedule", {"label": "before"})
    await done(deployment, "publish_schedule", {"schedule_id": kept["schedule_id"]})
    bound = {"version": seen["version"], "tool": "execute_swap", "arguments": named}
    assert code_of(await call(deployment, "as_seen", bound)) == "STALE"
    assert desk.current().schedule.id == kept["schedule_id"], "nothing was written"
    again = await done(deployment, "ahead", {"tool": "execute_swap", "arguments": named})
    assert again["version"] != seen["version"]
    assert (await done(deployment, "as_seen", {**bound, "version": again["version"]}))["status"] == "executed"


async def test_what_was_looked_at_before_publishing_is_stale_once_a_programme_of_another_year_is_imported(watched):
    """It is not in force, so the version that publishing replaces is the same; the draft may be judged by it."""
    deployment, desk = watched
    kept = await done(deployment, "snapshot_schedule", {"label": "draft"})
    given = {"schedule_id": kept["schedule_id"]}
    seen = await done(deployment, "ahead", {"tool": "publish_schedule", "arguments": given})
    programme, before = desk.current().programme, desk.current().schedule.id
    later = Year(programme.year.start + timedelta(days=364), programme.year.end + timedelta(days=364))
    desk.import_programme(evolve(programme, year=later, leaves=(), locks=(), preferences=()))
    bound = {"version": seen["version"], "tool": "publish_schedule", "arguments": given}
    assert code_of(await call(deployment, "as_seen", bound)) == "STALE"
    assert desk.current().schedule.id == before


async def test_a_preview_refuses_what_the_call_would_refuse(watched):
    deployment, _ = watched
    year = {"academic_year": "1999-2000", "start_date": "1999-07-01", "end_date": "1999-07-28"}
    reply = await call(deployment, "ahead", {"tool": "generate_schedule", "arguments": year})
    assert code_of(reply) == "VALIDATION_ERROR"


def first_duty(desk):
    """A resident and a half-day of duty from today on: name, id, day, half."""
    opened = desk.current()
    people = {person.key: person for person in opened.programme.people}
    for key, day, half, _ in opened.schedule.cells:
        if people[key].role == "RESIDENT" and day > desk.today():
            return people[key].name, people[key].id, day.isoformat(), ("AM", "PM")[half]
    raise AssertionError("nobody works")


CHANGES = {
    "record_leave": lambda who, day, half: {"person_id": who, "start_date": day, "end_date": day, "kind": "sick"},
    "repair_schedule": lambda who, day, half: {"absences": [{"person_id": who, "start_date": day, "end_date": day}]},
    "change_assignment": lambda who, day, half: {"person_id": who, "block_id": f"{day} {half}", "confirm": True},
    "rank_wishes": lambda who, day, half: {"person_id": who, "wishes": [day]},
}


@pytest.mark.parametrize("tool", CHANGES)
async def test_a_preview_names_the_person_and_the_day_and_writes_nothing(watched, tool):
    deployment, desk = watched
    name, who, day, half = first_duty(desk)
    with desk.rosters() as rosters:
        before = list(rosters.store.query("SELECT count(*) AS n FROM changes"))
    seen = await done(deployment, "ahead", {"tool": tool, "arguments": CHANGES[tool](who, day, half)})
    assert name in seen["preview"]
    assert day in seen["preview"]
    with desk.rosters() as rosters:
        assert list(rosters.store.query("SELECT count(*) AS n FROM changes")) == before


async def test_a_swap_that_is_asked_for_answered_and_taken_back_is_told_by_its_people_and_day(watched):
    deployment, desk = watched
    asked, parties = wanted(desk)
    people = {person.key: person for person in desk.current().programme.people}
    names = [people[key].name for key in parties]
    seen = await done(deployment, "ahead", {"tool": "request_swap", "arguments": asked})
    assert all(name in seen["preview"] for name in names), seen
    swap = (await done(deployment, "request_swap", asked))["swap_id"]
    first = people[parties[0]].id
    for tool, given in (
        ("respond_swap", {"swap_id": swap, "accept": True, "person_id": first}),
        ("withdraw_request", {"request_id": swap}),
    ):
        seen = await done(deployment, "ahead", {"tool": tool, "arguments": given})
        assert all(name in seen["preview"] for name in names), seen
    for key in parties:
        await done(deployment, "respond_swap", {"swap_id": swap, "accept": True, "person_id": people[key].id})
    given = {"request_id": swap, "decision": "approve", "confirm": True}
    seen = await done(deployment, "ahead", {"tool": "answer_request", "arguments": given})
    assert "It changes" in seen["preview"]
    assert all(name in seen["preview"] for name in names), seen


async def test_an_absence_and_its_repair_are_one_call_on_the_version_that_was_looked_at(watched):
    """The call records leave, which makes a version of its own, and is not stale by that."""
    deployment, desk = watched
    _, who, day, half = first_duty(desk)
    given = CHANGES["repair_schedule"](who, day, half)
    seen = await done(deployment, "ahead", {"tool": "repair_schedule", "arguments": given})
    bound = {"version": seen["version"], "tool": "repair_schedule", "arguments": given}
    assert "schedule_id" in await done(deployment, "as_seen", bound)


@pytest.mark.parametrize("tool", ["request_swap", "respond_swap"])
async def test_words_about_a_swap_are_bound_to_a_version_too(watched, tool):
    deployment, desk = watched
    asked, parties = wanted(desk)
    given = asked
    if tool == "respond_swap":
        people = {person.key: person.id for person in desk.current().programme.people}
        swap = (await done(deployment, "request_swap", asked))["swap_id"]
        given = {"swap_id": swap, "accept": True, "person_id": people[parties[0]]}
    bound = {"version": "another", "tool": tool, "arguments": given}
    assert code_of(await call(deployment, "as_seen", bound)) == "STALE"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("record_leave", {"person_id": "Nobody Known", "start_date": "2026-08-03", "end_date": "2026-08-03"}),
        ("publish_schedule", {"schedule_id": "00000000-0000-4000-8000-000000000000"}),
        ("snapshot_schedule", {"label": "x", "schedule_id": "00000000-0000-4000-8000-000000000000"}),
        ("withdraw_request", {"request_id": "00000000-0000-4000-8000-000000000000"}),
        ("change_rotation", {"person_id": "Nobody Known", "date": "2026-08-03", "rotation": "X"}),
    ],
)
async def test_what_cannot_be_is_refused_before_a_person_is_asked(watched, tool, given):
    reply = await call(watched[0], "ahead", {"tool": tool, "arguments": given})
    assert reply.is_error
