"""The jobs that `scale` has started: one says when it began, one solves until it is ended."""

import os
import random
import time
from pathlib import Path
from typing import Any


def begin(job: Any) -> float:
    """Unix seconds, by the machine's clock."""
    return time.time()


def solve(job: Any, mark: str) -> int:
    """Look for what is not there: a market split problem (Cornuejols and Dawande 1998). Its process id goes to mark."""
    from ortools.sat.python import cp_model

    chance, model = random.Random(2026), cp_model.CpModel()
    chosen = [model.new_bool_var(str(number)) for number in range(50)]
    for _ in range(6):
        weights = [chance.randrange(100) for _ in chosen]
        model.add(sum(weight * one for weight, one in zip(weights, chosen, strict=True)) == sum(weights) // 2)
    Path(f"{mark}.new").write_text(str(os.getpid()))
    Path(f"{mark}.new").rename(mark)
    return int(cp_model.CpSolver().solve(model))
