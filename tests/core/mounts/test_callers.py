"""What a mounted server gets of one caller reaches no other: credentials, and questions with their answers."""

import os

import anyio
import pytest
from mcp import MCPError
from mcp_types import ElicitResult
from tests.core.mounts.hosting import client, code_of, deployment_of, folder_of, received

from packhorse.contract.principal import Principal
from packhorse.errors import PackError
from packhorse.mounts import accepted
from packhorse.mounts.credentials import Credentials
from packhorse.mounts.served import mounts_of
from packhorse.settings import AuthSettings
from packhorse.testing import PROTOCOLS, connected

pytestmark = [pytest.mark.anyio, pytest.mark.drill]

OLD, NEW = "2025-11-25", "2026-07-28"
UPSTREAMS = pytest.mark.parametrize("upstream", [OLD, NEW])


def person(name):
    return Principal("human", name, claims={"iss": "https://issuer.example"})


def answering(size, seen=None):
    """A client's options: it answers every question with a size, or declines."""

    async def answer(context, params):
        if seen is not None:
            seen.append(params.message)
        return ElicitResult(action="decline") if size is None else ElicitResult(action="accept", content={"size": size})

    return {"elicitation_callback": answer}


async def test_each_caller_has_a_credential_of_their_own(tmp_path, asked, serving, run):
    url, _, _ = serving()
    mount = asked.model_copy(update={"command": (), "url": url, "headers": {"Authorization": "Bearer {credential}"}})
    accepted.save(folder_of(tmp_path), "up", mount)
    for name in ("ada", "bob"):
        secret = {"PACKHORSE_MOUNT_CREDENTIAL": f"secret-of-{name}"}
        made = run("connect", "up", "--subject", name, "--issuer", "https://issuer.example", **secret)
        assert made.exception is None, made.exception
    deployment = deployment_of(tmp_path)
    answers = {}
    for name in ("ada", "bob", "eve"):
        async with connected(deployment, principal=person(name)) as caller:
            answers[name] = await caller.call_tool("up_whoami", {})
            if name == "ada":
                agent = person(name).agent("clerk", run="r1")
                async with connected(deployment, principal=agent) as clerk:
                    answers["agent"] = await clerk.call_tool("up_whoami", {})
    run("disconnect", "up", "--subject", "ada", "--issuer", "https://issuer.example")
    async with connected(deployment, principal=person("ada")) as caller:
        after = await caller.call_tool("up_whoami", {})

    assert [answers[name].content[0].text for name in ("ada", "bob", "agent")] == [
        "Bearer secret-of-ada",
        "Bearer secret-of-bob",
        "Bearer secret-of-ada",
    ]
    assert code_of(answers["eve"]) == code_of(after) == "NO_CREDENTIAL"
    assert "packhorse mount connect up" in answers["eve"].content[0].text
    assert b"secret-of" not in (folder_of(tmp_path) / "up.credentials").read_bytes()


async def test_a_server_over_pipes_gets_a_process_for_each_credential_and_a_new_one_with_the_next(tmp_path, added, run):
    added(env={"TOKEN": "{credential}"}, connections=1)
    async with client(tmp_path) as caller:
        without = await caller.call_tool("up_whoami", {})
        run("connect", "up", PACKHORSE_MOUNT_CREDENTIAL="first")
        first = await caller.call_tool("up_whoami", {})
        run("connect", "up", PACKHORSE_MOUNT_CREDENTIAL="second")
        second = await caller.call_tool("up_whoami", {})

    with pytest.raises(PackError, match="packhorse mount diff up"):
        await mounts_of(deployment_of(tmp_path).host).now("up")
    assert code_of(without) == "NO_CREDENTIAL"
    assert (first.content[0].text, second.content[0].text) == ("first", "second")


async def test_a_caller_without_a_name_has_no_credential(tmp_path, added):
    added(env={"TOKEN": "{credential}"}, public=True)
    async with client(tmp_path, Principal("anonymous"), auth=AuthSettings(secret="s" * 40)) as caller:
        reply = await caller.call_tool("up_whoami", {})

    assert code_of(reply) == "NO_CREDENTIAL"
    assert "Sign in" in reply.content[0].text


def test_a_mount_without_credentials_of_callers_connects_nobody(added, run):
    added()
    made = run("connect", "up", PACKHORSE_MOUNT_CREDENTIAL="x")

    assert isinstance(made.exception, PackError)
    assert "{credential}" in str(made.exception)


def test_a_credential_opens_for_its_owner_its_mount_and_its_key_alone(tmp_path):
    kept = Credentials(tmp_path, "up", "key " * 10)
    kept.keep("ada", "secret")
    file = tmp_path / "up.credentials"
    file.write_text(file.read_text().replace('"ada"', '"eve"'))

    assert Credentials(tmp_path, "up", "key " * 10).of("eve") is None
    kept.keep("ada", "secret")
    assert Credentials(tmp_path, "up", "key " * 10).of("ada") == "secret"
    assert Credentials(tmp_path, "up", "another key").of("ada") is None
    (tmp_path / "other.credentials").write_text(file.read_text())
    assert Credentials(tmp_path, "other", "key " * 10).of("ada") is None
    assert oct(file.stat().st_mode & 0o777) == "0o600"


@UPSTREAMS
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_question_reaches_the_caller_and_the_answer_the_server(tmp_path, added, upstream, protocol):
    added(*(["old"] if upstream == OLD else []), questions=True, protocol=upstream)
    deployment, seen = deployment_of(tmp_path), []
    async with connected(deployment, protocol=protocol, **answering("large", seen)) as caller:
        answered = await caller.call_tool("up_order", {"what": "tea"})
        again = await caller.call_tool("up_order", {"what": "milk"})
        (state,) = mounts_of(deployment.host).states()
    async with connected(deployment, protocol=protocol, **answering(None)) as caller:
        declined = await caller.call_tool("up_order", {"what": "tea"})
    async with connected(deployment, protocol=protocol) as caller:
        with pytest.raises(MCPError) as refused:
            await caller.call_tool("up_order", {"what": "tea"})
        after = await caller.call_tool("up_echo", {"text": "well"})

    assert (answered.content[0].text, again.content[0].text) == ("tea: large", "milk: large")
    assert seen == ["The server up asks: Which size of tea?", "The server up asks: Which size of milk?"]
    assert declined.content[0].text == "tea: nothing"
    assert refused.value.error.code == -32021
    assert refused.value.error.data["requiredCapabilities"] == {"elicitation": {"form": {}}}
    assert after.content[0].text == "well"
    assert state.connections == 1


async def test_questions_asked_at_once_go_each_to_its_own_caller(tmp_path, asked, serving):
    url, _, _ = serving(0, "old")
    update = {"command": (), "url": url, "questions": True, "protocol": OLD}
    accepted.save(folder_of(tmp_path), "up", asked.model_copy(update=update))
    deployment = deployment_of(tmp_path)
    answers = {}

    async def call(caller, name, number):
        reply = await caller.call_tool("up_order", {"what": f"{name}-{number}"})
        answers[name, number] = reply.content[0].text

    async def five(name, seen):
        async with connected(deployment, principal=person(name), **answering(name, seen)) as caller:
            async with anyio.create_task_group() as calls:
                for number in range(5):
                    calls.start_soon(call, caller, name, number)
            done[name].set()
            for other in done.values():  # the first to leave would close the host for all
                await other.wait()

    names = ("ada", "bob", "eve")
    done = {name: anyio.Event() for name in names}
    seen = {name: [] for name in names}
    async with anyio.create_task_group() as people:
        for name in names:
            people.start_soon(five, name, seen[name])

    assert answers == {(name, number): f"{name}-{number}: {name}" for name in names for number in range(5)}
    for name in names:
        assert len(seen[name]) == 5
        assert all(f"of {name}-" in message for message in seen[name])


@pytest.mark.skipif(os.name != "posix", reason="named pipes are POSIX")
async def test_a_question_that_nobody_answers_is_given_up(tmp_path, added):
    added("old", questions=True, protocol=OLD, question_seconds=0.2)
    marker = tmp_path / "marker"
    os.mkfifo(marker)

    async def late(context, params):
        assert await received(marker) == "cancelled"
        return ElicitResult(action="accept", content={"size": "late"})

    async with client(tmp_path, options={"elicitation_callback": late}) as caller:
        reply = await caller.call_tool("up_ask_long", {"marker": str(marker)})
        after = await caller.call_tool("up_echo", {"text": "well"})

    assert code_of(reply) == "QUESTION_OVER"
    assert after.content[0].text == "well"


@UPSTREAMS
async def test_without_leave_a_server_cannot_ask(tmp_path, added, upstream):
    added(*(["old"] if upstream == OLD else []), protocol=upstream)
    async with client(tmp_path, options=answering("large")) as caller:
        reply = await caller.call_tool("up_order", {"what": "tea"})

    assert code_of(reply) in ("UPSTREAM_REFUSED", "UPSTREAM_ERROR")


async def test_several_processes_pass_no_questions_of_an_older_server(tmp_path, added, caplog):
    added("old", questions=True, protocol=OLD)
    deployment = deployment_of(tmp_path, server={"workers": 2, "state_key": "k" * 32})

    assert not mounts_of(deployment.host).links["up"].mount.questions
    assert "its questions are not passed on" in caplog.text
