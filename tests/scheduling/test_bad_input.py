"""What is wrong is refused in words that help, by its code, and nothing is stored."""

from datetime import timedelta

import pytest
from attrs import evolve

from packhorse.contract.principal import Principal
from packhorse.testing import deployment_for
from packhorse_scheduling import pack
from packhorse_scheduling.domain.programme.requests import Leave, Lock
from test_changes import wanted
from wire import COORDINATOR, NOW, call, desk_in

pytestmark = pytest.mark.anyio

NOBODY = "00000000-0000-5000-8000-000000000000"
STRANGER = Principal("human", subject="stranger", roles=frozenset({"RESIDENT"}))


@pytest.fixture
def ward(tmp_path, served, small):
    """The published four weeks in a store of the test's own; a lock and a leave are in it, and a credential ends."""
    source = served[1].current()
    key, day, half, service = next(cell for cell in source.schedule.cells if cell[0].startswith("R"))
    deployment, desk = deployment_for(data_dir=tmp_path, clock=NOW, scheduling=pack), desk_in(tmp_path)
    locks = (Lock(key, day, ("AM", "PM")[half], service),)
    made = desk.import_programme(evolve(small, locks=locks))
    with desk.rosters() as rosters:
        rosters.save_schedule(evolve(source.schedule, programme=made, parent=None, status="published"))
    return deployment, desk


def facts(desk):
    """Everything that a refusal must not have changed."""
    with desk.rosters() as rosters:
        return [
            rosters.store.query(f"SELECT count(*) AS n FROM {table}")[0]["n"]
            for table in ("programmes", "schedules", "swaps", "snapshots", "changes", "notices")
        ] + [rosters.state()]


def swap(desk):
    return wanted(desk)[0]


def own(desk, **changed):
    """Leave of the first resident."""
    person = next(one for one in desk.current().programme.people if one.role == "RESIDENT")
    return {"person_id": person.id, "start_date": "2026-07-20", "end_date": "2026-07-21", **changed}


def absent(desk, **changed):
    return {"absences": [own(desk, **changed)]}


def locked(desk):
    opened = desk.current()
    lock = opened.programme.locks[0]
    people = {person.key: person for person in opened.programme.people}
    block = next(one for one in opened.programme.year.blocks if (one.day, one.session) == (lock.day, lock.session))
    place = (lock.day, ("AM", "PM").index(lock.session))
    other = next(  # between two of the same service there is nothing to swap
        people[key]
        for key, *cell, service in opened.schedule.cells
        if tuple(cell) == place and service != lock.service and people[key].role == people[lock.person].role
    )
    return {
        "swap_type": "ONE_TO_ONE", "requester_id": people[lock.person].id, "target_person_id": other.id,
        "block_ids": [block.id],
    }  # fmt: skip


def idle(desk):
    """A half-day in which the requester does not work: it is somebody else's."""
    opened = desk.current()
    busy = {(key, day, half) for key, day, half, _ in opened.schedule.cells}
    first, second = [one for one in opened.programme.people if one.role == "RESIDENT"][:2]
    block = next(
        one for one in opened.programme.year.blocks if (first.key, one.day, int(one.session == "PM")) not in busy
    )
    return {
        "swap_type": "ONE_TO_ONE", "requester_id": first.id, "target_person_id": second.id, "block_ids": [block.id]
    }  # fmt: skip


YEAR = {"academic_year": "2026-2027", "start_date": "2026-07-01", "end_date": "2026-07-28", "async": False}

TABLE = [
    ("an unknown schedule", "validate_schedule", lambda d: {"schedule_id": NOBODY}, "NOT_FOUND", "no schedule"),
    ("an id that is none", "validate_schedule", lambda d: {"schedule_id": "1 OR 1=1"}, None, "schedule_id"),
    ("a rule that is none", "validate_schedule", lambda d: {"validation_rules": ["MY_RULE"]}, None, "validation_rules"),
    ("no rules at all", "validate_schedule", lambda d: {"validation_rules": []}, "VALIDATION_ERROR", "at least one"),
    ("an unknown person", "record_leave", lambda d: own(d, person_id=NOBODY), "NOT_FOUND", "no person"),
    ("leave backwards", "record_leave", lambda d: own(d, end_date="2026-07-01"), "VALIDATION_ERROR", "before"),
    ("leave in another year", "record_leave", lambda d: own(d, start_date="2031-01-01", end_date="2031-01-02"),
     "VALIDATION_ERROR", "outside"),
    ("leave of no date", "record_leave", lambda d: own(d, start_date="2026-02-30"), "VALIDATION_ERROR", "not a date"),
    ("leave of no kind", "record_leave", lambda d: own(d, kind="a broken leg"), None, "kind"),
    ("a swap with oneself", "request_swap", lambda d: {**swap(d), "target_person_id": swap(d)["requester_id"]},
     "VALIDATION_ERROR", "must be another person"),
    ("a swap of no block", "request_swap", lambda d: {**swap(d), "block_ids": []}, None, "block_ids"),
    ("a swap of an unknown block", "request_swap", lambda d: {**swap(d), "block_ids": [NOBODY]}, "NOT_FOUND", "block"),
    ("a swap of another's block", "request_swap", idle, "VALIDATION_ERROR", "no duty"),
    ("a swap of a locked half-day", "request_swap", locked, "CONSTRAINT_VIOLATION", "locked"),
    ("an unknown swap", "execute_swap", lambda d: {"swap_id": NOBODY}, "NOT_FOUND", "swap"),
    ("an unknown draft", "publish_schedule", lambda d: {"schedule_id": NOBODY}, "NOT_FOUND", "schedule"),
    ("a repair backwards", "repair_schedule", lambda d: absent(d, end_date="2026-07-01"), "VALIDATION_ERROR", "before"),
    ("a repair outside the year", "repair_schedule", lambda d: absent(d, end_date="2046-07-01"), "VALIDATION_ERROR",
     "outside"),
    ("a lock on nothing", "repair_schedule", lambda d: {**absent(d), "locked_assignments": [NOBODY]}, "NOT_FOUND",
     "assignment"),
    ("leave of an unknown kind", "record_leave", lambda d: own(d, kind="holiday"), "VALIDATION_ERROR", "vacation"),
    ("a repair of an unknown kind", "repair_schedule", lambda d: absent(d, kind="flu"), "VALIDATION_ERROR", "sick"),
    ("a fallback for nothing", "snapshot_schedule", lambda d: {"label": "a", "fallback_for": "rain"},
     "VALIDATION_ERROR", "mass_casualty"),
    ("conflicts of an unknown kind", "detect_conflicts",
     lambda d: {"start_date": "2026-07-02", "end_date": "2026-07-09", "conflict_types": ["bad"]}, "VALIDATION_ERROR",
     "leave_overlap"),
    ("balance of an unknown role", "optimize_rotation_balance",
     lambda d: {"start_date": "2026-07-02", "end_date": "2026-07-09", "role": "GARDENER"}, "VALIDATION_ERROR",
     "FACULTY"),
    ("days backwards", "generate_schedule", lambda d: {**YEAR, "start_date": "2026-07-09", "end_date": "2026-07-02"},
     "VALIDATION_ERROR", "before"),
    ("twenty years", "generate_schedule", lambda d: {**YEAR, "end_date": "2046-06-30"}, "VALIDATION_ERROR", "outside"),
    ("another year", "generate_schedule", lambda d: {**YEAR, "academic_year": "1999-2000"}, "VALIDATION_ERROR",
     "the year of the imported programme"),
    ("more than everything", "generate_schedule", lambda d: {**YEAR, "constraints": {"target_utilization": 1.5}}, None,
     "target_utilization"),
    ("an unknown lock", "generate_schedule", lambda d: {**YEAR, "constraints": {"locked_assignments": [NOBODY]}},
     "NOT_FOUND", "assignment"),
    ("a snapshot without a name", "snapshot_schedule", lambda d: {"label": ""}, None, "label"),
    ("too many swaps", "check_swaps_feasibility", lambda d: {"swaps": [swap(d)] * 51}, None, "swaps"),
    ("coverage backwards", "generate_coverage_report",
     lambda d: {"start_date": "2026-07-09", "end_date": "2026-07-02"}, "VALIDATION_ERROR", "before"),
    ("balance outside", "optimize_rotation_balance",
     lambda d: {"start_date": "2026-07-02", "end_date": "2027-07-02"}, "VALIDATION_ERROR", "outside"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "given", "code", "says"), [pytest.param(*row[1:], id=row[0]) for row in TABLE])
async def test_it_is_refused_in_words_and_nothing_is_stored(ward, tool, given, code, says):
    deployment, desk = ward
    arguments = given(desk)
    before = facts(desk)
    reply = await call(deployment, tool, arguments, COORDINATOR)
    assert reply.is_error, reply.content
    told = reply.meta["packhorse/error"]
    assert says in reply.content[0].text
    if code is not None:
        assert told["code"] == code
    assert facts(desk) == before


async def test_leave_that_overlaps_leave_is_refused(ward):
    deployment, desk = ward
    assert not (await call(deployment, "record_leave", own(desk))).is_error
    before = facts(desk)
    reply = await call(deployment, "record_leave", own(desk, start_date="2026-07-21", end_date="2026-07-22"))
    assert "already has approved leave" in reply.content[0].text
    assert facts(desk) == before


async def test_a_past_block_cannot_be_swapped(tmp_path, served, small):
    later = deployment_for(data_dir=tmp_path, clock=lambda: NOW() + timedelta(days=300), scheduling=pack)
    desk = desk_in(tmp_path)
    made = desk.import_programme(small)
    with desk.rosters() as rosters:
        rosters.save_schedule(evolve(served[1].current().schedule, programme=made, parent=None, status="published"))
    before = facts(desk)
    reply = await call(later, "request_swap", swap(desk))
    assert "has passed" in reply.content[0].text
    assert facts(desk) == before


async def test_a_locked_half_day_is_told_by_the_check_too(ward):
    deployment, desk = ward
    body = (await call(deployment, "check_swap_feasibility", locked(desk))).structured_content
    assert body["is_feasible"] is False
    assert "locked" in body["blocking_reasons"][0]


async def test_a_credential_that_has_expired_keeps_its_holder_out(ward):
    """Whoever has the half-day then is told as a violation, and nobody without it is offered as a candidate."""
    deployment, desk = ward
    opened = desk.current()
    key, day, _, service = next(cell for cell in opened.schedule.cells if cell[3] == "ICU" and cell[0].startswith("F"))
    people = tuple(
        evolve(one, credentials={**one.credentials, "ICU": day - timedelta(days=1)}) if one.key == key else one
        for one in opened.programme.people
    )
    made = desk.import_programme(evolve(opened.programme, people=people, leaves=tuple(
        one for one in opened.programme.leaves if isinstance(one, Leave))))  # fmt: skip
    with desk.rosters() as rosters:
        rosters.move_to(made, opened.schedule.id, "UNKNOWN")
    fresh = desk_in(desk.host.data_dir.parent)
    reply = await call(deployment, "validate_schedule", {"validation_rules": ["CREDENTIAL_REQUIREMENTS"]})
    body = reply.structured_content
    assert body["is_valid"] is False
    assert {one["rule"] for one in body["violations"]} == {"CREDENTIAL_REQUIREMENTS"}
    holder = next(one.id for one in people if one.key == key)
    assert {one["affected_person_id"] for one in body["violations"]} == {holder}
    assert service == "ICU"
    assert fresh.current().programme.people == people


@pytest.mark.parametrize("tool", ["request_swap", "record_leave", "explain_assignment"])
async def test_a_stranger_acts_for_nobody(ward, tool):
    deployment, desk = ward
    opened = desk.current()
    given = {
        "request_swap": swap(desk),
        "record_leave": own(desk),
        "explain_assignment": {
            "person_id": own(desk)["person_id"], "block_id": opened.programme.year.blocks[0].id,
        },
    }[tool]  # fmt: skip
    before = facts(desk)
    reply = await call(deployment, tool, given, STRANGER)
    assert reply.meta["packhorse/error"]["code"] == "AUTHORIZATION_FAILED"
    assert facts(desk) == before
