"""Replacing somebody else's file: backed up, all or nothing, and only what was read."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from packhorse.errors import UserError
from packhorse.publish.rewrite import read, replace

NOW = datetime(2026, 3, 1, 9, 30, 5, tzinfo=UTC)
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and links as POSIX has them")


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "a.json"
    file.write_bytes(b"old")
    return file


def tree(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_old_bytes_lie_beside_the_new_ones(file):
    backup = replace(file, b"old", b"new", NOW)

    assert backup == file.with_name("a.json.20260301T093005Z.bak")
    assert tree(file.parent) == {"a.json": b"new", "a.json.20260301T093005Z.bak": b"old"}


def test_a_backup_never_overwrites_an_earlier_one(file):
    replace(file, b"old", b"new", NOW)
    backup = replace(file, b"new", b"newer", NOW)

    assert tree(file.parent) == {
        "a.json": b"newer",
        "a.json.20260301T093005Z.bak": b"old",
        "a.json.20260301T093005Z-1.bak": b"new",
    }
    assert backup == file.with_name("a.json.20260301T093005Z-1.bak")


def test_a_new_file_gets_its_folders_and_no_backup(tmp_path):
    file = tmp_path / "x" / "y" / "a.json"

    assert read(file) is None
    assert replace(file, None, b"new", NOW) is None
    assert tree(file.parent) == {"a.json": b"new"}


@POSIX
def test_file_and_backup_keep_the_mode_and_a_new_file_is_its_owner_s(file):
    file.chmod(0o640)

    backup = replace(file, b"old", b"new", NOW)
    replace(file.with_name("b.json"), None, b"new", NOW)

    assert backup is not None
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, backup, file.with_name("b.json"))] == [
        0o640,
        0o640,
        0o600,
    ]


@POSIX
@pytest.mark.skipif(not AS_ROOT, reason="only root may give files away")
def test_run_by_root_the_file_and_its_backup_stay_their_owner_s(file):
    os.chown(file, 1234, 2345)

    backup = replace(file, b"old", b"new", NOW)

    assert backup is not None
    assert [(path.stat().st_uid, path.stat().st_gid) for path in (file, backup)] == [(1234, 2345)] * 2


@POSIX
def test_a_link_stays_one_and_its_target_changes(file, tmp_path):
    link = tmp_path / "app" / "link.json"
    link.parent.mkdir()
    link.symlink_to(file)

    backup = replace(link, b"old", b"new", NOW)

    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert backup == file.with_name("a.json.20260301T093005Z.bak")


@POSIX
def test_a_link_to_nowhere_gets_its_target(tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "kept" / "a.json")

    replace(link, read(link), b"new", NOW)

    assert link.is_symlink()
    assert (tmp_path / "kept" / "a.json").read_bytes() == b"new"


@pytest.mark.parametrize("read_before", [b"older", None], ids=["changed", "made"])
def test_a_file_that_is_not_as_it_was_read_is_left_alone(file, read_before):
    with pytest.raises(UserError, match="was changed by another program just now"):
        replace(file, read_before, b"new", NOW)

    assert tree(file.parent) == {"a.json": b"old"}


def test_a_file_that_has_gone_is_not_brought_back(file):
    file.unlink()

    with pytest.raises(UserError, match="was changed by another program just now"):
        replace(file, b"old", b"new", NOW)

    assert tree(file.parent) == {}


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_when_the_system_denies_it_that_is_said_in_words_and_nothing_is_left_behind(step, file, monkeypatch):
    def denied(*_: object) -> None:
        raise PermissionError(13, "secret detail")

    monkeypatch.setattr(os, step, denied)
    with pytest.raises(UserError, match="could not be written: permission is denied") as refused:
        replace(file, b"old", b"new", NOW)

    assert str(file) in str(refused.value)
    assert "secret detail" not in str(refused.value)
    assert tree(file.parent) == {"a.json": b"old"}


@pytest.mark.skipif(AS_ROOT, reason="root may write anything")
def test_a_file_protected_against_writing_is_not_replaced(file):
    file.chmod(0o444)

    with pytest.raises(UserError, match="permission is denied"):
        replace(file, b"old", b"new", NOW)

    assert tree(file.parent) == {"a.json": b"old"}


def test_a_full_disk_is_said_in_the_system_s_words(file, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "secret detail")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="no space left on device"):
        replace(file, b"old", b"new", NOW)

    assert tree(file.parent) == {"a.json": b"old"}


def test_a_folder_in_place_of_the_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"could not be read: (it is a folder|permission is denied)"):
        read(tmp_path)


def test_a_file_in_place_of_a_folder_is_named(file):
    with pytest.raises(UserError, match="is a file, not a folder"):
        replace(file / "b.json", None, b"new", NOW)
