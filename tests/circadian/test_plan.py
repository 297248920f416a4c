"""What a plan says on well-known trips."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from packhorse_circadian.models import AdaptationPlan, PlanDay

Planned = Callable[..., AdaptationPlan]

SFO_TO_LHR = {
    "destination_timezone": "Europe/London",
    "departure_datetime": "2026-06-10T16:30",
    "arrival_datetime": "2026-06-11T10:45",
}
SYDNEY = {
    "destination_timezone": "Australia/Sydney",
    "departure_datetime": "2026-06-10T22:30",
    "arrival_datetime": "2026-06-12T06:30",
}
HONG_KONG_TO_SFO = {
    "origin_timezone": "Asia/Hong_Kong",
    "destination_timezone": "America/Los_Angeles",
    "departure_datetime": "2026-06-10T00:30",
    "arrival_datetime": "2026-06-09T21:45",
}
PARIS_TO_BERLIN = {
    "origin_timezone": "Europe/Paris",
    "destination_timezone": "Europe/Berlin",
    "departure_datetime": "2026-05-05T10:00",
    "arrival_datetime": "2026-05-05T11:45",
}


def times(plan: AdaptationPlan, kind: str, date: str) -> list[tuple[str, str | None]]:
    return [
        (item.time, item.until.time if item.until else None)
        for day in plan.days
        for item in day.items
        if item.type == kind and item.date == date
    ]


def pages(plan: AdaptationPlan) -> list[tuple[int, str, str, str]]:
    return [(day.day, day.date, day.place, day.phase) for day in plan.days]


def kinds(days: list[PlanDay]) -> set[str]:
    return {item.type for day in days for item in day.items}


def test_the_specification_s_trip_is_eight_days_three_before_and_five_after(planned: Planned) -> None:
    summary = planned().summary

    assert (summary.total_days, summary.prep_days, summary.post_arrival_days) == (8, 3, 5)
    assert (summary.shift_hours, summary.shift_direction) == (7, "delay")


def test_pages_count_down_to_the_flight_and_up_from_landing(planned: Planned) -> None:
    assert pages(planned(prep_days=1))[:4] == [
        (-1, "2026-02-14", "origin", "preparation"),
        (0, "2026-02-15", "origin", "travel"),
        (1, "2026-02-16", "destination", "adaptation"),
        (2, "2026-02-17", "destination", "adaptation"),
    ]


def test_a_date_in_the_air_has_a_page_of_its_own(planned: Planned) -> None:
    assert pages(planned(**SYDNEY, prep_days=0))[:3] == [
        (0, "2026-06-10", "origin", "travel"),
        (0, "2026-06-11", "flight", "travel"),
        (1, "2026-06-12", "destination", "adaptation"),
    ]


def test_over_the_date_line_the_calendar_goes_back(planned: Planned) -> None:
    assert pages(planned(**HONG_KONG_TO_SFO, prep_days=0))[:3] == [
        (0, "2026-06-10", "origin", "travel"),
        (1, "2026-06-09", "destination", "adaptation"),
        (2, "2026-06-10", "destination", "adaptation"),
    ]


def test_a_date_in_two_places_has_two_pages(planned: Planned) -> None:
    dates = [(day.date, day.timezone) for day in planned(**PARIS_TO_BERLIN, prep_days=0).days]

    assert dates == [("2026-05-05", "Europe/Paris"), ("2026-05-05", "Europe/Berlin")]


def test_a_delay_goes_to_bed_later_with_bright_evenings(planned: Planned) -> None:
    plan = planned()
    evenings = [item.time for day in plan.days for item in day.items if item.type == "bright_light"]

    assert times(plan, "sleep", "2026-02-13") == [("00:00", "08:00")]
    assert evenings
    assert min(evenings) >= "15:00"
    assert times(plan, "melatonin", "2026-02-12") == [], "a Thursday"
    assert times(plan, "melatonin", "2026-02-14") == [("09:15", None)]
    assert "1 hour later each day from Feb 12" in plan.summary.key_advice
    assert "bright light in the evening" in plan.summary.key_advice


def test_an_advance_goes_to_bed_earlier_with_bright_mornings(planned: Planned) -> None:
    plan = planned(**SFO_TO_LHR)
    bright = [item.time for day in plan.days for item in day.items if item.type == "bright_light"]

    assert times(plan, "sleep", "2026-06-07") == [("22:00", "06:00")]
    assert bright
    assert max(bright) <= "17:00"
    assert "1 hour earlier each day from Jun 7" in plan.summary.key_advice


def test_no_bright_hour_is_said_to_move_the_clock_the_wrong_way(planned: Planned) -> None:
    east = [item.why for day in planned(**SFO_TO_LHR).days for item in day.items if item.type == "bright_light"]
    west = [item.why for day in planned().days for item in day.items if item.type == "bright_light"]

    assert not [why for why in east if "later" in why]
    assert not [why for why in west if "earlier" in why]


def test_the_words_of_a_block_say_what_leaving_it_out_costs(planned: Planned) -> None:
    blocks = [item for day in planned().days for item in day.items if item.worth_days is not None]

    assert blocks
    for block in blocks:
        cost = block.worth_days or 0
        word = "Matters most" if cost >= 0.4 else "Matters" if cost >= 0.2 else "Helps"
        assert block.why.startswith(f"{word} (leaving it out costs about {cost:.1f} day)")


@pytest.mark.parametrize(
    ("trip", "way"),
    [pytest.param({}, "delay", id="west"), pytest.param(SFO_TO_LHR, "advance", id="east")],
)
def test_the_plan_says_how_long_it_takes_and_how_much_longer_without_it(
    planned: Planned, trip: dict[str, Any], way: str
) -> None:
    plan = planned(**trip)

    assert plan.model_direction == way
    assert plan.model_days.low <= plan.model_days.plan <= plan.model_days.high
    assert plan.model_days.plan < plan.model_days.no_plan


def test_a_red_eye_is_slept_on_board_and_not_after_departure_at_home(planned: Planned) -> None:
    plan = planned(**SFO_TO_LHR)
    departure_day = next(day for day in plan.days if day.day == 0)

    start, end = times(plan, "in_flight_sleep", "2026-06-10")[0]
    assert "17:15" <= start < (end or "") <= "01:45" or start >= "17:15"
    assert "sleep" not in kinds([departure_day])


def test_an_early_flight_brings_the_night_forward(planned: Planned) -> None:
    plan = planned(departure_datetime="2026-02-15T07:00", arrival_datetime="2026-02-16T11:00", prep_days=1)

    assert times(plan, "sleep", "2026-02-14") == [("21:00", "04:00")]
    assert "The flight cuts the last night at home to 7 hours." in plan.notes


def test_landing_before_dawn_leaves_a_late_night(planned: Planned) -> None:
    plan = planned(
        origin_timezone="Europe/London",
        destination_timezone="Europe/Athens",
        departure_datetime="2026-06-10T20:30",
        arrival_datetime="2026-06-11T02:00",
        prep_days=0,
    )

    assert times(plan, "in_flight_sleep", "2026-06-10") == [("21:15", "23:00")]
    assert times(plan, "sleep", "2026-06-11")[0] == ("03:30", "09:45")


@pytest.mark.parametrize(
    "arrival",
    [
        pytest.param("14:30", id="that would end less than seven hours before bed"),
    ],
)
def test_the_arrival_day_has_no_nap(planned: Planned, arrival: str) -> None:
    plan = planned(
        origin_timezone="Europe/London",
        destination_timezone="America/New_York",
        departure_datetime="2026-07-20T07:30",
        arrival_datetime=f"2026-07-20T{arrival}",
        prep_days=0,
    )

    assert times(plan, "nap", "2026-07-20") == []


def test_after_a_night_flight_the_nap_is_in_the_early_afternoon(planned: Planned) -> None:
    plan = planned(
        origin_timezone="America/New_York",
        destination_timezone="Europe/London",
        departure_datetime="2026-07-20T19:30",
        arrival_datetime="2026-07-21T07:30",
        prep_days=0,
    )

    start, _ = times(plan, "nap", "2026-07-21")[0]
    assert "13:00" <= start <= "15:30"


def test_a_bedtime_at_the_clock_s_most_wakeful_is_told(planned: Planned) -> None:
    plan = planned(**SFO_TO_LHR, prep_days=3)
    whys = [item.why for day in plan.days for item in day.items if item.type == "sleep"]

    assert any("most wakeful" in why for why in whys)
    assert any("Dark, cool and quiet" in why for why in whys)


@pytest.mark.parametrize("off", ["melatonin", "caffeine"])
def test_what_is_turned_off_is_nowhere_in_the_plan(planned: Planned, off: str) -> None:
    plan = planned(interventions={off: False})

    assert not [kind for kind in kinds(plan.days) if kind.startswith(off)]
    assert [kind for kind in kinds(planned().days) if kind.startswith(off)]
    assert off not in plan.caution.lower()


def test_no_shift_means_no_light_and_no_melatonin(planned: Planned) -> None:
    plan = planned(**PARIS_TO_BERLIN, prep_days=1)

    assert kinds(plan.days) == {"wake", "sleep", "caffeine_ok", "caffeine_cutoff", "flight", "arrival"}
    assert (plan.summary.total_days, plan.summary.shift_direction) == (2, "none")


def test_a_shift_of_an_hour_asks_for_no_light_and_no_medicine(planned: Planned) -> None:
    """Finding C4: ten hours of light for a shift that takes no day."""

    plan = planned(**{**PARIS_TO_BERLIN, "destination_timezone": "Europe/Athens", "prep_days": 0})

    assert not {"bright_light", "dim_light", "melatonin"} & kinds(plan.days)
    assert any("A plan gains little here" in note for note in plan.notes)


@pytest.mark.parametrize(
    ("prep_days", "after"),
    [
        pytest.param(0, 8, id="none"),
        pytest.param(3, 5, id="three"),
        pytest.param(7, 2, id="seven, of which the body follows some"),
    ],
)
def test_days_of_preparation_save_days_after(planned: Planned, prep_days: int, after: int) -> None:
    assert planned(prep_days=prep_days).summary.post_arrival_days <= after


def test_fully_prepared_the_last_day_needs_no_nap(planned: Planned) -> None:
    plan = planned(prep_days=7)

    assert plan.days[-1].hours_left < 2
    assert not {"nap"} & kinds([plan.days[-1]])


TO_DUBAI = {
    "origin_timezone": "Europe/London",
    "destination_timezone": "Asia/Dubai",
    "departure_datetime": "2027-01-20T08:00",
    "arrival_datetime": "2027-01-20T19:00",
}


@pytest.mark.parametrize("prep_days", range(8))
@pytest.mark.parametrize("trip", [TO_DUBAI, PARIS_TO_BERLIN | {"destination_timezone": "Europe/Athens"}], ids=[4, 1])
def test_preparation_that_gains_nothing_is_not_asked_for_and_that_is_said(
    planned: Planned, trip: dict[str, Any], prep_days: int
) -> None:
    plan = planned(**trip, prep_days=prep_days)
    said = [note for note in plan.notes if note.startswith(("Preparation begins", "No preparation"))]
    asked = {
        day.day
        for day in plan.days
        for item in day.items
        if day.day < 0 and item.type in {"bright_light", "dim_light", "melatonin"}
    }

    if not said:
        assert not prep_days or min(asked) == -prep_days
    elif begins := re.search(r"begins on Jan (\d+), (\d) days? later", said[0]):
        assert int(begins[1]) == 20 - prep_days + int(begins[2])
        assert all(20 + day >= int(begins[1]) for day in asked)
    else:
        assert not asked


@pytest.mark.parametrize(
    ("changed", "note"),
    [
        pytest.param({}, "no model knows yours", id="how it was made"),
        pytest.param({"prep_days": 7}, "ask again with fewer prep_days", id="C11 h, nights moved far at home"),
        pytest.param({}, "before any sleep but a nap, so none on the way out from", id="a cut-off in the air"),
        pytest.param({}, "shade, sunscreen or a hat do no harm", id="bright light and the sun"),
        pytest.param(
            {
                "origin_timezone": "Europe/London",
                "departure_datetime": "2026-10-25T01:30",
                "arrival_datetime": "2026-10-25T22:00",
            },
            "departure_datetime occurs twice that night in Europe/London; the first was taken, before clocks go back.",
            id="a repeated hour",
        ),
        pytest.param(
            {
                "origin_timezone": "Europe/London",
                "destination_timezone": "Europe/London",
                "departure_datetime": "2026-10-25T01:45",
                "arrival_datetime": "2026-10-25T01:15",
            },
            "arrival_datetime occurs twice that night in Europe/London; the second was taken, after clocks go back.",
            id="a repeated hour, second reading",
        ),
    ],
)
def test_what_was_assumed_is_noted(planned: Planned, changed: dict[str, Any], note: str) -> None:
    assert any(note in said for said in planned(**changed).notes)


def test_the_caution_is_as_long_as_the_plan_needs(planned: Planned) -> None:
    full = planned().caution
    short = planned(**PARIS_TO_BERLIN).caution

    assert "not medical advice" in full
    assert "not medical advice" in short
    assert {word for word in ("0.5 mg", "pregnant", "under 18", "epilepsy", "anticoagulants") if word in full} == {
        "0.5 mg",
        "pregnant",
        "under 18",
        "epilepsy",
        "anticoagulants",
    }
    assert "elatonin" not in short


def test_whole_hours_are_printed_whole_and_halves_as_halves(planned: Planned) -> None:
    india = {
        "origin_timezone": "America/New_York",
        "destination_timezone": "Asia/Kolkata",
        "departure_datetime": "2026-07-20T20:00",
        "arrival_datetime": "2026-07-21T20:00",
    }

    assert '"shift_hours":7,' in planned().model_dump_json()
    assert '"shift_hours":9.5,' in planned(**india).model_dump_json()


@pytest.mark.parametrize(
    ("told", "hours"),
    [
        pytest.param({}, 9, id="the specification's nine hours"),
        pytest.param({"caffeine_mg": 214}, 14, id="twice the cup: one half-life more"),
        pytest.param({"caffeine_mg": 107, "caffeine_half_life_hours": 10}, 17.75, id="a slow body"),
        pytest.param({"caffeine_mg": 30}, 4, id="a cup of tea"),
    ],
)
def test_the_last_coffee_is_as_early_as_it_is_strong(planned: Planned, told: dict[str, Any], hours: float) -> None:
    plan = planned(prep_days=2, interventions=told)
    cutoffs = [datetime.fromisoformat(item.utc) for day in plan.days for item in day.items if "cutoff" in item.type]
    beds = [datetime.fromisoformat(item.utc) for day in plan.days for item in day.items if item.type == "sleep"]

    assert not cutoffs or {cutoff + timedelta(hours=hours) for cutoff in cutoffs} & set(beds)


@pytest.mark.parametrize(("dose", "early"), [("0.5 mg", (4, 2)), ("3 mg", (6, 4))])
def test_each_dose_of_melatonin_has_its_own_time(planned: Planned, dose: str, early: tuple[int, int]) -> None:
    plan = planned(**SFO_TO_LHR, interventions={"melatonin_dose": dose})
    day = plan.days[0]
    taken = next(item for item in day.items if item.type == "melatonin")
    onset = datetime.fromisoformat(day.body_clock_low.utc) + timedelta(hours=24 - 7)

    assert dose in taken.title
    assert dose in plan.caution
    # A day's drift of the clock lies between this date's low and the next.
    before = onset - datetime.fromisoformat(taken.utc)
    assert timedelta(hours=early[1] - 1) <= before <= timedelta(hours=early[0] + 1)


NIGHT_OWL_TO_CHATHAM = {
    "origin_timezone": "Atlantic/Azores",
    "destination_timezone": "Pacific/Chatham",
    "departure_datetime": "2026-10-02T20:23",
    "arrival_datetime": "2026-10-05T21:34",
    "layovers": [
        {
            "timezone": "Africa/Lubumbashi",
            "arrival_datetime": "2026-10-03T02:59",
            "departure_datetime": "2026-10-03T09:34",
        },
        {
            "timezone": "Europe/Riga",
            "arrival_datetime": "2026-10-04T10:34",
            "departure_datetime": "2026-10-04T10:49",
        },
    ],
    "usual_wake_time": "19:47",
    "usual_sleep_time": "13:13",
    "prep_days": 1,
    "bright_light_lux": 8667,
}


def test_where_the_clock_jumps_no_date_has_two_doses_of_melatonin(planned: Planned) -> None:
    found = planned(**NIGHT_OWL_TO_CHATHAM)
    doses = [datetime.fromisoformat(item.utc) for day in found.days for item in day.items if item.type == "melatonin"]

    assert all(after - before >= timedelta(hours=18) for before, after in pairwise(doses))


def test_the_last_coffees_of_a_long_way_are_one_note_with_their_dates(planned: Planned) -> None:
    found = planned(
        departure_datetime="2026-02-15T06:00",
        arrival_datetime="2026-02-18T04:00",
        layovers=[
            {
                "timezone": "Europe/London",
                "arrival_datetime": "2026-02-16T08:00",
                "departure_datetime": "2026-02-16T20:00",
            },
        ],
    )
    coffee = [note for note in found.notes if note.startswith("No caffeine")]

    assert len(coffee) == 1
    assert re.search(
        r"from 16:30 on Feb 15 to \d\d:\d\d on Feb 16, America/Los_Angeles time and from \d\d:\d\d on Feb 17, ",
        coffee[0],
    )


def test_one_night_has_one_hour_of_exercise(planned: Planned) -> None:
    found = planned(
        origin_timezone="Europe/London",
        destination_timezone="America/Los_Angeles",
        departure_datetime="2026-04-20T11:00",
        arrival_datetime="2026-04-20T14:00",
        usual_sleep_time="04:00",
        usual_wake_time="12:00",
        chronotype="owl",
        interventions={"exercise": True},
    )
    starts = [datetime.fromisoformat(item.utc) for day in found.days for item in day.items if item.type == "exercise"]

    assert len(starts) > 2
    assert all(after - before >= timedelta(hours=12) for before, after in pairwise(starts))


def test_bright_light_in_the_dark_hours_is_a_lamp_s(planned: Planned) -> None:
    found = planned()
    bright = [item for day in found.days for item in day.items if item.type == "bright_light"]

    assert {"lamp" in item.why for item in bright if item.time >= "21:00"} == {True}
    assert {"lamp" in item.why for item in bright if "09:00" <= item.time <= "16:00"} <= {False}


def test_what_takes_no_day_is_not_counted_in_days(planned: Planned) -> None:
    found = planned(**PARIS_TO_BERLIN | {"origin_timezone": "Europe/London"}, prep_days=0)

    assert found.model_days.plan == 0
    assert " 0 days" not in found.notes[0]


def test_no_caffeine_is_planned_for_a_child(planned: Planned) -> None:
    """Finding C7."""

    assert not [kind for kind in kinds(planned(age=9).days) if "caffeine" in kind]
    assert [kind for kind in kinds(planned(age=18).days) if "caffeine" in kind]


def test_melatonin_says_in_the_item_that_it_makes_sleepy(planned: Planned) -> None:
    """Finding C9."""

    doses = [item.why for day in planned().days for item in day.items if item.type == "melatonin"]

    assert doses
    assert all("skip it where you drive or work" in why for why in doses)


def test_the_flight_is_an_item_with_its_landing(planned: Planned) -> None:
    """Finding C11 d."""

    flights = [item for day in planned().days for item in day.items if item.type == "flight"]

    assert [item.time for item in flights] == ["11:30"]
    assert "Lands at 15:45 Asia/Tokyo time." in flights[0].why


def test_the_arrival_is_an_item_with_the_first_hours(planned: Planned) -> None:
    found = planned()
    arrival = next(item for day in found.days for item in day.items if item.type == "arrival")

    assert (arrival.date, arrival.time, arrival.title) == ("2026-02-16", "15:45", "Land")
    assert arrival.why == " ".join(found.first_hours[1:])


def test_a_change_of_clocks_on_the_stay_is_said(planned: Planned) -> None:
    """Finding C11 a."""

    found = planned(
        origin_timezone="Europe/London",
        destination_timezone="America/New_York",
        departure_datetime="2027-11-04T11:00",
        arrival_datetime="2027-11-04T15:00",
    )

    assert any("Clocks in America/New_York go back by 1 hour on Nov 7" in note for note in found.notes)


def test_a_change_of_clocks_where_nobody_is_any_more_is_not_said(planned: Planned) -> None:
    found = planned(
        origin_timezone="America/New_York",
        destination_timezone="Europe/London",
        departure_datetime="2027-11-04T18:30",
        arrival_datetime="2027-11-05T06:15",
    )

    assert not [note for note in found.notes if note.startswith("Clocks in")]


def test_every_sleep_of_the_plan_s_nights_is_on_its_pages(planned: Planned) -> None:
    """Finding C11 b."""

    found = planned(usual_sleep_time="00:00", usual_wake_time="08:00")
    last = [item for item in found.days[-1].items if item.type == "sleep"]

    assert last or times(found, "sleep", found.days[-1].date)
