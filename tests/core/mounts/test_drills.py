"""Servers that are mute, given up, or answer with more than fits, and what the host then does."""

import os
import sys
from pathlib import Path

import anyio
import pytest
from tests.core.mounts.hosting import UPSTREAM, client, code_of, folder_of, received

from packhorse.mounts import accepted

pytestmark = [pytest.mark.anyio, pytest.mark.drill]

HUGE = 100_000_000
"""Bytes of an answer, twelve times what is taken by default."""


@pytest.mark.skipif(os.name != "posix", reason="named pipes are POSIX")
async def test_a_call_that_its_caller_gives_up_is_cancelled_upstream(tmp_path, added):
    added()
    marker = tmp_path / "hung"
    os.mkfifo(marker)
    async with client(tmp_path) as caller, anyio.create_task_group() as group:

        async def progress(done, total, message):
            group.cancel_scope.cancel()  # the call is under way: its caller leaves

        async def call():
            await caller.call_tool("up_hang", {"marker": str(marker)}, progress_callback=progress)

        group.start_soon(call)
        with anyio.CancelScope(shield=True):
            cancelled = await received(marker)

    assert cancelled == "cancelled"


async def test_a_server_that_is_mute_at_the_start_is_down(tmp_path, added):
    added(command=(sys.executable, "-c", "import sys; sys.stdin.read()"), connect_seconds=0.5)
    async with client(tmp_path) as caller:
        mute = await caller.call_tool("up_echo", {"text": "x"})
        at_once = await caller.call_tool("up_echo", {"text": "x"})

    assert code_of(mute) == code_of(at_once) == "UPSTREAM_DOWN"
    assert "did not answer in time" in mute.content[0].text
    assert "did not answer in time" in at_once.content[0].text


async def test_a_server_that_ended_at_its_start_is_tried_again_after_a_while(tmp_path, added, words):
    script = tmp_path / "server.py"
    script.write_text("raise SystemExit(3)")
    added(command=(sys.executable, str(script), str(words), "stdio"))
    async with client(tmp_path) as caller:
        down = await caller.call_tool("up_echo", {"text": "x"})
        script.write_text(f"import runpy; runpy.run_path({str(UPSTREAM)!r}, run_name='__main__')")
        with anyio.fail_after(60):
            while (well := await caller.call_tool("up_echo", {"text": "well"})).is_error:
                assert code_of(well) == "UPSTREAM_DOWN"

    assert code_of(down) == "UPSTREAM_DOWN"
    assert down.meta["packhorse/error"]["details"]["retry_after_seconds"] >= 1
    assert well.content[0].text == "well"


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the highest use of memory is Linux's to tell")
@pytest.mark.parametrize("way", ["pipes", "http in events", "http in one piece"])
async def test_a_huge_answer_never_lies_in_memory_whole(tmp_path, asked, added, serving, way):
    if way == "pipes":
        added()
    else:
        url, _, _ = serving(0, *(["json"] if way == "http in one piece" else []))
        accepted.save(folder_of(tmp_path), "up", asked.model_copy(update={"command": (), "url": url}))
    async with client(tmp_path) as caller:
        await caller.call_tool("up_echo", {"text": "the server is started"})
        before = memory_from_here()
        flood = await caller.call_tool("up_flood", {"size": HUGE})
        highest = memory("VmHWM") - before
        after = await caller.call_tool("up_echo", {"text": "well"})

    assert code_of(flood) == "UPSTREAM_TOO_LARGE"
    assert highest < HUGE
    assert after.content[0].text == "well"


def memory_from_here():
    """Bytes of this process now; the highest use counts from here on (proc(5))."""
    Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")


def memory(field):
    """Bytes of this process, of proc(5)."""
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field)]
    return int(line.split()[1]) * 1024
