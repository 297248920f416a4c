"""What an answer says to whoever has to act on it: who takes over, what stands empty, what is less than good."""

from datetime import date, timedelta

import numpy as np
import pytest
from attrs import evolve

from packhorse_scheduling.convert.changes import candidates_words
from packhorse_scheduling.convert.comparison import comparison_words
from packhorse_scheduling.convert.inbox import actual_effect_from, effect_words, given_back, given_back_words
from packhorse_scheduling.convert.repairs import repair_words
from packhorse_scheduling.convert.replanning import edit_from, edit_words
from packhorse_scheduling.convert.rotations import churn_words
from packhorse_scheduling.convert.wishes import ranked_words, wishes_from, wishes_words
from packhorse_scheduling.domain.change.comparison import compare
from packhorse_scheduling.domain.change.replan import Edit, Replanned
from packhorse_scheduling.domain.change.reported import effect_of
from packhorse_scheduling.domain.change.runs import Run, runs_of
from packhorse_scheduling.domain.change.swaps import candidates
from packhorse_scheduling.domain.insight.wording import warned
from packhorse_scheduling.domain.programme.actual import Actual
from packhorse_scheduling.domain.programme.records import LeaveRecord, Step
from packhorse_scheduling.domain.programme.requests import Preference
from packhorse_scheduling.domain.programme.services import Span
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from roster_factories import MONDAY, cells, programme, resident
from test_rotations import opened_with
from wire import NOW, busy, call, done, half_days, leave

JULY_14 = date(2026, 7, 14)
pytestmark = pytest.mark.anyio


# --- a repair ---


def test_half_days_of_a_repair_are_gathered_to_runs_with_those_who_take_over_first():
    kernel = Kernel(programme(14))
    day, night = kernel.service_of["DAY"], kernel.service_of["NIGHT"]
    was = np.full((kernel.P, kernel.D, 2), FREE, np.int16)
    now = was.copy()
    was[0, 0:3] = day
    now[1, 0:3] = day
    now[1, 4] = day
    now[2, 5, 1] = now[2, 6, 0] = now[2, 6, 1] = now[2, 7, 0] = night
    changed = [(p, d, h) for p, d, h in np.argwhere(was != now).tolist()]
    assert runs_of(kernel, was, now, changed) == [
        Run(1, 0, 2, "day", FREE, day),
        Run(1, 4, 4, "day", FREE, day),
        Run(2, 5, 6, "night", FREE, night),
        Run(0, 0, 2, "day", day, FREE),
    ]


def test_who_is_freed_is_told_by_person_after_everybody_who_takes_over():
    row = {"date": "2026-07-06", "until": "2026-07-08", "session": "day"}
    freed = {**row, "person_name": "Ito", "before": "Ward", "after": "free"}
    body = {
        "schedule_id": "D", "vacated": 8, "changed": 6, "freed": 8, "taken_over": 6, "moved": 0, "churn": 0.01,
        "proven_minimal": True, "shortfall": 0,
        "unavoidable": [], "change_count": 6,
        "changes": [
            {**row, "person_name": "Achebe", "before": "free", "after": "Ward"},
            {**row, "person_name": "Rahimi", "session": "AM", "before": "Clinic", "after": "Ward"},
            freed,
            {**freed, "date": "2026-07-10", "until": "2026-07-10", "session": "PM"},
        ],
    }  # fmt: skip
    assert (
        "Achebe takes Ward 2026-07-06 to 2026-07-08. Rahimi goes from Clinic to Ward 2026-07-06 to 2026-07-08 AM."
        " Freed: Ito of Ward 2026-07-06 to 2026-07-08, Ward 2026-07-10 PM."
        " And 2 more: compare_versions with schedule_id D pages through all."
    ) in repair_words(body, 0)


async def test_a_repair_says_who_takes_over_before_who_is_freed(in_force):
    at, desk = in_force
    key, person = busy(desk, 1, JULY_14)[0]
    name = desk.current().programme.people[desk.current().kernel.person_of[key]].name
    reply = await call(at(), "repair_schedule", {"absences": [leave(person, JULY_14)]})
    body = reply.structured_content
    frees = [row["after"] == "free" for row in body["changes"]]
    assert frees == sorted(frees)
    assert sum(len(half_days(row)) for row in body["changes"]) == body["vacated"] + body["changed"]
    assert f"Freed: {name} of" in reply.content[0].text


def test_a_repair_names_only_the_wishes_that_it_costs():
    wishes = tuple(Preference("R1", date(2026, 7, 6 + n), None, avoid=True, weight=9 - n) for n in range(2))
    kernel = Kernel(evolve(programme(7), preferences=wishes))
    was = np.full((kernel.P, kernel.D, 2), FREE, np.int16)
    was[1] = was[0, 0, 0] = kernel.service_of["DAY"]
    now = was.copy()
    before, after = Opened(None, kernel, was), Opened(None, kernel, now)
    assert wishes_from(after, before)["wishes"]["unmet"] == []
    assert "costs" not in wishes_words(wishes_from(after, before))
    assert "Not met: Resident R1, 2026-07-06, wish 1." in wishes_words(wishes_from(after))
    now[0, 1, 0] = kernel.service_of["DAY"]
    assert "This costs 1 wish: Resident R1, 2026-07-07, wish 2." in wishes_words(wishes_from(after, before))


def test_wishes_that_are_not_named_are_counted():
    wishes = tuple(Preference("R1", date(2026, 7, 6 + n), None, avoid=True, weight=9) for n in range(5))
    kernel = Kernel(evolve(programme(7), preferences=wishes))
    grid = np.full((kernel.P, kernel.D, 2), kernel.service_of["DAY"], np.int16)
    assert wishes_words(wishes_from(Opened(None, kernel, grid))).endswith("; and 2 more.")


@pytest.mark.parametrize(("met", "told"), [(3, "meets 3 of 3."), (2, "meets 2 of 3; generate_schedule seeks")])
def test_no_other_wishes_are_sought_where_all_are_met(met, told):
    assert told in ranked_words({"person_name": "Ito", "wishes": ["2026-12-25"], "met": met, "of": 3})


# --- leave given back ---


def given(start, end, *states):
    return LeaveRecord("L", "R1", start, end, "vacation", "call", tuple(Step(state, NOW(), None) for state in states))


def test_half_days_that_leave_given_back_leaves_empty_are_told_with_the_next_step():
    opened = opened_with(programme(14), (), cells(*(("R2", day, "AP", "DAY") for day in range(14))))
    before = given(MONDAY, MONDAY + timedelta(days=9), "approved")
    shorter = evolve(before, end=MONDAY + timedelta(days=3))
    empty = given_back(opened, before, shorter, MONDAY)
    assert empty == {"half_days": 8, "start_date": "2026-07-10", "end_date": "2026-07-15"}  # no weekend
    told = given_back_words("Ito", empty)
    assert "generation_mode PARTIAL, start_date 2026-07-10, end_date 2026-07-15" in told
    cancelled = before.moved(Step("cancelled", NOW(), None))
    assert given_back(opened, before, cancelled, MONDAY + timedelta(days=9))["half_days"] == 2  # from today on
    assert given_back(opened, given(MONDAY, MONDAY, "requested"), cancelled, MONDAY) is None


async def test_a_cancelled_leave_keeps_the_remark_of_its_shortening(in_force):
    at, desk = in_force
    _, person = busy(desk, 1, JULY_14)[0]
    made = await done(at(), "record_leave", leave(person, JULY_14, days=5))
    named = {"request_id": made["request_id"]}
    await done(at(), "withdraw_request", {**named, "from_date": "2026-07-16", "reason": "poster only"})
    body = await done(at(), "withdraw_request", {**named, "reason": "no trip"})
    assert body["request"]["reason"] == "ends early: it was until 2026-07-18 (poster only); no trip"


# --- warnings ---


def test_somebody_without_a_warning_comes_before_somebody_with_one():
    made = programme(14, (resident("R1"), resident("R2"), resident("R3")))
    busy_later = (("R3", day, "AP", "DAY") for day in (3, 4))
    rows = cells(("R1", 1, "P", "DAY"), ("R2", 0, "P", "NIGHT"), ("R2", 1, "A", "NIGHT"), *busy_later)
    found = candidates(opened_with(made, (), rows).board(), 0, [(1, 1)])
    assert [one.person for one in found] == [2, 1]
    assert [bool(one.verdict.violations) for one in found] == [False, True]
    assert found[0].score < found[1].score


def test_warnings_of_a_swap_and_of_a_candidate_are_told_in_words():
    row = {"candidate_name": "Ito", "swap_type": "ABSORB", "match_score": 0.8, "warnings": ["Ito: 6 hours off."]}
    told = candidates_words({"candidates": [row], "total_candidates": 1})
    assert told == "Ito (ABSORB, 0.80, 1 warning, such as: Ito: 6 hours off.)."
    assert warned(["One.", "Two."], 1) == " 2 warnings: One. And 1 more."
    assert warned([]) == ""


def test_hours_worked_tell_new_warnings_and_what_they_make_worse():
    rows = cells(*(("R1", day, "AP", "DAY") for day in range(28) if day % 7 != 6))
    known = tuple(late(day, 21.5) for day in range(28) if day % 7 != 6)
    opened = opened_with(programme(28, actual_hours=known), (), rows)
    after, found = effect_of(opened, [late(0, 23.5)])
    effect = actual_effect_from(after, found)
    assert not found.added
    assert any("hours" in words for words in effect["worsened"])
    assert any("off" in words for words in effect["warnings"])
    told = effect_words(effect)
    assert f"It makes earlier violations worse: {effect['worsened'][0]}" in told
    assert effect["warnings"][0] in told


def late(day, end):
    return Actual("R1", MONDAY + timedelta(days=day), "PM", "DAY", Span(720, int(end * 60)))


# --- days made again ---


def test_how_much_is_moved_is_told_in_words():
    churn = {"changed_half_days": 239, "of": 640, "share": 0.37, "people_changed": 24}
    assert churn_words({"churn": churn}) == " It changes 239 of 640 half-days on these days, of 24 people."
    assert churn_words({"churn": {**churn, "least_repair": 4}}).endswith("; the least repair changes 4.")
    assert churn_words({}) == ""


# --- figures that agree ---


LABOR_DAY = 63


def compared(rows):
    """Two rosters of ten weeks: R1 has these half-days in one, R2 in the other."""
    made = programme(70)
    return tuple(opened_with(made, (), cells(*((who, *row) for row in rows))) for who in ("R1", "R2"))


def test_a_comparison_tells_nights_weekends_and_holidays_that_move():
    before, after = compared([(LABOR_DAY, "AP", "DAY"), (4, "P", "NIGHT"), (5, "A", "NIGHT")])
    found = {one.person: one.burdens for one in compare(before, after)}
    assert found == {
        "R1": {"night": -1, "weekend half-day": -1, "holiday": -1},
        "R2": {"night": 1, "weekend half-day": 1, "holiday": 1},
    }
    body = {
        "version": 2, "against": 1, "changed_half_days": 8, "people_changed": 9, "new_violations": 0,
        "gone_violations": 0, "plan_change_count": 0, "page": 1, "pages": 1,
        "people": [{"person_name": "Ito", "gained": 4, "lost": 0, "other_service": 0, "hours": 20.0, "nights": 1,
                    "weekend_half_days": 1, "holidays": 1}] * 9,
    }  # fmt: skip
    told = comparison_words(body)
    assert "Ito: 4 more, 0 fewer, 0 elsewhere (+20 h, +1 nights, +1 weekend half-days, +1 holidays)." in told
    assert told.endswith("And 4 others.")
    days = {key: body[key] for key in body if key != "people"} | {"half_days": ["2026-07-06 AM: DAY to free"] * 20}
    assert comparison_words(days).endswith("; and 10 more on this page.")


def test_an_edit_of_the_plan_tells_whose_holidays_nights_and_weekends_it_moves():
    before, after = compared([(LABOR_DAY, "AP", "DAY")])
    found = Replanned(after.grid, ((0, 0, 0), (1, 0, 0)), 0, True)
    edit = Edit(before, after, found, (0, 1), MONDAY, MONDAY + timedelta(days=6))
    body = edit_from(edit, MONDAY)
    assert body["burdens"] == ["Resident R1 -1 holiday", "Resident R2 +1 holiday"]
    assert "Moved with it: Resident R1 -1 holiday; Resident R2 +1 holiday." in edit_words(edit, body)


async def test_a_scenario_says_what_it_counts_beside_what_validation_counts(in_force):
    at, desk = in_force
    away = [leave(busy(desk, 1, JULY_14)[0][1], JULY_14)]
    reply = await call(at(), "simulate_scenario", {"absences": away, "mend": False})
    told = reply.structured_content["as_validated"]
    assert f"validate_schedule counts {told} in the whole roster" in reply.content[0].text
    await done(at(), "record_leave", away[0])
    assert (await done(at(), "validate_schedule", {}))["summary"]["total_violations"] == told
