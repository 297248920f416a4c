import json
import os
import pty
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from packhorse import Host
from packhorse_pai.commands import commands
from packhorse_pai.models import PaiSettings
from packhorse_pai.store.approvals import Approval
from packhorse_pai.store.migrations import MIGRATIONS
from packhorse_pai.store.records import Records

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def host(tmp_path):
    return Host("pai", data_dir=tmp_path, migrations=MIGRATIONS, clock=lambda: NOON, settings=PaiSettings())


@pytest.fixture
def records(host):
    found = Records(host)
    names = ("id", "root", "agent", "chain", "owner", "mission", "context", "constraints", "mind", "used", "status")
    row = dict.fromkeys((*names, "log", "policy", "started"), "run-1")
    found.add_run({**row, "supervised": 1, "reading": 0, "spawning": 1, "seconds": 0})
    found.ask(
        Approval(
            id="a-1",
            run="run-1",
            agent="SWAP_MANAGER",
            chain=("SWAP_MANAGER", "COORD_ENGINE"),
            tool="execute_swap",
            arguments={"swap_id": "s-1"},
            tool_digest="t",
            policy_digest="p",
            action_digest="d",
            owner="human::ann",
            requested_at=NOON,
            expires_at=NOON + timedelta(hours=24),
            state="pending",
        )
    )
    return found


def run(host, name, *arguments):
    (command,) = [one for one in commands(host) if one.name == name]
    return CliRunner().invoke(command, arguments)


def test_pending_shows_exactly_what_would_happen(host, records):
    shown = run(host, "pending").output
    assert "a-1  until 2026-03-02 12:00 UTC" in shown
    assert "SWAP_MANAGER for COORD_ENGINE wants to call execute_swap once, with exactly {" in shown
    assert shown.count('"swap_id": "s-1"') == 1, "the same arguments are not said twice"
    assert "The run was started by ann: run-1" in shown
    (listed,) = json.loads(run(host, "pending", "--json").output)
    assert (listed["approval_id"], listed["arguments"]) == ("a-1", {"swap_id": "s-1"})


TERMINAL = """
import sys
from pathlib import Path
from packhorse import Host
from packhorse_pai.commands import commands
from packhorse_pai.models import PaiSettings
from packhorse_pai.store.migrations import MIGRATIONS
from packhorse.testing import fixed_clock
host = Host("pai", data_dir=Path(sys.argv[1]), migrations=MIGRATIONS, clock=fixed_clock("2026-03-01T12:00:00Z"),
            settings=PaiSettings())
(command,) = [one for one in commands(host) if one.name == "decide"]
command(sys.argv[2:], prog_name="decide")
"""


def typed(folder, words, *arguments):
    """What a person at a real terminal sees who types these words; and how the command ends."""
    ours, theirs = pty.openpty()
    os.write(ours, words.encode())
    done = subprocess.run(
        [sys.executable, "-c", TERMINAL, str(folder), *arguments],
        stdin=theirs, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    os.close(ours)
    os.close(theirs)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "more", "state", "code"),
    [
        ("s-1\n", (), "approved", 0),
        ('"s-1"}.\n', (), "approved", 0),
        ("yes\n", (), "pending", 1),
        ("", ("--deny",), "denied", 0),
    ],
)
def test_a_person_decides_at_the_terminal_by_the_last_word_of_what_would_change(
    host, records, tmp_path, words, more, state, code
):
    ended, shown = typed(tmp_path, words, "a-1", "--comment", "seen", *more)
    assert ended == code, shown
    assert "execute_swap does not say beforehand what would change" in shown
    assert records.approval("a-1", NOON).state == state
    decided = "" if state == "pending" else f"at the terminal  {state} a-1: execute_swap of SWAP_MANAGER, run run-1"
    trail = run(host, "trail", "run-1").output
    assert (f"{decided}, because: «seen»" in trail) if decided else "The record has no run 'run-1'." in trail


def test_an_unknown_approval_is_refused(host, records, tmp_path):
    ended, shown = typed(tmp_path, "", "a-2")
    assert (ended, "no approval 'a-2'" in shown) == (1, True)


def test_the_kill_switch_is_set_and_lifted(host):
    assert run(host, "stop").exit_code == 0
    assert Records(host).stopped()
    assert run(host, "start").exit_code == 0
    assert not Records(host).stopped()


def test_the_exported_policy_is_one_that_cedar_reads(host):
    cedarpy = pytest.importorskip("cedarpy")
    text = run(host, "export", "--cedar").output
    request = {
        "principal": 'Agent::"SCHEDULER"',
        "action": 'Action::"use"',
        "resource": 'Tool::"validate_schedule"',
        "context": {"facts": [], "stopped": False, "supervised": False, "approved": False},
    }
    assert cedarpy.is_authorized(request, text, "[]").allowed
    assert not cedarpy.is_authorized({**request, "resource": 'Tool::"rag_search"'}, text, "[]").allowed
