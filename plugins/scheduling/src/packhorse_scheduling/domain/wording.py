"""Rules, breaches and requirements in sentences."""

from typing import TYPE_CHECKING

from packhorse_scheduling.domain.calendar import SESSIONS
from packhorse_scheduling.domain.people import ROLES

if TYPE_CHECKING:
    from packhorse_scheduling.domain.kernel import Kernel
    from packhorse_scheduling.domain.rules.rule import Violation
    from packhorse_scheduling.domain.solve.guards import Requirement


def number(value: float) -> str:
    """Without a needless fraction."""
    return f"{value:.1f}".removesuffix(".0")


def violation_words(kernel: "Kernel", violation: "Violation") -> str:
    """What is wrong, with the value, the limit and whose limit it is."""
    people, services = kernel.programme.people, kernel.programme.services
    who = people[violation.person].name if violation.person is not None else ""
    what = services[violation.service].name if violation.service is not None else ""
    first, last = kernel.date_of(violation.first), kernel.date_of(violation.last)
    when = f"{first}" if first == last else f"{first} to {last}"
    if violation.session is not None:
        when += f" {SESSIONS[violation.session]}"
    value, limit = number(violation.value), number(violation.limit)
    role = ROLES[violation.role] if violation.role is not None else ""
    return {
        "80_HOUR_RULE": f"{who}: {value} hours in the {len_of(violation)} days {when}, above {limit} (80 a week,"
        " averaged, leave taken out)",
        "1_IN_7_RULE": f"{who}: {value} days worked in the {len_of(violation)} days {when}, above {limit} (one day in"
        " seven free averaged, leave taken out)",
        "CALL_FREQUENCY_RULE": f"{who}: {value} nights on call in the {len_of(violation)} days {when}, above {limit}",
        "NIGHT_FLOAT_RULE": f"{who}: {value} nights in a row, {when}, above {limit}",
        "CONSECUTIVE_DAYS_RULE": f"{who}: {value} days worked in a row, {when}, above {limit}",
        "24_PLUS_4_RULE": f"{who}: {value} hours on end until {when}, above {limit} (hand-over included up to 28)",
        "14_HOUR_REST_RULE": f"{who}: {value} hours off after 24 hours in house before {when}, below {limit}",
        "8_HOUR_REST_RULE": f"{who}: {value} hours off before {when}, below {limit}",
        "WHOLE_NIGHT_RULE": f"{who}: half a night of {what}, {when}; evening and morning belong together",
        "SUPERVISION_RATIO": f"{what}, {when}: residents of {value} supervision units and faculty for {limit}",
        "MINIMUM_STAFFING": f"{what}, {when}: {value} {role}, below {limit}",
        "MAXIMUM_STAFFING": f"{what}, {when}: {value} {role}, above {limit}",
        "CREDENTIAL_REQUIREMENTS": f"{who} on {what}, {when}: role, year or credential does not allow it that day",
        "LEAVE_RULE": f"{who} on {what}, {when}, while on leave",
    }.get(violation.rule, violation.rule) + "."


def len_of(violation: "Violation") -> int:
    """Days of the violation, both ends included."""
    return violation.last - violation.first + 1


def requirement_words(kernel: "Kernel", requirement: "Requirement") -> str:
    """What was asked, as a phrase."""
    programme = kernel.programme
    who = programme.people[requirement.person].name if requirement.person >= 0 else ""
    what = programme.services[requirement.service].name if requirement.service >= 0 else ""
    day = kernel.date_of(requirement.day) if requirement.day >= 0 else None
    role = ROLES[requirement.role] if requirement.role >= 0 else ""
    if requirement.code == "LEAVE_RULE":
        leave = programme.leaves[requirement.number]
        return f"leave of {who} from {leave.start} to {leave.end}"
    if requirement.code == "LOCKED_ASSIGNMENT":
        lock = programme.locks[requirement.number]
        return f"{who} locked on {lock.service or 'free'} on {lock.day} {lock.session}"
    return {
        "80_HOUR_RULE": f"80 hours a week for {who} (CPR)",
        "1_IN_7_RULE": f"one day in seven free for {who} (CPR)",
        "CALL_FREQUENCY_RULE": f"call every third night at most for {who} (CPR)",
        "24_PLUS_4_RULE": f"24 hours on end and four for hand-over for {who} (CPR)",
        "14_HOUR_REST_RULE": f"14 hours off after 24 for {who} (CPR)",
        "NIGHT_FLOAT_RULE": f"nights in a row for {who} (institution)",
        "CONSECUTIVE_DAYS_RULE": f"days in a row for {who} (institution)",
        "MINIMUM_STAFFING": f"the minimum of {role} on {what} on {day}",
        "MAXIMUM_STAFFING": f"the maximum on {what} on {day}",
        "SUPERVISION_RATIO": f"supervision on {what} on {day}",
        "CREDENTIAL_REQUIREMENTS": f"the credentials of {who} for {what}",
    }.get(requirement.code, requirement.code)
