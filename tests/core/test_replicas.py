"""Several processes that would not act as one are refused, and so are files where locks do not hold."""

import sys
from functools import partial
from pathlib import Path

import pytest
from tests.core.seeds import pack_of

from packhorse import Pack, PackError, Resource, Tool
from packhorse.compose.replicas import check_places, network_file_system
from packhorse.settings import AuditSettings, ServerSettings
from packhorse.testing import deployment_for

KEY = "k" * 32
DATABASE = "postgresql://db.example/packhorse"


def age(day: str) -> str:
    """Tell an age."""
    return day


STORE = {"tools": [age], "pack": Pack("Seed", migrations=["CREATE TABLE t (id TEXT)"])}
BOARD = {"resources": [Resource(uri="seed://board", fn=lambda: 1, name="board", subscribable=True)]}
JOB = {"tools": [Tool(fn=age, job=True)]}
LIMITED = {"tools": [Tool(fn=age, limit="5/hour")]}


def deploy(folder: Path, offers, **server):
    return deployment_for(data_dir=folder, server=ServerSettings(**server), seed=pack_of(**offers))


@pytest.mark.parametrize("several", [{"replicas": 3}, {"workers": 3}], ids=["replicas", "workers"])
@pytest.mark.parametrize(
    ("offers", "server", "words"),
    [
        pytest.param({"tools": [age]}, {}, ["state_key", "openssl rand -hex 32"], id="no key"),
        pytest.param(LIMITED, {"state_key": KEY}, ["limits in memory", "redis://"], id="limits in memory"),
        pytest.param(STORE, {"state_key": KEY}, ["'seed'", "SQLite", "database"], id="a store in a file"),
        pytest.param(BOARD, {"state_key": KEY}, ["'board'", "subscribers", "database"], id="a subscription"),
        pytest.param(JOB, {"state_key": KEY}, ["'age'", "jobs", "database"], id="jobs in files"),
    ],
)
def test_what_processes_would_not_share_is_refused_with_the_cure(tmp_path, several, offers, server, words):
    with pytest.raises(PackError) as refused:
        deploy(tmp_path, offers, **several, **server)
    for word in [*words, "3"]:
        assert word in str(refused.value)


@pytest.mark.parametrize("several", [{"replicas": 3}, {"workers": 3}], ids=["replicas", "workers"])
@pytest.mark.parametrize(
    ("offers", "server"),
    [
        pytest.param({"tools": [age]}, {}, id="nothing to share but the key"),
        pytest.param(STORE, {"database": DATABASE}, id="a store"),
        pytest.param(BOARD, {"database": DATABASE}, id="a subscription"),
        pytest.param(JOB, {"database": DATABASE}, id="jobs"),
        pytest.param(LIMITED, {"limits": "redis://127.0.0.1:1/0"}, id="limits in Redis"),
    ],
)
def test_what_they_share_is_served(tmp_path, several, offers, server):
    assert deploy(tmp_path, offers, state_key=KEY, **several, **server).settings.server.processes == 3


@pytest.mark.parametrize("offers", [STORE, BOARD, JOB, LIMITED], ids=["store", "board", "job", "limited"])
def test_one_process_shares_nothing(tmp_path, offers):
    assert deploy(tmp_path, offers).settings.server.processes == 1


@pytest.mark.parametrize("driver", ["psycopg", "psycopg_pool"])
def test_a_database_without_its_driver_is_refused_with_the_cure(tmp_path, monkeypatch, driver):
    monkeypatch.setitem(sys.modules, driver, None)  # as where it is not installed
    with pytest.raises(PackError, match=r"pip install .*core\[postgres\]"):
        deploy(tmp_path, STORE, database=DATABASE)


@pytest.fixture
def far(tmp_path):
    """A folder, and what Linux would say if it were on a network file system."""
    folder, table = tmp_path / "far", tmp_path / "mountinfo"
    table.write_text(f"28 1 254:0 / / rw - ext4 /dev/vda1 rw\n40 28 0:44 / {folder} rw - nfs4 files:/ rw\n")
    return folder, partial(network_file_system, mounts=table)


@pytest.mark.parametrize(
    ("offers", "audit", "what"),
    [
        pytest.param({"tools": [age]}, True, "The audit record", id="the record"),
        pytest.param(STORE, False, "The data of pack 'seed'", id="a store"),
        pytest.param(JOB, False, "The jobs", id="jobs"),
    ],
)
def test_a_file_on_a_network_file_system_is_refused(far, offers, audit, what):
    folder, kind_of = far
    deployment = deploy(folder, offers)
    settings = deployment.settings.model_copy(update={"audit": AuditSettings(enabled=audit)})
    with pytest.raises(PackError, match="nfs4") as refused:
        check_places(settings, deployment.catalogue, kind_of=kind_of)
    assert str(refused.value).startswith(what)
    assert "data_dir" in str(refused.value)


@pytest.mark.parametrize(
    ("offers", "server"),
    [({"tools": [age]}, {}), (STORE, {"database": DATABASE}), (JOB, {"database": DATABASE})],
    ids=["nothing is kept", "a store in PostgreSQL", "jobs in PostgreSQL"],
)
def test_what_is_not_in_files_may_be_anywhere(far, offers, server):
    folder, kind_of = far
    deployment = deploy(folder, offers, **server)
    settings = deployment.settings.model_copy(update={"audit": AuditSettings(enabled=False)})
    check_places(settings, deployment.catalogue, kind_of=kind_of)
