"""A deployment on a still clock, and calls to it."""

import json

from packhorse import Host
from packhorse.principal import Principal
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
