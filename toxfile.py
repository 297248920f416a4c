"""What tox needs to know of the machine: its interpreters, where tests may write, how many environments go at once.

And what environments share: what Python has compiled of the packages in them.
"""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tox.plugin import impl
from tox.tox_env.python.api import Python
from tox.util.cpu import auto_detect_cpus

sys.path.append(str(Path(__file__).parent / "tests"))

import bytecode

# A machine whose Pythons all live under pyenv, installed but not activated, seems to have only one.
WANTED = ("3.11", "3.12", "3.13")

versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
folders = sorted(versions.iterdir()) if versions.is_dir() else []
found = [str(folder / "bin") for minor in WANTED for folder in folders if folder.name.rpartition(".")[0] == minor]
os.environ["PATH"] = os.pathsep.join([*found, os.environ["PATH"]])

# What tests write lies in memory, where there is room: on a disk each commit of SQLite waits some 5 ms for it.
MEMORY, ROOM = Path("/dev/shm"), 4 << 30  # noqa: S108 - the folder made in it is private
if (
    os.access(MEMORY, os.W_OK)
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    and shutil.disk_usage(MEMORY).free > ROOM
):
    folder = tempfile.mkdtemp(prefix="tox-", dir=MEMORY)
    Path(folder).chmod(0o711)  # a test becomes nobody, and reads what it is given by name
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["TMPDIR"] = folder

# A quarter of many an environment is waiting, for servers that start, notice and end: one more fills that time.
os.environ.setdefault("TOX_PARALLEL", str(auto_detect_cpus() + 1))


@impl
def tox_before_run_commands(tox_env: Python) -> None:
    """Packages are installed, all but the wheels of an environment for one distribution alone."""
    bytecode.take(tox_env.env_site_package_dir(), tox_env.core["work_dir"])


@impl
def tox_after_run_commands(tox_env: Python) -> None:
    """What was imported is compiled now."""
    bytecode.give(tox_env.env_site_package_dir(), tox_env.core["work_dir"])
