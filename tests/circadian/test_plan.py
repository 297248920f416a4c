"""What a plan says on well-known trips."""

from collections.abc import Callable
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


def test_a_delay_goes_to_bed_later_with_bright_evenings_and_dim_mornings(planned: Planned) -> None:
    plan = planned()

    assert times(plan, "sleep", "2026-02-13") == [("00:00", "08:00")]
    assert times(plan, "bright_light", "2026-02-12") == [("21:00", "00:00")]
    assert times(plan, "dim_light", "2026-02-12") == [("07:00", "10:00")]
    assert times(plan, "melatonin", "2026-02-12") == [("07:15", None)]
    assert "1 hour later each day from Feb 12" in plan.summary.key_advice
    assert "bright light in the evening and none before 10:00" in plan.summary.key_advice


def test_an_advance_goes_to_bed_earlier_with_bright_mornings_and_dim_evenings(planned: Planned) -> None:
    plan = planned(**SFO_TO_LHR)

    assert times(plan, "sleep", "2026-06-07") == [("22:00", "06:00")]
    assert times(plan, "bright_light", "2026-06-08") == [("06:00", "09:00")]
    assert times(plan, "dim_light", "2026-06-07") == [("19:00", "22:00")]
    assert times(plan, "melatonin", "2026-06-07") == [("17:00", None)]
    assert "1 hour earlier each day from Jun 7" in plan.summary.key_advice
    assert "bright light on waking and dim light in the evening" in plan.summary.key_advice


def test_far_east_the_morning_before_the_low_is_dim(planned: Planned) -> None:
    plan = planned(**HONG_KONG_TO_SFO, prep_days=0)

    assert times(plan, "dim_light", "2026-06-10") == [("10:00", "12:00")]
    assert times(plan, "bright_light", "2026-06-10") == [("12:00", "15:00")]


def test_a_red_eye_is_slept_on_board_and_not_after_departure_at_home(planned: Planned) -> None:
    plan = planned(**SFO_TO_LHR)
    departure_day = next(day for day in plan.days if day.day == 0)

    assert times(plan, "in_flight_sleep", "2026-06-10") == [("18:00", "01:45")]
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

    assert times(plan, "sleep", "2026-06-11")[0] == ("03:30", "11:30")


@pytest.mark.parametrize(
    ("arrival", "naps"),
    [
        pytest.param("09:30", [("12:00", "12:30")], id="not before two and a half hours after landing"),
        pytest.param("10:30", [], id="none that would end less than seven hours before bed"),
    ],
)
def test_the_arrival_day_has_a_nap_where_it_spoils_nothing(
    planned: Planned, arrival: str, naps: list[tuple[str, str]]
) -> None:
    plan = planned(
        origin_timezone="Europe/London",
        destination_timezone="America/New_York",
        departure_datetime="2026-07-20T07:30",
        arrival_datetime=f"2026-07-20T{arrival}",
        prep_days=0,
    )

    assert times(plan, "sleep", "2026-07-20") == [("20:00", "04:00")]
    assert times(plan, "nap", "2026-07-20") == naps


@pytest.mark.parametrize("off", ["melatonin", "caffeine"])
def test_what_is_turned_off_is_nowhere_in_the_plan(planned: Planned, off: str) -> None:
    plan = planned(interventions={off: False})

    assert not [kind for kind in kinds(plan.days) if kind.startswith(off)]
    assert [kind for kind in kinds(planned().days) if kind.startswith(off)]
    assert off not in plan.caution.lower()


def test_no_shift_means_no_light_and_no_melatonin(planned: Planned) -> None:
    plan = planned(**PARIS_TO_BERLIN, prep_days=1)

    assert kinds(plan.days) == {"wake", "sleep", "caffeine_ok", "caffeine_cutoff"}
    assert (plan.summary.total_days, plan.summary.shift_direction) == (2, "none")


def test_a_shift_of_an_hour_needs_no_medicine(planned: Planned) -> None:
    plan = planned(**{**PARIS_TO_BERLIN, "destination_timezone": "Europe/Athens"})

    assert "bright_light" in kinds(plan.days)
    assert "melatonin" not in kinds(plan.days)


@pytest.mark.parametrize(
    ("prep_days", "after"),
    [pytest.param(0, 8, id="none"), pytest.param(3, 5, id="three"), pytest.param(7, 1, id="all of it at home")],
)
def test_each_day_of_preparation_saves_one_after(planned: Planned, prep_days: int, after: int) -> None:
    assert planned(prep_days=prep_days).summary.post_arrival_days == after


def test_fully_prepared_nothing_is_left_to_order_after_landing(planned: Planned) -> None:
    plan = planned(prep_days=7)

    assert plan.days[-1].hours_left == 0
    assert not {"bright_light", "dim_light", "melatonin", "nap"} & kinds([plan.days[-1]])


@pytest.mark.parametrize(
    ("changed", "note"),
    [
        pytest.param({}, "slower than the quick estimate", id="how it was made"),
        pytest.param({}, "No caffeine on board after 18:00 America/Los_Angeles time", id="a cut-off in the air"),
        pytest.param(
            {
                "origin_timezone": "Europe/London",
                "departure_datetime": "2026-10-25T01:30",
                "arrival_datetime": "2026-10-25T22:00",
            },
            "departure_datetime occurs twice that night in Europe/London; the first was taken.",
            id="a repeated hour",
        ),
        pytest.param(
            {
                "origin_timezone": "Europe/London",
                "destination_timezone": "Europe/London",
                "departure_datetime": "2026-10-25T01:45",
                "arrival_datetime": "2026-10-25T01:15",
            },
            "arrival_datetime occurs twice that night in Europe/London; the second was taken.",
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
