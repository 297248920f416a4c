"""What an answer costs: nothing that the caller has just said, nothing twice, and still all that it has to know."""

from typing import Any

import pytest

from packhorse.testing import client_for, fixed_clock
from packhorse_discovery import pack
from packhorse_discovery.domain.interview.readback import read_otherwise
from packhorse_discovery.service.scheduling import MOST_BARS, in_brief

pytestmark = pytest.mark.anyio
SAID = "We bake bread. Kneading takes 20 minutes on the mixer, baking 40 minutes in the oven. The oven takes 3 trays."
MAKES = {"product-or-service-name": "bread", "one-more-thing": "We bake bread", "scheduling-challenges": []}
STEPS = {
    "subprocesses": [
        {"process-id": "kneading", "duration": {"value-string": "20", "units": "minutes"}, "resources": ["mixer"]},
        {"process-id": "baking", "duration": {"value-string": "40", "units": "minutes"}, "resources": ["oven"]},
    ]
}  # fmt: skip


async def _talk(*refinements: tuple[str, dict[str, Any]], detail: str = "brief") -> list[dict[str, Any]]:
    """The answers to the same words, handed in with one refinement after the other, each to a schema's question."""
    found = []
    async with client_for(discovery=pack, clock=fixed_clock("2026-01-05T08:00:00Z")) as client:

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            reply = await client.call_tool(tool, {"project_id": "p", **arguments})
            assert not reply.is_error, reply.content[0].text
            return dict(reply.structured_content or {})

        asked = (await call("start_interview"))["next"]
        for words, refinement in refinements:
            told = await call(
                "process_eads_answer", eads_id=asked["eads_id"], question_id=asked["question_id"], answer=words,
                refinement=refinement, detail=detail,
            )  # fmt: skip
            found.append(told)
            asked = told["next"] if told.get("next", {}).get("question_id") else asked
    return found


@pytest.mark.parametrize(
    ("recorded", "given", "otherwise"),
    [
        ({"a": "oven"}, {"a": " Oven"}, None),
        ({"a": True}, {"a": "true"}, None),
        ({"a": {"value-string": "20", "units": "minutes"}}, {"a": {"value-string": "20", "units": "minutes"}}, None),
        ({"a": {"value-string": "20", "units": "minutes"}}, {"a": "20 minutes"}, None),
        ({"a": {"value-string": "0.25", "units": "hours"}}, {"a": {"value-string": "15", "units": "minutes"}},
         {"a": {"value-string": "0.25", "units": "hours"}}),
        ({"rows": [{"id": "mix", "on": ["b", "a"]}, {"id": "rest"}]},
         {"rows": [{"id": "mix", "on": ["a", "b"]}, "rest"]}, None),
        ({"rows": [{"id": "mix", "due": "2026-01-08"}]}, {"rows": [{"id": "Mix", "due": "Thursday"}]},
         {"rows": [{"id": "mix", "due": "2026-01-08"}]}),
        ({"rows": [{"id": "mix", "x": 1, "y": 2}]}, {"rows": [{"id": "mix", "x": 1, "y": 3}]},
         {"rows": [{"id": "mix", "y": 2}]}),
        ({"rows": [{"id": "mix", "x": 1}]}, {"rows": [{"id": "rest", "x": 1}]}, {"rows": [{"id": "mix", "x": 1}]}),
        ({"more": 1}, {}, {"more": 1}),
    ],
)  # fmt: skip
def test_only_what_is_recorded_otherwise_is_said_back(recorded: Any, given: Any, otherwise: Any) -> None:
    assert read_otherwise(recorded, given) == otherwise


async def test_in_brief_nothing_that_was_handed_in_is_said_back() -> None:
    kind = {"principal-problem-type": "FLOW-SHOP", "quote": "Kneading takes 20 minutes"}
    rule = {"rules": [{"rule": "the boy never bakes alone", "quote": "the boy never bakes alone"}]}
    words = SAID + " And the boy never bakes alone."
    brief = (await _talk((words, MAKES), (words, kind), (words, STEPS | rule)))[-1]
    full = (await _talk((words, MAKES), (words, kind), (words, STEPS | rule), detail="full"))[-1]

    assert "read_back" not in brief
    assert "unmodelled" not in brief
    assert "1 rule in words alone" in brief["commit_notes"]
    assert full["read_back"].startswith("kneading: 20 minutes, mixer; baking: 40 minutes, oven")
    assert full["unmodelled"] == ["the boy never bakes alone"]
    assert brief["recorded"] == full["recorded"]


async def test_the_same_words_handed_in_again_name_only_numbers_that_are_still_unused() -> None:
    kind = {"principal-problem-type": "FLOW-SHOP", "quote": "Kneading takes 20 minutes"}
    first, _, steps, again = [
        one.get("not_used", []) for one in await _talk((SAID, MAKES), (SAID, kind), (SAID, STEPS), (SAID, MAKES))
    ]

    assert any("20 minutes" in one for one in first)
    assert [("3 trays" in one, "20 minutes" in one) for one in steps] == [(True, False)]
    assert steps == again


async def test_an_answer_that_is_only_begun_says_how_many_of_its_numbers_are_unused() -> None:
    words = SAID + " Then cooling takes 50 minutes, packing 5 minutes."
    (found,) = await _talk((words, MAKES))

    assert found["not_used"] == ["all 5 numbers of the answer"]


async def test_the_numbers_of_lines_are_no_numbers_of_the_answer() -> None:
    words = "1. We bake bread. Kneading takes 20 minutes.\n2. Mr Okafor bakes it, 40 minutes. 3. The boy helps."
    kind = {"principal-problem-type": "FLOW-SHOP", "quote": "Kneading takes 20 minutes"}
    steps = {"subprocesses": [{"process-id": "Kneading", "duration": {"value-string": "20", "units": "minutes"}}]}
    found = (await _talk((words, MAKES), (words, kind), (words, steps)))[-1]

    assert found["not_used"] == ["bakes it, 40 minutes."]


def test_a_chart_is_told_in_lines_and_no_longer_than_an_answer_may_be() -> None:
    def bar(at: int) -> dict[str, Any]:
        return {"job": f"j{at}", "step": "bake", "start": at, "end": at + 1, "starts": f"2026-01-05 08:{at % 60:02}",
                "ends": f"2026-01-0{5 + (at == 3)} 09:00"}  # fmt: skip

    row = {"resource": "oven", "unit": 1, "units": 1, "closed": [[0, 4]], "held": []}
    found = {"status": "optimal", "notes": [], "seconds": 0.1, "gantt": {"origin": None, "end": 9, "unit": "1 minute"}}
    few = in_brief(found | {"gantt": found["gantt"] | {"rows": [row | {"bars": [bar(3), bar(2)]}]}})
    many = in_brief(found | {"gantt": found["gantt"] | {"rows": [row | {"bars": [bar(at) for at in range(150)]}]}})

    assert few == {"status": "optimal", "gantt": {"end": 9, "rows": [
        {"resource": "oven", "bars": ["j2, bake: 2026-01-05 08:02 to 09:00",
                                      "j3, bake: 2026-01-05 08:03 to 2026-01-06 09:00"]}]}}  # fmt: skip
    assert len(many["gantt"]["rows"][0]["bars"]) == MOST_BARS
    assert many["gantt"]["left_out"] == 150 - MOST_BARS
    assert in_brief({"status": "infeasible", "gantt": {}}) == {"status": "infeasible"}
