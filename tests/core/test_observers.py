"""Observers: what they are told, in which order, and what their failure does."""

import asyncio
import logging
import threading
from contextlib import nullcontext

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from tests.core.seeds import pack_of

from packhorse import Observer, Principal, Reply, RequestError, Tool, UserError, hookimpl
from packhorse.audit import tail, verify
from packhorse.contract.principal import ANONYMOUS, LOCAL
from packhorse.door.execution import Requester
from packhorse.settings import ServerSettings
from packhorse.settings.tables import AUDIT_FILE
from packhorse.testing import deployment_for

pytestmark = pytest.mark.anyio

DOOR = RequestError(-32600, "method", "Method Not Allowed")


def look() -> str:
    """Look."""
    return "seen"


def change(why: str = "") -> str:
    """Change something."""
    return "changed"


def act() -> Reply[dict[str, str]]:
    """Act, where nothing may be done."""
    return Reply({"status": "denied"}, recorded=("denied", "not_granted"))


class Notes(Observer):
    """Notes what it is told, and the call's own identity."""

    def __init__(self):
        self.told = []
        self.calls = []

    def _note(self, what, call, outcome=None):
        self.told.append((what, call.kind, call.name, outcome and outcome.word))
        self.calls.append(call)

    def open(self, deployment):
        self.told.append("open")

    def close(self):
        self.told.append("close")

    def arrives(self, call):
        self._note("arrives", call)

    def begins(self, call):
        self._note("begins", call)

    def ends(self, call, outcome):
        self._note("ends", call, outcome)

    def refused(self, call, outcome):
        self._note(f"refused {call.count}", call, outcome)


class Failing(Observer):
    def arrives(self, call):
        raise ValueError("arrives")

    def begins(self, call):
        raise ValueError("begins")

    def ends(self, call, outcome):
        raise ValueError("ends")


class Essential(Failing):
    essential = True


def served(folder, *observers, **server):
    module = pack_of(tools=[Tool(fn=look, read_only=True), change, act])

    @hookimpl
    def register_observers():
        return observers

    module.register_observers = register_observers
    return deployment_for(data_dir=folder, server=ServerSettings(strict=True, **server), seed=module)


async def test_a_call_arrives_begins_and_ends_as_one_object(tmp_path):
    notes = Notes()
    deployment = served(tmp_path, notes)
    with deployment.running():
        await deployment.dispatcher.call_tool(Requester(LOCAL), "change", {})
        await deployment.dispatcher.call_tool(Requester(LOCAL), "look", {})

    assert notes.told == [
        "open",
        ("arrives", "tool", "change", None),
        ("begins", "tool", "change", None),
        ("ends", "tool", "change", "ok"),
        ("arrives", "tool", "look", None),
        ("ends", "tool", "look", "ok"),
        "close",
    ]
    assert len(set(map(id, notes.calls))) == 2
    assert [(call.effectful, call.pack) for call in (notes.calls[0], notes.calls[-1])] == [
        (True, "seed"),
        (False, "seed"),
    ]


async def test_an_answer_that_says_in_its_own_shape_that_it_denied_something_ends_as_denied(tmp_path):
    notes = Notes()
    deployment = served(tmp_path, notes)
    with deployment.running():
        await deployment.dispatcher.call_tool(Requester(LOCAL), "act", {})
    assert notes.told[-2] == ("ends", "tool", "act", "denied")


@pytest.mark.parametrize("serving", [True, False])
async def test_a_persons_decision_is_on_record_whether_a_server_runs_or_not(tmp_path, serving):
    deployment = served(tmp_path)
    ann = Principal("human", "ann", claims={"iss": "house"})
    with deployment.running() if serving else nullcontext():
        deployment.hosts["seed"].record("approve change 7B4F", ann, run="r-1", why="as ada@example.org said")
    (call,) = [row["body"]["call"] for row in tail(tmp_path / AUDIT_FILE, 10) if "call" in row["body"]]
    assert (call["kind"], call["name"], call["principal"]["subject"]) == ("decision", "approve change 7B4F", "ann")
    assert call["arguments"] == {"run": "r-1", "why": "as [e-mail] said"}
    assert verify(tmp_path / AUDIT_FILE).ok


async def test_what_is_not_offered_has_no_name_of_the_caller_s(tmp_path):
    notes = Notes()
    with served(tmp_path, notes).running() as _, pytest.raises(RequestError):
        await served(tmp_path, notes).dispatcher.call_tool(Requester(LOCAL), "quagga", {})

    assert ("ends", "tool", "unknown", "refused") in notes.told


async def test_a_failing_observer_stops_nothing_and_is_in_the_log(tmp_path, caplog):
    notes = Notes()
    deployment = served(tmp_path, Failing(), notes)
    with deployment.running():
        reply = await deployment.dispatcher.call_tool(Requester(LOCAL), "change", {})

    assert reply.structured == {"result": "changed"}
    assert ("ends", "tool", "change", "ok") in notes.told
    assert [record.message for record in caplog.records if record.levelno == logging.ERROR].count(
        "an observer failed"
    ) == 3


async def test_an_essential_observer_that_cannot_take_a_call_keeps_it_from_taking_effect(tmp_path):
    notes = Notes()
    deployment = served(tmp_path, Essential(), notes)
    with deployment.running():
        with pytest.raises(UserError) as refusal:
            await deployment.dispatcher.call_tool(Requester(LOCAL), "change", {})
        reply = await deployment.dispatcher.call_tool(Requester(LOCAL), "look", {})

    assert refusal.value.code == "AUDIT_UNAVAILABLE"
    assert ("ends", "tool", "change", "refused") in notes.told
    assert reply.structured == {"result": "seen"}


@pytest.mark.parametrize("essential", [False, True])
async def test_an_observer_that_gives_nothing_for_calls_together_has_failed_and_keeps_no_call_waiting(
    tmp_path, essential
):
    class Wrong(Observer):
        def together(self, begun, ended):
            return None

    Wrong.essential = essential
    deployment = served(tmp_path, Wrong())
    with deployment.running(), anyio.fail_after(10):
        with pytest.raises(UserError) if essential else nullcontext():
            await deployment.dispatcher.call_tool(Requester(LOCAL), "change", {})
        reply = await deployment.dispatcher.call_tool(Requester(LOCAL), "look", {})

    assert reply.structured == {"result": "seen"}


@pytest.mark.parametrize("plainly", [False, True], ids=["by its scope", "by its task"])
async def test_a_caller_who_leaves_while_its_call_is_written_ends_when_it_is_and_the_call_does_not_run(
    tmp_path, plainly
):
    class Slow(Notes):
        def begins(self, call):
            entered.set()
            assert left.wait(10)
            super().begins(call)

    entered, left, tasks = threading.Event(), threading.Event(), []
    notes = Slow()
    deployment = served(tmp_path, notes)

    async def call(scope):
        tasks.append(asyncio.current_task())
        with scope:
            await deployment.dispatcher.call_tool(Requester(LOCAL), "change", {})

    with deployment.running(), anyio.fail_after(10):
        scope = anyio.CancelScope()
        async with anyio.create_task_group() as group:
            group.start_soon(call, scope)
            await anyio.to_thread.run_sync(entered.wait, 10)
            if plainly:
                tasks[0].cancel()
            else:
                scope.cancel()
            await anyio.lowlevel.checkpoint()
            assert [told[0] for told in notes.told[1:]] == ["arrives"]
            left.set()

    assert [(told[0], told[3]) for told in notes.told[1:-1]] == [
        ("arrives", None),
        ("begins", None),
        ("ends", "cancelled"),
    ]


def test_refusals_that_are_repeated_are_told_together_unless_each_is_asked_for(tmp_path):
    class Each(Notes):
        groups_refusals = False

    grouped, each = Notes(), Each()
    deployment = served(tmp_path, grouped, each)
    with deployment.running():
        for number in range(100):
            deployment.dispatcher.accounts.refused_at_the_door(DOOR, str(number), "1.1.1.1")

    assert [told[0] for told in grouped.told[1:-1]] == ["refused 1"] * 10 + ["refused 90"]
    assert [told[0] for told in each.told[1:-1]] == ["refused 1"] * 100
    assert {call.principal for call in each.calls} == {ANONYMOUS}


async def test_calls_that_begin_together_are_taken_together_and_each_before_it_takes_effect(tmp_path):
    class Batches(Notes):
        def together(self, begun, ended):
            self.sizes.append(len(begun) + len(ended))
            return super().together(begun, ended)

    notes = Batches()
    notes.sizes = []
    deployment = served(tmp_path, notes)
    with deployment.running():
        async with anyio.create_task_group() as tasks:
            for _ in range(16):
                tasks.start_soon(deployment.dispatcher.call_tool, Requester(LOCAL), "change", {})

    assert sum(notes.sizes) == 32
    assert max(notes.sizes) > 1
    for call in set(notes.calls):
        told = [what for (what, *_), one in zip(notes.told[1:-1], notes.calls, strict=True) if one is call]
        assert told == ["arrives", "begins", "ends"]


async def test_one_call_that_cannot_be_taken_stops_no_other(tmp_path):
    class Picky(Notes):
        essential = True

        def begins(self, call):
            if call.arguments:
                raise UserError("not with arguments", code="PICKY")

    deployment = served(tmp_path, Picky())
    replies = []

    async def call(arguments):
        try:
            replies.append((await deployment.dispatcher.call_tool(Requester(LOCAL), "change", arguments)).structured)
        except UserError as refusal:
            replies.append(refusal.code)

    with deployment.running():
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, {})
            tasks.start_soon(call, {"why": "so"})
            tasks.start_soon(call, {})

    assert sorted(map(str, replies)) == sorted(["{'result': 'changed'}", "{'result': 'changed'}", "PICKY"])
