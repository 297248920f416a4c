"""The modules beside ``run.py`` are imported here by the names they have when it runs as a script."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
