"""The checker here and the interviews of the model tests are imported by name; benchmarks are read in place."""

import os
import sys
from pathlib import Path

import pytest

from packhorse_discovery.solver.minizinc import installed

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "models"))
sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
from shop_files import Instance, read

BENCHMARKS = Path(__file__).resolve().parents[3].parent / "shared" / "discovery" / "benchmarks"


@pytest.fixture(scope="session")
def benchmark_file():
    """The path of a benchmark file by its name, read where it lies beside the checkout."""

    def find(name: str) -> Path:
        path = BENCHMARKS / name
        if not path.is_file():
            pytest.skip(f"no {name} beside the checkout")
        return path

    return find


@pytest.fixture(scope="session")
def instances(benchmark_file) -> dict[str, Instance]:
    """Every benchmark instance by name."""
    files = [benchmark_file(name).read_text(encoding="utf-8") for name in ("jobshop.json", "permflowshop.json")]
    return {each.name: each for text in files for each in read(text)}


@pytest.fixture(scope="session")
def minizinc(tmp_path_factory) -> Path:
    """The ``minizinc`` on the path, else the npm package under Node.js."""
    if found := installed():
        return found
    import minizinc_npm  # beside this file, on the path since it was read

    reason = minizinc_npm.missing()
    if reason and os.environ.get("PACKHORSE_MINIZINC") == "required":
        pytest.fail(f"no MiniZinc: {reason}")
    if reason:
        pytest.skip(f"no MiniZinc: {reason}")
    folder = tmp_path_factory.mktemp("minizinc")
    minizinc_npm.command(folder)
    return installed(str(folder))
