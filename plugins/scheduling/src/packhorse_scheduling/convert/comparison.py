"""What differs between two versions: counts first, then one person's days."""

from datetime import date
from typing import Any, TypeVar

from packhorse_scheduling.convert.briefly import page_words
from packhorse_scheduling.convert.weighing import measures_from, weighed_words
from packhorse_scheduling.domain.change.comparison import compare, gone, half_day_words, plan_lines
from packhorse_scheduling.domain.change.judging import as_known, judge_change
from packhorse_scheduling.domain.insight.wording import counted, violation_words
from packhorse_scheduling.domain.programme.calendar import name_id
from packhorse_scheduling.domain.rules.opened import Opened

T = TypeVar("T")
PEOPLE_A_PAGE, DAYS_A_PAGE = 20, 60
MOST_TOLD = 5
MOST_DAYS_TOLD = 10


def comparison_from(before: "Opened", after: "Opened", person: str | None, page: int, today: date) -> dict[str, Any]:
    """One page: everybody's counts, or the half-days of one person (by key)."""
    found = compare(before, after)
    added = judge_change(before, after, today).added
    plan = plan_lines(before, after)
    names = {one.key: one.name for side in (before, after) for one in side.programme.people}
    body: dict[str, Any] = {
        "version": after.schedule.version,
        "against": before.schedule.version,
        "changed_half_days": sum(len(one.differences) for one in found),
        "people_changed": len(found),
        "new_violations": len(added),
        "violations": [violation_words(after.kernel, one) for one in added[:MOST_TOLD]],
        "gone_violations": len(gone(before, after)),
        "plan_changes": plan[:MOST_TOLD],
        "plan_change_count": len(plan),
        "page": page,
    }
    if person is not None:
        own = next((one.differences for one in found if one.person == person), ())
        part, body["pages"] = _page(list(own), page, DAYS_A_PAGE)
        return body | {"half_days": [half_day_words(one) for one in part]}
    if found:
        days = [after.kernel.day_of(row.day) for one in found for row in one.differences]
        grid = as_known(before, after.kernel).grid
        body["measures"] = measures_from(after.kernel, grid, after.grid, min(days), max(days))
    rows, body["pages"] = _page(list(found), page, PEOPLE_A_PAGE)
    body["people"] = [
        {
            "person_id": name_id("person", one.person),
            "person_name": names[one.person],
            "gained": one.gained,
            "lost": one.lost,
            "other_service": one.exchanged,
            "hours": round(one.minutes / 60, 1),
            "nights": one.nights,
            "weekend_half_days": one.weekend,
            "holidays": one.holidays,
        }
        for one in rows
    ]
    return body


def _page(rows: list[T], page: int, size: int) -> tuple[list[T], int]:
    return rows[(page - 1) * size : page * size], max(1, -(-len(rows) // size))


def comparison_words(body: dict[str, Any]) -> str:
    """The counts in sentences, and who gains and loses most."""
    words = f"Version {body['version']} differs from version {body['against']} in"
    words += f" {counted(body['changed_half_days'], 'half-day')} of"
    words += f" {counted(body['people_changed'], 'person', 'people')};"
    words += f" {counted(body['new_violations'], 'new violation')}, {body['gone_violations']} gone."
    if body["plan_change_count"]:
        words += f" {counted(body['plan_change_count'], 'stay')} of the rotation plan differ."
    words += weighed_words(body)
    for one in body.get("people", ())[:MOST_TOLD]:
        words += f" {one['person_name']}: {one['gained']} more, {one['lost']} fewer, {one['other_service']} elsewhere"
        words += f" ({one['hours']:+g} h, {one['nights']:+d} nights, {one['weekend_half_days']:+d} weekend half-days,"
        words += f" {one['holidays']:+d} holidays)."
    if "half_days" in body:
        told = body["half_days"][:MOST_DAYS_TOLD]
        more = len(body["half_days"]) - len(told)
        words += f" {'; '.join(told)}{f'; and {more} more on this page' if more else ''}."
    elif body["people_changed"] > MOST_TOLD and body["page"] == 1:
        words += f" And {counted(body['people_changed'] - MOST_TOLD, 'other')}."
    if body["pages"] > 1:
        words += f" {page_words(body)}"
    return words
