"""What the circadian tools promise, worked out again from their specification with `zoneinfo` alone.

Nothing here comes from the pack: a mistake there must not be repeated by its judge.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

Arguments = Mapping[str, Any]
Answer = Mapping[str, Any]

HOUR = timedelta(hours=1)
NONE = timedelta(0)
# Offsets had odd seconds until 1972 (Monrovia); a wall clock of whole minutes cannot show them.
UNSEEN = timedelta(minutes=1)

# Largest shift that is easy, and moderate. Between the bands of the specification (2 and 3, 5 and 6 hours)
# fractions belong below the middle.
BANDS = {"advance": (2.5 * HOUR, 5.5 * HOUR), "delay": (3.5 * HOUR, 6.5 * HOUR)}
# "typical adaptation rates", hours of clock a day; one day more, as the specification's example has it (7: 5 and 8).
RATES = {"with_interventions": 1.5 * HOUR, "without_interventions": 1.0 * HOUR}

IN_FLIGHT = {"in_flight_sleep", "flight"}
SHORTEST, LONGEST = timedelta(minutes=15), 24 * HOUR


def check_phase_shift(arguments: Arguments, answer: Answer, now: datetime) -> None:
    """The shift between two zones at noon of the day, the shorter way round, and what follows from it."""
    optimal = check_hours_and_days(arguments, answer, now)
    assert answer["difficulty"] == _difficulty(optimal)
    assert answer["explanation"]


def check_hours_and_days(arguments: Arguments, answer: Answer, now: datetime) -> timedelta:
    """All of that but the difficulty. Gives the shorter way round, negative for a delay."""
    origin, destination = ZoneInfo(arguments["origin_timezone"]), ZoneInfo(arguments["destination_timezone"])
    given = arguments.get("travel_date")
    day = date.fromisoformat(given) if given else now.astimezone(origin).date()
    raw = _offset(destination, day) - _offset(origin, day)

    assert _close(answer["raw_shift_hours"], abs(raw))
    assert answer["raw_direction"] == _direction(raw)
    check_shift(raw, answer["optimal_shift_hours"], answer["optimal_direction"])
    optimal = _wrapped(raw)
    days = {name: abs(optimal) // rate + 1 if optimal else 0 for name, rate in RATES.items()}
    assert answer["estimated_days"] == days
    return optimal


def check_shift(raw: timedelta, hours: float, direction: str) -> None:
    """Over 12 hours the other way is shorter; exactly 12 is a delay; none has no direction."""
    optimal = _wrapped(raw)
    assert 0 <= hours <= 12
    assert _close(hours, abs(optimal))
    assert direction == _direction(optimal)


def check_plan(arguments: Arguments, answer: Answer, now: datetime) -> None:
    """One flight's plan: its arithmetic, its clocks, and nothing to do on board but what is meant for there."""
    origin, destination = ZoneInfo(arguments["origin_timezone"]), ZoneInfo(arguments["destination_timezone"])
    departure, arrival = _flight(arguments, origin, destination)
    summary, days = answer["summary"], answer["days"]

    ahead, behind = arrival.astimezone(destination).utcoffset(), departure.astimezone(origin).utcoffset()
    assert ahead is not None
    assert behind is not None
    moved = _hours_of(arguments, "usual_wake_time", "07:00") - _hours_of(arguments, "destination_wake_time")
    check_shift(ahead - behind + _wrapped(moved), summary["shift_hours"], summary["shift_direction"])

    assert summary["total_days"] == summary["prep_days"] + summary["post_arrival_days"]
    assert summary["prep_days"] <= arguments.get("prep_days", 3)
    assert "medical" in answer["caution"]
    if arguments.get("detail", "brief") == "brief":
        assert all(isinstance(line, str) for page in days for line in page["items"])
        return
    days = [page for page in days if page["phase"] != "return"]
    _check_dates(days, summary, departure.astimezone(origin).date(), arrival.astimezone(destination).date())

    wanted = arguments.get("interventions", {})
    for page in days:
        _check_moment(page["body_clock_low"], page["timezone"])
        starts = [item["utc"] for item in page["items"]]
        assert starts == sorted(starts)
        for item in page["items"]:
            _check_item(page, item)
            assert wanted.get("melatonin", True) or item["type"] != "melatonin"
            assert wanted.get("caffeine", True) or not item["type"].startswith("caffeine")
            _check_place(item, departure, arrival)
    _check_sleep_is_undisturbed([item for page in days for item in page["items"]])


LAWS: Mapping[str, Callable[[Arguments, Answer, datetime], None]] = {
    "calculate_phase_shift": check_phase_shift,
    "get_adaptation_plan": check_plan,
}


def _hours_of(arguments: Arguments, name: str, usual: str | None = None) -> timedelta:
    told = arguments.get(name) or usual or arguments.get("usual_wake_time", "07:00")
    hours, minutes = map(int, told.split(":"))
    return timedelta(hours=hours, minutes=minutes)


def _check_dates(days: list[Answer], summary: Answer, leaves: date, lands: date) -> None:
    before = [page for page in days if page["day"] < 0]
    after = [page for page in days if page["day"] > 0]
    assert [page["day"] for page in before] == list(range(-summary["prep_days"], 0))
    assert [page["day"] for page in after] == list(range(1, summary["post_arrival_days"] + 1))
    assert [page["day"] for page in days] == sorted(page["day"] for page in days)
    for page in before:
        assert date.fromisoformat(page["date"]) == leaves + timedelta(days=page["day"])
    for page in after:
        assert date.fromisoformat(page["date"]) == lands + timedelta(days=page["day"] - 1)


def _check_item(page: Answer, item: Answer) -> None:
    assert item["date"] == page["date"]
    assert item["timezone"] == page["timezone"]
    _check_moment(item, item["timezone"])
    assert (item["until"] is None) == (item["duration_minutes"] is None)
    if item["until"] is not None:
        _check_moment(item["until"], item["timezone"])
        length = timedelta(minutes=item["duration_minutes"])
        assert abs(_instant(item["until"]["utc"]) - _instant(item["utc"]) - length) < UNSEEN
        assert length > NONE


def _check_moment(moment: Answer, timezone: str) -> None:
    """The local date and time exist in the zone and are the instant that stands beside them."""
    wall = datetime.combine(date.fromisoformat(moment["date"]), time.fromisoformat(moment["time"]))
    instants = list(_instants(wall, ZoneInfo(timezone)))
    assert instants, f"{wall} does not exist in {timezone}"
    assert any(abs(_instant(moment["utc"]) - instant) < UNSEEN for instant in instants)


def _check_place(item: Answer, departure: datetime, arrival: datetime) -> None:
    start = _instant(item["utc"])
    end = _instant(item["until"]["utc"]) if item["until"] else start
    if item["type"] in IN_FLIGHT:
        assert departure - UNSEEN < start
        assert end < arrival + UNSEEN
    else:
        assert end < departure + UNSEEN or arrival - UNSEEN < start


def _check_sleep_is_undisturbed(items: list[Answer]) -> None:
    """Nights do not overlap, and nothing that needs a waking person lies within one."""
    nights = sorted(
        (_instant(item["utc"]), _instant(item["until"]["utc"])) for item in items if item["type"] == "sleep"
    )
    assert all(first_end <= second_start for (_, first_end), (second_start, _) in pairwise(nights))
    for item in items:
        if item["type"] in {"bright_light", "caffeine_ok", "melatonin", "nap"}:
            start = _instant(item["utc"])
            assert not any(night_start < start < night_end for night_start, night_end in nights), item["title"]


def _flight(arguments: Arguments, origin: ZoneInfo, destination: ZoneInfo) -> tuple[datetime, datetime]:
    """Departure and arrival in UTC; of wall times that occur twice, the first that make a flight."""
    leaves = datetime.fromisoformat(arguments["departure_datetime"])
    lands = datetime.fromisoformat(arguments["arrival_datetime"])
    flights = [
        (departure, arrival)
        for departure in _instants(leaves, origin)
        for arrival in _instants(lands, destination)
        if SHORTEST <= arrival - departure <= LONGEST
    ]
    assert flights, "a plan for a flight that cannot be"
    return flights[0]


def _instants(wall: datetime, zone: ZoneInfo) -> Iterator[datetime]:
    """When clocks in ``zone`` show ``wall``: never, once, or twice."""
    seen = set()
    for fold in (0, 1):
        instant = wall.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        if instant not in seen and instant.astimezone(zone).replace(tzinfo=None) == wall:
            seen.add(instant)
            yield instant


def _offset(zone: ZoneInfo, day: date) -> timedelta:
    offset = datetime.combine(day, time(12), zone).utcoffset()
    assert offset is not None
    return offset


def _wrapped(raw: timedelta) -> timedelta:
    half = 12 * HOUR
    if raw > half:
        raw -= 2 * half
    elif raw < -half:
        raw += 2 * half
    return -half if raw == half else raw


def _direction(shift: timedelta) -> str:
    return "advance" if shift > NONE else "delay" if shift < NONE else "none"


def _difficulty(shift: timedelta) -> str:
    if not shift:
        return "easy"
    easy, moderate = BANDS[_direction(shift)]
    return "easy" if abs(shift) <= easy else "moderate" if abs(shift) <= moderate else "hard"


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _close(hours: float, shift: timedelta) -> bool:
    return abs(hours * HOUR - shift) < UNSEEN
