"""Refusals that name person, date, rule and next step; and what a draft knew of when it was made."""

from typing import TYPE_CHECKING, Any

from packhorse_scheduling.domain.insight.wording import counted, violation_words
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from packhorse import UserError
    from packhorse_scheduling.domain.change.judging import Judgement
    from packhorse_scheduling.domain.programme.programme import Programme
    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.domain.rules.violation import Violation

MOST_NAMED = 3
"""Violations told in words; the details of a refusal have `MOST_LISTED`."""
MOST_LISTED = 50


def refused_by(judged: "Judgement", opened: "Opened", schedule_id: str) -> "UserError":
    """The refusal to publish a draft that adds violations."""
    return forbidden_by_rule(
        f"This draft adds {counted(len(judged.added), 'violation')} and cannot be published:"
        f" {named(opened.kernel, judged.added)} Next: repair_schedule with schedule_id {schedule_id} makes a draft"
        " that mends them with the fewest changes; validate_schedule lists all.",
        violations=len(judged.added),
        standing=len(judged.standing),
        added=listed(opened.kernel, judged.added),
    )


def locks_broken(was: "Opened", programme: "Programme", today: "date") -> list[str]:
    """What the roster in force has otherwise than a programme locks it from today on, in a sentence; or nothing."""
    from packhorse_scheduling.domain.change.judging import carried
    from packhorse_scheduling.domain.rules.kernel import Kernel

    if not programme.locks:
        return []
    kernel = Kernel(programme)
    after = Opened(was.schedule, kernel, carried(kernel, was.schedule.cells))
    found = [one for one in after.violations(["LOCK_RULE"]) if kernel.date_of(one.first) >= today]
    if not found:
        return []
    return [f"{named(kernel, found)} The roster in force is not as these are locked: repair_schedule mends it."]


def named(kernel: "Kernel", violations: "Sequence[Violation]") -> str:
    """The first violations in words, and how many more there are."""
    more = len(violations) - MOST_NAMED
    words = [violation_words(kernel, one) for one in violations[:MOST_NAMED]]
    return " ".join([*words, *([f"And {more} more."] if more > 0 else [])])


def listed(kernel: "Kernel", violations: "Sequence[Violation]") -> list[dict[str, Any]]:
    """Rule, person, service and days of violations, `MOST_LISTED` at most."""
    people, services = kernel.programme.people, kernel.programme.services
    return [
        {
            "rule": one.rule,
            "start": kernel.date_of(one.first).isoformat(),
            "end": kernel.date_of(one.last).isoformat(),
            "message": violation_words(kernel, one),
            **({} if one.person is None else {"person_id": people[one.person].id}),
            **({} if one.service is None else {"service": services[one.service].code}),
        }
        for one in violations[:MOST_LISTED]
    ]
