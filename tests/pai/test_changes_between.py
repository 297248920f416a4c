"""A change of the real schedule in between: what was validated, backed up and approved of one version is of no other.

The four moments of a change in between, on the scheduling pack: before the ask, between approval and use, between
judgement and write, and the run's own.
"""

import json
import shutil
from types import ModuleType

import anyio
import pytest
from pai_operator_script import ANN, BLOCK_10, NOW, imported

from packhorse import Guard, Host, hookimpl
from packhorse.settings import PackTable
from packhorse.testing import connected, deployment_for
from packhorse_pai import pack
from packhorse_pai.commands.lint import CARD
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store.migrations import MIGRATIONS

scheduling = pytest.importorskip("packhorse_scheduling.pack", reason="the scheduling pack is not installed")

pytestmark = pytest.mark.anyio


PUBLISHER = CARD.format(
    name="PUBLISHER",
    role="Puts a draft in force",
    tools="""- compare_versions
- validate_schedule

```toml
[[grant]]
tool = "publish_schedule"
args.schedule_id = ["free"]
```""",
)
PUBLISHING = """packhorse = "pai matrix"

[preconditions.publish_schedule]
facts = ["checked"]

[[facts.checked]]
tool = "{tool}"
"""


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A data folder with a published block of four weeks."""
    folder = tmp_path_factory.mktemp("published")

    async def make():
        async with connected(imported(folder), principal=ANN) as client:
            year = {"academic_year": "2024-2025", **BLOCK_10, "async": False}
            made = await client.call_tool("generate_schedule", year)
            done = await client.call_tool("publish_schedule", {"schedule_id": made.structured_content["schedule_id"]})
            assert not done.is_error, done.content

    anyio.run(make)
    return folder


class Between:
    """A run of SWAP_MANAGER on the published schedule, and somebody else who publishes another version meanwhile."""

    def __init__(self, folder, settings):
        self.folder = folder
        self.settings = settings
        self.at_the_door = None
        self.client = None
        self.run = ""

    def deployment(self):
        probe = ModuleType("probe")

        def judge(principal, call):
            """What somebody else does after the judgement, once, as the swap passes the door."""
            if principal.kind == "agent" and call.tool == "execute_swap" and self.at_the_door is not None:
                change, self.at_the_door = self.at_the_door, None
                change()

        probe.register_auth = hookimpl(lambda: [Guard(judge)])
        tables = {"pai": PackTable(own=self.settings)}
        packs = {"pai": pack, "scheduling": scheduling, "probe": probe}
        return deployment_for(data_dir=self.folder, clock=lambda: NOW, tables=tables, **packs)

    def desk(self):
        from packhorse_scheduling.service import RosterDesk

        migrations = scheduling.pack.migrations
        return RosterDesk(Host("scheduling", data_dir=self.folder, migrations=migrations, clock=lambda: NOW))

    def in_force(self):
        return self.desk().current().schedule.id

    async def call(self, tool, arguments):
        reply = await self.client.call_tool(tool, arguments)
        assert not reply.is_error, reply.content
        return reply.structured_content

    async def another(self):
        """Another person publishes a copy of what is in force: a version of its own, with the same duties."""
        await self.call("publish_schedule", {"schedule_id": await self.copied()})

    async def copied(self):
        return (await self.call("snapshot_schedule", {"label": "another"}))["schedule_id"]

    async def begin(self, how_many=1):
        """A run whose mission is so many swaps that both sides agreed on."""
        swaps = await self.agreed(how_many)
        begun = await self.call("invoke_swap_manager_agent", {"mission": f"Carry out {' and '.join(swaps)}"})
        self.run = begun["goal_id"]
        return swaps

    async def begin_publishing(self):
        begun = await self.call("invoke_agent", {"agent_name": "PUBLISHER", "mission": "Publish the draft"})
        self.run = begun["goal_id"]

    async def act(self, tool, arguments=None):
        return await self.call("act_as_agent", {"run_id": self.run, "tool": tool, "arguments": arguments or {}})

    def service(self):
        settings = PaiSettings(**self.settings)
        return AgentService(
            Host("pai", data_dir=self.folder, migrations=MIGRATIONS, clock=lambda: NOW, settings=settings)
        )

    def approves(self, approval):
        self.service().approving.decide(approval, approve=True, by="terminal::bob")

    async def agreed(self, how_many):
        page = json.loads((await self.client.read_resource("schedule://current")).contents[0].text)
        found, used = [], set()
        for row in page["assignments"]:
            if len(found) == how_many:
                return found
            if row["person_role"] != "RESIDENT" or row["rotation_name"] != "Clinic" or row["block_date"] < "2025-02-06":
                continue
            if row["person_id"] in used:
                continue
            asked = {"requester_person_id": row["person_id"], "assignment_id": row["id"]}
            fits = (await self.call("analyze_swap_candidates", asked))["candidates"]
            fits = [one for one in fits if one["candidate_person_id"] not in used]
            if not fits:
                continue
            parties = {"requester_id": row["person_id"], "target_person_id": fits[0]["candidate_person_id"]}
            wish = {"swap_type": fits[0]["swap_type"], "block_ids": [row["block_id"]], **parties}
            swap = await self.call("request_swap", wish)
            for person in parties.values():
                await self.call("respond_swap", {"swap_id": swap["swap_id"], "accept": True, "person_id": person})
            used.update(parties.values())
            found.append(swap["swap_id"])
        return found


@pytest.fixture
def checked_by():
    """The tool that proves what a draft must be before it is published."""
    return "validate_schedule"


@pytest.fixture
async def between(published, tmp_path, checked_by):
    folder = tmp_path / "data"
    shutil.copytree(published, folder)
    (tmp_path / "cards").mkdir()
    (tmp_path / "rules").mkdir()
    (tmp_path / "cards" / "PUBLISHER.identity.md").write_text(PUBLISHER)
    (tmp_path / "rules" / "publishing.toml").write_text(PUBLISHING.format(tool=checked_by))
    made = Between(folder, {"cards": tmp_path / "cards", "governance": tmp_path / "rules"})
    async with connected(made.deployment(), principal=ANN) as client:
        made.client = client
        yield made


async def test_a_change_before_the_ask_makes_the_validation_stale(between):
    (swap,) = await between.begin()
    assert (await between.act("validate_schedule"))["status"] == "done"
    await between.another()
    denied = await between.act("execute_swap", {"swap_id": swap})
    assert (denied["status"], denied["rule"]) == ("denied", "precondition")
    assert "validate_called" in denied["reason"]
    assert between.service().approving.pending() == []
    await between.act("validate_schedule")
    assert (await between.act("execute_swap", {"swap_id": swap}))["status"] == "waiting"


async def test_a_change_between_approval_and_use_voids_the_approval_too(between):
    (swap,) = await between.begin()
    await between.act("validate_schedule")
    first = await between.act("execute_swap", {"swap_id": swap})
    assert first["status"] == "waiting", first
    between.approves(first["approval"])
    await between.another()
    before = between.in_force()
    assert (await between.act("execute_swap", {"swap_id": swap}))["rule"] == "precondition"
    assert between.in_force() == before
    await between.act("validate_schedule")
    again = await between.act("execute_swap", {"swap_id": swap})
    assert again["status"] == "waiting"
    assert again["approval"] != first["approval"]
    between.approves(again["approval"])
    assert (await between.act("execute_swap", {"swap_id": swap}))["status"] == "done"
    assert between.in_force() != before


@pytest.mark.parametrize("checked_by", ["validate_schedule", "compare_versions"])
async def test_what_is_checked_of_a_draft_holds_for_publishing_that_draft_alone(between, checked_by):
    one, other = await between.copied(), await between.copied()
    await between.begin_publishing()
    assert (await between.act(checked_by, {"schedule_id": one}))["status"] == "done"
    denied = await between.act("publish_schedule", {"schedule_id": other})
    assert (denied["status"], denied["rule"]) == ("denied", "precondition")
    done = await between.act("publish_schedule", {"schedule_id": one})
    assert done["status"] == "done", done
    assert between.in_force() == one


async def test_what_is_checked_of_the_schedule_in_force_says_nothing_of_a_draft(between):
    draft = await between.copied()
    await between.begin_publishing()
    await between.act("validate_schedule")
    denied = await between.act("publish_schedule", {"schedule_id": draft})
    assert (denied["status"], denied["rule"]) == ("denied", "precondition")


async def test_a_change_between_judgement_and_write_is_refused_by_the_tool_and_spends_the_approval(between):
    (swap,) = await between.begin()
    await between.act("validate_schedule")
    waiting = await between.act("execute_swap", {"swap_id": swap})
    between.approves(waiting["approval"])
    copy = await between.copied()
    between.at_the_door = lambda: between.desk().publish(copy, "bob")
    stale = await between.act("execute_swap", {"swap_id": swap})
    assert (stale["status"], stale["code"]) == ("refused", "STALE")
    assert between.in_force() == copy, "the other's change was written, and the swap was not"
    after = await between.act("execute_swap", {"swap_id": swap})
    assert (after["status"], after["rule"]) == ("denied", "precondition")
    await between.act("validate_schedule")
    again = await between.act("execute_swap", {"swap_id": swap})
    assert (again["status"], again["approval"] != waiting["approval"]) == ("waiting", True)


async def test_a_runs_own_change_makes_its_own_proofs_stale(between):
    one, other = await between.begin(2)
    await between.act("validate_schedule")
    for swap in (one, other):
        waiting = await between.act("execute_swap", {"swap_id": swap})
        assert waiting["status"] == "waiting", waiting
        between.approves(waiting["approval"])
    assert (await between.act("execute_swap", {"swap_id": one}))["status"] == "done"
    denied = await between.act("execute_swap", {"swap_id": other})
    assert (denied["status"], denied["rule"]) == ("denied", "precondition")
    await between.act("validate_schedule")
    asked = await between.act("execute_swap", {"swap_id": other})
    assert asked["status"] == "waiting", "the approval of the version before licenses nothing"
