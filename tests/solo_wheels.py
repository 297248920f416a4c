"""Build the wheels of one distribution and the core, and install them from there into this environment."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _with_extras(wheel: Path) -> str:
    return f"packhorse[jobs,metrics,postgres,redis,sources] @ {wheel.as_uri()}"


def main(folder: Path) -> None:
    """Build into ``folder`` and install; SOLO names the distribution."""
    name = os.environ["SOLO"]
    members = [ROOT / "core"] if name == "core" else [ROOT / "core", ROOT / "plugins" / name]
    for member in members:
        subprocess.run(["uv", "build", "--wheel", "--quiet", "--out-dir", str(folder), str(member)], check=True)
    wheels = sorted(str(wheel) for wheel in folder.glob("*.whl"))
    if len(wheels) != len(members):
        raise SystemExit(f"expected {len(members)} wheels, built {wheels}")
    # The core's optional parts have their tests in its own folder.
    wheels = [_with_extras(Path(wheel)) if name == "core" else wheel for wheel in wheels]
    install = ["uv", "pip", "install", "--quiet", "--python", sys.executable, "--reinstall-package", "packhorse"]
    subprocess.run([*install, "--reinstall-package", f"packhorse-{name}", *wheels], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
