"""What a deployment keeps, and who else may see it."""

import os
import stat

import pytest

from packhorse.audit.log import anchor_of
from packhorse.compose.data_folder import DataFolder
from packhorse.settings import AuditSettings, ServerSettings, Settings
from packhorse.testing import deployment_for

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files are of POSIX")


def of(folder, **audit):
    return DataFolder.of(
        Settings(server=ServerSettings(data_dir=folder), audit=AuditSettings(**audit)), ["seed", "other"]
    )


def quiet() -> str:
    """Say nothing."""
    return ""


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def old(tmp_path):
    """A data folder as a version before this one left it."""
    folder = tmp_path / "data"
    (folder / "seed").mkdir(parents=True)
    for path in (folder, folder / "seed"):
        path.chmod(0o755)
    for name in ("seed/store.sqlite3", "seed/store.sqlite3-wal", "audit.sqlite3"):
        (folder / name).write_text("")
        (folder / name).chmod(0o644)
    return folder


def test_a_folder_of_packhorse_alone_is_closed_with_all_that_is_in_it(old):
    kept = of(old)
    assert kept.is_ours_alone()

    kept.tighten()

    assert [mode(path) for path in (old, old / "seed")] == [0o700, 0o700]
    assert [mode(path) for path in old.rglob("*") if path.is_file()] == [0o600] * 3
    assert kept.exposed() == []


def test_in_a_folder_that_others_use_too_only_what_is_ours_is_closed(old):
    (old / "photos").mkdir(mode=0o755)
    (old / "photos" / "one.jpg").write_text("")
    kept = of(old)
    assert not kept.is_ours_alone()

    kept.tighten()

    assert mode(old) == 0o755
    assert mode(old / "photos" / "one.jpg") & 0o044
    assert mode(old / "seed") == 0o700
    assert kept.exposed() == []


def test_a_shared_folder_that_others_may_write_stays_exposed(old):
    (old / "photos").mkdir()
    old.chmod(0o777)
    kept = of(old)

    kept.tighten()

    assert kept.exposed() == [old]


def test_the_folder_of_a_pack_that_was_uninstalled_is_ours_too(old):
    (old / "seed").rename(old / "gone")

    assert of(old).is_ours_alone()
    assert of(old).folders() == [old / "gone"]


def test_a_record_elsewhere_is_closed_and_its_neighbours_are_not(tmp_path, old):
    elsewhere = tmp_path / "records"
    elsewhere.mkdir()
    for name in ("work.sqlite3", "work.sqlite3-wal", "neighbour"):
        (elsewhere / name).write_text("")
        (elsewhere / name).chmod(0o644)
    kept = of(old, path=elsewhere / "work.sqlite3")

    kept.tighten()

    assert [mode(elsewhere / name) for name in ("work.sqlite3", "work.sqlite3-wal", "neighbour")] == [
        0o600,
        0o600,
        0o644,
    ]
    assert kept.anchor == anchor_of(elsewhere / "work.sqlite3")


def test_a_start_closes_what_an_older_version_left_open(old, make_pack):
    for name in ("seed/store.sqlite3", "seed/store.sqlite3-wal", "audit.sqlite3"):
        (old / name).unlink()
    (old / "seed" / "notes.txt").write_text("a pack's own")
    (old / "seed" / "notes.txt").chmod(0o666)
    deployment = deployment_for(data_dir=old, seed=make_pack(tools=[quiet]))

    with deployment.running():
        pass

    assert [path for path in (old, *old.rglob("*")) if mode(path) & 0o077] == []
