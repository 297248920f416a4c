"""What somebody reads who has just landed: when that is, what comes first, tonight, tomorrow morning."""

import json
from typing import Any

import pytest
from tests.circadian.conftest import SHARED, on_its_way

from packhorse_circadian import convert
from packhorse_circadian.domain.plan import plan
from packhorse_circadian.models import AdaptationPlan, PlanQuestion
from packhorse_circadian.service import JetLagDesk

TO_PARIS = {
    "origin_timezone": "America/New_York",
    "destination_timezone": "Europe/Paris",
    "departure_datetime": "2027-09-10T18:30",
    "arrival_datetime": "2027-09-11T08:00",
}
NEXT_DOOR = {
    "origin_timezone": "Europe/London",
    "destination_timezone": "Europe/Paris",
    "departure_datetime": "2027-09-10T10:00",
    "arrival_datetime": "2027-09-10T12:20",
    "prep_days": 0,
}
BEFORE_DAWN = {
    "origin_timezone": "Europe/London",
    "destination_timezone": "Asia/Kolkata",
    "departure_datetime": "2027-02-01T13:00",
    "arrival_datetime": "2027-02-02T03:00",
}
SLEEPS_BY_DAY = {
    "origin_timezone": "America/New_York",
    "destination_timezone": "Europe/London",
    "departure_datetime": "2027-09-10T18:30",
    "arrival_datetime": "2027-09-11T06:30",
    "usual_sleep_time": "09:00",
    "usual_wake_time": "17:00",
}
AFTER_MIDNIGHT = {
    "origin_timezone": "Europe/London",
    "destination_timezone": "America/New_York",
    "departure_datetime": "2027-05-10T20:30",
    "arrival_datetime": "2027-05-11T00:30",
}
ONE_NIGHT = {
    "origin_timezone": "America/New_York",
    "destination_timezone": "Europe/London",
    "departure_datetime": "2027-05-10T19:00",
    "arrival_datetime": "2027-05-11T07:00",
    "return_flight": {"departure_datetime": "2027-05-12T11:00", "arrival_datetime": "2027-05-12T14:00"},
}
THERE_AND_BACK_IN_A_DAY = {
    "origin_timezone": "Europe/London",
    "destination_timezone": "Europe/Madrid",
    "departure_datetime": "2027-09-10T07:00",
    "arrival_datetime": "2027-09-10T10:20",
    "prep_days": 0,
    "return_flight": {"departure_datetime": "2027-09-10T19:00", "arrival_datetime": "2027-09-10T20:20"},
}

HOME_HOURS_FROM_FIVE = {
    "origin_timezone": "Europe/Berlin",
    "destination_timezone": "America/New_York",
    "departure_datetime": "2027-04-12T17:00",
    "arrival_datetime": "2027-04-12T19:40",
    "return_flight": {"departure_datetime": "2027-04-14T21:30", "arrival_datetime": "2027-04-15T11:00"},
}

DOSE = "(optional; no driving or work for 5 h)"


def answered(arguments: dict[str, Any]) -> AdaptationPlan:
    question = PlanQuestion.model_validate_json(json.dumps(arguments), strict=True)
    made = plan(convert.trip_from(question))
    return convert.adaptation_plan_from(made, asked_prep_days=question.prep_days, detail="brief")


@pytest.mark.parametrize(
    ("trip", "lines"),
    [
        pytest.param(
            TO_PARIS,
            [
                "Landing: Sat Sep 11, 08:00, Europe/Paris time.",
                (
                    "After landing: stay up until 10:00, ordinary light; then 10:00-15:00 seek bright "
                    "light; 15:00-15:30 nap (optional); no caffeine from 13:30."
                ),
                f"First evening, Sat Sep 11: 21:30 melatonin 0.5 mg {DOSE}; in bed 22:30-06:30; sleep may come late.",
                (
                    "First morning, Sun Sep 12: get up at 06:30; nothing to do until 09:00, ordinary light; then "
                    "09:00-09:30 nap (optional); 09:30-14:30 seek bright light; no caffeine from 12:00."
                ),
            ],
            id="light after some idle hours",
        ),
        pytest.param(
            NEXT_DOOR,
            [
                "Landing: Fri Sep 10, 12:20, Europe/Paris time.",
                "After landing: stay up until bed at 23:00, ordinary light; no caffeine from 14:00.",
                "First evening, Fri Sep 10: ordinary light; in bed 23:00-07:00.",
                ("First morning, Sat Sep 11: get up at 07:00; nothing to do, ordinary light; no caffeine from 14:00."),
            ],
            id="nothing asked",
        ),
        pytest.param(
            BEFORE_DAWN,
            [
                "Landing: Tue Feb 2, 03:00, Asia/Kolkata time, in the night after Mon Feb 1.",
                (
                    "After landing: straight to bed without coffee, 04:30-09:30; then 09:30-14:30 seek bright "
                    "light; 14:30-15:00 nap (optional); no caffeine from 13:30."
                ),
                f"First evening, Tue Feb 2: 21:30 melatonin 0.5 mg {DOSE}; in bed 22:30-06:30; sleep may come late.",
                (
                    "First morning, Wed Feb 3: get up at 06:30; nothing to do until 09:30, ordinary light; then "
                    "09:30-14:30 seek bright light; no caffeine from 13:30."
                ),
            ],
            id="what is left of a night first",
        ),
        pytest.param(
            SLEEPS_BY_DAY,
            [
                "Landing: Sat Sep 11, 06:30, Europe/London time.",
                "After landing: stay up until bed at 09:00, ordinary light; no caffeine that day.",
                "First night, Sat Sep 11: ordinary light; in bed 09:00-17:00; sleep may come late.",
                (
                    "After the first night, Sat Sep 11: get up at 17:00; nothing to do until 19:30, ordinary "
                    "light; then 19:30-00:30 seek bright light; no caffeine from 23:00."
                ),
            ],
            id="who sleeps by day",
        ),
        pytest.param(
            AFTER_MIDNIGHT,
            [
                "Landing: Tue May 11, 00:30, America/New_York time, in the night after Mon May 10.",
                "After landing: stay up until bed at 02:00, ordinary light; no caffeine before bed.",
                "First night, Mon May 10 to Tue May 11: ordinary light; in bed 02:00-10:00.",
                (
                    "First morning, Tue May 11: get up at 10:00; 10:15 melatonin 0.5 mg "
                    "(optional; a dose after waking moves your clock later; no driving or work for 5 h); "
                    "18:30-22:00 seek bright light; no caffeine from 15:00."
                ),
            ],
            id="landed after midnight",
        ),
        pytest.param(
            ONE_NIGHT,
            [
                "Landing: Tue May 11, 07:00, Europe/London time.",
                (
                    "After landing: straight to bed without coffee, 08:30-14:30; then stay up until bed at "
                    "01:00, ordinary light; no caffeine from 16:00."
                ),
                (
                    "First evening, Tue May 11: ordinary light; in bed 01:00-08:00 (after midnight); sleep "
                    "may come late."
                ),
                "First morning, Wed May 12: get up at 08:00; nothing to do, ordinary light; fly at 11:00.",
                "Way back. Landing: Wed May 12, 14:00, America/New_York time.",
                "After landing: stay up until bed at 23:00, ordinary light; no caffeine that day.",
                "First evening, Wed May 12: ordinary light; in bed 23:00-07:00.",
                ("First morning, Thu May 13: get up at 07:00; nothing to do, ordinary light; no caffeine from 14:00."),
            ],
            id="one night by home hours, cut by the flight back",
        ),
        pytest.param(
            THERE_AND_BACK_IN_A_DAY,
            [
                "Landing: Fri Sep 10, 10:20, Europe/Madrid time.",
                "After landing: nothing to do, ordinary light; no night there, you fly on at 19:00.",
                "Way back. Landing: Fri Sep 10, 20:20, Europe/London time.",
                "After landing: stay up until bed at 23:00, ordinary light; no caffeine that day.",
                "First evening, Fri Sep 10: ordinary light; in bed 23:00-07:00.",
                ("First morning, Sat Sep 11: get up at 07:00; nothing to do, ordinary light; no caffeine from 14:00."),
            ],
            id="home again on the same day",
        ),
    ],
)
def test_a_plan_says_what_to_do_on_landing_tonight_and_tomorrow_morning(trip: dict[str, Any], lines: list[str]) -> None:
    answer = answered(trip)

    assert answer.first_hours == lines
    assert "\n".join(lines) in convert.text_from(answer)


def test_the_night_of_an_evening_landing_is_the_first_night_though_the_next_begins_within_twenty_hours() -> None:
    assert answered(HOME_HOURS_FROM_FIVE).first_hours[1:4] == [
        "After landing: 20:15-21:00 keep light dim; no caffeine that day.",
        "First evening, Mon Apr 12: 20:15-21:00 keep light dim; in bed 21:10-03:30.",
        "First morning, Tue Apr 13: get up at 03:30; 03:30-06:30 seek bright light; no caffeine from 08:00.",
    ]


def test_the_first_night_and_the_first_light_are_those_of_the_days() -> None:
    trips = SHARED / "trips.json"
    if not trips.exists():
        pytest.skip("no trips.json beside the checkout")
    for trip in json.loads(trips.read_text()):
        answer = answered(trip["arguments"])
        there = [item for day in answer.days for item in map(str, day.items) if day.timezone in answer.first_hours[0]]
        assert len(convert.text_from(answer)) / 3.3 <= 1700, trip["name"]
        assert answer.first_hours[0].split(", ")[1] in next(item for item in there if item.endswith("land")), trip
        for line in answer.first_hours[1:4]:
            for told in line.rstrip(".").partition(": ")[2].split("; "):
                if " until " in told and "seek" in told:
                    assert any(f"-{told[-5:]} seek bright light" in item for item in there), (trip["name"], line)
                elif "seek" in told or "keep" in told or "in bed" in told:
                    hours, _, what = told.removeprefix("then ").replace("in bed ", "").partition(" ")
                    what = "sleep" if "in bed" in told else what
                    assert any(item.startswith(f"{hours} ") and what in item for item in there), (trip["name"], line)


def test_a_plan_made_again_tells_what_of_them_is_still_to_come() -> None:
    trip = on_its_way({**TO_PARIS, "now_datetime": "2027-09-11T12:00"})
    question = convert.journeys.ReplanQuestion.model_validate(trip)
    asked = convert.trip_from(convert.question_from_line(question.trip))
    now = convert.moment_asked(question, asked)
    assert now is not None
    found = JetLagDesk(lambda: now).replan(asked, convert.doings_from(question, asked, now))
    files = convert.remaining_files_from(question, asked, now)
    answer = convert.replanned_from(found, now, question, asked_prep_days=3, files=files)

    assert [line.partition(",")[0] for line in answer.plan.first_hours] == ["First evening", "First morning"]
