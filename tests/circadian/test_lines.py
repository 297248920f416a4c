"""A plan in lines, as somebody reads it who has just landed."""

import json
from datetime import date, timedelta
from functools import cache
from typing import Any

import pytest

from packhorse_circadian import convert
from packhorse_circadian.domain.evenings import lands_at_night
from packhorse_circadian.domain.plan import plan
from packhorse_circadian.models import AdaptationPlan, PlanQuestion

TO_JOHANNESBURG = {
    "origin_timezone": "America/Toronto",
    "destination_timezone": "Africa/Johannesburg",
    "departure_datetime": "2027-01-20T20:00",
    "arrival_datetime": "2027-01-21T18:00",
}
TO_NEW_YORK = {
    "origin_timezone": "Europe/Paris",
    "destination_timezone": "America/New_York",
    "departure_datetime": "2027-09-10T10:30",
    "arrival_datetime": "2027-09-10T13:00",
}
OWL_TO_LOS_ANGELES = {
    "origin_timezone": "Europe/London",
    "destination_timezone": "America/Los_Angeles",
    "departure_datetime": "2027-07-20T11:00",
    "arrival_datetime": "2027-07-20T14:00",
    "usual_sleep_time": "02:00",
    "usual_wake_time": "10:00",
    "chronotype": "owl",
}
TO_LONDON_OVERNIGHT = {
    "origin_timezone": "America/New_York",
    "destination_timezone": "Europe/London",
    "departure_datetime": "2027-05-10T19:00",
    "arrival_datetime": "2027-05-11T07:00",
}
TO_DUBAI = {
    "origin_timezone": "America/Chicago",
    "destination_timezone": "Asia/Dubai",
    "departure_datetime": "2027-01-20T20:00",
    "arrival_datetime": "2027-01-21T20:00",
}
TO_ATHENS = {
    "origin_timezone": "Europe/London",
    "destination_timezone": "Europe/Athens",
    "departure_datetime": "2027-06-10T20:30",
    "arrival_datetime": "2027-06-11T02:00",
    "prep_days": 1,
}
TO_BERLIN_FOR_WORK = {
    "origin_timezone": "America/New_York",
    "destination_timezone": "Europe/Berlin",
    "departure_datetime": "2027-10-03T17:00",
    "arrival_datetime": "2027-10-04T06:00",
    "work_hours": {"start": "09:00", "end": "18:00"},
}
TO_HONOLULU_BY_NIGHT = {
    "origin_timezone": "Pacific/Auckland",
    "destination_timezone": "Pacific/Honolulu",
    "departure_datetime": "2027-01-10T23:55",
    "arrival_datetime": "2027-01-10T09:30",
    "prep_days": 0,
}
TO_ROME_BY_DOHA = {
    "origin_timezone": "Pacific/Auckland",
    "destination_timezone": "Europe/Rome",
    "departure_datetime": "2027-07-14T19:55",
    "arrival_datetime": "2027-07-15T14:30",
    "layovers": [
        {
            "timezone": "Asia/Qatar",
            "arrival_datetime": "2027-07-15T03:50",
            "departure_datetime": "2027-07-15T09:10",
        }
    ],
}
TO_SYDNEY_WITH_A_NIGHT_BETWEEN = {
    "origin_timezone": "Europe/London",
    "destination_timezone": "Australia/Sydney",
    "departure_datetime": "2027-02-10T11:00",
    "arrival_datetime": "2027-02-13T06:00",
    "layovers": [
        {
            "timezone": "Asia/Singapore",
            "arrival_datetime": "2027-02-11T08:00",
            "departure_datetime": "2027-02-12T07:50",
        }
    ],
}


@cache
def answered(arguments: str) -> AdaptationPlan:
    question = PlanQuestion.model_validate_json(arguments, strict=True)
    made = plan(convert.trip_from(question))
    return convert.adaptation_plan_from(made, asked_prep_days=question.prep_days, detail="brief")


def read(arguments: dict[str, Any]) -> tuple[AdaptationPlan, dict[tuple[str, str], list[str]]]:
    """The answer in lines, and the items by date and place."""
    answer = answered(json.dumps(arguments))
    lines = {}
    for day in answer.days:
        for n in range((date.fromisoformat(day.until or day.date) - date.fromisoformat(day.date)).days + 1):
            lines[str(date.fromisoformat(day.date) + timedelta(days=n)), day.timezone] = list(map(str, day.items))
    return answer, lines


def test_the_line_of_a_date_ends_with_its_night_though_that_begins_after_midnight() -> None:
    _, lines = read(TO_NEW_YORK)

    assert lines["2027-09-10", "America/New_York"][-1] == (
        "00:00-08:00 sleep (1 hour later than usual; to move your clock; after midnight)"
    )
    assert not any(item.startswith("00:00-08:00") for item in lines["2027-09-11", "America/New_York"][:-1])


def test_every_line_has_one_clock_that_of_where_the_traveller_is() -> None:
    """A line under London's clock said when a flight leaves by that of the stop and lands by a third."""
    answer, lines = read(TO_SYDNEY_WITH_A_NIGHT_BETWEEN)

    assert lines["2027-02-10", "Europe/London"][-2] == "11:00 fly"
    assert lines["2027-02-11", "Asia/Singapore"] == ["08:00 land", "20:00-04:00 sleep at the stop"]
    assert lines["2027-02-12", "Asia/Singapore"][0] == "07:50 fly"
    assert lines["2027-02-13", "Australia/Sydney"][0] == "06:00 land"
    assert not any("time" in item for day in answer.days for item in map(str, day.items))


TO_SINGAPORE_BY_NIGHT = {
    "origin_timezone": "America/New_York",
    "destination_timezone": "Asia/Singapore",
    "departure_datetime": "2027-09-20T22:30",
    "arrival_datetime": "2027-09-22T05:30",
    "prep_days": 1,
}
OWL_TO_SAO_PAULO = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "America/Sao_Paulo",
    "departure_datetime": "2027-04-05T13:10",
    "arrival_datetime": "2027-04-06T05:05",
    "chronotype": "owl",
    "usual_wake_time": "08:00",
    "usual_sleep_time": "00:00",
    "prep_days": 2,
}
OWL_TO_BANGKOK = {
    "origin_timezone": "Europe/Berlin",
    "destination_timezone": "Asia/Bangkok",
    "departure_datetime": "2027-01-09T14:30",
    "arrival_datetime": "2027-01-10T06:45",
    "usual_wake_time": "07:30",
    "usual_sleep_time": "23:30",
    "chronotype": "owl",
}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (TO_SINGAPORE_BY_NIGHT, "none on the way out from 15:00 on Sep 20 to 16:30 on Sep 21, America/New_York time."),
        (OWL_TO_SAO_PAULO, "none at all on the way out from 11:00 on Apr 5, America/Los_Angeles time."),
        (OWL_TO_BANGKOK, "none on the way out from 08:30 to 23:45 on Jan 9, Europe/Berlin time."),
    ],
    ids=["two sleeps on board", "to what is left of the night after landing", "one sleep on board"],
)
def test_coffee_stops_before_the_first_sleep_of_the_journey(arguments: dict[str, Any], told: str) -> None:
    """One read that the last cup was at 02:00, two hours into the sleep on board."""
    answer, _ = read(arguments)

    assert [note.partition("so ")[2] for note in answer.notes if note.startswith("No caffeine")] == [told]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (OWL_TO_SAO_PAULO, "at the destination seek bright light in the morning on Apr 6."),
        (
            TO_SINGAPORE_BY_NIGHT,
            "at the destination (when the day says so) keep light dim in the morning and seek bright light.",
        ),
        (OWL_TO_BANGKOK, "(bed at 22:30 and 21:30; sleep may come late)"),
    ],
    ids=["light on one day", "dim and bright light", "wakeful nights"],
)
def test_the_first_line_agrees_with_the_days(arguments: dict[str, Any], told: str) -> None:
    assert told in read(arguments)[0].summary.key_advice


def test_sleep_on_board_stands_before_the_landing_at_the_stop_that_follows_it() -> None:
    answer, _ = read(TO_ROME_BY_DOHA)
    day = "2027-07-15"
    read_in_order = [(one.timezone, one.items) for one in answer.days if one.date == day]

    assert [zone for zone, _ in read_in_order] == ["Pacific/Auckland", "Asia/Qatar", "Europe/Rome"]
    assert read_in_order[1][1] == ["03:50 land", "09:10 fly"]


def test_a_dose_at_home_on_a_working_afternoon_is_to_be_skipped_where_work_or_a_drive_follows() -> None:
    _, lines = read(OWL_TO_BANGKOK)
    home = [item for (_, zone), day in lines.items() if zone == "Europe/Berlin" for item in day if "melatonin" in item]

    assert home
    assert all(dose.endswith("(optional; skip it if you will drive or work within 5 h)") for dose in home)


@pytest.mark.parametrize("arguments", [TO_JOHANNESBURG, TO_BERLIN_FOR_WORK, TO_HONOLULU_BY_NIGHT])
def test_the_first_line_asks_for_light_only_where_the_days_do(arguments: dict[str, Any]) -> None:
    answer, lines = read(arguments)
    there = [item for (_, zone), day in lines.items() if zone == arguments["destination_timezone"] for item in day]
    after = answer.summary.key_advice.lower().partition("at the destination")[2]

    assert ("seek bright light" in after) == any("seek bright light" in item for item in there)
    assert ("keep light dim" in after) == any("keep light dim" in item for item in there)


def test_hours_of_work_that_take_all_the_light_are_named() -> None:
    answer, _ = read(TO_BERLIN_FOR_WORK)

    assert answer.summary.key_advice.endswith("the light that would help falls into your work.")
    assert any("falls into your hours at work, so none is asked for" in note for note in answer.notes)


def test_the_first_line_has_the_hours_of_bed_that_the_nights_have() -> None:
    """One ended "until you have moved 3 hours" where the flight cut the third night."""
    answer, lines = read(TO_NEW_YORK)

    assert answer.summary.key_advice.startswith(
        "Go to bed and get up 1 hour later each day from Sep 8 (bed at 00:00; at 23:30 the last night, for the "
        "flight), with"
    )
    nights = [lines[f"2027-09-0{day}", "Europe/Paris"][-1][:5] for day in (7, 8, 9)]
    assert nights == ["23:00", "00:00", "23:30"]


def test_of_one_night_no_first_line_says_each_day() -> None:
    answer, _ = read(TO_ATHENS)

    assert answer.summary.key_advice.startswith("Go to bed and get up 1 hour earlier on Jun 9 (bed at 22:00), with")


def test_a_line_of_light_says_what_leaving_it_out_costs() -> None:
    answer, lines = read(TO_NEW_YORK)
    light = [item for day in lines.values() for item in day if " bright light" in item or " light dim" in item]

    assert "18:00-23:00 seek bright light (matters most: 0.6 day)" in light
    assert all(": 0." in item and " day" in item for item in light)
    assert any("in brackets stand the days that skipping it costs" in note for note in answer.notes)


def test_a_dose_of_melatonin_in_the_morning_says_that_it_is_meant() -> None:
    _, lines = read(TO_NEW_YORK)
    doses = [item for day in lines.values() for item in day if "melatonin" in item]

    assert doses
    assert "a dose after waking moves your clock later; no driving" in doses[0]
    assert all(dose.endswith("(optional; no driving or work for 5 h)") for dose in doses[1:]), "said once"


def test_a_child_s_plan_says_that_it_is_one_and_which_hours_it_assumes() -> None:
    """A nine-year-old was planned with the eight hours from 23:00 of a grown sleeper."""
    answer, lines = read(TO_JOHANNESBURG | {"age": 9})
    told, _ = read(TO_JOHANNESBURG | {"age": 9, "usual_sleep_time": "20:30"})
    grown, _ = read(TO_JOHANNESBURG | {"age": 18})

    assert answer.summary.key_advice.startswith("For a child of 9, taken to sleep from 22:00 to 07:00: go to bed")
    assert answer.notes[0].startswith("A plan for a child of 9: without caffeine or melatonin.")
    assert "Ask again with usual_sleep_time and usual_wake_time." in answer.notes[0]
    assert lines["2027-01-23", "Africa/Johannesburg"][-1] == "22:00-07:00 sleep"
    assert told.summary.key_advice.startswith("For a child of 9: go to bed")
    assert "assumed" not in told.notes[0]
    assert not any("child" in note for note in grown.notes)


def test_a_night_lost_over_one_hour_of_shift_is_in_the_days() -> None:
    """Finding C11 e."""

    answer, _ = read(TO_HONOLULU_BY_NIGHT)

    assert answer.model_days.plan == answer.model_days.no_plan == 1.0
    assert answer.model_days.high == 1.5


def test_light_after_midnight_stands_before_the_night_of_its_evening() -> None:
    _, lines = read(OWL_TO_LOS_ANGELES)

    assert [item[:11] for item in lines["2027-07-18", "Europe/London"]][-2:] == ["00:00-04:00", "04:00-12:00"]
    assert lines["2027-07-18", "Europe/London"][-2].endswith("day; after midnight)")
    assert not any(item.startswith("00:00-04:00") for item in lines["2027-07-19", "Europe/London"])


def test_the_last_line_has_its_night_too() -> None:
    _, lines = read(OWL_TO_LOS_ANGELES)

    assert lines["2027-07-25", "America/Los_Angeles"][-1] == "02:00-10:00 sleep (after midnight)"


def test_days_that_ask_for_the_same_are_one_line_until_the_flight_back() -> None:
    """Between the last day of light and the flight back days had no line at all."""
    back = {"departure_datetime": "2027-09-24T18:00", "arrival_datetime": "2027-09-25T07:00"}
    answer, lines = read(TO_NEW_YORK | {"return_flight": back})
    text = convert.text_from(answer)

    assert lines["2027-09-20", "America/New_York"] == lines["2027-09-23", "America/New_York"] == ["23:00-07:00 sleep"]
    assert " to Thu Sep 23: 23:00-07:00 sleep" in text


def test_the_evening_before_a_flight_after_midnight_says_when_to_leave_and_the_flight_has_a_rest() -> None:
    """Somebody who flies at 02:00 was kept awake for 28 hours without a word."""
    _, lines = read(
        {
            "origin_timezone": "Asia/Hong_Kong",
            "destination_timezone": "America/New_York",
            "departure_datetime": "2027-07-20T02:00",
            "arrival_datetime": "2027-07-20T06:00",
            "prep_days": 1,
        }
    )

    assert lines["2027-07-19", "Asia/Hong_Kong"][-1] == (
        "23:00 leave for the flight at 02:00 (after midnight, on Jul 20): sleep on the plane"
    )
    assert [item[:11] for item in lines["2027-07-20", "Asia/Hong_Kong"][1:]] == ["02:45-05:45", "11:00-17:00"]


def test_no_dose_on_waking_falls_on_a_working_morning() -> None:
    """Doses at 07:15 stood on Monday mornings at home, and before work at the destination."""
    _, lines = read(TO_NEW_YORK)
    doses = [(day, zone) for (day, zone), items in lines.items() if any("melatonin" in item for item in items)]
    _, at_work = read(TO_NEW_YORK | {"work_hours": {"start": "09:00", "end": "17:00"}})
    working = [day for (day, zone), items in at_work.items() if any("melatonin" in item for item in items)]

    assert ("2027-09-08", "Europe/Paris") not in doses, "a Wednesday"
    assert [day for day in working if date.fromisoformat(day).weekday() < 5] == []


HEAVY = {
    "origin_timezone": "Australia/Sydney",
    "destination_timezone": "Europe/London",
    "departure_datetime": "2027-03-01T15:00",
    "arrival_datetime": "2027-03-02T05:30",
    "layovers": [
        {
            "timezone": "Asia/Singapore",
            "arrival_datetime": "2027-03-01T20:20",
            "departure_datetime": "2027-03-01T23:30",
        }
    ],
    "return_flight": {"departure_datetime": "2027-03-16T12:00", "arrival_datetime": "2027-03-17T18:30"},
}


KOLKATA = {
    "origin_timezone": "America/New_York",
    "destination_timezone": "Asia/Kolkata",
    "departure_datetime": "2027-03-05T13:00",
    "arrival_datetime": "2027-03-06T14:30",
    "return_flight": {"departure_datetime": "2027-03-20T12:00", "arrival_datetime": "2027-03-20T17:30"},
    "prep_days": 7,
}


@pytest.mark.parametrize(
    ("trip", "kept", "left_out"),
    [
        (HEAVY, ("Mar 1", "Mar 2", "Mar 3", "Mar 4", "Mar 16", "Mar 17", "Mar 18"), "Mar 24"),
        (KOLKATA, ("Feb 26", "Mar 5", "Mar 6", "Mar 7", "Mar 20", "Mar 21"), "Mar 25"),
    ],
    ids=["three days of preparation", "seven"],
)
def test_a_page_never_costs_more_than_1700_tokens_and_keeps_the_first_days(
    trip: dict[str, Any], kept: tuple[str, ...], left_out: str
) -> None:
    """Of a return trip with fourteen nights between it cost 2,100."""
    question = PlanQuestion.model_validate(trip)
    answer, _ = read(trip)
    files = convert.files_from(question, convert.trip_from(question))
    text = convert.text_from(answer.model_copy(update={"trip": convert.line_from(question), "files": files}))

    assert len(text) / 3.3 <= 1700
    assert [day for day in kept if f" {day}: " not in text] == []
    later = next(line for line in text.splitlines() if "Ask each day" in line and f" {left_out}: begins with" in line)
    first = later.partition(": begins with ")[2].partition(". Ask each day")[0]
    assert any(first in map(str, day.items) for day in answer.days), "the whole of what is first"
    last = answer.days[-1].until or answer.days[-1].date
    assert last.endswith(left_out.replace("Mar ", "-03-")), "the data leave nothing out"


QUIET_WEEKS = {
    "origin_timezone": "America/Los_Angeles",
    "destination_timezone": "Europe/Paris",
    "departure_datetime": "2027-05-10T15:30",
    "arrival_datetime": "2027-05-11T11:00",
    "return_flight": {"departure_datetime": "2027-06-02T10:30", "arrival_datetime": "2027-06-02T13:00"},
    "prep_days": 7,
}


def test_of_a_long_stay_whose_page_is_too_long_no_night_without_anything_else_is_left_out() -> None:
    text = convert.text_from(read(QUIET_WEEKS)[0])

    assert "Ask each day" in text
    assert " to Tue Jun 1: 23:00-07:00 sleep" in text


OVER_THE_CHANGE = {
    "origin_timezone": "Europe/Berlin",
    "destination_timezone": "Asia/Tokyo",
    "departure_datetime": "2027-10-31T02:30",
    "arrival_datetime": "2027-10-31T21:30",
}
IN_THE_CHANGE = {
    "origin_timezone": "Africa/Lagos",
    "destination_timezone": "America/New_York",
    "departure_datetime": "2027-11-06T18:30",
    "arrival_datetime": "2027-11-07T01:30",
}


@pytest.mark.parametrize(
    ("trip", "told"),
    [
        (OVER_THE_CHANGE, "02:30 fly (02:30 before clocks go back); 02:15-07:00 sleep on board (02:15 after clocks go"),
        (IN_THE_CHANGE, "01:30 land (01:30 before clocks go back)"),
        (IN_THE_CHANGE, "Landing: Sun Nov 7, 01:30 (before clocks go back), America/New_York time, in the night after"),
    ],
    ids=["a flight, and sleep after it", "a landing", "its first line"],
)
def test_of_an_hour_that_comes_twice_a_line_says_which(trip: dict[str, Any], told: str) -> None:
    assert told in convert.text_from(read(trip | {"prep_days": 0})[0])


def test_a_night_at_other_hours_says_why_and_the_previous_night_stands_under_no_date() -> None:
    """Of a late sleeper the first date began with the night before, and that before the flight back stood twice."""
    back = {"departure_datetime": "2027-08-04T16:00", "arrival_datetime": "2027-08-05T11:00"}
    answer, lines = read(OWL_TO_LOS_ANGELES | {"return_flight": back})
    nights = [(key, item) for key, items in lines.items() for item in items if " sleep" in item and "board" not in item]

    assert all(item.endswith("after midnight)") for _, item in nights), "he sleeps from 02:00"
    assert [sum("sleep" in item for item in items) for _, items in lines.items()].count(2) == 0
    assert "sleep" not in lines["2027-08-04", "America/Los_Angeles"][0]
    moved = [item for key, item in nights if key[0] > "2027-07-20" and not item.startswith("02:00")]
    assert all("than usual" in item or "for the flight" in item for item in moved)
    assert "Each night stands under the date of its evening" in convert.text_from(answer)


@pytest.mark.parametrize(
    ("trip", "at_night"),
    [(TO_ATHENS, True), (TO_ROME_BY_DOHA, True), (TO_DUBAI, False), (TO_LONDON_OVERNIGHT, False)],
    ids=["at 02:00", "at a stop, 03:50", "in the evening", "in the morning"],
)
def test_a_landing_at_night_is_known_from_the_flights(trip: dict[str, Any], at_night: bool) -> None:
    made = plan(convert.trip_from(PlanQuestion.model_validate(trip)))

    assert lands_at_night(made) is at_night
    assert not lands_at_night(made, since=made.trip.arrival), "it is over"


def test_only_after_a_landing_at_night_does_a_page_say_under_which_date_that_night_stands() -> None:
    answer, _ = read(OWL_TO_LOS_ANGELES)
    said = "after a landing at night, under that of landing"

    assert said in convert.text_from(answer, night_landing=True)
    assert said not in convert.text_from(answer)


def test_the_way_back_has_its_hours_without_caffeine() -> None:
    back = {"departure_datetime": "2027-09-24T18:00", "arrival_datetime": "2027-09-25T07:00"}
    answer, _ = read(TO_NEW_YORK | {"return_flight": back})

    note = next(note for note in answer.notes if note.startswith("No caffeine"))
    assert "on the way back from " in note
    assert note.endswith(", America/New_York time.")


def test_the_night_before_a_flight_today_is_told_where_the_flight_cuts_it() -> None:
    _, lines = read(TO_NEW_YORK | {"prep_days": 0, "departure_datetime": "2027-09-10T08:00"})

    assert [item for item in lines["2027-09-09", "Europe/Paris"] if "sleep" in item] == [
        "21:00-05:00 sleep (for the flight)"
    ]


def test_of_a_stay_by_home_hours_every_night_is_told() -> None:
    """The lines ended after three days of four, and the last night before the flight back stood alone."""
    back = {"departure_datetime": "2027-05-15T11:00", "arrival_datetime": "2027-05-15T14:00"}
    _, lines = read(TO_LONDON_OVERNIGHT | {"return_flight": back})
    nights = [lines[f"2027-05-{day}", "Europe/London"][-1] for day in (11, 12, 13, 14)]

    assert [night.partition(" ")[0] for night in nights] == ["04:00-12:00"] * 3 + ["01:00-08:00"]


def test_the_night_before_a_flight_back_is_told_once() -> None:
    _, lines = read(
        {
            "origin_timezone": "Europe/London",
            "destination_timezone": "Asia/Dubai",
            "departure_datetime": "2027-11-16T09:30",
            "arrival_datetime": "2027-11-16T20:30",
            "return_flight": {"departure_datetime": "2027-11-19T14:30", "arrival_datetime": "2027-11-19T18:20"},
        }
    )

    assert [item for item in lines["2027-11-18", "Asia/Dubai"] if "sleep" in item] == [
        "03:00-11:00 sleep (after midnight)"
    ]


def test_a_night_that_goes_on_moving_past_six_stays_with_its_evening() -> None:
    _, lines = read(TO_DUBAI | {"prep_days": 7})

    assert [item[:11] for item in lines["2027-01-19", "America/Chicago"]][-2:] == ["00:00-05:00", "06:00-14:00"]
    assert lines["2027-01-19", "America/Chicago"][-1].endswith("sleep (after midnight)")


def test_half_a_day_is_no_day_in_words_and_one_is_a_day() -> None:
    back = {"departure_datetime": "2027-05-14T11:00", "arrival_datetime": "2027-05-14T14:00"}
    answer, lines = read(TO_LONDON_OVERNIGHT | {"return_flight": back, "short_stay": "half"})

    assert answer.return_days is not None
    assert answer.return_days.high == 0.5
    back_home = "After the way back: when you land for half of people, 1 day after landing for the slow"
    assert any(note.startswith(back_home) for note in answer.notes)
    assert any(": 1.0 day)" in item for item in lines["2027-05-14", "America/New_York"])
    assert answer.summary.key_advice.startswith(
        "Sleep half way between home and local hours, about 01:30 to 09:30 there"
    )


@pytest.mark.parametrize(
    ("route", "departure", "arrival", "told"),
    [
        (
            ("America/Los_Angeles", "Europe/Berlin"), "2027-09-14T10:20", "2027-09-15T06:10",
            "People's clocks lie hours apart by then: tell that hour",
        ),
        (("America/Los_Angeles", "America/New_York"), "2027-09-14T10:20", "2027-09-14T18:40", None),
        (
            ("Europe/London", "America/Los_Angeles"), "2027-06-15T12:00", "2027-06-15T15:00",
            "If two hours or more from",
        ),
    ],
    ids=["nine hours east", "three hours east", "eight hours west"],
)  # fmt: skip
def test_an_hour_to_compare_with_is_told_only_where_most_bodies_share_it(
    route: tuple[str, str], departure: str, arrival: str, told: str | None
) -> None:
    origin, destination = route
    given = {"origin_timezone": origin, "destination_timezone": destination}
    answer, _ = read({**given, "departure_datetime": departure, "arrival_datetime": arrival})
    asked = [note for note in answer.notes if "the third day there" in note]
    assert (told in asked[0]) if told else not asked
