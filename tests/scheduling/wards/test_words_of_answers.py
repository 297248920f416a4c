"""What an answer says: the question's figures, every rule that is broken, no bound of what is not lawful."""

import numpy as np
import pytest
from jsonschema import validate

from packhorse_scheduling.convert.wards.answers import checked_from, outcome_from, summary_from, table_from
from packhorse_scheduling.convert.wards.question import ward_of
from packhorse_scheduling.domain.wards.question import REST
from packhorse_scheduling.domain.wards.roster import Roster, count
from packhorse_scheduling.domain.wards.search import solve
from packhorse_scheduling.models.shifts import ROSTER

SHIFTS = [
    {"key": "E", "start": "06:00", "end": "13:42"},
    {"key": "N", "start": "22:00", "end": "06:00", "not_next": ["E"]},
]


def ward(days=7, start="2027-01-04", **more):
    return {
        "start": start,
        "days": days,
        "shifts": SHIFTS,
        "contracts": [{"key": "full", **more.pop("contract", {})}],
        "people": [{"key": "Ana", "contract": "full"}],
        **more,
    }


def checked(document, *days):
    """What is said of a roster of one person; - is a day off."""
    question = ward_of(document)
    duty = np.array([[question.shift_of.get(key, REST) for key in days]], dtype=np.int16)
    roster = Roster(duty, np.full_like(duty, REST))
    return checked_from(question, roster, count(question, roster))


@pytest.mark.parametrize(
    ("document", "status"),
    [
        (ward(demand=[{"shift": "E", "least": 2}]), "short"),
        (ward(demand=[{"shift": "E", "least": 1}], contract={"work_run": [1, 3], "off_run": [2, None]}), "short"),
        (
            ward(
                requests=[{"person": "Ana", "from": "2027-01-05"}],
                fixed=[{"person": "Ana", "day": "2027-01-05", "shift": "E"}],
            ),
            "broken",
        ),
    ],
)
def test_a_roster_that_is_not_lawful_has_no_bound_and_is_not_called_the_cheapest(document, status):
    question = ward_of(document)
    body = outcome_from(question, solve(question, 2))
    validate(body, ROSTER)
    assert (body["status"], body["bound"], body["gap"], body["proven"]) == (status, None, None, False)
    assert body["fewest"]
    assert "a cheaper one may exist" in summary_from(body)
    assert "costs less than" not in summary_from(body)


def test_hours_come_back_as_the_question_has_them():
    document = ward(requests=[{"person": "Ana", "from": "2027-01-04", "to": "2027-01-08", "hours": 7.06}])
    assert checked(document, *"-----", "E", "-")["people"][0]["hours"] == 43.0


@pytest.mark.parametrize(
    ("contract", "words"),
    [
        ({"week_hours": 48}, "Ana: 5.9 hours above 48 in the week to Sun 10 Jan 2027."),
        ({"hours": [None, 52.9]}, "Ana: 1 hour above the most, 52.9."),
        ({"hours": [60, None]}, "Ana: 6.1 hours below the least, 60."),
    ],
)
def test_hours_too_many_are_told_as_they_are(contract, words):
    assert checked(ward(contract=contract), *"EEEEEEE")["broken"] == [words]


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({}, "a day off"),
        ({"shift": "N"}, "N"),
        ({"shift": "E", "wanted": False}, "no E"),
        ({"shift": "*", "wanted": False}, "a day off"),
    ],
)
def test_what_somebody_asked_for_and_did_not_get_is_named(request_, words):
    document = ward(requests=[{"person": "Ana", "from": "2027-01-04", **request_}])
    assert checked(document, *"E------")["broken"] == [f"Ana: the request for {words} on Mon 4 Jan 2027 is not met."]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (
            ward(2, contract={"rest_hours": 11}),
            ["must not follow N of the day before, and begins before 11 hours of rest"],
        ),
        (ward(2), ["must not follow N of the day before."]),
        (
            ward(2, contract={"rest_hours": 11}, sequences=[{"pattern": ["N", "E"]}])
            | {"shifts": [SHIFTS[0], {**SHIFTS[1], "not_next": []}]},
            ["begins before 11 hours of rest after N", "are N E"],
        ),
    ],
)
def test_every_rule_that_forbids_a_shift_after_another_is_named(document, words):
    broken = checked(document, *"NE")["broken"]
    assert len(broken) == len(words)
    assert all(word in one for word, one in zip(words, broken, strict=True))


def test_bars_of_the_table_stand_before_mondays():
    question = ward_of(ward(9, start="2027-01-01"))
    body = outcome_from(question, solve(question, 1))
    row = table_from(body, question).splitlines()[-1]
    assert [len(week.split()) for week in row.removeprefix("Ana").split("|")[:-1]] == [3, 6]
