"""A project belongs to who began it and to whom it is shared with; nobody else can tell that it is there."""

from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError

from packhorse import Principal
from packhorse.compose.deployment import Deployment, compose
from packhorse.door.catalogue import Found
from packhorse.settings import AuthSettings, ServerSettings, Settings
from packhorse.testing import connected, deployment_for
from packhorse_discovery import pack

pytestmark = pytest.mark.anyio

ISSUER = {"iss": "https://sign-in.example"}
ALICE, BOB = (Principal("human", name, claims=ISSUER) for name in ("alice", "bob"))
OTHER_BOB = Principal("human", "bob", claims={"iss": "https://elsewhere.example"})
ADMIN = Principal("human", "root", frozenset({"ADMIN"}), claims=ISSUER)
WARM_UP = "process/warm-up-with-challenges"


PURSUED: dict[str, Any] = {"eads_id": WARM_UP}
OF_A_PROJECT: dict[str, dict[str, Any]] = {
    "get_next_eads": {},
    "get_aggregated_scr": {},
    "get_conversation_history": {},
    "generate_model": {},
    "solve_model": {},
    "compare_models": {"change": "open", "name": "oven"},
    "export_project": {},
    "delete_project": {},
    "list_conflicts": {},
    "list_available_eads": {},
    "start_eads_pursuit": PURSUED,
    "get_next_question": PURSUED,
    "get_eads_status": PURSUED,
    "finalize_eads": PURSUED,
    "process_eads_answer": {**PURSUED, "question_id": "q1-1", "answer": "We bake."},
    "correct_answer": {**PURSUED, "path": "/product-or-service-name", "value": "beer", "answer": "Beer."},
    "add_note": {"text": "hello"},
    "resolve_conflict": {"conflict_id": "c-000000000000", "resolution": "The first."},
}


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return deployment_for(data_dir=tmp_path, discovery=pack)


async def answer(deployment: Deployment, who: Principal, tool: str, **arguments: Any) -> Any:
    """What a tool answers: its structure, or the text of a refusal."""
    async with connected(deployment, principal=who) as client:
        reply = await client.call_tool(tool, arguments)
    return reply.content[0].text if reply.is_error else reply.structured_content


async def begin(deployment: Deployment, who: Principal, project: str, **more: Any) -> Any:
    return await answer(deployment, who, "start_interview", project_id=project, **more)


async def test_a_stranger_meets_the_same_words_whether_a_project_is_there_or_not(deployment: Deployment) -> None:
    await begin(deployment, ALICE, "rockets")

    for tool, more in OF_A_PROJECT.items():
        words = [
            await answer(
                deployment,
                BOB,
                tool,
                **(
                    {"project_context": {"project_id": name}}
                    if tool == "list_available_eads"
                    else {"project_id": name, **more}
                ),
            )
            for name in ("rockets", "nothing")
        ]
        assert words[0].replace("rockets", "nothing") == words[1]
        assert "PROJECT_UNKNOWN" in words[0]


async def test_pages_of_a_project_are_for_its_people_alone(deployment: Deployment) -> None:
    await begin(deployment, ALICE, "rockets")

    async with connected(deployment, principal=ALICE) as client:
        assert (await client.read_resource("discovery://projects/rockets/scr")).contents
    async with connected(deployment, principal=BOB) as client:
        with pytest.raises(MCPError, match="You have no project 'rockets'"):
            await client.read_resource("discovery://projects/rockets/scr")


async def test_two_people_may_choose_the_same_name(deployment: Deployment) -> None:
    first, second = await begin(deployment, ALICE, "bakery"), await begin(deployment, BOB, "bakery")

    await answer(deployment, ALICE, "add_note", project_id="bakery", text="a secret")

    assert (first["resumed"], second["resumed"]) == (False, False)
    assert second["project_id"] == "bakery"
    history = await answer(deployment, BOB, "get_conversation_history", project_id="bakery")
    assert history["notes"] == []


async def test_whom_it_is_shared_with_works_on_the_same_project_until_it_is_taken_back(deployment: Deployment) -> None:
    await begin(deployment, ALICE, "bakery", share_with=["bob"])

    resumed = await begin(deployment, BOB, "bakery")
    await answer(deployment, BOB, "add_note", project_id="bakery", text="the oven is old")
    history = await answer(deployment, ALICE, "get_conversation_history", project_id="bakery")
    await begin(deployment, ALICE, "bakery", share_with=[])

    assert resumed["resumed"]
    assert [each["text"] for each in history["notes"]] == ["the oven is old"]
    assert "PROJECT_UNKNOWN" in await answer(deployment, BOB, "get_next_eads", project_id="bakery")


async def test_somebody_of_the_same_name_from_elsewhere_is_somebody_else(deployment: Deployment) -> None:
    await begin(deployment, ALICE, "bakery", share_with=["bob"])

    assert "PROJECT_UNKNOWN" in await answer(deployment, OTHER_BOB, "get_next_eads", project_id="bakery")


async def test_only_the_owner_or_an_administrator_shares_and_erases(deployment: Deployment) -> None:
    await begin(deployment, ALICE, "bakery", share_with=["bob"])

    assert "NOT_THE_OWNER" in await begin(deployment, BOB, "bakery", share_with=["carol"])
    assert "NOT_THE_OWNER" in await answer(deployment, BOB, "delete_project", project_id="bakery")
    erased = await answer(deployment, ADMIN, "delete_project", project_id="bakery")

    assert (erased["project_id"], erased["deleted"]) == ("bakery", True)


async def test_who_sees_several_projects_of_one_name_says_which(deployment: Deployment) -> None:
    await begin(deployment, ALICE, "bakery")
    await begin(deployment, BOB, "bakery")

    refused = await answer(deployment, ADMIN, "get_next_eads", project_id="bakery")

    assert "bakery, bakery~2" in refused
    assert "eads_id" in await answer(deployment, ADMIN, "get_next_eads", project_id="bakery~2")


async def test_an_agent_works_on_the_projects_of_whom_it_works_for(deployment: Deployment) -> None:
    await begin(deployment, ALICE, "bakery")

    assert (await begin(deployment, ALICE.agent("scribe", run="r1"), "bakery"))["resumed"]


def test_the_pack_starts_with_authentication_and_no_list_of_names(tmp_path: Path) -> None:
    settings = Settings(server=ServerSettings(strict=True, data_dir=tmp_path), auth=AuthSettings(secret="s" * 32))

    deployment = compose(settings, [Found("discovery", pack.__name__, "under-test", "0")], modules={"discovery": pack})

    assert deployment.dispatcher.authenticated
