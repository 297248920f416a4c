"""What each mode of generation starts from, and which cells it holds."""

import numpy as np

from packhorse_scheduling.domain.roster.arrays import FREE, Bools, Grid
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.year import Mode


def start_of(
    kernel: Kernel, base: "Grid | None" = None, mode: "Mode" = "FULL", kept: "Bools | None" = None
) -> "tuple[Grid, Bools]":
    """The roster to start from and what is fixed in it: locks of the programme, ``kept`` cells of ``base``, the tail.

    FULL starts empty but for these. PARTIAL keeps every filled cell of ``base``
    whose person is there and may do it. OPTIMIZATION starts from all of ``base``.
    """
    grid = kernel.empty()
    fixed = np.zeros(grid.shape, bool)
    fixed[:, : kernel.tail] = True
    if base is not None:
        keep = np.zeros(grid.shape, bool) if kept is None else kept.copy()
        if mode == "PARTIAL":
            keep |= _sound(kernel, base)
        grid = base.copy() if mode == "OPTIMIZATION" else np.where(keep, base, grid)
        fixed |= keep
    for lock in kernel.programme.locks:
        at = kernel.person_of[lock.person], kernel.day_of(lock.day), int(lock.session == "PM")
        grid[at] = FREE if lock.service is None else kernel.service_of[lock.service]
        fixed[at] = True
    return grid.astype(np.int8), fixed


def _sound(kernel: Kernel, base: "Grid") -> "Bools":
    """The filled cells that their person may do, of nights both halves or none; one begun before leave is done."""
    sound = np.zeros(base.shape, bool)
    person, day, half = np.nonzero(base != FREE)
    sound[person, day, half] = kernel.may[person, base[person, day, half], day, half]
    sound |= (base != FREE) & kernel.away[:, :, None] & ~kernel.collisions(base)
    evening = kernel.overnight[base[:, :-1, 1]] & (base[:, :-1, 1] == base[:, 1:, 0])
    whole = sound[:, :-1, 1] & sound[:, 1:, 0]
    sound[:, :-1, 1] &= ~evening | whole
    sound[:, 1:, 0] &= ~evening | whole
    return sound
