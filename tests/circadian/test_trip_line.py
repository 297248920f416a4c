"""A trip as one line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packhorse import UserError
from packhorse_circadian import convert
from packhorse_circadian.models import Interventions, PlanQuestion, ReturnFlight, StopOver, WorkHours

RICH = (
    "America/Los_Angeles 2027-02-15T11:30 > Europe/London 2027-02-16T06:00/2027-02-16T09:00 > "
    "Asia/Tokyo 2027-02-17T05:45 < 2027-02-25T17:00 2027-02-25T10:20; prep 2; sleep 22:30-06:30; lux 10000; lark; "
    "age 44; no caffeine; dose 3 mg"
)
clocks = st.sampled_from(["05:15", "07:00", "22:30", "23:00", "00:45"])
stops = st.builds(
    StopOver,
    timezone=st.sampled_from(["Asia/Dubai", "Etc/GMT+12"]),
    arrival_datetime=st.just("2027-02-16T06:00"),
    departure_datetime=st.just("2027-02-16T09:00"),
)
questions = st.builds(
    PlanQuestion,
    origin_timezone=st.sampled_from(["America/Port-au-Prince", "EST5EDT"]),
    destination_timezone=st.sampled_from(["America/Argentina/Buenos_Aires", "UTC"]),
    departure_datetime=st.just("2027-02-15T11:30"),
    arrival_datetime=st.just("2027-02-17T05:45"),
    prep_days=st.integers(0, 7),
    usual_wake_time=clocks,
    usual_sleep_time=clocks,
    destination_wake_time=st.just("07:30"),
    destination_sleep_time=clocks,
    interventions=st.builds(
        Interventions,
        melatonin=st.booleans(),
        caffeine=st.booleans(),
        naps=st.booleans(),
        exercise=st.booleans(),
        melatonin_dose=st.sampled_from(["0.5 mg", "3 mg"]),
        caffeine_mg=st.one_of(st.none(), st.integers(20, 400)),
        caffeine_half_life_hours=st.sampled_from([2.5, 5, 16]),
    ),
    layovers=st.lists(stops, max_size=3),
    return_flight=st.one_of(
        st.none(),
        st.just(ReturnFlight(departure_datetime="2027-02-25T17:00", arrival_datetime="2027-02-25T10:20")),
    ),
    short_stay=st.sampled_from([None, "home", "half", "local"]),
    bright_light_lux=st.one_of(st.none(), st.integers(200, 10_000)),
    chronotype=st.sampled_from(["lark", "neither", "owl"]),
    age=st.one_of(st.none(), st.integers(1, 110)),
    work_hours=st.one_of(st.none(), st.just(WorkHours(start="09:00", end="17:30"))),
)


def test_the_example_of_the_recipe_reads_and_comes_back() -> None:
    assert convert.line_from(convert.question_from_line(RICH)) == RICH


@settings(max_examples=200)
@given(questions)
def test_every_question_comes_back_from_its_line(question: PlanQuestion) -> None:
    assert convert.question_from_line(convert.line_from(question)) == question


@pytest.mark.parametrize(
    ("line", "named"),
    [
        pytest.param("Los Angeles to Tokyo", "'Los Angeles to Tokyo' is not a flight", id="prose"),
        pytest.param("Asia/Tokyo tomorrow > Asia/Dubai 2027-02-15T11:30", "'Asia/Tokyo tomorrow'", id="no time"),
        pytest.param(RICH + "; first class", "'first class' is not prep 2", id="an unknown word"),
        pytest.param(RICH + "; prep 9", "prep_days '9' is wrong", id="a value out of bounds"),
    ],
)
def test_what_is_not_understood_is_refused_by_its_piece(line: str, named: str) -> None:
    with pytest.raises(UserError, match=named) as refused:
        convert.question_from_line(line)

    assert refused.value.code == "INVALID_TRIP"
