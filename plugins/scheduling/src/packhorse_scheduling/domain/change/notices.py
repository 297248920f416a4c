"""What a change of the published roster has newly broken: the stream that watchers follow."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from packhorse_scheduling.domain.rules.kernel import Kernel
    from packhorse_scheduling.domain.rules.opened import Opened
    from packhorse_scheduling.domain.rules.violation import Violation


@frozen
class Notice:
    """One change: its number in the stream, when, of which version, why, and what it newly broke and solved."""

    number: int
    at: datetime
    schedule: str
    cause: str
    violations: tuple[dict[str, Any], ...]
    solved: int


def new_violations(before: "Opened | None", after: "Opened") -> "tuple[list[Violation], int]":
    """The breaches (warnings not counted) of ``after`` that ``before`` did not have, and how many are gone.

    A breach is the same where rule, person, service, role, first day and session are.
    """
    was = set() if before is None else {breach_key(before.kernel, one) for one in before.violations() if one.blocks}
    now = {breach_key(after.kernel, one): one for one in after.violations() if one.blocks}
    return [one for key, one in now.items() if key not in was], len(was - now.keys())


def breach_key(kernel: "Kernel", one: "Violation") -> tuple[Any, ...]:
    """What makes a breach the same in two rosters."""
    people, services = kernel.programme.people, kernel.programme.services
    return (
        one.rule,
        None if one.person is None else people[one.person].key,
        None if one.service is None else services[one.service].code,
        one.role,
        kernel.date_of(one.first),
        one.session,
    )
