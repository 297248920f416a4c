"""Sampling with tools: the client's model wishes for calls, in either protocol era, and the tool that asked decides."""

from types import ModuleType

import mcp_types as wire
import pytest

from packhorse import Context, InputRequired, Sample, SampleTool, Tool, ToolAnswer, Turn, hookimpl
from packhorse.testing import connected, deployment_for

pytestmark = pytest.mark.anyio

TOOLS = (SampleTool("age", "The age of somebody.", {"type": "object"}),)
CAN = wire.SamplingCapability(tools=wire.SamplingToolsCapability())


async def asks(ctx: Context) -> dict[str, str] | InputRequired:
    """Let the model wish for a call, answer it, and say what it says then."""
    first = Sample(["How old is Ann?"], max_tokens=10, tools=TOOLS)
    if not ctx.can_ask(first):
        return {"said": "this client does not sample with tools"}
    if ctx.state is None:
        return InputRequired({"turn": first}, state="first")
    said = ctx.answers["turn"]
    if ctx.state == "first":
        answers = [ToolAnswer(wish.id, f"{wish.name} {dict(wish.arguments)}") for wish in said.wishes]
        turns = [
            Turn("user", "How old is Ann?"),
            Turn("assistant", said.text, said.wishes),
            Turn("user", answers=answers),
        ]
        return InputRequired({"turn": Sample(turns, max_tokens=10, tools=TOOLS)}, state="second")
    return {"said": said.text}


@pytest.fixture
def deployment(tmp_path):
    made = ModuleType("asks")
    made.register_tools = hookimpl(lambda: [Tool(fn=asks)])
    return deployment_for(data_dir=tmp_path, asks=made)


async def test_a_model_wishes_for_a_call_and_is_told_what_became_of_it(deployment, protocol):
    async def sample(ctx, params):
        assert [tool.name for tool in params.tools] == ["age"]
        if len(params.messages) == 1:
            wish = wire.ToolUseContent(id="1", name="age", input={"of": "Ann"})
            content = [wire.TextContent(text="Let me look."), wish]
            return wire.CreateMessageResultWithTools(
                role="assistant", model="m", stop_reason="toolUse", content=content
            )
        (told,) = params.messages[-1].content_as_list
        return wire.CreateMessageResult(role="assistant", model="m", content=told.content[0])

    options = {"sampling_callback": sample, "sampling_capabilities": CAN}
    async with connected(deployment, protocol=protocol, **options) as client:
        reply = await client.call_tool("asks", {})
    assert reply.structured_content == {"said": "age {'of': 'Ann'}"}


async def test_a_client_that_samples_without_tools_says_so(deployment, protocol):
    async def sample(ctx, params):
        raise AssertionError("asked")

    async with connected(deployment, protocol=protocol, sampling_callback=sample) as client:
        reply = await client.call_tool("asks", {})
    assert reply.structured_content == {"said": "this client does not sample with tools"}
