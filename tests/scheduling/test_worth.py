"""What makes one roster better than another: made better without loss, told in figures, work shared with newcomers."""

import re
from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve

from packhorse_scheduling.convert.repairs import repair_words
from packhorse_scheduling.convert.warnings import warning_groups
from packhorse_scheduling.convert.weighing import notes_words, publish_words, weighed_told, weighed_words
from packhorse_scheduling.domain.change.churn import Beside, Generated
from packhorse_scheduling.domain.change.comparison import plan_lines
from packhorse_scheduling.domain.change.repair import repair
from packhorse_scheduling.domain.change.replan import with_exchange
from packhorse_scheduling.domain.insight.worth import is_better, weigh
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Preference
from packhorse_scheduling.domain.roster.arrays import FREE
from packhorse_scheduling.domain.roster.plan import Stay
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.rules.opened import Opened
from packhorse_scheduling.domain.solve.search import Effort
from packhorse_scheduling.domain.solve.start import start_of
from packhorse_scheduling.domain.solve.wishes import Aims
from packhorse_scheduling.domain.solve.year import YearSolver
from packhorse_scheduling.service.changes import ChangeDesk
from roster_factories import DAY, LICENSED, MONDAY, cells, faculty, programme, resident
from wire import call, done

PAPERS = evolve(LICENSED, code="PAPERS", name="Papers", kind="admin", credentials=frozenset())
WEEKDAYS = frozenset(range(5))
LAST = 13


def ward(teachers=3, **changed):
    """Two weeks of a ward with one attending from Monday to Friday."""
    demands = (Demand("DAY", "FACULTY", 1, 1, weekdays=WEEKDAYS), Demand("DAY", "RESIDENT", 1, 1, weekdays=WEEKDAYS))
    people = (*(faculty(f"F{n + 1}") for n in range(teachers)), *(resident(f"R{n}") for n in range(1, 5)))
    return Kernel(programme(LAST + 1, people, demands, services=(DAY, PAPERS), **changed))


def weeks(kernel):
    """F1 has the first week, F2 the second; R1 and R2 likewise."""
    rows = [(who, day + week * 7, "AP", "DAY") for week, pair in enumerate((("F1", "R1"), ("F2", "R2")))
            for who in pair for day in range(5)]  # fmt: skip
    return kernel.grid_of(cells(*rows))


def improved(kernel, grid, **changed):
    base, fixed = start_of(kernel, grid, "OPTIMIZATION")
    aims = Aims(was=grid, churn=3)
    solver = YearSolver(
        kernel, base, fixed, 0, LAST, aims=aims, effort=Effort(), mode="OPTIMIZATION", rounds=1, **changed
    )
    return solver.solve().grid


def attendings(kernel, grid):
    """By week, who has the ward from Monday to Friday, a set for each half-day."""
    on = grid[:3] == kernel.service_of["DAY"]
    return [{tuple(np.flatnonzero(on[:, d, h])) for d in range(w, w + 5) for h in (0, 1)} for w in (0, 7)]


def test_a_roster_made_better_moves_an_attending_s_week_whole_and_never_a_day_of_it():
    wish = Preference("F1", MONDAY + timedelta(days=2), avoid=True, weight=50)
    kernel = ward(preferences=(wish,))
    before = weeks(kernel)
    after = improved(kernel, before, better=lambda was, now: is_better(weigh(kernel, was, now, 0, LAST)))
    assert (after[0, 2] == FREE).all()
    assert all(len(week) == 1 for week in attendings(kernel, after))
    figures = {one.name: one.gain for one in weigh(kernel, before, after, 0, LAST)}
    assert figures["wishes met"] == 1
    assert min(figures.values()) >= 0


def test_a_wish_that_costs_more_half_days_than_it_is_worth_is_left():
    wish = Preference("F1", MONDAY + timedelta(days=2), avoid=True, weight=1)
    kernel = ward(teachers=2, preferences=(wish,))
    before = weeks(kernel)
    after, day = improved(kernel, before), kernel.service_of["DAY"]
    assert np.array_equal(after[:2] == day, before[:2] == day)  # a whole week would have to move


def test_what_is_cheaper_and_no_better_on_what_a_roster_is_judged_by_is_not_taken():
    kernel = ward(preferences=(Preference("F1", MONDAY + timedelta(days=2), avoid=True, weight=50),))
    before = weeks(kernel)
    assert np.array_equal(improved(kernel, before, better=lambda was, now: False), before)


def told(kernel, before, after, mode):
    opened = Opened(None, kernel, after)
    changed = int((before != after).sum())
    body = weighed_told(Generated(opened, None, (), None, Beside(mode, before, (0, LAST))))
    return body | {"churn": {"changed_half_days": changed}}


def test_the_answer_says_what_is_better_and_what_is_worse():
    kernel = ward(preferences=(Preference("R1", MONDAY, avoid=True),))
    before = weeks(kernel)
    after = before.copy()
    after[[3, 4], 0, 0] = after[[4, 3], 0, 0]
    words = weighed_words(told(kernel, before, after, "OPTIMIZATION"))
    assert "Worse: share of residents' ward days whole 1 to 0.818." in words
    assert words.startswith(" Better: nothing.")  # half a day off is no day off
    after[[3, 4], 0, 1] = after[[4, 3], 0, 1]
    words = weighed_words(told(kernel, before, after, "OPTIMIZATION"))
    assert words.startswith(" Better: wishes met 0 to 1. Worse: nothing. The same: ")


def test_nothing_better_is_said_and_there_is_nothing_to_publish():
    kernel = ward()
    body = told(kernel, weeks(kernel), weeks(kernel), "OPTIMIZATION")
    assert notes_words(body).startswith(" Nothing better was found: the roster in force stays")
    assert publish_words(body).startswith("There is nothing to publish")
    assert weighed_words(body) == ""
    body = told(kernel, weeks(kernel), weeks(kernel), "PARTIAL")
    assert "Nothing changes: PARTIAL fills what is empty where the demand needs somebody" in notes_words(body)


def test_partial_says_who_has_nothing_but_what_fills_time_and_what_shares_the_work_out():
    kernel = ward()
    before = weeks(kernel)
    after = before.copy()
    after[2, :5] = kernel.service_of["PAPERS"]
    assert notes_words(told(kernel, before, after, "PARTIAL")) == (
        " Dr. F3 has nothing but PAPERS on these days (10 half-days): PARTIAL fills what is empty and takes no service"
        " from anybody. Next: generate_schedule with OPTIMIZATION on these days shares the work out."
    )
    shared = improved(kernel, after)
    assert (shared[2] == kernel.service_of["DAY"]).sum() == 10  # one of three has a week of two, as before
    assert all(len(week) == 1 for week in attendings(kernel, shared))


@pytest.mark.parametrize(("absent", "day"), [("R01", 37), ("R06", 23), ("F07", 9)])
def test_of_repairs_with_the_fewest_changes_one_that_cuts_no_day_on_a_ward(kernel, draft, absent, day):
    sample = kernel.programme
    year = evolve(sample.year, end=sample.year.day(55))
    leaves = tuple(one for one in sample.leaves if one.start in year and one.end in year)
    sick = Leave(absent, year.day(day), year.day(day + 3), "sick")
    wishes = tuple(one for one in sample.preferences if one.day in year)
    kernel = Kernel(evolve(sample, year=year, leaves=(*leaves, sick), preferences=wishes))
    before = draft.grid[:, :56]
    found = repair(kernel, before, today=5)
    assert found.proven
    assert len(found.changed) > 0
    wards = [s for s, one in enumerate(sample.services) if one.kind == "inpatient" and not one.overnight]

    def cut(grid):
        return sum(int(((grid[:, :, 0] == s) != (grid[:, :, 1] == s)).sum()) for s in wards)

    assert cut(found.grid) <= cut(before)


def test_a_repair_s_counts_are_those_of_its_list():
    body = {
        "schedule_id": "D", "vacated": 0, "changed": 170, "freed": 167, "taken_over": 0, "moved": 3, "churn": 0.039,
        "proven_minimal": True, "shortfall": 0, "unavoidable": [], "change_count": 1,
        "changes": [{"date": "2026-07-06", "until": "2026-07-06", "session": "PM", "person_name": "Ito",
                     "before": "Ward", "after": "free"}],
    }  # fmt: skip
    assert repair_words(body, 0).startswith(
        "A draft changes 170 half-days, 3.9% of what lies ahead, proved to be the fewest: 167 freed, 0 taken over,"
        " 3 from one service to another. Publish D"
    )


def test_a_stay_in_two_parts_is_the_plan_of_a_whole_one_and_one_that_is_gone_is_told():
    def planned(*stays):
        kernel = Kernel(ward().programme, stays)
        return Opened(None, kernel, kernel.empty())

    day = [MONDAY + timedelta(days=n) for n in range(LAST + 1)]
    whole = planned(Stay("F1", day[0], day[6], "DAY"), Stay("F2", day[7], day[11], "DAY"))
    parts = planned(Stay("F1", day[0], day[3], "DAY"), Stay("F1", day[4], day[6], "DAY"))
    assert plan_lines(whole, parts) == [f"Dr. F2, {day[7]} to {day[11]}: no longer DAY"]
    assert plan_lines(parts, whole) == [f"Dr. F2, {day[7]} to {day[11]}: DAY"]


def span(desk, **more):
    year = desk.current().programme.year
    return {
        "academic_year": year.name,
        "start_date": f"{year.start}",
        "end_date": f"{year.end}",
        "async": False,
        **more,
    }


@pytest.mark.anyio
@pytest.mark.slow
async def test_who_joins_gets_a_share_of_the_work_and_nobody_an_attending_s_week_in_pieces(in_force):
    at, desk = in_force
    before = desk.current()
    teacher = next(one for one in before.programme.people if one.role == "FACULTY")
    joins = evolve(teacher, key="F99", name="Dr. Zofia Lind", email="f99@example.org", subject=None)
    desk.import_programme(evolve(before.programme, people=(*before.programme.people, joins)))
    filled = await call(at(), "generate_schedule", span(desk, generation_mode="PARTIAL"))
    draft = desk.opened(filled.structured_content["schedule_id"])
    assert plan_lines(desk.current(), draft) == []  # nobody has lost a week in the plan
    at.cache_clear()
    shared = await call(at(), "generate_schedule", span(desk, generation_mode="OPTIMIZATION"))
    body = shared.structured_content
    assert {row["verdict"] for row in body["measures"]} <= {"better", "same"}
    assert "Better: " in shared.content[0].text
    assert body["churn"]["share"] < 0.2
    made = desk.opened(body["schedule_id"])
    mine = made.grid[made.kernel.person_of["F99"]]
    assert (~made.kernel.fills)[mine[mine >= 0]].sum() >= 10
    compared = await call(at(), "compare_versions", {"schedule_id": body["schedule_id"]})
    assert compared.structured_content["measures"] == body["measures"]


@pytest.mark.anyio
async def test_publishing_says_how_many_warnings_there_are_in_groups_with_dates(in_force):
    at, desk = in_force
    opened = desk.current()
    residents = [one.key for one in opened.programme.people if one.role == "RESIDENT"]
    year = opened.programme.year
    plan = opened.schedule.plan
    had = {key: {stay.rotation for stay in plan if stay.person == key} for key in residents}
    other = next(key for key in residents[1:] if had[key].isdisjoint(had[residents[0]]))
    plan = with_exchange(plan, residents[0], other, year.start, year.end)
    draft = ChangeDesk(desk).keep_draft(opened, opened.grid, None, "tried", plan=plan)
    count, groups = warning_groups(draft, year.start)
    assert count > 10
    assert len(groups) < 10
    assert any(
        re.search(r": \d+ half-days of \d+ (person|people) off their rotation, 2026-0\d-", one) for one in groups
    )
    reply = await call(at(), "publish_schedule", {"schedule_id": draft.schedule.id})
    assert reply.structured_content["warning_count"] == count
    assert f"{count} warnings from today on: {groups[0]}" in reply.content[0].text
    assert len(reply.content[0].text) < 900
    judged = await done(at(), "validate_schedule", {})
    assert judged["summary"]["warning_count"] >= count
