"""Kept answers of a pack are given no more once one of its tools may have changed something."""

import pytest
from tests.core.seeds import pack_of

from packhorse import Pack, Resource, Tool, UserError
from packhorse.contract.principal import LOCAL
from packhorse.door.execution import Requester
from packhorse.testing import deployment_for

pytestmark = pytest.mark.anyio


class Shelf:
    """A pack that counts how often it is asked, and one beside it."""

    def __init__(self, version: str | None = None) -> None:
        self.asked = 0
        self.version = version

        def look() -> int:
            """Look at the shelf."""
            self.asked += 1
            return self.asked

        def put(fail: bool = False) -> str:
            """Put something on it."""
            if fail:
                raise UserError("It fell down.", code="FELL")
            return "put"

        def read() -> str:
            """Read a label."""
            return "label"

        tools = [Tool(fn=look, read_only=True, ttl=600), Tool(fn=put), Tool(fn=read, read_only=True)]
        resource = Resource(uri="shelf://all", fn=look, name="all", ttl=600)
        pack = Pack("Shelf", data_version=lambda host: self.version) if version is not None else None
        self.module = pack_of(tools=tools, resources=[resource], pack=pack)


def doors(shelf: Shelf):
    def other() -> str:
        """Change something of another pack."""
        return "other"

    return deployment_for(shelf=shelf.module, beside=pack_of(tools=[Tool(fn=other)])).dispatcher


async def look(door) -> int:
    return (await door.call_tool(Requester(LOCAL), "look", {})).structured["result"]


@pytest.mark.parametrize("version", [None, "1"])
async def test_after_a_tool_that_may_change_something_the_pack_is_asked_again(version):
    door = doors(Shelf(version))
    assert [await look(door), await look(door)] == [1, 1]
    await door.call_tool(Requester(LOCAL), "put", {})
    assert [await look(door), await look(door)] == [2, 2]


async def test_one_that_failed_may_have_got_half_way():
    door = doors(Shelf())
    await look(door)
    with pytest.raises(UserError):
        await door.call_tool(Requester(LOCAL), "put", {"fail": True})
    assert await look(door) == 2


@pytest.mark.parametrize("tool", ["read", "other"])
async def test_one_that_only_reads_or_is_of_another_pack_changes_nothing(tool):
    door = doors(Shelf())
    await look(door)
    await door.call_tool(Requester(LOCAL), tool, {})
    assert await look(door) == 1


async def test_resources_are_forgotten_with_the_tools():
    door = doors(Shelf())

    async def read() -> object:
        return (await door.read(Requester(LOCAL), "shelf://all", lambda entry, uri: None))[1]

    first = await read()
    assert await read() == first
    await door.call_tool(Requester(LOCAL), "put", {})
    assert await read() != first


async def test_whoever_shares_the_data_is_told_the_pack_and_tells_when_all_must_be_forgotten():
    door = doors(Shelf())
    told: list[str] = []
    door.outdated = told.append
    await look(door)
    await door.call_tool(Requester(LOCAL), "put", {})
    await door.call_tool(Requester(LOCAL), "other", {})
    assert told == ["shelf"]  # the other pack keeps no answers
    assert await look(door) == 1
    door.forget(None)
    assert await look(door) == 2
    door.forget("of a pack that is not served here")
    assert await look(door) == 2
