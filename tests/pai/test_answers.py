"""What an agent gets of answers that are words, pictures or links, and of failures said in words."""

from types import ModuleType

import pytest
from pai_houses import House, without
from pydantic import BaseModel

from packhorse import Embedded, Image, Link, Reply, Text, Tool, UserError, hookimpl
from packhorse.contract.content import Verbatim
from packhorse.testing import connected
from packhorse_pai.service.running.answers import answer_of

pytestmark = pytest.mark.anyio


class Found(BaseModel):
    name: str


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (Reply({"a": 1}, [Text("a is 1")]), {"a": 1}),
        (Reply(Found(name="x")), {"name": "x"}),
        (Reply([1, 2]), {"result": [1, 2]}),
        (Reply(None), {"result": None}),
        (Reply(None, [Text("first"), Text("second")]), {"text": "first\nsecond"}),
        (Reply(None, [Embedded("file:///a", "inside")]), {"text": "inside"}),
        (Reply(None, [Verbatim({"type": "text", "text": "theirs", "annotations": {}})]), {"text": "theirs"}),
        (Reply(None, [Verbatim({"type": "resource", "resource": {"uri": "x:a", "text": "in"}})]), {"text": "in"}),
        (Reply(None, [Link("x:a", "a")]), {"text": "[a resource at x:a]"}),
        (Reply(None, [Verbatim({"type": "resource_link", "uri": "x:a"})]), {"text": "[a resource at x:a]"}),
        (Reply(None, [Text("see"), Image(b"")]), {"text": "see\n[image/png, which an agent is not shown]"}),
        (
            Reply(None, [Verbatim({"type": "image", "mimeType": "image/gif", "data": ""})]),
            {"text": "[image/gif, which an agent is not shown]"},
        ),
    ],
)
def test_data_stay_data_and_words_become_text(reply, answer):
    assert answer_of(reply) == answer


@pytest.mark.parametrize("fails", [False, True])
async def test_an_agent_hears_what_a_tool_says_in_words_alone_and_a_failure_as_one(ward, tmp_path, fails):
    def validate_schedule() -> Text:
        """Validate the one schedule, and say in words what was found."""
        if fails:
            raise UserError("no such file", code="UPSTREAM_ERROR")
        return Text("Two notes: milk, bread.")

    house = House(ward, tmp_path)
    house.modules["wards"] = without(ward.module(), "validate_schedule")
    house.modules["words"] = words = ModuleType("words")
    words.register_tools = hookimpl(lambda: [Tool(fn=validate_schedule, read_only=True)])
    async with connected(house.deployment()) as client:
        begun = await client.call_tool("invoke_scheduler_agent", {"mission": "Is it lawful?"})
        act = {"run_id": begun.structured_content["goal_id"], "tool": "validate_schedule", "arguments": {}}
        answer = (await client.call_tool("act_as_agent", act)).structured_content
    if fails:
        assert (answer["status"], answer["code"], answer["reason"]) == ("refused", "UPSTREAM_ERROR", "no such file")
    else:
        assert (answer["status"], answer["result"]) == ("done", {"text": "Two notes: milk, bread."})
