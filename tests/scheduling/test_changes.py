"""Leave, repair, snapshots and swaps over the wire, on a store of each test's own."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from packhorse.contract.principal import Principal
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.convert.repairs import MOST_CHANGES
from spec_schemas import check
from wire import NOW, call, desk_in, read

pytestmark = pytest.mark.anyio


@pytest.fixture
def shelf(tmp_path, served, small):
    """(deployment, desk): the served schedule, published anew, with a subject for everybody."""
    people = tuple(evolve(person, subject=f"sub-{person.key}") for person in small.people)
    deployment, desk = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack), desk_in(tmp_path)
    made = desk.import_programme(evolve(small, people=people))
    source = served[1].current().schedule
    with desk.rosters() as rosters:
        rosters.save_schedule(evolve(source, programme=made, parent=None, status="published"))
    return deployment, desk


def resident(key):
    return Principal("human", subject=f"sub-{key}", roles=frozenset({"RESIDENT"}))


def code_of(reply):
    assert reply.is_error, reply.content
    return reply.meta["packhorse/error"]["code"]


def wanted(desk):
    """Arguments of a swap that breaks no rule, between two residents."""
    from packhorse_scheduling.domain.change import swaps

    opened = desk.current()
    kernel, year = opened.kernel, opened.programme.year
    for key, day, h, _ in opened.schedule.cells:
        p = kernel.person_of[key]
        if not kernel.resident[p]:
            continue
        found = swaps.candidates(opened.board(), p, [(kernel.day_of(day), h)])
        if found:
            best = found[0]
            people = opened.programme.people
            return {
                "swap_type": best.swap,
                "requester_id": people[p].id,
                "target_person_id": people[best.person].id,
                "block_ids": [next(b.id for b in year.blocks if (b.day, b.session) == (day, ("AM", "PM")[h]))],
            }, (key, people[best.person].key)
    raise AssertionError("the sample has no feasible swap")


async def test_a_swap_is_asked_for_accepted_carried_out_and_taken_back(shelf):
    deployment, desk = shelf
    before = desk.current().schedule.cells
    asked, (requester, target) = wanted(desk)
    swap = (await call(deployment, "request_swap", asked, resident(requester))).structured_content
    named = {"swap_id": swap["swap_id"]}
    assert swap["awaiting"] == [asked["target_person_id"]]
    assert code_of(await call(deployment, "execute_swap", named)) == "CONSTRAINT_VIOLATION"
    answered = await call(deployment, "respond_swap", {**named, "accept": True}, resident(target))
    assert answered.structured_content["status"] == "approved"
    done = (await call(deployment, "execute_swap", named)).structured_content
    assert done["schedule_id"] == desk.current().schedule.id
    assert set(desk.current().schedule.cells) != set(before)
    assert desk.current().schedule.compliance == "COMPLIANT"
    assert code_of(await call(deployment, "execute_swap", named)) == "CONSTRAINT_VIOLATION"
    back = (await call(deployment, "execute_swap", {**named, "take_back": True})).structured_content
    assert back["status"] == "rolled_back"
    assert set(desk.current().schedule.cells) == set(before)
    assert [row["recorded_by"] for row in done["approvals"]] == [f"sub-{requester}", f"sub-{target}"]


async def test_a_swap_cannot_be_taken_back_after_its_window(shelf, tmp_path):
    deployment, desk = shelf
    asked, (requester, target) = wanted(desk)
    swap = (await call(deployment, "request_swap", asked, resident(requester))).structured_content
    named = {"swap_id": swap["swap_id"]}
    await call(deployment, "respond_swap", {**named, "accept": True}, resident(target))
    assert not (await call(deployment, "execute_swap", named)).is_error
    late = NOW() + timedelta(hours=24, seconds=1)
    later = deployment_for(data_dir=tmp_path, clock=lambda: late, scheduling=pack)
    reply = await call(later, "execute_swap", {**named, "take_back": True})
    assert code_of(reply) == "CONSTRAINT_VIOLATION"
    assert "until 2026-06-16 12:00 UTC" in reply.content[0].text


async def test_one_refusal_ends_a_swap(shelf):
    deployment, desk = shelf
    asked, (_, target) = wanted(desk)
    swap = (await call(deployment, "request_swap", asked)).structured_content
    named = {"swap_id": swap["swap_id"]}
    assert len(swap["awaiting"]) == 2
    reply = await call(deployment, "respond_swap", {**named, "accept": False}, resident(target))
    assert reply.structured_content["status"] == "declined"
    assert code_of(await call(deployment, "execute_swap", named)) == "CONSTRAINT_VIOLATION"


async def test_nobody_asks_or_answers_for_somebody_else(shelf):
    deployment, desk = shelf
    asked, _ = wanted(desk)
    stranger = Principal("human", subject="stranger", roles=frozenset({"RESIDENT"}))
    assert code_of(await call(deployment, "request_swap", asked, stranger)) == "AUTHORIZATION_FAILED"
    swap = (await call(deployment, "request_swap", asked)).structured_content
    answer = {"swap_id": swap["swap_id"], "accept": True, "person_id": asked["target_person_id"]}
    assert code_of(await call(deployment, "respond_swap", answer, stranger)) == "AUTHORIZATION_FAILED"
    leave = {"person_id": asked["requester_id"], "start_date": "2026-07-06", "end_date": "2026-07-06"}
    assert code_of(await call(deployment, "record_leave", leave, stranger)) == "AUTHORIZATION_FAILED"


async def test_a_coordinator_s_leave_binds_and_a_resident_s_is_a_request(shelf):
    deployment, desk = shelf
    opened = desk.current()
    key, day, _, _ = next(c for c in opened.schedule.cells if c[0].startswith("R"))
    person = next(p for p in opened.programme.people if p.key == key)
    leave = {"person_id": person.id, "start_date": day.isoformat(), "end_date": day.isoformat(), "kind": "conference"}
    asked = (await call(deployment, "record_leave", leave, resident(key))).structured_content
    assert (asked["status"], desk.current().schedule.compliance) == ("requested", "COMPLIANT")
    made = (await call(deployment, "record_leave", leave)).structured_content
    assert made["status"] == "approved"
    assert made["conflicting_assignments"] > 0
    page = await read(deployment, "schedule://current")
    assert page["metadata"]["compliance_status"] == "VIOLATIONS"
    assert code_of(await call(deployment, "record_leave", leave)) == "VALIDATION_ERROR"


async def test_an_absence_is_repaired_into_a_draft_that_can_be_published(shelf):
    deployment, desk = shelf
    opened = desk.current()
    person = next(p for p in opened.programme.people if p.role == "RESIDENT")
    away = {"person_id": person.id, "start_date": "2026-07-13", "end_date": "2026-07-17"}
    body = (await call(deployment, "repair_schedule", {"absences": [away]})).structured_content
    assert len(body["changes"]) == min(body["change_count"], MOST_CHANGES) > 0
    draft = desk.opened(body["schedule_id"])
    start, end = datetime(2026, 7, 13, tzinfo=UTC).date(), datetime(2026, 7, 17, tzinfo=UTC).date()
    assert not [c for c in draft.schedule.cells if c[0] == person.key and start <= c[1] <= end]
    reply = await call(deployment, "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert reply.structured_content["superseded_schedule_id"] == opened.schedule.id


async def test_a_snapshot_brings_the_roster_back(shelf):
    deployment, desk = shelf
    before = desk.current().schedule.cells
    copy = (await call(deployment, "snapshot_schedule", {"label": "as it was"})).structured_content
    asked, (requester, target) = wanted(desk)
    swap = (await call(deployment, "request_swap", asked, resident(requester))).structured_content
    named = {"swap_id": swap["swap_id"]}
    await call(deployment, "respond_swap", {**named, "accept": True}, resident(target))
    await call(deployment, "execute_swap", named)
    await call(deployment, "publish_schedule", {"schedule_id": copy["schedule_id"]})
    assert set(desk.current().schedule.cells) == set(before)


async def test_a_draft_is_judged_with_leave_recorded_since(shelf):
    deployment, desk = shelf
    copy = (await call(deployment, "snapshot_schedule", {"label": "as it was"})).structured_content
    key, day, _, _ = desk.current().schedule.cells[0]
    person = next(p for p in desk.current().programme.people if p.key == key)
    leave = {"person_id": person.id, "start_date": day.isoformat(), "end_date": day.isoformat()}
    await call(deployment, "record_leave", leave)
    reply = await call(deployment, "publish_schedule", {"schedule_id": copy["schedule_id"]})
    assert code_of(reply) == "CONSTRAINT_VIOLATION"


async def test_an_explanation_names_the_need_and_agrees_with_the_swap_check(shelf):
    deployment, desk = shelf
    opened = desk.current()
    key, day, h, _ = next(c for c in opened.schedule.cells if c[0].startswith("R"))
    person = next(p for p in opened.programme.people if p.key == key)
    block = next(b.id for b in opened.programme.year.blocks if (b.day, b.session) == (day, ("AM", "PM")[h]))
    body = (
        await call(deployment, "explain_assignment", {"person_id": person.id, "block_id": block}, resident(key))
    ).structured_content
    assert body["reasons"]
    for other in body["others"][:4]:
        asked = {"swap_type": "ABSORB", "requester_id": person.id, "block_ids": [block],
                 "target_person_id": other["person_id"]}  # fmt: skip
        judged = (await call(deployment, "check_swap_feasibility", asked)).structured_content
        check(judged, "check_swap_feasibility", "Output Schema")
        assert other["could"] == judged["is_feasible"]
        assert other["could"] or other["because"]
