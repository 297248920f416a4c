"""An event that meets an earlier one: a swap and illness, a departure and leave, leave and a lock."""

from datetime import date, timedelta

import pytest
from attrs import evolve

from packhorse import UserError
from packhorse_scheduling.convert.wishes import wishes_from
from packhorse_scheduling.domain.change.repair import repair
from packhorse_scheduling.domain.programme.requests import Demand, Leave, Lock, Preference
from packhorse_scheduling.domain.rules.kernel import Kernel
from roster_factories import MONDAY, cells, programme
from test_changes import wanted
from test_names_and_leavers import opened_with
from wire import busy, call, code_of, done, leave, own

pytestmark = pytest.mark.anyio
JULY_14, JULY_15, JULY_20 = date(2026, 7, 14), date(2026, 7, 15), date(2026, 7, 20)


async def accepted_swap(at, desk):
    """A swap that both have accepted: (id, the requester, the half-day's date)."""
    swap, (requester, target) = wanted(desk)
    made = await done(at(), "request_swap", swap, own(requester))
    await done(at(), "respond_swap", {"swap_id": made["swap_id"], "accept": True}, own(target))
    opened = desk.current()
    person = opened.programme.people[opened.kernel.person_of[requester]]
    return made["swap_id"], person, opened.programme.year.block_at[made["block_ids"][0]].day


@pytest.mark.parametrize("mended", [False, True])
async def test_an_accepted_swap_of_somebody_who_fell_ill_names_them_the_day_and_a_step_that_works(in_force, mended):
    at, desk = in_force
    swap, person, day = await accepted_swap(at, desk)
    await done(at(), "record_leave", leave(person.id, day, days=1, kind="sick"))
    if mended:
        made = await done(at(), "repair_schedule", {})
        await done(at(), "publish_schedule", {"schedule_id": made["schedule_id"]})
    reply = await call(at(), "execute_swap", {"swap_id": swap})
    words = reply.content[0].text
    assert code_of(reply) == ("VALIDATION_ERROR" if mended else "CONSTRAINT_VIOLATION")
    assert person.name in words
    assert str(day) in words
    assert f"withdraw_request with request_id {swap}" in words
    ended = await done(at(), "withdraw_request", {"request_id": swap})
    assert ended["request"]["status"] == "cancelled"


async def test_a_swap_that_is_carried_out_is_not_answered_again(in_force):
    at, desk = in_force
    swap, *_ = await accepted_swap(at, desk)
    await done(at(), "execute_swap", {"swap_id": swap})
    for confirm in (False, True):
        reply = await call(at(), "answer_request", {"request_id": swap, "decision": "approve", "confirm": confirm})
        assert "already executed" in reply.content[0].text


async def test_a_swap_whose_day_has_passed_waits_for_nobody(in_force):
    at, desk = in_force
    swap, _, day = await accepted_swap(at, desk)
    assert (await done(at(day), "list_requests", {}))["total"] == 1
    assert (await done(at(day + timedelta(days=1)), "list_requests", {}))["total"] == 0
    every = await done(at(day + timedelta(days=1)), "list_requests", {"all": True})
    assert [row["request_id"] for row in every["requests"]] == [swap]


async def test_a_departure_ends_the_leave_that_lies_behind_it(in_force):
    at, desk = in_force
    key, person = busy(desk, 1, JULY_14)[0]
    kept = [row for row in desk.current().programme.leaves if row.person == key and row.start < JULY_14]
    later = await done(at(), "record_leave", leave(person, JULY_20, days=2))
    gone = await done(at(), "record_leave", leave(person, JULY_14, kind="departure"))
    states = {one.id: one for one in desk.leave_records()}
    assert states[later["request_id"]].state == "cancelled"
    assert states[later["request_id"]].steps[-1].why == "gone for good from 2026-07-14"
    assert states[gone["request_id"]].state == "approved"
    mine = [row for row in desk.current().programme.leaves if row.person == key]
    assert [row.kind for row in mine if row not in kept] == ["departure"]


async def test_a_departure_in_the_middle_of_leave_names_the_step_that_works(in_force):
    at, desk = in_force
    _, person = busy(desk, 1, JULY_14)[0]
    name = next(one.name for one in desk.current().programme.people if one.id == person)
    first = await done(at(), "record_leave", leave(person, JULY_14 - timedelta(days=1), days=3))
    refused = await call(at(), "record_leave", leave(person, JULY_14, kind="departure"))
    assert name in refused.content[0].text
    assert "from_date 2026-07-14" in refused.content[0].text
    await done(at(), "withdraw_request", {"request_id": first["request_id"], "from_date": "2026-07-14"})
    await done(at(), "record_leave", leave(person, JULY_14, kind="departure"))


async def test_leave_over_a_lock_says_that_the_lock_gives_way(in_force):
    at, desk = in_force
    opened = desk.current()
    key, person = busy(desk, 1, JULY_14)[0]
    half, code = next((h, s) for k, d, h, s in opened.schedule.cells if (k, d) == (key, JULY_14))
    session = ("AM", "PM")[half]
    desk.import_programme(evolve(opened.programme, locks=(Lock(key, JULY_14, session, code),)))
    asked = await done(at(), "record_leave", leave(person, JULY_14, kind="conference"), own(key))
    answer = {"request_id": asked["request_id"], "decision": "approve"}
    reply = await call(at(), "answer_request", answer)
    assert f"2026-07-14 {session}" in reply.content[0].text
    assert "lock" in reply.content[0].text
    assert reply.structured_content["effect"]["overridden_locks"] == [f"2026-07-14 {session} on {code}"]
    recorded = await call(at(), "record_leave", leave(person, JULY_14, kind="conference"))
    assert recorded.structured_content["overridden_locks"] == [f"2026-07-14 {session} on {code}"]


async def test_validation_says_when_every_warning_is_of_days_gone_by(in_force):
    at, desk = in_force
    cells = set(desk.current().schedule.cells)
    key, name = next(
        (k, s)
        for k, d, h, s in sorted(cells)
        if (d, h) == (JULY_14, 1) and k.startswith("R") and (k, d, 0, s) in cells and (k, JULY_15, 0, s) in cells
    )
    for half_day, start, end in (("2026-07-14 PM", "12:00", "24:00"), ("2026-07-15 AM", "06:00", "12:00")):
        worked = {"person_id": key, "block_id": half_day, "service": name, "start_time": start, "end_time": end}
        await done(at(JULY_20), "change_assignment", {**worked, "confirm": True})
    reply = await call(at(JULY_20), "validate_schedule", {})
    assert reply.structured_content["summary"]["warning_count"] == 1
    assert "All of them are on past days." in reply.content[0].text


def test_wishes_of_days_gone_by_are_named_last_among_those_not_met():
    rows = (
        Preference("R1", MONDAY, weight=3),
        Preference("R2", MONDAY + timedelta(days=2), weight=1),
        Preference("R2", MONDAY + timedelta(days=1), weight=2),
    )
    made = programme(preferences=rows)
    worked = cells(("R1", 0, "A", "DAY"), ("R2", 1, "A", "DAY"), ("R2", 2, "A", "DAY"))
    opened = opened_with(made, (), worked)
    told = [words.split(", ")[1] for words in wishes_from(opened, today=MONDAY + timedelta(days=1))["wishes"]["unmet"]]
    assert told == ["2026-07-07", "2026-07-08", "2026-07-06"]


def test_a_departure_that_leaves_no_lawful_night_before_it_gives_that_night_to_somebody_else():
    rows = [("R1", 19, "P", "CALL"), ("R1", 20, "A", "CALL")]
    leaves = (Leave("R1", MONDAY + timedelta(days=20), MONDAY + timedelta(days=55), "departure"),)
    demand = Demand("CALL", "RESIDENT", 1, 1, start=MONDAY + timedelta(days=19), end=MONDAY + timedelta(days=20))
    demands = (evolve(demand, sessions=("PM",), end=demand.start), evolve(demand, sessions=("AM",), start=demand.end))
    kernel = Kernel(programme(leaves=leaves, demands=demands))
    found = repair(kernel, kernel.grid_of(cells(*rows)), today=kernel.tail)
    assert found.proven
    assert found.shortfall == 0
    assert [(one.rule, one.person) for one in kernel.violations(found.grid) if one.blocks] == []
    assert set(kernel.cells_of(found.grid)) == set(cells(*(("R2", *row[1:]) for row in rows)))


async def test_a_programme_with_leave_over_a_lock_goes_out_and_comes_back(in_force):
    at, desk = in_force
    key, person = busy(desk, 1, JULY_14)[0]
    half, code = next((h, s) for k, d, h, s in desk.current().schedule.cells if (k, d) == (key, JULY_14))
    lock = Lock(key, JULY_14, ("AM", "PM")[half], code)
    desk.import_programme(evolve(desk.current().programme, locks=(lock,)))
    await done(at(), "record_leave", leave(person, JULY_14, kind="conference"))
    written = desk.programme()[1]
    desk.import_programme(written)
    assert desk.programme()[1] == written
    other = evolve(lock, session=("PM", "AM")[half])
    with pytest.raises(UserError, match="while on leave"):
        desk.import_programme(evolve(written, locks=(lock, other)))
