"""A problem of no built-in kind, from the question that shows it to a verified answer, at the wire."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from packhorse.testing import client_for, connected, deployment_for
from packhorse_discovery import pack
from packhorse_discovery.service.formulating import EXAMPLES, shown

pytestmark = pytest.mark.anyio

WORDS = (
    "Glue: a beam bridge takes 5 tubes and a truss bridge 8. We have at most 100 tubes. A beam bridge holds 40 kg and "
    "a truss bridge 60 kg. Maximize the load. At least 4 truss bridges."
)
BRIDGES: dict[str, Any] = {
    "sets": {"B": ["beam", "truss"]},
    "data": {
        "glue": {"over": "B", "values": [5, 8], "unit": "tube/bridge"},
        "tubes": {"value": 100, "unit": "tube"},
        "holds": {"over": "B", "values": [40, 60], "unit": "kg/bridge"},
    },
    "vars": {"n": {"over": "B", "type": "int", "unit": "bridge"}},
    "rules": {"glue": "sum(glue[b] * n[b] for b in B) <= tubes", "truss": "n['truss'] >= 4"},
    "maximize": "sum(holds[b] * n[b] for b in B)",
}


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await client.call_tool(tool, arguments)
    assert not reply.is_error, reply.content[0].text
    return reply.structured_content or {}


async def refused(client: Client, **arguments: Any) -> str:
    reply = await client.call_tool("solve_formulation", arguments)
    assert reply.is_error
    return reply.content[0].text


@pytest.fixture
async def client(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Client]:
    """A client of a server without jobs, with a project p."""
    monkeypatch.setitem(__import__("sys").modules, "dbos", None)
    async with client_for(discovery=pack) as client:
        await call(client, "start_interview", project_id="p")
        yield client


async def test_an_answer_is_verified_and_says_what_was_chosen(client: Client) -> None:
    found = await call(client, "solve_formulation", project_id="p", formulation=BRIDGES, words=WORDS)

    assert (found["status"], found["objective"], found["verified"]) == ("optimal", 780, True)
    assert found["values"] == {"n": {"beam": 12, "truss": 5}}
    assert "780 is the largest value" in found["summary"]


async def test_the_kept_formulation_is_solved_again_and_shown(client: Client) -> None:
    await call(client, "solve_formulation", project_id="p", formulation=BRIDGES, words=WORDS)
    again = await call(client, "solve_formulation", project_id="p")
    page = await client.read_resource("discovery://projects/p/formulation")

    kept = json.loads(page.contents[0].text)
    assert again["objective"] == 780
    assert kept["formulation"] == BRIDGES
    assert kept["facts_changed_since"] is False


async def test_a_number_that_nobody_said_stops_it_and_leaves_nothing(client: Client) -> None:
    document = {**BRIDGES, "data": {**BRIDGES["data"], "tubes": {"value": 120, "unit": "tube"}}}
    text = await refused(client, project_id="p", formulation=document, words=WORDS)

    assert "data tubes: 120 is not in the words" in text
    assert "FORMULATION_FAULTY" in text
    assert "NO_FORMULATION" in await refused(client, project_id="p")


async def test_rules_that_cannot_hold_together_are_named(client: Client) -> None:
    words = WORDS + " Also at least 13 truss bridges for the fair."
    rules = {
        **BRIDGES["rules"],
        "fair": {"rule": "n['truss'] >= 13", "quote": "at least 13 truss bridges for the fair"},
    }
    found = await call(
        client, "solve_formulation", project_id="p", formulation={**BRIDGES, "rules": rules}, words=words
    )

    assert found["status"] == "infeasible"
    assert [row["rule"] for row in found["conflict"]] == ["glue", "fair"]
    assert found["conflict"][1]["quote"] == "at least 13 truss bridges for the fair"


async def test_without_words_there_is_nothing_to_check_against(client: Client) -> None:
    assert "NO_WORDS" in await refused(client, project_id="p", formulation=BRIDGES)


async def test_an_answer_of_the_interview_is_words_too(client: Client) -> None:
    await call(client, "start_eads_pursuit", project_id="p", eads_id="process/warm-up-with-challenges")
    asked = await call(client, "get_next_question", project_id="p", eads_id="process/warm-up-with-challenges")
    await call(
        client, "process_eads_answer", project_id="p", eads_id="process/warm-up-with-challenges",
        question_id=asked["question_id"], answer=WORDS,
    )  # fmt: skip
    assert (await call(client, "solve_formulation", project_id="p", formulation=BRIDGES))["objective"] == 780


@pytest.mark.parametrize(
    ("answer", "points_to"), [("(f)", "solve_formulation"), ("(g)", "forecasts and simulations are not made here")]
)
async def test_none_of_the_kinds_leads_to_a_formulation_or_to_a_plain_no(
    client: Client, answer: str, points_to: str
) -> None:
    for eads_id, answers in {
        "process/warm-up-with-challenges": ["We deliver parcels with two vans.", "none"],
        "process/scheduling-problem-type": [answer, "no\nno"],
    }.items():
        await call(client, "start_eads_pursuit", project_id="p", eads_id=eads_id)
        for text in answers:
            asked = await call(client, "get_next_question", project_id="p", eads_id=eads_id)
            if asked.get("question_id"):
                await call(
                    client, "process_eads_answer", project_id="p", eads_id=eads_id,
                    question_id=asked["question_id"], answer=text,
                )  # fmt: skip
        await call(client, "finalize_eads", project_id="p", eads_id=eads_id, accept_gaps=True)
    advice = await call(client, "get_next_eads", project_id="p")
    model = await client.call_tool("solve_model", {"project_id": "p"})

    assert (advice["eads_id"], points_to in advice["rationale"]) == ("exhausted", True)
    assert model.is_error
    assert points_to in model.content[0].text


@pytest.mark.parametrize("name", EXAMPLES)
async def test_every_example_of_the_library_is_solved_from_its_words(client: Client, name: str) -> None:
    example = await call(client, "solve_formulation", project_id="p", example=name)
    await call(client, "start_interview", project_id=name)
    found = await call(
        client, "solve_formulation", project_id=name, formulation=example["formulation"], words=example["words"]
    )
    assert found["objective"] == shown(name)["objective"]
    assert found["status"] == "optimal"


async def test_with_jobs_the_answer_is_the_result_of_a_job(tmp_path: Path) -> None:
    pytest.importorskip("dbos", reason="the part packhorse[jobs] is not installed")
    async with connected(deployment_for(data_dir=tmp_path, discovery=pack)) as client:
        await call(client, "start_interview", project_id="p")
        started = await call(client, "solve_formulation", project_id="p", formulation=BRIDGES, words=WORDS)
        found = await call(client, "job_result", job_id=started["job_id"], wait_seconds=30)
        assert "120 is not in the words" in await refused(
            client, project_id="p", formulation={**BRIDGES, "data": {**BRIDGES["data"], "tubes": 120}}
        )
        form = await call(client, "solve_formulation", project_id="p", example="form")
    assert found["objective"] == 780
    assert "circuit" in form["form"]


LESSONS = (
    "7A and 7B have two maths each, English twice for 7A and once for 7B, on Monday and Tuesday, three periods a day. "
    "The first period begins at ten to nine. A class is in one lesson at a time. Ms Duru is away on Tuesday. "
    "Ms Hale gives one lesson at a time."
)
TIMETABLE: dict[str, Any] = {
    "sets": {"C": ["7A", "7B"], "S": ["maths", "English"], "D": ["Monday", "Tuesday"], "P": "1..3"},
    "data": {
        "lessons": {
            "over": ["C", "S"], "values": {"7A": {"maths": 2, "English": 2}, "7B": {"maths": 2, "English": 1}},
            "quote": "7A and 7B have two maths each, English twice for 7A and once for 7B",
        }
    },
    "vars": {"x": {"over": ["C", "S", "D", "P"], "type": "bool"}},
    "rules": {
        "lessons": "sum(x[c, s, d, p] for d in D for p in P) == lessons[c, s] for c in C for s in S",
        "class": {
            "rule": "sum(x[c, s, d, p] for s in S) <= 1 for c in C for d in D for p in P",
            "quote": "A class is in one lesson at a time",
        },
        "teacher": {
            "rule": "sum(x[c, s, d, p] for c in C) <= 1 for s in S for d in D for p in P",
            "quote": "Ms Hale gives one lesson at a time",
        },
    },
    "ignored": {"08:50": "the periods are numbered"},
}  # fmt: skip


async def test_without_a_goal_the_answer_says_that_it_is_any_plan(client: Client) -> None:
    found = await call(client, "solve_formulation", project_id="p", formulation=TIMETABLE, words=LESSONS)

    assert found["summary"].startswith("Any plan that keeps the rules")
    assert "Ask what makes one better" in found["summary"]


async def test_a_project_with_a_formulation_resumes_with_it(client: Client) -> None:
    await call(client, "solve_formulation", project_id="p", formulation=BRIDGES, words=WORDS)
    resumed = await call(client, "start_interview", project_id="p")

    assert resumed["formulation"]["goal"] == "maximize sum(holds[b] * n[b] for b in B)"
    assert resumed["formulation"]["value"] == 780
    assert "solve_formulation" in resumed["next"]["do"]
    assert not resumed["next"].get("question")
    assert "pursuits" not in resumed


async def test_an_interview_that_has_begun_is_resumed_beside_its_formulation(client: Client) -> None:
    asked = (await call(client, "start_interview", project_id="p"))["next"]
    await call(
        client, "process_eads_answer", project_id="p", eads_id=asked["eads_id"], question_id=asked["question_id"],
        answer="We make bridges.", refinement={"product-or-service-name": "bridges"},
    )  # fmt: skip
    await call(client, "solve_formulation", project_id="p", formulation=BRIDGES, words=WORDS)
    resumed = await call(client, "start_interview", project_id="p")

    assert resumed["formulation"]["value"] == 780
    assert resumed["next"]["question"]
    assert resumed["pursuits"]


async def test_what_is_established_holds_the_formulation_with_its_words(client: Client) -> None:
    assert "formulation" not in await call(client, "get_aggregated_scr", project_id="p")
    await call(client, "solve_formulation", project_id="p", formulation=BRIDGES, words=WORDS)
    brief = (await call(client, "get_aggregated_scr", project_id="p"))["formulation"]
    held = (await call(client, "get_aggregated_scr", project_id="p", detail="full"))["formulation"]

    assert (brief["formulation"], brief["standing"]["value"]) == (BRIDGES, 780)
    assert "words" not in brief
    assert held["words"] == [WORDS]
    assert held["formulation"] == BRIDGES
    assert held["answer"]["objective"] == 780


async def test_the_conversation_holds_each_formulation_and_what_was_said_of_it(client: Client) -> None:
    await call(client, "solve_formulation", project_id="p", formulation=BRIDGES, words=WORDS)
    told = await call(client, "get_conversation_history", project_id="p")

    assert told["statements"] == [WORDS]
    assert [(one["name"], one["value"]) for one in told["formulations"]] == [("formulation 1", 780)]
    assert "780" in told["formulations"][0]["summary"]


async def test_a_report_names_what_is_open_in_words_and_nothing_of_what_was_never_begun(client: Client) -> None:
    await call(client, "start_interview", project_id="p")
    assert "missing" not in (await call(client, "export_project", project_id="p"))["text"]

    await call(client, "process_eads_answer", project_id="p", eads_id="process/warm-up-with-challenges",
               question_id="q1-1", answer="We bake; the name comes later.",
               refinement={"one-more-thing": "We bake", "product-or-service-name": "later"})  # fmt: skip
    text = (await call(client, "export_project", project_id="p"))["text"]

    assert "- product or service name: for later" in text
    assert "scheduling-challenges" not in text


async def test_an_export_holds_the_words_the_rules_and_the_plan(client: Client) -> None:
    await call(client, "solve_formulation", project_id="p", formulation=TIMETABLE, words=LESSONS)
    report = (await call(client, "export_project", project_id="p"))["text"]
    data = json.loads((await call(client, "export_project", project_id="p", format="json"))["text"])

    assert "Goal: none: any plan that keeps the rules." in report
    assert "(«A class is in one lesson at a time»)" in report
    assert "- 08:50: the periods are numbered" in report
    assert f"> {LESSONS}" in report
    assert data["formulation"]["formulation"] == TIMETABLE
    assert data["formulation"]["words"] == [LESSONS]
    chosen = data["formulation"]["answer"]["values"]["x"]
    assert len(chosen) == 7
    assert all(f"- x[{cell}] = 1" in report for cell in chosen)


async def test_a_sentence_that_no_rule_quotes_is_listed(client: Client) -> None:
    found = await call(client, "solve_formulation", project_id="p", formulation=TIMETABLE, words=LESSONS)
    resumed = await call(client, "start_interview", project_id="p")

    assert found["not_used"] == ["Ms Duru is away on Tuesday"]
    assert "Ms Duru is away on Tuesday" in resumed["formulation"]["not_kept"]


async def test_a_value_that_its_own_quote_denies_is_refused(client: Client) -> None:
    lessons = TIMETABLE["data"]["lessons"]
    wrong = {**lessons, "values": {"7A": {"maths": 2, "English": 2}, "7B": {"maths": 2, "English": 2}}}
    text = await refused(client, project_id="p", formulation={**TIMETABLE, "data": {"lessons": wrong}}, words=LESSONS)

    assert "data lessons: 7B,English is 2, and its quote says «once for 7B»" in text


async def test_rules_that_the_formulation_quotes_are_not_listed_as_unmodelled(client: Client) -> None:
    await call(
        client, "process_eads_answer", project_id="p", eads_id="process/warm-up-with-challenges", question_id="q1-1",
        answer="We plan lessons. Ms Hale teaches English. Ms Duru is away on Tuesday. As early an end as possible.",
        refinement={"product-or-service-name": "lessons", "rules": [
            {"rule": "Ms Hale has one class at a time", "quote": "Ms Hale teaches English"},
            {"rule": "Ms Duru is away on Tuesday", "quote": "Ms Duru is away on Tuesday"},
            {"rule": "An early end", "quote": "As early an end as possible"}]},
    )  # fmt: skip
    quoted = {**BRIDGES["rules"], "hale": {"rule": "n['beam'] >= 0 * n['truss']", "quote": "Ms Hale teaches English."}}
    changed = {key: value for key, value in BRIDGES.items() if key != "maximize"} | {
        "rules": quoted, "minimize": "n['truss']"
    }  # fmt: skip
    words = WORDS.replace(" Maximize the load.", "")
    changed["ignored"] = {"40": "not asked for", "60": "not asked for"}
    changed["data"] = {name: one for name, one in BRIDGES["data"].items() if name != "holds"}
    await call(client, "solve_formulation", project_id="p", formulation=changed, words=words)
    await call(
        client, "finalize_eads", project_id="p", eads_id="process/warm-up-with-challenges", accept_gaps=True,
        final_notes="done",
    )  # fmt: skip
    found = await call(client, "get_aggregated_scr", project_id="p", detail="full")

    assert [one["value"] for one in found["merged_scr"]["unmodelled"]] == ["Ms Duru is away on Tuesday"]
    assert found["formulation"]["facts_changed_since"] is False


async def test_an_answer_that_no_question_asked_for_is_sent_to_the_formulation(client: Client) -> None:
    first = await call(
        client, "process_eads_answer", project_id="p", eads_id="process/warm-up-with-challenges", question_id="q1-1",
        answer="We drive parcels, and promised dates are hard to keep.",
        refinement={"product-or-service-name": "parcels", "scheduling-challenges": ["delivery-schedules"],
                    "quote": "promised dates are hard to keep"},
    )  # fmt: skip
    kind = {"eads_id": "process/scheduling-problem-type", "project_id": "p"}
    await call(
        client, "process_eads_answer", **kind, question_id=first["next"]["question_id"], answer="One run, from (f).",
        refinement={"principal-problem-type": "NONE-OF-THESE", "quote": "One run"},
    )  # fmt: skip
    reply = await client.call_tool("process_eads_answer", {**kind, "question_id": "q2-9", "answer": "It may wait."})

    assert reply.is_error
    assert "give what the person said to solve_formulation under words" in reply.content[0].text
