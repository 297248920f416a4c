"""The run of an agent, shown: its acts with their verdicts, and what waits for a person."""

import sys
from pathlib import Path

import anyio
import pytest

from packhorse.testing import connected

pytest.importorskip("packhorse_scheduling", reason="the scheduling pack is not installed")
sys.path.insert(0, str(Path(__file__).parents[1] / "pai"))
import operator_script as script
from served import served


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """A swap that waits for approval, an audit that is done, and a run that the kill switch denied."""
    folder = tmp_path_factory.mktemp("agents")

    async def play():
        async with connected(script.imported(folder), principal=script.ANN) as client:
            made = await client.call_tool(
                "generate_schedule", {"academic_year": "2024-2025", **script.BLOCK_10, "async": False}
            )
            await client.call_tool("publish_schedule", {"schedule_id": made.structured_content["schedule_id"]})
            trial = script.Trial(client, folder)
            swap = {"mission": "Swap it", "context": {"swap_id": await script.agreed(trial)}, "task": "execute_swap"}
            audit = {"mission": "Audit the schedule", "task": "audit_schedule"}
            waits = await served(client, "invoke_swap_manager_agent", swap)
            done = await served(client, "invoke_compliance_auditor_agent", audit)
            trial.types("", "stop")
            return {
                "waits": waits,
                "done": done,
                "denied": await served(client, "invoke_scheduler_agent", {"mission": "Validate"}),
            }

    return anyio.run(play)


def show(client, one, **options):
    view = client(one.html, **options)
    view.answer(one.arguments, one.result)
    return view


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("case", ["waits", "done", "denied"])
def test_a_run_can_be_read_in_both_schemes_and_on_a_narrow_screen(client, answers, case, theme, width):
    measured = show(client, answers[case], theme=theme, width=width).measured()
    assert (measured["faint"], measured["small"], measured["wide"]) == ([], [], 0)


def test_what_waits_says_what_it_would_change_and_offers_no_way_to_decide(client, answers):
    (approval,) = answers["waits"].result["structuredContent"]["result"]["approvals"]
    view = show(client, answers["waits"])
    where = approval["where"].replace("`", "")
    told = (approval["preview"], approval["because"], approval["approval_id"], where, "Waits for a person's approval")
    for words in told:
        assert words in view.text
    assert view.inside("document.querySelectorAll('button, a, input').length") == 0


@pytest.mark.parametrize(
    ("case", "act", "tone", "verdict"),
    [
        ("waits", "execute_swap", "warn", "waits for approval"),
        ("done", "validate_schedule", "good", "done"),
        ("denied", "denied", "bad", "stopped"),
    ],
)
def test_each_act_stands_with_its_verdict(client, answers, case, act, tone, verdict):
    view = show(client, answers[case])
    lines = view.inside(
        "[...document.querySelectorAll('.acts li')].map((line) => ['b', '.chip'].flatMap((one) => {"
        " const part = line.querySelector(one); return [part?.innerText, part?.className]; }))"
    )
    assert len(lines) == len(answers[case].result["structuredContent"]["execution_log"])
    assert any(one[0] == act and one[3] == f"chip {tone}" and one[2].startswith(verdict) for one in lines if one[2])
