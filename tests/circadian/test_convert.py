"""What is refused, in which words, and what is let through."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from packhorse import UserError
from packhorse_circadian import convert
from packhorse_circadian.domain.trip import Trip
from packhorse_circadian.models import PhaseShiftQuestion, PlanQuestion

Flight = Callable[..., dict[str, Any]]


def asked(arguments: dict[str, Any]) -> PlanQuestion:
    return PlanQuestion.model_validate_json(json.dumps(arguments), strict=True)


def trip(arguments: dict[str, Any]) -> Trip:
    return convert.trip_from(asked(arguments))


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"origin_timezone": "../../etc/passwd"}, id="a path as a zone"),
        pytest.param({"origin_timezone": "A" * 65}, id="a zone over 64 characters"),
        pytest.param({"origin_timezone": "Asia/Tokyo\0"}, id="NUL in a zone"),
        pytest.param({"origin_timezone": "Asia/Tokyo\n"}, id="a line end after a zone"),
        pytest.param({"origin_timezone": "+09:00"}, id="an offset as a zone"),
        pytest.param({"departure_datetime": "2026-02-15T11:30Z"}, id="a time with an offset"),
        pytest.param({"departure_datetime": "2026-02-15T11:30:00"}, id="a time with seconds"),
        pytest.param({"departure_datetime": "2026-02-15 11:30"}, id="a blank for the T"),
        pytest.param({"departure_datetime": "2026-13-15T11:30"}, id="month 13"),
        pytest.param({"departure_datetime": "\uff12\uff10\uff12\uff16-02-15T11:30"}, id="digits of another script"),
        pytest.param({"prep_days": True}, id="a truth value for a number"),
        pytest.param({"prep_days": "3"}, id="a number in quotes"),
        pytest.param({"prep_days": 2.5}, id="half a day"),
        pytest.param({"prep_days": -1}, id="below 0"),
        pytest.param({"prep_days": 8}, id="above 7"),
        pytest.param({"usual_wake_time": "24:00"}, id="24:00"),
        pytest.param({"usual_wake_time": "29:99"}, id="29:99"),
        pytest.param({"usual_wake_time": "7:00"}, id="one digit of the hour"),
        pytest.param({"interventions": {"hypnosis": True}}, id="an unknown intervention"),
        pytest.param({"interventions": {"melatonin": "yes"}}, id="a word for a truth value"),
        pytest.param({"favourite_airline": "owl"}, id="an unknown argument"),
        pytest.param({"origin_timezone": None}, id="nothing for a zone"),
    ],
)
def test_the_schema_refuses(flight: Flight, changed: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        asked(flight(**changed))


def test_every_missing_field_is_named() -> None:
    with pytest.raises(ValidationError) as refused:
        asked({})

    assert {fault["loc"][0] for fault in refused.value.errors()} == {
        "origin_timezone",
        "destination_timezone",
        "departure_datetime",
        "arrival_datetime",
    }


@pytest.mark.parametrize(
    ("changed", "code", "says"),
    [
        pytest.param({"origin_timezone": "Mars/Olympus"}, "INVALID_TIMEZONE", "origin_timezone", id="unknown zone"),
        pytest.param({"destination_timezone": "PST"}, "INVALID_TIMEZONE", "destination_timezone", id="abbreviation"),
        pytest.param({"origin_timezone": "us/pacific"}, "INVALID_TIMEZONE", "US/Pacific?", id="wrong case"),
        pytest.param({"origin_timezone": "localtime"}, "INVALID_TIMEZONE", "origin_timezone", id="no place"),
        pytest.param(
            {"departure_datetime": "2026-02-30T10:00"}, "INVALID_DATETIME", "departure_datetime", id="no such date"
        ),
        pytest.param(
            {"departure_datetime": "1426-02-15T11:30"}, "INVALID_DATETIME", "from 1970 to 2037", id="before 1970"
        ),
        pytest.param(
            {"departure_datetime": "2038-01-01T11:30"}, "INVALID_DATETIME", "from 1970 to 2037", id="after 2037"
        ),
        pytest.param(
            {"departure_datetime": "2026-03-08T02:30", "arrival_datetime": "2026-03-09T06:00"},
            "INVALID_DATETIME",
            "2026-03-08T03:00",
            id="a departure that clocks skip",
        ),
        pytest.param(
            {
                "destination_timezone": "Europe/London",
                "departure_datetime": "2026-03-28T13:00",
                "arrival_datetime": "2026-03-29T01:30",
            },
            "INVALID_DATETIME",
            "2026-03-29T02:00",
            id="an arrival that clocks skip",
        ),
        pytest.param({"arrival_datetime": "2026-02-16T04:30"}, "INVALID_FLIGHT", "the same moment", id="no time"),
        pytest.param({"arrival_datetime": "2026-02-16T04:44"}, "INVALID_FLIGHT", "14 minutes after", id="14 minutes"),
        pytest.param({"arrival_datetime": "2026-02-15T20:30"}, "INVALID_FLIGHT", "8 hours before", id="backwards"),
        pytest.param({"arrival_datetime": "2026-02-17T04:31"}, "INVALID_FLIGHT", "24 hours", id="24 hours and more"),
        pytest.param({"usual_sleep_time": "07:00"}, "INVALID_SLEEP", "usual_sleep_time", id="no sleep"),
        pytest.param({"usual_sleep_time": "03:01"}, "INVALID_SLEEP", "4 to 12 hours", id="under 4 hours"),
        pytest.param({"usual_sleep_time": "18:59"}, "INVALID_SLEEP", "usual_wake_time", id="over 12 hours"),
    ],
)
def test_a_refusal_names_the_field_and_the_way_out(
    flight: Flight, changed: dict[str, Any], code: str, says: str
) -> None:
    with pytest.raises(UserError) as refused:
        trip(flight(**changed))

    assert (refused.value.code, refused.value.jsonrpc_code) == (code, -32602)
    assert says in refused.value.message


def test_all_faults_are_said_at_once(flight: Flight) -> None:
    with pytest.raises(UserError) as refused:
        trip(
            flight(
                origin_timezone="Mars/Olympus",
                departure_datetime="2026-02-30T10:00",
                usual_sleep_time="07:00",
            )
        )

    assert refused.value.code == "INVALID_ARGUMENTS"
    assert [(fault["field"], fault["code"]) for fault in refused.value.details["faults"]] == [
        ("origin_timezone", "INVALID_TIMEZONE"),
        ("departure_datetime", "INVALID_DATETIME"),
        ("usual_sleep_time", "INVALID_SLEEP"),
    ]
    assert all(fault["message"] in refused.value.message for fault in refused.value.details["faults"])


@pytest.mark.parametrize(
    ("changed", "minutes"),
    [
        pytest.param({}, 675, id="as the specification has it"),
        pytest.param({"arrival_datetime": "2026-02-16T04:45"}, 15, id="the shortest"),
        pytest.param({"arrival_datetime": "2026-02-17T04:30"}, 24 * 60, id="the longest"),
        pytest.param(
            {
                "origin_timezone": "Asia/Hong_Kong",
                "destination_timezone": "America/Los_Angeles",
                "departure_datetime": "2026-06-10T00:30",
                "arrival_datetime": "2026-06-09T21:30",
            },
            12 * 60,
            id="lands before it left by the wall clock",
        ),
        pytest.param(
            {
                "origin_timezone": "Europe/London",
                "destination_timezone": "Europe/London",
                "departure_datetime": "2026-10-25T01:45",
                "arrival_datetime": "2026-10-25T01:15",
            },
            30,
            id="in the hour that clocks repeat, the reading that makes a flight",
        ),
    ],
)
def test_flights_are_measured_in_real_time(flight: Flight, changed: dict[str, Any], minutes: int) -> None:
    assert trip(flight(**changed)).flight.total_seconds() / 60 == minutes


def test_of_a_repeated_time_the_first_is_taken(flight: Flight) -> None:
    found = trip(
        flight(
            origin_timezone="Europe/London",
            departure_datetime="2026-10-25T01:30",
            arrival_datetime="2026-10-25T22:00",
        )
    )

    assert found.departure == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_the_defaults_are_the_specification_s(flight: Flight) -> None:
    found = trip(flight())

    assert found.prep_days == 3
    assert (f"{found.habits.wake:%H:%M}", f"{found.habits.sleep:%H:%M}") == ("07:00", "23:00")
    assert found.melatonin
    assert found.caffeine


def test_one_intervention_can_be_turned_off_alone(flight: Flight) -> None:
    found = trip(flight(interventions={"melatonin": False}))

    assert (found.melatonin, found.caffeine) == (False, True)


@pytest.mark.parametrize("day", ["2026-02-15", None])
def test_a_journey_has_a_date_or_none(day: str | None) -> None:
    _, _, found = convert.journey_from(
        PhaseShiftQuestion(origin_timezone="US/Pacific", destination_timezone="Asia/Tokyo", travel_date=day)
    )

    assert found == (date.fromisoformat(day) if day else None)


def test_both_places_and_the_date_are_judged_together() -> None:
    with pytest.raises(UserError) as refused:
        convert.journey_from(
            PhaseShiftQuestion(
                origin_timezone="Mars/Olympus", destination_timezone="Moon/Tycho", travel_date="2026-02-30"
            )
        )

    assert [fault["field"] for fault in refused.value.details["faults"]] == [
        "origin_timezone",
        "destination_timezone",
        "travel_date",
    ]
