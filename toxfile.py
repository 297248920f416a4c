"""Lets tox see the interpreters that pyenv has installed but not activated.

Without it a machine whose Pythons all live under pyenv seems to have only one.
"""

import os
from pathlib import Path

WANTED = ("3.11", "3.12", "3.13")

versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
folders = sorted(versions.iterdir()) if versions.is_dir() else []
found = [str(folder / "bin") for minor in WANTED for folder in folders if folder.name.rpartition(".")[0] == minor]
os.environ["PATH"] = os.pathsep.join([*found, os.environ["PATH"]])
