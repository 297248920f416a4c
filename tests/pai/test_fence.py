"""A small siege of the fence, as ``benchmarks/pai_fence.py`` lays a large one."""

import importlib.util
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "pai_fence.py"


async def test_no_act_of_a_model_that_knows_the_policy_runs_what_no_rule_allows_or_leaves_no_line(
    tmp_path, monkeypatch
):
    spec = importlib.util.spec_from_file_location("pai_fence", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "pai_fence", script)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script.tempfile, "mkdtemp", lambda: tmp_path / f"{len(list(tmp_path.iterdir()))}")
    total, faults = await script.sieges(480)
    assert faults == []
    assert total["acts"] == 480
    assert total["effects"] > 0
