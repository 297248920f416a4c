"""Loading while searching, in small; in large it is ``benchmarks/locator_load.py --records 1000000 --kill``."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "locator_load.py"


@pytest.mark.drill
def test_no_answer_is_wrong_while_a_file_is_loaded():
    ran = subprocess.run([sys.executable, str(SCRIPT), "--records", "300"], capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "wrong: {}" in ran.stdout
    assert "'people': 340, 'indexed': 340, 'current': True" in ran.stdout
