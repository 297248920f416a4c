"""The rotation plan is edited by hand: a block set, blocks exchanged, the effect told first, and why it is as it is."""

from datetime import date, timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from packhorse_scheduling.domain.change.replan import unit_at, with_exchange, with_stay
from packhorse_scheduling.domain.change.swaps import absorb, candidates, judge
from packhorse_scheduling.domain.programme.calendar import block_id
from packhorse_scheduling.domain.programme.requests import RotationLock
from packhorse_scheduling.domain.roster.plan import Stay, plan_faults
from roster_factories import MONDAY, cells, faculty, programme, resident
from test_rotations import LONG, WARD, opened_with
from wire import call, code_of, done

JULY_8 = date(2026, 7, 8)


def day(n):
    return MONDAY + timedelta(days=n)


def held(plan, person, n):
    return [stay.rotation for stay in plan if stay.person == person and stay.first <= day(n) <= stay.last]


BLOCKS = st.lists(st.sampled_from(["WARD", "LONG"]), min_size=3, max_size=3)


@given(one=BLOCKS, other=BLOCKS, first=st.integers(0, 83), length=st.integers(1, 60))
def test_exchanged_days_are_the_other_s_and_all_else_stays(one, other, first, length):
    made = programme(84, (resident("R1"), resident("R2")), rotations=(WARD, LONG))
    plan = tuple(
        Stay(person, day(28 * n), day(28 * n + 27), code)
        for person, codes in (("R1", one), ("R2", other))
        for n, code in enumerate(codes)
    )
    last = min(83, first + length)
    after = with_exchange(plan, "R1", "R2", day(first), day(last))
    assert plan_faults(made, after) == []
    for n in range(84):
        pair = held(plan, "R1", n), held(plan, "R2", n)
        assert (held(after, "R1", n), held(after, "R2", n)) == (pair[::-1] if first <= n <= last else pair)
    back = with_exchange(after, "R1", "R2", day(first), day(last))
    assert all(held(back, person, n) == held(plan, person, n) for person in ("R1", "R2") for n in range(84))


@given(first=st.integers(0, 55), length=st.integers(0, 55))
def test_a_block_that_is_set_replaces_what_it_covers_and_nothing_else(first, length):
    plan = (Stay("R1", day(0), day(55), "WARD"), Stay("R2", day(0), day(55), "LONG"))
    last = min(55, first + length)
    after = with_stay(plan, "R1", day(first), day(last), "LONG")
    assert plan_faults(programme(56, (resident("R1"), resident("R2")), rotations=(WARD, LONG)), after) == []
    assert [held(after, "R1", n) for n in range(56)] == [
        ["LONG"] if first <= n <= last else ["WARD"] for n in range(56)
    ]
    assert next(stay.source for stay in after if stay.first == day(first) and stay.person == "R1") == "manual"
    assert [stay for stay in after if stay.person == "R2"] == [plan[1]]


def test_a_unit_is_the_four_weeks_that_hold_a_day():
    made = programme(56)
    assert unit_at(made, day(27)) == (day(0), day(27))
    assert unit_at(made, day(28)) == (day(28), day(55))


# --- at the wire ---


def rotating(desk):
    """Two residents on different rotations for all of the only unit, of one year if there are; each with their stay.

    Weeks of night float may part the unit of others.
    """
    opened = desk.current()
    people = {person.key: person for person in opened.programme.people}
    unit = unit_at(opened.programme, JULY_8)
    stays = [s for s in opened.schedule.plan if people[s.person].role == "RESIDENT" and (s.first, s.last) == unit]
    pairs = [(a, b) for a in stays for b in stays if a.rotation != b.rotation and a.person < b.person]
    pairs.sort(key=lambda pair: people[pair[0].person].pgy != people[pair[1].person].pgy)
    return tuple((people[stay.person], stay) for stay in pairs[0])


@pytest.mark.anyio
async def test_why_somebody_is_on_a_rotation_is_told_by_plan_team_curriculum_and_who_could_exchange(in_force):
    at, desk = in_force
    (person, stay), _ = rotating(desk)
    reply = await call(at(), "change_rotation", {"person_id": person.name, "date": "2026-07-15"})
    body, words = reply.structured_content, reply.content[0].text
    name = next(one.name for one in desk.current().programme.rotations if one.code == stay.rotation)
    assert (
        f"{person.name} is on {name} from {stay.first} to {stay.last} by the rotation plan: the solver chose it"
        in words
    )
    assert "on it then; at least" in words
    assert f"PGY-{person.pgy} must have" in words
    assert body["done"] is False


@pytest.mark.anyio
async def test_blocks_are_exchanged_as_a_draft_after_the_effect_was_told(in_force):
    at, desk = in_force
    (one, first), (other, second) = rotating(desk)
    asked = {"person_id": one.id, "date": "2026-07-15", "with_person_id": other.id}
    before = desk.current()
    with desk.rosters() as rosters:
        versions = rosters.next_version()
    told = await call(at(JULY_8), "change_rotation", asked)
    assert "Nothing is kept yet" in told.content[0].text
    with desk.rosters() as rosters:
        assert rosters.next_version() == versions
    body = await done(at(JULY_8), "change_rotation", {**asked, "confirm": True, "reason": "they asked"})
    assert {**body, "done": False, "schedule_id": None} == {**told.structured_content, "schedule_id": None}
    draft = desk.opened(body["schedule_id"])
    kernel = draft.kernel
    a, b = kernel.person_of[one.key], kernel.person_of[other.key]
    for when, pair in ((JULY_8, (second, first)), (JULY_8 - timedelta(days=1), (first, second))):
        codes = [kernel.programme.rotations[kernel.rotation[p, kernel.day_of(when)]].code for p in (a, b)]
        assert codes == [stay.rotation for stay in pair]
    assert [cell for cell in draft.schedule.cells if cell[1] < JULY_8] == [
        cell for cell in before.schedule.cells if cell[1] < JULY_8
    ]
    assert desk.current().schedule.id == before.schedule.id
    if not body["new_violations"]:
        await done(at(JULY_8), "publish_schedule", {"schedule_id": draft.schedule.id})
        assert desk.current().schedule.plan == draft.schedule.plan
    with desk.rosters() as rosters:
        (row,) = rosters.store.query("SELECT details, actor FROM changes WHERE what = 'rotation plan edited'")
    assert row["actor"] == "coordinator"
    assert "they asked" in row["details"]


@pytest.mark.anyio
async def test_a_lock_against_a_unit_that_has_begun_is_refused_with_a_step_that_works(in_force):
    at, desk = in_force
    (one, first), (other, second) = rotating(desk)
    name = next(rotation.name for rotation in desk.current().programme.rotations if rotation.code == first.rotation)
    lock = RotationLock(one.key, date(2026, 7, 10), date(2026, 7, 20), second.rotation)
    desk.import_programme(evolve(desk.current().programme, rotation_locks=(lock,)))
    days = {
        "academic_year": "2026-2027",
        "start_date": "2026-07-08",
        "end_date": str(first.last),
        "async": False,
        "generation_mode": "PARTIAL",
    }
    reply = await call(at(JULY_8), "generate_schedule", days)
    words = reply.content[0].text
    assert f"{one.name} on {name} in the unit from {first.first}, which has begun" in words
    assert f"{one.name} locked on the rotation {second.rotation} from 2026-07-10 to 2026-07-20" in words
    assert f"let change_rotation put {one.name} on {second.rotation} for the rest of the unit, to {first.last}" in words
    asked = {"person_id": one.id, "date": "2026-07-08", "with_person_id": other.id, "confirm": True}
    draft = await done(at(JULY_8), "change_rotation", asked)
    await done(at(JULY_8), "publish_schedule", {"schedule_id": draft["schedule_id"]})
    at.cache_clear()
    made = await done(at(JULY_8), "generate_schedule", days)
    plan = desk.opened(made["schedule_id"]).schedule.plan
    assert held(plan, one.key, (JULY_8 - MONDAY).days) == [second.rotation]
    assert held(plan, one.key, (JULY_8 - MONDAY).days - 1) == [first.rotation]


@pytest.mark.anyio
async def test_one_block_is_set_and_what_the_plan_then_lacks_is_told(in_force):
    at, desk = in_force
    opened = desk.current()
    nights = next(stay for stay in opened.schedule.plan if stay.rotation == "NIGHT")
    person = opened.programme.people[opened.kernel.person_of[nights.person]]
    asked = {"person_id": person.id, "date": str(nights.first)}
    codes = [rotation.code for rotation in opened.programme.rotations]
    asked["rotation"] = next(code for code in codes if code not in ("NIGHT", nights.rotation))
    body = await done(at(), "change_rotation", {**asked, "confirm": True})
    assert any("Night float" in words and "below 1" in words for words in body["new_warnings"])
    draft = desk.opened(body["schedule_id"])
    p = draft.kernel.person_of[person.key]
    own = [one for one in draft.violations(("ROTATION_RULE",)) if one.person == p]
    assert own == []
    stay = next(one for one in draft.schedule.plan if one.person == person.key)
    assert (stay.rotation, stay.source) == (asked["rotation"], "manual")


@pytest.mark.anyio
async def test_a_rotation_lock_stands_against_an_edit_and_is_named(in_force):
    at, desk = in_force
    (one, stay), (other, _) = rotating(desk)
    lock = RotationLock(one.key, stay.first, stay.first, stay.rotation)
    opened = desk.current()
    made = desk.import_programme(evolve(opened.programme, rotation_locks=(lock,)))
    with desk.rosters() as rosters:
        rosters.move_to(made, opened.schedule.id, "COMPLIANT")
    reply = await call(at(), "change_rotation", {"person_id": one.id, "date": "2026-07-15", "with_person_id": other.id})
    assert code_of(reply) == "CONSTRAINT_VIOLATION"
    assert f"{one.name} is locked on {stay.rotation}" in reply.content[0].text


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("more", "code", "says"),
    [
        pytest.param({"rotation": "NONE"}, "NOT_FOUND", "rotation", id="unknown rotation"),
        pytest.param({"rotation": "same"}, "VALIDATION_ERROR", "Nothing would change", id="the same"),
        pytest.param({"rotation": "same", "date": "2027-07-15"}, "VALIDATION_ERROR", "outside", id="another year"),
        pytest.param(
            {"with_person_id": "self"}, "VALIDATION_ERROR", "another person of the same role", id="with oneself"
        ),
        pytest.param({"with_person_id": "faculty"}, "VALIDATION_ERROR", "same role", id="another role"),
    ],
)
async def test_an_edit_that_cannot_be_is_refused_with_its_reason(in_force, more, code, says):
    at, desk = in_force
    (one, stay), _ = rotating(desk)
    faculty = next(person.id for person in desk.current().programme.people if person.role == "FACULTY")
    names = {"same": stay.rotation, "self": one.id, "faculty": faculty}
    asked = {"person_id": one.id, "date": "2026-07-15", **{key: names.get(value, value) for key, value in more.items()}}
    reply = await call(at(), "change_rotation", asked)
    assert code_of(reply) == code
    assert says in reply.content[0].text


@pytest.mark.anyio
async def test_attendings_exchange_a_week(in_force):
    at, desk = in_force
    opened = desk.current()
    people = {person.key: person for person in opened.programme.people}
    weeks = [
        s for s in opened.schedule.plan if people[s.person].role == "FACULTY" and s.first <= date(2026, 7, 15) <= s.last
    ]
    one, other = (people[stay.person] for stay in weeks[:2])
    asked = {"person_id": one.id, "date": "2026-07-15", "with_person_id": other.id, "confirm": True}
    body = await done(at(), "change_rotation", asked)
    assert (body["first"], body["last"]) == ("2026-07-13", "2026-07-19")
    plan = desk.opened(body["schedule_id"]).schedule.plan
    on = {s.person: s.rotation for s in plan if s.first <= date(2026, 7, 15) <= s.last}
    assert (on[one.key], on[other.key]) == (weeks[1].rotation, weeks[0].rotation)


# --- what looks for changes keeps to the plan ---


@pytest.mark.anyio
@pytest.mark.parametrize("role", ["RESIDENT", "FACULTY"])
async def test_balance_takes_nobody_off_their_rotation_nor_out_of_an_attending_s_week(in_force, role):
    at, desk = in_force
    opened = desk.current()
    kernel = opened.kernel
    asked = {"start_date": "2026-07-01", "end_date": "2026-07-28", "role": role, "keep_draft": True}
    body = await done(at(), "optimize_rotation_balance", asked)
    assert body["moves"]
    draft = desk.opened(body["schedule_id"])
    assert draft.violations(("ROTATION_RULE",)) == []
    weeks = kernel.attending[:, :, None]
    was, now = (opened.grid == weeks) & (weeks >= 0), (draft.grid == weeks) & (weeks >= 0)
    assert was.any()
    assert (now == was).all()


@pytest.mark.anyio
async def test_a_suggestion_within_the_plan_comes_before_one_across_it(in_force):
    at, desk = in_force
    opened = desk.current()
    kernel, board = opened.kernel, opened.board()
    seen = 0
    for key, when, half, _ in opened.schedule.cells[::40]:
        p = kernel.person_of[key]
        found = candidates(board, p, [(kernel.day_of(when), half)])
        within = [one.verdict.on_rotation for one in found]
        assert within == sorted(within, reverse=True)
        seen += len(set(within)) == 2
        block = block_id(when, ("AM", "PM")[half])
        asked = {"conflict_type": "SWAP_NEEDED", "affected_blocks": [block], "max_suggestions": 10}
        if len(set(within)) == 2 and seen <= 3:
            person = opened.programme.people[p].id
            body = await done(at(), "suggest_resolution", {**asked, "affected_persons": [person]})
            assert body["suggestions"]
    assert seen


def test_an_attending_who_gives_half_a_day_of_their_week_away_leaves_it():
    made = programme(28, (faculty("F1"), faculty("F2")))
    plan = (Stay("F1", day(0), day(6), "DAY"),)
    opened = opened_with(made, plan, cells(("F1", 0, "A", "DAY"), ("F1", 7, "A", "DAY")))
    board = opened.board()
    assert not judge(board, absorb(board, 0, 1, [(0, 0)])).on_rotation
    assert judge(board, absorb(board, 0, 1, [(7, 0)])).on_rotation
