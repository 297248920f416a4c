import anyio
import anyio.lowlevel
import pytest

from packhorse.stdio.server import PendingRequests

pytestmark = pytest.mark.anyio

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


async def is_settled(pending):
    with anyio.move_on_after(0) as scope:
        await pending.settled()
    return not scope.cancelled_caught


@pytest.mark.parametrize(
    ("came", "went", "settled"),
    [
        pytest.param([], [], True, id="nothing came"),
        pytest.param([CALL], [], False, id="a request without its answer"),
        pytest.param([CALL], ['{"jsonrpc": "2.0", "id": 1, "result": {}}'], True, id="a result"),
        pytest.param([CALL], ['{"jsonrpc": "2.0", "id": 1, "error": {}}'], True, id="an error"),
        pytest.param([CALL], ['{"jsonrpc": "2.0", "id": 2, "result": {}}'], False, id="the answer of another"),
        pytest.param([CALL], ['{"jsonrpc": "2.0", "id": 1, "method": "ping"}'], False, id="a request of ours"),
        pytest.param(
            [CALL, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}],
            [],
            True,
            id="a request taken back",
        ),
        pytest.param([{"jsonrpc": "2.0", "method": "notifications/initialized"}], [], True, id="a notification"),
        pytest.param([{"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen"}], [], True, id="a listener"),
        pytest.param([{"jsonrpc": "2.0", "id": 1, "result": {}}], [], True, id="an answer to us"),
        pytest.param([[1], "text", {"id": [1], "method": "x"}], [], True, id="no message at all"),
    ],
)
async def test_what_is_owed_is_what_was_asked_and_not_answered(came, went, settled):
    pending = PendingRequests()
    for message in came:
        pending.received(message)
    for line in went:
        pending.sent(line)

    assert await is_settled(pending) is settled


async def test_who_waits_is_told_when_the_last_answer_goes():
    pending = PendingRequests()
    pending.received(CALL)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pending.settled)
        await anyio.lowlevel.checkpoint()
        pending.sent('{"jsonrpc": "2.0", "id": 1, "result": {}}')
