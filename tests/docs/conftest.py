"""What is beside the tests here, and the pages' generator, can be imported by name."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "docs")]
