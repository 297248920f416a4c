"""Data is its owner's alone."""

import os
import stat
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse.store.permissions import (
    exposed,
    keeps_modes,
    may_tighten,
    private_file,
    private_folder,
    private_umask,
    tighten,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes of files are of POSIX")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@given(umask=st.integers(0, 0o777))
@settings(max_examples=40)
def test_what_is_created_is_private_under_every_umask(tmp_path_factory, umask):
    top = tmp_path_factory.mktemp("top")
    before = os.umask(umask)
    try:
        folder = private_folder(top / "data")
        file = private_file(folder / "store.sqlite3")
    finally:
        os.umask(before)

    assert (mode(folder), mode(file)) == (0o700, 0o600)


def test_a_missing_parent_is_created_as_the_system_would(tmp_path):
    folder = private_folder(tmp_path / "a" / "b")

    assert mode(folder) == 0o700
    assert mode(tmp_path / "a") & 0o077


def test_what_is_there_is_left_alone_until_it_is_tightened(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    (folder / "inner").mkdir(mode=0o755)
    file = folder / "inner" / "store"
    file.write_text("kept")
    file.chmod(0o644)
    assert private_folder(folder) == folder
    assert private_file(file) == file
    assert set(exposed(folder)) == {folder, folder / "inner", file}

    tighten(folder)

    assert exposed(folder) == []
    assert (mode(folder), mode(folder / "inner"), mode(file)) == (0o700, 0o700, 0o600)
    assert file.read_text() == "kept"


def test_a_link_out_of_the_folder_changes_nothing_there(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("somebody else's")
    elsewhere.chmod(0o644)
    folder = private_folder(tmp_path / "data")
    (folder / "link").symlink_to(elsewhere)

    tighten(folder)

    assert mode(elsewhere) == 0o644
    assert exposed(folder) == []


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path):
    (tmp_path / "data").write_text("")

    with pytest.raises(OSError, match="File exists"):
        private_folder(tmp_path / "data")


def test_whatever_is_written_under_the_private_umask_is_private(tmp_path):
    with private_umask():
        (tmp_path / "inside").write_text("x")
        subprocess.run([sys.executable, "-c", f"open({str(tmp_path / 'child')!r}, 'w').close()"], check=True)
    (tmp_path / "after").write_text("x")

    assert [mode(tmp_path / name) & 0o077 for name in ("inside", "child")] == [0, 0]
    assert mode(tmp_path / "after") & 0o044


def test_this_disk_keeps_modes_and_its_owner_may_change_them(tmp_path):
    assert keeps_modes(tmp_path)
    assert may_tighten(tmp_path)
    assert list(tmp_path.iterdir()) == []
