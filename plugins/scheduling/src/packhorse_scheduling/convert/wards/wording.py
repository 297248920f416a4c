"""What a roster breaks, in the words of the question."""

from collections.abc import Mapping

from packhorse_scheduling.domain.insight.wording import counted
from packhorse_scheduling.domain.wards.question import ANY, HOUR, OFF, Span, Ward
from packhorse_scheduling.domain.wards.roster import Breach


def breach_words(ward: Ward, breach: Breach) -> str:
    """One sentence: who or what, which day, which limit, by how much, and what it costs."""
    words = _needed(ward, breach) if breach.person is None else _personal(ward, breach, breach.person)
    price = "" if breach.weight is None else f" (costs {breach.cost})"
    return f"{words}{price}."


def costs_by_rule(breaches: tuple[Breach, ...]) -> dict[str, int]:
    """What soft rules cost, by rule, the dearest first."""
    found: dict[str, int] = {}
    for breach in breaches:
        if breach.weight is not None:
            found[breach.rule] = found.get(breach.rule, 0) + breach.cost
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _needed(ward: Ward, breach: Breach) -> str:
    if breach.rule == "fair":
        unit = "weekend" if breach.what == "weekends" else "shift"
        return f"{breach.what}: the shares differ by {counted(breach.amount, unit)}"
    day = day_words(ward, breach.day)
    which = {"least": "below the least", "wished": "off the number wished", "most": "above the most"}[breach.rule]
    return f"{breach.what} on {day}: {breach.amount} {which}"


def _personal(ward: Ward, breach: Breach, e: int) -> str:
    contract, who = ward.contract_of[e], ward.people[e].name or ward.people[e].key
    day, n = day_words(ward, breach.day) if breach.day >= 0 else "", breach.amount
    days, hours, rest = counted(n, "day"), hours_words(abs(breach.excess)), hours_words(60 * (contract.rest or 0))
    shown: Mapping[str, str] = {
        "hours": f"{hours} {_off_limits(contract.hours, breach, HOUR)}",
        "shifts": f"{counted(n, 'shift')} {_off_limits(contract.shifts, breach)}",
        "week_hours": f"{hours} above {figure((contract.week_hours or 0) / HOUR)} in the week to {day}",
        "work_run": f"a run of work on {day} is {days} outside {span_words(contract.work_run)}",
        "off_run": f"a run of days off on {day} is {days} outside {span_words(contract.off_run)}",
        "shift_run": f"a run of {breach.what} on {day} is {days} outside"
        f" {span_words(contract.shift_run.get(breach.what, (None, None)))}",
        "shift_most": f"{breach.what} {counted(n, 'time')} above the most, {contract.shift_most.get(breach.what)}",
        "weekends": f"{counted(n, 'weekend')} above the most, {contract.weekends}",
        "weekend_run": f"more than {contract.weekend_run} weekends on end, to {day}",
        "whole_weekends": f"half a weekend, {day}",
        "week_off": f"no {contract.week_off} days off on end in the week to {day}",
        "rest": f"{breach.what} on {day} begins before {rest} of rest after {breach.after}",
        "not_next": f"{breach.what} on {day} must not follow {breach.after} of the day before{_rest_too(ward, breach)}",
        "sequence": f"the days to {day} are {breach.what}",
        "request": f"the request for {asked(breach.what)} on {day} is not met",
        "fixed": f"is not {asked(breach.what)} on {day}, which is fixed",
        "place_changes": f"{counted(n, 'change')} of place above the most, {contract.place_changes}",
        "departments": f"{counted(n, 'department')} above the most, {contract.departments}",
        "used": f"is called in for {breach.what}",
        "skill": f"lacks the skill that {breach.what} on {day} needs",
    }
    return f"{who}: {shown[breach.rule]}"


def _off_limits(span: Span, breach: Breach, unit: int = 1) -> str:
    limit, words = (span[0], "below the least") if breach.excess < 0 else (span[1], "above the most")
    return f"{words}, {figure((limit or 0) / unit)}"


def _rest_too(ward: Ward, breach: Breach) -> str:
    """Words for the rest rule where it forbids the same two shifts: without `not_next` they would still be unlawful."""
    if breach.rule != "not_next" or breach.person is None:
        return ""
    contract = ward.contract_of[breach.person]
    one, other = (ward.shifts[ward.shift_of[key]] for key in (breach.after, breach.what))
    if not contract.rests_less(one, other, 1):
        return ""
    return f", and begins before {hours_words(60 * (contract.rest or 0))} of rest"


def hours_words(seconds: int) -> str:
    """5.9 hours."""
    return f"{figure(seconds / HOUR)} hour{'' if seconds == HOUR else 's'}"


def figure(number: float) -> str:
    """5.9 or 84.25: as hours are written."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def asked(shift: str) -> str:
    """A shift, a day off or work."""
    return {OFF: "a day off", ANY: "work"}.get(shift, shift)


def day_words(ward: Ward, day: int) -> str:
    """Mon 4 Jan 2027."""
    at = ward.date(day)
    return f"{at:%a} {at.day} {at:%b %Y}"


def span_words(span: Span, unit: int = 1) -> str:
    """2 to 5; at least 2; at most 5."""
    low, high = (None if limit is None else figure(limit / unit) for limit in span)
    if low is not None and high is not None:
        return f"{low} to {high}"
    return f"at least {low}" if low is not None else f"at most {high}" if high is not None else "no limit"
