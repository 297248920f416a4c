"""The search for a ward's roster: bounds hold, impossible questions are named, repairs change least."""

import time
from datetime import date
from itertools import product

import numpy as np
import pytest

from packhorse_scheduling.convert.wards.answers import outcome_from, repair_from, repair_words
from packhorse_scheduling.convert.wards.question import ward_of
from packhorse_scheduling.domain.shifts.budget import Budget
from packhorse_scheduling.domain.wards.question import REST
from packhorse_scheduling.domain.wards.repair import Absence, repaired
from packhorse_scheduling.domain.wards.roster import Roster, count
from packhorse_scheduling.domain.wards.search import Search, solve

START = date(2027, 1, 4)


def ward(days=7, least=1, people=3, **contract):
    return {
        "start": START.isoformat(),
        "days": days,
        "shifts": [{"key": "D", "start": "08:00", "end": "16:00"}],
        "contracts": [{"key": "full", **contract}],
        "people": [{"key": f"p{n}", "contract": "full"} for n in range(people)],
        "demand": [{"shift": "D", "least": least}],
        "fair": [{"count": ["D"], "weight": 5}],
    }


def test_a_question_without_a_lawful_roster_is_answered_with_the_fewest_rules_that_give():
    question = ward_of(ward(least=3, work_run=[1, 5]))
    outcome = solve(question, 2)
    body = outcome_from(question, outcome)
    assert (outcome.status, outcome.proven, body["short"]) == ("short", True, 3)
    assert all("below the least" in words for words in body["broken"])


def test_a_fixed_cell_against_leave_is_named():
    document = ward()
    document["fixed"] = [{"person": "p0", "day": "2027-01-05", "shift": "D"}]
    document["requests"] = [{"person": "p0", "from": "2027-01-05"}]
    question = ward_of(document)
    outcome = solve(question, 2)
    body = outcome_from(question, outcome)
    assert (outcome.status, outcome.proven, body["broken_count"]) == ("broken", True, 1)
    assert body["broken"][0] in (
        "p0: the request for a day off on Tue 5 Jan 2027 is not met.",
        "p0: is not D on Tue 5 Jan 2027, which is fixed.",
    )


def test_the_best_roster_is_proven_where_it_is_fair():
    outcome = solve(ward_of(ward(days=9, work_run=[1, 5], weights={"work_run": 3})), 5)
    assert (outcome.status, outcome.objective, outcome.bound) == ("optimal", 0, 0)


@pytest.mark.parametrize("day", range(4))
def test_a_repair_changes_no_more_than_the_least_of_all_repairs(day):
    """All rosters of three people and four days are tried."""
    question = ward_of(ward(days=4, work_run=[1, 2]))
    before = np.array([[0, 0, -1, -1], [-1, -1, 0, 0], [-1, -1, -1, -1]], dtype=np.int16)
    ill = next(e for e in range(3) if before[e, day] == 0)
    after, repair = repaired(question, Roster(before, np.full_like(before, REST)), [Absence(f"p{ill}", day, day)], day)
    left = before.copy()
    left[ill, day] = REST
    fewest = min(
        int((grid != left).sum())
        for cells in product((-1, 0), repeat=3 * (4 - day))
        for grid in [np.hstack([left[:, :day], np.array(cells, dtype=np.int16).reshape(3, -1)])]
        if not any(b.weight is None for b in count(after, Roster(grid, np.full_like(grid, REST))).breaches)
    )
    assert repair.proven
    assert len(repair.changes) == fewest
    assert (repair.roster.duty[:, :day] == before[:, :day]).all()


def test_people_with_two_skills_count_in_the_end_for_the_one_that_is_lacking():
    document = ward(days=28, people=20)
    document["people"] = [{**person, "skills": ["charge", "icu"]} for person in document["people"]]
    document["demand"] = [{"shift": "D", "skill": skill, "wished": 2, "under": 10} for skill in ("charge", "icu")]
    question = ward_of(document)
    search = Search(question, Budget(0.0, time.process_time), 1, lambda objective, bound: None)
    duty = np.full((20, 28), REST, dtype=np.int16)
    duty[:4] = 0
    search.offer(Roster(duty, np.where(duty == 0, 0, REST).astype(np.int16)))  # all of them as the first skill
    search.run()
    assert not [breach for breach in search.best.breaches if breach.rule == "wished"]


def test_a_run_that_is_too_short_is_named_by_its_last_day():
    question = ward_of(ward(days=5, people=1, least=0, off_run=[2, None], weights={"off_run": 1}))
    duty = np.array([[0, 0, REST, 0, 0]], dtype=np.int16)
    (breach,) = count(question, Roster(duty, np.full_like(duty, REST))).breaches
    assert (breach.rule, breach.day) == ("off_run", 2)


def test_a_search_without_time_still_answers():
    began = time.process_time()
    outcome = solve(ward_of(ward()), 0.0)
    assert outcome.cpu_seconds <= time.process_time() - began


def test_a_sick_call_goes_before_a_fixed_cell_and_a_shift_that_had_to_be_granted():
    document = ward(days=5)
    document["fixed"] = [
        {"person": "p0", "day": "2027-01-05", "shift": "D"},
        {"person": "p0", "day": "2027-01-08", "shift": "D"},
        {"person": "p1", "day": "2027-01-05", "shift": "-"},
    ]
    document["requests"] = [{"person": "p0", "from": "2027-01-05", "to": "2027-01-07", "shift": "D"}]
    question = ward_of(document)
    before = np.full((3, 5), REST, dtype=np.int16)
    before[0, 1:] = before[2, 0] = 0
    roster = Roster(before, np.full_like(before, REST))
    after, repair = repaired(question, roster, [Absence("p0", 1, 2)], 1)
    assert not repair.count.hard
    assert repair.count.short == 0
    assert [(one.day, one.shift) for one in repair.released] == [(1, "D"), (2, "D")]
    assert [(one.person, one.day) for one in after.fixed] == [("p0", 4), ("p1", 1)]
    assert [(one.first, one.last) for one in after.requests if one.shift == "D"] == [(3, 3)]
    assert after.past_of[0].carried == {"D": 2}
    assert (repair.roster.duty[0] == [-1, -1, -1, 0, 0]).all()
    assert "2027-01-05 p0 is away: D, which was fixed" in repair_words(repair_from(after, repair))
