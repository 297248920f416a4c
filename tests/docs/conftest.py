"""What is beside the tests here, and the pages' generator, can be imported by name."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "docs")]


def pytest_terminal_summary(terminalreporter):
    """How many blocks ran, and which did not, with the reason that the page gives."""
    from desk import NOTED

    if NOTED:
        terminalreporter.write_sep("-", "blocks of the documentation")
        for line in NOTED:
            terminalreporter.write_line(line)
