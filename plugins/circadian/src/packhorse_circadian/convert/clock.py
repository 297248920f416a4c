"""Logs of days from the wire, and where the clock stands back."""

from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from packhorse_circadian.convert.faults import Faults
from packhorse_circadian.convert.trip import first_instant, found_zone, habits_from
from packhorse_circadian.domain import zones
from packhorse_circadian.domain.advice import NOT_MEDICAL
from packhorse_circadian.domain.clock_log import LEAST_DAYS, LONGEST_GAP, MOST_DAYS, STILL, ClockLog, Entry, Standing
from packhorse_circadian.domain.shift import DAY, HOUR, NOTHING
from packhorse_circadian.domain.spans import Span
from packhorse_circadian.domain.wording import half_hour, hours, month_day
from packhorse_circadian.models.clock import ClockQuestion, ClockStanding

WIDE = 6.0
"""[own] Hours of band from which a report of the worst hour is asked for."""


def clock_log_from(question: ClockQuestion) -> ClockLog:
    """The log that was given, in order.

    Raises:
        UserError: naming every field at fault.
    """
    faults = Faults()
    zone = found_zone("timezone", question.timezone, faults)
    habits = habits_from(question.usual_wake_time, question.usual_sleep_time, faults)
    read = [_entry(n, text, zone, faults) for n, text in enumerate(question.log)]
    entries = sorted((entry for entry in read if entry), key=lambda entry: entry.span.start)
    worst = [first_instant(f"felt_worst.{n}", at, zone, faults) for n, at in enumerate(question.felt_worst)]
    if entries and zone and not faults.found:
        _check(entries, zone, faults)
        begins, ends = entries[0].span.start, max(entry.span.end for entry in entries)
        for n, at in enumerate(worst):
            if at and not begins <= at <= ends + DAY:
                faults.add(f"felt_worst.{n}", "INVALID_LOG", f"`felt_worst.{n}` is outside the days of the log.")
    if faults.found or zone is None or habits is None:
        raise faults.refusal()
    return ClockLog(zone, tuple(entries), habits, tuple(at for at in worst if at))


def _entry(n: int, text: str, zone: ZoneInfo | None, faults: Faults) -> Entry | None:
    times, _, what = text.partition(" ")
    first, _, last = times.partition("/")
    start, end = (first_instant(f"log.{n}", part, zone, faults) for part in (first, last))
    if start is None or end is None:
        return None
    if not NOTHING < end - start <= DAY:
        faults.add(f"log.{n}", "INVALID_LOG", f"`log.{n}` must end at most 24 hours after it starts.")
        return None
    if what.endswith("steps"):
        still = what == "0 steps"
        if still and end - start < STILL:
            return Entry(Span(start, end), "indoors")
        return Entry(Span(start, end), "sleep" if still else "awake")
    return Entry(Span(start, end), what or "sleep")  # type: ignore[arg-type]  # the schema's pattern has the words


def _check(entries: list[Entry], zone: ZoneInfo, faults: Faults) -> None:
    sleeps = [entry.span for entry in entries if entry.word == "sleep"]
    for one, other in pairwise(sleeps):
        if one.meets(other):
            faults.add(
                "log",
                "INVALID_LOG",
                f"Two sleeps in `log` overlap at {zones.shown(other.start, zone):%Y-%m-%d %H:%M}. Correct one of them.",
            )
            return
    length = max(entry.span.end for entry in entries) - entries[0].span.start
    if not (LEAST_DAYS - 1) * DAY <= length <= MOST_DAYS * DAY:
        faults.add(
            "log",
            "INVALID_LOG",
            f"`log` covers {length / DAY:.1f} days. Give the last {LEAST_DAYS} to {MOST_DAYS} days. 7 days are best.",
        )
        return
    covered = entries[0].span.end
    for entry in entries[1:]:
        if entry.span.start - covered > LONGEST_GAP:
            faults.add(
                "log",
                "INVALID_LOG",
                f"`log` has nothing for {hours(timedelta(hours=round((entry.span.start - covered) / HOUR)))} from "
                f"{zones.shown(covered, zone):%Y-%m-%d %H:%M}. A gap may have at most 48 hours: add the nights.",
            )
            return
        covered = max(covered, entry.span.end)


def standing_from(found: Standing, log: ClockLog) -> ClockStanding:
    """The answer of where_is_my_clock."""
    low, first, last = (zones.shown(at, log.zone) for at in (found.low, found.earliest, found.latest))
    band = (found.latest - found.earliest) / HOUR
    later = round(found.later * 2) / 2
    way = f"{abs(later):g} hours {'later' if later > 0 else 'earlier'} than usual" if later else "where it usually is"
    summary = (
        f"Your body clock's low was at about {half_hour(low)} on {month_day(low.date())}, {way}; nine times in ten"
        f" between {half_hour(first)} and {half_hour(last)}."
    )
    if band > WIDE and not log.worst:
        summary += " The log alone says little here: add when you felt worst on the last days (felt_worst)."
    return ClockStanding(
        summary=summary,
        low=_minute(low),
        clock_low=f"{_minute(first)}/{_minute(last)}",
        melatonin_onset=_minute(zones.shown(found.onset, log.zone)),
        hours_later_than_usual=later,
        band_hours=round(band, 1),
        caution=f"{NOT_MEDICAL} From a model, not measured: for treatment a laboratory measures melatonin.",
    )


def _minute(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M}"
