"""Two environments as users have them: built from wheels and compiled, since an editable install starts slower.

The host and the bare SDK share one. FastMCP has its own: it brings some sixty
distributions more, and one of them (rich) would make the SDK's server slower
to start.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKS = ("scheduling", "circadian", "locator", "discovery", "pai")
FASTMCP = "fastmcp==4.1.2"

_VERSIONS = """
import importlib.metadata as metadata, json, sys
names = sys.argv[1:]
print(json.dumps({dist.name: dist.version for dist in metadata.distributions() if dist.name in names}))
"""


@dataclass(frozen=True)
class Venvs:
    """The two interpreters; ``fastmcp`` is None where FastMCP cannot be had."""

    host: Path
    fastmcp: Path | None


def build(folder: Path, *, compiled: bool = True) -> Venvs:
    """Build both below ``folder``."""
    members = [ROOT / "core", *(ROOT / "plugins" / name for name in PACKS), ROOT / "benchmarks" / "pack"]
    wheels = folder / "wheels"
    for member in members:
        _uv("build", "--wheel", "--quiet", "--out-dir", str(wheels), str(member))
    built = sorted(str(wheel) for wheel in wheels.glob("*.whl"))
    if len(built) != len(members):
        raise SystemExit(f"expected {len(members)} wheels, built {built}")
    host = _venv(folder / "host", [*built, "prometheus-client>=0.21"], compiled=compiled)
    functions = [wheel for wheel in built if "packhorse_bench" in wheel]
    try:
        fastmcp = _venv(folder / "fastmcp", [FASTMCP, *functions], compiled=compiled)
    except subprocess.CalledProcessError:
        print(f"{FASTMCP} cannot be installed here, so it is left out")
        fastmcp = None
    return Venvs(host, fastmcp)


def versions(python: Path, *names: str) -> dict[str, str]:
    """The versions of those of ``names`` that are installed."""
    command = [str(python), "-c", _VERSIONS, *names]
    found: dict[str, str] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def _venv(folder: Path, wanted: list[str], *, compiled: bool) -> Path:
    _uv("venv", "--quiet", "--python", sys.executable, str(folder))
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    _uv("pip", "install", "--quiet", "--python", str(python), *wanted)
    if compiled:
        subprocess.run([str(python), "-m", "compileall", "-q", str(folder)], check=True, stdout=subprocess.DEVNULL)
    return python


def _uv(*arguments: str) -> None:
    beside = Path(sys.executable).with_name("uv")
    uv = str(beside) if beside.exists() else shutil.which("uv")
    if uv is None:
        raise SystemExit("the benchmark builds its environments with uv: install it, or run tox -e bench")
    subprocess.run([uv, *arguments], check=True)
