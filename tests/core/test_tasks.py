"""The tasks extension: what clients that declare it are answered, and what others are."""

from types import SimpleNamespace

import anyio
import anyio.to_thread
import mcp_types as wire
import pytest
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from tests.core.seeds import pack_of

from packhorse import Principal, Text, Tool
from packhorse.compose import packs
from packhorse.compose.access import granted
from packhorse.compose.collect import with_builtin
from packhorse.contract.content import Reply
from packhorse.contract.host import Host
from packhorse.door.dispatch import Dispatcher
from packhorse.jobs import Owner, Work
from packhorse.jobs.handle import Started, handle_of
from packhorse.settings import ServerSettings
from packhorse.testing import deployment_for
from packhorse.wire import content
from packhorse.wire.changes import Changes
from packhorse.wire.tasks import EXTENSION, TaskParams, Tasks, UpdateParams

pytest.importorskip("dbos", reason="packhorse[jobs] is not installed")

pytestmark = pytest.mark.anyio

ADA = Principal("human", "ada", claims={"iss": "https://one.example"})
BOB = Principal("human", "bob", claims={"iss": "https://one.example"})
MODERN, LEGACY = "2026-07-28", "2025-11-25"
WAIT_SECONDS = 60


@pytest.fixture
def changes():
    return Changes()


def with_job_tools(engine):
    """The offers of the built-in pack for jobs, and no others."""
    deployment = deployment_for(seed=pack_of())
    manager, loaded, _ = packs.load([found for found in packs.builtin() if found.name == "job-tools"])
    host = Host("packhorse", data_dir=deployment.settings.data_dir, jobs=engine)
    return with_builtin(deployment.catalogue, manager, loaded, {"job-tools": host})


@pytest.fixture
def tasks(engine, changes):
    def answer(job, result):
        return content.tool_result(Reply(result, (Text(job.tool),)))

    def refuse(refusal, name):
        return wire.CallToolResult(content=[content.block(Text(f"{refusal.code} {name}"))], is_error=True)

    door = Dispatcher(with_job_tools(engine), ServerSettings())
    yield Tasks(engine, door, lambda ctx: ctx.principal, changes, answer=answer, refuse=refuse)
    engine.changed = lambda job_id: None
    engine.ended = lambda tool: None


@pytest.fixture
def for_bosses(engine, tasks):
    """Tasks that only bosses may cancel."""
    door = Dispatcher(granted(with_job_tools(engine), {"BOSS": ["job_cancel"]}), ServerSettings())
    return Tasks(engine, door, lambda ctx: ctx.principal, Changes(), answer=tasks._answer, refuse=tasks._refuse)


async def test_whoever_may_not_use_the_tool_cannot_cancel_a_task_either(engine, for_bosses, tmp_path):
    job = await start(engine, "work_for_ever", folder=str(tmp_path))
    with pytest.raises(MCPError) as denied:
        await for_bosses.cancel(request(), named(job.id))

    assert denied.value.error.code == -32001
    assert not (await anyio.to_thread.run_sync(engine.get, job.id, Owner.of(ADA))).cancelling
    boss = Principal("human", "ada", frozenset({"BOSS"}), claims=ADA.claims)
    assert await for_bosses.cancel(request(boss), named(job.id)) == {}


def request(principal=ADA, *, declared=True, version=MODERN, headers=None):
    """What the SDK tells a handler of a request, as far as the extension looks at it."""
    extensions = {EXTENSION: {}} if declared else None
    return SimpleNamespace(
        principal=principal,
        protocol_version=version,
        session=SimpleNamespace(client_capabilities=wire.ClientCapabilities(extensions=extensions)),
        request=None if headers is None else SimpleNamespace(headers=headers),
    )


def named(job_id):
    return TaskParams.model_validate({"taskId": job_id})


def answering(job_id, **answers):
    return UpdateParams.model_validate({"taskId": job_id, "inputResponses": answers})


async def start(engine, name, *, tool="plan", **arguments):
    work = Work(f"tests.core.jobs.labour:{name}", arguments)
    return await anyio.to_thread.run_sync(engine.start, tool, work, Owner.of(ADA))


async def until(tasks, job, *statuses):
    """The task, once it is in one of these states."""
    with anyio.fail_after(WAIT_SECONDS):
        while True:
            found = await tasks.get(request(), named(job.id))
            if found["status"] in statuses:
                return found
            await anyio.sleep(0.1)


async def end_of(tasks, job):
    return await until(tasks, job, "completed", "failed", "cancelled")


# --- creation ---


async def test_a_client_that_declares_the_extension_is_answered_with_a_task(engine, tasks):
    job = await start(engine, "add", a=1, b=2)
    created = tasks.created_by(request(), Started(handle_of(job), job=job))
    assert created == {
        "resultType": "task",
        "taskId": job.id,
        "status": "working",
        "createdAt": job.created_at,
        "lastUpdatedAt": job.updated_at,
        "ttlMs": 7 * 24 * 3600 * 1000,
        "pollIntervalMs": 1000,
    }
    await end_of(tasks, job)


@pytest.mark.parametrize(
    "asking",
    [
        pytest.param({"declared": False}, id="did not declare it"),
        pytest.param({"version": LEGACY}, id="speaks an earlier protocol"),
    ],
)
async def test_another_client_is_answered_with_the_handle(engine, tasks, asking):
    job = await start(engine, "add", a=1, b=2)
    assert tasks.created_by(request(**asking), Started(handle_of(job), job=job)) is None
    assert not tasks.declared(request(**asking))
    await end_of(tasks, job)


async def test_an_ordinary_answer_is_no_task(tasks):
    assert tasks.created_by(request(), Reply({"a": 1})) is None


async def test_the_extension_is_announced_and_its_methods_are_answered(tasks):
    server = Server("s")
    tasks.mount(server)
    assert server.extensions == {EXTENSION: {}}
    assert {f"tasks/{verb}" for verb in ("get", "update", "cancel")} <= set(server._request_handlers)
    assert not {"tasks/list", "tasks/result"} & set(server._request_handlers)


# --- how it stands ---


async def test_a_finished_task_holds_the_tool_s_answer(engine, tasks):
    done = await end_of(tasks, await start(engine, "add", a=1, b=2))
    assert done["status"] == "completed"
    assert done["statusMessage"] == "half of it"
    assert done["result"]["structuredContent"] == {"sum": 3}
    assert done["result"]["content"] == [{"type": "text", "text": "plan"}]
    assert not done["result"]["isError"]


async def test_a_value_that_is_no_object_is_wrapped(engine, tasks, tmp_path):
    done = await end_of(tasks, await start(engine, "environment"))
    assert list(done["result"]["structuredContent"]) == ["result"]


async def test_a_refusal_is_a_completed_call_that_went_wrong(engine, tasks):
    job = await start(engine, "refuse")
    done = await end_of(tasks, job)
    assert (done["status"], done["result"]["isError"]) == ("completed", True)
    assert done["result"]["content"][0]["text"] == f"NO_PEOPLE {job.id}"


async def test_an_error_of_the_protocol_is_a_failure(engine, tasks):
    done = await end_of(tasks, await start(engine, "break_protocol"))
    assert (done["status"], done["error"]["code"], done["error"]["message"]) == (
        "failed",
        -32603,
        "It went up in smoke.",
    )
    assert "result" not in done


async def test_a_cancelled_task_ends_so_and_stays_so(engine, tasks, tmp_path):
    job = await start(engine, "work_for_ever", folder=str(tmp_path))
    for _ in range(2):
        assert await tasks.cancel(request(), named(job.id)) == {}
        done = await end_of(tasks, job)
        assert done["status"] == "cancelled"
        assert not {"result", "error", "inputRequests"} & set(done)


# --- questions ---


async def test_a_task_asks_is_answered_in_parts_and_goes_on(engine, tasks, tmp_path):
    job = await start(engine, "ask", folder=str(tmp_path))
    asked = (await until(tasks, job, "input_required"))["inputRequests"]
    assert set(asked) == {"sure", "really"}
    assert asked["sure"]["method"] == "elicitation/create"
    assert asked["sure"]["params"]["message"] == "Delete it?"
    assert asked["sure"]["params"]["requestedSchema"]["properties"] == {"confirm": {"type": "boolean"}}

    accepted = {"action": "accept", "content": {"confirm": True}}
    assert await tasks.update(request(), answering(job.id, sure=accepted)) == {}
    assert set((await tasks.get(request(), named(job.id)))["inputRequests"]) == {"really"}
    await tasks.update(request(), answering(job.id, really={"action": "cancel"}, unasked=accepted))

    done = await end_of(tasks, job)
    assert done["result"]["structuredContent"] == {"result": [True, "Cancelled"]}


async def test_an_answer_that_is_no_object_is_refused(engine, tasks, tmp_path):
    job = await start(engine, "ask", folder=str(tmp_path))
    await until(tasks, job, "input_required")
    with pytest.raises(MCPError) as caught:
        await tasks.update(request(), answering(job.id, sure=7))
    assert caught.value.error.code == wire.INVALID_PARAMS
    await tasks.cancel(request(), named(job.id))
    await end_of(tasks, job)


# --- who may ask ---


def methods(tasks, job_id):
    return [
        (tasks.get, named(job_id)),
        (tasks.update, answering(job_id, sure={"action": "accept"})),
        (tasks.cancel, named(job_id)),
    ]


async def fault_of(method, asking, params):
    with pytest.raises(MCPError) as caught:
        await method(asking, params)
    error = caught.value.error
    return error.code, error.message, error.data


async def test_a_task_of_somebody_else_is_answered_as_one_that_is_not_there(engine, tasks):
    job = await start(engine, "add", a=1, b=2)
    for (method, foreign), (_, unknown) in zip(methods(tasks, job.id), methods(tasks, "0" * len(job.id)), strict=True):
        fault = await fault_of(method, request(BOB), foreign)
        assert fault == (wire.INVALID_PARAMS, "There is no task with this id.", None)
        assert fault == await fault_of(method, request(BOB), unknown)
    assert (await end_of(tasks, job))["status"] == "completed"


async def test_a_client_that_did_not_declare_the_extension_is_told_to(engine, tasks):
    for method, params in methods(tasks, "anything"):
        code, _, data = await fault_of(method, request(declared=False), params)
        assert code == wire.MISSING_REQUIRED_CLIENT_CAPABILITY
        assert data == {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}


async def test_an_earlier_protocol_has_no_such_methods(tasks):
    for method, params in methods(tasks, "anything"):
        assert (await fault_of(method, request(version=LEGACY), params))[0] == wire.METHOD_NOT_FOUND


@pytest.mark.parametrize("headers", [{}, {"mcp-name": "another"}], ids=["missing", "another"])
async def test_over_http_the_header_names_the_task(engine, tasks, headers):
    job = await start(engine, "add", a=1, b=2)
    await end_of(tasks, job)
    for method, params in methods(tasks, job.id):
        assert (await fault_of(method, request(headers=headers), params))[0] == wire.HEADER_MISMATCH
    assert (await tasks.get(request(headers={"mcp-name": job.id}), named(job.id)))["status"] == "completed"


# --- notices ---


async def test_whoever_subscribed_to_a_job_is_told_that_it_changed(engine, tasks, changes):
    told, heard = [], anyio.Event()

    def hear(event):
        told.append(event.uri)
        heard.set()

    changes.bus.subscribe(hear)
    tasks.declared(request())
    job = await start(engine, "add", a=1, b=2)
    with anyio.fail_after(WAIT_SECONDS):
        await heard.wait()
    await end_of(tasks, job)
    assert set(told) == {f"jobs://{job.id}"}


@pytest.mark.parametrize("ends", ["add", "refuse"])
async def test_when_a_job_has_ended_what_its_pack_knew_is_forgotten_unless_its_tool_only_reads(engine, tasks, ends):
    forgotten, heard = [], anyio.Event()

    def forget(pack):
        forgotten.append(pack)
        heard.set()

    def work():
        """Start some work."""

    offered = [Tool(fn=work, name="look", read_only=True), Tool(fn=work, name="put")]
    door = deployment_for(other=pack_of(tools=[Tool(fn=work)]), shelf=pack_of(tools=offered)).dispatcher
    changes = Changes(forget)
    Tasks(engine, door, lambda ctx: ctx.principal, changes, answer=tasks._answer, refuse=tasks._refuse)
    changes.from_here()
    arguments = {"a": 1, "b": 2} if ends == "add" else {}
    for tool in ("look", "put"):
        job = await start(engine, ends, tool=tool, **arguments)
        await end_of(tasks, job)
    with anyio.fail_after(WAIT_SECONDS):
        await heard.wait()
    assert forgotten == ["shelf"]
