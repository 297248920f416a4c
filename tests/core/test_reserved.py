"""Tools that one pack reserves for itself: nobody else sees them or may use them."""

from types import ModuleType

import pytest
from tests.core.seeds import pack_of

from packhorse import Context, Pack, RequestError, Tool
from packhorse.contract.principal import ANONYMOUS, LOCAL, Principal
from packhorse.door.execution import Requester
from packhorse.errors import PackError
from packhorse.testing import deployment_for

pytestmark = pytest.mark.anyio

ADMIN = Principal("human", "p-1", frozenset({"ADMIN"}))
CLAIMS_TO_BE_THE_PACK = Principal("system", "pack:finder", frozenset({"ADMIN"}))
ANOTHER_PACK = Principal("pack", "pack:other")
EVERYBODY_ELSE = [LOCAL, ANONYMOUS, ADMIN, CLAIMS_TO_BE_THE_PACK, ANOTHER_PACK]


def raw_records(ctx: Context) -> dict[str, str | None]:
    """Records as their keeper has them, and who it is that asks for them."""
    return {"kind": ctx.principal.kind, "subject": ctx.principal.subject}


async def find(ctx: Context) -> dict[str, object]:
    """Look the records up, as the pack itself, for whoever asks."""
    return dict((await ctx.as_pack().call("raw_records", {})).structured)


async def counted(ctx: Context) -> dict[str, list[str]]:
    """For whom this very call counts."""
    return {"as": list(ctx.counted_as)}


def offering(*tools: Tool, reserves: tuple[str, ...] = ()) -> ModuleType:
    return pack_of(tools=tools, pack=Pack(title="A pack", reserves=lambda host: reserves))


def hidden() -> list[str]:
    """Nothing."""
    return []


@pytest.mark.parametrize(
    ("codes", "carried"),
    [("NO_SHELF TOO_HEAVY", {"NO_SHELF", "TOO_HEAVY", "BAD_NAME", "TIMEOUT"}), ("", set())],
    ids=["listed", "not listed"],
)
def test_a_tool_is_offered_with_the_codes_that_its_pack_lists(codes, carried):
    pack = pack_of(tools=[Tool(fn=hidden, refusals={"name": "BAD_NAME"})], pack=Pack(title="A pack", codes=codes))
    (offered,) = deployment_for(shelf=pack).dispatcher.offered(LOCAL)
    assert offered.codes >= carried
    assert bool(offered.codes) is bool(codes)


def served(**roles):
    return deployment_for(
        finder=offering(Tool(fn=find, public=True), Tool(fn=counted, public=True), reserves=("raw_records", "absent")),
        keeper=offering(Tool(fn=raw_records, **(roles or {"public": True}))),
    )


@pytest.mark.parametrize("who", EVERYBODY_ELSE, ids=lambda who: who.subject or who.kind)
async def test_a_reserved_tool_is_hidden_from_and_refused_to_everybody_but_its_pack(who):
    deployment = served()

    assert "raw_records" not in {tool.name for tool in deployment.dispatcher.offered(who)}
    with pytest.raises(RequestError):
        await deployment.dispatcher.call_tool(Requester(who), "raw_records", {})


@pytest.mark.parametrize("roles", [{}, {"roles": ["ADMIN"]}], ids=["public", "for a role"])
async def test_its_pack_calls_it_as_itself_for_whoever_asks(roles):
    reply = await served(**roles).dispatcher.call_tool(Requester(ANONYMOUS), "find", {})

    assert reply.structured == {"kind": "pack", "subject": "pack:finder"}


async def test_two_packs_cannot_reserve_one_tool():
    with pytest.raises(PackError, match="two packs, one and two, both reserve"):
        deployment_for(
            keeper=offering(Tool(fn=raw_records, public=True)),
            one=offering(reserves=("raw_records",)),
            two=offering(reserves=("raw_records",)),
        )


@pytest.mark.parametrize(
    ("who", "address", "counts_as"),
    [(ADMIN, "192.0.2.7", "subject:p-1"), (ANONYMOUS, "192.0.2.7", "address:192.0.2.7"), (LOCAL, None, "kind:local")],
)
async def test_a_pack_learns_for_whom_a_call_counts(who, address, counts_as):
    reply = await served().dispatcher.call_tool(Requester(who, address=address), "counted", {})

    assert reply.structured == {"as": [counts_as]}
