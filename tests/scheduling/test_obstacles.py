"""What stands against a change besides the rules: locks, days gone by, other programmes, and nothing to change."""

from datetime import date, timedelta

import pytest
from attrs import evolve

from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.calendar import Year
from packhorse_scheduling.domain.programme.requests import Lock
from packhorse_scheduling.domain.roster.roster import assignment_id_of
from packhorse_scheduling.service.insight import mended_around, supposing
from test_changes import code_of, shelf
from wire import NOW, call, desk_in, half_days, read

pytestmark = pytest.mark.anyio
__all__ = ["shelf"]

DAYS = {"start_date": "2026-07-06", "end_date": "2026-07-12"}


async def test_a_swap_that_would_change_nothing_is_refused(shelf):
    deployment, desk = shelf
    opened = desk.current()
    by_slot = {}
    for key, day, h, service in opened.schedule.cells:
        by_slot.setdefault((day, h, service, key[0]), []).append(key)
    (day, h, *_), keys = next((slot, keys) for slot, keys in by_slot.items() if len(keys) > 1 and slot[3] == "R")
    ids = {person.key: person.id for person in opened.programme.people}
    block = next(one.id for one in opened.programme.year.blocks if (one.day, one.session) == (day, ("AM", "PM")[h]))
    asked = {
        "swap_type": "ONE_TO_ONE", "requester_id": ids[keys[0]], "target_person_id": ids[keys[1]], "block_ids": [block]
    }  # fmt: skip
    body = (await call(deployment, "check_swap_feasibility", asked)).structured_content
    assert body["is_feasible"] is False
    assert "nothing to swap" in body["blocking_reasons"][0]
    assert code_of(await call(deployment, "request_swap", asked)) == "VALIDATION_ERROR"


async def test_nobody_is_offered_for_a_half_day_that_is_past_or_locked(tmp_path, served, small):
    source = served[1].current()
    key, day, h, service = next(cell for cell in source.schedule.cells if cell[0].startswith("R"))
    locks = (Lock(key, day, ("AM", "PM")[h], service),)
    made = evolve(small, locks=locks)
    for clock, says in ((NOW, "locked"), (lambda: NOW() + timedelta(days=60), "has passed")):
        folder = tmp_path / says
        deployment, desk = deployment_for(data_dir=folder, clock=clock, scheduling=pack), desk_in(folder)
        programme = desk.import_programme(made)
        with desk.rosters() as rosters:
            rosters.save_schedule(evolve(source.schedule, programme=programme, parent=None, status="published"))
        person = next(one for one in made.people if one.key == key)
        asked = {"requester_person_id": person.id, "assignment_id": assignment_id_of(key, day, h)}
        reply = await call(deployment, "analyze_swap_candidates", asked)
        assert code_of(reply) == "VALIDATION_ERROR"
        assert says in reply.content[0].text
        block = next(one.id for one in made.year.blocks if (one.day, one.session) == (day, ("AM", "PM")[h]))
        absorb = {"swap_type": "ABSORB", "requester_id": person.id, "block_ids": [block]}
        body = (await call(deployment, "check_swap_feasibility", absorb)).structured_content
        assert body["is_feasible"] is False
        assert says in body["blocking_reasons"][0]


def moves_others(opened, p):
    """Whether the loss of this person for a week has to be made good by others: of most rosters, not of all people."""
    gone = [(p, date(2026, 7, 6), date(2026, 7, 10))]
    found = mended_around(supposing(opened, gone, []), gone, opened.kernel.day_of(NOW().date()))
    return found is not None and {row[0] for row in found.changed} - {p}


async def test_a_repair_keeps_to_the_programme_s_own_locks(shelf):
    """What a repair would change is locked by the programme, and the repair is made anew."""
    deployment, desk = shelf
    opened = desk.current()
    person = next(one for p, one in enumerate(opened.programme.people) if moves_others(opened, p))
    away = {"person_id": person.id, "start_date": "2026-07-06", "end_date": "2026-07-10"}
    first = (await call(deployment, "repair_schedule", {"absences": [away]})).structured_content
    others = [row for row in first["changes"] if row["person_key"] != person.key]
    assert others
    codes = {one.name: one.code for one in opened.programme.services}
    locks = tuple(
        Lock(row["person_key"], day, session, codes.get(row["before"]))
        for row in others
        for day, session in half_days(row)
    )
    made = desk.import_programme(evolve(desk.current().programme, locks=locks))
    with desk.rosters() as rosters:
        rosters.move_to(made, opened.schedule.id, "COMPLIANT")
    again = (await call(deployment, "repair_schedule", {"absences": [away]})).structured_content
    held = {(row["person_key"], *one) for row in others for one in half_days(row)}
    assert not held & {(row["person_key"], *one) for row in again["changes"] for one in half_days(row)}


async def test_an_absence_that_touches_nobody_s_work_says_so(shelf):
    deployment, desk = shelf
    opened = desk.current()
    busy = {(key, day) for key, day, _, _ in opened.schedule.cells}
    person, day = next(
        (one, block.day)
        for one in opened.programme.people
        for block in opened.programme.year.blocks
        if (one.key, block.day) not in busy
        and not any(
            leave.person == one.key and leave.start <= block.day <= leave.end for leave in opened.programme.leaves
        )
    )
    away = {"person_id": person.id, "start_date": day.isoformat(), "end_date": day.isoformat()}
    reply = await call(deployment, "repair_schedule", {"absences": [away]})
    assert "Nothing in the roster has to change" in reply.content[0].text


async def test_a_repair_of_days_gone_by_says_which_changes_are(tmp_path, served, small):
    deployment = deployment_for(data_dir=tmp_path, clock=lambda: NOW() + timedelta(days=60), scheduling=pack)
    desk = desk_in(tmp_path)
    programme = desk.import_programme(small)
    with desk.rosters() as rosters:
        schedule = served[1].current().schedule
        rosters.save_schedule(evolve(schedule, programme=programme, parent=None, status="published"))
    person = next(one for one in small.people if one.role == "FACULTY")
    away = {"person_id": person.id, "start_date": "2026-07-06", "end_date": "2026-07-10"}
    assert "have passed" in (await call(deployment, "repair_schedule", {"absences": [away]})).content[0].text


# --- another year's programme, and another version of this one's ---


def next_year(small):
    year = Year(small.year.start.replace(year=2027), small.year.end.replace(year=2027))
    return evolve(small, year=year, leaves=(), preferences=(), history=())


async def test_leave_recorded_before_the_next_year_was_imported_binds_a_draft_of_this_one(shelf, small):
    deployment, desk = shelf
    draft = (await call(deployment, "snapshot_schedule", {"label": "as it is"})).structured_content["schedule_id"]
    opened = desk.current()
    key, day, *_ = next(cell for cell in opened.schedule.cells if cell[0].startswith("R"))
    person = next(one for one in opened.programme.people if one.key == key)
    away = {"person_id": person.id, "start_date": day.isoformat(), "end_date": day.isoformat()}
    assert not (await call(deployment, "record_leave", away)).is_error
    desk.import_programme(next_year(small))
    assert code_of(await call(deployment, "publish_schedule", {"schedule_id": draft})) == "CONSTRAINT_VIOLATION"


async def test_leave_of_this_year_leaves_the_next_year_s_programme_to_be_made(shelf, small):
    deployment, desk = shelf
    made = next_year(small)
    desk.import_programme(made)
    person = next(one for one in small.people if one.role == "RESIDENT")
    away = {"person_id": person.id, "start_date": "2026-07-20", "end_date": "2026-07-20"}
    assert not (await call(deployment, "record_leave", away)).is_error
    _, found = desk.programme("2027-2028")
    assert found == made
    blocks = await read(deployment, "schedule://blocks")
    assert blocks["academic_year"] == (await read(deployment, "schedule://current"))["academic_year"]


async def test_a_programme_imported_since_takes_over_the_leave_that_is_recorded(shelf, small):
    deployment, desk = shelf
    opened = desk.current()
    more = evolve(opened.programme.people[0], key="R99", name="Somebody New", subject=None)
    desk.import_programme(evolve(opened.programme, people=(*opened.programme.people, more)))
    person = next(one for one in opened.programme.people if one.role == "RESIDENT")
    away = {"person_id": person.id, "start_date": "2026-07-20", "end_date": "2026-07-20"}
    assert not (await call(deployment, "record_leave", away)).is_error
    _, newest = desk.programme()
    assert more in newest.people
    assert any(leave.person == person.key and leave.start == date(2026, 7, 20) for leave in newest.leaves)
    assert desk.current().programme.people == newest.people  # what is in force is of the present programme


async def test_a_part_of_a_programme_of_which_nothing_is_published_is_refused_before_it_is_made(tmp_path, small):
    deployment, desk = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack), desk_in(tmp_path)
    desk.import_programme(small)
    asked = {
        "academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2026-07-14", "async": False
    }  # fmt: skip
    reply = await call(deployment, "generate_schedule", asked)
    assert code_of(reply) == "VALIDATION_ERROR"
    assert "First generate and publish all days" in reply.content[0].text


async def test_a_draft_made_without_the_rules_says_why_it_cannot_be_published(shelf):
    deployment, desk = shelf
    opened = desk.current()
    with desk.rosters() as rosters:
        loose = evolve(
            opened.schedule, id=desk.host.new_id(), version=rosters.next_version(), status="draft",
            compliance="VIOLATIONS",
        )  # fmt: skip
        rosters.save_schedule(loose)
    reply = await call(deployment, "publish_schedule", {"schedule_id": loose.id})
    assert "without the duty-hour rules" in reply.content[0].text


async def test_a_scenario_of_one_role_names_whoever_is_of_another(shelf):
    deployment, desk = shelf
    person = next(one for one in desk.current().programme.people if one.role == "RESIDENT")
    asked = {"scenario": "faculty_absence", "affected_person_ids": [person.id], **DAYS}
    reply = await call(deployment, "run_contingency_analysis", asked)
    assert code_of(reply) == "VALIDATION_ERROR"
    assert person.name in reply.content[0].text
