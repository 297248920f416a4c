"""Leave, requests and swaps are records: who, when, why and how they stand, whatever file is imported."""

import json
import re
from datetime import UTC, date, datetime, time

import pytest
from attrs import evolve
from click.testing import CliRunner

from packhorse import Host
from packhorse_scheduling import pack
from packhorse_scheduling.commands import commands
from packhorse_scheduling.convert.files import workbooks
from packhorse_scheduling.domain.programme.records import LeaveRecord, Step, merge
from packhorse_scheduling.domain.programme.requests import Leave
from packhorse_scheduling.service.imports import import_roster
from packhorse_scheduling.store.records import Leaves
from roster_factories import MONDAY, programme
from wire import COORDINATOR, NOW, busy, call, code_of, done, leave, own, read

pytestmark = pytest.mark.anyio

JULY_14, JULY_15, JULY_20 = date(2026, 7, 14), date(2026, 7, 15), date(2026, 7, 20)
AT = datetime(2026, 6, 1, tzinfo=UTC)


async def asked(deployment, key, person, day=JULY_14, **more):
    return await done(deployment, "record_leave", leave(person, day, kind="conference", **more), own(key))


# --- the inbox ---


async def test_a_request_is_in_the_inbox_of_coordinators_and_of_who_asked_and_of_nobody_else(in_force):
    at, desk = in_force
    (key, person), (other, _) = busy(desk, 2, JULY_14)
    made = await asked(at(), key, person)
    row = {"request_id": made["request_id"], "kind": "leave", "status": "requested", "person_id": person}
    for caller, count in ((COORDINATOR, 1), (own(key), 1), (own(other), 0)):
        body = await done(at(), "list_requests", {}, caller)
        assert body["total"] == count
        assert await read(at(), "schedule://requests", caller) == body
        if count:
            assert {name: body["requests"][0][name] for name in row} == row


async def test_the_same_request_twice_is_one_and_one_that_overlaps_is_refused_by_its_id(in_force):
    at, desk = in_force
    key, person = busy(desk, 1, JULY_14)[0]
    first = await asked(at(), key, person, days=3)
    again = await asked(at(), key, person, days=3)
    assert again["request_id"] == first["request_id"]
    reply = await call(at(), "record_leave", leave(person, date(2026, 7, 15)), own(key))
    assert code_of(reply) == "VALIDATION_ERROR"
    assert first["request_id"] in reply.content[0].text
    assert (await done(at(), "list_requests", {}))["total"] == 1


async def test_approval_tells_its_effect_first_and_is_carried_out_when_confirmed(in_force):
    at, desk = in_force
    key, person = busy(desk, 1, JULY_14)[0]
    made = await asked(at(), key, person)
    answer = {"request_id": made["request_id"], "decision": "approve", "reason": "covered by the team"}
    told = await done(at(), "answer_request", answer)
    assert told["done"] is False
    assert told["effect"]["collisions"] > 0
    assert told["effect"]["new_violations"] > 0
    assert told["effect"]["violations"]
    assert desk.current().schedule.compliance == "COMPLIANT"
    body = await done(at(), "answer_request", {**answer, "confirm": True})
    assert body["request"]["status"] == "approved"
    assert body["request"]["reason"] == "covered by the team"
    assert desk.current().schedule.compliance == "VIOLATIONS"
    assert code_of(await call(at(), "answer_request", {**answer, "confirm": True})) == "CONSTRAINT_VIOLATION"
    with desk.rosters() as rosters:
        record = Leaves(rosters.store).record(made["request_id"])
    assert [(step.state, step.by) for step in record.steps] == [
        ("requested", f"sub-{key}"),
        ("approved", "coordinator"),
    ]


async def test_a_declined_request_binds_nobody_and_may_be_asked_anew(in_force):
    at, desk = in_force
    key, person = busy(desk, 1, JULY_14)[0]
    made = await asked(at(), key, person)
    await done(at(), "answer_request", {"request_id": made["request_id"], "decision": "decline", "confirm": True})
    assert (await done(at(), "list_requests", {}))["total"] == 0
    every = (await done(at(), "list_requests", {"all": True}))["requests"]
    assert {one["request_id"]: one["status"] for one in every}[made["request_id"]] == "declined"
    assert desk.current().schedule.compliance == "COMPLIANT"
    again = await asked(at(), key, person)
    assert again["request_id"] != made["request_id"]


async def test_people_take_back_their_own_requests_and_nobody_else_s(in_force):
    at, desk = in_force
    (key, person), (other, _) = busy(desk, 2, JULY_14)
    made = await asked(at(), key, person)
    named = {"request_id": made["request_id"]}
    assert code_of(await call(at(), "withdraw_request", named, own(other))) == "AUTHORIZATION_FAILED"
    body = await done(at(), "withdraw_request", named, own(key))
    assert body["request"]["status"] == "withdrawn"
    assert code_of(await call(at(), "withdraw_request", named, own(key))) == "CONSTRAINT_VIOLATION"


async def test_leave_ends_early_and_its_days_gone_by_stay(in_force):
    at, desk = in_force
    _, person = busy(desk, 1, JULY_14)[0]
    made = await done(at(), "record_leave", leave(person, JULY_14, days=5))
    today = date(2026, 7, 16)
    late = {"request_id": made["request_id"], "from_date": "2026-07-15"}
    assert code_of(await call(at(today), "withdraw_request", late)) == "VALIDATION_ERROR"
    body = await done(at(today), "withdraw_request", {"request_id": made["request_id"]})
    assert body["request"]["end_date"] == "2026-07-15"
    (left,) = [one for one in desk.current().programme.leaves if one.start == JULY_14 and one.kind == "vacation"]
    assert left.end == date(2026, 7, 15)


async def test_a_mistaken_leave_is_cancelled_and_the_roster_is_as_it_was(in_force):
    at, desk = in_force
    _, person = busy(desk, 1, JULY_14)[0]
    made = await done(at(), "record_leave", leave(person, JULY_14))
    assert desk.current().schedule.compliance == "VIOLATIONS"
    body = await done(at(), "withdraw_request", {"request_id": made["request_id"], "reason": "wrong person"})
    assert body["request"]["status"] == "cancelled"
    assert desk.current().schedule.compliance == "COMPLIANT"


async def test_no_agent_speaks_for_a_person_whatever_it_was_granted(in_force):
    from test_changes import wanted

    at, desk = in_force
    key, person = busy(desk, 1, JULY_14)[0]
    made = await asked(at(), key, person)
    agent = COORDINATOR.agent("SCHEDULER", run="run-1")
    named = {"request_id": made["request_id"]}
    for tool, arguments in (
        ("answer_request", {**named, "decision": "approve", "confirm": True}),
        ("withdraw_request", named),
        ("rank_wishes", {"person_id": person, "wishes": ["2026-07-13"]}),
        ("calendar_address", {"person_id": person}),
        ("change_assignment", {"person_id": person, "block_id": "2026-07-14 AM"}),
    ):
        assert code_of(await call(at(), tool, arguments, agent)) == "AUTHORIZATION_FAILED"
    assert (await done(at(), "list_requests", {}))["total"] == 1
    assert (await done(at(), "rank_wishes", {"person_id": person}, agent))["wishes"] == []
    swap, (requester, _) = wanted(desk)
    theirs = own(requester).agent("SCHEDULER", run="run-2")
    made = await done(at(), "request_swap", swap, theirs)
    assert made["status"] == "requested"
    answer = {"swap_id": made["swap_id"], "accept": True, "person_id": requester}
    assert code_of(await call(at(), "respond_swap", answer, theirs)) == "AUTHORIZATION_FAILED"


async def test_a_swap_asked_for_twice_is_one_and_approval_carries_it_out_once_both_have_accepted(in_force):
    from test_changes import wanted

    at, desk = in_force
    swap, (requester, target) = wanted(desk)
    made = await done(at(), "request_swap", swap, own(requester))
    again = await done(at(), "request_swap", swap)
    assert again["swap_id"] == made["swap_id"]
    approve = {"request_id": made["swap_id"], "decision": "approve", "confirm": True}
    reply = await call(at(), "answer_request", approve)
    assert code_of(reply) == "CONSTRAINT_VIOLATION"
    assert "must first accept this swap" in reply.content[0].text
    row = (await done(at(), "list_requests", {}, own(target)))["requests"][0]
    assert row["waiting_for"] == [row["other_name"]]
    await done(at(), "respond_swap", {"swap_id": made["swap_id"], "accept": True}, own(target))
    told = await done(at(), "answer_request", {**approve, "confirm": False})
    assert told["effect"]["changes"]
    body = await done(at(), "answer_request", approve)
    assert body["request"]["status"] == "executed"
    assert body["schedule_id"] == desk.current().schedule.id


async def test_whoever_asked_for_a_swap_takes_it_back_until_it_is_carried_out(in_force):
    from test_changes import wanted

    at, desk = in_force
    swap, (requester, _) = wanted(desk)
    made = await done(at(), "request_swap", swap, own(requester))
    body = await done(at(), "withdraw_request", {"request_id": made["swap_id"], "reason": "solved"}, own(requester))
    assert body["request"]["status"] == "withdrawn"
    assert body["request"]["reason"] == "solved"
    assert code_of(await call(at(), "execute_swap", {"swap_id": made["swap_id"]})) == "CONSTRAINT_VIOLATION"


@pytest.mark.parametrize("uri", ["schedule://requests", "the page of whoever is asked"])
async def test_who_is_asked_is_told_by_subscription(in_force, uri):
    from test_changes import wanted
    from test_insight import heard

    at, desk = in_force
    swap, _ = wanted(desk)
    if not uri.startswith("schedule"):
        uri = f"schedule://person/{swap['target_person_id']}"

    told = await heard(at(), desk, [uri], lambda client: client.call_tool("request_swap", swap))
    assert told == [uri]


# --- by hand ---


def block_of(desk, day, half):
    return next(one.id for one in desk.current().programme.year.blocks if (one.day, one.index % 2) == (day, half))


async def test_a_half_day_is_changed_by_hand_once_its_effect_is_known_and_by_whom_is_on_record(in_force):
    at, desk = in_force
    opened = desk.current()
    spare = next(
        cell for cell in opened.schedule.cells
        if not [one for one in opened.board().breaks([(opened.kernel.person_of[cell[0]], opened.kernel.day_of(cell[1]),
                                                       cell[2], -1)]) if one.blocks]
    )  # fmt: skip
    key, day, half, code = spare
    person = opened.programme.people[opened.kernel.person_of[key]].id
    asked = {"person_id": person, "block_id": block_of(desk, day, half)}
    told = await done(at(), "change_assignment", asked)
    assert (told["done"], told["effect"]["new_violations"]) == (False, 0)
    assert spare in desk.current().schedule.cells
    await done(at(), "change_assignment", {**asked, "confirm": True, "reason": "dentist"})
    assert spare not in desk.current().schedule.cells
    await done(at(), "change_assignment", {**asked, "service": code, "confirm": True})
    assert set(desk.current().schedule.cells) == set(opened.schedule.cells)
    with desk.rosters() as rosters:
        rows = rosters.store.query("SELECT actor, details FROM changes WHERE what = 'changed by hand'")
    assert [row["actor"] for row in rows] == ["coordinator", "coordinator"]
    assert {json.loads(row["details"])["why"] for row in rows} == {"dentist", None}


async def test_a_change_by_hand_that_breaks_a_rule_is_told_and_not_made_and_one_of_the_past_is_put_on_record(in_force):
    at, desk = in_force
    opened = desk.current()
    key = next(cell[0] for cell in opened.schedule.cells if cell[1:] == (JULY_14, 1, "NF"))  # one person a night
    person = opened.programme.people[opened.kernel.person_of[key]].id
    asked = {"person_id": person, "block_id": block_of(desk, JULY_14, 1)}
    told = await done(at(), "change_assignment", asked)
    assert told["effect"]["new_violations"] > 0
    reply = await call(at(), "change_assignment", {**asked, "confirm": True})
    assert code_of(reply) == "CONSTRAINT_VIOLATION"
    assert "2026-07-14" in reply.content[0].text
    assert desk.current().schedule.id == opened.schedule.id
    late = await done(at(JULY_20), "change_assignment", {**asked, "confirm": True})
    assert [one["kind"] for one in late["requests"]] == ["actual_hours"] * 2  # the evening and the morning after it
    assert desk.current().schedule.cells == opened.schedule.cells


async def test_a_refused_change_by_hand_names_a_next_step_that_is_open(in_force):
    """Who has something then can pass it on; who is free has nothing that somebody else could take; a full place
    has to be made free first."""
    at, desk = in_force
    opened = desk.current()
    kernel, start = opened.kernel, opened.kernel.day_of(JULY_14)
    steps = ((True, False, "analyze_swap_candidates"), (False, False, "change_assignment without confirm"))
    for held, full, step in (*steps, (False, True, "free somebody there first")):
        p, d, h, service = next(  # on a working day everybody may have something; everybody has a day off in seven
            (p, d, h, service)
            for d in range(start, start + 7)
            for p in range(kernel.P)
            for h in (0, 1)
            for s, service in enumerate([*(one.code for one in opened.programme.services), None])
            if (opened.grid[p, d, h] >= 0) == held
            and (service is None or (kernel.open[s, h] and not kernel.overnight[s] and opened.grid[p, d, h] != s))
            and not kernel.overnight[opened.grid[p, d, h]]
            and (held or service is not None)
            and (broken := [one for one in opened.board().breaks([(p, d, h, s if service else -1)]) if one.blocks])
            and full == any(one.rule == "MAXIMUM_STAFFING" for one in broken)
        )
        block = block_of(desk, kernel.date_of(d), h)
        asked = {"person_id": opened.programme.people[p].id, "block_id": block, "service": service}
        reply = await call(at(), "change_assignment", {**asked, "confirm": True})
        assert code_of(reply) == "CONSTRAINT_VIOLATION"
        assert step in reply.content[0].text
    assert desk.current().schedule.id == opened.schedule.id


async def test_a_copy_comes_back_on_the_morning_after_a_night_that_somebody_else_took(in_force):
    at, desk = in_force
    copy = await done(at(), "snapshot_schedule", {"label": "as it was"})
    was = desk.current()
    key = next(cell[0] for cell in was.schedule.cells if cell[1:] == (JULY_14, 1, "NF"))
    ill = was.programme.people[was.kernel.person_of[key]].id
    await done(at(JULY_14), "record_leave", leave(ill, JULY_14, days=1, kind="sick"))
    mended = await done(at(JULY_14), "repair_schedule", {})
    await done(at(JULY_14), "publish_schedule", {"schedule_id": mended["schedule_id"]})
    reply = await call(at(JULY_15), "publish_schedule", {"schedule_id": copy["schedule_id"]})
    if reply.is_error:
        mended = await done(at(JULY_15), "repair_schedule", {"schedule_id": copy["schedule_id"]})
        await done(at(JULY_15), "publish_schedule", {"schedule_id": mended["schedule_id"]})
    now = desk.current()
    assert not [one for one in now.violations() if one.blocks and now.kernel.date_of(one.last) >= JULY_15]


# --- a revised file ---


async def test_a_revised_programme_keeps_the_leave_recorded_since_the_file_was_made(in_force):
    at, desk = in_force
    before = desk.current().programme
    (_, first), (key, second) = busy(desk, 2, JULY_14)
    await done(at(), "record_leave", leave(first, JULY_14))
    await asked(at(), key, second, JULY_20)
    more = evolve(before.people[0], key="R99", name="Somebody New", subject=None)
    desk.import_programme(evolve(before, people=(*before.people, more)))
    _, newest = desk.programme()
    kept = {(one.start, one.status) for one in newest.leaves} - {(one.start, one.status) for one in before.leaves}
    assert kept >= {(JULY_14, "approved"), (JULY_20, "requested")}
    assert more in newest.people


async def test_a_roster_from_a_file_in_which_somebody_works_on_leave_says_who_and_when(in_force):
    at, desk = in_force
    opened = desk.current()
    key, person = busy(desk, 1, JULY_14)[0]
    await done(at(), "record_leave", leave(person, JULY_14))
    desk.import_programme(opened.programme)
    draft = import_roster(desk, opened.schedule.cells, None)
    reply = await call(at(), "validate_schedule", {"schedule_id": draft.schedule.id})
    assert draft.schedule.compliance == "VIOLATIONS"
    assert reply.structured_content["is_valid"] is False
    name = opened.programme.people[opened.kernel.person_of[key]].name
    assert re.search(rf"{name} on .*, 2026-07-14 .M, while on leave", reply.content[0].text)


async def test_the_terminal_shows_what_a_revised_file_changes_keeps_and_leaves_to_be_decided(in_force, tmp_path):
    at, desk = in_force
    before = desk.current().programme
    key, person = busy(desk, 1, JULY_14)[0]
    await done(at(), "record_leave", leave(person, JULY_14, days=3))
    more = evolve(before.people[0], key="R99", name="Somebody New", subject=None)
    met = Leave(key, date(2026, 7, 16), date(2026, 7, 18), "conference")
    file = tmp_path / "revised.xlsx"
    workbooks.write_programme(evolve(before, people=(*before.people, more), leaves=(*before.leaves, met)), file)
    host = Host("scheduling", data_dir=tmp_path, migrations=pack.pack.migrations, clock=NOW)
    run = {command.name: command for command in commands(host)}["import"]
    shown = CliRunner().invoke(run, [str(file), "--dry-run"])
    assert shown.exit_code == 0, shown.output
    assert "people: new: R99." in shown.output
    assert f"Kept, although the file does not contain it: approved vacation leave of {key}, 2026-07-14" in shown.output
    assert f"To be decided: Leave of {key} from 2026-07-16 to 2026-07-18 overlaps" in shown.output
    assert len(desk.programme()[1].people) == len(before.people)
    done_it = CliRunner().invoke(run, [str(file)])
    assert done_it.exit_code == 0, done_it.output
    _, newest = desk.programme()
    states = {one.start: one.status for one in newest.leaves if one.person == key}
    assert states[JULY_14] == "approved"
    assert states[date(2026, 7, 16)] == "requested"


async def test_somebody_who_has_worked_stays_though_the_file_has_them_no_more(in_force):
    _, desk = in_force
    before = desk.current().programme
    later = deployment_day(desk, date(2026, 7, 20))
    gone = before.people[0]
    leaves = tuple(one for one in before.leaves if one.person != gone.key)
    wishes = tuple(one for one in before.preferences if one.person != gone.key)
    revised = evolve(before, people=before.people[1:], leaves=leaves, preferences=wishes)
    merged = later.revision(revised)
    assert gone in merged.programme.people
    assert any(gone.key in words and "kept" in words for words in merged.conflicts)
    assert desk.revision(revised).programme.people == before.people[1:]


def deployment_day(desk, day):
    now = datetime.combine(day, time(12), UTC)
    return type(desk)(Host("scheduling", data_dir=desk.host.data_dir.parent, migrations=pack.pack.migrations,
                           clock=lambda: now))  # fmt: skip


def record(state, person="R1", first=0, last=2):
    from datetime import timedelta

    return LeaveRecord(
        "id", person, MONDAY + timedelta(days=first), MONDAY + timedelta(days=last), "vacation", "call",
        (Step(state, AT, None),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("state", "in_file", "after", "conflicts"),
    [
        pytest.param("approved", "approved", "approved", 0, id="the same"),
        pytest.param("requested", "approved", "approved", 0, id="approved in the file"),
        pytest.param("approved", "requested", "approved", 0, id="an old request"),
        pytest.param("cancelled", "approved", None, 1, id="cancelled since"),
        pytest.param("declined", "requested", None, 1, id="declined since"),
        pytest.param("approved", "declined", "approved", 1, id="declined in the file"),
    ],
)
def test_a_file_overrules_no_record_unseen(state, in_file, after, conflicts):
    had = record(state)
    made = programme(leaves=(Leave("R1", had.start, had.end, "vacation", in_file),))
    merged = merge(made, [had], AT)
    assert [one.status for one in merged.programme.leaves] == ([] if after is None else [after])
    assert len(merged.conflicts) == conflicts
    assert merged.programme.faults() == []


def test_old_data_has_a_record_of_every_leave_of_its_programme(tmp_path):
    desk_host = Host("scheduling", data_dir=tmp_path, migrations=pack.pack.migrations[:3], clock=NOW)
    from packhorse_scheduling.service import RosterDesk
    from packhorse_scheduling.store import Rosters

    made = programme(leaves=(Leave("R1", MONDAY, MONDAY, "sick"), Leave("R2", MONDAY, MONDAY, status="requested")))
    with desk_host.store() as store:
        Rosters(store).save_programme(desk_host.new_id(), made, AT)
    desk = RosterDesk(Host("scheduling", data_dir=tmp_path, migrations=pack.pack.migrations, clock=NOW))
    assert [(one.person, one.state, one.source) for one in desk.leave_records()] == [
        ("R1", "approved", "file"),
        ("R2", "requested", "file"),
    ]
