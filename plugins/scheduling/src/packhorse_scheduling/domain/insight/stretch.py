"""One person's figures for a roster."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from packhorse_scheduling.domain.roster.arrays import Bools, Grid
    from packhorse_scheduling.domain.rules.kernel import Kernel

_KINDS = {"clinic": "total_clinic_hours", "inpatient": "total_inpatient_hours", "procedure": "total_procedure_hours"}


def statistics(kernel: "Kernel", grid: "Grid", p: int) -> dict[str, Any]:
    """Hours in all, a week and by kind of service; days off, and the longest run of days with duty.

    A day off is a calendar day without duty, on leave or not.
    """
    own = grid[p, kernel.tail :]
    minutes = np.stack([kernel.minutes[own[:, h], h] for h in (0, 1)], axis=1)
    total = float(minutes.sum() + kernel.beyond[p].sum()) / 60
    found: dict[str, Any] = {
        "total_hours": total,
        "avg_hours_per_week": round(total * 7 / len(own), 2),
    }
    for kind, name in _KINDS.items():
        mask = np.array([service.kind == kind for service in kernel.programme.services] + [False])
        found[name] = float(minutes[mask[own]].sum()) / 60
    worked: Bools = np.asarray((own >= 0).any(axis=1))
    found["days_off"] = int((~worked).sum())
    found["longest_stretch_without_day_off"] = longest_run(worked)
    return found


def longest_run(worked: "Bools") -> int:
    """The most true values in a row."""
    longest = run = 0
    for day in worked.tolist():
        run = run + 1 if day else 0
        longest = max(longest, run)
    return longest
