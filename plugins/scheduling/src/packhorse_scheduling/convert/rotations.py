"""The rotation plan as it is read and looked at: a small page, and the chart that hangs on the wall."""

from collections.abc import Mapping
from datetime import date, timedelta
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from packhorse_scheduling.domain.change.churn import Generated
from packhorse_scheduling.domain.insight.continuity import continuity
from packhorse_scheduling.domain.insight.wording import counted, grid_fault_words, violation_words
from packhorse_scheduling.domain.roster.plan import units_of
from packhorse_scheduling.domain.rules.codes import CURRICULUM, ROTATION
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.rules.violation import Violation

MOST_WARNINGS = 10
MOST_WHY = 8
WEEKS_AHEAD = 4
COLOURS = ("#CFE2F3", "#D9EAD3", "#F4CCCC", "#FFF2CC", "#D9D2E9", "#FCE5CD", "#D0E0E3", "#EAD1DC", "#E6B8AF", "#C9DAF8")
"""Of rotations and services in turn; text in them is black, at a contrast above 11 to 1."""


def unit_codes(opened: "Opened") -> list[tuple[int, list[str]]]:
    """Each rotating person's number and their rotation in every unit; "A/B" where it changes within one."""
    kernel = opened.kernel
    rotations = kernel.programme.rotations
    found = []
    for p in range(kernel.P):
        days = kernel.rotation[p, kernel.tail :]
        if (days >= 0).any():
            codes = []
            for first, end in units_of(opened.programme.year):
                mine = days[first:end]
                keys = list(dict.fromkeys(mine[mine >= 0].tolist()))
                codes.append("/".join(rotations[k].code for k in keys) or "-")
            found.append((p, codes))
    return found


def attending_stays(opened: "Opened", first: date, last: date) -> list[dict[str, str]]:
    """Who is the attending of which service on these days, by service and day."""
    programme = opened.programme
    names = {person.key: person.name for person in programme.people}
    order = {service.code: n for n, service in enumerate(programme.services)}
    stays = [
        stay
        for stay in opened.schedule.plan
        if stay.rotation in order and stay.person in names and stay.first <= last and stay.last >= first
        if programme.people[opened.kernel.person_of[stay.person]].role == "FACULTY"
    ]
    return [
        {
            "service": stay.rotation,
            "first": stay.first.isoformat(),
            "last": stay.last.isoformat(),
            "name": names[stay.person],
        }
        for stay in sorted(stays, key=lambda stay: (order[stay.rotation], stay.first))
    ]


def rotations_from(opened: "Opened", today: date) -> dict[str, Any]:
    """The body of schedule://rotations: units, a line of codes a person, the next attendings, what is off."""
    programme = opened.programme
    rows = unit_codes(opened)
    warnings = opened.violations((ROTATION, CURRICULUM))
    start = max(today, programme.year.start)
    until = start + timedelta(weeks=WEEKS_AHEAD) - timedelta(days=1)
    units = [programme.year.day(first) for first, _ in units_of(programme.year)]
    summary = (
        f"{counted(len(rows), 'resident')} on {counted(len(units), 'unit')} of four weeks;"
        f" {counted(len(warnings), 'warning')} about rotations."
        if rows
        else "This version of the schedule has no rotation plan."
    )
    people = []
    for p, codes in rows:
        person = programme.people[p]
        people.append({"name": person.name, "pgy_level": person.pgy, "rotations": " ".join(codes)})
    return {
        "summary": summary,
        "version": opened.schedule.version,
        "units": [day.isoformat() for day in units] if rows else [],
        "rotations": {rotation.code: rotation.name for rotation in programme.rotations},
        "people": people,
        "attendings": attending_stays(opened, start, until),
        "warnings": [violation_words(opened.kernel, one) for one in warnings[:MOST_WARNINGS]],
        "warning_count": len(warnings),
    }


def rotations_told(generated: "Generated") -> dict[str, Any]:
    """Whether the rotation plan was kept, and what stands against it: faults of its grid, half-days off it."""
    opened = generated.opened
    kernel = opened.kernel
    units = units_of(opened.programme.year)
    off = opened.violations((ROTATION,))
    why = [grid_fault_words(kernel, fault) for fault in (generated.draft.faults if generated.draft else ())]
    by_unit: dict[tuple[int, int], list[Violation]] = {}
    for violation in off:
        unit = next(n for n, (_, end) in enumerate(units) if violation.first < end + kernel.tail)
        by_unit.setdefault((unit, violation.service or 0), []).append(violation)
    for (unit, s), found in sorted(by_unit.items()):
        first, end = units[unit]
        year = opened.programme.year
        need = int(kernel.least[kernel.group[found[0].person or 0], s, :].max())
        why.append(
            f"{opened.programme.services[s].name} from {year.day(first)} to {year.day(end - 1)}: its minimum of {need}"
            f" could not be met by the residents on its rotations; {counted(len(found), 'half-day')} by others"
        )
    return {"held": not off and not why, "half_days_off_rotation": len(off), "why": why[:MOST_WHY]}


def churn_told(generated: "Generated") -> dict[str, Any]:
    """How much differs from the version in force; nothing where there is none."""
    churn = generated.churn
    if churn is None:
        return {}
    share = round(churn.changed / max(1, churn.of), 4)
    told = {"changed_half_days": churn.changed, "of": churn.of, "share": share, "people_changed": churn.people}
    return {"churn": told if churn.least is None else {**told, "least_repair": churn.least}}


def churn_words(body: Mapping[str, Any]) -> str:
    """The same in a sentence; nothing where no version is in force."""
    found = body.get("churn")
    if not found:
        return ""
    words = f" It changes {found['changed_half_days']} of {counted(found['of'], 'half-day')} on these days,"
    words += f" of {counted(found['people_changed'], 'person', 'people')}"
    if "least_repair" in found:
        words += f"; the least repair changes {found['least_repair']}"
    return f"{words}."


def continuity_from(opened: "Opened", first: int | None = None, last: int | None = None) -> list[dict[str, Any]]:
    """How long people stay in one place, a row an inpatient service; of these days, or of all."""
    kernel = opened.kernel
    low, high = (kernel.tail if first is None else first), (kernel.D - 1 if last is None else last)
    found = []
    for one in continuity(kernel, opened.grid, low, high):
        figures = {
            "same_attending_am_and_pm": one.same_attending,
            "attendings_monday_to_friday": one.weekday_attendings,
            "attendings_a_week": one.week_attendings,
            "handovers_a_week": one.handovers,
            "whole_days_of_residents": one.whole_days,
        }
        told = {name: round(value, 3) for name, value in figures.items() if value is not None}
        found.append({"service": opened.programme.services[one.service].code, **told})
    return found


ROW, LEFT, TOP, WIDTH = 22, 170, 46, 980
LEGEND_ROWS, LEGEND_WIDTH = 8, 200


def chart(opened: "Opened") -> str:
    """The plan as a picture (SVG): residents by units, and below them each ward's attendings by day."""
    programme, kernel = opened.programme, opened.kernel
    rows = unit_codes(opened)
    total = programme.year.days
    step = (WIDTH - LEFT) / total
    codes = [rotation.code for rotation in programme.rotations]
    tone = {code: COLOURS[n % len(COLOURS)] for n, code in enumerate(codes)}
    parts: list[str] = []
    for first, _ in units_of(programme.year):
        day = programme.year.day(first)
        parts.append(svg_text(LEFT + first * step + 2, TOP - 8, day.strftime("%d %b")))
        parts.append(f'<path d="M{LEFT + first * step:.1f} {TOP - 4}V{TOP + len(rows) * ROW}" class="edge"/>')
    for n, (p, _) in enumerate(rows):
        person, top = programme.people[p], TOP + n * ROW
        parts.append(svg_text(4, top + 15, f"{person.name}, PGY-{person.pgy}"))
        for first, last, k in runs(kernel.rotation[p, kernel.tail :]):
            parts.append(svg_box(LEFT + first * step, top, (last - first + 1) * step, tone[codes[k]], codes[k]))
    top = TOP + len(rows) * ROW + 24
    stays = attending_stays(opened, programme.year.start, programme.year.end)
    names = sorted({stay["name"] for stay in stays})
    for service in dict.fromkeys(stay["service"] for stay in stays):
        parts.append(svg_text(4, top + 15, f"Attending, {service}"))
        for stay in stays:
            if stay["service"] == service:
                low, high = (programme.year.index(date.fromisoformat(stay[end])) for end in ("first", "last"))
                shade = COLOURS[names.index(stay["name"]) % len(COLOURS)]
                words = f"{stay['name']}, {service}, {stay['first']} to {stay['last']}"
                width = (high - low + 1) * step
                parts.append(svg_box(LEFT + low * step, top, width, shade, _name_within(stay["name"], width), words))
        top += ROW
    for n, name in enumerate(names):
        across, down = divmod(n, LEGEND_ROWS)
        x, y = LEFT + across * LEGEND_WIDTH, top + 6 + down * ROW
        parts.append(svg_box(x, y, ROW, COLOURS[n % len(COLOURS)], "", name) + svg_text(x + ROW + 4, y + 15, name))
    top += 6 + min(len(names), LEGEND_ROWS) * ROW
    head = f"Rotations of {programme.name}, version {opened.schedule.version}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + 8}" role="img"'
        f' aria-label="{escape(head)}">'
        "<style>text{font:11px sans-serif;fill:#222}.edge{stroke:#999;stroke-width:.5}rect{stroke:#fff;stroke-width:.7}"
        "</style>"
        f'<rect width="{WIDTH}" height="{top + 8}" fill="#fff"/>{svg_text(4, 16, head)}{"".join(parts)}</svg>'
    )


def runs(days: Any) -> list[tuple[int, int, int]]:
    """First day, last day and value of every stay."""
    edges = [0, *(np.flatnonzero(np.diff(days)) + 1).tolist(), len(days)]
    return [(a, b - 1, int(days[a])) for a, b in pairwise(edges) if days[a] >= 0]


def _name_within(name: str, width: float) -> str:
    """A name, a family name or initials, whichever has room first; nothing where none has."""
    forms = (name, name.rsplit(maxsplit=1)[-1], "".join(word[0] for word in name.split()))
    return next((form for form in forms if 7 * len(form) < width), "")


def svg_text(x: float, y: float, words: str) -> str:
    """Words of a picture."""
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def svg_box(x: float, y: float, width: float, fill: str, code: str, words: str = "") -> str:
    """A coloured box of a picture with its code, and words to be seen when pointed at."""
    label = svg_text(x + 3, y + 15, code) if code and width > 7 * len(code) else ""
    return (
        f'<g><title>{escape(words or code)}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 2}"'
        f' fill="{fill}"/>{label}</g>'
    )
