"""After a session that touches every pack and a job, no file of the data is readable by others, under any umask."""

import os
import sys
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

from packhorse.store.permissions import exposed

sys.path.insert(0, str(Path(__file__).parent))
from every_pack import CALLS, PACKS, Server, play

pytestmark = [
    pytest.mark.skipif(
        not {point.name for point in entry_points(group="packhorse")} >= set(PACKS),
        reason="not every pack is installed",
    ),
    pytest.mark.skipif(find_spec("dbos") is None, reason="the extra jobs is not installed"),
    pytest.mark.skipif(os.name != "posix", reason="modes of files are of POSIX"),
]


@pytest.mark.drill
def test_a_whole_session_under_the_most_open_umask_leaves_nothing_readable(tmp_path):
    before = os.umask(0)
    try:
        came = play(tmp_path / "data", umask=0)
    finally:
        os.umask(before)

    assert came["job"]["status"]
    assert {path.name for path in (tmp_path / "data").iterdir()} >= {*PACKS, "packhorse-jobs"} - {"circadian"}
    assert exposed(tmp_path / "data") == []


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o027, 0o777])
def test_files_are_private_while_the_server_runs_too(tmp_path, umask):
    with Server(tmp_path / "data", umask) as server:
        for tool, arguments in CALLS[:2]:
            server.call(tool, arguments)
        running = exposed(tmp_path / "data")

    assert running == []
    assert exposed(tmp_path / "data") == []
