"""What a hook receives."""

import subprocess
import sys
import uuid
from datetime import UTC, datetime

from packhorse import Host


def test_each_pack_has_a_folder_of_its_own_made_on_first_use(tmp_path):
    moon, sun = Host("moon", data_dir=tmp_path / "data"), Host("sun", data_dir=tmp_path / "data")
    assert not (tmp_path / "data").exists()

    assert moon.data_dir == tmp_path / "data" / "moon"
    assert moon.data_dir.is_dir()
    assert moon.data_dir == moon.data_dir
    assert not (tmp_path / "data" / "sun").exists()
    assert sun.data_dir != moon.data_dir


def test_a_store_is_the_packs_own_and_migrated(tmp_path):
    host = Host("moon", data_dir=tmp_path, migrations=["CREATE TABLE facts (fact TEXT)"])

    with host.store() as store:
        store.execute("INSERT INTO facts VALUES (:fact)", fact="round")
    with host.store() as store:
        assert store.query("SELECT fact FROM facts") == [{"fact": "round"}]
    assert (tmp_path / "moon" / "store.sqlite3").is_file()


def test_ids_follow_the_hosts_clock(tmp_path):
    instant = datetime(2026, 1, 31, 8, tzinfo=UTC)
    host = Host("moon", data_dir=tmp_path, clock=lambda: instant)

    assert host.clock() == instant
    assert uuid.UUID(host.new_id()).int >> 80 == int(instant.timestamp()) * 1000


def test_a_host_costs_no_database_until_its_store_is_opened(tmp_path):
    code = (
        "import pathlib, sys; from packhorse import Host;"
        f" Host('moon', data_dir=pathlib.Path({str(tmp_path)!r})).data_dir;"
        " print([name for name in ('sqlite3', 'mcp', 'pydantic') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (run.stdout.strip(), run.stderr) == ("[]", "")


def test_a_packs_own_object_is_made_once_for_each_host(tmp_path):
    moon, again = Host("moon", data_dir=tmp_path), Host("moon", data_dir=tmp_path)

    assert moon.own(lambda host: [host]) is moon.own(lambda host: [host])
    assert moon.own(list) == [moon]
    assert again.own(lambda host: [host]) == [again]
