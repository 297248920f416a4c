"""What drives an agent: a playbook, the client's model, a provider's; and that all come to the same."""

import json

import mcp_types as wire
import pytest
from pai_houses import BROKEN, SWAP, House, saying

from packhorse.testing import PROTOCOLS
from packhorse_pai.domain.moves import AskModel, Offer, Turn, Wish, WishAnswer
from packhorse_pai.service.running.provider import Provider

pytestmark = pytest.mark.anyio

WITH_TOOLS = wire.SamplingCapability(tools=wire.SamplingToolsCapability())
VALIDATE = {"calls": [{"id": "1", "tool": "validate_schedule", "arguments": {}}]}
ASKED = ("invoke_scheduler_agent", {"mission": "Validate it"})


def wishing(*turns):
    """A client's model that wishes for calls in the protocol's own way: lists of (tool, arguments), or words."""
    shown = []

    async def sample(ctx, params):
        said = turns[min(len(shown), len(turns) - 1)]
        shown.append(params)
        if isinstance(said, str):
            content = wire.TextContent(type="text", text=said)
            return wire.CreateMessageResult(role="assistant", content=content, model="m", stop_reason="endTurn")
        wishes = [
            wire.ToolUseContent(id=f"{len(shown)}-{number}", name=tool, input=arguments)
            for number, (tool, arguments) in enumerate(said)
        ]
        return wire.CreateMessageResultWithTools(role="assistant", content=wishes, model="m", stop_reason="toolUse")

    return {"sampling_callback": sample, "sampling_capabilities": WITH_TOOLS}, shown


@pytest.fixture
def modelled(ward, tmp_path):
    return House(ward, tmp_path, runtime="sampling")


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_clients_model_drives_an_agent(modelled, protocol):
    sample, shown = saying(VALIDATE, {"done": {"acgme_compliant": True}})
    result = await modelled.call(*ASKED, protocol=protocol, sampling_callback=sample)
    assert result["status"] == "completed"
    assert result["result"] == {"acgme_compliant": True}
    assert result["tools_used"] == ["validate_schedule"]
    assert len(shown) == 2
    assert "no violations found" in shown[1].messages[-1].content.text


async def test_a_model_without_tools_is_told_of_its_tools_in_words(modelled):
    sample, shown = saying({"done": {}})
    await modelled.call(*ASKED, sampling_callback=sample)
    assert '"tool": "validate_schedule"' in shown[0].system_prompt
    assert "Validate the one schedule" in shown[0].system_prompt
    assert "snapshot_schedule" not in shown[0].system_prompt


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_model_with_tools_wishes_for_calls_and_hears_what_became_of_them(modelled, protocol):
    options, shown = wishing(
        [("validate_schedule", {}), ("execute_swap", {"swap_id": "s"})], [("finish", {"result": {"a": 1}})]
    )
    result = await modelled.call(
        "invoke_compliance_auditor_agent", {"mission": "Audit it"}, protocol=protocol, **options
    )

    assert modelled.ward.bodies() == ["validate_schedule"]
    assert result["result"] == {"a": 1}
    assert [one.name for one in shown[0].tools] == ["detect_conflicts", "validate_schedule", "escalate", "finish"]
    answers = shown[1].messages[-1].content_as_list
    assert [(one.tool_use_id, one.is_error) for one in answers] == [("1-0", False), ("1-1", True)]


async def test_a_model_with_tools_that_wishes_for_none_has_finished(modelled):
    options, _ = wishing([("validate_schedule", {})], "All is well.")
    result = await modelled.call(*ASKED, **options)
    assert (result["status"], result["result"]) == ("completed", {"message": "All is well."})


async def test_wishes_of_one_id_and_beyond_the_most_run_nothing_twice(modelled):
    shown = []

    async def sample(ctx, params):
        shown.append(params)
        if len(shown) > 1:
            content = wire.TextContent(type="text", text='{"done": {}}')
            return wire.CreateMessageResult(role="assistant", content=content, model="m")
        wishes = [wire.ToolUseContent(id=str(n), name="validate_schedule", input={}) for n in (1, 1, *range(1, 20))]
        return wire.CreateMessageResultWithTools(role="assistant", content=wishes, model="m", stop_reason="toolUse")

    await modelled.call(*ASKED, sampling_callback=sample, sampling_capabilities=WITH_TOOLS)
    assert len(modelled.ward.bodies()) == 16
    assert len(shown[1].messages[-1].content_as_list) == 19


async def by_playbook(ward, folder, protocol, script):
    return await House(ward, folder).call(*ASKED, protocol=protocol)


async def by_words(ward, folder, protocol, script):
    turns = [{"calls": [{"id": "1", "tool": tool, "arguments": {}} for tool, _ in one]} for one in script[:-1]]
    sample, _ = saying(*turns, {"done": script[-1]})
    house = House(ward, folder, runtime="sampling")
    return await house.call(*ASKED, protocol=protocol, sampling_callback=sample)


async def by_tools(ward, folder, protocol, script):
    options, _ = wishing(*script[:-1], [("finish", {"result": script[-1]})])
    return await House(ward, folder, runtime="sampling").call(*ASKED, protocol=protocol, **options)


async def by_provider(ward, folder, protocol, script):
    house = House(ward, folder, runtime="model", models={"default": "scripted"})
    return await house.call(*ASKED, protocol=protocol)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("drive", [by_words, by_tools, by_provider])
async def test_a_scripted_run_ends_the_same_whatever_drives_it(ward, tmp_path, protocol, drive, monkeypatch):
    ward.violations = [BROKEN]
    played = await by_playbook(ward, tmp_path / "played", PROTOCOLS[0], [])
    script = [[("validate_schedule", {})], played["result"]]
    if drive is by_provider:
        scripted(monkeypatch, *script[:-1], [("finish", {"result": script[-1]})])
    said = await drive(ward, tmp_path / "said", protocol, script)
    for key in ("status", "result", "tools_used", "escalations"):
        assert said[key] == played[key]
    assert ward.bodies() == ["validate_schedule"] * 2


# --- a client that cannot ---


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_client_without_a_model_gets_a_clear_status(modelled, protocol):
    result = await modelled.call(*ASKED, protocol=protocol)
    assert (result["status"], result["result"]["code"]) == ("failed", "NEEDS_SAMPLING")
    assert 'runtime = "client"' in result["result"]["error"]
    assert modelled.ward.bodies() == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_client_without_forms_gets_a_clear_status(ward, tmp_path, protocol):
    result = await House(ward, tmp_path).call(*SWAP, protocol=protocol)
    assert result["status"] == "awaiting_approval"
    assert result["result"]["approvals"][0]["tool"] == "execute_swap"


async def test_a_run_of_a_model_is_taken_up_by_a_client_that_has_one(modelled):
    async def fails(ctx, params):
        raise RuntimeError("the model is away")

    with pytest.raises(RuntimeError, match="the model is away"):
        await modelled.call(*ASKED, sampling_callback=fails)
    goal = modelled.only_run()
    stuck = await modelled.call("invoke_agent", {"goal_id": goal})
    assert (stuck["status"], stuck["result"]["resume"]) == ("failed", goal)

    sample, _ = saying(VALIDATE, {"done": {}})
    done = await modelled.call("invoke_agent", {"goal_id": goal}, sampling_callback=sample)
    assert (done["status"], done["goal_id"]) == ("completed", goal)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_long_conversation_waits_before_a_client_gives_up(modelled, protocol):
    turns = [{"escalate": {"event": "look", "reason": "r"}}] * 11
    sample, shown = saying(*turns, {"done": {"x": 1}})
    mission = {"coordinator_name": "COORD_ENGINE", "mission": "Optimize it"}
    result = await modelled.call("invoke_coordinator_agent", mission, protocol=protocol, sampling_callback=sample)
    assert (result["status"], len(shown)) == ("budget_exhausted", 9)
    again = {"goal_id": result["result"]["resume"]}
    done = await modelled.call("invoke_agent", again, protocol=protocol, sampling_callback=sample)
    assert (done["status"], done["result"], len(shown)) == ("escalated", {"x": 1}, 12)


# --- a model that misbehaves ---


async def test_a_model_that_cannot_be_read_ends_the_run(modelled):
    sample, shown = saying("I think I should", "```nope```", "[]")
    result = await modelled.call(*ASKED, sampling_callback=sample)
    assert (result["status"], result["result"]["code"]) == ("failed", "MODEL_UNREADABLE")
    assert len(shown) == 3


async def test_a_model_that_never_ends_runs_out_of_turns(modelled):
    sample, shown = saying(VALIDATE)
    result = await modelled.call(*ASKED, sampling_callback=sample)
    assert result["status"] == "budget_exhausted"
    assert len(shown) == 5


# --- a provider's model ---


def scripted(monkeypatch, *turns):
    """Every name of a model means this one, which says these turns."""
    pytest.importorskip("pydantic_ai", reason="packhorse-pai[models] is not installed: no provider's model to script")
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    shown = []

    def answer(messages, info):
        said = turns[min(len(shown), len(turns) - 1)]
        shown.append((messages, info))
        if isinstance(said, str):
            return ModelResponse(parts=[TextPart(content=said)])
        return ModelResponse(
            parts=[
                ToolCallPart(tool_name=tool, args=arguments, tool_call_id=f"{len(shown)}-{number}")
                for number, (tool, arguments) in enumerate(said)
            ]
        )

    monkeypatch.setattr("pydantic_ai.models.infer_model", lambda name, *more: FunctionModel(answer))
    return shown


async def test_a_provider_is_shown_the_card_the_tools_and_no_secret_and_its_specialists_are_driven_too(
    ward, tmp_path, monkeypatch
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary-key-77")
    spawn = [("spawn_agent", {"agent": "SCHEDULER", "mission": "validate it"})]
    shown = scripted(
        monkeypatch, spawn, [("validate_schedule", {})], [("finish", {"result": {"child": 1}})], "All is well."
    )
    house = House(ward, tmp_path, runtime="model", models={"default": "scripted"})
    result = await house.call("invoke_coordinator_agent", {"coordinator_name": "COORD_ENGINE", "mission": "Optimize"})

    assert (result["status"], result["result"]) == ("completed", {"message": "All is well."})
    assert ward.bodies() == ["validate_schedule"]
    offered = [[tool.name for tool in info.function_tools] for _, info in shown]
    assert "spawn_agent" in offered[0]
    assert "spawn_agent" not in offered[1]
    assert "canary-key-77" not in repr(shown)


async def test_without_a_model_chosen_or_installed_the_status_says_what_to_do(ward, tmp_path, monkeypatch):
    result = await House(ward, tmp_path / "a", runtime="model").call(*ASKED)
    assert (result["status"], result["result"]["code"]) == ("failed", "NEEDS_MODEL")
    monkeypatch.setitem(__import__("sys").modules, "pydantic_ai", None)
    monkeypatch.setitem(__import__("sys").modules, "pydantic_ai.direct", None)
    house = House(ward, tmp_path / "b", runtime="model", models={"sonnet": "x:y", "haiku": "x:y", "opus": "x:y"})
    result = await house.call(*ASKED)
    assert result["result"]["code"] == "NEEDS_MODEL"
    assert "packhorse-pai[models]" in result["result"]["error"]


async def test_a_provider_that_fails_repeats_nothing_of_the_prompt(ward, tmp_path, monkeypatch):
    scripted(monkeypatch, "x")

    def broken(name, *more):
        raise RuntimeError("canary-prompt")

    monkeypatch.setattr("pydantic_ai.models.infer_model", broken)
    result = await House(ward, tmp_path, runtime="model", models={"default": "x:y"}).call(*ASKED)
    assert (result["status"], result["result"]["code"]) == ("failed", "MODEL_UNAVAILABLE")
    assert "canary" not in json.dumps(result)


async def test_what_is_told_of_wishes_made_in_words_is_told_in_words(monkeypatch):
    shown = scripted(monkeypatch, "done")
    turns = (
        Turn("user", "go"),
        Turn("assistant", '{"calls": []}'),
        Turn("user", answers=(WishAnswer("1", "t", {"answer": 1}),)),
        Turn("assistant", wishes=(Wish("2", "t"),)),
        Turn("user", answers=(WishAnswer("2", "t", {"answer": 2}),)),
    )
    said = await Provider({"default": "x"}).reply("opus", AskModel("s", turns, (Offer("t", "d"),)))
    assert (said.text, said.wishes, said.native) == ("done", (), True)
    kinds = [[type(part).__name__ for part in message.parts] for message in shown[0][0]]
    assert kinds[2:] == [["UserPromptPart"], ["ToolCallPart"], ["ToolReturnPart"]]
