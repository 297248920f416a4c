"""Warnings in groups: one sentence for all of a rule and a service, with how many and from when to when."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from packhorse_scheduling.domain.insight.wording import counted, violation_words
from packhorse_scheduling.domain.rules.codes import CODES, ROTATION
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation

MOST_GROUPS = 5
MOST_TOLD = 3
MOST_DATES = 3


def warning_groups(opened: "Opened", today: date) -> tuple[int, list[str]]:
    """How many warnings reach today or later, and their groups in words, the gravest first, then the largest."""
    kernel = opened.kernel
    first = kernel.day_of(today)
    found = [one for one in opened.violations() if not one.blocks and one.last >= first]
    groups: dict[tuple[str, int | None], list[Violation]] = {}
    for one in found:
        groups.setdefault((one.rule, one.service), []).append(one)
    ordered = sorted(groups.values(), key=lambda group: (CODES.index(group[0].rule), -len(group)))
    return len(found), [_group_words(opened, group) for group in ordered]


def _group_words(opened: "Opened", group: "list[Violation]") -> str:
    kernel = opened.kernel
    if len(group) == 1:
        return violation_words(kernel, group[0])
    people = {one.person for one in group if one.person is not None}
    service = group[0].service
    if service is None:
        return f"{violation_words(kernel, group[0])} And {len(group) - 1} more of {group[0].rule}."
    words = f"{kernel.programme.services[service].name}: {counted(len(group), 'half-day')}"
    words += f" of {counted(len(people), 'person', 'people')}" if people else ""
    words += " off their rotation" if group[0].rule == ROTATION else f" ({group[0].rule})"
    return f"{words}, {_dates(kernel.date_of(one.first) for one in group)}."


def _dates(days: "Iterable[date]") -> str:
    """The dates where they are few, else from when to when and on how many days."""
    known = sorted(set(days))
    if len(known) <= MOST_DATES:
        return ", ".join(map(str, known))
    return f"{known[0]} to {known[-1]} on {len(known)} days"


def warnings_told(opened: "Opened", today: date) -> dict[str, Any]:
    """Number and groups for the body of an answer; nothing without a warning."""
    count, groups = warning_groups(opened, today)
    return {"warning_count": count, "warnings": groups[:MOST_GROUPS]} if count else {}


def warnings_words(opened: "Opened", today: date) -> str:
    """The same in sentences; nothing without a warning."""
    count, groups = warning_groups(opened, today)
    if not count:
        return ""
    more = f" And {counted(len(groups) - MOST_TOLD, 'group')} more." if len(groups) > MOST_TOLD else ""
    return f" {counted(count, 'warning')} from today on: {' '.join(groups[:MOST_TOLD])}{more}"
