"""What is better and what is worse beside the roster in force, in a few plain figures; and what to do next."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from packhorse_scheduling.domain.change.churn import Beside, Generated
from packhorse_scheduling.domain.insight.wording import counted, listing
from packhorse_scheduling.domain.insight.worth import weigh
from packhorse_scheduling.domain.roster.arrays import Grid
from packhorse_scheduling.domain.rules.kernel import Kernel


def weighed_told(generated: "Generated") -> dict[str, Any]:
    """The measures of a draft and of the roster in force, and notes; nothing where none is in force."""
    beside = generated.beside
    if beside is None:
        return {}
    kernel, grid = generated.opened.kernel, generated.opened.grid
    note = _note(kernel, beside, grid)
    return {"measures": measures_from(kernel, beside.grid, grid, *beside.days), **({"notes": [note]} if note else {})}


def _note(kernel: "Kernel", beside: "Beside", grid: "Grid") -> str:
    """What a mode has not done, where somebody may have expected it, and what would; empty where there is nothing."""
    same = np.array_equal(grid, beside.grid)
    if same and beside.mode == "OPTIMIZATION":
        return (
            "Nothing better was found: the roster in force stays, and the draft is the same. No change on these days"
            " meets a wish or spreads work more evenly, makes nothing else worse and is worth its half-days."
        )
    if beside.mode != "PARTIAL":
        return ""
    if same:
        return (
            "Nothing changes: PARTIAL fills what is empty where the demand needs somebody, and nothing does on these"
            " days. generate_schedule with OPTIMIZATION moves work between people where that is better."
        )
    days = slice(beside.days[0], beside.days[1] + 1)
    now, was = grid[:, days], beside.grid[:, days]
    served = np.array([*~kernel.fills, False])[now].any(axis=(1, 2))
    filled = ((now >= 0) & (now != was)).sum(axis=(1, 2))
    left = np.flatnonzero((filled > 0) & ~served).tolist()
    if not left:
        return ""
    names = listing([kernel.programme.people[p].name for p in left])
    codes = sorted({kernel.programme.services[s].code for s in np.unique(now[left]).tolist() if s >= 0})
    return (
        f"{names} {'has' if len(left) == 1 else 'have'} nothing but {', '.join(codes)} on these days"
        f" ({counted(int(filled[left].sum()), 'half-day')}): PARTIAL fills what is empty and takes no service from"
        " anybody. Next: generate_schedule with OPTIMIZATION on these days shares the work out."
    )


def measures_from(kernel: "Kernel", before: "Grid", after: "Grid", first: int, last: int) -> list[dict[str, Any]]:
    """Each measure before and after, and whether that is better, worse or the same."""
    return [
        {
            "measure": one.name,
            "before": one.before,
            "after": one.after,
            "verdict": "better" if one.gain > 0 else "worse" if one.gain < 0 else "same",
        }
        for one in weigh(kernel, before, after, first, last)
    ]


def weighed_words(body: Mapping[str, Any]) -> str:
    """The same in two sentences: what is better, and what is worse; nothing where there is nothing to compare."""
    rows = body.get("measures")
    if not rows or body.get("churn", {}).get("changed_half_days") == 0:
        return ""
    words = ""
    for verdict in ("better", "worse"):
        told = [f"{row['measure']} {row['before']:g} to {row['after']:g}" for row in rows if row["verdict"] == verdict]
        words += f" {verdict.capitalize()}: {'; '.join(told) or 'nothing'}."
    same = [row["measure"] for row in rows if row["verdict"] == "same"]
    return f"{words} The same: {', '.join(same)}." if same else words


def notes_words(body: Mapping[str, Any]) -> str:
    """The notes, each a sentence or two."""
    return "".join(f" {note}" for note in body.get("notes", ()))


def publish_words(body: Mapping[str, Any]) -> str:
    """The next step with a draft."""
    if body.get("churn", {}).get("changed_half_days") == 0:
        return "There is nothing to publish: it has no other half-day than the roster in force."
    return "Publish it before anybody works by it."
