"""The next period's question, and that after a repair: which requests last."""

from copy import deepcopy
from datetime import date

import pytest

from packhorse_scheduling.convert.wards.months import after_repair, continued, example
from packhorse_scheduling.convert.wards.question import ward_of
from packhorse_scheduling.domain.wards.repair import Absence, repaired, with_roles

START, NEXT = date(2027, 1, 4), date(2027, 2, 1)


def asking(**row):
    document = example(START)
    document["requests"] = [{"person": "Gus", "shift": "L", "wanted": False, **row}]
    return document


def days_of(document):
    ward = ward_of(document)
    return [ward.date(d) for one in ward.requests for d in ward.asked(one)]


def off(document):
    ward = ward_of(document)
    return ward, with_roles(ward, [[-1] * ward.days for _ in ward.people])


CASES = [
    ({}, 28, 28),
    ({"days": "Wed"}, 4, 4),
    ({"days": "Sat,Sun"}, 8, 8),
    ({"from": "2027-01-20"}, 1, 0),
    ({"from": "2027-01-20", "to": "2027-02-03"}, 12, 3),
    ({"from": "2027-01-20", "to": "2027-02-03", "days": "Mon,Wed"}, 3, 2),
    ({"to": "2027-01-06"}, 3, 0),
    ({"to": "2027-02-02", "days": "Mon-Fri"}, 20, 2),
    ({"from": "2027-01-20", "to": "9999-12-31", "days": "Wed"}, 2, 4),
]


@pytest.mark.parametrize(("row", "now", "later"), CASES, ids=[str(case[0]) for case in CASES])
def test_a_request_holds_on_its_days_and_goes_on_as_long_as_it_lasts(row, now, later):
    document = asking(**row)
    assert len(days_of(document)) == now
    assert len(days_of(continued(document, *off(document), 28))) == later


@pytest.mark.parametrize("row", [case[0] for case in CASES], ids=[str(case[0]) for case in CASES])
@pytest.mark.parametrize("who", ["Gus", "Ana"])
def test_after_a_repair_a_request_goes_on_as_long_as_it_lasts(row, who):
    document = asking(**row)
    document["demand"] = []
    ward, roster = off(document)
    after, repair = repaired(ward, roster, [Absence(who, 2, 3)], 2)
    kept = after_repair(deepcopy(document), after)
    assert sorted(map(repr, ward_of(kept).requests)) == sorted(map(repr, after.requests))
    following = days_of(continued(kept, after, repair.roster, 28))
    assert [day for day in following if day >= NEXT] == days_of(continued(document, ward, roster, 28))


def test_requests_of_people_whom_a_repair_leaves_alone_stay_as_they_were_written():
    document = asking(days="Wed")
    document["demand"] = []
    ward, roster = off(document)
    after, _ = repaired(ward, roster, [Absence("Ana", 2, 3)], 2)
    assert document["requests"][0] in after_repair(document, after)["requests"]
