"""Build the wheels of one distribution and the core, and install them with all their extras into this environment."""

import os
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import bytecode

ROOT = Path(__file__).resolve().parents[1]


def _requirement(member: Path, wheel: Path) -> str:
    project = tomllib.loads((member / "pyproject.toml").read_text("utf-8"))["project"]
    extras = ",".join(project.get("optional-dependencies", {}))
    return f"{project['name']}[{extras}] @ {wheel.as_uri()}"


def main(folder: Path) -> None:
    """Build into ``folder`` and install; SOLO names the distribution."""
    name = os.environ["SOLO"]
    members = [ROOT / "core"] if name == "core" else [ROOT / "core", ROOT / "plugins" / name]
    requirements = []
    for member in members:
        out = folder / member.name
        subprocess.run(["uv", "build", "--wheel", "--quiet", "--out-dir", str(out), str(member)], check=True)
        # Of several builds the newest: tox keeps the folder between runs.
        wheel = max(out.glob("*.whl"), key=lambda path: path.stat().st_mtime)
        requirements.append(_requirement(member, wheel) if member is members[-1] else str(wheel))
    install = ["uv", "pip", "install", "--quiet", "--python", sys.executable, "--reinstall-package", "packhorse"]
    subprocess.run([*install, "--reinstall-package", f"packhorse-{name}", *requirements], check=True)
    bytecode.take(Path(sysconfig.get_path("purelib")), Path(os.environ["TOX_WORK_DIR"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
