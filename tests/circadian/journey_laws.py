"""What holds for every plan, worked out again from the question alone with `zoneinfo`.

Nothing here comes from the pack: a mistake there must not be repeated by its judge.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise, product
from math import ceil, log2
from typing import Any
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

Answer = dict[str, Any]
Span = tuple[datetime, datetime]

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
LEAVE = 3 * HOUR
"""Before departure: check-in and the way there."""
OFF_THE_PLANE = HOUR / 2
WAKING = {"bright_light", "dim_light", "melatonin", "nap", "exercise", "caffeine_ok", "caffeine_cutoff"}


@frozen
class Journey:
    """One journey as it was asked about. Instants are UTC."""

    origin: ZoneInfo
    destination: ZoneInfo
    flights: tuple[Span, ...]
    wake: time
    habit: timedelta
    prep_days: int
    wanted: dict[str, Any]
    adult: bool
    working: tuple[time, time] | None
    leaves_again: datetime | None
    comes_back: datetime | None
    keeps_home_time: bool = False
    """Whether its plan keeps home hours, or hours half way, on a short stay."""

    @property
    def departure(self) -> datetime:
        return self.flights[0][0]

    @property
    def arrival(self) -> datetime:
        return self.flights[-1][1]

    @property
    def stops(self) -> list[Span]:
        """Between flights, without the ways to a bed and back."""
        return [(lands + HOUR, leaves - 2.5 * HOUR) for (_, lands), (leaves, _) in pairwise(self.flights)]

    @property
    def leaves_on(self) -> date:
        return self.departure.astimezone(self.origin).date()

    @property
    def lands_on(self) -> date:
        return self.arrival.astimezone(self.destination).date()

    @property
    def shift(self) -> timedelta:
        """The shorter way round; a delay is negative, and so are exactly 12 h."""
        ahead, behind = self.arrival.astimezone(self.destination), self.departure.astimezone(self.origin)
        raw = (ahead.utcoffset() or DAY * 0) - (behind.utcoffset() or DAY * 0)
        return (raw + 12 * HOUR) % DAY - 12 * HOUR

    @property
    def night(self) -> timedelta:
        """The habit to the quarter hour, and 7 h at least."""
        return max(round(self.habit / (HOUR / 4)) * (HOUR / 4), 7 * HOUR)

    @property
    def back(self) -> "Journey":
        """The way back, as a journey of its own."""
        assert self.leaves_again
        assert self.comes_back
        return Journey(
            origin=self.destination,
            destination=self.origin,
            flights=((self.leaves_again, self.comes_back),),
            wake=self.wake,
            habit=self.habit,
            prep_days=0,
            wanted=self.wanted,
            adult=self.adult,
            working=None,
            leaves_again=None,
            comes_back=None,
        )

    def at_work(self) -> list[Span]:
        """Hours at work in the weeks after landing."""
        if self.working is None:
            return []
        found = []
        for n in range(-1, 16):
            day = self.lands_on + n * DAY
            if day.weekday() < 5:
                start, end = self.working
                until = day if end > start else day + DAY
                span = (
                    first(datetime.combine(day, start), self.destination),
                    first(datetime.combine(until, end), self.destination),
                )
                if span[1] > self.arrival:
                    found.append((max(span[0], self.arrival), span[1]))
        return found


def first(wall: datetime, zone: ZoneInfo) -> datetime:
    return wall.replace(tzinfo=zone).astimezone(UTC)


def readings(wall: str, zone: ZoneInfo) -> list[datetime]:
    """When clocks in ``zone`` show ``wall``: never, once, or twice."""
    told = datetime.fromisoformat(wall)
    found = [told.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)]
    return sorted({at for at in found if at.astimezone(zone).replace(tzinfo=None) == told})


def journey_of(question: dict[str, Any]) -> Journey:
    """The journey that a question means; of wall times that occur twice, the first that make one."""
    origin, destination = ZoneInfo(question["origin_timezone"]), ZoneInfo(question["destination_timezone"])
    times = [readings(question["departure_datetime"], origin)]
    for stop in question.get("layovers", []):
        zone = ZoneInfo(stop["timezone"])
        times += [readings(stop["arrival_datetime"], zone), readings(stop["departure_datetime"], zone)]
    times.append(readings(question["arrival_datetime"], destination))
    ends = next(found for found in product(*times) if all(HOUR / 4 <= b - a <= DAY for a, b in pairwise(found)))
    back = question.get("return_flight")
    again = home = None
    if back:
        again, home = next(
            (leaves, lands)
            for leaves in readings(back["departure_datetime"], destination)
            for lands in readings(back["arrival_datetime"], origin)
            if leaves - ends[-1] >= 6 * HOUR and HOUR / 4 <= lands - leaves <= DAY
        )
    wake, sleep = (
        time.fromisoformat(question.get(f"usual_{name}_time", usual))
        for name, usual in (("wake", "07:00"), ("sleep", "23:00"))
    )
    work = question.get("work_hours")
    age = question.get("age")
    habit = timedelta(hours=wake.hour - sleep.hour, minutes=wake.minute - sleep.minute) % DAY
    if age is not None and (wake, sleep) == (time(7), time(23)):
        # Hours that nobody told are for a child what is advised at its age (Paruthi et al. 2016).
        habit = max(habit, next((hours * HOUR for below, hours in ((3, 11), (6, 10), (13, 9)) if age < below), habit))
    return Journey(
        origin=origin,
        destination=destination,
        flights=tuple(zip(ends[::2], ends[1::2], strict=True)),
        wake=wake,
        habit=habit,
        prep_days=question.get("prep_days", 3),
        wanted=question.get("interventions", {}),
        adult=age is None or age >= 18,
        working=(time.fromisoformat(work["start"]), time.fromisoformat(work["end"])) if work else None,
        leaves_again=again,
        comes_back=home,
    )


def at(moment: Answer) -> datetime:
    return datetime.fromisoformat(moment["utc"])


def items(found: Answer, *kinds: str) -> list[Answer]:
    return [item for day in found["days"] for item in day["items"] if not kinds or item["type"] in kinds]


def end_of(item: Answer) -> datetime:
    return at(item["until"]) if item["until"] else at(item)


def span_of(item: Answer) -> Span:
    return at(item), end_of(item)


def meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


Law = Callable[[Journey, Answer], None]
ANYWHERE: list[Law] = []
"""What holds for the rest of a plan as well as for the whole of one."""
WHOLE: list[Law] = []
"""What holds for a whole plan."""


def law(kept_in: list[Law]) -> Callable[[Law], Law]:
    def note(holds: Law) -> Law:
        kept_in.append(holds)
        return holds

    return note


def check(journey: Journey, found: Answer) -> None:
    """Put a whole plan to every law, and the way back in it to those of any rest of a plan."""
    journey = evolve(journey, keeps_home_time=found["summary"]["key_advice"].startswith("A short stay: keep ho"))
    out = {**found, "days": [day for day in found["days"] if day["phase"] != "return"]}
    back = [day for day in found["days"] if day["phase"] == "return"]
    for holds in (*ANYWHERE, *WHOLE):
        holds(journey, out)
    assert bool(back) == (found["return_days"] is not None) == (journey.leaves_again is not None)
    if back:
        sleeps = [span_of(item) for item in items(found, "sleep", "in_flight_sleep")]
        assert all(before[1] <= after[0] for before, after in pairwise(sorted(sleeps)))
        # Within one zone the day at home and the day away have one clock, and are two places.
        assert not {(day["date"], day["timezone"]) for day in out["days"] if day["place"] != "origin"} & {
            (day["date"], day["timezone"]) for day in back if day["place"] == "destination"
        }
        places = {"destination": "origin", "origin": "destination", "flight": "flight"}
        days = [{**day, "place": places[day["place"]]} for day in back]
        for holds in ANYWHERE:
            if holds is not melatonin_only_where_asked_never_near_the_flight_and_in_its_window:
                holds(journey.back, {**found, "days": days})


@law(ANYWHERE)
def nothing_is_ordered_while_asleep_and_no_two_sleeps_overlap(journey: Journey, found: Answer) -> None:
    asleep = items(found, "sleep", "in_flight_sleep")

    for before, after in pairwise(asleep):
        assert end_of(before) < at(after)
    for item in items(found):
        for sleep in asleep:
            if item is not sleep and item["type"] != "flight":
                assert end_of(item) <= at(sleep) or at(item) >= end_of(sleep), (item["type"], sleep)


@law(ANYWHERE)
def the_ground_is_left_in_time_and_the_journey_holds_only_sleep(journey: Journey, found: Answer) -> None:
    leave = journey.leaves_again and journey.leaves_again - LEAVE
    for day in found["days"]:
        for item in day["items"]:
            if item["type"] == "flight":
                assert span_of(item) in journey.flights
            elif item["type"] == "in_flight_sleep":
                assert day["phase"] in {"travel", "return"}
                assert any(start < at(item) < end_of(item) < end for start, end in [*journey.flights, *journey.stops])
            elif day["place"] == "destination":
                assert at(item) >= journey.arrival
                assert leave is None or end_of(item) <= leave
            else:
                assert end_of(item) <= journey.departure - LEAVE


@law(ANYWHERE)
def local_and_universal_times_agree_to_the_second(journey: Journey, found: Answer) -> None:
    for day in found["days"]:
        zone = ZoneInfo(day["timezone"])
        assert zone == (journey.destination if day["place"] == "destination" else journey.origin)
        assert at(day["body_clock_low"]).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S") == (
            f"{day['body_clock_low']['date']} {day['body_clock_low']['time']}:00"
        )
        for item in day["items"]:
            assert (item["date"], item["timezone"]) == (day["date"], day["timezone"])
            for moment in (item, item["until"] or item):
                shown = at(moment).astimezone(zone)
                assert f"{shown:%Y-%m-%d %H:%M:%S}" == f"{moment['date']} {moment['time']}:00"
            if item["until"]:
                assert item["duration_minutes"] * MINUTE == end_of(item) - at(item)


@law(ANYWHERE)
def items_are_in_order(journey: Journey, found: Answer) -> None:
    starts = [at(item) for item in items(found)]

    assert starts == sorted(starts)


@law(ANYWHERE)
def blocks_of_light_do_not_overlap(journey: Journey, found: Answer) -> None:
    blocks = items(found, "bright_light", "dim_light")

    assert all(end_of(before) <= at(after) for before, after in pairwise(blocks))
    assert all(item["duration_minutes"] >= 30 for item in blocks)


@law(ANYWHERE)
def at_work_nothing_is_asked_for(journey: Journey, found: Answer) -> None:
    for work in journey.at_work():
        for item in items(found, "bright_light", "dim_light", "nap", "exercise"):
            assert not meet(span_of(item), work), (item, work)


@law(ANYWHERE)
def nobody_sleeps_at_work_whose_usual_nights_are_free(journey: Journey, found: Answer) -> None:
    if journey.working is None or journey.keeps_home_time:
        return
    nights = []
    for n in range(-2, 18):
        wake = first(datetime.combine(journey.lands_on + n * DAY, journey.wake), journey.destination)
        nights.append((wake - journey.night - HOUR / 4, wake + HOUR / 4))
    for work in journey.at_work():
        if not any(meet(work, night) for night in nights):
            for sleep in items(found, "sleep"):
                assert not meet(span_of(sleep), work), (sleep, work)


@law(ANYWHERE)
def melatonin_only_where_asked_never_near_the_flight_and_in_its_window(journey: Journey, found: Answer) -> None:
    doses = items(found, "melatonin")
    lows = [at(day["body_clock_low"]) for day in found["days"]]
    onsets = [low - 7 * HOUR + n * DAY for low in lows for n in (-1, 0, 1)]
    strong = journey.wanted.get("melatonin_dose") == "3 mg"
    before = (7 * HOUR, HOUR) if not strong else (9 * HOUR, 3 * HOUR)

    if (
        not (journey.adult and journey.wanted.get("melatonin", True))
        or found["model_direction"] == "none"
        or abs(journey.shift) < 2 * HOUR
    ):
        assert not doses
    for dose in doses:
        assert at(dose) <= journey.departure - 5 * HOUR or at(dose) >= journey.arrival + 2 * HOUR
        # Pages carry the lows of their own dates; from one to the next the clock may move by three hours.
        if found["model_direction"] == "advance":
            assert any(onset - before[0] <= at(dose) <= onset + 2 * HOUR - before[1] for onset in onsets)
        else:
            assert any(onset + 2.5 * HOUR <= at(dose) <= onset + 18.5 * HOUR for onset in onsets)


@law(ANYWHERE)
def no_dose_of_melatonin_falls_into_bright_light(journey: Journey, found: Answer) -> None:
    bright = [span_of(item) for item in items(found, "bright_light")]
    assert not [dose for dose in items(found, "melatonin") if any(start <= at(dose) < end for start, end in bright)]


@law(WHOLE)
def melatonin_that_delays_is_taken_on_waking(journey: Journey, found: Answer) -> None:
    waking = [at(item) for item in items(found, "wake")]
    if found["model_direction"] == "delay":
        for dose in items(found, "melatonin"):
            assert any(up <= at(dose) <= up + HOUR for up in waking)


@law(WHOLE)
def the_summary_counts_the_pages_and_the_shift(journey: Journey, found: Answer) -> None:
    summary, phases = found["summary"], [day["phase"] for day in found["days"]]
    ways = {-1: "delay", 0: "none", 1: "advance"}
    sign = (journey.shift > 0 * DAY) - (journey.shift < 0 * DAY)

    assert abs(summary["shift_hours"] * HOUR - abs(journey.shift)) < MINUTE
    assert summary["shift_direction"] == ways[sign]
    assert phases.count("preparation") == summary["prep_days"] == journey.prep_days
    assert max(phases.count("adaptation"), 1) == summary["post_arrival_days"]
    assert summary["total_days"] == summary["prep_days"] + summary["post_arrival_days"]
    assert "medical" in found["caution"]


@law(WHOLE)
def every_date_at_every_place_has_one_page_in_order(journey: Journey, found: Answer) -> None:
    pages = [(day["place"], date.fromisoformat(day["date"])) for day in found["days"]]
    home, away = ([day for place, day in pages if place == there] for there in ("origin", "destination"))

    assert len(set(pages)) == len(pages)
    assert [place for place, _ in pages] == sorted(
        (place for place, _ in pages), key=["origin", "flight", "destination"].index
    )
    assert home == [journey.leaves_on + (n - journey.prep_days) * DAY for n in range(journey.prep_days + 1)]
    if away or journey.leaves_again is None:  # else the whole stay is on the page of the way back
        assert away == [journey.lands_on + n * DAY for n in range(found["summary"]["post_arrival_days"])]
    if journey.lands_on > journey.leaves_on:
        # No date between is without a page, unless the date line took it from the traveller.
        landed = journey.arrival.astimezone(journey.origin).date()
        between = {journey.leaves_on + n * DAY for n in range((landed - journey.leaves_on).days + 1)}
        assert {day for day in between if day < journey.lands_on} <= {day for _, day in pages}


@law(WHOLE)
def every_sleep_on_a_page_ends_with_getting_up(journey: Journey, found: Answer) -> None:
    up = {at(item) for item in items(found, "wake")}
    nights = items(found, "sleep")

    assert {end_of(night) for night in nights[:-1]} <= up


@law(WHOLE)
def sleep_on_board_is_never_soon_after_a_night_at_home(journey: Journey, found: Answer) -> None:
    up = [
        at(item) for day in found["days"] if day["place"] == "origin" for item in day["items"] if item["type"] == "wake"
    ]

    assert all(at(sleep) - up[-1] >= 5 * HOUR for sleep in items(found, "in_flight_sleep") if up)


@law(ANYWHERE)
def light_is_asked_for_only_where_leaving_it_out_costs_a_tenth_of_a_day(journey: Journey, found: Answer) -> None:
    for item in items(found, "bright_light", "dim_light"):
        assert item["worth_days"] >= 0.1
        assert f"{item['worth_days']:.1f} day" in item["why"]


@law(WHOLE)
def a_plan_says_how_long_it_takes_with_it_and_without(journey: Journey, found: Answer) -> None:
    days = found["model_days"]

    assert days["low"] <= days["plan"] <= days["high"]
    assert days["no_plan_low"] <= days["no_plan"] <= days["no_plan_high"]
    assert days["plan"] <= days["no_plan"] + 1


@law(WHOLE)
def caffeine_stops_when_what_is_left_of_it_at_bedtime_is_harmless(journey: Journey, found: Answer) -> None:
    beds = {at(item) for item in items(found, "sleep", "in_flight_sleep")}
    cutoffs = [at(item) for item in items(found, "caffeine_cutoff")]
    milligrams, half_life = journey.wanted.get("caffeine_mg"), journey.wanted.get("caffeine_half_life_hours", 5)
    hours = 9.0
    if milligrams or half_life != 5:
        quarters = ceil((log2((milligrams or 107) / 107) + 8.8 / 5) * half_life * 4)
        hours = min(max(quarters / 4, 4), 18)
    if journey.leaves_again is None:
        assert {cutoff + hours * HOUR for cutoff in cutoffs} <= beds
    if journey.leaves_again is None:
        assert {end_of(item) for item in items(found, "caffeine_ok")} <= set(cutoffs)
    free = items(found, "caffeine_ok")
    assert all(end_of(before) <= at(after) for before, after in pairwise(free))
    assert not [cut for cut in cutoffs for item in free if at(item) <= cut < end_of(item)]
    assert journey.wanted.get("caffeine", True) or not cutoffs


@law(WHOLE)
def nights_are_as_long_as_usual_unless_the_flight_cuts_them_and_move_slowly(journey: Journey, found: Answer) -> None:
    for place in ("origin", "destination"):
        nights = [item for day in found["days"] if day["place"] == place for item in day["items"]]
        nights = [item for item in nights if item["type"] == "sleep"]
        whole = nights[:-1] if place == "origin" else nights[1:]
        if journey.leaves_again is not None:
            # An early flight on may cut the last night and bring it forward.
            whole = [night for night in whole if end_of(night) < journey.leaves_again - 8 * HOUR]
        assert {item["duration_minutes"] * MINUTE for item in whole} <= {journey.night}
        assert all(item["duration_minutes"] >= 180 for item in nights)
        for before, after in pairwise(whole):
            moved = (at(after) - at(before)) % DAY
            assert min(moved, DAY - moved) <= 3 * HOUR


@law(WHOLE)
def on_home_time_nights_end_when_they_do_at_home(journey: Journey, found: Answer) -> None:
    if journey.keeps_home_time:
        for night in items(found, "sleep", "in_flight_sleep")[1:]:
            up = end_of(night)
            usual = [
                first(datetime.combine(up.astimezone(journey.origin).date() + n * DAY, journey.wake), journey.origin)
                for n in (-1, 0, 1)
            ]
            # Clocks may change during the stay; a flight or the wait for a bed may cut or move one of them.
            near = min(abs(wake - up) for wake in usual)
            whole = night["duration_minutes"] * MINUTE == journey.night
            # An early flight on brings the last night forward.
            whole = whole and journey.leaves_again is not None and up < journey.leaves_again - 8 * HOUR
            # Half way, nights end as much later or earlier.
            near = min(near, abs(near - abs(journey.shift) / 2))
            assert near <= HOUR + 15 * MINUTE or not whole or at(night) - journey.arrival <= 2 * HOUR, (night, near)


@law(WHOLE)
def naps_are_short_and_long_before_the_night(journey: Journey, found: Answer) -> None:
    beds = [at(item) for item in items(found, "sleep")]

    assert journey.wanted.get("naps", True) or not items(found, "nap")
    for nap in items(found, "nap"):
        assert nap["duration_minutes"] <= 30
        assert at(nap) >= journey.arrival + 2.5 * HOUR
        assert all(bed - end_of(nap) >= 7 * HOUR for bed in beds if bed > at(nap))


@law(WHOLE)
def exercise_where_asked_lies_in_bright_light(journey: Journey, found: Answer) -> None:
    bright = [span_of(item) for item in items(found, "bright_light")]
    training = items(found, "exercise")

    assert journey.wanted.get("exercise", False) or not training
    assert all(any(start <= at(item) and end_of(item) <= end for start, end in bright) for item in training)


def check_rest(journey: Journey, now: datetime, found: Answer) -> None:
    """Put what is left of a plan to the laws: nothing of it is over."""
    plan = found["plan"]
    journey = evolve(journey, keeps_home_time=plan["summary"]["key_advice"].startswith("A short stay: keep ho"))
    for holds in ANYWHERE:
        holds(journey, {**plan, "days": [day for day in plan["days"] if day["phase"] != "return"]})
    assert all(end_of(item) > now for item in items(found["plan"]))
    assert 0 <= found["hours_left"] <= 12


def check_now(journey: Journey, now: datetime, hours: int, found: Answer, plan: Answer) -> None:
    """The next hours are those of the plan, told by the clock of the place."""
    zone = journey.destination if now >= journey.arrival else journey.origin
    place = "origin" if now < journey.departure else "flight" if now < journey.arrival else "destination"

    assert (found["place"], found["timezone"]) == (place, zone.key)
    assert f"{now.astimezone(zone):%Y-%m-%d %H:%M}" == f"{found['date']} {found['time']}"
    assert found["doing"] == [item for item in items(plan) if at(item) <= now < end_of(item)]
    assert found["next"] == [item for item in items(plan) if now < at(item) <= now + hours * HOUR]


def minutes_between(start: datetime, end: datetime) -> Iterator[datetime]:
    """Whole minutes from one instant to another, an hour and seven minutes apart."""
    while start < end:
        yield start
        start += 67 * MINUTE
