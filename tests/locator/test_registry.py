"""Store and index: they agree, after changes, kills and restores."""

import os
import signal
import subprocess
import sys
from datetime import date

import pytest
from tests.locator.factories import NOVEMBER

from packhorse import UserError
from packhorse_locator.search import NameQuery
from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader
from packhorse_locator.service.registry import Registry
from packhorse_locator.store import people

TODAY = date(2026, 11, 1)
ANA = NameQuery(first="Ana", last="Quispe Mamani", threshold=0.02)


def found_in(registry, query=ANA):
    with registry.opened() as store:
        return [match.key for match in registry.search(store, query)[0].matches]


def load(registry, path, **options):
    with registry.opened() as store:
        return Loader(store, NOVEMBER()).people(TableFile(path, {}), "county", TODAY, **options)


def test_an_import_is_found_by_the_next_search(empty, people_file, row):
    assert found_in(empty) == []
    load(empty, people_file(row()))

    assert found_in(empty) == ["county/P1"]


def test_a_changed_name_is_found_under_the_new_one_alone(empty, people_file, row):
    load(empty, people_file(row(), row(record_id="P2", first_name="Rosa", last_name="Condori")))
    assert found_in(empty) == ["county/P1"]
    load(empty, people_file(row(first_name="Beatriz", last_name="Yupanqui")))

    assert found_in(empty) == []
    assert found_in(empty, NameQuery(first="Beatriz", last="Yupanqui", threshold=0.02)) == ["county/P1"]


def test_whoever_is_removed_is_found_no_more(empty, people_file, row):
    load(empty, people_file(row(), row(record_id="P2", first_name="Rosa", last_name="Condori")))
    assert found_in(empty) == ["county/P1"]
    load(empty, people_file(row(record_id="P2", first_name="Rosa", last_name="Condori")), replace=True)

    assert found_in(empty) == []


def test_an_index_that_was_killed_before_the_last_change_catches_up(host, empty, people_file, row):
    load(empty, people_file(row()))
    found_in(empty)
    empty.close()
    with host.store() as store:  # as a process that dies between the store's commit and the index
        Loader(store, NOVEMBER()).people(TableFile(people_file(row(record_id="P2")), {}), "county", TODAY)
    again = Registry(host, suppression=None, sample=False, stale_after_days=3)

    assert sorted(found_in(again)) == ["county/P1", "county/P2"]
    again.close()


def test_an_index_that_is_ahead_of_a_restored_store_is_built_anew(host, empty, people_file, row):
    load(empty, people_file(row()))
    load(empty, people_file(row(record_id="P2")))
    assert len(found_in(empty)) == 2
    with host.store() as store, store.tx():
        store.execute("DELETE FROM people WHERE key = 'county/P2'")
        store.execute("UPDATE counter SET value = 1")
    with host.store() as store:
        store.execute("UPDATE people SET changed = 1")

    assert found_in(empty) == ["county/P1"]


def test_a_lost_index_is_built_again(host, empty, people_file, row):
    load(empty, people_file(row()))
    found_in(empty)
    empty.close()
    for file in (host.data_dir / "names").iterdir():
        file.unlink()

    assert found_in(empty) == ["county/P1"]


def test_a_load_killed_in_the_middle_leaves_the_old_data_whole(tmp_path, host, empty, people_file, row):
    load(empty, people_file(row()))
    assert found_in(empty) == ["county/P1"]
    many = people_file(*(row(record_id=f"Q{number}") for number in range(60_000)), name="many.csv")
    code = (
        "import sys; from datetime import date; from pathlib import Path\n"
        "from packhorse import Host\n"
        "from packhorse_locator.service.files import TableFile\n"
        "from packhorse_locator.service.loading import Loader\n"
        "from packhorse_locator.store.tables import MIGRATIONS\n"
        "host = Host('locator', data_dir=Path(sys.argv[1]), migrations=MIGRATIONS)\n"
        "class Telling(Loader):\n"
        "    def _write(self, rows, change):\n"
        "        print('writing', flush=True)\n"
        "        return super()._write(rows, change)\n"
        "with host.store() as store:\n"
        "    Telling(store, host.clock()).people(TableFile(Path(sys.argv[2]), {}), 'county', date(2026, 11, 1))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "data"), str(many)], stdout=subprocess.PIPE, text=True
    ) as loading:
        assert loading.stdout is not None
        for _ in range(3):
            assert loading.stdout.readline() == "writing\n"
        during = found_in(empty)  # while the other process writes: no wait, no error, no half
        os.kill(loading.pid, signal.SIGKILL)

    assert during == ["county/P1"]
    assert found_in(empty) == ["county/P1"]
    with empty.opened() as store:
        assert (people.count(store), people.changes(store)) == (1, 1)


def test_the_deployer_s_list_hides_people_at_once_and_shows_them_again(host, tmp_path, people_file, row):
    listed = tmp_path / "hidden.txt"
    listed.write_text("# nobody\n")
    registry = Registry(host, suppression=listed, sample=False, stale_after_days=3)
    load(registry, people_file(row(), row(record_id="P2", alien_number="A900200301")))
    assert sorted(found_in(registry)) == ["county/P1", "county/P2"]

    listed.write_text("P1  # by request\nA900-200-301\n")
    assert found_in(registry) == []
    listed.write_text("P1\n")
    assert found_in(registry) == ["county/P2"]
    registry.close()


def test_without_the_list_nothing_is_answered(host, tmp_path):
    registry = Registry(host, suppression=tmp_path / "gone.txt", sample=True, stale_after_days=3)

    with pytest.raises(UserError) as caught:
        found_in(registry)

    assert caught.value.code == "REGISTRY_UNAVAILABLE"
    assert "gone.txt" not in caught.value.message


def test_a_large_import_is_indexed_beside_the_searches_which_say_so(empty, people_file, row, monkeypatch):
    monkeypatch.setattr("packhorse_locator.service.registry.AT_ONCE", 1)
    load(empty, people_file(row()))
    assert found_in(empty) == ["county/P1"]
    load(empty, people_file(*(row(record_id=f"P{number}") for number in range(1, 4))))

    with empty.opened() as store:
        first, behind = empty.search(store, ANA)
    assert behind
    assert first.matches[0].key == "county/P1"
    empty.wait()
    with empty.opened() as store:
        second, behind = empty.search(store, ANA)
    assert (behind, len(second.matches)) == (False, 3)
