"""A deployment on a still clock, and calls to it."""

import json
from datetime import date, timedelta

from packhorse import Host
from packhorse.contract.principal import Principal
from packhorse.testing import connected, fixed_clock
from packhorse_scheduling import pack
from packhorse_scheduling.service import RosterDesk

NOW = fixed_clock("2026-06-15T12:00:00Z")
COORDINATOR = Principal("human", subject="coordinator", roles=frozenset({"COORDINATOR"}))


def desk_in(folder):
    """The desk of a deployment's data folder, as the pack's own commands have it."""
    return RosterDesk(Host("scheduling", data_dir=folder, migrations=pack.pack.migrations, clock=NOW))


async def call(deployment, tool, arguments, principal=COORDINATOR):
    async with connected(deployment, principal=principal) as client:
        return await client.call_tool(tool, arguments)


async def read(deployment, uri, principal=COORDINATOR):
    async with connected(deployment, principal=principal) as client:
        return json.loads((await client.read_resource(uri)).contents[0].text)


def own(key):
    return Principal("human", subject=f"sub-{key}", roles=frozenset({"RESIDENT"}))


def code_of(reply):
    assert reply.is_error, reply.content
    return reply.meta["packhorse/error"]["code"]


async def done(deployment, tool, arguments, principal=None):
    reply = await call(deployment, tool, arguments, *([] if principal is None else [principal]))
    assert not reply.is_error, reply.content
    return reply.structured_content


def busy(desk, count, day, role="R"):
    """People of a role who work on a day, as (key, id)."""
    opened = desk.current()
    keys = sorted({cell[0] for cell in opened.schedule.cells if cell[1] == day and cell[0].startswith(role)})
    assert len(keys) >= count
    return [(key, opened.programme.people[opened.kernel.person_of[key]].id) for key in keys[:count]]


def leave(person, start, days=2, **more):
    return {
        "person_id": person,
        "start_date": start.isoformat(),
        "end_date": (start + timedelta(days=days - 1)).isoformat(),
        **more,
    }


def half_days(row):
    """The half-days of a run of days as repair_schedule tells it, as (day, session)."""
    first, last = (date.fromisoformat(row[key]) for key in ("date", "until"))
    parts = {"AM": [(0, "AM")], "PM": [(0, "PM")], "day": [(0, "AM"), (0, "PM")], "night": [(0, "PM"), (1, "AM")]}
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    return [(day + timedelta(days=later), session) for day in days for later, session in parts[row["session"]]]
