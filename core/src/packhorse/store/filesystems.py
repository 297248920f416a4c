"""Which file systems other machines write to as well: where SQLite's locks do not hold."""

import os
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")

NETWORK = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "fuse.cephfs", "fuse.glusterfs", "fuse.moosefs", "fuse.rclone",
        "fuse.s3fs", "fuse.sshfs", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs",
        "pvfs2", "smb3", "smbfs", "virtiofs",
    }
)  # fmt: skip
"""Kinds of file system, as Linux names them in ``mountinfo`` (proc(5)), that are on a network or shared by machines.

SQLite asks for locks that hold and for shared memory in WAL mode, which is of one machine ("Write-Ahead Logging",
section 1 of its documentation; "How To Corrupt An SQLite Database File", section 2.1).
"""

_ESCAPED = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"}


def network_file_system(path: Path, mounts: Path = MOUNTS) -> str | None:
    """The kind of the network file system that ``path`` is on, or will be; None on a disk of this machine.

    None too where that cannot be told: elsewhere than on Linux.
    """
    try:
        table = mounts.read_text("utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    target = os.path.realpath(path)
    best, kind = "", None
    for line in table:
        # "36 35 98:0 /root /mount/point options - type source options": see proc(5).
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = fields[4]
        for escaped, meant in _ESCAPED.items():
            point = point.replace(escaped, meant)
        inside = target == point or target.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):  # of two mounted on one point the later covers the earlier
            best, kind = point, after.split(" ")[0]
    return kind if kind in NETWORK else None
