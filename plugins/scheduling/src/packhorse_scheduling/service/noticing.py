"""Writing down what a change of the published roster breaks, in the change's own transaction."""

from typing import TYPE_CHECKING, Any

from packhorse_scheduling.domain.change.notices import new_violations
from packhorse_scheduling.domain.insight.wording import violation_words

if TYPE_CHECKING:
    from datetime import datetime

    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.domain.rules.opened import Opened
    from packhorse_scheduling.domain.rules.violation import Violation
    from packhorse_scheduling.store import Rosters

MOST_NOTED = 100
"""Violations kept with one notice; the count is of all."""


def notice(rosters: "Rosters", before: "Opened | None", after: "Opened", at: "datetime", cause: str) -> None:
    """Add to the stream where the change broke or mended anything."""
    from packhorse_scheduling.store.notices import Notices

    found, solved = new_violations(before, after)
    if found or solved:
        told = [_told(after.kernel, one) for one in found[:MOST_NOTED]]
        Notices(rosters.store).add(at, after.schedule.id, cause, told, solved)


def _told(kernel: "Kernel", one: "Violation") -> dict[str, Any]:
    found: dict[str, Any] = {
        "rule": one.rule,
        "severity": one.severity,
        "authority": one.authority,
        "message": violation_words(kernel, one),
        "date_range": {
            "start": kernel.date_of(one.first).isoformat(),
            "end": kernel.date_of(one.last).isoformat(),
        },
    }
    if one.person is not None:
        found["affected_person_id"] = kernel.programme.people[one.person].id
    return found
