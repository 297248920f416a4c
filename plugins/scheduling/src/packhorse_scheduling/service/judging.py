"""Refusals that name person, date, rule and next step; and what a draft knew of when it was made."""

from typing import TYPE_CHECKING, Any

from packhorse_scheduling.domain.insight.wording import counted, violation_words
from packhorse_scheduling.domain.programme.calendar import SESSIONS
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.errors import forbidden_by_rule, invalid

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
        f"This draft adds {counted(len(judged.added), 'violation')}, so it cannot be published:"
        f" {named(opened.kernel, judged.added)} Next: repair_schedule with schedule_id {schedule_id} makes a draft"
        " without them. validate_schedule lists all violations.",
        violations=len(judged.added),
        standing=len(judged.standing),
        added=listed(opened.kernel, judged.added),
    )


def effect_words(was: "Opened", programme: "Programme", today: "date") -> list[str]:
    """What the roster in force breaks under a revised programme of its days that it kept before; or nothing.

    Raises:
        UserError: a half-day gone by could not stand under it.
    """
    from packhorse_scheduling.domain.change.judging import as_known, judge_change
    from packhorse_scheduling.domain.change.notices import new_violations
    from packhorse_scheduling.domain.rules.kernel import Kernel

    if programme.year != was.programme.year:
        return []
    kernel = Kernel(programme, was.schedule.plan)
    after = as_known(was, kernel)
    stay = kernel.cells_of(after.grid)
    left_out = set(was.schedule.cells).difference(stay)
    if not stay:
        return []  # another programme, of nobody who is in force
    gone = min((cell for cell in left_out if cell[1] < today), key=lambda cell: (*cell[1:3], cell[0]), default=None)
    if gone is not None:
        raise invalid(
            "file",
            f"{gone[0]} worked {gone[3]} on {gone[1]} {SESSIONS[gone[2]]}, and the file gives {gone[3]} no clock times"
            " then: what went by stays. Give it back its times, and end its demand on a date instead.",
        )
    told = []
    if left_out:
        words = "in force of people or services not in the file will be empty."
        told.append(f"{counted(len(left_out), 'half-day')} {words}")
    ahead = judge_change(was, after, today).added
    if ahead:
        told.append(
            f"The roster in force then has {counted(len(ahead), 'more violation')}: {named(kernel, ahead)}"
            " repair_schedule mends what is still to come."
        )
    past = sum(kernel.date_of(one.last) < today for one in new_violations(was, after)[0])
    if past:
        told.append(f"Of days gone by, {counted(past, 'more violation')} will be listed: nothing mends them.")
    return told


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
