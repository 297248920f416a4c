"""Draw the sixty problems that are written as formulations; committed before one of them was read.

Six of each file of `../shared/discovery/modelling`, and six more of all that is left. The seed is the date of the draw.
"""

import json
import random
from pathlib import Path

SEED = 20261123
PER_FILE = 6
IN_ALL = 60
PROBLEMS = Path(__file__).resolve().parents[3].parent / "shared" / "discovery" / "modelling"


def drawn(folder: Path = PROBLEMS) -> dict[str, list[str]]:
    """The ids of the drawn problems, by file name without its ending; files and ids are sorted before the draw."""
    draw = random.Random(SEED)
    ids = {
        file.stem: sorted(row["id"] for row in json.loads(file.read_text())) for file in sorted(folder.glob("*.json"))
    }
    chosen = {name: set(draw.sample(rows, PER_FILE)) for name, rows in ids.items()}
    left = [(name, row) for name, rows in ids.items() for row in rows if row not in chosen[name]]
    for name, row in draw.sample(left, IN_ALL - PER_FILE * len(ids)):
        chosen[name].add(row)
    return {name: sorted(rows) for name, rows in chosen.items()}


if __name__ == "__main__":
    print(json.dumps(drawn(), indent=1))
