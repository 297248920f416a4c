"""A tool's name, schema, description or code never changes silently."""

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("snapshots", Path(__file__).parent / "snapshots.py")
snapshots = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(snapshots)


@pytest.mark.parametrize("pack", snapshots.HOUSE)
def test_the_wire_contract_is_the_one_that_was_reviewed(pack):
    kept = (snapshots.FOLDER / f"{pack}.json").read_text("utf-8")
    assert snapshots.wire_contract(pack) == kept, (
        f"what clients see of {pack} has changed; if that is meant, run python tests/contract/snapshots.py"
        " and have the diff reviewed"
    )
