"""Which file system a path is on, by the table of mounts that Linux keeps."""

from pathlib import Path

import pytest

from packhorse.compose.replicas import network_file_system

TABLE = r"""21 28 0:20 / /proc rw,nosuid shared:12 - proc proc rw
28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
40 28 0:44 / /home rw,relatime shared:9 - nfs4 files.example:/home rw,vers=4.2
41 40 8:1 / /home/local rw,relatime shared:10 - xfs /dev/sda1 rw
42 28 0:50 / /mnt/of\040all rw - cifs //files.example/all rw
43 28 0:51 / /mnt/twice rw - nfs files.example:/a rw
44 43 0:52 / /mnt/twice rw - ext4 /dev/sdb1 rw
45 28 0:53 / /media/far rw - fuse.sshfs ada@files.example: rw
a line that is none
"""


@pytest.fixture
def mounts(tmp_path):
    made = tmp_path / "mountinfo"
    made.write_text(TABLE)
    return made


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/lib/packhorse", None),
        ("/home/ada/.local/share/packhorse", "nfs4"),
        ("/home", "nfs4"),
        ("/homework/data", None),
        ("/home/local/data", None),
        ("/mnt/of all/data", "cifs"),
        ("/mnt/twice/data", None),
        ("/media/far/x", "fuse.sshfs"),
    ],
)
def test_the_innermost_mount_counts_and_the_last_of_two_on_one_point(mounts, path, kind):
    assert network_file_system(Path(path), mounts) == kind


def test_a_link_is_followed(mounts, tmp_path):
    link = tmp_path / "data"
    link.symlink_to("/home/ada")
    assert network_file_system(link / "packhorse", mounts) == "nfs4"


def test_where_there_is_no_table_nothing_is_known(tmp_path):
    assert network_file_system(tmp_path, tmp_path / "absent") is None
