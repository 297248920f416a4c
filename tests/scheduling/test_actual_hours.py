"""Who really worked on days gone by: on record beside the plan, and what the rules judge by."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
from attrs import evolve
from click.testing import CliRunner

from packhorse import Host
from packhorse.contract.principal import Principal
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.domain.change.repair import repair
from packhorse_scheduling.domain.insight import fairness, workload
from packhorse_scheduling.domain.programme.actual import Actual
from packhorse_scheduling.domain.programme.records import Step
from packhorse_scheduling.domain.programme.reports import ActualRecord, merge_actual
from packhorse_scheduling.domain.programme.requests import Demand, Leave
from packhorse_scheduling.domain.programme.services import Span
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.store import document_of
from roster_factories import MONDAY, cells, programme, resident
from wire import call, code_of, done, own, read

pytestmark = pytest.mark.anyio

JULY_13, JULY_14, JULY_15 = date(2026, 7, 13), date(2026, 7, 14), date(2026, 7, 15)
AT = datetime(2026, 7, 15, tzinfo=UTC)


def clock(start, end):
    return Span(int(start * 60), int(end * 60))


def worked(person, day, session, service=None, hours=None):
    return Actual(person, MONDAY + timedelta(days=day), session, service, hours)


def judged(rows, *actual, **changed):
    """Rules that the cells break, days gone by as they were worked: (rule, day counted from 0)."""
    kernel = Kernel(programme(actual_hours=tuple(actual), **changed))
    found = kernel.violations(kernel.grid_of(cells(*rows)))
    return {(one.rule, one.last) for one in found}


# --- the rules count what was worked ---


def test_hours_really_worked_are_counted_by_the_minute():
    week = [("R1", day, "AP", "DAY") for day in range(28) if day % 7 != 6]  # 60 hours a week
    longer = [worked("R1", day, "PM", "DAY", clock(12, 20.5)) for day in range(28) if day % 7 != 6]  # 81 hours
    assert ("80_HOUR_RULE", 27) not in judged(week)
    assert ("80_HOUR_RULE", 27) in judged(week, *longer)
    assert ("80_HOUR_RULE", 27) not in judged(week, *longer[: len(longer) // 2])


def test_a_day_that_ended_late_shortens_the_rest_before_the_next():
    rows = [("R1", 0, "AP", "DAY"), ("R1", 1, "AP", "DAY")]
    assert ("8_HOUR_REST_RULE", 1) not in judged(rows)
    assert ("8_HOUR_REST_RULE", 1) in judged(rows, worked("R1", 0, "PM", "DAY", clock(12, 23.5)))


def test_who_stayed_after_a_night_worked_longer_than_24_hours_and_four():
    rows = [("R1", 0, "A", "DAY"), ("R1", 0, "P", "CALL"), ("R1", 1, "A", "CALL")]
    assert "24_PLUS_4_RULE" not in {rule for rule, _ in judged(rows)}
    stayed = worked("R1", 1, "AM", "CALL", clock(0, 11.5))
    assert ("24_PLUS_4_RULE", 1) in judged(rows, stayed)


def test_who_went_home_half_way_through_a_night_has_torn_no_night():
    rows = [("R1", 0, "P", "CALL"), ("R1", 1, "A", "CALL")]
    found = judged(rows, worked("R1", 1, "AM"), worked("R2", 1, "AM", "CALL"))
    assert "WHOLE_NIGHT_RULE" not in {rule for rule, _ in found}


def test_a_place_is_filled_by_who_was_there_and_not_by_who_was_planned():
    asked = {"demands": (Demand("DAY", "RESIDENT", 1, 1),), "days": 2}
    rows = [("R1", 0, "AP", "DAY"), ("R1", 1, "AP", "DAY")]
    absent = [worked("R1", 0, half) for half in ("AM", "PM")]
    stood_in = [worked("R2", 0, half, "DAY") for half in ("AM", "PM")]
    assert judged(rows, **asked) == set()
    assert judged(rows, *absent, **asked) == {("MINIMUM_STAFFING", 0)}
    assert judged(rows, *absent, *stood_in, **asked) == set()


def test_leave_on_days_that_were_not_worked_is_no_violation_any_more():
    ill = {"leaves": (Leave("R1", MONDAY, MONDAY, "sick"),)}
    rows = [("R1", 0, "AP", "DAY")]
    assert judged(rows, **ill) == {("LEAVE_RULE", 0)}
    assert judged(rows, worked("R1", 0, "AM"), worked("R1", 0, "PM"), **ill) == set()


def test_hours_and_strain_are_of_what_was_worked():
    made = programme(actual_hours=(worked("R1", 0, "PM", "DAY", clock(12, 20)), worked("R2", 0, "AM", "DAY")))
    kernel = Kernel(made)
    grid = kernel.worked(kernel.grid_of(cells(("R1", 0, "AP", "DAY"))))
    assert fairness.hours(kernel, grid).tolist() == [13, 5, 0]
    assert [one.total for one in workload.workloads(kernel, grid)] == [13, 5, 0]


def test_a_repair_leaves_the_rest_that_is_due_after_what_was_worked():
    """R1 was on for 24 hours until 11:00 of the day before: not before 01:00 again, so not by night float at 19:00."""
    demands = (Demand("LONG", "RESIDENT", 1, 1),)
    stayed = (worked("R1", 0, "PM", "LONG", clock(12, 24)), worked("R1", 0, "AM", "LONG", clock(0, 12)))
    made = programme(people=(resident("R1"), resident("R2")), demands=demands, days=4, actual_hours=stayed)
    kernel = Kernel(made)
    grid = kernel.grid_of(cells(*(("R1", day, "AP", "LONG") for day in range(4))))
    broken = [one for one in kernel.violations(grid) if one.rule == "14_HOUR_REST_RULE"]
    assert [one.last for one in broken] == [1]
    found = repair(kernel, grid, today=1)
    assert found.proven
    assert not list(kernel.violations(found.grid))
    assert (found.grid[:, 0] == grid[:, 0]).all()


# --- values ---


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (worked("R9", 0, "AM"), "unknown person"),
        (worked("R1", 0, "AM", "GONE"), "unknown service 'GONE'"),
        (worked("R1", -1, "AM"), "outside the programme's days"),
        (worked("R1", 0, "AM", "DAY"), "stand twice"),
    ],
)
def test_a_row_that_the_programme_does_not_know_is_a_fault(row, says):
    faults = programme(actual_hours=(worked("R1", 0, "AM"), row)).faults()
    assert any(says in fault for fault in faults)


@pytest.mark.parametrize(
    ("service", "session", "hours"),
    [(None, "AM", clock(8, 12)), ("DAY", "AM", clock(13, 17)), ("DAY", "PM", clock(8, 9))],
)
def test_hours_are_of_a_service_and_lie_in_their_half_day(service, session, hours):
    with pytest.raises(ValueError, match="hours"):
        worked("R1", 0, session, service, hours)


def test_what_is_on_record_outlives_a_file_that_does_not_have_it_or_says_otherwise():
    row, other = worked("R1", 0, "AM"), worked("R1", 0, "AM", "LONG")
    new = worked("R2", 0, "AM", "DAY")
    known = [ActualRecord("a", row, "call", (Step("approved", AT, "coordinator"),))]
    for given in ((), (row,), (other,)):
        merged, records, told = merge_actual(programme(actual_hours=(*given, new)), known, AT)
        assert merged.actual_hours == (row, new)
        assert [one.row for one in records] == [new]
        assert bool(told) == (given == (other,))


# --- at the wire ---


def block_of(desk, day, half):
    return next(one.id for one in desk.current().programme.year.blocks if (one.day, one.index % 2) == (day, half))


def at_work(desk, day, half=1, services=("WARD", "CLINIC", "ELECT")):
    """(key, person's id, block) of a resident who works then by day."""
    opened = desk.current()
    cell = next(
        one for one in opened.schedule.cells if one[1:3] == (day, half) and one[0][0] == "R" and one[3] in services
    )
    return cell[0], opened.programme.people[opened.kernel.person_of[cell[0]]].id, block_of(desk, day, half)


async def test_a_report_waits_for_a_coordinator_and_then_counts_and_the_plan_stays(in_force):
    at, desk = in_force
    key, person, block = at_work(desk, JULY_13)
    plan = desk.current().schedule.cells
    late = {"person_id": person, "block_id": block, "start_time": "13:00", "end_time": "23:30", "reason": "admissions"}
    told = await done(at(JULY_14), "change_assignment", late, own(key))
    assert told["done"] is False
    assert (await done(at(JULY_14), "list_requests", {}))["total"] == 0
    made = await done(at(JULY_14), "change_assignment", {**late, "confirm": True}, own(key))
    again = await done(at(JULY_14), "change_assignment", {**late, "confirm": True}, own(key))
    assert [one["request_id"] for one in again["requests"]] == [one["request_id"] for one in made["requests"]]
    (row,) = (await done(at(JULY_14), "list_requests", {}))["requests"]
    assert (row["kind"], row["status"], row["waiting_for"]) == ("actual_hours", "requested", ["a coordinator"])
    assert row["worked"] == f"{row['planned']} 13:00-23:30"
    assert desk.current().programme.actual_hours == ()
    answer = {"request_id": row["request_id"], "decision": "approve"}
    assert (await done(at(JULY_15), "answer_request", answer))["effect"]["changes"]
    body = await done(at(JULY_15), "answer_request", {**answer, "confirm": True})
    assert body["request"]["status"] == "approved"
    (actual,) = desk.current().programme.actual_hours
    assert actual.hours == clock(13, 23.5)
    assert desk.current().schedule.cells == plan
    (record,) = desk.actual_records()
    assert [(step.state, step.by, step.why) for step in record.steps] == [
        ("requested", f"sub-{key}", "admissions"), ("approved", "coordinator", None),
    ]  # fmt: skip
    page = await read(at(JULY_15), f"schedule://person/{person}", own(key))
    assert page["actual_hours"] == [body["request"]]


async def test_people_report_their_own_hours_and_change_nothing_that_is_planned(in_force):
    at, desk = in_force
    key, person, block = at_work(desk, JULY_13)
    other, *_ = at_work(desk, JULY_13, services=("ICU",))
    asked = {"person_id": person, "block_id": block}
    assert code_of(await call(at(JULY_14), "change_assignment", asked, own(other))) == "AUTHORIZATION_FAILED"
    refused = await call(at(), "change_assignment", asked, own(key))
    assert code_of(refused) == "AUTHORIZATION_FAILED"
    assert "request_swap" in refused.content[0].text
    agent = Principal("agent", subject=f"sub-{key}", roles=frozenset({"RESIDENT"}))
    assert code_of(await call(at(JULY_14), "change_assignment", asked, agent)) == "AUTHORIZATION_FAILED"


@pytest.mark.parametrize(
    ("day", "given", "says"),
    [
        (JULY_13, {"start_time": "13:00", "end_time": "18:00"}, "past half-day"),
        (JULY_14, {"start_time": "13:00"}, "both"),
        (JULY_14, {"start_time": "18:00", "end_time": "13:00"}, "within one half-day"),
        (JULY_14, {"start_time": "08:00", "end_time": "13:00"}, "12:00"),
        (JULY_14, {"start_time": "08:00", "end_time": "12:00"}, "another half-day"),
    ],
)
async def test_times_that_are_none_of_this_half_day_are_refused_with_the_next_step(in_force, day, given, says):
    at, desk = in_force
    _, person, block = at_work(desk, JULY_13)
    reply = await call(at(day), "change_assignment", {"person_id": person, "block_id": block, **given})
    assert code_of(reply) == "VALIDATION_ERROR"
    assert says in reply.content[0].text


def spare(desk, day):
    """(key, person's id) of a resident who is there that night and has none: whatever else they have gives way."""
    opened = desk.current()
    kernel, d = opened.kernel, opened.kernel.day_of(day)
    p = next(
        p for p in range(kernel.P)
        if kernel.resident[p] and not kernel.away[p, d : d + 2].any()
        and not any(grid >= 0 and kernel.overnight[grid] for grid in opened.grid[p, d : d + 2].flat)
    )  # fmt: skip
    return opened.programme.people[p].key, opened.programme.people[p].id


async def test_a_night_that_somebody_else_took_is_recorded_whole(in_force):
    at, desk = in_force
    opened = desk.current()
    key = next(one[0] for one in opened.schedule.cells if one[1:] == (JULY_13, 1, "NF"))
    person = opened.programme.people[opened.kernel.person_of[key]]
    other, stood_in = spare(desk, JULY_13)
    night = {"block_id": block_of(desk, JULY_13, 1), "confirm": True, "reason": "ill"}
    await done(at(JULY_14), "change_assignment", {**night, "person_id": person.id})
    body = await done(at(JULY_14), "change_assignment", {**night, "person_id": stood_in, "service": "NF"})
    assert len(body["requests"]) == 2
    after = desk.current()
    on = {(row.person, row.day, row.session): row.service for row in after.programme.actual_hours}
    assert on == {
        (key, JULY_13, "PM"): None, (key, JULY_14, "AM"): None,
        (other, JULY_13, "PM"): "NF", (other, JULY_14, "AM"): "NF",
    }  # fmt: skip
    night = after.kernel.service_of["NF"]
    broken = [one for one in after.violations() if one.blocks]
    assert not [one for one in broken if one.rule == "WHOLE_NIGHT_RULE" or one.service == night]
    assert after.schedule.cells == opened.schedule.cells


async def test_what_was_confirmed_is_replaced_or_cancelled_and_no_record_is_lost(in_force):
    at, desk = in_force
    key, person, block = at_work(desk, JULY_13)
    late = {"person_id": person, "block_id": block, "start_time": "13:00", "confirm": True}
    for end in ("19:00", "20:00"):
        body = await done(at(JULY_14), "change_assignment", {**late, "end_time": end})
    assert [row.hours for row in desk.current().programme.actual_hours] == [clock(13, 20)]
    named = {"request_id": body["requests"][0]["request_id"]}
    assert code_of(await call(at(JULY_14), "withdraw_request", named, own(key))) == "CONSTRAINT_VIOLATION"
    await done(at(JULY_14), "withdraw_request", {**named, "reason": "the wrong week"})
    assert desk.current().programme.actual_hours == ()
    assert sorted(one.state for one in desk.actual_records()) == ["cancelled", "cancelled"]
    assert all(one.steps[0].state == "approved" for one in desk.actual_records())


async def test_an_imported_file_keeps_what_is_on_record_and_a_publication_after_it_too(in_force, tmp_path):
    at, desk = in_force
    _, person, block = at_work(desk, JULY_13)
    before = desk.programme()[1]
    await done(
        at(JULY_14), "change_assignment",
        {"person_id": person, "block_id": block, "start_time": "13:00", "end_time": "19:00", "confirm": True},
    )  # fmt: skip
    (row,) = desk.current().programme.actual_hours
    file = tmp_path / "again.json"
    file.write_text(json.dumps(document_of(before)))
    now = datetime(2026, 7, 14, 12, tzinfo=UTC)
    host = Host("scheduling", data_dir=tmp_path, migrations=pack.pack.migrations, clock=lambda: now)
    run = {command.name: command for command in commands(host)}["import"]
    shown = CliRunner().invoke(run, [str(file)])
    assert shown.exit_code == 0, shown.output
    assert desk.programme()[1].actual_hours == (row,)
    ahead = evolve(row, day=date(2026, 7, 20))
    file.write_text(json.dumps(document_of(evolve(before, actual_hours=(ahead,)))))
    assert "is in the future" in CliRunner().invoke(run, [str(file)]).output
    asked = {"academic_year": "2026-2027", "start_date": "2026-07-20", "end_date": "2026-07-28", "async": False}
    draft = await done(at(JULY_14), "generate_schedule", {**asked, "generation_mode": "PARTIAL"})
    plan = [cell for cell in desk.current().schedule.cells if cell[1] < JULY_14]
    await done(at(JULY_14), "publish_schedule", {"schedule_id": draft["schedule_id"]})
    assert [cell for cell in desk.current().schedule.cells if cell[1] < JULY_14] == plan
    assert desk.current().programme.actual_hours == (row,)
