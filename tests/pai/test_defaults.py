"""An argument that is not given is absent, but rules about values hold for what a changing tool takes instead."""

from types import ModuleType

import pytest
from click.testing import CliRunner
from pai_houses import House
from pydantic import BaseModel, Field

from packhorse import Tool, hookimpl
from packhorse.testing import connected
from packhorse_pai.commands import commands
from packhorse_pai.convert import trail_line

pytestmark = pytest.mark.anyio


class Shifts(BaseModel):
    nights: bool = True


class Ahead(BaseModel):
    days: int = 3
    exact: bool = True
    shifts: Shifts = Field(default_factory=Shifts)


class Board:
    """Tools with defaults, and what they were called with."""

    def __init__(self) -> None:
        self.ran: list[dict[str, object]] = []

    def module(self) -> ModuleType:
        async def look_ahead(ahead: Ahead) -> dict[str, int]:
            """Look some days ahead."""
            self.ran.append(ahead.model_dump())
            return {"days": ahead.days}

        async def hold_days(ahead: Ahead) -> dict[str, int]:
            """Hold some days ahead."""
            return await look_ahead(ahead)

        async def post_note(text: str, urgent: bool = False) -> dict[str, str]:
            """Post a note."""
            self.ran.append({"text": text, "urgent": urgent})
            return {"text": text}

        made = ModuleType("board")
        made.register_tools = hookimpl(  # type: ignore[attr-defined]
            lambda: [Tool(fn=look_ahead, read_only=True), Tool(fn=hold_days), Tool(fn=post_note)]
        )
        return made


@pytest.fixture
def house(tmp_path):
    """A house with one agent that may look ahead, hold days and post notes."""
    board, own = Board(), tmp_path / "cards"
    found = House(board, tmp_path / "data", cards=own)
    (new,) = [one for one in commands(found.host()) if one.name == "new"]
    written = CliRunner().invoke(new, ["CLERK", "--into", str(own), "--tools", "look_ahead,hold_days,post_note"])
    assert written.exit_code == 0, written.output
    found.card = own / "CLERK.identity.md"
    return found


def granted(house, rules):
    text = house.card.read_text("utf-8")
    house.card.write_text(text.replace("## Tools\n", f"## Tools\n\n```toml\n[[grant]]\n{rules}\n```\n", 1), "utf-8")


DAYS = "args.days = ['free']"
HOLDS = [
    ("args.days = [{ in = [1, 2] }]", {"days": 3}, "days is not in"),
    ("args.days = [{ in = [1, 2] }]", {"days": 2}, ""),
    ("args.days = [{ in = [1, 2] }]", {}, "days must be given: without it the tool takes 3"),
    ("args.days = [{ in = [1, 2], quoted = true }]", {}, "days must be given: without it the tool takes 3"),
    ("args.days = [{ in = [1, 2] }, { equals = 3 }]", {}, ""),
    ("args.days = ['quoted']", {}, ""),
    (f"{DAYS}\nrequired = ['days']", {"days": 3}, ""),
    (f"{DAYS}\nrequired = ['days']", {}, "days must be given"),
    (DAYS, {"days": 3, "exact": True}, "exact must be absent"),
    (DAYS, {"days": 3, "shifts": {"nights": True}}, "shifts must be absent"),
    (DAYS, {"day": 5}, "has no argument day: did you mean days?"),
    (DAYS, {"until": 5}, "has no argument until."),
    (DAYS, {"days": 5}, ""),
]
LOOKS = [
    (rules, arguments, "" if against.startswith("days must be given: without") else against)
    for rules, arguments, against in HOLDS
]


@pytest.mark.parametrize("by", ["a model", "a task"])
@pytest.mark.parametrize(
    ("tool", "rules", "arguments", "against"),
    [("hold_days", *case) for case in HOLDS] + [("look_ahead", *case) for case in LOOKS],
)
async def test_rules_see_what_is_given_and_what_a_changing_tool_takes_of_its_own(
    house, by, tool, rules, arguments, against
):
    granted(house, f"tool = '{tool}'\n{rules}")
    if by == "a task":
        given = ", ".join(f"{key} = {{ ref = 'context.{key}' }}" for key in arguments)
        step = f"[[steps]]\ncall = '{tool}'\nargs = {{ {given} }}\n"
        (house.card.parent / "look.toml").write_text(f"playbook = 'look'\nagent = 'CLERK'\n{step}", "utf-8")
    async with connected(house.deployment()) as client:
        asked = {"agent_name": "CLERK", "mission": "Look ahead"}
        if by == "a task":
            asked = {**asked, "task": "look", "context": arguments}
        said = (await client.call_tool("invoke_agent", asked)).structured_content
        if by == "a model":
            act = {"run_id": said["goal_id"], "tool": tool, "arguments": arguments}
            said = (await client.call_tool("act_as_agent", act)).structured_content
    assert against in str(said)
    assert bool(house.ward.ran) == (not against), said


@pytest.mark.parametrize("arguments", [{"text": "a"}, {"text": "a", "urgent": False}])
async def test_an_approval_of_a_call_holds_whether_a_default_was_given_or_filled_in(house, arguments):
    granted(house, "tool = 'post_note'\nargs.text = [{ else = 'ask' }]\nargs.urgent = [{ equals = false }]")
    async with connected(house.deployment()) as client:
        begun = await client.call_tool("invoke_agent", {"agent_name": "CLERK", "mission": "Post a note"})
        act = {"run_id": begun.structured_content["goal_id"], "tool": "post_note", "arguments": arguments}
        waits = (await client.call_tool("act_as_agent", act)).structured_content
        assert waits["status"] == "waiting"
        (asked,) = house.pending()
        assert asked.arguments == {"text": "a", "urgent": False}
        house.decides(asked.id)
        done = (await client.call_tool("act_as_agent", act)).structured_content
    assert done["status"] == "done"
    assert house.ward.ran == [{"text": "a", "urgent": False}]
    lines = [trail_line(line) for line in house.service().records.attempts()]
    assert any("approved" in line for line in lines), lines
