"""A ward as the scheduling specification lets people use it, served over real sockets to callers with real tokens."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from ward import AUTH, WARD

from live import Bench
from seeds import install


@pytest.fixture
def bench(tmp_path):
    """The ward installed, and callers who can sign in."""
    made = Bench(tmp_path)
    install(made.packs, "ward", WARD)
    made.configure(AUTH)
    return made


@pytest.fixture(scope="module")
def ward(tmp_path_factory):
    """The same, being served."""
    made = Bench(tmp_path_factory.mktemp("ward"))
    install(made.packs, "ward", WARD)
    made.configure(AUTH)
    with made.serving("ward") as served:
        yield served
