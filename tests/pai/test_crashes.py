"""The server dies at each write of a run, and is started again: what changes something has happened at most once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

# One life of a server. The n-th write of the pack, and what comes before or after it, may be the last thing it does.
LIFE = """
import asyncio, importlib.util, json, os, signal, sys
from pathlib import Path
here, folder, dies_at, when, phase = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
spec = importlib.util.spec_from_file_location("wards", here / "wards.py")
wards = importlib.util.module_from_spec(spec)
spec.loader.exec_module(wards)
from packhorse.testing import connected, deployment_for
from packhorse_pai import pack
from packhorse import Host
from packhorse_pai.models import PaiSettings
from packhorse_pai.service.agents import AgentService
from packhorse_pai.store.migrations import MIGRATIONS
from packhorse_pai.store.records import Records

writes = 0
def counted(fn):
    def write(self, *args, **kwargs):
        global writes
        writes += 1
        if writes == dies_at and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = fn(self, *args, **kwargs)
        if writes == dies_at and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    return write

names = "add_run claim_run save_run begin_step mark_step end_step drop_step ask consume add_facts"
for name in names.split():
    setattr(Records, name, counted(getattr(Records, name)))

ward = wards.Ward()
def remember(tool):
    with (folder / "effects").open("a") as file:
        file.write(tool + "\\n")
ward.before = remember

async def main():
    deployment = deployment_for(data_dir=folder / "data", pai=pack, wards=ward.module())
    async with connected(deployment) as client:
        if phase == "ask":
            tool = "invoke_swap_manager_agent"
            arguments = {"mission": "Swap it", "context": {"swap_id": "s"}, "task": "execute_swap"}
        else:
            tool, arguments = "invoke_agent", {"goal_id": phase}
        reply = await client.call_tool(tool, arguments)
        answer = {"error": True} if reply.is_error else reply.structured_content
        if phase == "ask" and not reply.is_error:
            approval = answer["result"]["approvals"][0]["approval_id"]
            host = Host("pai", data_dir=folder / "data", migrations=MIGRATIONS, settings=PaiSettings())
            AgentService(host).approving.decide(approval, approve=True, by="terminal::bob")
        print(json.dumps(answer))

asyncio.run(main())
print("writes", writes)
"""


def live(folder, phase, dies_at=0, when="never"):
    done = subprocess.run(
        [sys.executable, "-c", LIFE, str(HERE), str(folder), str(dies_at), when, phase],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode in (0, -9), done.stderr[-2000:]
    if done.returncode:
        return None, 0
    answer, writes = done.stdout.splitlines()[-2:]
    return json.loads(answer), int(writes.split()[1])


def swaps(folder):
    return (folder / "effects").read_text().split().count("execute_swap")


# The third write uses the approval up, and the fourth says what came of the call. All of them take minutes:
# PACKHORSE_PAI_CRASHES=all runs them.
POINTS = [(3, "before"), (3, "after"), (4, "before")]
if os.environ.get("PACKHORSE_PAI_CRASHES") == "all":
    POINTS = [(write, when) for write in range(1, 9) for when in ("before", "after")]


@pytest.mark.parametrize(("dies_at", "when"), POINTS)
def test_a_swap_that_a_crash_interrupted_is_made_at_most_once(tmp_path, dies_at, when):
    asked, _ = live(tmp_path, "ask")
    goal = asked["goal_id"]
    live(tmp_path, goal, dies_at, when)
    live(tmp_path, goal)
    assert swaps(tmp_path) <= 1


def test_without_a_crash_it_is_made_once_in_more_than_eight_writes(tmp_path):
    asked, _ = live(tmp_path, "ask")
    done, writes = live(tmp_path, asked["goal_id"])
    assert (done["status"], swaps(tmp_path)) == ("completed", 1)
    assert writes >= 8
