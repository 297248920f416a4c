"""A plan for shifts: sleep, light, naps and caffeine in order of time, in words for a tired reader."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from typing import Literal

from attrs import frozen

from packhorse_circadian.domain.advice import NOT_MEDICAL
from packhorse_circadian.domain.caffeine import BEFORE_BED
from packhorse_circadian.domain.order_words import weight
from packhorse_circadian.domain.rota import UNWIND, Bed, Grid
from packhorse_circadian.domain.shift import HOUR
from packhorse_circadian.domain.timeline import SLOT
from packhorse_circadian.domain.wording import half_hour, month_day

BODIES = 40
"""That the lows of a plan are counted over."""
NAP = timedelta(minutes=90)
"""Before the first night at work: long naps then helped as much as caffeine (Schweitzer et al. 2006, Sleep 29:39)."""
AWAKE_BEFORE_NAP = 5 * HOUR
"""[own] Sooner after a night nobody falls asleep."""
TaskKind = Literal["shift", "sleep", "nap", "bright_light", "dim_light", "caffeine_cutoff"]


@frozen
class Light:
    """Light to seek or to keep low, from slot ``first`` to before ``last``; ``worth`` in bad sleeps or shifts."""

    first: int
    last: int
    bright: bool
    worth: float


@frozen
class Night:
    """A main sleep, and hours from the start at which the bodies' lows nearest to it lie.

    The 10, 50 and 90 % of bodies with the plan, and without.
    """

    bed: Bed
    low: float
    half: float
    high: float
    plain_low: float
    plain_half: float
    plain_high: float


@frozen(eq=False, repr=False)
class ShiftCourse:
    """Sleeps and light of a plan for shifts."""

    ground: Grid
    nights: tuple[Night, ...]
    lights: tuple[Light, ...]

    @property
    def planned(self) -> tuple[Night, ...]:
        """The sleeps of the plan; those after it are at usual hours."""
        return tuple(night for night in self.nights if self.ground.at(night.bed.start) < self.ground.planned)


@frozen
class Task:
    """One thing to do, from ``start`` to ``end`` (UTC); the same instant for a moment."""

    kind: TaskKind
    start: datetime
    end: datetime
    title: str
    why: str


def tasks(course: ShiftCourse) -> list[Task]:
    """Everything to do, in order of time."""
    rota = course.ground.rota
    found = [Task("shift", shift.start, shift.end, "Shift", "") for shift in rota.shifts]
    found += _sleeps(course)
    found += [task for light in course.lights for task in _light(course.ground, light)]
    found += _naps(course)
    if rota.caffeine and rota.adult:
        found += _caffeine(course)
    return sorted(found, key=lambda task: (task.start, task.kind))


def _sleeps(course: ShiftCourse) -> Iterator[Task]:
    for night in course.planned:
        why = "Dark, cool and quiet, phone off; a mask and earplugs by day." if night.bed.by_day else "Dark and quiet."
        if night.bed.start != night.bed.usual:
            why += " Moved from your usual hours, so that your body clock's low falls into it."
        yield Task("sleep", course.ground.at(night.bed.start), course.ground.at(night.bed.end), "Sleep", why)


def _light(ground: Grid, light: Light) -> Iterator[Task]:
    """A block by where it is spent: at home, at work, on the way."""
    slots = range(light.first, light.last)
    for kind, group in groupby(slots, key=lambda slot: ground.at_work[slot]):
        part = list(group)
        start, end = ground.at(part[0]), ground.at(part[-1] + 1)
        matters = weight(light.worth)
        if light.bright and kind != 2:
            where = "a bright lamp at your place of work" if kind else "outdoors, or a bright lamp"
            yield Task("bright_light", start, end, "Seek bright light", f"{matters}: {where}; it moves the clock.")
        elif not light.bright and kind == 1:
            yield Task(
                "dim_light",
                start,
                end,
                "Keep light dim at work",
                f"{matters}: low lamps or orange glasses, only where work stays safe with them.",
            )
        elif not light.bright and kind == 2 and ground.by_day[part[0]]:
            yield Task(
                "dim_light",
                start,
                end,
                "Sunglasses on the way",
                "By daylight and wide awake only; never category 4 or tinted glasses at the wheel, none in the dark.",
            )
        elif not light.bright and not kind:
            yield Task(
                "dim_light", start, end, "Keep light dim", f"{matters}: lamps low, screens off, curtains drawn, no sun."
            )


def _naps(course: ShiftCourse) -> Iterator[Task]:
    """One before each first night at work, clear of light to seek and of the way."""
    ground, rota = course.ground, course.ground.rota
    beds = [night.bed for night in course.nights]
    for before, after in pairwise(beds):
        if before.by_day or not after.by_day:
            continue
        leaves = next(
            (shift.start for shift in rota.shifts if ground.at(before.end) <= shift.start < ground.at(after.start)),
            None,
        )
        if leaves is None:
            continue
        end = leaves - rota.commute - UNWIND
        while end - NAP >= ground.at(before.end) + AWAKE_BEFORE_NAP:
            bright = [(ground.at(light.first), ground.at(light.last)) for light in course.lights if light.bright]
            if not any(first < end and end - NAP < last for first, last in bright):
                yield Task(
                    "nap",
                    end - NAP,
                    end,
                    "Nap (optional)",
                    "Sleep before the first night makes it and the way home safer.",
                )
                break
            end -= SLOT


def _caffeine(course: ShiftCourse) -> Iterator[Task]:
    """The last cup before each sleep that follows a shift."""
    ground = course.ground
    beds = [night.bed for night in course.planned]
    for before, after in zip([None, *beds], beds, strict=False):
        woke = ground.at(before.end) if before else ground.begin
        bed = ground.at(after.start)
        last = bed - BEFORE_BED
        if last > woke and any(woke <= shift.start < bed for shift in ground.rota.shifts):
            yield Task(
                "caffeine_cutoff",
                last,
                last,
                "No more caffeine",
                "What is still in the blood at bedtime costs sleep; at most 400 mg a day, 200 mg in pregnancy.",
            )


def summary(course: ShiftCourse) -> str:
    """Where the clock goes, and the way back."""
    ground = course.ground
    by_day = [night for night in course.planned if night.bed.by_day]
    if not by_day:
        return "No shift of these is slept off by day: keep your nights as planned, near your usual hours."
    latest = max(by_day, key=lambda night: (night.half - night.bed.start / 2, night.half))
    first, last = course.planned[0], course.planned[-1]
    usual, low, plain = (ground.local(hours * 2) for hours in (first.plain_half, latest.half, latest.plain_half))
    said = (
        f"For the nights your body clock's low moves from about {half_hour(usual)} to {half_hour(low)} "
        f"on {month_day(low.date())} ({half_hour(plain)} without the plan), into day sleep and out of work. "
    )
    back = ground.local(last.half * 2)
    return said + f"After the last shift it is back at about {half_hour(back)} on {month_day(back.date())}."


def notes(course: ShiftCourse) -> list[str]:
    """What was assumed."""
    rota = course.ground.rota
    said = [
        (
            "A sleep counts as good while the low lies in it; nights of days off count three times. Sleeping late on "
            "days off is the price of blocks of nights; who keeps usual hours there skips the light of the nights "
            "before."
        ),
        (
            f"Counted over {BODIES} bodies (Forger, Jewett & Kronauer 1999, fitted to trials). No model knows you: "
            "your low may be an hour or more off."
        ),
    ]
    if not rota.adult:
        said.append("Below 18 no caffeine is planned; night work of young people is restricted in many countries.")
    elif not rota.caffeine:
        said.append("No caffeine is planned, as asked.")
    return said


CAUTION = (
    f"{NOT_MEDICAL} The way home after a night is the most dangerous hour: do not drive when sleepy; nap 20 minutes "
    "first or let somebody else drive. Light and glasses never come before safety at work and on the road. Melatonin "
    "is not planned here: it makes sleepy for 5 hours, so never take it before a drive or work. With eye disease, "
    "bipolar disorder or medicines that make skin or eyes sensitive to light, ask a doctor before using bright lamps."
)
