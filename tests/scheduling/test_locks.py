"""Locks that contradict rules, leave or each other are refused with their row; a roster that breaks one says so."""

from datetime import timedelta

import pytest
from attrs import evolve

from packhorse import UserError
from packhorse_scheduling.domain.insight.locking import lock_faults
from packhorse_scheduling.domain.programme.requests import Leave, Lock
from packhorse_scheduling.domain.rules.kernel import Kernel
from packhorse_scheduling.service.imports import import_roster
from roster_factories import DAY, MONDAY, programme, resident
from wire import call, code_of, desk_in, done, half_days

NURSE = {"people": (resident("R1"), resident("R2", credentials={"X": None}))}


def lock(person, day, service, session="AM"):
    return Lock(person, MONDAY + timedelta(days=day), session, service)


@pytest.mark.parametrize(
    ("locks", "says"),
    [
        pytest.param(
            [lock("R1", 0, "DAY"), lock("R1", 1, "SKILL")], "locks, row 3: .*does not allow it", id="credential"
        ),
        pytest.param([lock("R1", 5, "DAY")], "locks, row 2: .*while on leave", id="leave"),
        pytest.param([lock("R2", d, "DAY") for d in range(10)], "rows 2 to 8: .*7 days worked in a row", id="ten days"),
        pytest.param([lock("R2", 0, "DAY"), lock("R2", 0, None)], "on two services .* rows 2 and 3", id="each other"),
        pytest.param(
            [lock("R2", 0, "DAY"), lock("R2", 0, "CALL", "PM"), lock("R2", 1, "CALL"), lock("R2", 1, "DAY", "PM")],
            "row.* 5: .*14_HOUR_REST_RULE",
            id="rest after call",
        ),
    ],
)  # fmt: skip
def test_locks_that_cannot_hold_are_refused_with_their_row(tmp_path, locks, says):
    made = programme(locks=tuple(locks), leaves=(Leave("R1", MONDAY + timedelta(days=4), MONDAY + timedelta(days=6)),),
                     **NURSE)  # fmt: skip
    desk = desk_in(tmp_path)
    with pytest.raises(UserError, match=says):
        desk.import_programme(made)
    with desk.rosters() as rosters:
        assert rosters.newest_programme() is None


def test_a_lock_on_a_service_of_other_years_of_training_is_refused(tmp_path):
    made = programme(services=(evolve(DAY, pgy=frozenset({3})),), locks=(lock("R1", 0, "DAY"),), **NURSE)
    with pytest.raises(UserError, match=r"locks, row 2: .*role, year or credential does not allow it"):
        desk_in(tmp_path).import_programme(made)


def test_locks_that_others_can_complete_are_taken():
    locks = (lock("R2", 0, "CALL", "PM"), lock("R1", 7, "SEEN"), lock("R1", 8, None))
    assert lock_faults(programme(locks=locks)) == []


@pytest.mark.anyio
async def test_an_imported_roster_that_breaks_a_lock_says_so(in_force):
    at, desk = in_force
    opened = desk.current()
    key, day, half, _ = next(cell for cell in opened.schedule.cells if cell[0].startswith("R"))
    held = Lock(key, day, ("AM", "PM")[half], None)
    desk.import_programme(evolve(opened.programme, locks=(held,)))
    draft = import_roster(desk, opened.schedule.cells, None)
    assert draft.schedule.compliance == "VIOLATIONS"
    body = (await call(at(), "validate_schedule", {"schedule_id": draft.schedule.id})).structured_content
    (told,) = [one for one in body["violations"] if one["rule"] == "LOCK_RULE"]
    assert opened.programme.people[opened.kernel.person_of[key]].name in told["message"]
    assert "locked on a free half-day" in told["message"]
    published = await call(at(), "publish_schedule", {"schedule_id": draft.schedule.id})
    assert "locked on a free half-day" in published.content[0].text


def test_a_lock_does_not_bind_whoever_is_on_leave_by_then():
    day = MONDAY + timedelta(days=3)
    made = programme(locks=(lock("R1", 3, "DAY"),), leaves=(Leave("R1", day, day, "sick"),))
    kernel = Kernel(made)
    assert [one.rule for rule in kernel.rules for one in rule.check(kernel.empty()) if one.rule == "LOCK_RULE"] == []
    free = Kernel(evolve(made, leaves=()))
    assert "LOCK_RULE" in [one.rule for rule in free.rules for one in rule.check(free.empty())]


# --- the lock that ended a year with "try again" ---


def night_float(desk):
    """The only resident of a night float, and an evening of theirs."""
    opened = desk.current()
    nights = {}
    for key, day, half, service in opened.schedule.cells:
        if service == "NF" and half == 1:
            nights.setdefault(day, []).append(key)
    day = next(day for day, who in sorted(nights.items()) if day >= MONDAY + timedelta(days=7) and len(who) == 1)
    return opened.programme.people[opened.kernel.person_of[nights[day][0]]], day


@pytest.mark.anyio
async def test_a_lock_on_the_only_night_float_s_evening_is_mended_by_the_fewest_changes(in_force):
    at, desk = in_force
    person, day = night_float(desk)
    held = evolve(desk.current().programme, locks=(Lock(person.key, day, "PM", None),))
    told = " ".join(desk.revision(held).conflicts)
    assert person.name in told
    assert f"{day} PM" in told
    assert "repair_schedule" in told
    desk.import_programme(held)
    body = await done(at(), "repair_schedule", {})
    assert body["proven_minimal"] is True
    assert len(body["changes"]) <= 10  # the proof says fewest; how many that is, the roster in force decides
    freed = [row for row in body["changes"] if (row["person_name"], row["after"]) == (person.name, "free")]
    assert (day, "PM") in [one for row in freed for one in half_days(row)]
    await done(at(), "publish_schedule", {"schedule_id": body["schedule_id"]})
    assert not any(one.blocks for one in desk.current().violations())


@pytest.mark.anyio
@pytest.mark.slow
async def test_where_nobody_is_left_for_that_evening_the_locks_are_named_with_who_is_left_and_the_way_out(in_force):
    at, desk = in_force
    _, day = night_float(desk)
    made = desk.current().programme
    residents = [one for one in made.people if one.role == "RESIDENT"]
    desk.import_programme(evolve(made, locks=tuple(Lock(one.key, day, "PM", None) for one in residents)))
    asked = {"academic_year": "2026-2027", "start_date": str(made.year.start), "end_date": str(made.year.end)}
    reply = await call(at(), "generate_schedule", {**asked, "async": False})
    assert code_of(reply) == "GENERATION_FAILED", reply.content
    words = reply.content[0].text
    for part in (f"locked free on {day} PM", "needs 1 resident", "left: 0", "The cheapest way out is to give up"):
        assert part in words, words
    assert "Try again" not in words
