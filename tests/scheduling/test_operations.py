"""A programme lives for a year: several absences at once, days gone by, a start in the middle of the year."""

import json
import random
from datetime import UTC, date, datetime, timedelta

import anyio.to_thread
import pytest
from attrs import evolve
from click.testing import CliRunner

from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.domain.change.repair import repair
from packhorse_scheduling.domain.programme.requests import Leave
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.domain.solve.search import Effort
from wire import busy, call, code_of, desk_in, done, leave

pytestmark = pytest.mark.anyio


JULY_14 = date(2026, 7, 14)
DAYS = 56
"""Of the solved draft."""


@pytest.mark.parametrize(("count", "seed"), [(3, 1), (3, 2), (15, 1), (15, 2)])
def test_many_absences_are_mended_together_with_fewer_changes_than_half_days_lost(programme, draft, count, seed):
    """The recipe's bar: of fifteen absences of up to five days, no new violation, no past cell, others <= emptied."""
    year = evolve(programme.year, end=programme.year.start + timedelta(days=DAYS - 1))
    leaves = [one for one in programme.leaves if one.start in year and one.end in year]
    wishes = tuple(one for one in programme.preferences if one.day in year)
    draw = random.Random(seed)
    while count:
        person = draw.choice(programme.people).key
        start = year.start + timedelta(days=10 + draw.randrange(40))
        sick = Leave(person, start, start + timedelta(days=draw.randrange(5)), "sick")
        if not any(one.person == person and one.start <= sick.end and start <= one.end for one in leaves):
            leaves.append(sick)
            count -= 1
    kernel = Kernel(evolve(programme, year=year, leaves=tuple(leaves), preferences=wishes))
    grid = draft.grid[:, :DAYS]
    found = repair(kernel, grid, today=8, effort=Effort(gap=0))
    assert found is not None
    assert (found.proven, found.shortfall) == (True, 0)
    assert len(found.changed) <= len(found.vacated)
    assert (found.grid[:, :8] == grid[:, :8]).all()
    assert [one.rule for rule in kernel.rules for one in rule.check(found.grid) if one.blocks] == []


async def test_three_absences_at_once_are_mended_by_one_repair_that_can_be_published(in_force):
    at, desk = in_force
    days = [JULY_14, JULY_14, date(2026, 7, 21)]
    for (_, person), day in zip(busy(desk, 3, JULY_14), days, strict=True):
        await done(at(), "record_leave", leave(person, day, kind="sick"))
    body = await done(at(), "repair_schedule", {})
    assert body["proven_minimal"] is True
    assert body["changed"] <= 2 * body["vacated"]
    assert 0 < body["churn"] < 0.2
    published = await done(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert published["compliance_status"] == "COMPLIANT"
    assert desk.current().violations(("LEAVE_RULE",)) == []


async def test_a_mended_roster_stands_on_the_rotation_plan_of_the_one_before(in_force):
    at, desk = in_force
    plan = desk.current().schedule.plan
    assert plan
    body = await done(at(), "repair_schedule", {"absences": [leave(busy(desk, 1, JULY_14)[0][1], JULY_14)]})
    await done(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert desk.current().schedule.plan == plan


async def test_a_repair_of_one_absence_is_published_while_another_stands_and_is_told(in_force):
    at, desk = in_force
    (_, first), (key, second) = busy(desk, 2, JULY_14)
    later = next(c[1] for c in desk.current().schedule.cells if c[0] == key and c[1] >= date(2026, 7, 22))
    await done(at(), "record_leave", leave(first, JULY_14))
    await done(at(), "record_leave", leave(second, later, days=1))
    body = await done(at(), "repair_schedule", {"absences": [leave(first, JULY_14)]})
    reply = await call(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert not reply.is_error, reply.content
    assert reply.structured_content["standing_violations"] > 0
    assert "stood before" in reply.content[0].text
    assert {one.rule for one in desk.current().violations() if one.blocks} == {"LEAVE_RULE"}
    people = desk.current().programme.people
    assert {people[one.person].key for one in desk.current().violations(["LEAVE_RULE"])} == {key}


async def test_a_place_that_nobody_can_fill_is_named_and_does_not_keep_the_repair_from_being_published(in_force):
    at, desk = in_force
    for person in desk.current().programme.people:
        if person.key.startswith("F"):
            await done(at(), "record_leave", leave(person.id, JULY_14, days=1, kind="sick"))
    reply = await call(at(), "repair_schedule", {})
    body = reply.structured_content
    assert body["shortfall"] > 0
    assert body["proven_minimal"] is True
    assert any("2026-07-14" in words and "below" in words for words in body["unavoidable"])
    published = await done(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert published["standing"] == body["unavoidable"]
    assert desk.current().violations(("LEAVE_RULE",)) == []
    again = await call(at(), "repair_schedule", {})
    assert again.structured_content["changes"] == []
    assert "Nothing in the roster has to change" in again.content[0].text


async def test_a_draft_made_before_leave_is_refused_with_person_and_day_and_the_next_step_works(in_force):
    at, desk = in_force
    copy = await done(at(), "snapshot_schedule", {"label": "as it was"})
    key, person = busy(desk, 1, JULY_14)[0]
    await done(at(), "record_leave", leave(person, JULY_14))
    reply = await call(at(), "publish_schedule", {"schedule_id": copy["schedule_id"]})
    assert code_of(reply) == "CONSTRAINT_VIOLATION"
    name = desk.current().programme.people[desk.current().kernel.person_of[key]].name
    assert name in reply.content[0].text
    assert "2026-07-14" in reply.content[0].text
    assert "while on leave" in reply.content[0].text
    mended = await done(at(), "repair_schedule", {"schedule_id": copy["schedule_id"]})
    await done(at(), "publish_schedule", {"schedule_id": mended["schedule_id"]})


async def test_a_collision_elsewhere_does_not_stop_the_making_of_other_days(in_force):
    at, desk = in_force
    for _, person in busy(desk, 2, JULY_14):
        await done(at(), "record_leave", leave(person, JULY_14))
    asked = {"academic_year": "2026-2027", "start_date": "2026-07-22", "end_date": "2026-07-28", "async": False}
    body = await done(at(), "generate_schedule", asked)
    published = await done(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert published["standing_violations"] > 0


async def test_gaps_that_absences_leave_are_filled_around_what_is_kept(in_force):
    at, desk = in_force
    for _, person in busy(desk, 2, JULY_14):
        await done(at(), "record_leave", leave(person, JULY_14))
    days = {"academic_year": "2026-2027", "start_date": "2026-07-13", "end_date": "2026-07-19"}
    body = await done(at(), "generate_schedule", {**days, "generation_mode": "PARTIAL", "async": False})
    published = await done(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert published["compliance_status"] == "COMPLIANT"


async def test_sick_leave_of_days_gone_by_neither_changes_them_nor_stops_anything(in_force):
    at, desk = in_force
    today = date(2026, 7, 16)
    before = [cell for cell in desk.current().schedule.cells if cell[1] < today]
    person = busy(desk, 1, JULY_14)[0][1]
    await done(at(today), "record_leave", leave(person, JULY_14, kind="sick"))
    reply = await call(at(today), "repair_schedule", {})
    assert "have passed and stay as they were" in reply.content[0].text
    for row in reply.structured_content["changes"]:
        assert row["date"] >= today.isoformat()
    await done(at(today), "publish_schedule", {"schedule_id": reply.structured_content["schedule_id"]})
    asked = {"academic_year": "2026-2027", "start_date": "2026-07-08", "end_date": "2026-07-28", "async": False}
    body = await done(at(today), "generate_schedule", asked)
    await done(at(today), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert [cell for cell in desk.current().schedule.cells if cell[1] < today] == before


async def test_a_draft_that_is_published_late_takes_the_days_gone_by_from_what_was_in_force(in_force):
    at, desk = in_force
    copy = await done(at(), "snapshot_schedule", {"label": "old"})
    person = busy(desk, 1, JULY_14)[0][1]
    body = await done(at(), "repair_schedule", {"absences": [leave(person, JULY_14)]})
    await done(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    worked = [cell for cell in desk.current().schedule.cells if cell[1] < date(2026, 7, 20)]
    published = await done(at(date(2026, 7, 20)), "publish_schedule", {"schedule_id": copy["schedule_id"]})
    assert [cell for cell in desk.current().schedule.cells if cell[1] < date(2026, 7, 20)] == worked
    assert published["schedule_id"] != copy["schedule_id"]
    assert desk.current().schedule.parent == copy["schedule_id"]


async def test_days_made_again_after_leave_say_how_many_half_days_the_least_repair_changes(in_force):
    at, desk = in_force
    asked = {"academic_year": "2026-2027", "start_date": "2026-07-08", "end_date": "2026-07-28", "async": False}
    await done(at(), "record_leave", leave(busy(desk, 1, JULY_14)[0][1], JULY_14, days=7))
    mended = await done(at(), "repair_schedule", {})
    made = (await done(at(), "generate_schedule", asked))["churn"]
    assert made["least_repair"] == mended["vacated"] + mended["changed"]
    run = {command.name: command for command in commands(desk.host)}["generate"]
    days = ["--start", asked["start_date"], "--end", asked["end_date"], "--start-afresh", "--json"]
    output = await anyio.to_thread.run_sync(lambda: CliRunner().invoke(run, days, input="y\n").output)
    fresh = json.loads(output[output.index("{\n") :])["churn"]
    assert made["least_repair"] <= made["changed_half_days"] < fresh["changed_half_days"] / 2


def test_starting_afresh_asks_first_with_what_is_at_stake(in_force):
    _, desk = in_force
    run = {command.name: command for command in commands(desk.host)}["generate"]
    asked = ["--start", "2026-07-15", "--end", "2026-07-28", "--start-afresh"]
    stake = [cell for cell in desk.current().schedule.cells if cell[1] >= date(2026, 7, 15)]
    no, yes = (CliRunner().invoke(run, [*asked, "--json"], input=word) for word in ("n\n", "y\n"))
    other = CliRunner().invoke(run, [*asked, "--mode", "PARTIAL"])

    assert f"{len(stake)} half-days of {len({cell[0] for cell in stake})} people" in no.output
    assert (no.exit_code, yes.exit_code) == (1, 0)
    made = json.loads(yes.output[yes.output.index("{\n") :])
    assert made["churn"]["changed_half_days"] > made["churn"]["least_repair"] == 0
    assert (other.exit_code, "keeps existing assignments" in other.output) == (2, True)


async def test_days_that_have_all_gone_by_are_not_made_anew(in_force):
    at, _ = in_force
    asked = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2026-07-14", "async": False}
    reply = await call(at(date(2026, 7, 20)), "generate_schedule", asked)
    assert code_of(reply) == "VALIDATION_ERROR"
    assert "2026-07-20" in reply.content[0].text


async def test_a_programme_starts_in_the_middle_of_its_year_with_nothing_before(tmp_path, small):
    desk = desk_in(tmp_path)
    desk.import_programme(small)
    now = datetime(2026, 7, 12, 12, tzinfo=UTC)
    deployment = deployment_for(data_dir=tmp_path, clock=lambda: now, scheduling=pack)
    asked = {
        "academic_year": "2026-2027", "start_date": "2026-07-15", "end_date": small.year.end.isoformat(), "async": False
    }  # fmt: skip
    body = await done(deployment, "generate_schedule", asked)
    await done(deployment, "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert min(cell[1] for cell in desk.current().schedule.cells) >= date(2026, 7, 15)


async def test_somebody_who_joins_is_planned_without_making_the_rest_anew(in_force):
    at, desk = in_force
    opened = desk.current()
    more = evolve(opened.programme.people[0], key="R99", name="Somebody New", subject=None)
    desk.import_programme(evolve(opened.programme, people=(*opened.programme.people, more)))
    today = date(2026, 7, 13)
    asked = {"academic_year": "2026-2027", "start_date": "2026-07-20", "end_date": "2026-07-28", "async": False}
    body = await done(at(today), "generate_schedule", asked)
    await done(at(today), "publish_schedule", {"schedule_id": body["schedule_id"]})
    now = desk.current().schedule.cells
    assert [c for c in now if c[1] < date(2026, 7, 20)] == [
        c for c in opened.schedule.cells if c[1] < date(2026, 7, 20)
    ]
    assert sum(cell[0] == "R99" for cell in now) >= 6
    kept = set(opened.schedule.cells) & set(now)
    assert len(kept) >= 0.9 * len(opened.schedule.cells)
