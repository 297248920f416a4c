"""Questions about journeys, from the wire to the domain."""

from datetime import date, datetime, time, timedelta
from itertools import pairwise, product
from zoneinfo import ZoneInfo

from packhorse_circadian.convert.faults import Faults
from packhorse_circadian.domain import zones
from packhorse_circadian.domain.shift import HOUR, NOTHING
from packhorse_circadian.domain.trip import (
    ADULT_AGE,
    LONGEST_FLIGHT,
    LONGEST_LAYOVER,
    LONGEST_SLEEP,
    LONGEST_WAY_BACK,
    LONGEST_WORK,
    SHORTEST_FLIGHT,
    SHORTEST_LAYOVER,
    SHORTEST_SLEEP,
    SHORTEST_STAY,
    Habits,
    Layover,
    Trip,
    Working,
)
from packhorse_circadian.domain.wording import span
from packhorse_circadian.models import PhaseShiftQuestion, PlanQuestion


def journey_from(question: PhaseShiftQuestion) -> tuple[ZoneInfo, ZoneInfo, date | None]:
    """Origin, destination and date.

    Raises:
        UserError: naming every field at fault.
    """
    faults = Faults()
    origin = found_zone("origin_timezone", question.origin_timezone, faults)
    destination = found_zone("destination_timezone", question.destination_timezone, faults)
    day = None
    if question.travel_date is not None:
        day = _date("travel_date", question.travel_date, faults)
    if faults.found or origin is None or destination is None:
        raise faults.refusal()
    return origin, destination, day


def trip_from(question: PlanQuestion) -> Trip:
    """The trip that was asked about.

    Raises:
        UserError: naming every field at fault.
    """
    faults = Faults()
    origin = found_zone("origin_timezone", question.origin_timezone, faults)
    destination = found_zone("destination_timezone", question.destination_timezone, faults)
    departures = _instants("departure_datetime", question.departure_datetime, origin, faults)
    arrivals = _instants("arrival_datetime", question.arrival_datetime, destination, faults)
    ends = _legs(question, departures, arrivals, faults)
    habits = habits_from(question.usual_wake_time, question.usual_sleep_time, faults)
    wanted = _wanted(question, faults)
    working = _working(question, faults)
    if origin is None or destination is None or ends is None or habits is None or faults.found:
        raise faults.refusal()
    departure, arrival = ends[0], ends[-1]
    adult = question.age is None or question.age >= ADULT_AGE
    back = _back(question, origin, destination, arrival, faults)
    if faults.found:
        raise faults.refusal()
    return Trip(
        origin=origin,
        destination=destination,
        departure=departure,
        arrival=arrival,
        habits=habits,
        prep_days=question.prep_days,
        melatonin=question.interventions.melatonin and adult,
        caffeine=question.interventions.caffeine and adult,
        melatonin_mg=float(question.interventions.melatonin_dose.removesuffix(" mg")),
        caffeine_mg=question.interventions.caffeine_mg,
        caffeine_half_life=question.interventions.caffeine_half_life_hours * HOUR,
        naps=question.interventions.naps,
        exercise=question.interventions.exercise,
        bright_lux=None if question.bright_light_lux is None else float(question.bright_light_lux),
        chronotype=question.chronotype,
        wanted=wanted,
        age=question.age,
        stay=question.short_stay,
        layovers=_stops(question, ends),
        working=working,
        back=back,
    )


def _legs(
    question: PlanQuestion, departures: tuple[datetime, ...], arrivals: tuple[datetime, ...], faults: Faults
) -> tuple[datetime, ...] | None:
    """Every take-off and landing in order: of wall times that occur twice, the first that make a journey."""
    choices = [departures]
    for n, stop in enumerate(question.layovers):
        name = f"layovers.{n}"
        zone = found_zone(f"{name}.timezone", stop.timezone, faults)
        choices.append(_instants(f"{name}.arrival_datetime", stop.arrival_datetime, zone, faults))
        choices.append(_instants(f"{name}.departure_datetime", stop.departure_datetime, zone, faults))
    choices.append(arrivals)
    if not all(choices):
        return None
    for times in product(*choices):
        if all(_possible(n, length) for n, length in enumerate(b - a for a, b in pairwise(times))):
            return times
    times = tuple(choice[0] for choice in choices)
    n = next(n for n, (a, b) in enumerate(pairwise(times)) if not _possible(n, b - a))
    what = f"Flight {n // 2 + 1}" if n % 2 == 0 else f"Layover {n // 2 + 1}"
    length = times[n + 1] - times[n]
    if not question.layovers:
        far = f"{span(abs(length))} {'after' if length > NOTHING else 'before'}" if length else "the same moment as"
        faults.add(
            "arrival_datetime",
            "INVALID_FLIGHT",
            f"`arrival_datetime` is {far} `departure_datetime`, by UTC. A flight must take 15 minutes to 24 hours."
            " Give each time in the local time of its place, and check dates and time zones.",
        )
        return None
    told = f"takes {span(length)}" if length > NOTHING else f"ends {span(-length)} before it begins"
    if not length:
        told = "takes no time at all"
    faults.add(
        "layovers",
        "INVALID_FLIGHT",
        f"{what} {told}, by UTC. A flight or a layover must take 15 minutes to 24 hours. Give each time in the local "
        "time of its place. Plan a longer stop as two trips.",
    )
    return None


def _possible(n: int, length: timedelta) -> bool:
    shortest, longest = (SHORTEST_FLIGHT, LONGEST_FLIGHT) if n % 2 == 0 else (SHORTEST_LAYOVER, LONGEST_LAYOVER)
    return shortest <= length <= longest


def _stops(question: PlanQuestion, times: tuple[datetime, ...]) -> tuple[Layover, ...]:
    return tuple(
        Layover(times[2 * n + 1], times[2 * n + 2], ZoneInfo(stop.timezone)) for n, stop in enumerate(question.layovers)
    )


def _back(
    question: PlanQuestion, origin: ZoneInfo, destination: ZoneInfo, landed: datetime, faults: Faults
) -> tuple[datetime, datetime] | None:
    """The way back: after landing, and a flight."""
    asked = question.return_flight
    if asked is None:
        return None
    leaves = _instants("return_flight.departure_datetime", asked.departure_datetime, destination, faults)
    lands = _instants("return_flight.arrival_datetime", asked.arrival_datetime, origin, faults)
    if not (leaves and lands):
        return None
    for departure, arrival in product(leaves, lands):
        if departure - landed >= SHORTEST_STAY and SHORTEST_FLIGHT <= arrival - departure <= LONGEST_WAY_BACK:
            return departure, arrival
    if leaves[0] - landed < SHORTEST_STAY:
        said = "leaves less than 6 hours after landing: give a later flight, or give the stop as a layover"
    else:
        said = "does not take 15 minutes to 48 hours, stops included, by UTC: check its times"
    faults.add("return_flight", "INVALID_FLIGHT", f"`return_flight` {said}.")
    return None


def _working(question: PlanQuestion, faults: Faults) -> Working | None:
    asked = question.work_hours
    if asked is None:
        return None
    working = Working(time.fromisoformat(asked.start), time.fromisoformat(asked.end))
    if not HOUR <= working.length <= LONGEST_WORK:
        faults.add(
            "work_hours",
            "INVALID_WORK_HOURS",
            f"`work_hours` from {asked.start} to {asked.end} take {span(working.length)}. Give 1 to 16 hours.",
        )
        return None
    return working


ZONE_SHOWN = 32
"""The longest name in the tz database (America/Argentina/ComodRivadavia) has 32 characters."""


def found_zone(name: str, value: str, faults: Faults) -> ZoneInfo | None:
    """The zone of that name; None with its fault noted."""
    zone = zones.find(value)
    if zone is None:
        near = zones.meant(value)
        cure = f"Did you mean {near}?" if near else "Write a name such as Asia/Tokyo or America/New_York."
        shown = f" {value!r}" if len(value) <= ZONE_SHOWN else ""  # no zone's name is longer: do not recite
        faults.add(name, "INVALID_TIMEZONE", f"`{name}`{shown} is not an IANA time zone. {cure}")
    return zone


# The years that 32 bits of seconds from 1970 can tell to their end (they run out in January 2038), to which zone files
# of the old format reach.
YEARS = range(1970, 2038)


def _of_known_year(name: str, year: int, code: str, faults: Faults) -> bool:
    if year in YEARS:
        return True
    faults.add(name, code, f"`{name}` has the year {year}. Give a year from {YEARS[0]} to {YEARS[-1]}.")
    return False


def _date(name: str, value: str, faults: Faults) -> date | None:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        faults.add(
            name, "INVALID_DATE", f"`{name}` {value!r} is not a date that exists. Write a date such as 2026-02-15."
        )
        return None
    return day if _of_known_year(name, day.year, "INVALID_DATE", faults) else None


def _instants(name: str, value: str, zone: ZoneInfo | None, faults: Faults) -> tuple[datetime, ...]:
    """When clocks in ``zone`` show ``value``; empty where that is at fault or cannot be said."""
    try:
        wall = datetime.fromisoformat(value)
    except ValueError:
        faults.add(
            name,
            "INVALID_DATETIME",
            f"`{name}` {value!r} is not a real date and time. Write for example 2026-02-15T11:30.",
        )
        return ()
    if not _of_known_year(name, wall.year, "INVALID_DATETIME", faults) or zone is None:
        return ()
    found = zones.instants(wall, zone)
    if not found:
        next_valid = zones.after_gap(wall, zone).isoformat(timespec="minutes")
        faults.add(
            name,
            "INVALID_DATETIME",
            f"`{name}` {value} does not exist in {zone.key}, because clocks skip it. Give {next_valid} instead.",
        )
    return found


def habits_from(wake: str, bed: str, faults: Faults, whose: str = "usual") -> Habits | None:
    """The usual hours of sleep, or those wanted at the destination; None with their fault noted."""
    habits = Habits(time.fromisoformat(wake), time.fromisoformat(bed))
    if SHORTEST_SLEEP <= habits.span <= LONGEST_SLEEP:
        return habits
    length = f"are {span(habits.span)} apart" if habits.span else "are the same"
    faults.add(
        f"{whose}_sleep_time",
        "INVALID_SLEEP",
        f"`{whose}_sleep_time` {bed} and `{whose}_wake_time` {wake} {length}. Give 4 to 12 hours of sleep, such as "
        "23:00 and 07:00.",
    )
    return None


def _wanted(question: PlanQuestion, faults: Faults) -> Habits | None:
    """Hours of sleep wanted at the destination, where they are not the usual ones."""
    bed, wake = question.destination_sleep_time, question.destination_wake_time
    if bed is not None and wake is not None:
        return habits_from(wake, bed, faults, "destination")
    if bed or wake:
        said = "Give `destination_sleep_time` and `destination_wake_time` together."
        faults.add("destination_sleep_time", "INVALID_SLEEP", said)
    return None


def first_instant(name: str, value: str, zone: ZoneInfo | None, faults: Faults) -> datetime | None:
    """The first instant at which clocks in ``zone`` show ``value``; None with its fault noted."""
    found = _instants(name, value, zone, faults)
    return found[0] if found else None
