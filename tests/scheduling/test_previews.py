"""What a call would change, said beforehand; and a change that comes in between."""

from types import ModuleType
from typing import Any

import pytest

from packhorse import Context, Tool, hookimpl
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
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


async def test_a_preview_refuses_what_the_call_would_refuse(watched):
    deployment, _ = watched
    year = {"academic_year": "1999-2000", "start_date": "1999-07-01", "end_date": "1999-07-28"}
    reply = await call(deployment, "ahead", {"tool": "generate_schedule", "arguments": year})
    assert code_of(reply) == "VALIDATION_ERROR"
