"""Shifts at work from the wire, and plans for them back."""

import zlib
from datetime import date, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from packhorse import UserError
from packhorse_circadian.convert.faults import Faults
from packhorse_circadian.convert.pages import bytes_from, token_from
from packhorse_circadian.convert.plan import moment_from
from packhorse_circadian.convert.trip import first_instant, found_zone, habits_from
from packhorse_circadian.domain import shift_plan, zones
from packhorse_circadian.domain.rota import JOINED, LONGEST_SHIFT, MOST_DAYS, Rota, awake, grid
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.shift_plan import ShiftCourse, Task
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.timeline import SLOT
from packhorse_circadian.domain.trip import ADULT_AGE
from packhorse_circadian.domain.wording import clock, hours, span
from packhorse_circadian.models.shifts import ShiftDay, ShiftItem, ShiftLow, ShiftPlan, ShiftsQuestion

_MOST_AWAKE = 40 * HOUR
"""[own] Without a main sleep between shifts a plan for light has no sense."""
_MOST_BYTES = 10_000


def rota_from(question: ShiftsQuestion) -> Rota:
    """The rota that was asked about, shifts that touch each other joined.

    Raises:
        UserError: naming every field at fault.
    """
    faults = Faults()
    zone = found_zone("timezone", question.timezone, faults)
    found = [_shift(n, text, zone, faults) for n, text in enumerate(question.shifts)]
    habits = habits_from(question.usual_wake_time, question.usual_sleep_time, faults)
    shifts = sorted((shift for shift in found if shift), key=lambda shift: shift.start)
    joined = _joined(shifts, zone, faults)
    if faults.found or zone is None or habits is None:
        raise faults.refusal()
    rota = Rota(
        zone,
        tuple(joined),
        habits,
        commute=timedelta(minutes=question.commute_minutes),
        adult=question.age is None or question.age >= ADULT_AGE,
        caffeine=question.caffeine,
    )
    ground = grid(rota)
    for first, last in awake(ground.beds, ground.count):
        if (last - first) * SLOT > _MOST_AWAKE:
            at = ground.local(first)
            _refuse(
                f"`shifts` leave no 3 hours for sleep during the {hours((last - first) * SLOT)} from"
                f" {at:%Y-%m-%d %H:%M}. Check the times of the shifts.",
                faults,
            )
            raise faults.refusal()
    return rota


def _shift(n: int, text: str, zone: ZoneInfo | None, faults: Faults) -> Span | None:
    name = f"shifts.{n}"
    first, _, last = text.partition("/")
    start, end = (first_instant(name, part, zone, faults) for part in (first, last))
    if start is None or end is None:
        return None
    if not NOTHING < end - start <= LONGEST_SHIFT:
        length = f"takes {span(end - start)}" if end > start else "ends before it begins"
        faults.add(name, "INVALID_SHIFTS", f"`{name}` {length}. Write FROM/TO, with at most 24 hours between them.")
        return None
    return Span(start, end)


def _joined(shifts: list[Span], zone: ZoneInfo | None, faults: Faults) -> list[Span]:
    """Shifts with less than an hour between them as one."""
    for one, other in pairwise(shifts):
        if zone and one.meets(other):
            _refuse(
                f"Two shifts overlap: a shift ends at {zones.shown(one.end, zone):%Y-%m-%d %H:%M}, but the next begins"
                f" at {zones.shown(other.start, zone):%H:%M}. Correct one of them.",
                faults,
            )
            return []
    joined: list[Span] = []
    for shift in shifts:
        if joined and shift.start - joined[-1].end < JOINED:
            joined[-1] = Span(joined[-1].start, shift.end)
        else:
            joined.append(shift)
    for shift in joined:
        if shift.length > LONGEST_SHIFT:
            said = f"Shifts with less than an hour between them take {span(shift.length)} together."
            _refuse(f"{said} The limit is 24 hours.", faults)
    if joined and joined[-1].end - joined[0].start > MOST_DAYS * DAY:
        covered = f"{(joined[-1].end - joined[0].start) / DAY:.0f} days. The limit is {MOST_DAYS}"
        _refuse(f"`shifts` cover {covered}: ask for the first four weeks, then for the rest.", faults)
    return joined


def _refuse(why: str, faults: Faults) -> None:
    faults.add("shifts", "INVALID_SHIFTS", why)


def shift_plan_from(course: ShiftCourse, question: ShiftsQuestion) -> ShiftPlan:
    """The answer of plan_for_shifts."""
    ground = course.ground
    zone = ground.rota.zone
    full = question.detail == "full"
    filed: dict[date, list[Task]] = {}
    for task in shift_plan.tasks(course):
        filed.setdefault(zones.shown(task.start, zone).date(), []).append(task)
    lows = [
        ShiftLow(
            date=ground.local(night.bed.end).date().isoformat(),
            low=clock(ground.local(night.half * 2)),
            low_10=clock(ground.local(night.low * 2)),
            low_90=clock(ground.local(night.high * 2)),
            no_plan=clock(ground.local(night.plain_half * 2)),
        )
        for night in course.planned
    ]
    return ShiftPlan(
        summary=shift_plan.summary(course),
        timezone=zone.key,
        days=[
            ShiftDay(date=day.isoformat(), items=[_item(task, zone) if full else _line(task, zone) for task in found])
            for day, found in sorted(filed.items())
        ],
        lows=lows if full else [],
        notes=shift_plan.notes(course),
        caution=shift_plan.CAUTION,
        calendar=f"circadian://shifts/{_token(question)}/calendar.ics",
    )


_SHORT = {
    "Seek bright light": "bright light",
    "Keep light dim": "dim",
    "Keep light dim at work": "dim at work (glasses)",
    "Sunglasses on the way": "sunglasses by daylight",
    "Nap (optional)": "nap",
}


def _line(task: Task, zone: ZoneInfo) -> str:
    until = f"-{clock(zones.shown(task.end, zone))}" if task.end > task.start else ""
    return f"{clock(zones.shown(task.start, zone))}{until} {_SHORT.get(task.title, task.title.lower())}"


def _item(task: Task, zone: ZoneInfo) -> ShiftItem:
    return ShiftItem(
        type=task.kind,
        title=task.title,
        why=task.why,
        start=moment_from(task.start, zone),
        end=moment_from(task.end, zone),
    )


def shift_text_from(answer: ShiftPlan) -> str:
    """A plan as a page that a tired person can follow."""
    lines = [answer.summary]
    for day in answer.days:
        items = [item if isinstance(item, str) else _full_line(item) for item in day.items]
        lines.append(f"{day.date}: {'; '.join(items)}")
    lines += [
        f"{low.date}: low {low.low} ({low.low_10}-{low.low_90}), without the plan {low.no_plan}" for low in answer.lows
    ]
    return "\n".join([*lines, *answer.notes, answer.caution, f"Times: {answer.timezone}. Calendar: {answer.calendar}"])


def _full_line(item: ShiftItem) -> str:
    return f"{item.start.time}-{item.end.time} {item.title}. {item.why}".rstrip()


def _token(question: ShiftsQuestion) -> str:
    asked = question.model_copy(update={"detail": "brief"}).model_dump_json(exclude_defaults=True)
    return token_from(zlib.compress(asked.encode(), 9))


def shifts_question_from(token: str) -> ShiftsQuestion:
    """The question in a calendar's address.

    Raises:
        UserError: for anything that is no such address.
    """
    try:
        text = zlib.decompressobj().decompress(bytes_from(token), _MOST_BYTES)
        return ShiftsQuestion.model_validate_json(text, strict=True)
    except (ValueError, zlib.error, ValidationError):
        raise UserError(
            "This is not the address of a plan for shifts. Use an address from an answer of plan_for_shifts.",
            code="INVALID_PLAN",
        ) from None
