"""What holds for every plan, whatever the trip."""

import json
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from packhorse_circadian import convert
from packhorse_circadian.domain.plan import plan
from packhorse_circadian.domain.trip import Habits, Trip

# Both directions, half and quarter hours, both sides of the date line, clock
# changes of an hour and of half an hour, and zones that left out a date.
PLACES = [
    "America/Los_Angeles",
    "America/New_York",
    "America/St_Johns",
    "America/Sao_Paulo",
    "Atlantic/Azores",
    "Europe/London",
    "Europe/Berlin",
    "Africa/Casablanca",
    "Africa/Johannesburg",
    "Asia/Tehran",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Australia/Eucla",
    "Australia/Lord_Howe",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Pacific/Chatham",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Pacific/Honolulu",
    "Pacific/Marquesas",
    "Etc/GMT+12",
]
HOUR = timedelta(hours=1)
CHANGES = [  # nights around which clocks change somewhere
    date(2026, 3, 8),
    date(2026, 3, 29),
    date(2026, 4, 5),
    date(2026, 9, 27),
    date(2026, 10, 4),
    date(2026, 10, 25),
    date(2026, 11, 1),
]

near_changes = st.builds(lambda day, n: day + timedelta(days=n), st.sampled_from(CHANGES), st.integers(-9, 9))
any_day = st.dates(date(1973, 1, 10), date(2037, 11, 30))
clock_times = st.builds(time, st.integers(0, 23), st.integers(0, 59))


@st.composite
def habits(draw: st.DrawFn) -> Habits:
    wake = draw(st.one_of(st.sampled_from([time(5, 30), time(7), time(9, 15)]), clock_times))
    span = draw(st.one_of(st.just(480), st.integers(4 * 60, 12 * 60)))
    asleep = (datetime.combine(date(2026, 1, 2), wake) - timedelta(minutes=span)).time()
    return Habits(wake, asleep)


@st.composite
def trips(draw: st.DrawFn) -> Trip:
    origin, destination = (ZoneInfo(draw(st.sampled_from(PLACES))) for _ in range(2))
    day = draw(st.one_of(near_changes, any_day))
    departure = datetime.combine(day, draw(clock_times), origin).astimezone(UTC)
    return Trip(
        origin=origin,
        destination=destination,
        departure=departure,
        arrival=departure + timedelta(minutes=draw(st.integers(15, 24 * 60))),
        habits=draw(habits()),
        prep_days=draw(st.integers(0, 7)),
        melatonin=draw(st.booleans()),
        caffeine=draw(st.booleans()),
    )


def answer(trip: Trip) -> dict[str, Any]:
    """The plan as a client gets it."""
    reply = convert.adaptation_plan_from(plan(trip), asked_prep_days=trip.prep_days)
    found: dict[str, Any] = json.loads(reply.model_dump_json())
    return found


def at(moment: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(moment["utc"])


def items(found: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    return [item for day in found["days"] for item in day["items"] if not kinds or item["type"] in kinds]


def end(item: dict[str, Any]) -> datetime:
    return at(item["until"]) if item["until"] else at(item)


def holds_for_every_trip(law: Any) -> Any:
    return settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])(
        given(trip=trips())(law)
    )


@holds_for_every_trip
def test_nothing_is_ordered_while_asleep_and_no_two_sleeps_overlap(trip: Trip) -> None:
    found = answer(trip)
    asleep = items(found, "sleep", "in_flight_sleep")

    for before, after in pairwise(asleep):
        assert end(before) < at(after)
    for item in items(found):
        for sleep in asleep:
            if item is not sleep:
                assert end(item) <= at(sleep) or at(item) >= end(sleep), (item["type"], sleep)


@holds_for_every_trip
def test_the_ground_is_left_in_time_and_the_flight_holds_only_sleep(trip: Trip) -> None:
    found = answer(trip)

    for day in found["days"]:
        for item in day["items"]:
            if item["type"] == "in_flight_sleep":
                assert trip.departure < at(item) < end(item) < trip.arrival
                assert day["phase"] == "travel"
            elif day["place"] == "destination":
                assert at(item) >= trip.arrival
            else:
                assert end(item) <= trip.departure - 3 * HOUR


@holds_for_every_trip
def test_sleep_on_board_is_never_soon_after_a_night_at_home(trip: Trip) -> None:
    found = answer(trip)
    up = [
        at(item) for day in found["days"] if day["place"] == "origin" for item in day["items"] if item["type"] == "wake"
    ]

    assert all(at(sleep) - up[-1] >= 5 * HOUR for sleep in items(found, "in_flight_sleep") if up)


@holds_for_every_trip
def test_every_sleep_on_a_page_ends_with_getting_up(trip: Trip) -> None:
    found = answer(trip)
    up = {at(item) for item in items(found, "wake")}
    nights = items(found, "sleep")

    assert {end(night) for night in nights[:-1]} <= up


@holds_for_every_trip
def test_local_and_universal_times_agree_to_the_second(trip: Trip) -> None:
    for day in answer(trip)["days"]:
        zone = ZoneInfo(day["timezone"])
        for item in day["items"]:
            assert (item["date"], item["timezone"]) == (day["date"], day["timezone"])
            for moment in (item, item["until"] or item):
                shown = at(moment).astimezone(zone)
                assert f"{shown:%Y-%m-%d %H:%M:%S}" == f"{moment['date']} {moment['time']}:00"


@holds_for_every_trip
def test_every_date_at_every_place_has_one_page_in_order(trip: Trip) -> None:
    found = answer(trip)
    pages = [(day["place"], date.fromisoformat(day["date"])) for day in found["days"]]
    home, away = ([day for place, day in pages if place == there] for there in ("origin", "destination"))

    assert len(set(pages)) == len(pages)
    assert [place for place, _ in pages] == sorted(
        (place for place, _ in pages), key=["origin", "flight", "destination"].index
    )
    assert home == [trip.first_date + timedelta(days=n) for n in range(trip.prep_days + 1)]
    assert away == [trip.arrival_date + timedelta(days=n) for n in range(found["summary"]["post_arrival_days"])]
    if trip.arrival_date > trip.departure_date:
        # No date between is without a page, unless the date line took it from the traveller.
        landed = trip.arrival.astimezone(trip.origin).date()
        between = {trip.departure_date + timedelta(days=n) for n in range((landed - trip.departure_date).days + 1)}
        assert {day for day in between if day < trip.arrival_date} <= {day for _, day in pages}


@holds_for_every_trip
def test_items_are_in_order_and_the_summary_counts_the_pages(trip: Trip) -> None:
    found = answer(trip)
    summary, phases = found["summary"], [day["phase"] for day in found["days"]]
    starts = [at(item) for item in items(found)]

    assert starts == sorted(starts)
    assert phases.count("preparation") == summary["prep_days"] == trip.prep_days
    assert phases.count("adaptation") == summary["post_arrival_days"]
    assert summary["total_days"] == summary["prep_days"] + summary["post_arrival_days"]
    assert found["days"][-1]["hours_left"] < 1


@holds_for_every_trip
def test_light_is_on_the_right_side_of_the_low(trip: Trip) -> None:
    found = answer(trip)
    delay = found["summary"]["shift_direction"] == "delay"
    lows = [at(day["body_clock_low"]) for day in found["days"]]
    lows += [low + timedelta(days=n) for low in lows for n in (-1, 1)]

    for item in items(found, "bright_light", "dim_light"):
        before = delay == (item["type"] == "bright_light")
        # Pages carry the lows of their own dates; an hour of drift is that of the neighbouring ones.
        assert any(
            low - 9 * HOUR <= at(item) and end(item) <= low + HOUR
            if before
            else low - HOUR <= at(item) and end(item) <= low + 7 * HOUR
            for low in lows
        )
    if found["summary"]["shift_direction"] == "none":
        assert not items(found, "bright_light", "dim_light")


@holds_for_every_trip
def test_melatonin_only_where_asked_never_near_the_flight_and_in_its_window(trip: Trip) -> None:
    found = answer(trip)
    doses = items(found, "melatonin")
    waking = [at(item) for item in items(found, "wake")]
    onsets = [at(day["body_clock_low"]) - 7 * HOUR for day in found["days"]]
    onsets += [onset + timedelta(days=n) for onset in onsets for n in (-1, 1)]

    if not trip.melatonin or found["summary"]["shift_direction"] == "none":
        assert not doses
    for dose in doses:
        assert at(dose) <= trip.departure - 5 * HOUR or at(dose) >= trip.arrival + 2 * HOUR
        if found["summary"]["shift_direction"] == "delay":
            assert any(up <= at(dose) <= up + HOUR for up in waking)
        else:
            assert any(onset - 5 * HOUR <= at(dose) <= onset - HOUR for onset in onsets)


@holds_for_every_trip
def test_caffeine_stops_nine_hours_before_a_sleep(trip: Trip) -> None:
    found = answer(trip)
    beds = {at(item) for item in items(found, "sleep", "in_flight_sleep")}
    cutoffs = [at(item) for item in items(found, "caffeine_cutoff")]

    assert {cutoff + 9 * HOUR for cutoff in cutoffs} <= beds
    assert {end(item) for item in items(found, "caffeine_ok")} <= set(cutoffs)
    assert trip.caffeine or not cutoffs


@holds_for_every_trip
def test_nights_are_as_long_as_usual_unless_the_flight_cuts_them_and_move_slowly(trip: Trip) -> None:
    found = answer(trip)
    for place in ("origin", "destination"):
        nights = [item for day in found["days"] if day["place"] == place for item in day["items"]]
        nights = [item for item in nights if item["type"] == "sleep"]
        whole = nights[:-1] if place == "origin" else nights[1:]
        assert {item["duration_minutes"] for item in whole} <= {trip.habits.span.total_seconds() / 60}
        assert all(item["duration_minutes"] >= 180 for item in nights)
        for before, after in pairwise(whole):
            moved = (at(after) - at(before)) % timedelta(days=1)
            assert min(moved, timedelta(days=1) - moved) <= 3 * HOUR


@holds_for_every_trip
def test_naps_are_short_and_long_before_the_night(trip: Trip) -> None:
    found = answer(trip)
    beds = [at(item) for item in items(found, "sleep")]

    for nap in items(found, "nap"):
        assert nap["duration_minutes"] <= 30
        assert at(nap) >= trip.arrival + 2.5 * HOUR
        assert all(bed - end(nap) >= 7 * HOUR for bed in beds if bed > at(nap))


@holds_for_every_trip
def test_the_same_trip_gives_the_same_plan(trip: Trip) -> None:
    assert answer(trip) == answer(trip)


@pytest.mark.parametrize("place", ["Pacific/Apia", "Pacific/Fakaofo"])
def test_a_date_that_a_zone_left_out_has_a_page_and_no_orders(place: str) -> None:
    departure = datetime(2011, 12, 28, 20, tzinfo=UTC)
    trip = Trip(ZoneInfo("Europe/London"), ZoneInfo(place), departure, departure + 20 * HOUR)
    skipped = [day for day in answer(trip)["days"] if day["date"] == "2011-12-30"]

    assert len(skipped) == 1
    assert not skipped[0]["items"]
